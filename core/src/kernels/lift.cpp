#include "attn/kernels/lift.hpp"

#include <algorithm>
#include <cmath>

#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "attn/kernels/phrases.hpp"
#include "base/product.hpp"
#include "base/streams.hpp"

namespace attn {
namespace {

constexpr Index kMostLifted = 2000;

}  // namespace

template <typename T>
Rings<T> draw_rings(Index n, double noise, std::uint64_t seed) {
  if (n < 2 || n > kMostLifted) {
    throw ValueError("n", phrase::number(n), phrase::range(2, kMostLifted));
  }
  if (!(noise >= 0 && noise <= 10)) {
    throw ValueError("noise", phrase::number(noise), phrase::number_from_to(0, 10));
  }
  Rng rng(seed, internal::kDrawStream);
  Rings<T> rings;
  rings.points.resize(n, 2);
  for (Index i = 0; i < n; ++i) {
    const bool outer = i >= n / 2;
    // The direction of a Gaussian vector is uniform.
    const double x = rng.gaussian(), y = rng.gaussian(), length = std::hypot(x, y);
    const double radius = (outer ? 2.0 : 1.0) / std::max(length, 1e-300);
    rings.points(i, 0) = static_cast<T>(radius * x + noise * rng.gaussian());
    rings.points(i, 1) = static_cast<T>(radius * y + noise * rng.gaussian());
    rings.labels.push_back(outer ? 1 : -1);
  }
  return rings;
}

template <typename T>
Lift<T> lift_to_paraboloid(In<T> X, const LiftPlane& plane) {
  if (X.rows() < 1 || X.rows() > kMostLifted || X.cols() != 2) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::points_of_plane(kMostLifted));
  }
  require_finite<T>("X", X);
  for (const auto& [name, value] :
       {std::pair{"a", plane.a}, std::pair{"b", plane.b}, std::pair{"c", plane.c}}) {
    if (!std::isfinite(value)) {
      throw ValueError(name, phrase::number(value), phrase::finite_number);
    }
  }
  Lift<T> lift;
  lift.lifted.resize(X.rows(), 3);
  lift.lifted << X, X.rowwise().squaredNorm();
  for (Index i = 0; i < X.rows(); ++i) {
    const auto p = lift.lifted.row(i).template cast<double>();
    lift.sides.push_back(plane.a * p(0) + plane.b * p(1) + p(2) - plane.c);
  }
  lift.center_x = -plane.a / 2;
  lift.center_y = -plane.b / 2;
  // The root of a negative number is NaN: the plane misses the paraboloid.
  lift.radius = std::sqrt(plane.c + (plane.a * plane.a + plane.b * plane.b) / 4);
  const Matrix<T> products = internal::product_nt<T>(lift.lifted, lift.lifted);
  const Matrix<T> heights = lift.lifted.col(2);
  const Matrix<T> formula =
      internal::product_nt<T>(X, X) + internal::product_nt<T>(heights, heights);
  lift.kernel_difference = static_cast<double>((products - formula).cwiseAbs().maxCoeff());
  return lift;
}

#define ATTN_INSTANTIATE(T)                                      \
  template Rings<T> draw_rings<T>(Index, double, std::uint64_t); \
  template Lift<T> lift_to_paraboloid<T>(In<T>, const LiftPlane&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
