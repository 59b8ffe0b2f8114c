#pragma once
// Find the crossover
//
// A feature map φ turns the d columns of Q and K into D. Then φ(Q) and φ(K) are n×D, and V is
// n×d_v.
//
// The standard order still works on Q and K themselves: n² d + n² d_v multiply-adds. The linear
// order works on the features: 2 n D d_v. (The normaliser and the feature map itself are left out.)
//
// Write crossover(d, d_v, D): the length n* at which both take the same. It need not be a whole
// number; do not round it.
//
// d: columns of Q and K
// d_v: columns of V
// D: features of φ
// Returns n_star: the length at which both cost the same
//
// Try it: npm run exercise -- crossover

#include "exercise.hpp"

inline double crossover(std::int64_t d, std::int64_t d_v, std::int64_t D) {
  throw NotWritten("crossover");
}
