// Heads that apply a matrix of weights: softmax, windows, and linear attention of short sequences.

#include <memory>
#include <optional>

#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "attn/mixers/positions.hpp"
#include "models/planned_layer.hpp"
#include "simd/fused.hpp"

namespace attn::internal {
namespace {

/// Above so many tokens linear attention is cheaper through its state than through weights, and
/// below a kernel that keeps all of them is the fastest; see `Linear::kShort` of the mixers.
constexpr Index kLongestLinear = 128;

/// dx = dφ ∘ φ'(x), for maps that work on each entry by itself.
void map_backward(const simd::FeatureMap& map, const float* x, const float* phi, const float* d_phi,
                  Size count, float* dx) {
  const float a = map.a;
  const auto each = [&](auto slope) {
    for (Size i = 0; i < count; ++i) dx[i] = d_phi[i] * slope(x[i], phi[i]);
  };
  switch (map.kind) {
    case simd::Feature::kEluPlusOne:
      return each([a](float at, float value) { return at > 0 ? a : a * value; });
    case simd::Feature::kRelu:
      return each([a](float at, float) { return at > a ? 1.0F : 0.0F; });
    case simd::Feature::kSquaredRelu:
      return each([](float at, float) { return at > 0 ? 2 * at : 0.0F; });
    case simd::Feature::kSquare:
      return each([](float at, float) { return 2 * at; });
    case simd::Feature::kExp:
      return each([](float, float value) { return value; });
    default:
      return each([](float, float) { return 1.0F; });
  }
}

/// How scores become weights, and the map that is applied to each entry of q and k before, if any.
struct HeadWeights {
  simd::Scores scores;
  float scale;
  float epsilon = 0;
  std::optional<simd::FeatureMap> map = std::nullopt;
  /// Whether queries and keys are turned by their places.
  bool rotary = false;
};

/// The tokens that a token sees, as in `TrainedHead`.
struct HeadSight {
  Size left, right, sinks = 0;
};

HeadSight sight_of(const SequenceMixer<float>& mixer) {
  // Further than any sequence is long.
  constexpr Size kFar = Size{1} << 29;
  const SeenTokens sees = mixer.options().sees;
  return {sees == SeenTokens::kLater ? 0 : kFar, sees == SeenTokens::kEarlier ? 0 : kFar};
}

class PlannedHeads final : public PlannedLayer {
 public:
  PlannedHeads(const SequenceMixer<float>& mixer, const HeadProjections& its,
               const HeadSight& sight, const HeadWeights& weights)
      : PlannedLayer(mixer), its_(its), map_(weights.map) {
    turns_.halves = true;
    if (weights.rotary) turns_.speeds = rotary_speeds(static_cast<Index>(its_.d_k));
    head_.d = its_.d_k;
    head_.dv = its_.d_v;
    head_.left = sight.left;
    head_.right = sight.right;
    head_.sinks = sight.sinks;
    head_.scores = weights.scores;
    head_.scale = weights.scale;
    head_.epsilon = weights.epsilon;
  }

  void forward(const float* p, const float* a, float* work, float* y) override {
    use(work);
    linear_rows(its_.in, p, a, rows_, projected_);
    turn(1, projected_);
    if (map_) {
      const Size both = 2 * its_.keys();
      simd::features({*map_, rows_, both, projected_, its_.in.outputs, phi_, both});
    }
    for (Size s = 0; s < batch_; ++s) {
      for (Size h = 0; h < its_.heads; ++h) {
        ATTN_TRAIN(trained_head_forward, head_at(s, h), kernel_work_);
      }
    }
    its_.leave(p, mixed_, rows_, y);
  }

  void backward(const float* p, float* g, const float* a, const float* dy, float* work,
                float* da) override {
    use(work);
    linear_rows_backward(its_.out, p, g, mixed_, dy, rows_, d_mixed_, false);
    for (Size s = 0; s < batch_; ++s) {
      for (Size h = 0; h < its_.heads; ++h) {
        simd::TrainedHead head = head_at(s, h);
        float *const d_k = head.d_k, *const d_v = head.d_v;
        // The kernel writes; what heads with the same keys and values give is added.
        const bool adds = !its_.first_of_group(h);
        if (adds) {
          head.d_k = shared_;
          head.d_v = shared_ + its_.d_k;
        }
        ATTN_TRAIN(trained_head_backward, head, kernel_work_);
        for (Size i = 0; adds && i < n_; ++i) {
          add_row(head.d_k + i * head.d_qk_row, its_.d_k, d_k + i * head.d_qk_row);
          add_row(head.d_v + i * head.d_v_row, its_.d_v, d_v + i * head.d_v_row);
        }
      }
    }
    if (map_) {
      const Size both = 2 * its_.keys(), E = its_.in.outputs;
      for (Size i = 0; i < rows_; ++i) {
        map_backward(*map_, projected_ + i * E, phi_ + i * both, d_phi_ + i * both, both,
                     d_projected_ + i * E);
      }
    }
    turn(-1, d_projected_);
    linear_rows_backward(its_.in, p, g, a, d_projected_, rows_, da, false);
  }

 protected:
  void lay_kept(Area& area) override {
    head_.n = n_;
    turns_.make(n_);
    each_ = ATTN_TRAIN(trained_head_kept, head_);
    projected_ = area.take(rows_ * its_.in.outputs);
    mixed_ = area.take(rows_ * its_.out.inputs);
    phi_ = area.take(map_ ? rows_ * 2 * its_.keys() : 0);
    kept_ = area.take(batch_ * its_.heads * each_);
  }
  void lay_work(Area& area) override {
    d_projected_ = area.take(rows_ * its_.in.outputs);
    d_mixed_ = area.take(rows_ * its_.out.inputs);
    d_phi_ = area.take(map_ ? rows_ * 2 * its_.keys() : 0);
    // In rows as long as those of `d_projected_`, which the kernel asks for.
    shared_ = area.take(its_.kv_heads < its_.heads ? n_ * its_.in.outputs : 0);
    kernel_work_ = area.take(ATTN_TRAIN(trained_head_work, head_));
  }

 private:
  /// Turns queries and keys, which stand side by side, in place; backwards for −1.
  void turn(float direction, float* projected) const {
    if (turns_.speeds.size() == 0) return;
    for (Size row = 0; row < rows_; ++row) {
      for (Size h = 0; h < 2 * its_.heads; ++h) {
        turns_.turn(row % n_, direction, projected + row * its_.in.outputs + h * its_.d_k);
      }
    }
  }
  simd::TrainedHead head_at(Size s, Size h) const {
    simd::TrainedHead head = head_;
    const Size E = its_.in.outputs, keys = its_.keys(), first = s * n_;
    const float* const in = projected_ + first * E;
    const float* const qk = map_ ? phi_ + first * 2 * keys : in;
    head.qk_row = head.d_qk_row = map_ ? 2 * keys : E;
    head.q = qk + h * its_.d_k;
    head.k = qk + keys + its_.shared(h) * its_.d_k;
    head.v = in + its_.values() + its_.shared(h) * its_.d_v;
    head.v_row = head.d_v_row = E;
    head.kept = kept_ + (s * its_.heads + h) * each_;
    head.out_row = its_.out.inputs;
    head.out = mixed_ + first * head.out_row + h * its_.d_v;
    head.d_out = d_mixed_ + first * head.out_row + h * its_.d_v;
    float* const d_in = d_projected_ + first * E;
    float* const d_qk = map_ ? d_phi_ + first * 2 * keys : d_in;
    head.d_q = d_qk + h * its_.d_k;
    head.d_k = d_qk + keys + its_.shared(h) * its_.d_k;
    head.d_v = d_in + its_.values() + its_.shared(h) * its_.d_v;
    return head;
  }

  HeadProjections its_;
  std::optional<simd::FeatureMap> map_;
  Turns turns_;
  simd::TrainedHead head_ = {};
  Size each_ = 0;
  float *projected_ = nullptr, *mixed_ = nullptr, *phi_ = nullptr, *kept_ = nullptr;
  float *d_projected_ = nullptr, *d_mixed_ = nullptr, *d_phi_ = nullptr, *shared_ = nullptr,
        *kernel_work_ = nullptr;
};

HeadWeights softmax_weights(const HeadProjections& its) {
  return {simd::Scores::kSoftmax, static_cast<float>(1 / std::sqrt(static_cast<double>(its.d_k)))};
}

std::unique_ptr<PlannedMixer> planned_softmax(const SequenceMixer<float>& mixer,
                                              const MixerPlaces& places) {
  if (mixer.parameter("alibi") != 0) return nullptr;
  // The kernels divide by what a token sees, and the last token sees nothing.
  if (mixer.options().sees == SeenTokens::kStrictlyLater) return nullptr;
  const HeadProjections its(mixer, places);
  HeadWeights weights = softmax_weights(its);
  weights.rotary = mixer.parameter("rotary") != 0;
  return std::make_unique<PlannedHeads>(mixer, its, sight_of(mixer), weights);
}

std::unique_ptr<PlannedMixer> planned_window(const SequenceMixer<float>& mixer,
                                             const MixerPlaces& places) {
  const HeadProjections its(mixer, places);
  HeadSight sight = sight_of(mixer);
  sight.left = static_cast<Size>(mixer.parameter("window")) - 1;
  sight.sinks = static_cast<Size>(mixer.parameter("sinks"));
  return std::make_unique<PlannedHeads>(mixer, its, sight, softmax_weights(its));
}

std::unique_ptr<PlannedMixer> planned_linear(const SequenceMixer<float>& mixer,
                                             const MixerPlaces& places) {
  const HeadProjections its(mixer, places);
  const std::string& id = mixer.options().feature_map;
  // Both forms of this map have the same kernel.
  const FeatureMap<float> map(id == "taylor" ? "taylor_compact" : id, its.d_k);
  const std::optional<simd::FeatureMap> fused = fused_map(map);
  if (!fused || fused->projection) return nullptr;
  HeadWeights weights{simd::Scores::kProduct, 1, static_cast<float>(kLinearAttentionEpsilon)};
  if (fused->kind == simd::Feature::kTaylorCompact) {
    weights.scores = simd::Scores::kTaylor;
    weights.scale = fused->a * fused->a;
  } else if (fused->kind != simd::Feature::kGiven) {
    weights.map = fused;
  }
  return std::make_unique<PlannedHeads>(mixer, its, sight_of(mixer), weights);
}

constexpr PlannedKind kHeadKinds[] = {{"softmax", planned_softmax, kLongestSoftmax},
                                      {"sliding_window", planned_window, kLongestSoftmax},
                                      {"linear", planned_linear, kLongestLinear}};

}  // namespace

std::span<const PlannedKind> planned_heads() { return kHeadKinds; }

}  // namespace attn::internal
