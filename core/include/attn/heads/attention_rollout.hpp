#pragma once
// From which input tokens a position takes what it holds after several layers: rollout and flow
// (Abnar & Zuidema 2020, arXiv:2005.00928, section 3).
//
// Both read B_l = (1 − r)·(mean over heads of A_l) + r·I for each layer l, where r is the share of
// the residual stream. They know nothing of values, of feed-forward layers or of signs, and the
// product of causal layers drifts to token 0 whatever was learned: that of uniform attention stands
// beside them for this reason.

#include <span>
#include <vector>

#include "attn/attention/mask.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

struct RolloutOptions {
  /// r, the share that a position keeps of itself in each layer: ½ in the paper.
  double residual = 0.5;
  /// What each query may see; it decides what uniform attention does.
  Mask mask = Mask::causal();
};

template <typename T = float>
struct RolloutResult {
  /// One n×n matrix a layer: row i says which inputs position i is made of after that layer.
  std::vector<Matrix<T>> rollout;
  /// The same where every head spreads each row evenly over what it may see.
  std::vector<Matrix<T>> uniform;
};

/// The products B_l·…·B_0. `layers` has the heads' n×n weights of each layer, the first layer
/// first. O(layers·n³ + Σ heads·n²).
/// @throws ShapeError for no layer, no head, or weights that are not all n×n; ValueError for
/// weights that are negative or not finite, or a residual outside 0 … 1.
template <typename T = float>
RolloutResult<T> attention_rollout(std::span<const std::vector<Matrix<T>>> layers,
                                   const RolloutOptions& options = {});

/// The largest layers·n² that a flow takes: some seconds of work.
inline constexpr Index kMaxFlowEdges = 1 << 15;

template <typename T = float>
struct FlowResult {
  /// n×n: the largest flow from position i after the last layer to input j.
  Matrix<T> flow;
  /// Each row of `flow` divided by its sum, as the official code returns it.
  Matrix<T> flow_rows;
  /// `flow_rows` where every head spreads each row evenly over what it may see.
  Matrix<T> uniform_rows;
};

/// The largest flow through the graph whose edge from position i after layer l to position j before
/// it has the capacity B_l[i, j]; positions have none. Each pair of position and input is a problem
/// of its own, solved by Dinic's method (Cormen et al., "Introduction to Algorithms", chapter 26).
///
///   AttentionFlow work(layers, options);
///   while (!work.step(1)) …
///   use(work.result());
template <typename T = float>
class AttentionFlow {
 public:
  /// @throws as `attention_rollout`, and CapacityError for more than `kMaxFlowEdges` edges.
  explicit AttentionFlow(std::span<const std::vector<Matrix<T>>> layers,
                         const RolloutOptions& options = {});

  /// Solves up to `rows` more rows, those of uniform attention after the others; returns true when
  /// all are done. A row takes n flows, each usually a few passes over the layers·n² edges.
  bool step(Index rows);
  /// The share of the rows that are done, 0 … 1.
  double progress() const;
  /// The result, complete once `step` has returned true.
  const FlowResult<T>& result() const { return result_; }

 private:
  std::vector<Matrix<double>> capacities_, uniform_;
  Index n_ = 0, done_ = 0;
  FlowResult<T> result_;
};

}  // namespace attn
