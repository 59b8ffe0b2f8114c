#include "attn/analysis/feature_map_quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/shared.hpp"
#include "attn/analysis/singular_values.hpp"
#include "attn/base/errors.hpp"

namespace attn {
namespace {

using internal::kNaN;

double share(Index part, Index whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : kNaN;
}

template <typename T>
Index dead_rows(const Matrix<T>& phi) {
  Index dead = 0;
  for (Index i = 0; i < phi.rows(); ++i) dead += (phi.row(i).array() == T(0)).all();
  return dead;
}

}  // namespace

template <typename T>
FeatureMapQualityAnalysis<T>::FeatureMapQualityAnalysis(In<T> Q, In<T> K, In<T> V,
                                                        FeatureMap<T> map,
                                                        FeatureMapQualityOptions options)
    : comparison_(Q, K, V, map, options.compare),
      options_(std::move(options)),
      positivity_(map.positivity()) {
  if (!(options_.near_zero >= 0 && options_.near_zero < 1)) {
    throw ValueError("near_zero", phrase::number(options_.near_zero),
                     phrase::number_from_to_below(0, 1));
  }
}

template <typename T>
bool FeatureMapQualityAnalysis<T>::step(Index rows) {
  if (!compared_) {
    compared_ = comparison_.step(rows);
    return false;
  }
  if (!done_) {
    judge_weights();
    judge_features();
    judge_denominators();
    done_ = true;
  }
  return true;
}

template <typename T>
double FeatureMapQualityAnalysis<T>::progress() const {
  return done_ ? 1 : 0.9 * comparison_.progress();
}

template <typename T>
void FeatureMapQualityAnalysis<T>::judge_weights() {
  const ComparisonResult<T>& made = comparison_.result();
  const Mask& mask = options_.compare.mask;
  const Index n = made.softmax.rows(), m = made.softmax.cols();
  result_.feature_dimension = made.feature_dimension;
  result_.correlation = made.correlation;
  result_.mse = made.mse;
  result_.uniform_mse = made.uniform_mse;
  result_.mse_bound = made.mse_bound;
  result_.output_error = made.output_error;
  result_.negative_weights = share(made.negative_weights, made.kept_cells);
  const bool some_finite = made.kept_cells > made.non_finite_weights;
  result_.min_weight = some_finite ? made.implicit_min : kNaN;

  double product = 0, softmax_squares = 0, implicit_squares = 0;
  for (Index c = 0; c < made.softmax_output.size(); ++c) {
    const double softmax = static_cast<double>(made.softmax_output.data()[c]);
    const double implicit = static_cast<double>(made.implicit_output.data()[c]);
    product += softmax * implicit;
    softmax_squares += softmax * softmax;
    implicit_squares += implicit * implicit;
  }
  result_.output_cosine = product / (std::sqrt(softmax_squares) * std::sqrt(implicit_squares));

  double kl = 0, uniform_kl = 0;
  Index rows = 0, defined = 0;
  for (Index i = 0; i < n; ++i) {
    const Index visible = mask.count(i, n, m);
    if (visible == 0) continue;
    ++rows;
    const auto p = made.softmax.row(i), a = made.implicit.row(i);
    const double p_sum = p.template cast<double>().sum();
    const double a_sum = a.template cast<double>().sum();
    double gap = -std::log(p_sum) + std::log(a_sum), negative_entropy = -std::log(p_sum);
    bool sound = std::isfinite(a_sum) && a_sum > 0;
    for (Index j = 0; j < m; ++j) {
      // A key that the mask blocks has p = 0 and adds nothing.
      const double weight = static_cast<double>(p(j)), ours = static_cast<double>(a(j));
      if (!(weight > 0)) continue;
      sound = sound && ours > 0;
      negative_entropy += weight / p_sum * std::log(weight);
      if (sound) gap += weight / p_sum * (std::log(weight) - std::log(ours));
    }
    // Rounding could make a divergence of 0 negative.
    uniform_kl += std::max(negative_entropy + std::log(static_cast<double>(visible)), 0.0);
    if (!sound) continue;
    ++defined;
    kl += std::max(gap, 0.0);
  }
  result_.kl = defined > 0 ? kl / static_cast<double>(defined) : kNaN;
  result_.kl_undefined = share(rows - defined, rows);
  result_.uniform_kl = rows > 0 ? uniform_kl / static_cast<double>(rows) : kNaN;
}

template <typename T>
void FeatureMapQualityAnalysis<T>::judge_features() {
  const Matrix<T>&phi_q = comparison_.query_features(), &phi_k = comparison_.key_features();
  const Index D = phi_k.cols(), total = phi_q.size() + phi_k.size();
  Index non_finite = 0, zero = 0, subnormal = 0;
  result_.min_feature = result_.max_feature = kNaN;
  for (const Matrix<T>* phi : {&phi_q, &phi_k}) {
    for (Index c = 0; c < phi->size(); ++c) {
      const double feature = static_cast<double>(phi->data()[c]);
      if (std::isfinite(feature)) {
        // std::fmin returns the number where one argument is NaN.
        result_.min_feature = std::fmin(result_.min_feature, feature);
        result_.max_feature = std::fmax(result_.max_feature, feature);
      }
      switch (std::fpclassify(phi->data()[c])) {
        case FP_NAN:
        case FP_INFINITE:
          ++non_finite;
          break;
        case FP_ZERO:
          ++zero;
          break;
        case FP_SUBNORMAL:
          ++subnormal;
          break;
        default:
          break;
      }
    }
  }
  result_.non_finite_features = share(non_finite, total);
  result_.zero_features = share(zero, total);
  result_.subnormal_features = share(subnormal, total);
  result_.underflow = positivity_ == Positivity::kPositive ? share(zero + subnormal, total) : kNaN;
  result_.dead_queries = share(dead_rows(phi_q), phi_q.rows());
  result_.dead_keys = share(dead_rows(phi_k), phi_k.rows());
  Index dead = 0;
  for (Index f = 0; f < D; ++f) {
    dead += (phi_q.col(f).array() == T(0)).all() || (phi_k.col(f).array() == T(0)).all();
  }
  result_.dead_features = share(dead, D);

  const double work =
      static_cast<double>(phi_k.size()) * static_cast<double>(std::min(phi_k.rows(), phi_k.cols()));
  if (!options_.spectrum || work > kMaxSpectrumWork || !phi_k.allFinite()) return;
  const std::vector<double> values = singular_values<T>(phi_k);
  result_.condition =
      values.back() > 0 ? values.front() / values.back() : std::numeric_limits<double>::infinity();
  result_.feature_rank = numerical_rank(values, rank_tolerance<T>(phi_k.rows(), D));
  if (values.front() == 0) {
    result_.effective_rank = 0;
    return;
  }
  double squares = 0, fourths = 0;
  for (const double value : values) {
    const double part = value / values.front();
    squares += part * part;
    fourths += part * part * part * part;
  }
  result_.effective_rank = squares * squares / fourths;
}

template <typename T>
void FeatureMapQualityAnalysis<T>::judge_denominators() {
  const ComparisonResult<T>& made = comparison_.result();
  const Mask& mask = options_.compare.mask;
  const Index n = made.implicit.rows(), m = made.implicit.cols();
  const double epsilon = static_cast<double>(static_cast<T>(options_.compare.epsilon));
  Index rows = 0, negative = 0, zero = 0, non_finite = 0, cancelled = 0, small = 0;
  for (Index i = 0; i < n; ++i) {
    if (mask.count(i, n, m) == 0) continue;
    ++rows;
    const double sum = static_cast<double>(made.denominators(i));
    if (!std::isfinite(sum)) {
      ++non_finite;
      continue;
    }
    negative += sum < 0;
    if (sum == 0) {
      ++zero;
      continue;
    }
    // A = s/(Σs + ε), so Σ|s| = Σ|A|·|Σs + ε|.
    const double sizes =
        made.implicit.row(i).template cast<double>().cwiseAbs().sum() * std::abs(sum + epsilon);
    cancelled += std::abs(sum) < options_.near_zero * sizes;
    small += epsilon > options_.near_zero * std::abs(sum);
  }
  result_.negative_denominators = share(negative, rows);
  result_.zero_denominators = share(zero, rows);
  result_.non_finite_denominators = share(non_finite, rows);
  result_.cancelled_denominators = share(cancelled, rows);
  result_.epsilon_denominators = share(small, rows);
}

template <typename T>
FeatureMapQuality analyze_feature_map_quality(In<T> Q, In<T> K, In<T> V,
                                              const FeatureMap<std::type_identity_t<T>>& map,
                                              const FeatureMapQualityOptions& options) {
  FeatureMapQualityAnalysis<T> work(Q, K, V, map, options);
  while (!work.step(Q.rows())) {
  }
  return work.result();
}

#define ATTN_INSTANTIATE(T)                                  \
  template class FeatureMapQualityAnalysis<T>;               \
  template FeatureMapQuality analyze_feature_map_quality<T>( \
      In<T>, In<T>, In<T>, const FeatureMap<T>&, const FeatureMapQualityOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
