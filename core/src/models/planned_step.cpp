#include "models/planned_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "attn/mixers/matrix_state.hpp"
#include "attn/nn/normalization.hpp"
#include "simd/fused.hpp"

namespace attn::internal {
namespace {

/// Above so many tokens linear attention is cheaper through its state than through weights, and
/// below a kernel that keeps all of them is the fastest; see `Linear::kShort` of the mixers.
constexpr Index kLongestLinear = 128;
/// No more than 128 MiB for what a step keeps: longer batches take the way that keeps less.
constexpr Size kMostFloats = Size{1} << 25;

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

}  // namespace

// --- What the model is ---------------------------------------------------------------------------

bool PlannedStep::prepare(const LanguageModel<float>& model) {
  model_ = &model;
  layers_.clear();
  batch_ = n_ = 0;
  const LanguageModelOptions& options = model.options();
  const ParameterTable& table = model.table();
  if (options.gated) return false;
  switch (options.activation) {
    case Activation::kRelu:
      bend_ = simd::Bend::kRelu;
      break;
    case Activation::kGelu:
      bend_ = simd::Bend::kGelu;
      break;
    case Activation::kGeluTanh:
      bend_ = simd::Bend::kGeluTanh;
      break;
    case Activation::kSilu:
      bend_ = simd::Bend::kSilu;
      break;
    default:
      if (options.feed_forward > 0) return false;
  }
  vocabulary_ = options.vocabulary;
  width_ = options.d_model;
  feed_ = options.feed_forward;
  centred_ = options.norm == BlockNorm::kLayer;
  epsilon_ = static_cast<float>(centred_ ? kLayerNormEpsilon : kRmsNormEpsilon);
  const auto place = [&](const std::string& name) -> Size {
    return table.contains(name) ? table.at(name).offset : -1;
  };
  const auto norm = [&](const std::string& name) {
    return Norm{place(name + ".weight"), place(name + ".bias")};
  };
  tokens_at_ = place("tok.weight");
  positions_at_ = options.positions ? place("pos.weight") : -1;
  last_norm_ = norm("lnf");
  head_ = {place(options.tied ? "tok.weight" : "head.weight"), -1, vocabulary_, width_};
  for (Index i = 0; i < model.layers(); ++i) {
    const std::string prefix = "blocks." + std::to_string(i) + ".";
    Layer layer;
    layer.norm = norm(prefix + "ln1");
    if (feed_ > 0) {
      layer.feed_norm = norm(prefix + "ln2");
      layer.up = {place(prefix + "fc1.weight"), place(prefix + "fc1.bias"), feed_, width_};
      layer.down = {place(prefix + "fc2.weight"), place(prefix + "fc2.bias"), width_, feed_};
    }
    const SequenceMixer<float>& mixer = model.block(i).mixer();
    const std::span<const ParameterInfo> own = mixer.parameters().entries();
    const Size first = own.empty() ? 0 : place(prefix + "attn." + own.front().name);
    if (!prepare_mixer(mixer, first, layer)) {
      layer.own = planned_mixer(mixer, first);
      layer.mixing = layer.own == nullptr ? Mixing::kOther : Mixing::kOwn;
    }
    layer.first = first;
    layer.count = mixer.parameters().size();
    layers_.push_back(std::move(layer));
  }
  return true;
}

bool PlannedStep::prepare_mixer(const SequenceMixer<float>& mixer, Size at, Layer& layer) {
  const SequenceMixerOptions& options = mixer.options();
  const std::string_view id = mixer.info().id;
  const ParameterTable& table = mixer.parameters();
  const auto place = [&](const char* name) -> Size {
    return table.contains(name) ? at + table.at(name).offset : -1;
  };
  if (id == "short_conv") {
    layer.mixing = Mixing::kShortConvolution;
    layer.taps = static_cast<Size>(mixer.parameter("kernel"));
    layer.taps_at = place("conv.weight");
    layer.taps_bias = place("conv.bias");
    layer.gate = {place("projection.weight"), place("projection.bias"), width_, width_};
    layer.adds_input = mixer.parameter("add_input") == 1;
    return true;
  }
  layer.heads = options.heads;
  layer.d_v = options.d_model / options.heads;
  layer.d_k = options.d_k == 0 ? layer.d_v : options.d_k;
  const Size in_rows = layer.heads * (2 * layer.d_k + layer.d_v);
  layer.in = {place("in_proj_weight"), place("in_proj_bias"), in_rows, width_};
  layer.out = {place("out_proj.weight"), place("out_proj.bias"), width_, layer.heads * layer.d_v};
  simd::TrainedHead& head = layer.head;
  head.d = layer.d_k;
  head.dv = layer.d_v;
  head.sinks = 0;
  constexpr Size kFar = Size{1} << 29;
  head.left = options.sees == SeenTokens::kLater ? 0 : kFar;
  head.right = options.sees == SeenTokens::kEarlier ? 0 : kFar;
  head.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(layer.d_k)));
  head.scores = simd::Scores::kSoftmax;
  head.epsilon = 0;
  if (id == "softmax" || id == "sliding_window") {
    layer.mixing = Mixing::kHeads;
    if (id == "softmax") {
      return mixer.parameter("rotary") == 0 && mixer.parameter("alibi") == 0 &&
             options.length <= kLongestSoftmax;
    }
    head.left = static_cast<Size>(mixer.parameter("window")) - 1;
    head.sinks = static_cast<Size>(mixer.parameter("sinks"));
    return options.length <= kLongestSoftmax;
  }
  if (id == "linear") {
    layer.mixing = Mixing::kHeads;
    head.epsilon = static_cast<float>(kLinearAttentionEpsilon);
    if (options.length > kLongestLinear) return false;
    const bool taylor = options.feature_map == "taylor";
    // Both forms of this map have the same kernel.
    const FeatureMap<float> map(taylor ? "taylor_compact" : options.feature_map, layer.d_k);
    const std::optional<simd::FeatureMap> fused = fused_map(map);
    if (!fused || fused->projection) return false;
    if (fused->kind == simd::Feature::kTaylorCompact) {
      head.scores = simd::Scores::kTaylor;
      head.scale = fused->a * fused->a;
      return true;
    }
    head.scores = simd::Scores::kProduct;
    head.scale = 1;
    layer.map = *fused;
    layer.has_map = fused->kind != simd::Feature::kGiven;
    return true;
  }
  struct Family {
    std::string_view id;
    Decay decay;
    bool delta;
  };
  constexpr Family kFamilies[] = {
      {"linear_sum", Decay::kNone, false},      {"retention", Decay::kConstant, false},
      {"simple_gla", Decay::kToken, false},     {"gla", Decay::kKey, false},
      {"mamba2", Decay::kStep, false},          {"delta_rule", Decay::kNone, true},
      {"gated_delta_rule", Decay::kToken, true}};
  for (const Family& family : kFamilies) {
    if (family.id != id) continue;
    layer.mixing = Mixing::kState;
    layer.decay = family.decay;
    layer.delta = layer.beta = family.delta;
    layer.head_norm = mixer.parameter("head_norm") != 0;
    layer.scale = family.decay == Decay::kStep ? 1 : head.scale;
    layer.gate = {place("gate_proj.weight"), place("gate_proj.bias"), 0, width_};
    if (layer.gate.weight >= 0) layer.gate.outputs = table.at("gate_proj.weight").rows;
    layer.gates = layer.gate.outputs / layer.heads;
    return true;
  }
  return false;
}

// --- Where everything lies -----------------------------------------------------------------------

/// What one head of one sequence keeps, and the columns of its decay.
struct PlannedStep::StateParts {
  Size decays = 0, wide = 0;
  float *q = nullptr, *k = nullptr, *v = nullptr, *q_norm = nullptr, *k_norm = nullptr,
        *decay = nullptr, *beta = nullptr, *states = nullptr, *writes = nullptr, *out = nullptr;
  Size floats = 0;

  StateParts(const Layer& layer, Size n, float* at) {
    Area area{at};
    const bool none = layer.decay == Decay::kNone;
    decays = none ? 0 : layer.decay == Decay::kKey ? layer.d_k : 1;
    wide = wide_of(layer.d_v);
    q = area.take(n * layer.d_k);
    k = area.take(n * layer.d_k);
    v = area.take(n * wide);
    q_norm = area.take(n);
    k_norm = area.take(n);
    decay = area.take(n * std::max<Size>(decays, 1));
    beta = area.take(n);
    states = area.take((n + 1) * layer.d_k * wide);
    writes = area.take(n * wide);
    out = area.take(n * wide);
    floats = area.used;
  }
};

Size PlannedStep::lay_out(float* base) {
  Area area{base};
  const Size rows = rows_, d = width_;
  Size projected = 0, gated = 0, phi = 0, mixed = 0, work = 0;
  x_ = nullptr;
  for (Layer& layer : layers_) {
    layer.x = area.take(rows * d);
    layer.a = area.take(rows * d);
    layer.sizes = area.take(2 * rows);
    if (layer.mixing == Mixing::kHeads || layer.mixing == Mixing::kState) {
      layer.projected = area.take(rows * layer.in.outputs);
      layer.mixed = area.take(rows * layer.out.inputs);
      projected = std::max(projected, rows * layer.in.outputs);
      mixed = std::max(mixed, rows * layer.out.inputs);
    }
    if (layer.mixing == Mixing::kHeads) {
      if (layer.has_map) {
        const Size size = rows * 2 * layer.heads * layer.d_k;
        layer.phi = area.take(size);
        phi = std::max(phi, 2 * size);
      }
      layer.head.n = n_;
      layer.kept_each = ATTN_TRAIN(trained_head_kept, layer.head);
      work = std::max(work, ATTN_TRAIN(trained_head_work, layer.head));
    }
    if (layer.mixing == Mixing::kState) {
      layer.gated = area.take(rows * layer.gate.outputs);
      gated = std::max(gated, rows * layer.gate.outputs);
      const StateParts parts(layer, n_, nullptr);
      layer.kept_each = parts.floats;
      // Gradients of one head's parts, and the two states of the kernel.
      work = std::max(work, parts.floats + 2 * layer.d_k * parts.wide + n_ * parts.wide + 64);
    }
    if (layer.mixing == Mixing::kHeads || layer.mixing == Mixing::kState) {
      layer.kept = area.take(layer.kept_each * batch_ * layer.heads);
    }
    if (layer.mixing == Mixing::kShortConvolution) {
      layer.mixed = area.take(rows * d);
      layer.gated = area.take(rows * d);
      mixed = std::max(mixed, rows * d);
      gated = std::max(gated, rows * d);
      work = std::max(work, 2 * layer.taps * d);
    }
    if (layer.mixing == Mixing::kOwn) {
      float* const kept = area.take(layer.own->keep(nullptr, batch_, n_));
      layer.own->keep(kept, batch_, n_);
      work = std::max(work, layer.own->use(nullptr));
    }
    layer.middle = nullptr;
    if (feed_ > 0) {
      layer.middle = area.take(rows * d);
      layer.feed_a = area.take(rows * d);
      layer.feed_sizes = area.take(2 * rows);
      layer.slope = area.take(rows * feed_);
      layer.joined = area.take(rows * feed_);
    }
  }
  x_ = area.take(rows * d);
  last_x_ = area.take(rows * d);
  last_a_ = area.take(rows * d);
  last_sizes_ = area.take(2 * rows);
  logits_ = area.take(rows * vocabulary_);
  sums_ = area.take(rows);
  d_ = area.take(rows * d);
  d_a_ = area.take(rows * d);
  d_projected_ = area.take(projected);
  d_gated_ = area.take(gated);
  d_phi_ = area.take(phi);
  d_mixed_ = area.take(mixed);
  d_joined_ = area.take(rows * feed_);
  work_ = area.take(work);
  return area.used;
}

bool PlannedStep::plan(Size batch, Size n) {
  if (batch == batch_ && n == n_) return true;
  batch_ = batch;
  n_ = n;
  rows_ = batch * n;
  const Size floats = lay_out(nullptr);
  if (floats > kMostFloats) {
    batch_ = n_ = 0;
    return false;
  }
  constexpr Size kAlignment = 16;
  if (static_cast<Size>(memory_.size()) < floats + kAlignment) {
    memory_.clear();
    memory_.resize(static_cast<std::size_t>(floats + kAlignment));
  }
  counted_.reserve(static_cast<std::size_t>(rows_));
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
  lay_out(memory_.data() + (64 - address % 64) % 64 / sizeof(float));
  return true;
}

// --- Heads with weights --------------------------------------------------------------------------

simd::TrainedHead PlannedStep::head_at(const Layer& layer, Size sequence, Size h) const {
  simd::TrainedHead head = layer.head;
  const Size E = layer.in.outputs, keys = layer.heads * layer.d_k, first = sequence * n_;
  const float* const in = layer.projected + first * E;
  const float* const qk = layer.has_map ? layer.phi + first * 2 * keys : in;
  head.qk_row = layer.has_map ? 2 * keys : E;
  head.q = qk + h * layer.d_k;
  head.k = qk + keys + h * layer.d_k;
  head.v = in + 2 * keys + h * layer.d_v;
  head.v_row = E;
  head.kept = layer.kept + (sequence * layer.heads + h) * layer.kept_each;
  head.out_row = layer.out.inputs;
  head.out = layer.mixed + first * head.out_row + h * layer.d_v;
  head.d_out = d_mixed_ + first * head.out_row + h * layer.d_v;
  float* const d_in = d_projected_ + first * E;
  float* const d_qk = layer.has_map ? d_phi_ + first * 2 * keys : d_in;
  head.d_qk_row = head.qk_row;
  head.d_q = d_qk + h * layer.d_k;
  head.d_k = d_qk + keys + h * layer.d_k;
  head.d_v = d_in + 2 * keys + h * layer.d_v;
  head.d_v_row = E;
  return head;
}

void PlannedStep::forward_heads(Layer& layer) {
  if (layer.has_map) {
    const Size both = 2 * layer.heads * layer.d_k;
    simd::features({layer.map, rows_, both, layer.projected, layer.in.outputs, layer.phi, both});
  }
  for (Size s = 0; s < batch_; ++s) {
    for (Size h = 0; h < layer.heads; ++h) {
      ATTN_TRAIN(trained_head_forward, head_at(layer, s, h), work_);
    }
  }
}

void PlannedStep::backward_heads(Layer& layer) {
  for (Size s = 0; s < batch_; ++s) {
    for (Size h = 0; h < layer.heads; ++h) {
      ATTN_TRAIN(trained_head_backward, head_at(layer, s, h), work_);
    }
  }
  if (!layer.has_map) return;
  const Size both = 2 * layer.heads * layer.d_k, E = layer.in.outputs;
  for (Size i = 0; i < rows_; ++i) {
    map_backward(layer.map, layer.projected + i * E, layer.phi + i * both, d_phi_ + i * both, both,
                 d_projected_ + i * E);
  }
}

// --- Heads with a state --------------------------------------------------------------------------

PlannedStep::StateParts PlannedStep::state_at(const Layer& layer, Size sequence, Size h) const {
  return StateParts(layer, n_, layer.kept + (sequence * layer.heads + h) * layer.kept_each);
}

simd::TrainedState PlannedStep::trained_state(const Layer& layer, const StateParts& parts) const {
  simd::TrainedState state{};
  state.n = n_;
  state.d = layer.d_k;
  state.dv = parts.wide;
  state.q = parts.q;
  state.k = parts.k;
  state.v = parts.v;
  state.decay = parts.decay;
  state.decays = parts.decays;
  state.beta = layer.beta ? parts.beta : nullptr;
  state.states = parts.states;
  state.writes = parts.writes;
  return state;
}

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

}  // namespace

void PlannedStep::forward_states(Layer& layer) {
  const Size E = layer.in.outputs, keys = layer.heads * layer.d_k;
  for (Size s = 0; s < batch_; ++s) {
    for (Size h = 0; h < layer.heads; ++h) {
      const StateParts parts = state_at(layer, s, h);
      const Size wide = parts.wide;
      for (Size t = 0; t < n_; ++t) {
        const Size row = s * n_ + t;
        const float* const in = layer.projected + row * E;
        const float* const gates = layer.gated + row * layer.gate.outputs + h * layer.gates;
        copy_normed(in + h * layer.d_k, layer.d_k, layer.delta, layer.scale, parts.q_norm[t],
                    parts.q + t * layer.d_k);
        copy_normed(in + keys + h * layer.d_k, layer.d_k, layer.delta, 1, parts.k_norm[t],
                    parts.k + t * layer.d_k);
        float factor = 1;
        if (layer.decay == Decay::kConstant) {
          parts.decay[t] = static_cast<float>(std::exp(retention_log_decay(h)));
        } else if (layer.decay == Decay::kStep) {
          factor = softplus_of(gates[0]);
          parts.decay[t] = exp_of(-factor);
        } else if (layer.decay != Decay::kNone) {
          for (Size c = 0; c < parts.decays; ++c) {
            const float gate = gates[c + (layer.beta ? 1 : 0)];
            parts.decay[t * parts.decays + c] = exp_of(-softplus_of(-gate) / kGateDivisor);
          }
        }
        if (layer.beta) parts.beta[t] = sigmoid_of(gates[0]);
        const float* const v = in + 2 * keys + h * layer.d_v;
        float* const to = parts.v + t * wide;
        for (Size c = 0; c < layer.d_v; ++c) to[c] = v[c] * factor;
        for (Size c = layer.d_v; c < wide; ++c) to[c] = 0;
      }
      simd::TrainedState state = trained_state(layer, parts);
      state.out = parts.out;
      ATTN_TRAIN(trained_state_forward, state);
      for (Size t = 0; t < n_; ++t) {
        const float* const out = parts.out + t * wide;
        float scale = 1;
        if (layer.head_norm) {
          float sum = 0;
          for (Size c = 0; c < layer.d_v; ++c) sum += out[c] * out[c];
          scale = 1 / std::sqrt(sum / static_cast<float>(layer.d_v) +
                                static_cast<float>(kRmsNormEpsilon));
        }
        float* const to = layer.mixed + (s * n_ + t) * layer.out.inputs + h * layer.d_v;
        for (Size c = 0; c < layer.d_v; ++c) to[c] = out[c] * scale;
      }
    }
  }
}

void PlannedStep::backward_states(Layer& layer) {
  const Size E = layer.in.outputs, keys = layer.heads * layer.d_k;
  for (Size s = 0; s < batch_; ++s) {
    for (Size h = 0; h < layer.heads; ++h) {
      const StateParts parts = state_at(layer, s, h);
      const Size wide = parts.wide;
      // The gradients lie in the work area as the parts do in theirs.
      const StateParts d(layer, n_, work_);
      float* const kernel_work = work_ + d.floats;
      float* const d_out = kernel_work + 2 * layer.d_k * wide;
      for (Size t = 0; t < n_; ++t) {
        const float* const out = parts.out + t * wide;
        const float* const dy = d_mixed_ + (s * n_ + t) * layer.out.inputs + h * layer.d_v;
        float scale = 1, along = 0;
        if (layer.head_norm) {
          float sum = 0;
          for (Size c = 0; c < layer.d_v; ++c) {
            sum += out[c] * out[c];
            along += out[c] * dy[c];
          }
          const float d_v = static_cast<float>(layer.d_v);
          scale = 1 / std::sqrt(sum / d_v + static_cast<float>(kRmsNormEpsilon));
          along *= scale * scale / d_v;
        }
        float* const to = d_out + t * wide;
        for (Size c = 0; c < layer.d_v; ++c) to[c] = scale * (dy[c] - out[c] * along);
        for (Size c = layer.d_v; c < wide; ++c) to[c] = 0;
      }
      simd::TrainedState state = trained_state(layer, parts);
      state.d_out = d_out;
      state.d_q = d.q;
      state.d_k = d.k;
      state.d_v = d.v;
      state.d_decay = d.decay;
      state.d_beta = d.beta;
      ATTN_TRAIN(trained_state_backward, state, kernel_work);
      for (Size t = 0; t < n_; ++t) {
        const Size row = s * n_ + t;
        const float* const in = layer.projected + row * E;
        float* const d_in = d_projected_ + row * E;
        const float* const gates = layer.gated + row * layer.gate.outputs + h * layer.gates;
        float* const d_gates = d_gated_ + row * layer.gate.outputs + h * layer.gates;
        copy_normed_backward(parts.q + t * layer.d_k, layer.d_k, layer.delta, layer.scale,
                             parts.q_norm[t], d.q + t * layer.d_k, d_in + h * layer.d_k);
        copy_normed_backward(parts.k + t * layer.d_k, layer.d_k, layer.delta, 1, parts.k_norm[t],
                             d.k + t * layer.d_k, d_in + keys + h * layer.d_k);
        const float* const d_v = d.v + t * wide;
        float* const d_to = d_in + 2 * keys + h * layer.d_v;
        float factor = 1;
        if (layer.decay == Decay::kStep) {
          // The step Δ = softplus(gate) is what v is multiplied with, and −Δ the decay.
          factor = softplus_of(gates[0]);
          float d_step = -d.decay[t] * parts.decay[t];
          const float* const v = in + 2 * keys + h * layer.d_v;
          for (Size c = 0; c < layer.d_v; ++c) d_step += d_v[c] * v[c];
          d_gates[0] = sigmoid_of(gates[0]) * d_step;
        } else if (layer.decay == Decay::kToken || layer.decay == Decay::kKey) {
          for (Size c = 0; c < parts.decays; ++c) {
            const Size at = c + (layer.beta ? 1 : 0), cell = t * parts.decays + c;
            d_gates[at] = sigmoid_of(-gates[at]) / kGateDivisor * d.decay[cell] * parts.decay[cell];
          }
        }
        if (layer.beta) d_gates[0] = parts.beta[t] * (1 - parts.beta[t]) * d.beta[t];
        for (Size c = 0; c < layer.d_v; ++c) d_to[c] = d_v[c] * factor;
      }
    }
  }
}

// --- A short convolution with a gate -------------------------------------------------------------

void PlannedStep::forward_convolution(Layer& layer, const float* p, float* y) {
  const Size d = width_, taps = layer.taps;
  // Tap j of every channel side by side.
  float* const by_tap = work_;
  for (Size c = 0; c < d; ++c) {
    for (Size j = 0; j < taps; ++j) by_tap[j * d + c] = p[layer.taps_at + c * taps + j];
  }
  linear_rows(layer.gate, p, layer.a, rows_, layer.gated);
  for (Size row = 0; row < rows_; ++row) {
    const Size t = row % n_;
    float* const convolved = layer.mixed + row * d;
    for (Size c = 0; c < d; ++c) convolved[c] = p[layer.taps_bias + c];
    for (Size j = std::max<Size>(0, taps - 1 - t); j < taps; ++j) {
      const float* const x = layer.a + (row + j - (taps - 1)) * d;
      for (Size c = 0; c < d; ++c) convolved[c] += x[c] * by_tap[j * d + c];
    }
    const float *const gate = layer.gated + row * d, *const a = layer.a + row * d;
    const float more = layer.adds_input ? 1 : 0;
    for (Size c = 0; c < d; ++c) y[row * d + c] += convolved[c] * gate[c] + more * a[c];
  }
}

void PlannedStep::backward_convolution(Layer& layer, const float* p, float* g) {
  const Size d = width_, taps = layer.taps;
  float *const by_tap = work_, *const d_by_tap = work_ + taps * d;
  for (Size c = 0; c < d; ++c) {
    for (Size j = 0; j < taps; ++j) by_tap[j * d + c] = p[layer.taps_at + c * taps + j];
  }
  std::fill(d_by_tap, d_by_tap + taps * d, 0.0F);
  for (Size i = 0; i < rows_ * d; ++i) d_gated_[i] = d_[i] * layer.mixed[i];
  linear_rows_backward(layer.gate, p, g, layer.a, d_gated_, rows_, d_a_, false);
  const float more = layer.adds_input ? 1 : 0;
  for (Size row = 0; row < rows_; ++row) {
    const Size t = row % n_;
    float* const d_convolved = d_mixed_ + row * d;
    const float *const gate = layer.gated + row * d, *const dy = d_ + row * d;
    float *const da = d_a_ + row * d, *const d_bias = g + layer.taps_bias;
    for (Size c = 0; c < d; ++c) {
      d_convolved[c] = dy[c] * gate[c];
      da[c] += more * dy[c];
      d_bias[c] += d_convolved[c];
    }
    for (Size j = std::max<Size>(0, taps - 1 - t); j < taps; ++j) {
      const Size from = (row + j - (taps - 1)) * d;
      for (Size c = 0; c < d; ++c) {
        d_by_tap[j * d + c] += d_convolved[c] * layer.a[from + c];
        d_a_[from + c] += d_convolved[c] * by_tap[j * d + c];
      }
    }
  }
  for (Size c = 0; c < d; ++c) {
    for (Size j = 0; j < taps; ++j) g[layer.taps_at + c * taps + j] += d_by_tap[j * d + c];
  }
}

// --- The step ------------------------------------------------------------------------------------

/// y = x + mixer(a)
void PlannedStep::forward_mixer(Layer& layer, const float* p, const SequenceMixer<float>& mixer,
                                InVector<float> own, float* y) {
  const bool projects = layer.mixing == Mixing::kHeads || layer.mixing == Mixing::kState;
  begin_rows(layer.x, projects ? at_or_null(p, layer.out.bias) : nullptr, rows_, width_, y);
  if (layer.mixing == Mixing::kShortConvolution) return forward_convolution(layer, p, y);
  if (layer.mixing == Mixing::kOwn) return layer.own->forward(p, layer.a, work_, y);
  if (layer.mixing == Mixing::kOther) {
    const Eigen::Map<const Matrix<float>> a(layer.a, rows_, width_);
    Eigen::Map<Matrix<float>>(y, rows_, width_) += mixer.forward(a, batch_, own);
    return;
  }
  linear_rows(layer.in, p, layer.a, rows_, layer.projected);
  if (layer.mixing == Mixing::kHeads) {
    forward_heads(layer);
  } else {
    if (layer.gates > 0) linear_rows(layer.gate, p, layer.a, rows_, layer.gated);
    forward_states(layer);
  }
  times_weights(layer.mixed, rows_, p + layer.out.weight, width_, layer.out.inputs, y, true);
}

/// From d_ to d_a_.
void PlannedStep::backward_mixer(Layer& layer, const float* p, float* g,
                                 const SequenceMixer<float>& mixer, InVector<float> own,
                                 Eigen::Ref<Vector<float>> d_own) {
  if (layer.mixing == Mixing::kShortConvolution) return backward_convolution(layer, p, g);
  if (layer.mixing == Mixing::kOwn) return layer.own->backward(p, g, layer.a, d_, work_, d_a_);
  if (layer.mixing == Mixing::kOther) {
    const Eigen::Map<const Matrix<float>> a(layer.a, rows_, width_), dy(d_, rows_, width_);
    Eigen::Map<Matrix<float>>(d_a_, rows_, width_) = mixer.backward(a, batch_, own, dy, d_own);
    return;
  }
  linear_rows_backward(layer.out, p, g, layer.mixed, d_, rows_, d_mixed_, false);
  if (layer.mixing == Mixing::kHeads) {
    backward_heads(layer);
  } else {
    backward_states(layer);
  }
  linear_rows_backward(layer.in, p, g, layer.a, d_projected_, rows_, d_a_, false);
  if (layer.mixing == Mixing::kState && layer.gates > 0) {
    linear_rows_backward(layer.gate, p, g, layer.a, d_gated_, rows_, d_a_, true);
  }
}

bool PlannedStep::run(const LanguageModel<float>& model, std::span<const std::int32_t> tokens,
                      std::span<const std::int32_t> targets, Index batch, Index all,
                      Vector<float>& gradients, BatchResult& result) {
  if (model_ != &model) possible_ = prepare(model);
  if (!possible_ || targets.size() != tokens.size()) return false;
  const auto known = [&](std::int32_t token) { return token >= 0 && token < vocabulary_; };
  for (const std::int32_t token : tokens) {
    if (!known(token)) return false;
  }
  if (!plan(batch, static_cast<Size>(tokens.size()) / batch)) return false;
  const Size rows = rows_, d = width_;
  const float* const p = model.parameters().data();
  counted_.clear();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (targets[i] == kIgnoredTarget) continue;
    if (!known(targets[i])) return false;
    counted_.push_back(static_cast<Index>(i));
  }
  const Size counted = static_cast<Size>(counted_.size());
  result = {};
  if (counted == 0) return true;

  // Forward.
  float* x = layers_.front().x;
  for (Size i = 0; i < rows; ++i) {
    const float* const from = p + tokens_at_ + tokens[static_cast<std::size_t>(i)] * d;
    const float* const place = positions_at_ < 0 ? nullptr : p + positions_at_ + i % n_ * d;
    begin_rows(from, place, 1, d, x + i * d);
  }
  const auto own = [&](const Layer& layer) {
    return model.parameters().segment(layer.first, layer.count);
  };
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    Layer& layer = layers_[l];
    float* const next = l + 1 < layers_.size() ? layers_[l + 1].x : x_;
    float* const y = feed_ > 0 ? layer.middle : next;
    const Index index = static_cast<Index>(l);
    ATTN_TRAIN(norm_rows, {rows, d, layer.x, p + layer.norm.weight, at_or_null(p, layer.norm.bias),
                           centred_, epsilon_, layer.a, layer.sizes});
    forward_mixer(layer, p, model.block(index).mixer(), own(layer), y);
    if (feed_ == 0) continue;
    ATTN_TRAIN(norm_rows, {rows, d, layer.middle, p + layer.feed_norm.weight,
                           at_or_null(p, layer.feed_norm.bias), centred_, epsilon_, layer.feed_a,
                           layer.feed_sizes});
    times_weights(layer.feed_a, rows, p + layer.up.weight, feed_, d, layer.slope, false);
    ATTN_TRAIN(bend_rows,
               {rows, feed_, bend_, at_or_null(p, layer.up.bias), layer.slope, layer.joined});
    begin_rows(layer.middle, at_or_null(p, layer.down.bias), rows, d, next);
    times_weights(layer.joined, rows, p + layer.down.weight, d, feed_, next, true);
  }

  // The loss, of the rows that have a target.
  for (Size i = 0; i < counted; ++i) {
    const float* const from = x_ + counted_[static_cast<std::size_t>(i)] * d;
    std::copy(from, from + d, last_x_ + i * d);
  }
  ATTN_TRAIN(norm_rows, {counted, d, last_x_, p + last_norm_.weight, at_or_null(p, last_norm_.bias),
                         centred_, epsilon_, last_a_, last_sizes_});
  times_weights(last_a_, counted, p + head_.weight, vocabulary_, d, logits_, false);
  const float largest = simd::largest_magnitude(logits_, counted, vocabulary_, vocabulary_);
  if (!std::isfinite(largest)) return false;
  const auto target_of = [&](Size i) {
    return targets[static_cast<std::size_t>(counted_[static_cast<std::size_t>(i)])];
  };
  double loss = 0;
  Index right = 0;
  for (Size i = 0; i < counted; ++i) {
    const float* const row = logits_ + i * vocabulary_;
    loss -= double{row[target_of(i)]};
    if (std::max_element(row, row + vocabulary_) - row == target_of(i)) ++right;
  }
  simd::softmax_rows({counted, vocabulary_, logits_, vocabulary_, vocabulary_, 0, sums_});
  const double share = 1 / static_cast<double>(counted);
  const float factor = static_cast<float>(1 / static_cast<double>(all));
  for (Size i = 0; i < counted; ++i) {
    loss += double{sums_[i]};
    float* const row = logits_ + i * vocabulary_;
    row[target_of(i)] -= 1;
    for (Size c = 0; c < vocabulary_; ++c) row[c] *= factor;
  }
  result = {loss * share, share * static_cast<double>(right), static_cast<Index>(counted)};

  // Backward.
  float* const g = gradients.data();
  linear_rows_backward(head_, p, g, last_a_, logits_, counted, last_a_, false);
  std::fill(x_, x_ + counted * d, 0.0F);
  ATTN_TRAIN(norm_rows_backward,
             {counted, d, last_x_, p + last_norm_.weight, last_sizes_, last_a_, centred_, x_,
              g + last_norm_.weight, at_or_null(g, last_norm_.bias)});
  std::fill(d_, d_ + rows * d, 0.0F);
  for (Size i = 0; i < counted; ++i) {
    std::copy(x_ + i * d, x_ + (i + 1) * d, d_ + counted_[static_cast<std::size_t>(i)] * d);
  }
  for (std::size_t l = layers_.size(); l-- > 0;) {
    Layer& layer = layers_[l];
    if (feed_ > 0) {
      linear_rows_backward(layer.down, p, g, layer.joined, d_, rows, d_joined_, false);
      // This pass over the rows gives the gradient by the bias too.
      ATTN_TRAIN(sum_rows,
                 {rows, feed_, d_joined_, feed_, g + layer.up.bias, layer.slope, d_joined_});
      Linear up = layer.up;
      up.bias = -1;
      linear_rows_backward(up, p, g, layer.feed_a, d_joined_, rows, d_a_, false);
      ATTN_TRAIN(norm_rows_backward,
                 {rows, d, layer.middle, p + layer.feed_norm.weight, layer.feed_sizes, d_a_,
                  centred_, d_, g + layer.feed_norm.weight, at_or_null(g, layer.feed_norm.bias)});
    }
    backward_mixer(layer, p, g, model.block(static_cast<Index>(l)).mixer(), own(layer),
                   gradients.segment(layer.first, layer.count));
    ATTN_TRAIN(norm_rows_backward,
               {rows, d, layer.x, p + layer.norm.weight, layer.sizes, d_a_, centred_, d_,
                g + layer.norm.weight, at_or_null(g, layer.norm.bias)});
  }
  for (Size i = 0; i < rows; ++i) {
    add_row(d_ + i * d, d, g + tokens_at_ + tokens[static_cast<std::size_t>(i)] * d);
    if (positions_at_ >= 0) add_row(d_ + i * d, d, g + positions_at_ + i % n_ * d);
  }
  return true;
}

}  // namespace attn::internal
