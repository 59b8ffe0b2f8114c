#pragma once
// The way of a training step through a mixer, forward and backward. Whatever the mixer is, the step
// knows it by this interface alone. As in `PlannedStep`, which holds them, memory is planned, not
// allocated. Private to the core.
//
// To plan another kind of mixer, derive from `PlannedLayer` and name it in the table at the end of
// its source; planned_layer.hpp has both.

#include <memory>

#include "attn/mixers/sequence_mixer.hpp"
#include "simd/training.hpp"

namespace attn::internal {

class PlannedMixer {
 public:
  using Size = simd::Size;

  virtual ~PlannedMixer() = default;

  /// Lays out for `batch` sequences of n tokens what the way back needs, at `kept`; or, for null,
  /// only says how many floats that is. 0: nothing is planned, and the definition does the work.
  virtual Size keep(float* kept, Size batch, Size n) = 0;
  /// The same for what is needed during a call alone.
  virtual Size use(float* work) = 0;

  // `p` and `g` are the model's parameters and their gradients, `a` the layer's input; a, y, da and
  // dy are (batch·n)×d_model. What lies at `work` is laid out by these themselves.
  /// y += mixer(a)
  virtual void forward(const float* p, const float* a, float* work, float* y) = 0;
  /// Writes da, and adds the gradients by the parameters.
  virtual void backward(const float* p, float* g, const float* a, const float* dy, float* work,
                        float* da) = 0;
};

/// The way through any mixer, never null: made of kernels where there are some for its kind, its
/// settings and its length, otherwise what `SequenceMixer` computes, in matrices of its own. It
/// reads the mixer as long as it lives. `first` is where the mixer's parameters begin in the
/// model's.
std::unique_ptr<PlannedMixer> planned_mixer(const SequenceMixer<float>& mixer, Index first);

}  // namespace attn::internal
