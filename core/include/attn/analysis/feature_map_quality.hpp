#pragma once
// How good a feature map is on given queries, keys and values: how close it comes to softmax
// attention, and whether its numbers can be trusted.

#include <optional>

#include "attn/analysis/analysis.hpp"

namespace attn {

struct FeatureMapQualityOptions {
  CompareOptions compare;
  /// A denominator is near zero when |Σ s| < near_zero·Σ|s|, with s = φ(q)·φ(k) over the keys of
  /// the query. The weights of such a query sum to 1 only by cancelling, and their sizes sum to
  /// over 1/near_zero.
  double near_zero = 0.01;
  /// Whether the spectrum of φ(K) is computed, which needs m·D·min(m, D) ≤ `kMaxSpectrumWork`.
  bool spectrum = true;
};

/// The largest work for singular values; more would take over half a second.
inline constexpr double kMaxSpectrumWork = 1 << 27;

/// Shares are between 0 and 1. "Rows" are the queries that see a key. Numbers of the comparison are
/// NaN where a weight is not finite, as in `ComparisonResult`.
struct FeatureMapQuality {
  Index feature_dimension = 0;

  // The outputs: AV compared with PV (n×d_v).

  /// ⟨AV, PV⟩ / (‖AV‖·‖PV‖), all entries as one vector: 1 is the same direction.
  double output_cosine = 0;
  /// ‖AV − PV‖_F / ‖PV‖_F
  double output_error = 0;

  // The weights: A compared with P (n×m).

  /// Pearson's correlation over the cells that the mask keeps.
  double correlation = 0;
  /// The mean squared error, that of equal weights, and the largest that two row-stochastic
  /// matrices can have.
  double mse = 0, uniform_mse = 0, mse_bound = 0;
  /// The mean over rows of KL(P‖A) = Σ P ln(P/A) in nats. Each row of A is first divided by its
  /// sum, so that ε has no effect.
  ///
  /// The divergence is infinite or undefined where A has a weight that is ≤ 0 on a key that softmax
  /// sees, or that is not finite. Such rows are left out here and counted in `kl_undefined`. The
  /// mean of the other rows flatters the map, and is meaningful only when that share is small. NaN
  /// when no row is left.
  double kl = 0, kl_undefined = 0;
  /// The mean over all rows of KL(P‖equal weights). A useful map must be below it.
  double uniform_kl = 0;

  // The features: φ(Q) and φ(K) together, (n + m)·D numbers.

  double non_finite_features = 0;
  /// The share of features that are exactly 0, and the share that are subnormal (with few digits
  /// left).
  double zero_features = 0, subnormal_features = 0;
  /// For a map declared positive, the share of features that are exactly 0 or subnormal, which its
  /// formula never gives. NaN for other maps, whose zeros are intended.
  double underflow = 0;
  /// The smallest and the largest finite feature, which show the observed sign. NaN where no
  /// feature is finite.
  double min_feature = 0, max_feature = 0;
  /// The share of queries and the share of keys whose features are all 0. Such queries look at no
  /// key, and such keys are seen by no query.
  double dead_queries = 0, dead_keys = 0;
  /// The share of the D features that are 0 for all queries or for all keys, and so never count.
  double dead_features = 0;

  // The denominators Σ s of the rows, before ε is added.

  double negative_denominators = 0, zero_denominators = 0, non_finite_denominators = 0;
  /// The share that is near zero (see `near_zero`) but not 0. It is 0 for maps that are never
  /// negative.
  double cancelled_denominators = 0;
  /// The share that is not 0, but of which ε is more than near_zero: the row's weights visibly do
  /// not sum to 1.
  double epsilon_denominators = 0;
  /// The share of the cells with a negative weight, and the smallest finite weight among the cells
  /// that the mask keeps; NaN where there is none.
  double negative_weights = 0, min_weight = 0;

  // The spectrum of φ(K) (m×D). It is empty where it was not asked for, is too large, or φ(K) is
  // not finite.
  //
  // The spectrum of A would be of no use: its rank is at most D, so for D < n its condition is
  // infinite for every map, and attention never inverts A. The spectrum of φ(K)ᵀφ(K) is the square
  // of this one and has half the digits. The state S = φ(K)ᵀV is written with φ(K): along a
  // direction with a small singular value keys hardly differ, and values stored under it cannot be
  // read back. Positive maps have one large singular value, which comes from the part that all keys
  // share.

  /// σ_max/σ_min over the min(m, D) singular values; ∞ when the smallest is 0.
  std::optional<double> condition;
  /// The number of values above max(m, D)·ε·σ_max, and (Σσ²)²/Σσ⁴: the number of directions that
  /// count, and of directions that would count equally.
  std::optional<Index> feature_rank;
  std::optional<double> effective_rank;
};

/// `analyze_feature_map_quality` as steps, so that a page can show progress and stop.
template <typename T = float>
class FeatureMapQualityAnalysis {
 public:
  /// Checks the arguments, copies them and computes φ(Q) and φ(K).
  /// @throws ShapeError, ValueError, CapacityError
  FeatureMapQualityAnalysis(In<T> Q, In<T> K, In<T> V, FeatureMap<T> map,
                            FeatureMapQualityOptions options = {});

  /// Works on up to `rows` more queries, n·m·(d_k + D + 2·d_v) multiply-adds for all of them. One
  /// more step analyses the features, about 4·m·D·min(m, D) operations. Returns true when all is
  /// done.
  bool step(Index rows);
  /// The share of the work that is done, 0 … 1.
  double progress() const;
  /// The result, complete once `step` has returned true.
  const FeatureMapQuality& result() const { return result_; }
  /// The comparison with all its weights.
  const ComparisonResult<T>& comparison() const { return comparison_.result(); }

 private:
  void judge_weights();
  void judge_features();
  void judge_denominators();

  SoftmaxComparison<T> comparison_;
  FeatureMapQualityOptions options_;
  Positivity positivity_;
  bool compared_ = false, done_ = false;
  FeatureMapQuality result_;
};

/// Softmax attention of (Q, K, V) against linear attention with `map`: Q n×d_k, K m×d_k, V m×d_v.
/// Cost of all steps; 3·n·m numbers of memory.
/// @throws as `compare_to_softmax`, and ValueError unless 0 ≤ near_zero < 1.
template <typename T = float>
FeatureMapQuality analyze_feature_map_quality(In<T> Q, In<T> K, In<T> V,
                                              const FeatureMap<std::type_identity_t<T>>& map,
                                              const FeatureMapQualityOptions& options = {});

}  // namespace attn
