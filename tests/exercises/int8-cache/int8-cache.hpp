#pragma once
// A cache of small whole numbers
//
// A cache in int8 takes a quarter of the bytes. A number x becomes a code, a whole number from −127
// to 127, and is read back as code · scale. Write one step of attention over such a cache.
//
// The newest exact tokens stay as they are. Of the older ones, keys share a scale in each channel
// (column), because some channels of keys are large for all tokens; values share a scale in each
// token (row). A scale is the largest |x| of the numbers that share it, divided by 127; the code is
// x / scale, rounded to the nearest whole number. Where all of them are 0, scale and codes are 0.
//
// Then q attends to all tokens, the older ones as they are read back: scores q·k/√d_k, softmax
// (subtract the maximum), weighted mean of the values.
//
// Return the output, the codes and scales of the older keys, and the bytes of the whole cache: one
// for each code, four for each scale and for each number that stays exact. There is at least one
// older token.
//
// q: d_k numbers, the new token's query
// K: m×d_k, keys, oldest first
// V: m×d_v, values, oldest first
// exact: how many of the newest tokens stay as they are
// Returns output: d_v numbers, the new token's attention output; codes: (m−exact)×d_k, codes of
//   the older keys; scales: d_k numbers, a scale for each channel of the keys; bytes: bytes of the
//   cache
//
// Try it: npm run exercise -- int8-cache

#include "exercise.hpp"

inline std::tuple<Array, Array, Array, std::int64_t> int8_cache(const Array& q, const Array& K,
                                                                const Array& V,
                                                                std::int64_t exact) {
  throw NotWritten("int8_cache");
}
