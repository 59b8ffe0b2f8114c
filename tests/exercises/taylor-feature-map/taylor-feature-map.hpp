#pragma once
// The Taylor feature map
//
// Softmax attention weighs keys by e^s with s = q·k / √d. Based replaces e^s by its Taylor
// polynomial of order 2, because that is an inner product of finitely many features:
//
// φ(q)·φ(k) = 1 + s + s²/2
//
// Write φ for the rows x of a matrix. It has 1 + d + d² features, in this order: a constant 1; the
// entries of u = x / d^(1/4); and all products u_i u_j / √2, the one of (i, j) at place 1 + d + i d
// + j.
//
// Why it works: the products of entries of u in queries and keys sum to s, because d^(1/4) divides
// on both sides; and the products of pairs sum to s², as (Σ_i a_i)² = Σ_(i,j) a_i a_j. Nothing is
// random here, and the same map serves queries and keys.
//
// x: n×d, queries or keys
// Returns features: n×(1 + d + d²), φ of each row
//
// Try it: npm run exercise -- taylor-feature-map

#include "exercise.hpp"

inline Array taylor_feature_map(const Array& x) {
  throw NotWritten("taylor_feature_map");
}
