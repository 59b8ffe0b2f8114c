/**
 * What the things of this course look like, in all labs alike: name, colour, mark and dash, stated once. A lab may leave
 * things out; it never renames or recolours one. Colours are those of `seriesColors`, which any kind of colour vision
 * can tell apart; a model that shares a colour with another has another mark, and is hollow.
 */
import { byLanguage } from '../strings/language.ts';
import { seriesColors } from './chart-colors.ts';
import type { Look, Mark } from './point-marks.ts';

interface Thing {
  /** The index of its colour in `seriesColors`. */
  readonly color: number;
  readonly mark: Mark;
  readonly hollow?: boolean;
  /** Drawn as a dashed line without marks: what is computed from theory, guessed, or was before. */
  readonly dashed?: boolean;
  readonly name: { readonly en: string; readonly de: string };
}

const [INK, RUST, GREY, BLUE, GREEN, PINK, GOLD] = [0, 1, 2, 3, 4, 5, 6] as const;

const same = (name: string): Thing['name'] => ({ en: name, de: name });

const things = {
  softmax: { color: INK, mark: 'circle', name: same('softmax') },
  linear: { color: BLUE, mark: 'square', name: { en: 'linear sum', de: 'lineare Summe' } },
  decay: { color: RUST, mark: 'triangle', name: { en: 'decay', de: 'Vergessen' } },
  gate: { color: GOLD, mark: 'diamond', name: { en: 'gate', de: 'Tor' } },
  delta: { color: GREEN, mark: 'down', name: { en: 'delta rule', de: 'Delta-Regel' } },
  gatedDelta: {
    ...{ color: GREEN, mark: 'diamond', hollow: true },
    name: { en: 'gated delta rule', de: 'Delta-Regel mit Tor' },
  },
  mamba: { color: PINK, mark: 'cross', name: same('Mamba-2') },
  rwkv: { color: RUST, mark: 'square', hollow: true, name: same('RWKV') },
  hyena: { color: PINK, mark: 'plus', name: same('Hyena') },
  selective: { color: PINK, mark: 'circle', hollow: true, name: same('Mamba') },
  retnet: { color: RUST, mark: 'diamond', hollow: true, name: same('RetNet') },
  window: {
    ...{ color: INK, mark: 'square', hollow: true },
    name: { en: 'sliding window', de: 'gleitendes Fenster' },
  },
  based: { color: GOLD, mark: 'circle', name: same('Based') },
  hybrid: {
    ...{ color: GREEN, mark: 'square', hollow: true },
    name: { en: 'one softmax layer in four', de: 'eine Softmax-Schicht von vieren' },
  },
  taylor: { color: BLUE, mark: 'diamond', name: same('Taylor') },
  elu: { color: PINK, mark: 'square', name: same('ELU + 1') },
  relu: { color: GOLD, mark: 'triangle', name: same('ReLU') },
  squaredRelu: { color: GREEN, mark: 'circle', name: same('ReLU²') },
  favor: { color: RUST, mark: 'circle', name: same('FAVOR+') },
  truth: { color: INK, mark: 'circle', dashed: true, name: { en: 'truth', de: 'Wahrheit' } },
  guess: { color: GREY, mark: 'circle', dashed: true, name: { en: 'your guess', de: 'dein Tipp' } },
  ghost: { color: GREY, mark: 'circle', dashed: true, name: { en: 'before', de: 'vorher' } },
  chance: { color: GREY, mark: 'circle', dashed: true, name: { en: 'guessing', de: 'geraten' } },
} as const satisfies Record<string, Thing>;

export type ThingId = keyof typeof things;
export const thingIds = Object.keys(things) as readonly ThingId[];

/** The things by the names that the core gives its mixers, memories and feature maps. */
const OF_CORE: Readonly<Record<string, ThingId>> = {
  softmax: 'softmax',
  attention: 'softmax',
  linear: 'linear',
  linear_sum: 'linear',
  linear_attention: 'linear',
  retention: 'decay',
  retnet: 'retnet',
  gla: 'gate',
  gated_linear_attention: 'gate',
  delta_rule: 'delta',
  deltanet: 'delta',
  gated_delta_rule: 'gatedDelta',
  gated_deltanet: 'gatedDelta',
  mamba: 'selective',
  mamba2: 'mamba',
  rwkv: 'rwkv',
  rwkv4: 'rwkv',
  hyena: 'hyena',
  sliding_window: 'window',
  identity: 'linear',
  taylor_compact: 'taylor',
  elu_plus_one: 'elu',
  relu: 'relu',
  squared_relu: 'squaredRelu',
  softmax_kernel: 'favor',
};

export const thingOf = (name: string): ThingId | undefined => OF_CORE[name];

export function lookOf(id: ThingId, dark: boolean): Look {
  const { color, mark, hollow = false }: Thing = things[id];
  return { color: seriesColors[dark ? 'dark' : 'light'][color] ?? '', mark, hollow };
}

/** Whether a line of this thing is dashed and has no marks (`Series.model`). */
export const isDashed = (id: ThingId): boolean => (things[id] as Thing).dashed ?? false;

export const nameOf: (id: ThingId) => string = byLanguage({
  en: (id: ThingId) => things[id].name.en,
  de: (id: ThingId) => things[id].name.de,
});
