#include "attn/analysis/scaling_experiment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "analysis/shared.hpp"
#include "attn/analysis/gradient_quantiles.hpp"
#include "attn/attention/attention_training.hpp"
#include "attn/attention/softmax.hpp"
#include "attn/base/errors.hpp"
#include "base/streams.hpp"

namespace attn {
namespace {

void require_positive(const char* name, Index value) {
  if (value < 1) throw ValueError(name, phrase::number(value), phrase::at_least(1));
}

void require_room(const char* what, double numbers) {
  if (numbers <= static_cast<double>(kMaxScalingNumbers)) return;
  throw CapacityError(what, phrase::numbers_seen(numbers), phrase::at_most(kMaxScalingNumbers));
}

using internal::mean;

Estimate estimate(const std::vector<double>& draws) {
  const double center = mean(draws), count = static_cast<double>(draws.size());
  double squares = 0;
  for (const double x : draws) squares += (x - center) * (x - center);
  return {center, std::sqrt(squares / (count - 1) / count)};
}

double quantile_or_nan(const std::vector<double>& values, double p) {
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : quantile(values, p);
}

template <typename T>
ScalingDraw<T> draw_of_seed(Index n, Index d_k, Index d_v, std::uint64_t seed) {
  ScalingDraw<T> made;
  static_cast<Qkv<T>&>(made) = gaussian_qkv<T>(n, d_k, d_v, seed);
  made.dO = Rng(seed, internal::kOutputGradientStream).gaussian_matrix<T>(n, d_v);
  return made;
}

}  // namespace

template <typename T>
ScalingExperiment<T>::ScalingExperiment(ScalingOptions options)
    : options_(std::move(options)), seeds_(options_.seed, internal::kDrawStream) {
  if (options_.d_k.empty()) throw ValueError("d_k", phrase::none, phrase::at_least_one);
  if (options_.n.empty()) throw ValueError("n", phrase::none, phrase::at_least_one);
  require_positive("draws", options_.draws);
  require_positive("d_v", options_.d_v);
  if (!(options_.small_gradient >= 0)) {
    throw ValueError("small_gradient", phrase::number(options_.small_gradient),
                     phrase::number_of_at_least(0));
  }
  for (const Index d_k : options_.d_k) require_positive("d_k", d_k);
  for (const Index n : options_.n) require_positive("n", n);
  const double widest = static_cast<double>(
      std::max(options_.d_v, *std::max_element(options_.d_k.begin(), options_.d_k.end())));
  const double longest =
      static_cast<double>(*std::max_element(options_.n.begin(), options_.n.end()));
  require_room("n", longest * std::max(longest, widest));
  require_room("draws", longest * static_cast<double>(options_.draws));
  for (std::size_t pair = 0; pair < pairs(); ++pair) work_ += cost(pair);
}

template <typename T>
double ScalingExperiment<T>::cost(std::size_t pair) const {
  const double n = static_cast<double>(n_at(pair)), d_k = static_cast<double>(d_k_at(pair));
  // The result is in multiply-adds; a Gaussian number costs about as much as 20 of them.
  return static_cast<double>(options_.draws) * n * d_k * (n * (options_.gradients ? 6 : 2) + 40);
}

template <typename T>
bool ScalingExperiment<T>::step(Index draws) {
  for (Index r = 0; r < std::max<Index>(draws, 1) && pair_ < pairs(); ++r) draw();
  return pair_ == pairs();
}

template <typename T>
double ScalingExperiment<T>::progress() const {
  if (pair_ == pairs()) return 1;
  const double part = static_cast<double>(drawn_) / static_cast<double>(options_.draws);
  return (work_done_ + part * cost(pair_)) / work_;
}

template <typename T>
void ScalingExperiment<T>::draw() {
  const ScalingDraw<T> x = draw_of_seed<T>(n_at(pair_), d_k_at(pair_), options_.d_v, seeds_.next());
  for (const bool scaled : {false, true}) look(x, scaled, samples_[scaled]);
  if (++drawn_ < options_.draws) return;
  for (const bool scaled : {false, true}) {
    finish(scaled, samples_[scaled]);
    samples_[scaled] = {};
  }
  work_done_ += cost(pair_);
  drawn_ = 0;
  ++pair_;
  // Every size uses the same seeds.
  seeds_ = Rng(options_.seed, internal::kDrawStream);
}

template <typename T>
void ScalingExperiment<T>::look(const ScalingDraw<T>& x, bool scaled, Samples& samples) const {
  AttentionOptions<T> how;
  if (!scaled) how.scale = 1;
  const AttentionResult<T> forward = attention<T>(x.Q, x.K, x.V, how);
  std::vector<double> largest, entropies, jacobians;
  for (Index i = 0; i < forward.weights.rows(); ++i) {
    const auto row = forward.weights.row(i).transpose();
    largest.push_back(static_cast<double>(row.maxCoeff()));
    entropies.push_back(entropy<T>(row));
    jacobians.push_back(softmax_jacobian_norm<T>(row));
  }
  samples.row_max.push_back(mean(largest));
  samples.picture_max.push_back(*std::max_element(largest.begin(), largest.end()));
  samples.entropy.push_back(mean(entropies));
  samples.jacobian.push_back(mean(jacobians));
  samples.all_jacobians.insert(samples.all_jacobians.end(), jacobians.begin(), jacobians.end());
  if (!options_.gradients) return;

  const AttentionGradients<T> slopes =
      attention_backward_from<T>(forward, x.Q, x.K, x.V, x.dO, how);
  std::vector<double> norms;
  for (Index i = 0; i < slopes.dQ.rows(); ++i) {
    norms.push_back(slopes.dQ.row(i).template cast<double>().norm());
  }
  Index small = 0;
  for (Index c = 0; c < slopes.d_bias.size(); ++c) {
    const double slope = static_cast<double>(slopes.d_bias.data()[c]);
    small += std::abs(slope) < options_.small_gradient;
  }
  samples.dq_norm.push_back(mean(norms));
  samples.small_share.push_back(static_cast<double>(small) /
                                static_cast<double>(slopes.d_bias.size()));
  samples.all_dq_norms.insert(samples.all_dq_norms.end(), norms.begin(), norms.end());
}

template <typename T>
void ScalingExperiment<T>::finish(bool scaled, const Samples& samples) {
  ScalingCell cell;
  cell.n = n_at(pair_);
  cell.d_k = d_k_at(pair_);
  cell.scaled = scaled;
  cell.draws = options_.draws;
  cell.row_max = estimate(samples.row_max);
  cell.picture_max = estimate(samples.picture_max);
  cell.entropy = estimate(samples.entropy);
  cell.jacobian_norm = estimate(samples.jacobian);
  cell.median_jacobian_norm = quantile(samples.all_jacobians, 0.5);
  cell.dq_norm = estimate(samples.dq_norm);
  cell.median_dq_norm = quantile_or_nan(samples.all_dq_norms, 0.5);
  cell.tenth_dq_norm = quantile_or_nan(samples.all_dq_norms, 0.1);
  cell.small_share = estimate(samples.small_share);
  cells_.push_back(cell);
}

template <typename T>
std::vector<ScalingCell> experiment_scaling_factor(const ScalingOptions& options) {
  ScalingExperiment<T> work(options);
  while (!work.step(options.draws)) {
  }
  return work.result();
}

template <typename T>
ScalingDraw<T> scaling_draw(Index n, Index d_k, Index d_v, std::uint64_t seed, Index index) {
  if (index < 0) throw ValueError("index", phrase::number(index), phrase::at_least(0));
  require_positive("n", n);
  // No experiment has more draws, and two thousand million steps would take half a minute.
  require_room("index", static_cast<double>(n) * static_cast<double>(index));
  Rng seeds(seed, internal::kDrawStream);
  for (Index r = 0; r < index; ++r) seeds.next();
  return draw_of_seed<T>(n, d_k, d_v, seeds.next());
}

#define ATTN_INSTANTIATE(T)                                                              \
  template class ScalingExperiment<T>;                                                   \
  template std::vector<ScalingCell> experiment_scaling_factor<T>(const ScalingOptions&); \
  template ScalingDraw<T> scaling_draw<T>(Index, Index, Index, std::uint64_t, Index);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
