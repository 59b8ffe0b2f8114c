#pragma once
// Do gradients vanish without the factor?
//
// It is often said that without 1/√d_k the gradients vanish. Whether that is true depends on what
// one measures. Write gradient_quantiles(Q, K, V, dO, scale), which measures how strongly each
// query learns.
//
// Compute dQ, the gradient of the queries, as in the exercise on attention backwards. If scale is
// false, the factor 1/√d_k is missing throughout: in the scores, and so in the gradient too.
//
// Take the norm ‖dq_i‖_2 of each row of dQ and return a dict (in JavaScript an object, in C++ a
// map) of four numbers: mean, their mean, and their quantiles tenth (0.1), median (0.5) and
// ninetieth (0.9).
//
// The quantile p of n numbers in rising order stands at place p(n-1), counted from 0; between two
// places it is interpolated linearly, as np.quantile does. Scores may be as large as 1000.
//
// Q: n×d_k, queries
// K: m×d_k, keys
// V: m×d_v, values
// dO: n×d_v, the gradient of the output
// scale: whether scores are divided by √d_k
// Returns norms: named numbers, mean, tenth, median, ninetieth of the norms of dQ’s rows
//
// Try it: npm run exercise -- gradient-quantiles

#include "exercise.hpp"

inline std::map<std::string, double> gradient_quantiles(const Array& Q, const Array& K,
                                                        const Array& V, const Array& dO,
                                                        bool scale = true) {
  throw NotWritten("gradient_quantiles");
}
