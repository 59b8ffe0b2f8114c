#pragma once
// The kernel of an infinitely wide network
//
// A network f(x) = 1/√m Σ_(j=1)^m a_j relu(w_j·x) has weights from N(0, 1). Its tangent kernel is
// Theta(x, y) = nablaf(x)·nablaf(y), with the gradient by all weights. For m → ∞ it no longer
// depends on the draw.
//
// With the angle θ between x and y, the weights a_j of the last layer give (‖x ‖‖y ‖)/2π (sin θ+
// (π- θ) cos θ), and the weights w_j give (π- θ)/2π x·y. The kernel is the sum of both.
//
// Write ntk_two_layer(X). It returns the kernel of every pair of rows.
//
// X: n×d, points, one in each row
// Returns theta: n×n, the kernel of every pair
//
// Try it: npm run exercise -- ntk-two-layer

#include "exercise.hpp"

inline Array ntk_two_layer(const Array& X) {
  throw NotWritten("ntk_two_layer");
}
