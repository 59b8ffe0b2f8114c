#pragma once
// One step with a KV cache
//
// A model that writes text makes one token at a time. The keys and values of earlier tokens never
// change, so they are kept in a cache: a step computes one row of causal attention instead of all.
//
// Write one step. The cache holds t keys and t values, oldest first; t may be 0. Append the new
// token's k and v behind them. Then let its query look at every key now in the cache, its own
// included:
//
// output = softmax((K q)/√d_k)ᵀ V
//
// with K of t + 1 rows and V likewise. Return the output and both grown caches. Scores may be as
// large as 1000: subtract their maximum before you take the exponential.
//
// q: d_k numbers, the new token's query
// k: d_k numbers, the new token's key
// v: d_v numbers, the new token's value
// K_cache: t×d_k, keys so far, oldest first
// V_cache: t×d_v, values so far, oldest first
// Returns output: d_v numbers, the new token's attention output; K_cache: (t+1)×d_k, keys with
//   the new one last; V_cache: (t+1)×d_v, values with the new one last
//
// Try it: npm run exercise -- kv-cache-step

#include "exercise.hpp"

inline std::tuple<Array, Array, Array> kv_cache_step(const Array& q, const Array& k, const Array& v,
                                                     const Array& K_cache, const Array& V_cache) {
  throw NotWritten("kv_cache_step");
}
