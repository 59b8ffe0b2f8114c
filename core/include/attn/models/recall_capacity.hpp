#pragma once
// How many pairs a memory gives back that was never trained: stored against returned, for every
// recurrence of `kPairMemories` and every feature map.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "attn/models/tasks.hpp"

namespace attn {

inline constexpr Index kMaxCapacityPairs = 1024, kMaxCapacityWidth = 64, kMaxCapacityDraws = 100;

struct RecallCapacityOptions {
  /// An id of `kPairMemories` or of `feature_maps()`.
  std::string memory = "linear_sum";
  /// How many pairs are stored, one trial each.
  std::vector<Index> pairs = {4, 16, 64};
  Index d_k = 16, d_v = 32;
  /// As in `PairMemoryOptions`.
  double decay = 0.98;
  /// Trials with seeds seed, seed + 1, …
  Index draws = 10;
  std::uint64_t seed = 1;
};

struct RecallCapacityResult {
  std::vector<Index> pairs;
  /// For each of `pairs`: the mean share of right answers, the least and the largest of the draws.
  std::vector<double> mean, least, largest;
  /// Numbers that the memory holds after so many pairs.
  std::vector<double> numbers;
  /// The first number of pairs of which less than half come back, on the straight line between two
  /// of `pairs` on a logarithmic scale; NaN where half or more of all of them do, and before all
  /// draws are made.
  double half_lost = std::numeric_limits<double>::quiet_NaN();
};

/// The share of right answers of one draw: all pairs are stored, each is asked for with its own
/// key, and an answer counts where the nearest of all values is the right one. Softmax and feature
/// maps as in `recall_share`, with keys 2·N(0, 1); the other recurrences with the same keys
/// brought to length 1.
/// @throws ValueError for an unknown memory and sizes outside their ranges.
double memory_recall_share(const std::string& memory, const RecallTrial& trial, double decay,
                           std::uint64_t seed);

/// What theory expects of the plain sum S = Σ k vᵀ with keys on the unit sphere and random signs.
/// The answer is v + Σ c_l v_l, with c_l the cosines of the keys. Another value w of cosine c,
/// which differs from v in h of d_v signs, loses against v where
///   √(h/(d_v − h))·(√(d_v d_k/(N − 2))·(1 − c) + z) > a number drawn from N(0, 1),
/// because the noise Σ c_l v_l·(v − w) has variance 4h(N − 2)/d_k, and the part of it along v, z,
/// is the same for all other values. The share is the mean over z of the chance to the power N − 1,
/// over h binomial and c with density ∝ (1 − c²)^((d_k−3)/2). It takes the others as independent
/// given z, which they are not: up to 0.05 too
/// low where many are lost, at widths of 16 and more. (A signal against its noise:
/// Hopfield 1982, doi:10.1073/pnas.79.8.2554.) O(d_v), a few thousand erfc each.
/// @throws ValueError for sizes below 1.
double sum_recall_theory(Index pairs, Index d_k, Index d_v);

/// All draws of all numbers of pairs.
class RecallCapacity {
 public:
  /// @throws ValueError without pairs, for sizes outside 1 … their largest, an unknown memory.
  explicit RecallCapacity(const RecallCapacityOptions& options);

  /// Makes up to `draws` more trials; returns true when all are done.
  bool step(Index draws);
  double progress() const;
  const RecallCapacityResult& result() const { return result_; }

 private:
  RecallCapacityOptions options_;
  Index done_ = 0;
  std::vector<double> sum_;
  RecallCapacityResult result_;
};

}  // namespace attn
