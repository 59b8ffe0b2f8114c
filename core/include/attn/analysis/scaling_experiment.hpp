#pragma once
// What 1/√d_k is for: attention of Gaussian queries and keys, with the factor and without.

#include <cstdint>
#include <vector>

#include "attn/base/inputs.hpp"
#include "attn/base/rng.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// One draw: everything N(0, 1).
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
  /// Also the backward pass, for a gradient at the output of independent N(0, 1).
  bool gradients = true;
  /// Width of the values. ‖dQ‖ grows with its root.
  Index d_v = 16;
  /// What counts as no gradient at a score.
  double small_gradient = 1e-6;
};

/// Numbers in one matrix of a draw, and rows kept for a quantile: at most this many.
inline constexpr Index kMaxScalingNumbers = Index{1} << 24;

/// A mean over draws with its standard error, which is that of their spread; NaN for one draw.
struct Estimate {
  double mean = 0, standard_error = 0;
};

/// One n, one d_k, with or without the factor. Rows of one draw share their keys, so standard
/// errors are those of whole draws; quantiles are of all rows of all draws together.
struct ScalingCell {
  Index n = 0, d_k = 0;
  bool scaled = false;
  Index draws = 0;
  /// Largest weight: of a row, and of a whole n×n picture.
  Estimate row_max, picture_max;
  /// Nats; at most ln n.
  Estimate entropy;
  /// ‖diag(p) − ppᵀ‖_F of a row p: by how much a weight can still move with its logit.
  Estimate jacobian_norm;
  double median_jacobian_norm = 0;
  /// ‖row of dQ‖. Without `gradients` this and all below are NaN.
  Estimate dq_norm;
  double median_dq_norm = 0, tenth_dq_norm = 0;
  /// Share of scores with |dS| < small_gradient; dS is the gradient at scale·q·k.
  Estimate small_share;
};

/// The claim of Vaswani et al. 2017 (arXiv:1706.03762, section 3.2.1) put to the test:
/// self-attention of `draws` independent draws of Q, K, V ~ N(0, 1) for every n and d_k, each with
/// the factor 1/√d_k and with 1.
///
/// Both see the same numbers, so that they are compared on equal terms: `scaling_draw` gives them.
/// Means of the row maximum depend on n far more than on d_k once there is a factor. Without it the
/// mean of ‖dQ‖ grows with d_k while its median vanishes: softmax saturates in most rows, and the
/// few that stand between two keys get all.
///
/// In float32 gradients under some 1e-6 are the rounding of dP − D and the low quantiles end there;
/// in float64 they are real.
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

  /// Up to `draws` more draws; true when all are done. One costs 2·n·(d_k + d_v) Gaussian numbers,
  /// 2·n²·(d_k + d_v) multiply-adds and 2·n² exp, with gradients 2·n²·(3·d_k + 3·d_v).
  bool step(Index draws);
  /// 0 … 1, by work.
  double progress() const;
  /// By n, then d_k, without the factor before with it. Grows while the work goes on: two cells a
  /// time.
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

/// The whole experiment at once (project 4, task 3a).
/// @throws as `ScalingExperiment`
template <typename T = float>
std::vector<ScalingCell> experiment_scaling_factor(const ScalingOptions& options = {});

/// Draw `index` (from 0) of the experiment of that seed, at one size: the same numbers, to look at
/// closely. O(index + n·(d_k + d_v)).
/// @throws ValueError unless n, d_k, d_v ≥ 1 and index ≥ 0.
template <typename T = float>
ScalingDraw<T> scaling_draw(Index n, Index d_k, Index d_v, std::uint64_t seed, Index index);

}  // namespace attn
