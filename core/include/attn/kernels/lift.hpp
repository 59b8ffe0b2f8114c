#pragma once
// The standard first picture of a feature map: points of the plane lifted onto a paraboloid, where
// a plane separates what only a circle separates below.

#include <cstdint>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

template <typename T = float>
struct Rings {
  /// n×2; the first half of the rows is the inner ring.
  Matrix<T> points;
  /// −1 for the inner ring and 1 for the outer one.
  std::vector<double> labels;
};

/// Two rings around the origin, with radii 1 and 2 and Gaussian noise of standard deviation `noise`
/// in every coordinate, drawn from the seed. O(n).
/// @throws ValueError unless n is 2 … 2000 and noise 0 … 10.
template <typename T = float>
Rings<T> draw_rings(Index n, double noise, std::uint64_t seed);

/// The plane a·x + b·y + z = c over the lifted points.
struct LiftPlane {
  double a = 0, b = 0, c = 2.25;
};

template <typename T = float>
struct Lift {
  /// φ(x, y) = (x, y, x² + y²): n×3.
  Matrix<T> lifted;
  /// a·x + b·y + (x² + y²) − c: positive above the plane, which below is outside the circle.
  std::vector<double> sides;
  /// Where the plane meets the paraboloid, seen from above: the circle around (−a/2, −b/2) with
  /// radius² = c + (a² + b²)/4. The radius is NaN where the plane lies below the paraboloid.
  double center_x = 0, center_y = 0, radius = 0;
  /// φ(p)·φ(q) = p·q + ‖p‖²‖q‖² of all pairs: the largest difference between the product of the
  /// lifted points and the formula in the plane. Only rounding.
  double kernel_difference = 0;
};

/// Lifts the rows of X (n×2) and cuts them with a plane. O(n²).
/// @throws ShapeError unless X has two columns and 1 … 2000 rows; ValueError where an entry or a
/// number of the plane is not finite.
template <typename T = float>
Lift<T> lift_to_paraboloid(In<T> X, const LiftPlane& plane);

}  // namespace attn
