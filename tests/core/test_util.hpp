#pragma once
// Helpers that all suites share.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "../close.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "attn/base/tensor.hpp"

namespace attn::test {

/// Returns "" where a is `close` to b everywhere, or a sentence about the first entry that is not.
template <typename A, typename B>
std::string mismatch(const A& a, const B& b, double relative, double absolute) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) {
    return "shape " + shape_text(a.rows(), a.cols()) + " against " + shape_text(b.rows(), b.cols());
  }
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = 0; j < a.cols(); ++j) {
      const double x = static_cast<double>(a(i, j)), y = static_cast<double>(b(i, j));
      if (!close(x, y, relative, absolute)) {
        return "entry (" + std::to_string(i) + ", " + std::to_string(j) +
               "): " + std::to_string(x) + " against " + std::to_string(y);
      }
    }
  }
  return {};
}

#define CHECK_CLOSE(a, b, relative, absolute) \
  CHECK_EQ(attn::test::mismatch((a), (b), (relative), (absolute)), "")

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Tolerance for the rounding of sums of some hundred float32 products of size 1.
inline constexpr double kFloat = 2e-5;
/// The same tolerance in float64.
inline constexpr double kDouble = 1e-12;

template <typename T>
constexpr double tolerance() {
  return std::is_same_v<T, float> ? kFloat : kDouble;
}

template <typename T = float>
Matrix<T> random(Index rows, Index cols, std::uint64_t seed) {
  return Rng(seed, 77).gaussian_matrix<T>(rows, cols);
}

/// Central differences of `loss()`, which reads `x`, for every entry of x. Truncation is a sixth of
/// h² times the third derivative, 1e-11 where that is 1; rounding is 1e-16/h of the loss.
template <typename X, typename Loss>
X central_differences(X& x, Loss loss) {
  constexpr double kStep = 1e-5;
  X result(x.rows(), x.cols());
  for (Index i = 0; i < x.size(); ++i) {
    const double there = x.data()[i];
    x.data()[i] = there + kStep;
    const double up = loss();
    x.data()[i] = there - kStep;
    result.data()[i] = (up - loss()) / (2 * kStep);
    x.data()[i] = there;
  }
  return result;
}

/// The largest difference between the slopes along three random directions of length 1 and those
/// that `gradient` implies. Use it where there are too many entries for `slopes`.
template <typename X, typename Loss>
double worst_slope(const X& gradient, X& x, Loss loss) {
  constexpr double kStep = 1e-5;
  if (gradient.rows() != x.rows() || gradient.cols() != x.cols()) return INFINITY;
  if (x.size() == 0) return 0;
  double worst = 0;
  const X there = x;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const X way = random<double>(x.rows(), x.cols(), 900 + seed).normalized();
    x = there + kStep * way;
    const double up = loss();
    x = there - kStep * way;
    const double slope = (up - loss()) / (2 * kStep);
    worst = std::max(worst, std::abs(gradient.cwiseProduct(way).sum() - slope));
  }
  x = there;
  return worst;
}

/// Returns the error of the core that `call` throws; fails the test when there is none.
template <typename Call>
Error error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  FAIL("nothing was thrown");
  return ValueError("", phrase::none, phrase::none);
}

}  // namespace attn::test
