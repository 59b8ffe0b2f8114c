#pragma once
// How far information gets through layers that all have one pattern.

#include <vector>

#include "attn/attention/pattern.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// The most tokens whose reach is computed: 16 million pairs.
inline constexpr Index kMaxReachTokens = 4096;

/// What can have reached what. Information also stays at its own position, on the residual stream,
/// whether or not the pattern keeps the diagonal.
struct PatternReach {
  /// Kept cells.
  Index cells = 0;
  /// For l = 1 … layers the share of pairs that are connected after l layers: of the n(n+1)/2 pairs
  /// j ≤ i when causal, else of all n². A token and itself are a pair.
  std::vector<double> share;
  /// n×n: after how many layers token j can first have reached position i; 0 for i = j, −1 for
  /// never, however many layers there are.
  Matrix<float> hops;
  /// The fewest layers that connect every pair; 0 where there is one token, −1 for none.
  Index layers_to_connect = -1;
};

/// The pattern as a graph: layer by layer, position i has what the positions had that it sees. A
/// connection says what could be used and not what is: see the influence that a trained model
/// shows. O(layers until nothing is added·nnz·n/64), n²/4 bytes beside the result.
/// @throws ShapeError unless the pattern is square; ValueError for layers below 0, or for `causal`
/// and a pattern in which a query sees a later key; CapacityError beyond kMaxReachTokens tokens.
PatternReach pattern_reach(const Pattern& pattern, bool causal, Index layers);

}  // namespace attn
