#pragma once
// A training step of a language model in float32 whose memory is planned once. Private to the core.
//
// The layers of nn/ and mixers/ return new matrices, which reads well and is what tests compare
// with. Here the same step, forward and backward, runs on one block of memory: the first step lays
// out every intermediate result in it, later ones allocate nothing. What the way back needs is kept
// instead of computed again, and the logits are only made where there is a target.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "attn/models/language_model.hpp"
#include "models/planned_mixer.hpp"
#include "models/planned_parts.hpp"

namespace attn::internal {

class PlannedStep {
 public:
  /// As `StepMemory` says.
  explicit PlannedStep(Index checkpoint_every) : checkpoint_every_(checkpoint_every) {}

  /// What `LanguageModel::add_gradients` does; its arguments have been checked there. Returns
  /// false, with nothing done, where the model has a layer or the batch a number that only the
  /// definitions handle.
  bool run(const LanguageModel<float>& model, std::span<const std::int32_t> tokens,
           std::span<const std::int32_t> targets, Index batch, Index counted,
           Vector<float>& gradients, BatchResult& result);

  /// What the last run kept and did.
  const StepWork& work() const { return counted_work_; }

 private:
  using Size = simd::Size;

  using Linear = PlannedLinear;
  struct Norm {
    Size weight = -1, bias = -1;
  };

  struct Layer {
    // What the layer is.
    Norm norm, feed_norm;
    std::unique_ptr<PlannedMixer> mixer;
    Linear up, down;

    // What its way forward keeps.
    float *x = nullptr, *a = nullptr, *sizes = nullptr;
    float *middle = nullptr, *feed_a = nullptr, *feed_sizes = nullptr, *slope = nullptr,
          *joined = nullptr;
  };

  /// Whether the plan was made for this model and the kernels that are chosen now.
  bool fits(const LanguageModel<float>& model) const;
  bool prepare(const LanguageModel<float>& model);
  /// Every pointer below, in `area`, or only how much there has to be.
  Size lay_out(float* area);
  void lay_out_layer(Layer& layer, Area& area);
  /// Where a segment that begins with this layer ends.
  Size end_of(Size first) const {
    return std::min(first + segment_, static_cast<Size>(layers_.size()));
  }
  /// Where a segment finds its input.
  float* input_of(Size first);
  /// The layers of a segment, which leave what the way back needs. The output of the last of them
  /// is written to `out`.
  void forward(const float* p, Size first, float* out);
  /// False where a step would keep too much.
  bool plan(Size batch, Size n);

  // An address says nothing: when a model is gone, another may lie where it lay. The mixers read
  // those of the model, and how much kernels keep depends on their width.
  std::uint64_t model_ = 0;
  const simd::Kernels* kernels_ = nullptr;
  bool possible_ = false, laid_out_ = false;
  Size vocabulary_ = 0, width_ = 0, feed_ = 0, batch_ = 0, n_ = 0, rows_ = 0;
  Size tokens_at_ = 0, positions_at_ = -1;
  bool centred_ = true;
  float epsilon_ = 0;
  simd::Bend bend_ = simd::Bend::kGelu;
  Norm last_norm_;
  Linear head_;
  std::vector<Layer> layers_;
  /// Layers in a segment, and the inputs of all segments but the last. Segments share their memory.
  Index checkpoint_every_ = 0;
  Size segment_ = 1;
  std::vector<float*> inputs_;
  StepWork counted_work_;
  /// The rows whose target counts.
  std::vector<Index> counted_;
  std::vector<float> memory_;

  // What is used by one layer after the other.
  float *x_ = nullptr, *last_x_ = nullptr, *last_sizes_ = nullptr, *last_a_ = nullptr,
        *logits_ = nullptr, *sums_ = nullptr;
  float *d_ = nullptr, *d_a_ = nullptr, *d_joined_ = nullptr, *work_ = nullptr;
};

}  // namespace attn::internal
