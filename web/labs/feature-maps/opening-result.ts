/** What the first figure shows, in words and scales: its answer, captions, titles. */
import type { CompareOptions, Comparison, FeatureMapInfo, OrKept } from '#client';
import type { Shown as AnyShown } from '../../src/lab/figure/figure.ts';
import { differenceScale, sharedScale } from '../../src/plot/color.ts';
import { formatTick } from '../../src/plot/format.ts';
import { strings } from '../../src/strings/index.ts';
import type { LabState } from './link-state.ts';

export type Picture = 'softmax' | 'implicit' | 'difference';
export const PICTURES: readonly Picture[] = ['softmax', 'implicit', 'difference'];

/** The answer, and what was asked. */
export interface Result {
  readonly input: OrKept<CompareOptions>;
  /** The names of the rows, and those of the columns. */
  readonly tokens: readonly string[] | undefined;
  readonly keys: readonly string[] | undefined;
  readonly comparison: Comparison;
  readonly map: FeatureMapInfo;
}

export type Shown = AnyShown<LabState, Result>;

interface Size {
  readonly rows: number;
  readonly cols: number;
}

export const titleOf = (picture: Picture): string => {
  const {
    softmaxTitle: softmax,
    implicitTitle: implicit,
    differenceTitle: difference,
  } = strings.lab;
  return { softmax, implicit, difference }[picture];
};

export function subtitleOf(picture: Picture, shown: Shown | undefined): string {
  const { lab } = strings;
  if (picture === 'softmax') return lab.softmaxSub;
  if (picture === 'difference') return lab.differenceSub;
  if (!shown) return '';
  const { map, comparison } = shown.result;
  return lab.implicitSub(map.label, comparison.featureDimension);
}

function inputText({ values, result: { input } }: Shown): string {
  const words = strings.lab.caption;
  const { q, k, v } = input;
  const size = ({ rows, cols }: Size): string => strings.shape(rows, cols);
  if (values.input === 'own') return words.own(size(q), size(k), size(v));
  const what = values.input === 'text' ? words.text(q.rows) : words.gaussian(q.rows);
  return [what, words.dK(q.cols), words.dV(v.cols)].join(', ');
}

/** What the data is, for the captions of figures that use it too. */
export function dataText(shown: Shown): string {
  const { input, seed } = shown.values;
  const text = inputText(shown);
  return input === 'own' ? text : `${text}, ${strings.lab.caption.seed(seed)}`;
}

/** Every parameter of the pictures, including the seed. */
export function captionOf(shown: Shown): string {
  const { values, result } = shown;
  const { comparison, input, map } = result;
  const words = strings.lab.caption;
  const { rows, cols } = comparison.softmax;
  const own = values.input === 'own';
  const parameters = map.parameters
    .map(({ name, label }) => `${label} ${formatTick(input.featureMap.parameters?.[name] ?? 0)}`)
    .join(', ');
  const parts = [
    inputText(shown),
    own ? words.shape(rows, cols) : '',
    own && !map.random ? '' : words.seed(values.seed),
    words.map(map.label, parameters),
    words.dimension(comparison.featureDimension),
    words.scaled(formatTick(comparison.scale)),
    values.causal ? words.causal : words.full,
    values.sqrt ? words.sqrt : '',
  ];
  return `${parts.filter((part) => part !== '').join(', ')}.`;
}

export interface Scales {
  readonly weights: ReturnType<typeof sharedScale>;
  readonly difference: ReturnType<typeof differenceScale>;
}

/** @param brighten whether the colour follows the square root */
export function scalesOf(comparison: Comparison, brighten: boolean): Scales {
  const { softmaxRange, implicitRange, maxDifference } = comparison;
  const tone = brighten ? 'sqrt' : 'linear';
  return {
    weights: sharedScale([softmaxRange, implicitRange], tone),
    difference: differenceScale(maxDifference, tone),
  };
}

/** The same object as long as nothing changed, so that nothing is drawn again. */
export function steadyScales(): typeof scalesOf {
  let last:
    | { readonly of: Comparison; readonly brighten: boolean; readonly scales: Scales }
    | undefined;
  return (of, brighten) => {
    if (last?.of !== of || last.brighten !== brighten) {
      last = { of, brighten, scales: scalesOf(of, brighten) };
    }
    return last.scales;
  };
}

/** The entries of all matrices of an answer. */
export const entriesOf = (comparison: Comparison): number => {
  const { softmax, implicit, difference, softmaxOutput, implicitOutput } = comparison;
  return [softmax, implicit, difference, softmaxOutput, implicitOutput].reduce(
    (sum, { data }) => sum + data.length,
    0,
  );
};

type Names = readonly string[] | undefined;

/** The names of queries and keys as the columns of a table. Those of own matrices may differ. */
export const namesTable = (tokens: Names = [], keys: Names = []) => {
  if (tokens === keys || tokens.length === 0) {
    return { columns: tokens.length > 0 ? ['token'] : [], rows: tokens.map((token) => [token]) };
  }
  const longer = tokens.length > keys.length ? tokens : keys;
  return {
    columns: ['query', 'key'],
    rows: longer.map((_, i) => [tokens[i] ?? null, keys[i] ?? null]),
  };
};
