/**
 * Parts of the course that have exercises and no lab yet. An exercise names the folder of its lab, or
 * one of these; when the lab is written, its folder takes over and its entry here goes.
 */
import type { PartId } from '../src/lab/page/parts.ts';
import type { EnglishFirst } from '../src/strings/language.ts';

export interface ExerciseGroup {
  readonly id: string;
  /** Its place in the course, as a lab's. */
  readonly number: number;
  /** The part of the course that it belongs to, as a lab's. */
  readonly part: PartId;
  readonly title: EnglishFirst<string>;
}

export const groups: readonly ExerciseGroup[] = [
  {
    id: 'linear-attention',
    number: 5,
    part: 'linear',
    title: { en: 'Linear attention', de: 'Lineare Attention' },
  },
];
