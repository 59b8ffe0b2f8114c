#pragma once
// ELU + 1
//
// ELU(x) is x for x > 0 and e^x - 1 otherwise, never below -1. One more makes it positive: φ(x) =
// ELU(x) + 1, which is x + 1 for x > 0 and e^x otherwise.
//
// Write elu_feature_map(x). It takes a matrix and returns φ of every entry.
//
// Entries may be large. A branch that is not chosen must not spoil the result.
//
// x: n×d, queries or keys, one in each row
// Returns phi: n×d, φ(x), all entries positive
//
// Try it: npm run exercise -- elu-feature-map

#include "exercise.hpp"

inline Array elu_feature_map(const Array& x) {
  throw NotWritten("elu_feature_map");
}
