#include "attn/kernels/functional_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/base/errors.hpp"
#include "attn/kernels/learning_phrases.hpp"
#include "kernels/dense.hpp"

namespace attn {
namespace {

double loss_of(PointLoss loss, double y, double f) {
  switch (loss) {
    case PointLoss::kLogistic: {
      const double margin = y * f;
      return margin > 0 ? std::log1p(std::exp(-margin)) : -margin + std::log1p(std::exp(margin));
    }
    case PointLoss::kHinge:
      return std::max(0.0, 1 - y * f);
    case PointLoss::kAbsolute:
      return std::abs(f - y);
    case PointLoss::kSquared:
      break;
  }
  return (f - y) * (f - y);
}

/// The derivative by f.
double slope_of(PointLoss loss, double y, double f) {
  switch (loss) {
    case PointLoss::kLogistic: {
      const double e = std::exp(-std::abs(y * f));
      return -y * (y * f > 0 ? e / (1 + e) : 1 / (1 + e));
    }
    case PointLoss::kHinge:
      return y * f < 1 ? -y : 0;
    case PointLoss::kAbsolute:
      return f > y ? 1 : f < y ? -1 : 0;
    case PointLoss::kSquared:
      break;
  }
  return 2 * (f - y);
}

double curvature_of(PointLoss loss) {
  return loss == PointLoss::kSquared ? 2 : loss == PointLoss::kLogistic ? 0.25 : 0;
}

}  // namespace

template <typename T>
FunctionalDescent<T>::FunctionalDescent(In<T> gram, InVector<T> y,
                                        const FunctionalDescentOptions& options, InVector<T> start)
    : options_(options) {
  internal::require_gram<T>("gram", gram);
  const Index centres = gram.rows(), n = y.size();
  if (n < 1 || n > centres) {
    throw ShapeError("y", phrase::numbers_seen(n),
                     phrase::count_because(centres, Wording(phrase::number_each_point)));
  }
  const bool labels = options.loss == PointLoss::kLogistic || options.loss == PointLoss::kHinge;
  labels ? internal::require_labels<T>("y", y, n) : internal::require_targets<T>("y", y, n);
  if (!(options.lambda >= 0) || !std::isfinite(options.lambda)) {
    throw ValueError("lambda", phrase::number(options.lambda), phrase::number_of_at_least(0));
  }
  internal::require_positive("learning_rate", options.learning_rate);
  if (options.steps < 1 || options.steps > kMaxDescentSteps) {
    throw ValueError("steps", phrase::number(options.steps), phrase::range(1, kMaxDescentSteps));
  }
  if (options.history_every < 0) {
    throw ValueError("history_every", phrase::number(options.history_every), phrase::at_least(0));
  }
  gram_ = gram.template cast<double>();
  y_ = y.template cast<double>();
  alpha_ = Vector<double>::Zero(centres);
  if (start.size() > 0) {
    internal::require_targets<T>("start", start, centres);
    alpha_ = start.template cast<double>();
  }
  slope_.resize(n);
  const Matrix<double> inside = gram_.topLeftCorner(n, n);
  const double curvature = 2 * options.lambda + curvature_of(options.loss) *
                                                    internal::largest_eigenvalue(inside) /
                                                    static_cast<double>(n);
  largest_rate_ = curvature > 0 ? 2 / curvature : std::numeric_limits<double>::infinity();
  if (centres > n) {
    // With K in blocks, the orthogonal parts of the other centres have the inner products
    // K_ee − K_en·K_nn⁻¹·K_ne. The small shift makes room for points that occur twice, and for what
    // rounding does to the eigenvalues.
    const Index others = centres - n;
    constexpr double kEpsilon = std::numeric_limits<T>::epsilon();
    const double shift = std::max(1e-10 * inside.diagonal().maxCoeff(),
                                  internal::rounding_of_gram(inside, kEpsilon));
    const internal::Cholesky factor(inside, {"gram", shift}, kEpsilon);
    Eigen::MatrixXd half = gram_.topRightCorner(n, others);
    factor.half_solve(half);
    orthogonal_ = gram_.bottomRightCorner(others, others) - half.transpose() * half;
  }
  measure();
}

template <typename T>
void FunctionalDescent<T>::measure() {
  values_ = gram_ * alpha_;
  DescentPoint point;
  const Index n = y_.size();
  for (Index i = 0; i < n; ++i) point.loss += loss_of(options_.loss, y_(i), values_(i));
  point.loss /= static_cast<double>(n);
  point.norm_squared = alpha_.dot(values_);
  point.objective = point.loss + options_.lambda * point.norm_squared;
  const Index others = alpha_.size() - n;
  if (others > 0) {
    const auto rest = alpha_.tail(others);
    point.orthogonal_squared = std::max(0.0, rest.dot(orthogonal_ * rest));
  }
  diverged_ =
      !std::isfinite(point.objective) || !alpha_.allFinite() || alpha_.cwiseAbs().maxCoeff() > 1e30;
  if (diverged_) return;
  curve_.push_back(point);
  if (options_.history_every > 0 && done_ % options_.history_every == 0) {
    history_.push_back(alpha_);
  }
}

template <typename T>
bool FunctionalDescent<T>::step(Index steps) {
  const double rate = options_.learning_rate;
  for (Index s = 0; s < std::max<Index>(steps, 1) && done_ < options_.steps && !diverged_; ++s) {
    const Index n = y_.size();
    for (Index i = 0; i < n; ++i) slope_(i) = slope_of(options_.loss, y_(i), values_(i));
    const Vector<double> before = alpha_, values = values_;
    alpha_ *= 1 - 2 * rate * options_.lambda;
    alpha_.head(n) -= rate / static_cast<double>(n) * slope_;
    ++done_;
    measure();
    if (diverged_) {
      alpha_ = before;
      values_ = values;
    }
  }
  return diverged_ || done_ == options_.steps;
}

template <typename T>
double FunctionalDescent<T>::progress() const {
  return diverged_ ? 1 : static_cast<double>(done_) / static_cast<double>(options_.steps);
}

template <typename T>
FunctionalDescentResult<T> FunctionalDescent<T>::result() const {
  FunctionalDescentResult<T> made;
  made.alpha = alpha_.template cast<T>();
  made.values = values_.template cast<T>();
  made.curve = curve_;
  made.history.resize(static_cast<Index>(history_.size()), alpha_.size());
  for (Index i = 0; i < made.history.rows(); ++i) {
    made.history.row(i) = history_[static_cast<std::size_t>(i)].transpose().template cast<T>();
  }
  made.largest_rate = largest_rate_;
  return made;
}

template class FunctionalDescent<float>;
template class FunctionalDescent<double>;

}  // namespace attn
