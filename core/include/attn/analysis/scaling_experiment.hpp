#pragma once
// What the factor 1/√d_k is for: attention of Gaussian queries and keys, with the factor and
// without it.

#include <cstdint>
#include <vector>

#include "attn/base/inputs.hpp"
#include "attn/base/rng.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// One draw, with all entries from N(0, 1).
template <typename T = float>
struct ScalingDraw : Qkv<T> {
  /// n×d_v: the gradient at the output.
  Matrix<T> dO;
};

struct ScalingOptions {
  std::vector<Index> d_k{16, 64, 256, 1024};
  std::vector<Index> n{32};
  Index draws = 20;
  std::uint64_t seed = 0;
  /// Whether the backward pass runs too, for a gradient at the output with independent entries from
  /// N(0, 1).
  bool gradients = true;
  /// The width of the values. ‖dQ‖ grows with its square root.
  Index d_v = 16;
  /// Gradients at scores below this size are counted as none.
  double small_gradient = 1e-6;
};

/// The most numbers in one matrix of a draw, and the most rows that are kept for a quantile.
inline constexpr Index kMaxScalingNumbers = Index{1} << 24;

/// A mean over draws with its standard error, estimated from the spread of the draws; NaN for one
/// draw.
struct Estimate {
  double mean = 0, standard_error = 0;
};

/// The results for one n and one d_k, with or without the factor. Rows of one draw share their
/// keys, so standard errors are those of whole draws. Quantiles are of all rows of all draws
/// together.
struct ScalingCell {
  Index n = 0, d_k = 0;
  bool scaled = false;
  Index draws = 0;
  /// The largest weight of a row, and of a whole n×n matrix.
  Estimate row_max, picture_max;
  /// The entropy in nats; at most ln n.
  Estimate entropy;
  /// ‖diag(p) − ppᵀ‖_F of a row p: how strongly its weights can still react to its logits.
  Estimate jacobian_norm;
  double median_jacobian_norm = 0;
  /// ‖row of dQ‖. Without `gradients` this and all fields below are NaN.
  Estimate dq_norm;
  double median_dq_norm = 0, tenth_dq_norm = 0;
  /// The share of scores with |dS| < small_gradient; dS is the gradient at scale·q·k.
  Estimate small_share;
};

/// Tests the claim of Vaswani et al. 2017 (arXiv:1706.03762, section 3.2.1): self-attention of
/// `draws` independent draws of Q, K, V ~ N(0, 1) for every n and d_k, each with the factor 1/√d_k
/// and with the factor 1.
///
/// Both use the same numbers, which `scaling_draw` returns, so the comparison is fair. With the
/// factor, means of the row maximum depend on n far more than on d_k. Without it, the mean of ‖dQ‖
/// grows with d_k while its median vanishes: softmax saturates in most rows, and the few rows that
/// stand between two keys carry all of the gradient.
///
/// In float32, gradients below about 1e-6 are the rounding of dP − D, and the low quantiles end
/// there; in float64 they are real.
///
///   ScalingExperiment<double> work(options);
///   while (!work.step(1)) …
///   use(work.result());
template <typename T = float>
class ScalingExperiment {
 public:
  /// @throws ValueError unless both lists hold at least one number, all of them, `draws` and `d_v`
  /// are ≥ 1 and `small_gradient` ≥ 0; CapacityError for a picture, queries or rows beyond
  /// `kMaxScalingNumbers`.
  explicit ScalingExperiment(ScalingOptions options);

  /// Makes up to `draws` more draws; returns true when all are done. One draw costs 2·n·(d_k + d_v)
  /// Gaussian numbers, 2·n²·(d_k + d_v) multiply-adds and 2·n² exp, with gradients 2·n²·(3·d_k +
  /// 3·d_v).
  bool step(Index draws);
  /// The share of the work that is done, 0 … 1.
  double progress() const;
  /// The cells by n, then by d_k, first without the factor and then with it. The list grows by two
  /// cells at a time while the work goes on.
  const std::vector<ScalingCell>& result() const { return cells_; }

 private:
  /// The rows and draws of one cell so far.
  struct Samples {
    std::vector<double> row_max, picture_max, entropy, jacobian, dq_norm, small_share;
    std::vector<double> all_jacobians, all_dq_norms;
  };

  void draw();
  void look(const ScalingDraw<T>& x, bool scaled, Samples& samples) const;
  void finish(bool scaled, const Samples& samples);
  double cost(std::size_t pair) const;
  Index n_at(std::size_t pair) const { return options_.n[pair / options_.d_k.size()]; }
  Index d_k_at(std::size_t pair) const { return options_.d_k[pair % options_.d_k.size()]; }
  std::size_t pairs() const { return options_.n.size() * options_.d_k.size(); }

  ScalingOptions options_;
  Rng seeds_;
  std::size_t pair_ = 0;
  Index drawn_ = 0;
  double work_done_ = 0, work_ = 0;
  Samples samples_[2];
  std::vector<ScalingCell> cells_;
};

/// Runs the whole experiment at once (project 4, task 3a).
/// @throws as `ScalingExperiment`
template <typename T = float>
std::vector<ScalingCell> experiment_scaling_factor(const ScalingOptions& options = {});

/// Draw `index` (from 0) of the experiment with that seed at one size: the same numbers, for a
/// closer look. O(index + n·(d_k + d_v)).
/// @throws ValueError unless n, d_k, d_v ≥ 1 and index ≥ 0; CapacityError for a draw that no
/// experiment has.
template <typename T = float>
ScalingDraw<T> scaling_draw(Index n, Index d_k, Index d_v, std::uint64_t seed, Index index);

}  // namespace attn
