/** What the course's tutorial on kernels and feature maps says of these models, word for word: quoted, not measured. */
export const QUOTED = 'implicit long-range convolution kernels instead of explicit attention';

/** The models that it says it of. */
export const QUOTED_MODELS = ['hyena', 'rwkv4', 'mamba'] as const;
