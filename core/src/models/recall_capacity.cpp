#include "attn/models/recall_capacity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "attn/mixers/pair_memory.hpp"
#include "attn/models/phrases.hpp"

namespace attn {
namespace {

/// The size of Gaussian keys, as they are drawn in training.
constexpr double kKeySize = 2;

void require_range(const char* name, Index value, Index most) {
  if (value >= 1 && value <= most) return;
  throw ValueError(name, phrase::number(value), phrase::range(1, most));
}

bool is_recurrence(std::string_view memory) {
  return memory != "softmax" &&
         std::find(kPairMemories.begin(), kPairMemories.end(), memory) != kPairMemories.end();
}

double numbers_held(const std::string& memory, Index pairs, Index d_k, Index d_v) {
  const auto wide = [](Index x) { return static_cast<double>(x); };
  if (memory == "softmax") return wide(pairs) * wide(d_k + d_v);
  if (memory == "rwkv4") return 3 * wide(d_v);
  if (is_recurrence(memory)) return wide(d_k) * wide(d_v);
  return wide(FeatureMap<double>(memory, d_k).dimension()) * wide(d_v + 1);
}

double half_lost(const std::vector<Index>& pairs, const std::vector<double>& mean) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (mean[i] >= 0.5) continue;
    const double x = static_cast<double>(pairs[i]);
    if (i == 0) return x;
    const double before = static_cast<double>(pairs[i - 1]);
    return before * std::pow(x / before, (mean[i - 1] - 0.5) / (mean[i - 1] - mean[i]));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double memory_recall_share(const std::string& memory, const RecallTrial& trial, double decay,
                           std::uint64_t seed) {
  if (!is_recurrence(memory)) {
    return recall_share(memory == "softmax" ? std::string_view() : std::string_view(memory), trial,
                        seed);
  }
  require_range("pairs", trial.pairs, kMaxCapacityPairs);
  require_range("d_k", trial.d_k, kMaxCapacityWidth);
  require_range("d_v", trial.d_v, kMaxCapacityWidth);
  // The draws of `recall_share`.
  Matrix<double> K = Rng(seed, 0).gaussian_matrix<double>(trial.pairs, trial.d_k);
  K.rowwise().normalize();
  const Matrix<double> V =
      Rng(seed, 1).gaussian_matrix<double>(trial.pairs, trial.d_v).unaryExpr([](double x) {
        return x < 0 ? -1.0 : 1.0;
      });
  const Matrix<double> found = internal::pair_memory_answers<double>(memory, K, V, K, decay, seed);
  Index right = 0;
  for (Index i = 0; i < trial.pairs; ++i) {
    Index nearest = 0;
    (V * found.row(i).transpose()).maxCoeff(&nearest);
    if (V.row(nearest) == V.row(i)) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(trial.pairs);
}

double sum_recall_theory(Index pairs, Index d_k, Index d_v) {
  require_range("pairs", pairs, std::numeric_limits<Index>::max());
  require_range("d_k", d_k, std::numeric_limits<Index>::max());
  require_range("d_v", d_v, std::numeric_limits<Index>::max());
  // Up to two pairs nothing is left that could turn the comparison.
  if (pairs <= 2 || d_k < 2) return pairs == 1 || d_k > 1 ? 1 : 0.5;
  const double n = static_cast<double>(pairs), k = static_cast<double>(d_k),
               v = static_cast<double>(d_v);
  const double signal = std::sqrt(v * k / (n - 2));
  constexpr int kPoints = 96, kCosines = 48;
  constexpr double kReach = 6, kRootHalf = 0.7071067811865476, kDensity = 0.3989422804014327;
  std::vector<double> cosines(kCosines), weights(kCosines);
  double all = 0;
  for (int i = 0; i < kCosines; ++i) {
    const auto at = static_cast<std::size_t>(i);
    cosines[at] = 2.0 * (i + 0.5) / kCosines - 1;
    weights[at] = std::pow(1 - cosines[at] * cosines[at], (k - 3) / 2);
    all += weights[at];
  }
  double share = 0;
  for (int i = 0; i <= kPoints; ++i) {
    const double z = kReach * (2.0 * i / kPoints - 1);
    double ahead = 0;
    for (Index h = 0; h <= d_v; ++h) {
      const double different = static_cast<double>(h);
      const double chance = std::exp(std::lgamma(v + 1) - std::lgamma(different + 1) -
                                     std::lgamma(v - different + 1) - v * std::log(2.0));
      if (h == 0) {
        ahead += chance;
        continue;
      }
      const double slope = std::sqrt(different / std::max(v - different, 1e-9));
      double sum = 0;
      for (std::size_t c = 0; c < cosines.size(); ++c) {
        sum += weights[c] * std::erfc(-slope * (signal * (1 - cosines[c]) + z) * kRootHalf) / 2;
      }
      ahead += chance * sum / all;
    }
    share += kDensity * std::exp(-z * z / 2) * std::pow(ahead, n - 1);
  }
  return share * 2 * kReach / kPoints;
}

RecallCapacity::RecallCapacity(const RecallCapacityOptions& options) : options_(options) {
  if (options.pairs.empty()) throw ValueError("pairs", phrase::number(0), phrase::at_least(1));
  require_range("d_k", options.d_k, kMaxCapacityWidth);
  require_range("d_v", options.d_v, kMaxCapacityWidth);
  require_range("draws", options.draws, kMaxCapacityDraws);
  for (const Index pairs : options.pairs) {
    require_range("pairs", pairs, kMaxCapacityPairs);
    result_.numbers.push_back(numbers_held(options.memory, pairs, options.d_k, options.d_v));
  }
  result_.pairs = options.pairs;
  const std::size_t count = options.pairs.size();
  sum_.assign(count, 0);
  result_.mean.assign(count, std::numeric_limits<double>::quiet_NaN());
  result_.least.assign(count, 1);
  result_.largest.assign(count, 0);
}

bool RecallCapacity::step(Index draws) {
  const Index all = options_.draws * static_cast<Index>(options_.pairs.size());
  for (Index i = 0; i < draws && done_ < all; ++i, ++done_) {
    const auto at = static_cast<std::size_t>(done_ / options_.draws);
    const Index draw = done_ % options_.draws;
    const RecallTrial trial{options_.pairs[at], options_.d_k, options_.d_v, kKeySize};
    const double share = memory_recall_share(options_.memory, trial, options_.decay,
                                             options_.seed + static_cast<std::uint64_t>(draw));
    sum_[at] += share;
    result_.mean[at] = sum_[at] / static_cast<double>(draw + 1);
    result_.least[at] = std::min(result_.least[at], share);
    result_.largest[at] = std::max(result_.largest[at], share);
  }
  if (done_ < all) return false;
  result_.half_lost = half_lost(result_.pairs, result_.mean);
  return true;
}

double RecallCapacity::progress() const {
  return static_cast<double>(done_) /
         static_cast<double>(options_.draws * static_cast<Index>(options_.pairs.size()));
}

}  // namespace attn
