/** What the tests use of trainings.mjs. */
export const markov: {
  readonly task: {
    readonly kind: 'markov';
    readonly vocabulary: number;
    readonly length: number;
    readonly seed: number;
    readonly sharpness: number;
  };
  readonly batch: number;
  readonly model: {
    readonly vocabulary: number;
    readonly length: number;
    readonly layers: number;
    readonly dModel: number;
    readonly feedForward: number;
    readonly mixers: readonly { readonly heads: number }[];
  };
};
