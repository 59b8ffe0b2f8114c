#pragma once
// How far the implicit attention of a feature map is from softmax attention.

#include <array>
#include <optional>

#include "attn/attention/attention.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/linear_attention.hpp"

namespace attn {

struct CompareOptions {
  /// Which keys each query sees. `Mask::with_valid_keys` adds padding; softmax and the implicit
  /// attention both leave padded keys out.
  Mask mask = Mask::full();
  /// Factor on q·k inside the softmax; left out: 1/√d_k. The feature map keeps its own definition.
  std::optional<double> scale;
  double epsilon = kLinearAttentionEpsilon;
  DenominatorRule denominator = DenominatorRule::kAdd;
};

/// Softmax attention P beside implicit attention A. Statistics run over the cells that the mask
/// keeps. Any weight that is not finite makes mse, max_difference, correlation and output_error
/// NaN.
template <typename T = float>
struct ComparisonResult {
  /// n×m; difference = A − P
  Matrix<T> softmax, implicit, difference;
  /// n×d_v: PV and AV
  Matrix<T> softmax_output, implicit_output;
  /// n: Σ φ(q)·φ(k) over the keys that the mask keeps, before ε is added.
  Vector<T> denominators;
  double mse = 0;
  double max_difference = 0;
  Index max_difference_row = 0, max_difference_col = 0;
  /// Pearson's correlation of P and A; NaN where P or A is constant.
  double correlation = 0;
  /// ‖AV − PV‖_F / ‖PV‖_F; NaN where PV is 0.
  double output_error = 0;
  /// The MSE of equal weights in every row. A useful map must be below it.
  double uniform_mse = 0;
  /// The largest MSE that two row-stochastic matrices can have, because a row contributes at most
  /// 2. It is 2/m without a mask.
  double mse_bound = 0;
  Index negative_weights = 0, non_finite_weights = 0;
  /// Rows with Σ φ(q)·φ(k) ≤ 0 (before ε is added) or NaN.
  Index non_positive_denominators = 0;
  Index kept_cells = 0;
  Index feature_dimension = 0;
  double scale = 0;
  double softmax_min = 0, softmax_max = 0, implicit_min = 0, implicit_max = 0;

  /// The smallest and the largest finite weight, of softmax and of the map.
  std::array<double, 2> softmax_range() const { return {softmax_min, softmax_max}; }
  std::array<double, 2> implicit_range() const { return {implicit_min, implicit_max}; }
};

/// `compare_to_softmax` as steps, so that a page can show progress and stop.
///
///   SoftmaxComparison work(Q, K, V, map, options);
///   while (!work.step(rows)) …
///   use(work.result());
template <typename T = float>
class SoftmaxComparison {
 public:
  /// Checks the arguments, copies them and computes φ(K).
  /// @throws ShapeError, ValueError, CapacityError
  SoftmaxComparison(In<T> Q, In<T> K, In<T> V, FeatureMap<T> map, CompareOptions options = {});

  /// Works on up to `rows` more queries; returns true when all are done. rows·m·(d_k + D + 2·d_v)
  /// multiply-adds.
  bool step(Index rows);
  /// The share of the work that is done, 0 … 1.
  double progress() const;
  /// The result, complete once `step` has returned true.
  const ComparisonResult<T>& result() const { return result_; }
  /// φ(Q), n×D, and φ(K), m×D.
  const Matrix<T>& query_features() const { return phi_q_; }
  const Matrix<T>& key_features() const { return phi_k_; }

 private:
  void compare_row(Index i);
  void finish();

  Matrix<T> Q_, K_, V_;
  FeatureMap<T> map_;
  CompareOptions options_;
  Matrix<T> phi_q_, phi_k_;
  Index done_ = 0;
  ComparisonResult<T> result_;
  double squared_error_ = 0, squared_uniform_ = 0;
  double output_squared_error_ = 0, output_squared_ = 0;
  // Pearson's sums are of deviations from the mean weight, so that they do not cancel.
  double mean_weight_ = 0;
  double sum_p_ = 0, sum_a_ = 0, sum_pp_ = 0, sum_aa_ = 0, sum_pa_ = 0;
};

/// Softmax attention of (Q, K) against the implicit attention of `map`, with the outputs on V.
/// n·m·(d_k + D + 2·d_v) multiply-adds, 3·n·m floats of memory.
/// @throws ShapeError, ValueError, CapacityError
template <typename T = float>
ComparisonResult<T> compare_to_softmax(In<T> Q, In<T> K, In<T> V,
                                       const FeatureMap<std::type_identity_t<T>>& map,
                                       const CompareOptions& options = {});

/// How one cell of P and of A is computed, number by number.
struct CellExplanation {
  Index query = 0, key = 0;
  bool masked = false;
  /// q·k, the factor, and their product.
  double dot = 0, scale = 0, logit = 0;
  /// The largest logit of the row, and ln Σ exp(logit), over the keys that the query sees.
  double row_max = 0, log_sum_exp = 0;
  double softmax_weight = 0;
  /// φ(q)·φ(k), and what it is divided by: φ(q)·Σφ(k) + ε, or as the denominator rule has it.
  double feature_dot = 0, denominator = 0;
  double implicit_weight = 0;
  double difference = 0;
  /// The rank of the weight in its row; 1 is the largest.
  Index softmax_rank = 0, implicit_rank = 0;
  Index visible_keys = 0;
};

/// φ of one query and of all keys, then m·(d_k + D) multiply-adds and m exp; m·D numbers of memory.
/// @throws as `compare_to_softmax`, and ValueError for a query or key outside the matrices.
template <typename T = float>
CellExplanation explain_cell(In<T> Q, In<T> K, const FeatureMap<std::type_identity_t<T>>& map,
                             const CompareOptions& options, Index query, Index key);

}  // namespace attn
