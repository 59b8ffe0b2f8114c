#pragma once
// What the heads of a trained model are worth: importance by gradients in one pass, losses as heads
// are cut one after the other, and grouped heads or latent attention made of it. Gates themselves
// are `ModelGates`.
//
// Later layers repair part of what a cut takes away, so that the loss of a cut is a lower bound of
// what the head does, and single cuts do not add up to a joint one.

#include <cstdint>
#include <span>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/heads/head_importance.hpp"
#include "attn/linear_attention/map_distillation.hpp"
#include "attn/models/language_model.hpp"

namespace attn {

/// The importance of all heads of a model on one batch.
struct ModelHeadImportance {
  /// Of each sequence: the mean loss over its targets; NaN without any.
  std::vector<double> losses;
  /// One entry a layer; without heads for a layer that has none to gate. Means are over the
  /// sequences that have a target, and each sequence counts once, however many it has.
  std::vector<HeadImportance> layers;
};

/// `importance_of_gates` for every layer, from one way forward and one back (Michel et al. 2019).
/// @throws as `LanguageModel::gate_gradients`; ValueError for targets none of which counts.
template <typename T = float>
ModelHeadImportance model_head_importance(const LanguageModel<T>& model,
                                          std::span<const std::int32_t> tokens,
                                          std::span<const std::int32_t> targets, Index batch,
                                          const ModelGates<T>& gates = {});

/// A head of a model.
struct HeadPlace {
  /// From 0.
  Index layer = 0, head = 0;
};

/// All heads of a model that can be gated, layer by layer.
template <typename T = float>
std::vector<HeadPlace> gated_heads(const LanguageModel<T>& model);

struct CuttingOptions {
  /// Whether the mean of a head's output over the batch takes its place, or zeros.
  bool mean = false;
  /// How many random orders are cut beside the given ones: whether an order is worth anything shows
  /// only beside them (Prasanna, Rogers and Rumshisky 2020, arXiv:2005.00561).
  Index random_orders = 0;
  std::uint64_t seed = 0;
};

/// The losses as heads are cut.
struct CuttingResult {
  /// The loss of the whole model.
  double loss = 0;
  /// One list for each given order: entry k is the loss with its first k + 1 heads cut.
  std::vector<std::vector<double>> losses;
  /// The random orders of all heads, and theirs.
  std::vector<std::vector<HeadPlace>> random_orders;
  std::vector<std::vector<double>> random_losses;
  /// Every head cut alone, in the order of `gated_heads`.
  std::vector<HeadPlace> heads;
  std::vector<double> alone;
};

/// Cuts heads in given orders and in random ones, one head more at a time, and each head alone: one
/// forward pass of the batch a step. It works on a copy of the model as it was.
///
///   HeadCutting cutting(model, tokens, targets, batch, orders);
///   while (!cutting.step(1)) …
template <typename T = float>
class HeadCutting {
 public:
  /// @throws as `LanguageModel::evaluate`, for heads as `LanguageModel::logits`; ValueError for
  /// targets none of which counts, a model without gated heads, or random_orders outside 0 … 100.
  HeadCutting(const LanguageModel<T>& model, std::span<const std::int32_t> tokens,
              std::span<const std::int32_t> targets, Index batch,
              std::vector<std::vector<HeadPlace>> orders, const CuttingOptions& options = {});

  /// Up to `passes` forward passes more; returns whether all are done.
  bool step(Index passes);
  double progress() const;
  const CuttingResult& result() const { return result_; }

 private:
  double loss_without(std::span<const HeadPlace> cut) const;

  LanguageModel<T> model_;
  std::vector<std::int32_t> tokens_, targets_;
  Index batch_;
  std::vector<std::vector<HeadPlace>> orders_;
  std::vector<Matrix<T>> means_;
  CuttingResult result_;
  Index done_ = 0, passes_ = 0;
};

/// A model with the same options and parameters.
template <typename T = float>
LanguageModel<T> copy_of(const LanguageModel<T>& model);

/// A model whose layers have `kv_heads` heads of keys and values, each the mean of those of its
/// group (`pool_heads`), and which can be trained on. Layers whose mixer cannot share keys and
/// values stay as they are. A trained-on twentieth of the first training brought back most of what
/// this loses (Ainslie et al. 2023, arXiv:2305.13245, section 3).
/// @throws ValueError unless kv_heads ≥ 1 divides those that every such layer has, and for a model
/// without any.
template <typename T = float>
LanguageModel<T> group_model_heads(const LanguageModel<T>& model, Index kv_heads);

struct LatentHeadsOptions {
  /// The width of the latent vector.
  Index latent = 8;
  /// The width of the one rotated key that all heads share.
  Index rope = 4;
};

/// A model whose softmax layers with rotary positions have become latent attention ("mla"), with
/// weights made of theirs, and which can be trained on (Ji et al. 2025, arXiv:2502.14837, section
/// 3). Layers with biases or with shared keys, and other mixers, stay as they are.
///
/// - Of a head's rotated pairs, those go on being rotated whose speeds the shared key has: every
///   d_k/rope-th. All heads' keys of such a pair become one key, turned and scaled for each head,
///   the nearest such where a head counts as much as its queries are large; the queries take over
///   the turn and the scale, so that a pair whose keys are such multiples loses nothing.
/// - The other pairs lose their rotation. Their keys and all values are made from the latent
///   vector: the largest singular vectors of both matrices at once, seen through the gains of the
///   norm before. A vector as wide as the model loses nothing where that norm has no bias.
///
/// @throws ValueError for a model without such a layer, a rope that is odd, as wide as a head's
/// keys or no divisor of their width, and a latent vector outside 1 … d_model
template <typename T = float>
LanguageModel<T> latent_model_heads(const LanguageModel<T>& model,
                                    const LatentHeadsOptions& options = {});

/// Distils one head's softmax into a feature map on the sequences of a batch, while the model stays
/// as it is: what it learns are the Wq and Wk of a `ModelMap`.
/// @throws as `LanguageModel::head_inputs` and `MapDistillation`
template <typename T = float>
MapDistillation<T> distill_head(const LanguageModel<T>& model, std::span<const std::int32_t> tokens,
                                Index batch, Index layer, Index head,
                                const MapDistillationOptions& options = {});

}  // namespace attn
