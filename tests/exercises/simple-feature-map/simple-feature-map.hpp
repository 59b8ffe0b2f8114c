#pragma once
// The simplest feature map
//
// A feature map φ says how alike a query and a key are: φ(q)·φ(k). The simplest one leaves a vector
// as it is, φ(x) = x, so that the similarity is the plain inner product q·k.
//
// Write simple_feature_map(x). It takes a matrix, one vector in each row, and returns a matrix of
// the same shape with the same entries.
//
// It is no substitute for softmax: q·k can be negative, and weights made of it need not lie between
// 0 and 1. It is the map for which both orders of multiplying give the same numbers as plain QKᵀV.
//
// x: n×d, queries or keys, one in each row
// Returns phi: n×d, φ(x)
//
// Try it: npm run exercise -- simple-feature-map

#include "exercise.hpp"

inline Array simple_feature_map(const Array& x) {
  throw NotWritten("simple_feature_map");
}
