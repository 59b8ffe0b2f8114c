/**
 * What the course's handout of the lab on the kernel trick says, word for word.
 * Claims to be compared with, never results of ours.
 */
export const quoted = {
  source: 'Lab 02, The Kernel Trick',
  heading: 'The Math in Detail',
  n: 4096,
  d: 64,
  standard: { text: '4096² × 64 = 1.07 billion ops', operations: 1.07e9 },
  linear: { text: '4096 × 64² = 16.8 million ops', operations: 16.8e6 },
  speedup: { text: 'Speedup: 64x!', times: 64 },
} as const;

/** What the handout of day 42 says about memory; it names neither heads nor batch. */
export const quotedMemory = {
  source: 'Day 42, Attention Mechanisms Deep Dive',
  heading: 'Memory Usage by Sequence Length',
  window: 256,
  rows: {
    512: { standard: '~1GB', local: '~0.5GB' },
    1024: { standard: '~4GB', local: '~1GB' },
    2048: { standard: '~16GB', local: '~2GB' },
    4096: { standard: '~64GB', local: '~4GB' },
  },
} as const;
