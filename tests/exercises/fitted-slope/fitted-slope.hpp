#pragma once
// Fit the exponent of a cost
//
// If a cost is c·n^p, then log cost = log c + p log n: over logarithms it is a straight line, and
// its slope is the exponent p.
//
// Write fitted_slope(n, cost). With x_i = log n_i and y_i = log cost_i it returns the slope of the
// least-squares line:
//
// p = (Σ_i (x_i-x̄)(y_i-ȳ))/(Σ_i (x_i-x̄)²)
//
// All numbers are positive, and there are at least three points. The points do not lie on a line
// exactly, so every one of them counts, not only the first and the last.
//
// n: p numbers, lengths
// cost: p numbers, what each length took
// Returns slope: the exponent
//
// Try it: npm run exercise -- fitted-slope

#include "exercise.hpp"

inline double fitted_slope(const Array& n, const Array& cost) {
  throw NotWritten("fitted_slope");
}
