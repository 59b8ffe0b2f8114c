#pragma once
// A feature map that learns to weigh keys as softmax does (Hedgehog: Zhang et al. 2024,
// arXiv:2402.04347, section 4.2): φ(Wq·q) and φ(Wk·k) with a matrix each, trained on the queries
// and keys of a head while everything else stays as it is.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "attn/attention/mask.hpp"
#include "attn/base/inputs.hpp"
#include "attn/base/tensor.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "attn/nn/adamw.hpp"

namespace attn {

template <typename T = float>
struct MapDistillationLoss {
  /// −1/rows·Σ_i Σ_j A_ij·ln Â_ij over the rows of all texts that see a key, with A the weights of
  /// softmax and Â those of the map; in nats.
  double loss = 0;
  /// The entropy of A in the same mean: the least that the loss can be. What is between the two is
  /// the Kullback–Leibler divergence.
  double floor = 0;
  /// The gradients of the loss, shaped as Wq and Wk.
  Matrix<T> d_Wq, d_Wk;
};

/// The cross-entropy of the weights over texts (Q n×d, K m×d; V plays no part), and its gradients
/// by the map's own matrices Wq and Wk (d×d). `map` is any positive one for the width d; its own
/// projection, where it has one, stays before it. Â has the ε of `compute_implicit_attention`.
/// O(n²·(d + D)) a text.
/// @throws ShapeError; ValueError for a map that is not positive, which has no logarithm, and for
/// numbers that are not finite
template <typename T = float>
MapDistillationLoss<T> map_distillation_loss(std::span<const Qkv<T>> texts, In<T> Wq, In<T> Wk,
                                             const FeatureMap<T>& map, const Mask& mask);

struct MapDistillationOptions {
  /// An id of `feature_maps()`.
  std::string feature_map = "hedgehog";
  Index steps = 200;
  double learning_rate = 1e-2;
};

template <typename T = float>
struct MapDistillationResult {
  /// d×d; they begin as the identity, as in the paper.
  Matrix<T> Wq, Wk;
  /// Before each step, and after the last.
  std::vector<double> loss;
  double floor = 0;
};

/// Trains Wq and Wk by Adam on all texts at once. Deterministic.
///
///   MapDistillation distillation(texts, mask, options);
///   while (!distillation.step(1)) …
template <typename T = float>
class MapDistillation {
 public:
  /// @throws as `map_distillation_loss` and `FeatureMap`; ValueError for steps outside 1 … 100000
  MapDistillation(std::vector<Qkv<T>> texts, Mask mask, const MapDistillationOptions& options = {});

  /// Up to `steps` more; returns whether all are done.
  bool step(Index steps);
  double progress() const;
  const MapDistillationResult<T>& result() const { return result_; }

 private:
  std::vector<Qkv<T>> texts_;
  Mask mask_;
  MapDistillationOptions options_;
  FeatureMap<T> map_;
  /// Wq and Wk, one after the other.
  Vector<T> parameters_;
  AdamW<T> optimizer_;
  MapDistillationLoss<T> now_;
  Index done_ = 0;
  MapDistillationResult<T> result_;

  void look();
};

}  // namespace attn
