#pragma once
// The mixer of RWKV-4: an average of the values so far, weighted by keys that fade with their age.
// Peng et al. 2023, arXiv:2305.13048, eq. 16; the stable form is that of BlinkDL/RWKV-LM.

#include "attn/base/tensor.hpp"

namespace attn {

/// What is remembered of the tokens so far, channel by channel: p/q is the weighted mean of the
/// values, both divided by e^o so that no key is too large for them.
template <typename T = float>
struct WkvState {
  /// d each
  Vector<T> p, q, o;

  /// No token yet.
  static WkvState zero(Index d);
};

template <typename T = float>
struct WkvResult {
  /// n×d
  Matrix<T> output;
  /// After the last token.
  WkvState<T> state;
};

/// output_t = (Σ_{i<t} e^{(t−1−i)w + k_i} v_i + e^{u + k_t} v_t) / (the same without v), for each
/// of d channels by itself, with w = −e^{time_decay}. K and V n×d; time_decay and u ("time_first")
/// d. Goes on from `initial`; nullptr for no token before. Any finite key is possible: each
/// exponential is taken relative to the largest so far. There is no query: what is read does not
/// depend on what is asked. O(n·d), four exps an entry; the state is 3·d numbers.
/// @throws ShapeError, ValueError for shapes that do not fit or entries that are not finite.
template <typename T = float>
WkvResult<T> wkv(In<T> K, In<T> V, InVector<T> time_decay, InVector<T> u,
                 const WkvState<std::type_identity_t<T>>* initial = nullptr);

template <typename T = float>
struct WkvGradients {
  /// n×d
  Matrix<T> dK, dV;
  /// d
  Vector<T> d_time_decay, du;
};

/// Gradients of Σ output ∘ dO from no token before. dO n×d. O(n·d) time and memory.
/// @throws as `wkv`
template <typename T = float>
WkvGradients<T> wkv_backward(In<T> K, In<T> V, InVector<T> time_decay, InVector<T> u, In<T> dO);

/// The n×n lower-triangular matrix that one channel applies to its values; each row sums to 1.
/// `keys` n of them. O(n²).
/// @throws ShapeError, ValueError as `wkv`
template <typename T = float>
Matrix<T> wkv_weights(InVector<T> keys, double time_decay, double u);

}  // namespace attn
