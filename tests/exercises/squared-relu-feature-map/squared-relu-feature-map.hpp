#pragma once
// Squared ReLU
//
// φ(x) = max(0, x)², entry by entry. At 0 it starts with slope 0, so that its derivative has no
// jump, and large entries count for more than in ReLU.
//
// Write squared_relu_feature_map(x). It takes a matrix and returns one of the same shape.
//
// The course text calls it always positive. It is not: wherever ReLU is 0, so is its square.
//
// x: n×d, queries or keys, one in each row
// Returns phi: n×d, φ(x), no entry negative
//
// Try it: npm run exercise -- squared-relu-feature-map

#include "exercise.hpp"

inline Array squared_relu_feature_map(const Array& x) {
  throw NotWritten("squared_relu_feature_map");
}
