#include "attn/attention/softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "attn/attention/attention.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"

namespace attn {
namespace {

template <typename T>
void require_filled(std::string_view argument, InVector<T> x) {
  if (x.size() == 0) throw ShapeError(argument, phrase::empty, phrase::at_least_one_entry);
}

/// Checks a row of weights: entries ≥ 0 that sum to 1, or all 0.
template <typename T>
void require_distribution(InVector<T> p) {
  require_filled<T>("p", p);
  double sum = 0;
  for (Index i = 0; i < p.size(); ++i) {
    const double x = static_cast<double>(p(i));
    if (!(x >= 0) || std::isinf(x)) {
      throw ValueError("p", phrase::at_entry(x, i), phrase::finite_weights);
    }
    sum += x;
  }
  // √ε is far above the rounding of a softmax of any length, and far below the error of a row that
  // is not a softmax.
  const double slack = std::sqrt(static_cast<double>(std::numeric_limits<T>::epsilon()));
  if (sum != 0 && std::abs(sum - 1) > slack) {
    throw ValueError("p", phrase::sum_seen(sum), phrase::sum_of_one);
  }
}

/// The sums that are needed to take one entry out of Σp and Σp² without cancellation. For the
/// largest entry the others are summed separately; any other entry is at most half of either sum,
/// so subtracting it is safe.
template <typename T>
class Others {
 public:
  explicit Others(InVector<T> p) : p_(p) {
    p.maxCoeff(&top_);
    for (Index i = 0; i < p.size(); ++i) {
      const double x = static_cast<double>(p(i));
      if (i == top_) continue;
      rest_ += x;
      rest_squared_ += x * x;
    }
  }

  double sum(Index i) const { return i == top_ ? rest_ : rest_ + at(top_) - at(i); }
  double sum_of_squares(Index i) const {
    return i == top_ ? rest_squared_ : rest_squared_ + at(top_) * at(top_) - at(i) * at(i);
  }

 private:
  double at(Index i) const { return static_cast<double>(p_(i)); }

  InVector<T> p_;
  Index top_ = 0;
  double rest_ = 0, rest_squared_ = 0;
};

}  // namespace

template <typename T>
SoftmaxResult<T> softmax(InVector<T> x) {
  require_filled<T>("x", x);
  for (Index i = 0; i < x.size(); ++i) {
    if (!(x(i) < std::numeric_limits<T>::infinity())) {
      throw ValueError("x", phrase::at_entry(x(i), i), phrase::finite_or_minus_infinity);
    }
  }
  Matrix<T> row = x.transpose();
  SoftmaxResult<T> result;
  masked_softmax_rows<T>(row, Mask::full(), 0, 1, &result.log_sum_exp);
  result.weights = row.transpose();
  return result;
}

template <typename T>
Matrix<T> softmax_jacobian(InVector<T> p) {
  require_distribution<T>(p);
  const Others<T> others(p);
  Matrix<T> J = -p * p.transpose();
  for (Index i = 0; i < p.size(); ++i) {
    J(i, i) = static_cast<T>(static_cast<double>(p(i)) * others.sum(i));
  }
  return J;
}

template <typename T>
double softmax_jacobian_norm(InVector<T> p) {
  require_distribution<T>(p);
  const Others<T> others(p);
  double squared = 0;
  for (Index i = 0; i < p.size(); ++i) {
    const double x = static_cast<double>(p(i)), rest = others.sum(i);
    squared += x * x * (rest * rest + others.sum_of_squares(i));
  }
  return std::sqrt(squared);
}

template <typename T>
double entropy(InVector<T> p) {
  require_distribution<T>(p);
  double sum = 0;
  for (Index i = 0; i < p.size(); ++i) {
    const double x = static_cast<double>(p(i));
    if (x > 0) sum -= x * std::log(x);
  }
  // A weight that is rounded to just above 1 would make the entropy negative.
  return std::max(sum, 0.0);
}

#define ATTN_INSTANTIATE(T)                              \
  template SoftmaxResult<T> softmax<T>(InVector<T>);     \
  template Matrix<T> softmax_jacobian<T>(InVector<T>);   \
  template double softmax_jacobian_norm<T>(InVector<T>); \
  template double entropy<T>(InVector<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
