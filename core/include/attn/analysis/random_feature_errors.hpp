#pragma once
// How far random features are from the softmax kernel, and how far attention with them is from
// softmax attention.

#include <cstdint>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// Estimators of e^{q·k/√d}. The comment beside each gives the registry's id of its map.
enum class RandomFeatureKind {
  kPositive,       ///< softmax_kernel: FAVOR+, m features of m rows
  kTrigonometric,  ///< softmax_kernel_trig: 2m features
  kHyperbolic,     ///< softmax_kernel_hyperbolic: 2m features
};

struct RandomFeatureErrorOptions {
  RandomFeatureKind kind = RandomFeatureKind::kPositive;
  /// Whether rows are orthogonal within each block of d; otherwise they are independent.
  bool orthogonal = false;
  /// The numbers of rows of the projection.
  std::vector<Index> m{16, 64, 256};
  Index d = 16, n = 64;
  /// Queries and keys are drawn from N(0, 1) and multiplied by this.
  double input_scale = 1;
  Index draws = 10;
  /// Draw i takes its inputs and its projection from seed + i.
  std::uint64_t seed = 0;
};

/// The most tokens, rows of projection and draws.
inline constexpr Index kMaxRandomTokens = 512, kMaxRandomRows = 16384, kMaxRandomDraws = 1000;

/// Quantiles 0.1, 0.5 and 0.9 over the draws; NaN without draws.
struct Spread {
  double low = 0, median = 0, high = 0;
};

/// The errors for one number of rows m.
struct RandomFeatureError {
  Index m = 0, feature_dimension = 0;
  /// √mean((estimate/exact − 1)²) of the kernel, over all n² pairs of all draws, and over those of
  /// each draw.
  double relative_rms = 0;
  Spread relative_rms_by_draw;
  /// The root of the mean of the relative variances that lemma 2 of the Performer paper gives for
  /// the same pairs and independent rows. With s = ‖x + y‖², g = ‖x − y‖², x = q/d^¼, y = k/d^¼:
  /// positive (eˢ − 1)/m, hyperbolic ½(1 − e^{−s})(eˢ − 1)/m, trigonometric e^g(1 − e^{−g})²/(2m).
  /// This is a mean over projections. Where s is large, nearly all of it comes from projections so
  /// rare that they are never drawn, and the measured error is far below it.
  double predicted_rms = 0;
  /// The median over the pairs of |estimate/exact − 1|.
  Spread median_error;
  /// The share of pairs with a negative estimate.
  double negative_share = 0;
  /// The implicit attention of the features compared with softmax as in `compare_to_softmax`, and
  /// the MSE of equal weights. Draws with a weight that is not finite count only in uniform_mse.
  Spread mse, correlation, output_error, uniform_mse;
  Index finite_draws = 0;
};

/// Random features for e^{q·k/√d} on Gaussian queries and keys (Choromanski et al. 2021,
/// arXiv:2009.14794, lemma 2 and section 4). No map is stabilised, and every m sees the same
/// inputs.
///
///   RandomFeatureErrors work(options);
///   while (!work.step(1)) …
///   use(work.result());
template <typename T = float>
class RandomFeatureErrors {
 public:
  /// @throws ValueError for an empty list of m, a size outside 1 … its largest or an input scale
  /// that is not positive and finite; CapacityError where features would exceed `kMaxFeatureBytes`.
  explicit RandomFeatureErrors(RandomFeatureErrorOptions options);

  /// Makes up to `draws` more draws of one m each; returns true when all are done. One draw costs
  /// n²·(3·d + 2·D) + 2·n·m·d multiply-adds, n² + 2·n·D exp, and D·d Gaussian numbers.
  bool step(Index draws);
  /// The share of the work that is done, 0 … 1.
  double progress() const;
  /// The results by m, in the given order. The list grows while the work goes on.
  const std::vector<RandomFeatureError>& result() const { return rows_; }

 private:
  struct Samples {
    double squared = 0, predicted = 0, pairs = 0, negative = 0;
    std::vector<double> rms, median, mse, correlation, output_error, uniform_mse;
  };

  void draw();
  void finish();
  double cost(std::size_t row) const;

  RandomFeatureErrorOptions options_;
  std::size_t row_ = 0;
  Index drawn_ = 0;
  double work_done_ = 0, work_ = 0;
  Samples samples_;
  std::vector<RandomFeatureError> rows_;
};

}  // namespace attn
