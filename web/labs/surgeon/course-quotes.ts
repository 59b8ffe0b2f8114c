/** What the course text (project 4, The Attention Surgeon) says after “Max ≈” of the largest weight, by d_k: quoted, not measured. */
export const QUOTED: readonly {
  readonly dK: number;
  readonly without: string;
  readonly with: string;
}[] = [
  { dK: 16, without: '0.8', with: '0.5' },
  { dK: 64, without: '0.95', with: '0.5' },
  { dK: 256, without: '0.99', with: '0.5' },
  { dK: 1024, without: '1.0', with: '0.5' },
];
