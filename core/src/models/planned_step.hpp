#pragma once
// A training step of a language model in float32 whose memory is planned once. Private to the core.
//
// The layers of nn/ and mixers/ return new matrices, which reads well and is what tests compare
// with. Here the same step, forward and backward, runs on one block of memory: the first step lays
// out every intermediate result in it, later ones allocate nothing. What the way back needs is kept
// instead of computed again, and the logits are only made where there is a target.

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
  /// What `LanguageModel::add_gradients` does; its arguments have been checked there. Returns
  /// false, with nothing done, where the model has a layer or the batch a number that only the
  /// definitions handle.
  bool run(const LanguageModel<float>& model, std::span<const std::int32_t> tokens,
           std::span<const std::int32_t> targets, Index batch, Index counted,
           Vector<float>& gradients, BatchResult& result);

 private:
  using Size = simd::Size;

  using Linear = PlannedLinear;
  struct Norm {
    Size weight = -1, bias = -1;
  };

  enum class Mixing { kHeads, kState, kShortConvolution, kOwn, kOther };
  enum class Decay { kNone, kConstant, kToken, kKey, kStep };

  struct Layer {
    // What the layer is.
    Norm norm, feed_norm;
    Mixing mixing = Mixing::kOther;
    Size heads = 1, d_k = 0, d_v = 0, gates = 0;
    Linear in, gate, out, up, down;
    Size first = 0, count = 0;  // the mixer's parameters, for kOther
    // kHeads
    simd::TrainedHead head = {};
    bool has_map = false;
    simd::FeatureMap map = {};
    // kState
    Decay decay = Decay::kNone;
    bool delta = false, beta = false, head_norm = false;
    float scale = 1;
    // kShortConvolution
    Size taps = 0, taps_at = 0, taps_bias = 0;
    bool adds_input = false;

    // kOwn
    std::unique_ptr<PlannedMixer> own;

    // What its way forward keeps.
    float *x = nullptr, *a = nullptr, *sizes = nullptr, *projected = nullptr, *gated = nullptr,
          *phi = nullptr, *mixed = nullptr, *kept = nullptr;
    Size kept_each = 0;
    float *middle = nullptr, *feed_a = nullptr, *feed_sizes = nullptr, *slope = nullptr,
          *joined = nullptr;
  };

  bool prepare(const LanguageModel<float>& model);
  bool prepare_mixer(const SequenceMixer<float>& mixer, Size at, Layer& layer);
  /// Every pointer below, in `area`, or only how much there has to be.
  Size lay_out(float* area);
  /// False where a step would keep too much.
  bool plan(Size batch, Size n);

  void forward_mixer(Layer& layer, const float* p, const SequenceMixer<float>& mixer,
                     InVector<float> own, float* y);
  void backward_mixer(Layer& layer, const float* p, float* g, const SequenceMixer<float>& mixer,
                      InVector<float> own, Eigen::Ref<Vector<float>> d_own);
  void forward_heads(Layer& layer);
  void backward_heads(Layer& layer);
  simd::TrainedHead head_at(const Layer& layer, Size sequence, Size head) const;
  struct StateParts;
  StateParts state_at(const Layer& layer, Size sequence, Size head) const;
  /// What both passes over the states of a head read and keep.
  simd::TrainedState trained_state(const Layer& layer, const StateParts& parts) const;
  void forward_states(Layer& layer);
  void backward_states(Layer& layer);
  void forward_convolution(Layer& layer, const float* p, float* y);
  void backward_convolution(Layer& layer, const float* p, float* g);

  const LanguageModel<float>* model_ = nullptr;
  bool possible_ = false;
  Size vocabulary_ = 0, width_ = 0, feed_ = 0, batch_ = 0, n_ = 0, rows_ = 0;
  Size tokens_at_ = 0, positions_at_ = -1;
  bool centred_ = true;
  float epsilon_ = 0;
  simd::Bend bend_ = simd::Bend::kGelu;
  Norm last_norm_;
  Linear head_;
  std::vector<Layer> layers_;
  /// The rows whose target counts.
  std::vector<Index> counted_;
  std::vector<float> memory_;

  // What is used by one layer after the other.
  float *x_ = nullptr, *last_x_ = nullptr, *last_sizes_ = nullptr, *last_a_ = nullptr,
        *logits_ = nullptr, *sums_ = nullptr;
  float *d_ = nullptr, *d_a_ = nullptr, *d_projected_ = nullptr, *d_gated_ = nullptr,
        *d_phi_ = nullptr, *d_mixed_ = nullptr, *d_joined_ = nullptr, *work_ = nullptr;
};

}  // namespace attn::internal
