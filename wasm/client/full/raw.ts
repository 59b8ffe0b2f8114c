import type { InputOf, RawCore } from '../raw';
import type { AttentionGradients, FullClient } from './types';

type Input<Name extends keyof FullClient> = InputOf<FullClient, Name>;

/** The full module as its glue exports it: everything of the core, and the rest. */
export interface RawFull extends RawCore {
  attentionBackward(input: Input<'attentionBackward'>): AttentionGradients;
}
