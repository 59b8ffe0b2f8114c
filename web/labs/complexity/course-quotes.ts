/**
 * What the course's handout of the lab on the kernel trick says, word for word where it is words.
 * Claims to be compared with, never results of ours.
 */
export const quoted = {
  source: 'Lab 02, The Kernel Trick, “The Math in Detail”',
  n: 4096,
  d: 64,
  standard: { text: '4096² × 64 = 1.07 billion ops', operations: 1.07e9 },
  linear: { text: '4096 × 64² = 16.8 million ops', operations: 16.8e6 },
  speedup: { text: 'Speedup: 64x!', times: 64 },
} as const;
