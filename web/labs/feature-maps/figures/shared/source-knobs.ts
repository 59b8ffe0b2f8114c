/** Knobs and captions of where Q, K and V come from. */
import { html, nothing } from 'lit';
import type { SliderOptions } from '../../../../src/lab/figure.ts';
import type { LabTools } from '../../../../src/lab/types.ts';
import { words as all } from '../words.ts';
import type { Source } from './source.ts';

const words = all.now.source;

/** The figure passes its own functions that render knobs, because it knows which knobs are hidden or locked. */
export const sourceKnobs = (
  source: Source['source'],
  slider: (name: 'n' | 'dK' | 'dV', options: SliderOptions) => unknown,
  choice: (
    name: 'source',
    options: { label: string; options: Readonly<Record<string, string>> },
  ) => unknown,
): unknown => html`${choice('source', { label: words.label, options: words.options })}
  ${
    source === 'gaussian'
      ? html`${slider('n', { symbol: 'n', label: words.n, log: true })}
        ${slider('dK', { symbol: 'd_k', label: words.dK, log: true })}
        ${slider('dV', { symbol: 'd_v', label: words.dV, log: true })}`
      : nothing
  }`;

/** For captions. */
export function sourceText(source: Source, draws: number, { data }: LabTools): string {
  const { n, dK, dV, seed } = source;
  return source.source === 'lab' && data
    ? `${data.caption}${data.causal ? `, ${words.causal}` : ''}`
    : `${words.gaussian(n, dK, dV)}, ${words.seeds(seed, draws)}`;
}
