#pragma once
// Sinks that stay
//
// Trained models put much weight on the first tokens of a text, whatever these say; with a plain
// window such a model breaks down as soon as they leave. StreamingLLM keeps them: the first tokens,
// the sinks, are never evicted.
//
// Stream the text token by token. The cache holds at most sinks + window tokens. A new token is
// stored; if there is one too many then, the oldest token that is no sink is evicted. Then the
// query of the new token attends to everything in the cache, itself included.
//
// The score of a key is q·k/√d_k - m δ with m = slope: the further away, the lower. The distance δ
// is counted in the cache, from place to place: the newest token has 0, the one stored before it 1,
// and so on to the sinks, so that no distance is larger than those the model was trained with.
// Softmax (subtract the maximum), weighted mean of the values.
//
// Return the output, and the places in the text of the tokens that the cache holds at the end,
// oldest first. sinks may be 0, window is at least 1. The work must grow with n, not with n².
//
// Q: n×d_k, queries
// K: n×d_k, keys
// V: n×d_v, values
// sinks: how many tokens from the start stay
// window: how many others are kept
// slope: what a step of distance takes from a score
// Returns output: n×d_v, one row for each token; kept: c numbers, places in the text, oldest
//   first
//
// Try it: npm run exercise -- sink-cache

#include "exercise.hpp"

inline std::tuple<Array, Array> sink_cache(const Array& Q, const Array& K, const Array& V,
                                           std::int64_t sinks, std::int64_t window, double slope) {
  throw NotWritten("sink_cache");
}
