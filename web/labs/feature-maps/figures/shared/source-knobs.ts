/** Knobs and captions of where Q, K and V come from. */
import { choice, type Knob, seedKnob, slider } from '../../../../src/lab/figure/knob.ts';
import type { LabTools } from '../../../../src/lab/types.ts';
import { words as all } from '../words.ts';
import type { Source } from './source.ts';

const words = all.now.source;

export function sourceKnobs(
  source: Source['source'],
): readonly Knob<'source' | 'n' | 'dK' | 'dV' | 'seed'>[] {
  const gaussian = { when: source === 'gaussian' };
  return [
    choice('source', { label: words.label, options: words.options }),
    slider('n', { symbol: 'n', label: words.n, log: true }, gaussian),
    slider('dK', { symbol: 'd_k', label: words.dK, log: true }, gaussian),
    slider('dV', { symbol: 'd_v', label: words.dV, log: true }, gaussian),
    seedKnob('seed', gaussian),
  ];
}

/** For captions. */
export function sourceText(source: Source, draws: number, { data }: LabTools): string {
  const { n, dK, dV, seed } = source;
  return source.source === 'lab' && data
    ? `${data.caption}${data.causal ? `, ${words.causal}` : ''}`
    : `${words.gaussian(n, dK, dV)}, ${words.seeds(seed, draws)}`;
}
