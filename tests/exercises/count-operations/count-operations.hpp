#pragma once
// Count the multiply-adds of both orders
//
// The product of an a×b and a b×c matrix has a·c entries, each a sum of b products: it takes a·b·c
// multiply-adds.
//
// Let Q and K be n×d and V be n×d_v. Write count_operations(n, d, d_v). It returns two numbers: the
// multiply-adds of (QKᵀ)V, the standard order, and those of Q(KᵀV), the linear order. Each order
// has two products; count both. No softmax, no feature map, no normaliser.
//
// A multiply-add counts once here. (Counted as FLOPs it would be two.) Do not make the matrices:
// for n = 10⁶ they would not fit.
//
// n: tokens: rows of Q, K and V
// d: columns of Q and K
// d_v: columns of V
// Returns standard: multiply-adds of (QKᵀ)V; linear: multiply-adds of Q(KᵀV)
//
// Try it: npm run exercise -- count-operations

#include "exercise.hpp"

inline std::tuple<double, double> count_operations(std::int64_t n, std::int64_t d,
                                                   std::int64_t d_v) {
  throw NotWritten("count_operations");
}
