#pragma once
// Measure what lies between
//
// Each order of multiplying makes one matrix between the inputs and the output. (QKᵀ)V makes the
// scores QKᵀ; Q(KᵀV) makes KᵀV.
//
// Let Q and K be n×d and V be n×d_v, every number of a matrix taking bytes_per_number bytes. Write
// memory_of_orders(n, d, d_v, bytes_per_number). It returns two numbers: the bytes of QKᵀ and the
// bytes of KᵀV.
//
// Count only this one matrix of each order: not the inputs, not the output. Return bytes, not KiB
// or MiB.
//
// n: tokens: rows of Q, K and V
// d: columns of Q and K
// d_v: columns of V
// bytes_per_number: 4 for float32, 2 for float16
// Returns standard: bytes of QKᵀ; linear: bytes of KᵀV
//
// Try it: npm run exercise -- memory-of-orders

#include "exercise.hpp"

inline std::tuple<double, double> memory_of_orders(std::int64_t n, std::int64_t d, std::int64_t d_v,
                                                   std::int64_t bytes_per_number) {
  throw NotWritten("memory_of_orders");
}
