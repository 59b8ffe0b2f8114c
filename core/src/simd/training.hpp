#pragma once
// Kernels of a training step, float32. They are no members of `Kernels`, so that a module that
// trains nothing holds none of them. As there: nothing is checked, nothing is allocated, matrices
// are row-major. `models/planned_step.cpp` calls them; the layers in nn/ and mixers/ are their
// reference.

#include "kernels.hpp"

namespace attn::simd {

/// How the weights P of a head follow from its scores s = scale·q·k.
enum class Scores : int32_t {
  kSoftmax,  ///< e^s/Σ e^s
  kTaylor,   ///< w/(Σ w + ε) with w = 1 + s + s²/2
  kProduct,  ///< s/(Σ s + ε), of features that were applied before
};

/// One head of one sequence, whose token i sees tokens i − left … i + right and the first `sinks`;
/// `right` is 0 or at least n.
/// O = P·V; backward the gradients of Σ O ∘ dO, written, not added.
struct TrainedHead {
  Size n, d, dv;
  const float *q, *k, *v;
  Size qk_row, v_row;
  float scale;
  Scores scores;
  float epsilon;
  Size left, right, sinks;
  /// What the way back needs: `trained_head_kept` floats, written by the way forward.
  float* kept;
  /// n×dv each.
  float* out;
  const float* d_out;
  Size out_row;
  float *d_q, *d_k, *d_v;
  Size d_qk_row, d_v_row;
};

/// A head whose state is a d×dv matrix, token by token:
///   S' = decay ∘ S,  e = v, or with `beta` e = β(v − S'ᵀk),  S = S' + k eᵀ,  o = Sᵀq.
/// Rows of q and k have d entries, those of v, out and their gradients dv, a multiple of 16.
struct TrainedState {
  Size n, d, dv;
  const float *q, *k, *v;
  /// Factors of the state's rows: `decays` of them a token, 0 (none), 1 or d.
  const float* decay;
  Size decays;
  /// n, or null: what is written is v itself.
  const float* beta;
  /// (n + 1)×d×dv states from the zero before the first token on, and n×dv writes e.
  float *states, *writes;
  float* out;
  const float* d_out;
  float *d_q, *d_k, *d_v;
  /// n×decays, by the factors; n.
  float *d_decay, *d_beta;
};

/// y = (x − mean)·scale·weight + bias of each row; the mean is taken as 0 unless `centred`. bias
/// may be null. `sizes` keeps mean and scale of each row.
struct NormRows {
  Size rows, d;
  const float *x, *weight, *bias;
  bool centred;
  float epsilon;
  float *y, *sizes;
};

/// The gradients of Σ y ∘ dy, all added to what is there. d_bias may be null.
struct NormRowsBackward {
  Size rows, d;
  const float *x, *weight, *sizes, *dy;
  bool centred;
  float *dx, *d_weight, *d_bias;
};

enum class Bend : int32_t { kRelu, kGelu, kGeluTanh, kSilu };

/// y = f(x + bias) for each row; x becomes the slope there. bias may be null.
struct BendRows {
  Size rows, cols;
  Bend f;
  const float* bias;
  float *x, *y;
};

#define ATTN_TRAINING_KERNELS                                      \
  Size trained_head_kept(const TrainedHead& x);                    \
  Size trained_head_work(const TrainedHead& x);                    \
  void trained_head_forward(const TrainedHead& x, float* work);    \
  void trained_head_backward(const TrainedHead& x, float* work);   \
  void trained_state_forward(const TrainedState& x);               \
  /* `work` takes 2·d·dv floats. */                              \
  void trained_state_backward(const TrainedState& x, float* work); \
  void norm_rows(const NormRows& x);                               \
  void norm_rows_backward(const NormRowsBackward& x);              \
  void bend_rows(const BendRows& x);

#define ATTN_TRAINING_SET(set) \
  namespace set {              \
  ATTN_TRAINING_KERNELS        \
  }

}  // namespace attn::simd
