#pragma once
// Attention to the blocks of keys that a query chooses: MoBA. Lu et al. 2025, arXiv:2502.13189,
// section 2.2; conventions of MoonshotAI/MoBA, moba_naive.py.

#include <optional>
#include <vector>

#include "attn/attention/pattern.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

struct BlockChoiceOptions {
  /// Tokens of a block; the last block may be shorter.
  Index block = 64;
  /// How many blocks a query sees, its own included.
  Index top_k = 3;
};

template <typename T = float>
struct BlockChoice {
  /// n×blocks: q·mean(keys of the block), not scaled, for the blocks before the query's own; NaN
  /// for its own and later ones, which are not ranked.
  Matrix<T> gate;
  /// n×blocks: 1 for the blocks that the query sees.
  Matrix<T> selected;
  /// The keys j ≤ i of those blocks.
  Pattern pattern;
};

/// A query sees its own block up to itself, and of the earlier blocks the top_k − 1 with the
/// largest gate, the earliest of equal ones; all of them where there are fewer. Q, K n×d_k.
/// n²·d_k/block multiply-adds for the gates and n·d_k additions for the means.
/// @throws ShapeError; ValueError for a block or top_k below 1, or gates that overflow;
/// CapacityError
template <typename T = float>
BlockChoice<T> choose_blocks(In<T> Q, In<T> K, const BlockChoiceOptions& options = {});

struct BlockAttentionOptions {
  BlockChoiceOptions choice;
  /// Factor on q·k. Left out: 1/√d_k.
  std::optional<double> scale = {};
};

template <typename T = float>
struct BlockAttentionResult {
  /// batch×heads×n×d_v
  Stack<T> output;
  /// batch×heads×n×blocks, as in `BlockChoice`
  Stack<T> gate, selected;
  /// batch×heads: the kept cells of each head.
  std::vector<Index> cells;
};

/// One softmax over everything that `choose_blocks` keeps, in every head of every batch entry.
/// Q, K batch×heads×n×d_k, V batch×heads×n×d_v. The gates, and cells·(d_k + d_v) multiply-adds; at
/// most n·block·top_k cells a head. Its gradient, with the choice as a constant, is
/// `sparse_attention_backward` over the pattern.
/// @throws as `choose_blocks`
template <typename T = float>
BlockAttentionResult<T> block_attention(const Stack<std::type_identity_t<T>>& Q,
                                        const Stack<std::type_identity_t<T>>& K,
                                        const Stack<std::type_identity_t<T>>& V,
                                        const BlockAttentionOptions& options = {});

}  // namespace attn
