#pragma once
// FlashAttention: tiles of queries and keys
//
// FlashAttention cuts the n×m scores into tiles of query_tile rows and key_tile columns, because a
// tile fits into fast memory and the whole does not. The last tile of a row or a column may be
// smaller. For each tile of queries it walks over the tiles of keys from the first to the last,
// with the running maximum, sum and weighted values of the online softmax; at the end it divides,
// once.
//
// Write flash_attention(Q, K, V, query_tile, key_tile, causal). The scores are QKᵀ/√d_k. If causal
// is true (n=m then), query i sees key j only if j ≤ i. A tile of which no query sees any key is
// not computed at all: it is skipped. In a tile that the diagonal crosses, the hidden scores are
// -∞.
//
// Return three results: the output (n×d_v), the logarithm of each query’s sum ln Σ_j e^(s_ij) over
// the keys that it sees (n numbers), and how many tiles were computed.
//
// No array may be larger than a tile, an input or the output, and so grow with n times key_tile or
// with n×m. Scores may be as large as 1000.
//
// Q: n×d_k, queries
// K: m×d_k, keys
// V: m×d_v, values
// query_tile: queries in a tile, at least 1
// key_tile: keys in a tile, at least 1
// causal: whether a query sees no later key
// Returns output: n×d_v, attention output; logsumexp: n numbers, ln Σ exp(score) of each query;
//   tiles: the number of tiles that were computed
//
// Try it: npm run exercise -- flash-attention

#include "exercise.hpp"

inline std::tuple<Array, Array, std::int64_t> flash_attention(const Array& Q, const Array& K,
                                                              const Array& V,
                                                              std::int64_t query_tile,
                                                              std::int64_t key_tile,
                                                              bool causal = true) {
  throw NotWritten("flash_attention");
}
