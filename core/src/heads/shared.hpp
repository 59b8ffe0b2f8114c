#pragma once
// What the scores of heads have in common. Private to the core.

#include <cmath>
#include <limits>
#include <span>
#include <string_view>

#include "attn/attention/mask.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/tensor.hpp"
#include "attn/heads/phrases.hpp"

namespace attn::internal {

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

/// The mean of the added numbers; NaN when there are none.
class RunningMean {
 public:
  void add(double x) {
    sum_ += x;
    ++count_;
  }
  Index count() const { return count_; }
  double value() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : kUndefined; }

 private:
  double sum_ = 0;
  Index count_ = 0;
};

/// @throws ShapeError unless all weights have the shape of the first; ValueError for one that is
/// negative or not finite.
template <typename T>
void require_head_weights(std::string_view argument, std::span<const Matrix<T>> weights) {
  if (weights.empty()) throw ShapeError(argument, phrase::none, phrase::at_least_one_head);
  const Index n = weights[0].rows(), m = weights[0].cols();
  if (n == 0 || m == 0) throw ShapeError(argument, phrase::shape(n, m), phrase::row_and_column);
  for (const Matrix<T>& one : weights) {
    require_shape<T>(argument, one, n, m, phrase::shape_of_first_head);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) {
        const double w = static_cast<double>(one(i, j));
        if (w >= 0 && std::isfinite(w)) continue;
        throw ValueError(argument, phrase::at_cell(w, i, j), phrase::finite_weights);
      }
    }
  }
}

/// The same for self-attention, n×n.
template <typename T>
void require_square_weights(std::string_view argument, std::span<const Matrix<T>> weights) {
  require_head_weights<T>(argument, weights);
  const Index n = weights[0].rows(), m = weights[0].cols();
  if (n != m) throw ShapeError(argument, phrase::shape(n, m), phrase::square_weights);
}

/// Each row spread evenly over what it may see.
template <typename T>
Matrix<T> uniform_weights(Index n, Index m, const Mask& mask) {
  mask.require_fits(n, m);
  Matrix<T> made = Matrix<T>::Zero(n, m);
  for (Index i = 0; i < n; ++i) {
    const Index count = mask.count(i, n, m);
    if (count == 0) continue;
    const T share = static_cast<T>(1 / static_cast<double>(count));
    mask.keys(i, n, m).for_each([&](Index j) { made(i, j) = share; });
  }
  return made;
}

}  // namespace attn::internal
