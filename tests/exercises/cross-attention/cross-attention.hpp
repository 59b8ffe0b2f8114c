#pragma once
// Cross-attention
//
// In self-attention queries, keys and values come from one sequence. In cross-attention a sequence
// X asks (n tokens of width d_x) and another one, Y, answers (m tokens of width d_y): a translation
// reads its source this way. The queries are XW_q; the keys are YW_k and the values YW_v.
//
// Write cross_attention(X, Y, W_q, W_k, W_v, keep):
//
// softmax(((XW_q)(YW_k)ᵀ)/√d_k)YW_v
//
// The sequences of a batch are filled up to one length. keep has m entries, 1 for a token of Y and
// 0 for filling: no query may see filling. No causal mask belongs here, because the whole of Y is
// known. The first token of Y is never filling.
//
// Return two results: the output, n×d_v, and the weights, n×m.
//
// X: n×d_x, the sequence that asks
// Y: m×d_y, the sequence that answers
// W_q: d_x×d_k, makes queries
// W_k: d_y×d_k, makes keys
// W_v: d_y×d_v, makes values
// keep: m numbers, 1 for a token of Y, 0 for filling
// Returns output: n×d_v, what each token of X read from Y; weights: n×m, rows that sum to 1
//
// Try it: npm run exercise -- cross-attention

#include "exercise.hpp"

inline std::tuple<Array, Array> cross_attention(const Array& X, const Array& Y, const Array& W_q,
                                                const Array& W_k, const Array& W_v,
                                                const Array& keep) {
  throw NotWritten("cross_attention");
}
