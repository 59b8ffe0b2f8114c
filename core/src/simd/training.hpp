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

enum class Bend : int32_t { kRelu, kGelu, kGeluTanh, kSilu, kSigmoid };

/// y = f(x + bias) for each row; x becomes the slope there. bias may be null.
struct BendRows {
  Size rows, cols;
  Bend f;
  const float* bias;
  float *x, *y;
};

/// sums += the rows of x, one after the other. With factors it is those of x ∘ factors, which are
/// written to `products` too, perhaps over x. Factors and products lie without gaps.
struct SumRows {
  Size rows, cols;
  const float* x;
  Size x_row;
  float* sums;
  const float* factors = nullptr;
  float* products = nullptr;
};

// Of the kernels below, rows are the tokens of one sequence, and have d channels side by side, a
// multiple of 16.

/// RWKV-4's mean, with w = −e^{time_decay}:
///   out_t = (Σ_{i<t} e^{(t−1−i)w + k_i} v_i + e^{u + k_t} v_t)/(the same without v)
/// Gradients by k and v are written, those by time_decay and u added.
struct TrainedMean {
  Size n, d;
  const float *k, *v, *time_decay, *u;
  float* out;
  const float* d_out;
  float *d_k, *d_v, *d_time_decay, *d_u;
};

/// Mamba's scan, of `states` numbers s a channel:
///   h_t[s] = e^{Δ_t·rate[s]} h_{t−1}[s] + Δ_t u_t B_t[s],  out_t = Σ_s C_t[s] h_t[s]
/// `step` is Δ ≥ 0; rates, below 0, lie in rows of d, a row for each s. B and C are `selected`
/// rows of 2·states. Gradients by rates are added, the others written.
struct TrainedScan {
  Size n, d, states;
  const float *u, *step, *rates, *selected;
  Size selected_row;
  float* out;
  const float* d_out;
  float *d_u, *d_step, *d_rates, *d_selected;
};

/// out_t = Σ_{s ≤ t} filter_{t−s} ∘ x_s. The gradient by x is written, that by the filter added.
struct TrainedConvolution {
  Size n, d;
  const float *x, *filter;
  float* out;
  const float* d_out;
  float *d_x, *d_filter;
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
  void bend_rows(const BendRows& x);                               \
  void sum_rows(const SumRows& x);                                 \
  void trained_mean_forward(const TrainedMean& x);                 \
  /* `work` takes 3·16·n floats. */                              \
  void trained_mean_backward(const TrainedMean& x, float* work);   \
  /* `work` takes 16·states floats, and 64·(n + 1)·states. */   \
  void trained_scan_forward(const TrainedScan& x, float* work);    \
  void trained_scan_backward(const TrainedScan& x, float* work);   \
  void trained_convolution_forward(const TrainedConvolution& x);   \
  void trained_convolution_backward(const TrainedConvolution& x);

#define ATTN_TRAINING_SET(set) \
  namespace set {              \
  ATTN_TRAINING_KERNELS        \
  }

}  // namespace attn::simd
