#pragma once
// ReLU as a feature map
//
// φ(x) = max(0, x), entry by entry: what is positive stays, the rest becomes 0.
//
// Write relu_feature_map(x). It takes a matrix and returns one of the same shape.
//
// The similarity φ(q)·φ(k) counts only coordinates in which both are positive. With d random
// coordinates it is exactly 0 with probability (3/4)^d: about one pair in three for d = 4. A query
// that misses every key has nothing to divide by.
//
// x: n×d, queries or keys, one in each row
// Returns phi: n×d, φ(x), no entry negative
//
// Try it: npm run exercise -- relu-feature-map

#include "exercise.hpp"

inline Array relu_feature_map(const Array& x) {
  throw NotWritten("relu_feature_map");
}
