#pragma once
// How far heads are from each other, and the tree that joins the nearest first (Clark et al. 2019,
// arXiv:1906.04341, section 6).

#include <span>
#include <vector>

#include "attn/attention/mask.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

struct HeadDistanceOptions {
  /// s of the smoothing B = (1 − s)·A + s/m, which makes every logarithm finite.
  double smoothing = 0.001;
  /// What each query may see; it decides what a uniform head does.
  Mask mask = Mask::causal();
};

struct HeadDistances {
  /// h×h, in nats: the sum over texts and rows of the Jensen–Shannon divergence of the two heads'
  /// smoothed rows. A sum, not a mean, and the divergence, not its root. 0 for equal heads.
  Matrix<double> js;
  /// The distance of each head from one that spreads each row evenly over what it may see.
  std::vector<double> to_uniform;
  /// Which no distance exceeds: rows·ln 2.
  double largest = 0;
  /// (h − 1)×4, average linkage (UPGMA): the two groups that are joined, the smaller number first,
  /// the mean distance over all pairs of their members, and how many heads the new group has. Heads
  /// are groups 0 … h−1, the group of row i is h + i. As scipy.cluster.hierarchy.linkage.
  Matrix<double> merges;
  /// The heads from one end of the tree to the other, so that none of its lines cross.
  std::vector<Index> leaf_order;
};

/// Distances of h heads over texts, each with its own number of tokens, and their tree.
/// `texts` has the heads' n×m weights on each text. O(h²·Σ n·m + h³).
/// @throws ShapeError for no text, fewer than two heads, texts with other numbers of heads, or
/// heads of other shapes on one text; ValueError for weights that are negative or not finite, or a
/// smoothing outside 0 < s ≤ 1.
template <typename T = float>
HeadDistances head_distances(std::span<const std::vector<Matrix<T>>> texts,
                             const HeadDistanceOptions& options = {});

}  // namespace attn
