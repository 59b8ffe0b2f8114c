#pragma once
// How good a feature map is on given queries, keys and values: what it gets right of softmax
// attention, and whether its numbers can be trusted.

#include <optional>

#include "attn/analysis/analysis.hpp"

namespace attn {

struct FeatureMapQualityOptions {
  CompareOptions compare;
  /// A denominator is near zero when |Σ s| < near_zero·Σ|s|, s = φ(q)·φ(k) over the keys of the
  /// query: its weights then sum to 1 only by cancelling, and to over 1/near_zero in size.
  double near_zero = 0.01;
  /// Also the spectrum of φ(K), where m·D·min(m, D) ≤ `kMaxSpectrumWork`.
  bool spectrum = true;
};

/// Beyond this the singular values would take over half a second.
inline constexpr double kMaxSpectrumWork = 1 << 27;

/// Shares are between 0 and 1; "rows" are the queries that see a key. Figures of the comparison are
/// NaN where a weight is not finite, as in `ComparisonResult`.
struct FeatureMapQuality {
  Index feature_dimension = 0;

  // Outputs, AV against PV (n×d_v).

  /// ⟨AV, PV⟩ / (‖AV‖·‖PV‖), all entries as one vector: 1 is the same direction.
  double output_cosine = 0;
  /// ‖AV − PV‖_F / ‖PV‖_F
  double output_error = 0;

  // Weights, A against P (n×m).

  /// Pearson, over the cells the mask keeps.
  double correlation = 0;
  /// Mean squared error, that of equal weights, and the largest two pictures can have.
  double mse = 0, uniform_mse = 0, mse_bound = 0;
  /// Mean over rows of KL(P‖A) = Σ P ln(P/A) in nats, A divided by its row sum first so that ε
  /// plays no part.
  ///
  /// Where A has a weight ≤ 0 on a key that softmax sees, or one that is not finite, the divergence
  /// is infinite or no number. Such rows are left out here and counted in `kl_undefined`: the mean
  /// of the others flatters the map, and says nothing unless that share is small. NaN when no row
  /// is left.
  double kl = 0, kl_undefined = 0;
  /// KL(P‖equal weights), mean over all rows: what a map must beat.
  double uniform_kl = 0;

  // Features, φ(Q) and φ(K) together: (n + m)·D numbers.

  double non_finite_features = 0;
  /// Share that is exactly 0, and that is subnormal (only its leading bits are left).
  double zero_features = 0, subnormal_features = 0;
  /// Of a map declared positive: share that is exactly 0 or subnormal, which its formula never is.
  /// NaN for other maps, where a 0 is meant.
  double underflow = 0;
  /// Smallest and largest finite feature: the sign that is observed. NaN where none is finite.
  double min_feature = 0, max_feature = 0;
  /// Share of queries, of keys, whose features are all 0: they look at nobody, nobody sees them.
  double dead_queries = 0, dead_keys = 0;
  /// Share of the D features that are 0 for all queries or for all keys: they never count.
  double dead_features = 0;

  // Denominators Σ s of the rows, before ε.

  double negative_denominators = 0, zero_denominators = 0, non_finite_denominators = 0;
  /// Near zero as `near_zero` has it, but not 0. None for maps that are never negative.
  double cancelled_denominators = 0;
  /// Not 0, but ε is more than near_zero of it: the row's weights visibly do not sum to 1.
  double epsilon_denominators = 0;
  /// Share of the cells with a negative weight, and the smallest finite weight of all cells the
  /// mask keeps; NaN where none is.
  double negative_weights = 0, min_weight = 0;

  // The spectrum of φ(K) (m×D); left out where it was not asked for, is too large, or φ(K) is not
  // finite.
  //
  // Not that of A: its rank is at most D, so that for D < n its condition is infinite whatever the
  // map, and attention never inverts it. And not that of φ(K)ᵀφ(K), which is the square of this one
  // and has half the digits. φ(K) is what the state S = φ(K)ᵀV is written with: a direction with a
  // small singular value is one in which keys hardly differ, and what was stored under it cannot be
  // read again. Positive maps have one large value from what all keys share.

  /// σ_max/σ_min over the min(m, D) values; ∞ when the smallest is 0.
  std::optional<double> condition;
  /// Values above max(m, D)·ε·σ_max, and (Σσ²)²/Σσ⁴: directions that count, and that count equally.
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

  /// Works on up to `rows` more queries, n·m·(d_k + D + 2·d_v) multiply-adds for all; one more step
  /// looks at the features, about 4·m·D·min(m, D) operations. True when all is done.
  bool step(Index rows);
  /// 0 … 1
  double progress() const;
  /// Complete once `step` returned true.
  const FeatureMapQuality& result() const { return result_; }
  /// The pictures behind it.
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
