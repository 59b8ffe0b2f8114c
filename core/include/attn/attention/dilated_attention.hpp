#pragma once
// Dilated attention in several branches, each with its own length of segments and its own gaps.
// Ding et al. 2023, LongNet, arXiv:2307.02486, section 2; conventions of microsoft/torchscale.

#include <optional>
#include <vector>

#include "attn/attention/pattern.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// Which tokens of a segment the heads of a branch keep.
enum class DilatedOffsets {
  kHeadModRatio,  ///< head mod ratio: the paper, section 2.3
  kHeadShare,  ///< head div ⌈heads/ratio⌉: torchscale's code, another rule once heads > ratio
};

struct DilatedOptions {
  /// One length of segments, and one ratio, for each branch.
  std::vector<Index> segments = {64, 256}, ratios = {1, 4};
  DilatedOffsets offsets = DilatedOffsets::kHeadModRatio;
  bool causal = true;
  /// Factor on q·k. Left out: 1/√d_k.
  std::optional<double> scale = {};
};

/// The offset of a head in a branch of that ratio. O(1).
/// @throws ValueError unless ratio ≥ 1 and 0 ≤ head < heads.
Index dilated_offset(Index head, Index heads, Index ratio, DilatedOffsets rule);

template <typename T = float>
struct DilatedResult {
  /// batch×heads×n×d_v
  Stack<T> output;
  /// batch×branches×heads×n: the share of each branch in the output of each query, 0 where the
  /// branch does not keep it; a query's shares sum to 1, or are all 0.
  Stack<T> mix;
  /// For each head the scores that are computed, all branches together.
  std::vector<Index> cells;
};

/// Branch b of head h is softmax attention over `dilated_segments_pattern`; the outputs of the
/// branches are mixed by their softmax denominators, mix_b = exp(lse_b)/Σ exp(lse) (equation 10).
/// A key that several branches show therefore counts several times: this is no softmax over the
/// union. A query that no branch keeps has zero output. Where n is no multiple of a segment, the
/// last one is shorter (torchscale pads it with zero keys, which take part unless causal).
/// Q, K batch×heads×n×d_k, V batch×heads×n×d_v. cells·(d_k + d_v) multiply-adds for each batch
/// entry; about n·Σ segment/ratio² cells a head.
/// @throws ShapeError, also unless there is a ratio for each segment; ValueError; CapacityError
template <typename T = float>
DilatedResult<T> dilated_attention(const Stack<std::type_identity_t<T>>& Q,
                                   const Stack<std::type_identity_t<T>>& K,
                                   const Stack<std::type_identity_t<T>>& V,
                                   const DilatedOptions& options = {});

template <typename T = float>
struct DilatedGradients {
  /// As Q, K and V.
  Stack<T> dQ, dK, dV;
};

/// Gradients of Σ output ∘ dO; dO batch×heads×n×d_v. `through_mix`: whether the shares of the
/// branches are functions of Q and K too, as they are. Without, they are constants, as in
/// torchscale's code, whose gradients are therefore not those of its output. The weights are
/// recomputed. cells·(3·d_k + 2·d_v) multiply-adds for each batch entry, and cells·2·d_k more
/// through the mix.
/// @throws as `dilated_attention`, and ShapeError for another shape of dO.
template <typename T = float>
DilatedGradients<T> dilated_attention_backward(const Stack<std::type_identity_t<T>>& Q,
                                               const Stack<std::type_identity_t<T>>& K,
                                               const Stack<std::type_identity_t<T>>& V,
                                               const Stack<std::type_identity_t<T>>& dO,
                                               const DilatedOptions& options = {},
                                               bool through_mix = true);

}  // namespace attn
