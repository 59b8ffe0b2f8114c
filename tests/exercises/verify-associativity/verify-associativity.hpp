#pragma once
// Are both orders equal?
//
// In exact arithmetic (QKᵀ)V = Q(KᵀV). A computer rounds after each step, so that two orders give
// two results. Measure how far they are apart.
//
// Write verify_associativity(Q, K, V). Compute S = (QKᵀ)V and L = Q(KᵀV) and return three named
// results: max_abs_difference, the largest |S - L|; max_rel_difference, the largest |S - L| / |L|
// among the entries with L ≠ 0 (0 if there are none); and equal: whether |S - L| ≤ 10⁻³ + 10⁻⁵ |L|
// in every entry.
//
// Why the 10⁻³? The course text asks for rtol=1e-5 alone. In float32 that fails for n = 100, d = 64
// with every seed we tried, though nothing is wrong: where an entry nearly cancels, a small
// difference is large relative to it.
//
// Q: n×d, queries
// K: m×d, keys
// V: m×d_v, values
// Returns report: named numbers, max_abs_difference, max_rel_difference and equal
//
// Try it: npm run exercise -- verify-associativity

#include "exercise.hpp"

inline std::map<std::string, double> verify_associativity(const Array& Q, const Array& K,
                                                          const Array& V) {
  throw NotWritten("verify_associativity");
}
