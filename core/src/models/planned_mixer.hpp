#pragma once
// The way of a training step through a mixer that is a layer of its own: RetNet, RWKV-4, Mamba,
// Hyena, latent attention. As in `PlannedStep`, which holds them, memory is planned, not allocated.
// Private to the core.

#include <memory>

#include "attn/mixers/sequence_mixer.hpp"
#include "simd/training.hpp"

namespace attn::internal {

class PlannedMixer {
 public:
  using Size = simd::Size;

  virtual ~PlannedMixer() = default;

  /// Lays out for `batch` sequences of n tokens what the way back needs, at `kept`; or, for null,
  /// only says how many floats that is.
  virtual Size keep(float* kept, Size batch, Size n) = 0;
  /// The same for what is needed during a call alone.
  virtual Size use(float* work) = 0;

  // `p` and `g` are the model's parameters and their gradients, `a` the layer's input. What lies at
  // `work` is laid out by these themselves.
  /// y += mixer(a)
  virtual void forward(const float* p, const float* a, float* work, float* y) = 0;
  /// Writes da, and adds the gradients by the parameters.
  virtual void backward(const float* p, float* g, const float* a, const float* dy, float* work,
                        float* da) = 0;
};

/// Null for a mixer that has no way of its own here. `first` is where the parameters of the mixer
/// begin in the model's.
std::unique_ptr<PlannedMixer> planned_mixer(const SequenceMixer<float>& mixer, Index first);

}  // namespace attn::internal
