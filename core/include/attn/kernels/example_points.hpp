#pragma once
// Small data sets for kernel machines, from a seed.

#include <cstdint>

#include "attn/base/tensor.hpp"

namespace attn {

enum class PlanePattern {
  kXor,    ///< four clouds at (±1, ±1), opposite ones alike
  kRings,  ///< a ring of radius 0.6 in one of radius 1.5
  kMoons,  ///< two half circles, one reaching into the other
  kBlobs,  ///< two clouds that a line separates
};

template <typename T = float>
struct LabelledPoints {
  /// n×2
  Matrix<T> X;
  /// n labels, 1 and −1 in turns.
  Vector<T> y;
};

/// n points in the plane with Gaussian noise of that size added to each coordinate. O(n).
/// @throws ValueError unless 2 ≤ n ≤ 10 000 and noise is at least 0 and finite.
template <typename T = float>
LabelledPoints<T> plane_points(PlanePattern pattern, Index n, double noise, std::uint64_t seed);

enum class LineFunction {
  kSine,     ///< sin(2x)
  kStep,     ///< −1 below 0, 1 above: as unlike at one place as everywhere else it is alike
  kChirp,    ///< sin(x + 0.6·(x + 3)²): its length scale falls from left to right
  kNothing,  ///< 0: all that there is to see is noise
};

/// The function at each entry of x.
template <typename T = float>
Vector<T> line_function(LineFunction function, InVector<T> x);

template <typename T = float>
struct LinePoints {
  /// n×1, in [−3, 3], sorted.
  Matrix<T> X;
  /// n values with noise.
  Vector<T> y;
};

/// The points (cos x, sin x) of the unit circle, where all points have one length: N×2. O(N).
/// @throws ValueError where an angle is not finite.
template <typename T = float>
Matrix<T> circle_points(InVector<T> angles);

template <typename T = float>
struct TwoSamples {
  /// n×1 each, sorted.
  Matrix<T> X, Y;
};

/// n numbers from N(−shift/2, 1) and n from N(shift/2, spread²). O(n log n).
/// @throws ValueError unless 1 ≤ n ≤ 10 000, shift is finite and spread at least 0 and finite.
template <typename T = float>
TwoSamples<T> two_samples(Index n, double shift, double spread, std::uint64_t seed);

/// n noisy values of the function at uniform places. O(n log n).
/// @throws ValueError unless 1 ≤ n ≤ 10 000 and noise is at least 0 and finite.
template <typename T = float>
LinePoints<T> line_points(LineFunction function, Index n, double noise, std::uint64_t seed);

}  // namespace attn
