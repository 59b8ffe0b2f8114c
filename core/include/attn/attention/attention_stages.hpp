#pragma once
// Attention stage by stage, with stages that can be taken out, exchanged or put into another place,
// and numbers that say what goes wrong. For display: plain loops over small matrices.

#include <vector>

#include "attn/attention/attention.hpp"

namespace attn {

/// The order of the three stages between QKᵀ and the product with V.
enum class StageOrder {
  kScaleMaskSoftmax,
  kMaskScaleSoftmax,
  kScaleSoftmaxMask,
  kMaskSoftmaxScale,
  kSoftmaxScaleMask,
  kSoftmaxMaskScale,
};

/// The factor of the scaling stage; none takes the stage out.
enum class StageScale {
  kSqrt,   ///< 1/√d_k
  kWidth,  ///< 1/d_k
  kNone,
};

/// The cells that the masking stage overwrites; none takes the stage out.
enum class StageMask {
  kCausal,    ///< keys j > i: the future
  kReverse,   ///< keys j < i: the past
  kEarlier,   ///< keys j ≥ i: a query sees only what is before it, and query 0 sees nothing
  kInverted,  ///< keys j ≤ i: a causal mask read the wrong way round, as in project 4's own code
  kNone,
};

/// What the masking stage writes into those cells.
enum class StageFill { kMinusInfinity, kMinusBillion, kZero };

/// The direction in which the softmax sums to 1; none takes the stage out.
enum class StageSoftmax {
  kRows,     ///< over the keys of each query
  kColumns,  ///< over the queries of each key: the wrong axis
  kNone,
};

struct StageOptions {
  StageOrder order = StageOrder::kScaleMaskSoftmax;
  StageScale scale = StageScale::kSqrt;
  StageMask mask = StageMask::kCausal;
  StageFill fill = StageFill::kMinusInfinity;
  StageSoftmax softmax = StageSoftmax::kRows;
  /// Whether the softmax subtracts the largest score first. Without it exp overflows T.
  bool subtract_maximum = true;
  /// A factor on Q, so that the same queries can be made larger.
  double query_factor = 1;
  /// Added to every entry of QKᵀ. The softmax of a whole row does not change by it, so it shows
  /// what a blocked score of 0 is worth beside other scores.
  double score_shift = 0;
};

/// Every matrix on the way, and what can be measured about the last weights. Shares and sums are
/// over the rows whose weights are all finite.
template <typename T = float>
struct StageResult {
  /// n×n: QKᵀ, and what the first, second and third stage in the chosen order made of it. The third
  /// holds the weights.
  Matrix<T> scores, first, second, third;
  /// n×d_v: weights·V
  Matrix<T> output;
  /// n·d_v × n: row i·d_v + c holds the products w_ij·V_jc, whose sum is output (i, c).
  Matrix<T> products;
  /// n×n: 1 where the masking stage overwrites a cell, else 0.
  Matrix<T> blocked;

  /// n: the sum of each row of the weights, and of what the first and the second stage made.
  std::vector<double> row_sums, first_sums, second_sums;
  /// Rows of the weights that hold NaN, and the first of them; −1 for none. Likewise ±∞.
  Index nan_rows = 0, first_nan_row = -1;
  Index infinite_rows = 0, first_infinite_row = -1;
  /// Weights below 0.
  Index negative_weights = 0;
  /// The smallest and the largest sum of a row, and the row whose sum is farthest from 1 with that
  /// sum; −1 and NaN where no row is finite. Rows that miss 1 by more than 1e-4 are counted.
  double smallest_sum = 0, largest_sum = 0;
  Index worst_row = -1;
  double worst_sum = 0;
  Index rows_off = 0;
  /// The share of all weight on keys after the query, and on cells that the masking stage was to
  /// block; NaN where weights are negative or none is finite.
  double future_share = 0, blocked_share = 0;
  /// The mean over rows of the largest weight, and of e^entropy, the number of keys that a query
  /// effectively looks at. NaN where rows are no distributions.
  double mean_max = 0, effective_keys = 0;
  /// ‖output − right‖_F/‖right‖_F, where `right` is attention with 1/√d_k and the mask that was
  /// meant: the chosen one, for `kInverted` the causal one. NaN where the output is not finite.
  double output_error = 0;
};

/// The largest n of `attention_stages`.
inline constexpr Index kMaxStageTokens = 64;

/// softmax(mask(scale(Q·factor·Kᵀ)))·V in the order and with the stages that the options name. Each
/// stage does what it is told, also where that gives NaN or ∞. Q and K n×d_k, V n×d_v. With the
/// default options it equals `attention` under the causal mask (Vaswani et al. 2017,
/// arXiv:1706.03762, equation 1). O(n²·(d_k + d_v)).
/// @throws ShapeError (also for as many keys as queries), ValueError; CapacityError for more than
/// `kMaxStageTokens` rows.
template <typename T = float>
StageResult<T> attention_stages(In<T> Q, In<T> K, In<T> V, const StageOptions& options = {});

}  // namespace attn
