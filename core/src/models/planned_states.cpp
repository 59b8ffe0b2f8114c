// Heads whose state is a matrix: sums, retention, gated linear attention, Mamba-2, delta rules.

#include <memory>

#include "attn/mixers/matrix_state.hpp"
#include "attn/nn/normalization.hpp"
#include "models/planned_layer.hpp"

namespace attn::internal {
namespace {

/// out = x·factor for one row, with factor = scale/√(Σx² + ε) where rows are normalised.
void copy_normed(const float* x, Size d, bool normed, float scale, float& norm, float* out) {
  norm = 1;
  if (normed) {
    float sum = 0;
    for (Size c = 0; c < d; ++c) sum += x[c] * x[c];
    norm = 1 / std::sqrt(sum + static_cast<float>(kL2NormEpsilon));
  }
  for (Size c = 0; c < d; ++c) out[c] = x[c] * norm * scale;
}

/// The way back through it; `made` is what it wrote.
void copy_normed_backward(const float* made, Size d, bool normed, float scale, float norm,
                          const float* d_made, float* dx) {
  float along = 0;
  if (normed) {
    for (Size c = 0; c < d; ++c) along += made[c] * d_made[c];
    along /= scale;
  }
  for (Size c = 0; c < d; ++c) {
    dx[c] = normed ? norm * (scale * d_made[c] - made[c] * along) : scale * d_made[c];
  }
}

/// The divisors of the logarithms of gates, as in the mixers.
constexpr float kGateDivisor = 16;

/// What the state's rows are multiplied with before each write.
enum class StateDecay {
  kNone,
  kConstant,  ///< a number of the head
  kToken,     ///< a gate of each token
  kKey,       ///< a gate of each token and row
  kStep,      ///< e^{−Δ}, and v is multiplied with Δ
};

class PlannedStates final : public PlannedLayer {
 public:
  /// `delta`: a write takes out what was there, at a rate that is a gate, and rows of q and k have
  /// length 1.
  PlannedStates(const SequenceMixer<float>& mixer, const MixerPlaces& places, StateDecay decay,
                bool delta)
      : PlannedLayer(mixer),
        its_(mixer, places),
        gate_{places.at_or_none("gate_proj.weight"), places.at_or_none("gate_proj.bias"), 0, d_},
        decay_(decay),
        delta_(delta),
        head_norm_(mixer.parameter("head_norm") != 0),
        scale_(decay == StateDecay::kStep
                   ? 1
                   : static_cast<float>(1 / std::sqrt(static_cast<double>(its_.d_k)))),
        wide_(wide_of(its_.d_v)) {
    if (gate_.weight >= 0) gate_.outputs = places.table.at("gate_proj.weight").rows;
    gates_ = gate_.outputs / its_.heads;
    if (decay != StateDecay::kNone) decays_ = decay == StateDecay::kKey ? its_.d_k : 1;
  }

  void forward(const float* p, const float* a, float* work, float* y) override {
    use(work);
    linear_rows(its_.in, p, a, rows_, projected_);
    if (gates_ > 0) linear_rows(gate_, p, a, rows_, gated_);
    for (Size s = 0; s < batch_; ++s) {
      for (Size h = 0; h < its_.heads; ++h) {
        const Head head = head_at(s, h);
        sort_head(head, s, h);
        simd::TrainedState state = state_of(head);
        state.out = head.out;
        ATTN_TRAIN(trained_state_forward, state);
        for (Size t = 0; t < n_; ++t) {
          const float* const out = head.out + t * wide_;
          float scale = 1;
          if (head_norm_) {
            float sum = 0;
            for (Size c = 0; c < its_.d_v; ++c) sum += out[c] * out[c];
            scale = 1 / std::sqrt(sum / static_cast<float>(its_.d_v) +
                                  static_cast<float>(kRmsNormEpsilon));
          }
          float* const to = mixed_ + (s * n_ + t) * its_.out.inputs + h * its_.d_v;
          for (Size c = 0; c < its_.d_v; ++c) to[c] = out[c] * scale;
        }
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
        const Head head = head_at(s, h);
        back_through_norm(head, s, h);
        simd::TrainedState state = state_of(head);
        state.d_out = d_out_;
        state.d_q = d_head_.q;
        state.d_k = d_head_.k;
        state.d_v = d_head_.v;
        state.d_decay = d_head_.decay;
        state.d_beta = d_head_.beta;
        ATTN_TRAIN(trained_state_backward, state, kernel_work_);
        sort_head_backward(head, s, h);
      }
    }
    linear_rows_backward(its_.in, p, g, a, d_projected_, rows_, da, false);
    if (gates_ > 0) linear_rows_backward(gate_, p, g, a, d_gated_, rows_, da, true);
  }

 protected:
  void lay_kept(Area& area) override {
    projected_ = area.take(rows_ * its_.in.outputs);
    mixed_ = area.take(rows_ * its_.out.inputs);
    gated_ = area.take(rows_ * gate_.outputs);
    each_ = head_in(nullptr).floats;
    kept_ = area.take(batch_ * its_.heads * each_);
  }
  void lay_work(Area& area) override {
    d_projected_ = area.take(rows_ * its_.in.outputs);
    d_mixed_ = area.take(rows_ * its_.out.inputs);
    d_gated_ = area.take(rows_ * gate_.outputs);
    // The gradients of one head's parts lie here as the parts do in theirs.
    d_head_ = head_in(area.take(each_));
    kernel_work_ = area.take(2 * its_.d_k * wide_);
    d_out_ = area.take(n_ * wide_);
  }

 private:
  /// What one head of one sequence keeps.
  struct Head {
    float *q = nullptr, *k = nullptr, *v = nullptr, *q_norm = nullptr, *k_norm = nullptr,
          *decay = nullptr, *beta = nullptr, *states = nullptr, *writes = nullptr, *out = nullptr;
    Size floats = 0;
  };
  Head head_in(float* at) const {
    Area area{at};
    Head head;
    head.q = area.take(n_ * its_.d_k);
    head.k = area.take(n_ * its_.d_k);
    head.v = area.take(n_ * wide_);
    head.q_norm = area.take(n_);
    head.k_norm = area.take(n_);
    head.decay = area.take(n_ * std::max<Size>(decays_, 1));
    head.beta = area.take(n_);
    head.states = area.take((n_ + 1) * its_.d_k * wide_);
    head.writes = area.take(n_ * wide_);
    head.out = area.take(n_ * wide_);
    head.floats = area.used;
    return head;
  }
  Head head_at(Size s, Size h) const { return head_in(kept_ + (s * its_.heads + h) * each_); }

  /// What both passes over the states of a head read and keep.
  simd::TrainedState state_of(const Head& head) const {
    simd::TrainedState state{};
    state.n = n_;
    state.d = its_.d_k;
    state.dv = wide_;
    state.q = head.q;
    state.k = head.k;
    state.v = head.v;
    state.decay = head.decay;
    state.decays = decays_;
    state.beta = delta_ ? head.beta : nullptr;
    state.states = head.states;
    state.writes = head.writes;
    return state;
  }

  /// A head's queries, keys, values, decays and rates, from the rows of the projections.
  void sort_head(const Head& head, Size s, Size h) const {
    const Size keys = its_.keys();
    for (Size t = 0; t < n_; ++t) {
      const Size row = s * n_ + t;
      const float* const in = projected_ + row * its_.in.outputs;
      const float* const gates = gated_ + row * gate_.outputs + h * gates_;
      copy_normed(in + h * its_.d_k, its_.d_k, delta_, scale_, head.q_norm[t],
                  head.q + t * its_.d_k);
      copy_normed(in + keys + h * its_.d_k, its_.d_k, delta_, 1, head.k_norm[t],
                  head.k + t * its_.d_k);
      float factor = 1;
      if (decay_ == StateDecay::kConstant) {
        head.decay[t] = static_cast<float>(std::exp(retention_log_decay(h)));
      } else if (decay_ == StateDecay::kStep) {
        factor = softplus_of(gates[0]);
        head.decay[t] = exp_of(-factor);
      } else if (decay_ != StateDecay::kNone) {
        for (Size c = 0; c < decays_; ++c) {
          const float gate = gates[c + (delta_ ? 1 : 0)];
          head.decay[t * decays_ + c] = exp_of(-softplus_of(-gate) / kGateDivisor);
        }
      }
      if (delta_) head.beta[t] = sigmoid_of(gates[0]);
      const float* const v = in + 2 * keys + h * its_.d_v;
      float* const to = head.v + t * wide_;
      for (Size c = 0; c < its_.d_v; ++c) to[c] = v[c] * factor;
      for (Size c = its_.d_v; c < wide_; ++c) to[c] = 0;
    }
  }
  void sort_head_backward(const Head& head, Size s, Size h) const {
    const Size E = its_.in.outputs, keys = its_.keys();
    for (Size t = 0; t < n_; ++t) {
      const Size row = s * n_ + t;
      const float* const in = projected_ + row * E;
      float* const d_in = d_projected_ + row * E;
      const float* const gates = gated_ + row * gate_.outputs + h * gates_;
      float* const d_gates = d_gated_ + row * gate_.outputs + h * gates_;
      copy_normed_backward(head.q + t * its_.d_k, its_.d_k, delta_, scale_, head.q_norm[t],
                           d_head_.q + t * its_.d_k, d_in + h * its_.d_k);
      copy_normed_backward(head.k + t * its_.d_k, its_.d_k, delta_, 1, head.k_norm[t],
                           d_head_.k + t * its_.d_k, d_in + keys + h * its_.d_k);
      const float* const d_v = d_head_.v + t * wide_;
      float* const d_to = d_in + 2 * keys + h * its_.d_v;
      float factor = 1;
      if (decay_ == StateDecay::kStep) {
        // The step Δ = softplus(gate) is what v is multiplied with, and −Δ the decay.
        factor = softplus_of(gates[0]);
        float d_step = -d_head_.decay[t] * head.decay[t];
        const float* const v = in + 2 * keys + h * its_.d_v;
        for (Size c = 0; c < its_.d_v; ++c) d_step += d_v[c] * v[c];
        d_gates[0] = sigmoid_of(gates[0]) * d_step;
      } else if (decay_ == StateDecay::kToken || decay_ == StateDecay::kKey) {
        for (Size c = 0; c < decays_; ++c) {
          const Size at = c + (delta_ ? 1 : 0), cell = t * decays_ + c;
          d_gates[at] =
              sigmoid_of(-gates[at]) / kGateDivisor * d_head_.decay[cell] * head.decay[cell];
        }
      }
      if (delta_) d_gates[0] = head.beta[t] * (1 - head.beta[t]) * d_head_.beta[t];
      for (Size c = 0; c < its_.d_v; ++c) d_to[c] = d_v[c] * factor;
    }
  }
  /// From the gradients by the mixed rows of a head to those by what its states gave.
  void back_through_norm(const Head& head, Size s, Size h) const {
    for (Size t = 0; t < n_; ++t) {
      const float* const out = head.out + t * wide_;
      const float* const dy = d_mixed_ + (s * n_ + t) * its_.out.inputs + h * its_.d_v;
      float scale = 1, along = 0;
      if (head_norm_) {
        float sum = 0;
        for (Size c = 0; c < its_.d_v; ++c) {
          sum += out[c] * out[c];
          along += out[c] * dy[c];
        }
        const float d_v = static_cast<float>(its_.d_v);
        scale = 1 / std::sqrt(sum / d_v + static_cast<float>(kRmsNormEpsilon));
        along *= scale * scale / d_v;
      }
      float* const to = d_out_ + t * wide_;
      for (Size c = 0; c < its_.d_v; ++c) to[c] = scale * (dy[c] - out[c] * along);
      for (Size c = its_.d_v; c < wide_; ++c) to[c] = 0;
    }
  }

  HeadProjections its_;
  PlannedLinear gate_;
  StateDecay decay_;
  bool delta_, head_norm_;
  float scale_;
  Size wide_, gates_ = 0, decays_ = 0, each_ = 0;
  float *projected_ = nullptr, *mixed_ = nullptr, *gated_ = nullptr, *kept_ = nullptr;
  float *d_projected_ = nullptr, *d_mixed_ = nullptr, *d_gated_ = nullptr, *kernel_work_ = nullptr,
        *d_out_ = nullptr;
  Head d_head_;
};

template <StateDecay decay, bool delta = false>
std::unique_ptr<PlannedMixer> planned_state(const SequenceMixer<float>& mixer,
                                            const MixerPlaces& places) {
  return std::make_unique<PlannedStates>(mixer, places, decay, delta);
}

constexpr PlannedKind kStateKinds[] = {
    {"linear_sum", planned_state<StateDecay::kNone>},
    {"retention", planned_state<StateDecay::kConstant>},
    {"simple_gla", planned_state<StateDecay::kToken>},
    {"gla", planned_state<StateDecay::kKey>},
    {"mamba2", planned_state<StateDecay::kStep>},
    {"delta_rule", planned_state<StateDecay::kNone, true>},
    {"gated_delta_rule", planned_state<StateDecay::kToken, true>}};

}  // namespace

std::span<const PlannedKind> planned_states() { return kStateKinds; }

}  // namespace attn::internal
