#pragma once
// Keys and values in eight bits
//
// A cache of keys and values takes a quarter of the memory when every number is one byte in place
// of four. Symmetric int8 keeps a scale s for each group of numbers and, for each number, the whole
// number nearest to x/s.
//
// Write quantize_int8(x, per_channel). x has a token in each row and a channel in each column. If
// per_channel is false, a group is one token (a row); if it is true, a group is one channel (a
// column).
//
// The scale of a group is s = max |x|/127 over the group, so that its largest number becomes 127 or
// −127. A group of zeros has the scale 0 and the codes 0.
//
// Return three results: the codes, n×d; the scales, one for each group; and what the codes stand
// for, code times scale, n×d.
//
// x: n×d, keys or values, a token in each row
// per_channel: whether columns share a scale, not rows
// Returns codes: n×d, whole numbers, −127 to 127; scales: n or d numbers, one for each group;
//   restored: n×d, code times scale
//
// Try it: npm run exercise -- quantize-int8

#include "exercise.hpp"

inline std::tuple<Array, Array, Array> quantize_int8(const Array& x, bool per_channel = false) {
  throw NotWritten("quantize_int8");
}
