#pragma once
// The layer of RWKV-4: each token mixed with the one before it, the weighted mean of `wkv`, and a
// gate. Peng et al. 2023, arXiv:2305.13048, eq. 11 to 18; conventions of BlinkDL/RWKV-LM.

#include "attn/base/tensor.hpp"
#include "attn/mixers/wkv.hpp"

namespace attn {

/// Every W is d×d, outputs×inputs; every vector has d entries.
template <typename T = float>
struct TimeMixWeights {
  /// How much of the token itself, not of the one before, enters keys, values and the gate.
  Vector<T> mix_k, mix_v, mix_r;
  Vector<T> time_decay, time_first;
  Matrix<T> key, value, receptance, output;
};

/// What goes on to the next token: 4·d numbers.
template <typename T = float>
struct TimeMixState {
  /// d: the last input.
  Vector<T> last;
  WkvState<T> wkv;

  static TimeMixState zero(Index d) { return {Vector<T>::Zero(d), WkvState<T>::zero(d)}; }
};

template <typename T = float>
struct TimeMixResult {
  /// n×d
  Matrix<T> output;
  TimeMixState<T> state;
};

/// (σ(R) ∘ wkv(K, V))·outputᵀ with K = (μ_k ∘ x_t + (1 − μ_k) ∘ x_{t−1})·keyᵀ, and V and R alike. X
/// n×d; before the first token, zeros or what `initial` says. 4·n·d² multiply-adds in projections.
/// @throws ShapeError, ValueError
template <typename T = float>
TimeMixResult<T> time_mix(In<T> X, const TimeMixWeights<std::type_identity_t<T>>& weights,
                          const TimeMixState<std::type_identity_t<T>>* initial = nullptr);

template <typename T = float>
struct TimeMixGradients {
  Matrix<T> dX;
  TimeMixWeights<T> d_weights;
};

/// Gradients of Σ output ∘ dO from no token before. The forward pass is computed again.
/// @throws as `time_mix`, and for a dO of another shape.
template <typename T = float>
TimeMixGradients<T> time_mix_backward(In<T> X,
                                      const TimeMixWeights<std::type_identity_t<T>>& weights,
                                      In<T> dO);

/// The n×n lower-triangular matrix that one channel applies to its values: `wkv_weights` of its
/// keys, each row times the gate σ(R). @throws as `time_mix`, and ValueError for a channel that is
/// not there.
template <typename T = float>
Matrix<T> time_mix_weights(In<T> X, const TimeMixWeights<std::type_identity_t<T>>& weights,
                           Index channel);

}  // namespace attn
