#include "attn/analysis/singular_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "attn/analysis/phrases.hpp"
#include "attn/base/errors.hpp"

namespace attn {
namespace {

/// Turns v into the Householder vector that maps it to (alpha, 0, …), so that I − v·vᵀ is the
/// reflection. Returns alpha.
template <typename Strip>
double reflect(Strip v) {
  const double norm = v.norm();
  if (norm == 0) return 0;
  // This sign avoids cancellation in v(0) − alpha.
  const double alpha = v(0) > 0 ? -norm : norm;
  v(0) -= alpha;
  v *= std::sqrt(2.0) / v.norm();
  return alpha;
}

/// The diagonal and the superdiagonal of a bidiagonal matrix with the singular values of A, one
/// after the other: d_1, e_1, d_2, e_2, …, d_k. A has at least as many rows as columns.
std::vector<double> bidiagonal(Matrix<double>& A) {
  const Index n = A.rows(), k = A.cols();
  std::vector<double> band;
  Vector<double> column, sums;
  for (Index j = 0; j < k; ++j) {
    const Index right = k - j - 1;
    column = A.col(j).tail(n - j);
    band.push_back(reflect(column.tail(n - j)));
    auto rest = A.bottomRightCorner(n - j, right);
    sums = Vector<double>::Zero(right);
    for (Index i = 0; i < n - j; ++i) sums += column(i) * rest.row(i).transpose();
    rest.row(0) -= column(0) * sums.transpose();
    if (right == 0) break;
    auto row = rest.row(0);
    band.push_back(reflect(row));
    // Both reflections are applied to a row while it is in the cache.
    for (Index i = 1; i < n - j; ++i) {
      auto below = rest.row(i);
      below -= column(i) * sums.transpose();
      below -= below.dot(row) * row;
    }
  }
  return band;
}

/// The number of bisections that run side by side, because each division waits for the one before
/// it.
constexpr Index kSide = 4;
using Several = std::array<double, kSide>;

/// How many singular values are below x > 0, for each x: the symmetric matrix with a zero diagonal
/// and `band` beside it has the eigenvalues ±σ, and Sturm's sequence counts those below x.
std::array<Index, kSide> count_below(const std::vector<double>& band, const Several& x) {
  constexpr double kSmallest = std::numeric_limits<double>::min();
  Several pivot;
  std::array<Index, kSide> count;
  for (std::size_t s = 0; s < kSide; ++s) {
    pivot[s] = -x[s];
    count[s] = 1 - static_cast<Index>(band.size() + 1) / 2;
  }
  for (const double b : band) {
    for (std::size_t s = 0; s < kSide; ++s) {
      pivot[s] = -x[s] - b * b / pivot[s];
      if (std::abs(pivot[s]) < kSmallest) pivot[s] = -kSmallest;
      count[s] += pivot[s] < 0;
    }
  }
  return count;
}

}  // namespace

template <typename T>
std::vector<double> singular_values(In<T> x) {
  require_finite<T>("x", x);
  const Index k = std::min(x.rows(), x.cols());
  std::vector<double> values(static_cast<std::size_t>(k));
  if (k == 0) return values;
  Matrix<double> A = x.template cast<double>();
  if (A.rows() < A.cols()) A = A.transpose().eval();
  const double unit = A.cwiseAbs().maxCoeff();
  if (unit == 0) return values;
  // Squares of huge or tiny entries would overflow or underflow.
  A /= unit;
  const std::vector<double> band = bidiagonal(A);

  double bound = 0;
  for (std::size_t i = 0; i < band.size(); ++i) {
    bound = std::max(bound, std::abs(band[i]) + (i > 0 ? std::abs(band[i - 1]) : 0));
  }
  const double width = std::numeric_limits<double>::epsilon() * bound;
  for (Index first = 0; first < k; first += kSide) {
    Several low{}, high, middle;
    high.fill(bound + width);
    // All intervals have one width, so halving ends all of them at once.
    while (high[0] - low[0] > width) {
      for (std::size_t s = 0; s < kSide; ++s) middle[s] = low[s] + (high[s] - low[s]) / 2;
      const auto below = count_below(band, middle);
      for (std::size_t s = 0; s < kSide; ++s) {
        // The i-th largest value is the last x with at most k − 1 − i values below it.
        const Index i = first + static_cast<Index>(s);
        if (below[s] <= k - 1 - i) {
          low[s] = middle[s];
        } else {
          high[s] = middle[s];
        }
      }
    }
    for (std::size_t s = 0; s < kSide && first + static_cast<Index>(s) < k; ++s) {
      // A value within the rounding of the whole matrix cannot be distinguished from 0.
      const double value = low[s] > 0 ? unit * (low[s] + (high[s] - low[s]) / 2) : 0;
      values[static_cast<std::size_t>(first) + s] = value;
    }
  }
  return values;
}

Index numerical_rank(const std::vector<double>& values, double tolerance) {
  if (!(tolerance >= 0 && tolerance < 1)) {
    throw ValueError("tolerance", phrase::number(tolerance), phrase::number_from_to_below(0, 1));
  }
  Index rank = 0;
  for (const double value : values) rank += value > tolerance * values.front();
  return rank;
}

template <typename T>
double rank_tolerance(Index n, Index m) {
  return static_cast<double>(std::max(n, m)) *
         static_cast<double>(std::numeric_limits<T>::epsilon());
}

template <typename T>
Index numerical_rank(In<T> x, std::optional<double> tolerance) {
  return numerical_rank(singular_values<T>(x),
                        tolerance.value_or(rank_tolerance<T>(x.rows(), x.cols())));
}

template <typename T>
std::vector<double> symmetric_eigenvalues(In<T> x) {
  const Index n = x.rows();
  if (n < 1 || x.cols() != n) {
    throw ShapeError("x", phrase::shape(n, x.cols()), phrase::square);
  }
  if (n > kMaxEigenvalueRows) {
    throw CapacityError("x", phrase::shape(n, n), phrase::at_most_rows(kMaxEigenvalueRows));
  }
  require_finite<T>("x", x);
  const Matrix<double> given = x.template cast<double>();
  const double unit = given.cwiseAbs().maxCoeff();
  std::vector<double> values(static_cast<std::size_t>(n));
  if (unit == 0) return values;
  const double skew = (given - given.transpose()).cwiseAbs().maxCoeff();
  if (!(skew <= kSymmetry * unit)) {
    throw ValueError("x", phrase::asymmetry(skew), phrase::symmetric);
  }
  Matrix<double> A = (given + given.transpose()) / (2 * unit);
  Vector<double> beside = Vector<double>::Zero(n);
  for (Index j = 0; j + 1 < n; ++j) {
    const Index size = n - j - 1;
    Vector<double> v = A.col(j).tail(size);
    beside(j) = size > 1 ? reflect(v.tail(size)) : v(0);
    if (size == 1) break;
    auto rest = A.bottomRightCorner(size, size);
    // (I − v·vᵀ)·A·(I − v·vᵀ) = A − v·wᵀ − w·vᵀ.
    Vector<double> w = rest * v;
    w -= 0.5 * w.dot(v) * v;
    for (Index i = 0; i < size; ++i) rest.row(i) -= v(i) * w.transpose() + w(i) * v.transpose();
  }
  // Gershgorin's circles contain all eigenvalues.
  double bound = 0;
  for (Index i = 0; i < n; ++i) {
    const double before = i > 0 ? std::abs(beside(i - 1)) : 0;
    bound = std::max(bound, std::abs(A(i, i)) + std::abs(beside(i)) + before);
  }
  const double width = std::numeric_limits<double>::epsilon() * bound;
  const auto below = [&](double at) {
    constexpr double kSmallest = std::numeric_limits<double>::min();
    Index count = 0;
    double pivot = 1;
    for (Index i = 0; i < n; ++i) {
      const double before = i > 0 ? beside(i - 1) : 0;
      pivot = A(i, i) - at - before * before / pivot;
      if (std::abs(pivot) < kSmallest) pivot = -kSmallest;
      count += pivot < 0;
    }
    return count;
  };
  double top = bound + width;
  for (Index i = 0; i < n; ++i) {
    double low = -bound - width, high = top;
    while (high - low > width) {
      const double middle = low + (high - low) / 2;
      (below(middle) <= n - 1 - i ? low : high) = middle;
    }
    const auto at = static_cast<std::size_t>(i);
    values[at] = unit * (low + (high - low) / 2);
    // A value is never reported as larger than the one before it, also where both are within the
    // rounding.
    if (i > 0) values[at] = std::min(values[at], values[at - 1]);
    top = high;
  }
  return values;
}

#define ATTN_INSTANTIATE(T)                                     \
  template std::vector<double> symmetric_eigenvalues<T>(In<T>); \
  template std::vector<double> singular_values<T>(In<T>);       \
  template double rank_tolerance<T>(Index, Index);              \
  template Index numerical_rank<T>(In<T>, std::optional<double>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
