#pragma once
// How much a layer's heads matter: gates on their outputs, the gradients by them, and what is left
// without a head. The layer is O = Σ_h ξ_h·head_h·Wo_hᵀ + bo with the gates ξ = 1; head h has the
// columns h·d_v … of Wo. For the heads of a whole model see attn/models/head_surgery.hpp.

#include <span>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// The importance of each head of one layer, from gradients by gates (Michel, Levy and Neubig 2019,
/// arXiv:1905.10650).
struct HeadImportance {
  /// Mean over the examples of |∂L/∂ξ_h|: equation 2. The absolute value is taken of an example's
  /// whole gradient, within which tokens may cancel.
  std::vector<double> importance;
  /// That over its l2 norm within the layer, by which the paper compares layers; zeros stay zeros.
  std::vector<double> importance_unit;
  /// Σ over examples and tokens of |the token's part of ∂L/∂ξ_h|, over all tokens: what the paper's
  /// code computes, where nothing cancels, another ranking. (The code divides its last layer by the
  /// number of examples instead; here all layers are divided by that of tokens.)
  std::vector<double> importance_per_token;
};

/// From what each token adds to ∂L/∂ξ: for each example one n×h matrix. O(size).
/// @throws ShapeError for no example, or examples with other heads; ValueError for parts that are
/// not finite
template <typename T = float>
HeadImportance importance_of_gates(std::span<const Matrix<T>> parts);

struct LayerImportance {
  /// L = Σ G∘O of each example.
  std::vector<double> loss;
  /// examples×h: ∂L/∂ξ_h at ξ = 1. The bias has no part in it.
  Matrix<double> gate_gradient;
  /// examples×h: L with ξ_h = 0, which is L − ∂L/∂ξ_h here, since L is linear in each gate. In a
  /// model it is not, and has to be measured (`ablation_losses`).
  Matrix<double> loss_without_head;
  HeadImportance scores;
};

/// The importance of a layer's heads where O has the gradient G = ∂L/∂O. `heads` has of each
/// example the outputs of the h heads before Wo (n×d_v each), Wo outputs×h·d_v, G n×outputs for
/// each example, bo `outputs` entries or none. O(examples·n·outputs·h·d_v).
/// @throws ShapeError; ValueError for numbers that are not finite
template <typename T = float>
LayerImportance head_importance(std::span<const std::vector<Matrix<T>>> heads, In<T> Wo,
                                std::span<const Matrix<T>> G, InVector<T> bo = Vector<T>());

/// What a layer gives of one text, whole and without each head.
template <typename T = float>
struct AblatedHeads {
  /// n×outputs: the layer as it is.
  Matrix<T> output;
  /// One n×outputs matrix a head: with zeros in the place of its output, and with its mean over the
  /// n tokens in every row. bo stays. Zeros are an output that the layers behind never saw, so that
  /// the mean says more of what the head does with the text.
  std::vector<Matrix<T>> zero, mean;
};

/// For each example; arguments as in `head_importance`. O(examples·h·n·outputs·d_v).
/// @throws as `head_importance`
template <typename T = float>
std::vector<AblatedHeads<T>> ablated_heads(std::span<const std::vector<Matrix<T>>> heads, In<T> Wo,
                                           InVector<T> bo = Vector<T>());

}  // namespace attn
