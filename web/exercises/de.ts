/** German labels of knobs that many figures share: those of web/src/exercises/common-inputs.ts. */
export const sizeKnobs = { n: 'Token n', d: 'Spalten d', seed: 'Seed' };
