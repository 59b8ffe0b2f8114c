#include "attn/analysis/random_feature_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "analysis/shared.hpp"
#include "analysis/spread.hpp"
#include "attn/analysis/analysis.hpp"
#include "attn/analysis/phrases.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/inputs.hpp"
#include "attn/base/rng.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "base/product.hpp"

namespace attn {
namespace {

const char* id_of(RandomFeatureKind kind) {
  switch (kind) {
    case RandomFeatureKind::kTrigonometric:
      return "softmax_kernel_trig";
    case RandomFeatureKind::kHyperbolic:
      return "softmax_kernel_hyperbolic";
    case RandomFeatureKind::kPositive:
      break;
  }
  return "softmax_kernel";
}

/// The variance for one row of the projection, relative to the square of the kernel.
double relative_variance(RandomFeatureKind kind, double sum, double gap) {
  switch (kind) {
    case RandomFeatureKind::kTrigonometric: {
      const double part = -std::expm1(-gap);
      return 0.5 * std::exp(gap) * part * part;
    }
    case RandomFeatureKind::kHyperbolic:
      return -0.5 * std::expm1(-sum) * std::expm1(sum);
    case RandomFeatureKind::kPositive:
      break;
  }
  return std::expm1(sum);
}

using internal::spread_of;

using internal::require_size;

}  // namespace

template <typename T>
RandomFeatureErrors<T>::RandomFeatureErrors(RandomFeatureErrorOptions options)
    : options_(std::move(options)) {
  if (options_.m.empty()) throw ValueError("m", phrase::none, phrase::number_of_rows);
  for (const Index m : options_.m) require_size("m", m, kMaxRandomRows);
  require_size("n", options_.n, kMaxRandomTokens);
  require_size("d", options_.d, 1024);
  require_size("draws", options_.draws, kMaxRandomDraws);
  if (!(options_.input_scale > 0) || !std::isfinite(static_cast<T>(options_.input_scale))) {
    throw ValueError("input_scale", phrase::number(options_.input_scale), phrase::positive_number);
  }
  for (std::size_t row = 0; row < options_.m.size(); ++row) work_ += cost(row);
}

template <typename T>
double RandomFeatureErrors<T>::cost(std::size_t row) const {
  const double n = static_cast<double>(options_.n), d = static_cast<double>(options_.d);
  const double m = static_cast<double>(options_.m[row]);
  const double D = options_.kind == RandomFeatureKind::kPositive ? m : 2 * m;
  // The result is in multiply-adds; an exp or a Gaussian number costs about as much as 20 of them.
  return n * n * (3 * d + 2 * D + 60) + 2 * n * (m * d + 20 * D) + 20 * m * d;
}

template <typename T>
void RandomFeatureErrors<T>::draw() {
  const Index n = options_.n, d = options_.d, m = options_.m[row_];
  const std::uint64_t seed = options_.seed + static_cast<std::uint64_t>(drawn_);
  Qkv<T> x = gaussian_qkv<T>(n, d, d, seed);
  x.Q *= static_cast<T>(options_.input_scale);
  x.K *= static_cast<T>(options_.input_scale);
  FeatureMapOptions<T> how;
  how.parameters = {{"stabilize", 0}};
  how.projection = random_projection<T>(m, d, options_.orthogonal, seed);
  SoftmaxComparison<T> comparison(x.Q, x.K, x.V, FeatureMap<T>(id_of(options_.kind), d, how));
  comparison.step(n);

  const Matrix<T> estimates =
      internal::product_nt<T>(comparison.query_features(), comparison.key_features());
  const double root = std::sqrt(static_cast<double>(d));
  std::vector<double> errors;
  errors.reserve(static_cast<std::size_t>(n * n));
  double squared = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      double dot = 0, norms = 0;
      for (Index k = 0; k < d; ++k) {
        const double q = static_cast<double>(x.Q(i, k)), key = static_cast<double>(x.K(j, k));
        dot += q * key;
        norms += q * q + key * key;
      }
      const double estimate = static_cast<double>(estimates(i, j));
      const double error = estimate * std::exp(-dot / root) - 1;
      errors.push_back(std::abs(error));
      squared += error * error;
      samples_.negative += estimate < 0;
      samples_.predicted +=
          relative_variance(options_.kind, (norms + 2 * dot) / root, (norms - 2 * dot) / root) /
          static_cast<double>(m);
    }
  }
  const double pairs = static_cast<double>(n) * static_cast<double>(n);
  samples_.squared += squared;
  samples_.pairs += pairs;
  samples_.rms.push_back(std::sqrt(squared / pairs));
  samples_.median.push_back(spread_of(std::move(errors)).median);
  const ComparisonResult<T>& made = comparison.result();
  samples_.uniform_mse.push_back(made.uniform_mse);
  if (made.non_finite_weights == 0) {
    samples_.mse.push_back(made.mse);
    samples_.correlation.push_back(made.correlation);
    samples_.output_error.push_back(made.output_error);
  }
  if (++drawn_ < options_.draws) return;
  finish();
  work_done_ += cost(row_);
  samples_ = {};
  drawn_ = 0;
  ++row_;
}

template <typename T>
void RandomFeatureErrors<T>::finish() {
  RandomFeatureError made;
  made.m = options_.m[row_];
  made.feature_dimension = options_.kind == RandomFeatureKind::kPositive ? made.m : 2 * made.m;
  made.relative_rms = std::sqrt(samples_.squared / samples_.pairs);
  made.predicted_rms = std::sqrt(samples_.predicted / samples_.pairs);
  made.negative_share = samples_.negative / samples_.pairs;
  made.finite_draws = static_cast<Index>(samples_.mse.size());
  made.relative_rms_by_draw = spread_of(std::move(samples_.rms));
  made.median_error = spread_of(std::move(samples_.median));
  made.mse = spread_of(std::move(samples_.mse));
  made.correlation = spread_of(std::move(samples_.correlation));
  made.output_error = spread_of(std::move(samples_.output_error));
  made.uniform_mse = spread_of(std::move(samples_.uniform_mse));
  rows_.push_back(made);
}

template <typename T>
bool RandomFeatureErrors<T>::step(Index draws) {
  for (Index r = 0; r < std::max<Index>(draws, 1) && row_ < options_.m.size(); ++r) draw();
  return row_ == options_.m.size();
}

template <typename T>
double RandomFeatureErrors<T>::progress() const {
  if (row_ == options_.m.size()) return 1;
  const double part = static_cast<double>(drawn_) / static_cast<double>(options_.draws);
  return (work_done_ + part * cost(row_)) / work_;
}

template class RandomFeatureErrors<float>;
template class RandomFeatureErrors<double>;

}  // namespace attn
