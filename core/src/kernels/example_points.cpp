#include "attn/kernels/example_points.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"

namespace attn {
namespace {

void require_data(Index n, Index least, double noise) {
  constexpr Index kMost = 10'000;
  if (n < least || n > kMost) {
    throw ValueError("n", phrase::number(n), phrase::range(least, kMost));
  }
  if (!(noise >= 0) || !std::isfinite(noise)) {
    throw ValueError("noise", phrase::number(noise), phrase::number_of_at_least(0));
  }
}

double value_at(LineFunction function, double x) {
  switch (function) {
    case LineFunction::kStep:
      return x < 0 ? -1 : 1;
    case LineFunction::kChirp:
      return std::sin(x + 0.6 * (x + 3) * (x + 3));
    case LineFunction::kNothing:
      return 0;
    case LineFunction::kSine:
      break;
  }
  return std::sin(2 * x);
}

}  // namespace

template <typename T>
LabelledPoints<T> plane_points(PlanePattern pattern, Index n, double noise, std::uint64_t seed) {
  require_data(n, 2, noise);
  Rng rng(seed);
  LabelledPoints<T> made{Matrix<T>(n, 2), Vector<T>(n)};
  for (Index i = 0; i < n; ++i) {
    const bool positive = i % 2 == 0;
    // Drawn for every pattern, so that each has the same noise.
    const double turn = rng.uniform(), dx = noise * rng.gaussian(), dy = noise * rng.gaussian();
    double x = 0, y = 0;
    switch (pattern) {
      case PlanePattern::kXor:
        x = turn < 0.5 ? 1 : -1;
        y = positive ? x : -x;
        break;
      case PlanePattern::kRings:
        x = (positive ? 0.6 : 1.5) * std::cos(2 * std::numbers::pi * turn);
        y = (positive ? 0.6 : 1.5) * std::sin(2 * std::numbers::pi * turn);
        break;
      case PlanePattern::kMoons:
        x = (positive ? -0.5 : 0.5) + std::cos(std::numbers::pi * turn) * (positive ? 1 : -1);
        y = (positive ? -0.25 : 0.25) + std::sin(std::numbers::pi * turn) * (positive ? 1 : -1);
        break;
      case PlanePattern::kBlobs:
        x = y = positive ? 0.8 : -0.8;
        break;
    }
    made.X(i, 0) = static_cast<T>(x + dx);
    made.X(i, 1) = static_cast<T>(y + dy);
    made.y(i) = positive ? T(1) : T(-1);
  }
  return made;
}

template <typename T>
Vector<T> line_function(LineFunction function, InVector<T> x) {
  Vector<T> made(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    made(i) = static_cast<T>(value_at(function, static_cast<double>(x(i))));
  }
  return made;
}

template <typename T>
LinePoints<T> line_points(LineFunction function, Index n, double noise, std::uint64_t seed) {
  require_data(n, 1, noise);
  Rng places(seed), errors(seed, 1);
  LinePoints<T> made{Matrix<T>(n, 1), Vector<T>(n)};
  for (Index i = 0; i < n; ++i) made.X(i, 0) = static_cast<T>(6 * places.uniform() - 3);
  std::sort(made.X.data(), made.X.data() + n);
  made.y = line_function<T>(function, made.X.col(0));
  for (Index i = 0; i < n; ++i) made.y(i) += static_cast<T>(noise * errors.gaussian());
  return made;
}

template <typename T>
Matrix<T> circle_points(InVector<T> angles) {
  require_finite<T>("angles", angles);
  Matrix<T> made(angles.size(), 2);
  const auto wide = angles.template cast<double>().array();
  made.col(0) = wide.cos().template cast<T>();
  made.col(1) = wide.sin().template cast<T>();
  return made;
}

template <typename T>
TwoSamples<T> two_samples(Index n, double shift, double spread, std::uint64_t seed) {
  require_data(n, 1, 0);
  if (!std::isfinite(shift))
    throw ValueError("shift", phrase::number(shift), phrase::finite_number);
  if (!(spread >= 0) || !std::isfinite(spread)) {
    throw ValueError("spread", phrase::number(spread), phrase::number_of_at_least(0));
  }
  Rng first(seed), second(seed, 1);
  TwoSamples<T> made{Matrix<T>(n, 1), Matrix<T>(n, 1)};
  for (Index i = 0; i < n; ++i) {
    made.X(i, 0) = static_cast<T>(first.gaussian() - shift / 2);
    made.Y(i, 0) = static_cast<T>(spread * second.gaussian() + shift / 2);
  }
  std::sort(made.X.data(), made.X.data() + n);
  std::sort(made.Y.data(), made.Y.data() + n);
  return made;
}

#define ATTN_INSTANTIATE(T)                                                               \
  template LabelledPoints<T> plane_points<T>(PlanePattern, Index, double, std::uint64_t); \
  template Vector<T> line_function<T>(LineFunction, InVector<T>);                         \
  template Matrix<T> circle_points<T>(InVector<T>);                                       \
  template TwoSamples<T> two_samples<T>(Index, double, double, std::uint64_t);            \
  template LinePoints<T> line_points<T>(LineFunction, Index, double, std::uint64_t);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
