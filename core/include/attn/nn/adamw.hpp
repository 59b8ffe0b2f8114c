#pragma once
// How the parameters of a model are changed by their gradients.

#include <cstdint>

#include "attn/base/tensor.hpp"

namespace attn {

struct AdamWOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9, beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.01;
};

/// AdamW (Loshchilov and Hutter 2019, arXiv:1711.05101, algorithm 2, with PyTorch's decay times the
/// learning rate) on parameters that lie one after the other.
template <typename T = float>
class AdamW {
 public:
  /// For `size` parameters, moments of zeros.
  /// @throws ValueError unless size ≥ 1, 0 ≤ β < 1, and the rest is finite and at least 0.
  explicit AdamW(Index size, const AdamWOptions& options = {});

  /// One update, in place: p ← p·(1 − rate·decay), then p ← p − rate·m̂/(√v̂ + ε) with
  /// m ← β₁m + (1 − β₁)g, v ← β₂v + (1 − β₂)g², both divided by 1 − βᵗ. O(size); allocates nothing.
  /// `rate` is what a schedule says for this step. `decays` says of each parameter whether it is
  /// decayed: 1, or 0 for biases and norms; empty: all are.
  /// @throws ShapeError for vectors of another length.
  void step(Eigen::Ref<Vector<std::type_identity_t<T>>> parameters, InVector<T> gradients,
            double rate, InVector<T> decays);
  /// The same with the learning rate of the options, every parameter decayed.
  void step(Eigen::Ref<Vector<std::type_identity_t<T>>> parameters, InVector<T> gradients);

  /// Steps so far.
  std::uint64_t steps() const { return steps_; }
  /// The moments m and v of every parameter.
  const Vector<T>& first_moment() const { return m_; }
  const Vector<T>& second_moment() const { return v_; }
  /// Goes on from where an optimiser of the same options was.
  /// @throws ShapeError for moments of another length.
  void restore(std::uint64_t steps, InVector<T> first_moment, InVector<T> second_moment);

 private:
  AdamWOptions options_;
  std::uint64_t steps_ = 0;
  Vector<T> m_, v_;
};

/// The factor of the learning rate at `step` of `steps`: up in a line over the first `warm_up`
/// steps, from 1/warm_up to 1, then down to `least` along half a cosine (Loshchilov and Hutter
/// 2017, arXiv:1608.03983, eq. 5, one cycle).
/// @throws ValueError unless 0 ≤ step < steps, 0 ≤ warm_up ≤ steps and 0 ≤ least ≤ 1.
double cosine_schedule(Index step, Index steps, Index warm_up = 0, double least = 0);

/// Scales gradients whose Euclidean norm is above `most` down to it, in place; returns the norm
/// they had (Pascanu et al. 2013, arXiv:1211.5063, algorithm 1). Summed in float64, from the first
/// entry to the last. O(size).
/// @throws ValueError unless most is positive.
template <typename T = float>
double clip_norm(Eigen::Ref<Vector<std::type_identity_t<T>>> gradients, double most);

}  // namespace attn
