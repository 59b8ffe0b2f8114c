#pragma once
// A cache with an end
//
// The course has a class AttentionCache(max_seq_len, …), and warns of its overflow with assert
// seq_len <= cache.max_seq_len. That tests the wrong length: a call of 10 tokens does not fit where
// 1020 of 1024 places are taken. Write what the cache does, for one head.
//
// The cache begins empty and has room for capacity tokens. calls says how many tokens each call
// brings; they are the next rows of Q, K and V. A call of 0 is a reset: the cache is empty again,
// and no row is used up.
//
// A call stores its keys and values behind those that are there. Then each of its queries attends
// to everything stored before the call and to the tokens of the call up to its own, none after it:
// scores q·k/√d_k, softmax (subtract the maximum), weighted mean of the values.
//
// If the tokens of a call do not all fit, the call is refused as a whole: nothing is stored, its
// rows of the output are zeros, and its rows of Q, K and V are used up. Return the output, and how
// many tokens the cache holds after each call.
//
// Q: n×d_k, the queries of all calls
// K: n×d_k, the keys of all calls
// V: n×d_v, the values of all calls
// calls: c numbers, tokens of each call, 0 for a reset
// capacity: how many tokens the cache has room for
// Returns output: n×d_v, zeros where a call was refused; lengths: c numbers, tokens in the cache
//   after each call
//
// Try it: npm run exercise -- kv-cache

#include "exercise.hpp"

inline std::tuple<Array, Array> kv_cache(const Array& Q, const Array& K, const Array& V,
                                         const Array& calls, std::int64_t capacity) {
  throw NotWritten("kv_cache");
}
