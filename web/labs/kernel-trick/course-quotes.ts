/** What the handout says, word for word. The page compares it with what the core counts. */
export const quoted = {
  /** Lab 02: The Kernel Trick, "For d=64 and n=4096". */
  counts: {
    source: 'Lab 02: The Kernel Trick',
    n: 4096,
    d: 64,
    standard: '1.07 billion ops',
    linear: '16.8 million ops',
    ratio: '64x',
  },
} as const;
