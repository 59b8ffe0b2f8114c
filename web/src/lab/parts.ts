/** The parts of the course, in order. A lab says which one it belongs to. */
import type { EnglishFirst } from '../strings/language.ts';

export interface Part {
  readonly title: EnglishFirst<string>;
  /** Groups of exercises that belong here and have no lab yet: ids of `web/exercises/groups.ts`. */
  readonly groups: readonly string[];
}

export const parts = {
  attention: {
    title: { en: 'Attention taken apart', de: 'Attention, zerlegt' },
    groups: [],
  },
  linear: {
    title: { en: 'Linear attention', de: 'Lineare Attention' },
    groups: ['linear-attention'],
  },
  kernels: { title: { en: 'Kernels', de: 'Kernel' }, groups: [] },
  states: { title: { en: 'Models with a state' }, groups: [] },
} as const satisfies Record<string, Part>;

export type PartId = keyof typeof parts;
