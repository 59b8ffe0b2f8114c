/** What the course's text on attention mechanisms says, word for word: quoted, not measured. */
export const QUOTED = {
  masked: 'scores = scores.masked_fill(mask == 0, -1e9)  # Use -1e9 instead of -inf',
  cache: 'assert seq_len <= cache.max_seq_len, "Sequence too long for cache"',
  heads: 'Syntactic Heads: Focus on grammatical relationships',
} as const;

/** The number in it that stands for −∞. */
export const QUOTED_MASK = -1e9;
