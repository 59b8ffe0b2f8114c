#include "attn/analysis/fact_recall.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "analysis/shared.hpp"
#include "analysis/spread.hpp"
#include "attn/analysis/phrases.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/inputs.hpp"
#include "attn/linear_attention/linear_decoder.hpp"

namespace attn {
namespace {

/// So many keys are turned into features at a time.
constexpr Index kRows = 256;

using internal::require_size;

/// n + 1 tokens: scaled keys, and values that are signs. Row 0 is the fact.
template <typename T>
Qkv<T> tokens_of(const FactRecallOptions& options, std::uint64_t seed) {
  Qkv<T> x = gaussian_qkv<T>(options.n + 1, options.d_k, options.d_v, seed);
  x.K *= static_cast<T>(options.key_scale);
  x.V = x.V.unaryExpr([](T value) { return value < 0 ? T(-1) : T(1); });
  return x;
}

}  // namespace

template <typename T>
FactRecall<T>::FactRecall(std::optional<FeatureMap<T>> map, const FactRecallOptions& options)
    : map_(std::move(map)), options_(options) {
  require_size("n", options.n, kMaxRecallTokens);
  require_size("d_k", options.d_k, kMaxRecallWidth);
  require_size("d_v", options.d_v, kMaxRecallWidth);
  require_size("draws", options.draws, kMaxRecallDraws);
  if (!(options.key_scale > 0) || !std::isfinite(static_cast<T>(options.key_scale))) {
    throw ValueError("key_scale", phrase::number(options.key_scale), phrase::positive_number);
  }
  if (map_) {
    if (map_->d_k() != options.d_k) {
      throw ShapeError("d_k", phrase::number(options.d_k), phrase::number(map_->d_k()));
    }
    // The decoder refuses what cannot be a state.
    LinearDecoder<T>(*map_, options.d_v);
    result_.feature_dimension = map_->dimension();
  }
  result_.tokens = {0};
  for (Index t = 1; t < options.n; t *= 2) result_.tokens.push_back(t);
  result_.tokens.push_back(options.n);
  for (const Index t : result_.tokens) {
    const double held = static_cast<double>(map_ ? map_->dimension() * (options.d_v + 1)
                                                 : (t + 1) * (options.d_k + options.d_v));
    result_.numbers.push_back(held);
  }
  samples_.resize(result_.tokens.size());
  right_.resize(result_.tokens.size());
}

template <typename T>
void FactRecall<T>::note(Index t, const Answer& answer, In<T> fact) {
  if (drawn_ == 0) {
    result_.answers.row(t) = answer.output.transpose();
    result_.weights.push_back(answer.weight);
  }
  const auto place = std::find(result_.tokens.begin(), result_.tokens.end(), t);
  if (place == result_.tokens.end()) return;
  const auto at = static_cast<std::size_t>(place - result_.tokens.begin());
  samples_[at].push_back(answer.weight);
  for (Index j = 0; j < options_.d_v; ++j) right_[at] += answer.output(j) * fact(0, j) > 0;
}

template <typename T>
void FactRecall<T>::softmax(In<T> K, In<T> V) {
  const double root = std::sqrt(static_cast<double>(options_.d_k));
  const Vector<double> scores =
      K.template cast<double>() * K.row(0).template cast<double>().transpose() / root;
  // The query is always the same, so that each answer is the one before and one more key. The
  // largest of all scores keeps the exponentials in range.
  const double top = scores.maxCoeff();
  Vector<double> sum = Vector<double>::Zero(options_.d_v);
  double total = 0;
  for (Index t = 0; t <= options_.n; ++t) {
    const double e = std::exp(scores(t) - top);
    sum += e * V.row(t).template cast<double>().transpose();
    total += e;
    const Vector<double> output = sum / total;
    note(t, {output.template cast<T>(), std::exp(scores(0) - top) / total}, V.topRows(1));
  }
}

template <typename T>
void FactRecall<T>::linear(In<T> K, In<T> V, std::uint64_t seed) {
  const FeatureMap<T> map = map_->redraw(seed);
  LinearDecoder<T> memory(map, options_.d_v);
  const Matrix<T> key = K.topRows(1);
  const Vector<T> phi_q = map.apply(key, Role::kQuery).row(0).transpose();
  const double match = static_cast<double>(phi_q.dot(map.apply(key, Role::kKey).row(0)));
  const double epsilon = memory.options().epsilon;
  std::size_t next = 0;
  for (Index done = 0; done <= options_.n;) {
    // Only the first draw is read after every token.
    const Index ask = drawn_ == 0 ? done : result_.tokens[next];
    const Index rows = std::min(ask + 1 - done, kRows);
    memory.append(K.middleRows(done, rows), V.middleRows(done, rows));
    done += rows;
    if (done <= ask) continue;
    if (ask == result_.tokens[next]) ++next;
    const LinearState<T>& state = memory.state();
    const double denominator = static_cast<double>(phi_q.dot(state.z)) + epsilon;
    const Vector<T> output = state.s.transpose() * phi_q / static_cast<T>(denominator);
    note(ask, {output, match / denominator}, V.topRows(1));
  }
}

template <typename T>
void FactRecall<T>::draw() {
  const std::uint64_t seed = options_.seed + static_cast<std::uint64_t>(drawn_);
  const Qkv<T> x = tokens_of<T>(options_, seed);
  if (drawn_ == 0) {
    result_.fact = x.V.topRows(1);
    result_.answers.resize(options_.n + 1, options_.d_v);
  }
  if (map_) {
    linear(x.K, x.V, seed);
  } else {
    softmax(x.K, x.V);
  }
}

template <typename T>
void FactRecall<T>::finish() {
  const double all = static_cast<double>(options_.draws * options_.d_v);
  for (std::size_t at = 0; at < samples_.size(); ++at) {
    result_.weight.push_back(internal::spread_of(std::move(samples_[at])));
    result_.right.push_back(right_[at] / all);
  }
}

template <typename T>
bool FactRecall<T>::step(Index draws) {
  if (drawn_ == options_.draws) return true;
  for (Index r = 0; r < std::max<Index>(draws, 1) && drawn_ < options_.draws; ++r, ++drawn_) draw();
  if (drawn_ < options_.draws) return false;
  finish();
  return true;
}

template <typename T>
double FactRecall<T>::progress() const {
  return static_cast<double>(drawn_) / static_cast<double>(options_.draws);
}

template class FactRecall<float>;
template class FactRecall<double>;

}  // namespace attn
