/** The parts of the course, in order. A lab says which one it belongs to, and so do exercises without a lab. */
import type { EnglishFirst } from '../../strings/language.ts';

export interface Part {
  readonly title: EnglishFirst<string>;
}

export const parts = {
  attention: { title: { en: 'Attention taken apart', de: 'Attention, zerlegt' } },
  linear: { title: { en: 'Linear attention', de: 'Lineare Attention' } },
  kernels: { title: { en: 'Kernels', de: 'Kernel' } },
  states: { title: { en: 'Models with a state', de: 'Modelle mit Zustand' } },
  length: { title: { en: 'Many heads, long texts', de: 'Viele Köpfe, lange Texte' } },
} as const satisfies Record<string, Part>;

export type PartId = keyof typeof parts;
