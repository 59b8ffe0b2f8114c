// Mixers that are layers of their own: short convolutions, RetNet, RWKV-4, Mamba, Hyena, latent
// attention.

#include <memory>
#include <string>
#include <vector>

#include "attn/mixers/hyena.hpp"
#include "attn/mixers/latent_attention.hpp"
#include "attn/mixers/matrix_state.hpp"
#include "attn/mixers/retention_layer.hpp"
#include "models/planned_layer.hpp"

namespace attn::internal {
namespace {

/// Kernels with a channel in each lane read whole vectors: the columns from `cols` on become 0.
void clear_beyond(float* x, Size rows, Size cols, Size wide) {
  for (Size i = 0; i < rows && cols < wide; ++i) {
    std::fill(x + i * wide + cols, x + (i + 1) * wide, 0.0F);
  }
}

void multiply_rows(const float* a, const float* b, Size count, float* out) {
  for (Size i = 0; i < count; ++i) out[i] = a[i] * b[i];
}

// --- Short convolutions --------------------------------------------------------------------------

/// Depthwise, each channel with its `taps` and a bias, over rows at a distance.
struct PlannedTaps {
  Size channels = 0, taps = 0, weight = 0, bias = 0;

  Size floats() const { return 2 * taps * channels; }
  /// Tap j of every channel side by side.
  void sort(const float* p, float* by_tap) const {
    for (Size c = 0; c < channels; ++c) {
      for (Size j = 0; j < taps; ++j) by_tap[j * channels + c] = p[weight + c * taps + j];
    }
  }
  void forward(const float* p, const float* x, Size row_size, Size rows, Size n, float* work,
               float* y) const {
    sort(p, work);
    for (Size row = 0; row < rows; ++row) {
      float* const to = y + row * row_size;
      for (Size c = 0; c < channels; ++c) to[c] = p[bias + c];
      for (Size j = std::max<Size>(0, taps - 1 - row % n); j < taps; ++j) {
        const float *const from = x + (row + j - (taps - 1)) * row_size, *const tap =
                                                                             work + j * channels;
        for (Size c = 0; c < channels; ++c) to[c] += from[c] * tap[c];
      }
    }
  }
  /// dx is written, or added to.
  void backward(const float* p, float* g, const float* x, const float* dy, Size row_size, Size rows,
                Size n, float* work, float* dx, bool add = false) const {
    float* const d_by_tap = work + taps * channels;
    sort(p, work);
    std::fill(d_by_tap, d_by_tap + taps * channels, 0.0F);
    if (!add) std::fill(dx, dx + rows * row_size, 0.0F);
    add_rows(dy, row_size, rows, channels, g + bias);
    for (Size row = 0; row < rows; ++row) {
      const float* const d = dy + row * row_size;
      for (Size j = std::max<Size>(0, taps - 1 - row % n); j < taps; ++j) {
        const Size from = (row + j - (taps - 1)) * row_size;
        const float* const tap = work + j * channels;
        float* const d_tap = d_by_tap + j * channels;
        for (Size c = 0; c < channels; ++c) d_tap[c] += d[c] * x[from + c];
        for (Size c = 0; c < channels; ++c) dx[from + c] += d[c] * tap[c];
      }
    }
    for (Size c = 0; c < channels; ++c) {
      for (Size j = 0; j < taps; ++j) g[weight + c * taps + j] += d_by_tap[j * channels + c];
    }
  }
};

/// A short convolution with a gate, to which the input may be added.
class PlannedShortConvolution final : public PlannedLayer {
 public:
  PlannedShortConvolution(const SequenceMixer<float>& mixer, const MixerPlaces& places)
      : PlannedLayer(mixer),
        gate_(places.linear("projection")),
        taps_{d_, static_cast<Size>(mixer.parameter("kernel")), places.at("conv.weight"),
              places.at("conv.bias")},
        more_(mixer.parameter("add_input") == 1 ? 1.0F : 0.0F) {}

  void forward(const float* p, const float* a, float* work, float* y) override {
    use(work);
    linear_rows(gate_, p, a, rows_, gated_);
    taps_.forward(p, a, d_, rows_, n_, taps_work_, convolved_);
    for (Size i = 0; i < rows_ * d_; ++i) y[i] += convolved_[i] * gated_[i] + more_ * a[i];
  }

  void backward(const float* p, float* g, const float* a, const float* dy, float* work,
                float* da) override {
    use(work);
    multiply_rows(dy, convolved_, rows_ * d_, d_gated_);
    linear_rows_backward(gate_, p, g, a, d_gated_, rows_, da, false);
    multiply_rows(dy, gated_, rows_ * d_, d_convolved_);
    for (Size i = 0; i < rows_ * d_; ++i) da[i] += more_ * dy[i];
    taps_.backward(p, g, a, d_convolved_, d_, rows_, n_, taps_work_, da, true);
  }

 protected:
  void lay_kept(Area& area) override {
    convolved_ = area.take(rows_ * d_);
    gated_ = area.take(rows_ * d_);
  }
  void lay_work(Area& area) override {
    taps_work_ = area.take(taps_.floats());
    d_gated_ = area.take(rows_ * d_);
    d_convolved_ = area.take(rows_ * d_);
  }

 private:
  PlannedLinear gate_;
  PlannedTaps taps_;
  float more_;
  float *convolved_ = nullptr, *gated_ = nullptr;
  float *taps_work_ = nullptr, *d_gated_ = nullptr, *d_convolved_ = nullptr;
};

// --- RetNet --------------------------------------------------------------------------------------

/// The recurrent form, whose rows are divided by √Σ_{i ≤ t} γ^i.
class PlannedRetNet final : public PlannedLayer {
 public:
  PlannedRetNet(const SequenceMixer<float>& mixer, const MixerPlaces& places)
      : PlannedLayer(mixer),
        q_(places.linear("q_proj")),
        k_(places.linear("k_proj")),
        v_(places.linear("v_proj")),
        gate_(places.linear("g_proj")),
        out_(places.linear("out_proj")),
        heads_(mixer.options().heads),
        d_k_(q_.outputs / heads_),
        d_v_(v_.outputs / heads_),
        wide_(wide_of(d_v_)),
        k_scale_(static_cast<float>(1 / std::sqrt(static_cast<double>(d_k_)))) {
    turns_.speeds = retention_speeds(d_k_);
  }

  void forward(const float* p, const float* a, float* work, float* y) override {
    use(work);
    sort_heads(p, a);
    linear_rows(gate_, p, a, rows_, slope_);
    ATTN_TRAIN(bend_rows, {rows_, gate_.outputs, simd::Bend::kSilu, nullptr, slope_, opened_});
    for (Size s = 0; s < batch_; ++s) {
      for (Size h = 0; h < heads_; ++h) {
        const Head head = head_at(s, h);
        simd::TrainedState state = state_of(head);
        state.out = head.out;
        ATTN_TRAIN(trained_state_forward, state);
        for (Size t = 0; t < n_; ++t) {
          const Size row = s * n_ + t;
          const float* const out = head.out + t * wide_;
          const float by = scale_of(out, h, t);
          const float* const opened = opened_ + row * gate_.outputs + h * d_v_;
          float* const to = mixed_ + row * gate_.outputs + h * d_v_;
          for (Size c = 0; c < d_v_; ++c) to[c] = out[c] * by * opened[c];
        }
      }
    }
    times_weights(mixed_, rows_, p + out_.weight, d_, out_.inputs, y, true);
  }

  void backward(const float* p, float* g, const float* a, const float* dy, float* work,
                float* da) override {
    use(work);
    linear_rows_backward(out_, p, g, mixed_, dy, rows_, d_mixed_, false);
    for (Size s = 0; s < batch_; ++s) {
      for (Size h = 0; h < heads_; ++h) {
        const Head head = head_at(s, h);
        for (Size t = 0; t < n_; ++t) {
          const Size at = (s * n_ + t) * gate_.outputs + h * d_v_;
          const float* const out = head.out + t * wide_;
          const float by = scale_of(out, h, t);
          // Of y = x·by, by = 1/(divisor·√(mean + ε)): what goes through the scale takes the part
          // along x off.
          float along = 0;
          for (Size c = 0; c < d_v_; ++c) {
            const float d_normed = d_mixed_[at + c] * opened_[at + c];
            d_gate_[at + c] = d_mixed_[at + c] * out[c] * by * slope_[at + c];
            along += d_normed * out[c];
            d_out_[t * wide_ + c] = d_normed;
          }
          along *= by * by / static_cast<float>(d_v_);
          for (Size c = 0; c < d_v_; ++c) {
            float& d = d_out_[t * wide_ + c];
            d = by * (d - out[c] * along);
          }
        }
        clear_beyond(d_out_, n_, d_v_, wide_);
        simd::TrainedState state = state_of(head);
        state.d_out = d_out_;
        state.d_q = d_q_;
        state.d_k = d_k_rows_;
        state.d_v = d_v_rows_;
        state.d_decay = d_decay_;
        ATTN_TRAIN(trained_state_backward, state, kernel_work_);
        for (Size t = 0; t < n_; ++t) {
          const Size row = s * n_ + t;
          float* const dq = queries_ + row * q_.outputs + h * d_k_;
          float* const dk = keys_ + row * q_.outputs + h * d_k_;
          float* const dv = values_ + row * v_.outputs + h * d_v_;
          std::copy(d_q_ + t * d_k_, d_q_ + (t + 1) * d_k_, dq);
          for (Size c = 0; c < d_k_; ++c) dk[c] = d_k_rows_[t * d_k_ + c] * k_scale_;
          turns_.turn(t, -1, dq);
          turns_.turn(t, -1, dk);
          std::copy(d_v_rows_ + t * wide_, d_v_rows_ + t * wide_ + d_v_, dv);
        }
      }
    }
    linear_rows_backward(q_, p, g, a, queries_, rows_, da, false);
    linear_rows_backward(k_, p, g, a, keys_, rows_, da, true);
    linear_rows_backward(v_, p, g, a, values_, rows_, da, true);
    linear_rows_backward(gate_, p, g, a, d_gate_, rows_, da, true);
  }

 protected:
  void lay_kept(Area& area) override {
    turns_.make(n_);
    divisors_.resize(static_cast<std::size_t>(heads_ * n_));
    for (Size h = 0; h < heads_; ++h) {
      const double log_decay = retention_log_decay(h);
      for (Size t = 0; t < n_; ++t) {
        divisors_[static_cast<std::size_t>(h * n_ + t)] =
            std::expm1(log_decay * static_cast<double>(t + 1)) / std::expm1(log_decay);
      }
    }
    slope_ = area.take(rows_ * gate_.outputs);
    opened_ = area.take(rows_ * gate_.outputs);
    mixed_ = area.take(rows_ * gate_.outputs);
    decay_ = area.take(heads_ * n_);
    kept_ = area.take(0);
    each_ = kept_of(nullptr).floats;
    area.take(batch_ * heads_ * each_);
  }
  void lay_work(Area& area) override {
    // Three projections, and on the way back their gradients.
    queries_ = area.take(rows_ * q_.outputs);
    keys_ = area.take(rows_ * q_.outputs);
    values_ = area.take(rows_ * v_.outputs);
    d_mixed_ = area.take(rows_ * gate_.outputs);
    d_gate_ = area.take(rows_ * gate_.outputs);
    d_out_ = area.take(n_ * wide_);
    d_q_ = area.take(n_ * d_k_);
    d_k_rows_ = area.take(n_ * d_k_);
    d_v_rows_ = area.take(n_ * wide_);
    d_decay_ = area.take(n_);
    kernel_work_ = area.take(2 * d_k_ * wide_);
  }

 private:
  struct Head {
    float *q, *k, *v, *states, *writes, *out;
    const float* decay = nullptr;
    Size floats = 0;
  };
  Head kept_of(float* at) const {
    Area area{at};
    Head head{};
    head.q = area.take(n_ * d_k_);
    head.k = area.take(n_ * d_k_);
    head.v = area.take(n_ * wide_);
    head.states = area.take((n_ + 1) * d_k_ * wide_);
    head.writes = area.take(n_ * wide_);
    head.out = area.take(n_ * wide_);
    head.floats = area.used;
    return head;
  }
  Head head_at(Size s, Size h) const {
    Head head = kept_of(kept_ + (s * heads_ + h) * each_);
    head.decay = decay_ + h * n_;
    return head;
  }
  simd::TrainedState state_of(const Head& head) const {
    simd::TrainedState state{};
    state.n = n_;
    state.d = d_k_;
    state.dv = wide_;
    state.q = head.q;
    state.k = head.k;
    state.v = head.v;
    state.decay = head.decay;
    state.decays = 1;
    state.states = head.states;
    state.writes = head.writes;
    return state;
  }
  /// 1/(divisor·√(mean of (out/divisor)² + ε))
  float scale_of(const float* out, Size h, Size t) const {
    float sum = 0;
    for (Size c = 0; c < d_v_; ++c) sum += out[c] * out[c];
    const double square = divisors_[static_cast<std::size_t>(h * n_ + t)];
    const double epsilon = RetentionLayerOptions{}.epsilon;
    return 1 / std::sqrt(sum / static_cast<float>(d_v_) + static_cast<float>(epsilon * square));
  }
  /// Queries and keys, turned, and values, all sorted by head.
  void sort_heads(const float* p, const float* a) {
    linear_rows(q_, p, a, rows_, queries_);
    linear_rows(k_, p, a, rows_, keys_);
    linear_rows(v_, p, a, rows_, values_);
    for (Size h = 0; h < heads_; ++h) {
      std::fill(decay_ + h * n_, decay_ + (h + 1) * n_,
                static_cast<float>(std::exp(retention_log_decay(h))));
    }
    for (Size s = 0; s < batch_; ++s) {
      for (Size h = 0; h < heads_; ++h) {
        const Head head = head_at(s, h);
        for (Size t = 0; t < n_; ++t) {
          const Size row = s * n_ + t;
          const float* const q = queries_ + row * q_.outputs + h * d_k_;
          const float* const k = keys_ + row * q_.outputs + h * d_k_;
          const float* const v = values_ + row * v_.outputs + h * d_v_;
          std::copy(q, q + d_k_, head.q + t * d_k_);
          for (Size c = 0; c < d_k_; ++c) head.k[t * d_k_ + c] = k[c] * k_scale_;
          turns_.turn(t, 1, head.q + t * d_k_);
          turns_.turn(t, 1, head.k + t * d_k_);
          std::copy(v, v + d_v_, head.v + t * wide_);
        }
        clear_beyond(head.v, n_, d_v_, wide_);
      }
    }
  }

  PlannedLinear q_, k_, v_, gate_, out_;
  Size heads_, d_k_, d_v_, wide_, each_ = 0;
  float k_scale_;
  Turns turns_;
  /// The squares of what rows are divided by.
  std::vector<double> divisors_;
  float *slope_ = nullptr, *opened_ = nullptr, *mixed_ = nullptr, *decay_ = nullptr,
        *kept_ = nullptr;
  float *queries_ = nullptr, *keys_ = nullptr, *values_ = nullptr, *d_mixed_ = nullptr,
        *d_gate_ = nullptr, *d_out_ = nullptr, *d_q_ = nullptr, *d_k_rows_ = nullptr,
        *d_v_rows_ = nullptr, *d_decay_ = nullptr, *kernel_work_ = nullptr;
};

// --- RWKV-4 --------------------------------------------------------------------------------------

class PlannedRwkv final : public PlannedLayer {
 public:
  PlannedRwkv(const SequenceMixer<float>& mixer, const MixerPlaces& places)
      : PlannedLayer(mixer),
        wide_(wide_of(d_)),
        parts_{{places.at("time_mix_k"), places.linear("key")},
               {places.at("time_mix_v"), places.linear("value")},
               {places.at("time_mix_r"), places.linear("receptance")}},
        out_(places.linear("output")),
        time_decay_(places.at("time_decay")),
        time_first_(places.at("time_first")) {}

  void forward(const float* p, const float* a, float* work, float* y) override {
    use(work);
    for (Part& part : parts_) {
      const float* const mix = p + part.mix;
      for (Size row = 0; row < rows_; ++row) {
        const float* const x = a + row * d_;
        float* const to = part.input + row * d_;
        for (Size c = 0; c < d_; ++c) {
          const float before = row % n_ == 0 ? 0 : x[c - d_];
          to[c] = before + (x[c] - before) * mix[c];
        }
      }
      linear_rows(part.linear, p, part.input, d_, rows_, part.made, wide_);
      clear_beyond(part.made, rows_, d_, wide_);
    }
    ATTN_TRAIN(bend_rows, {rows_, wide_, simd::Bend::kSigmoid, nullptr, parts_[2].made, gate_});
    take_rates(p);
    for (Size s = 0; s < batch_; ++s) {
      simd::TrainedMean mean = mean_of(s);
      mean.out = means_ + s * n_ * wide_;
      ATTN_TRAIN(trained_mean_forward, mean);
    }
    multiply_rows(gate_, means_, rows_ * wide_, mixed_);
    times_weights(mixed_, wide_, rows_, p + out_.weight, d_, d_, y, d_, true);
  }

  void backward(const float* p, float* g, const float* a, const float* dy, float* work,
                float* da) override {
    use(work);
    linear_rows_backward(out_, p, g, mixed_, wide_, dy, d_, rows_, d_mixed_, wide_, false);
    clear_beyond(d_mixed_, rows_, d_, wide_);
    take_rates(p);
    std::fill(d_rates_, d_rates_ + 2 * wide_, 0.0F);
    // By the receptance and by what the memory gives; the slope is what `bend_rows` left there.
    for (Size i = 0; i < rows_ * wide_; ++i) {
      d_parts_[2][i] = d_mixed_[i] * means_[i] * parts_[2].made[i];
      d_mixed_[i] *= gate_[i];
    }
    for (Size s = 0; s < batch_; ++s) {
      simd::TrainedMean mean = mean_of(s);
      const Size first = s * n_ * wide_;
      mean.d_out = d_mixed_ + first;
      mean.d_k = d_parts_[0] + first;
      mean.d_v = d_parts_[1] + first;
      mean.d_time_decay = d_rates_;
      mean.d_u = d_rates_ + wide_;
      ATTN_TRAIN(trained_mean_backward, mean, kernel_work_);
    }
    add_row(d_rates_, d_, g + time_decay_);
    add_row(d_rates_ + wide_, d_, g + time_first_);
    std::fill(da, da + rows_ * d_, 0.0F);
    for (Size i = 0; i < 3; ++i) {
      const Part& part = parts_[i];
      linear_rows_backward(part.linear, p, g, part.input, d_, d_parts_[i], wide_, rows_, d_input_,
                           d_, false);
      const float* const mix = p + part.mix;
      float* const d_mix = g + part.mix;
      for (Size row = 0; row < rows_; ++row) {
        const bool first = row % n_ == 0;
        const float *const x = a + row * d_, *const d = d_input_ + row * d_;
        float* const to = da + row * d_;
        for (Size c = 0; c < d_; ++c) {
          d_mix[c] += d[c] * (x[c] - (first ? 0 : x[c - d_]));
          to[c] += d[c] * mix[c];
        }
        if (first) continue;
        for (Size c = 0; c < d_; ++c) to[c - d_] += d[c] - d[c] * mix[c];
      }
    }
  }

 protected:
  void lay_kept(Area& area) override {
    for (Part& part : parts_) {
      part.input = area.take(rows_ * d_);
      part.made = area.take(rows_ * wide_);
    }
    gate_ = area.take(rows_ * wide_);
    means_ = area.take(rows_ * wide_);
    mixed_ = area.take(rows_ * wide_);
  }
  void lay_work(Area& area) override {
    rates_ = area.take(2 * wide_);
    d_rates_ = area.take(2 * wide_);
    d_mixed_ = area.take(rows_ * wide_);
    for (float*& part : d_parts_) part = area.take(rows_ * wide_);
    d_input_ = area.take(rows_ * d_);
    kernel_work_ = area.take(3 * kWideStep * n_);
  }

 private:
  /// One of k, v and r.
  struct Part {
    Size mix;
    PlannedLinear linear;
    float *input = nullptr, *made = nullptr;
  };
  void take_rates(const float* p) {
    std::fill(rates_, rates_ + 2 * wide_, 0.0F);
    std::copy(p + time_decay_, p + time_decay_ + d_, rates_);
    std::copy(p + time_first_, p + time_first_ + d_, rates_ + wide_);
  }
  simd::TrainedMean mean_of(Size s) const {
    simd::TrainedMean mean{};
    mean.n = n_;
    mean.d = wide_;
    mean.k = parts_[0].made + s * n_ * wide_;
    mean.v = parts_[1].made + s * n_ * wide_;
    mean.time_decay = rates_;
    mean.u = rates_ + wide_;
    return mean;
  }

  Size wide_;
  Part parts_[3];
  PlannedLinear out_;
  Size time_decay_, time_first_;
  float *gate_ = nullptr, *means_ = nullptr, *mixed_ = nullptr;
  float *rates_ = nullptr, *d_rates_ = nullptr, *d_mixed_ = nullptr, *d_input_ = nullptr,
        *kernel_work_ = nullptr, *d_parts_[3] = {};
};

// --- Mamba ---------------------------------------------------------------------------------------

class PlannedMamba final : public PlannedLayer {
 public:
  PlannedMamba(const SequenceMixer<float>& mixer, const MixerPlaces& places)
      : PlannedLayer(mixer),
        in_(places.linear("in_proj")),
        e_(in_.outputs / 2),
        wide_(wide_of(e_)),
        select_(places.linear("x_proj")),
        step_(places.linear("dt_proj")),
        out_(places.linear("out_proj")),
        N_(places.table.at("A_log").cols),
        r_(step_.inputs),
        log_rates_(places.at("A_log")),
        through_(places.at("D")),
        taps_{e_, places.table.at("conv1d.weight").cols, places.at("conv1d.weight"),
              places.at("conv1d.bias")} {
    into_ = {in_.weight, -1, e_, d_};
    gate_ = {in_.weight + e_ * d_, -1, e_, d_};
  }

  void forward(const float* p, const float* a, float* work, float* y) override {
    use(work);
    linear_rows(into_, p, a, d_, rows_, before_, wide_);
    linear_rows(gate_, p, a, d_, rows_, z_slope_, wide_);
    taps_.forward(p, before_, wide_, rows_, n_, taps_work_, u_slope_);
    clear_beyond(u_slope_, rows_, e_, wide_);
    clear_beyond(z_slope_, rows_, e_, wide_);
    ATTN_TRAIN(bend_rows, {rows_, wide_, simd::Bend::kSilu, nullptr, u_slope_, u_});
    ATTN_TRAIN(bend_rows, {rows_, wide_, simd::Bend::kSilu, nullptr, z_slope_, z_});
    linear_rows(select_, p, u_, wide_, rows_, selected_, select_.outputs);
    linear_rows(step_, p, selected_, select_.outputs, rows_, steps_, wide_);
    clear_beyond(steps_, rows_, e_, wide_);
    for (Size row = 0; row < rows_; ++row) {
      for (Size c = 0; c < e_; ++c) {
        const float raw = steps_[row * wide_ + c];
        step_slope_[row * wide_ + c] = sigmoid_of(raw);
        steps_[row * wide_ + c] = softplus_of(raw);
      }
    }
    take_rates(p);
    for (Size s = 0; s < batch_; ++s) {
      simd::TrainedScan scan = scan_of(s);
      scan.out = scanned_ + s * n_ * wide_;
      ATTN_TRAIN(trained_scan_forward, scan, kernel_work_);
    }
    for (Size row = 0; row < rows_; ++row) {
      for (Size c = 0; c < e_; ++c) {
        const Size i = row * wide_ + c;
        scanned_[i] += u_[i] * p[through_ + c];
        mixed_[i] = scanned_[i] * z_[i];
      }
    }
    times_weights(mixed_, wide_, rows_, p + out_.weight, d_, e_, y, d_, true);
  }

  void backward(const float* p, float* g, const float* a, const float* dy, float* work,
                float* da) override {
    use(work);
    // Above the scan.
    linear_rows_backward(out_, p, g, mixed_, wide_, dy, d_, rows_, d_out_, wide_, false);
    clear_beyond(d_out_, rows_, e_, wide_);
    float* const d_through = g + through_;
    for (Size row = 0; row < rows_; ++row) {
      for (Size c = 0; c < e_; ++c) {
        const Size i = row * wide_ + c;
        d_z_[i] = d_out_[i] * scanned_[i] * z_slope_[i];
        d_out_[i] *= z_[i];
        d_through[c] += d_out_[i] * u_[i];
      }
    }
    take_rates(p);
    std::fill(d_rates_, d_rates_ + N_ * wide_, 0.0F);
    for (Size s = 0; s < batch_; ++s) {
      simd::TrainedScan scan = scan_of(s);
      const Size first = s * n_;
      scan.d_out = d_out_ + first * wide_;
      scan.d_u = d_u_ + first * wide_;
      scan.d_step = d_steps_ + first * wide_;
      scan.d_rates = d_rates_;
      scan.d_selected = d_selected_ + first * select_.outputs + r_;
      ATTN_TRAIN(trained_scan_backward, scan, kernel_work_);
    }
    for (Size c = 0; c < e_; ++c) {
      // A = −e^{log_rates}
      for (Size s = 0; s < N_; ++s) {
        g[log_rates_ + c * N_ + s] += d_rates_[s * wide_ + c] * rates_[s * wide_ + c];
      }
    }
    // What selects the scan's steps, B and C.
    for (Size row = 0; row < rows_; ++row) {
      for (Size c = 0; c < e_; ++c) {
        const Size i = row * wide_ + c;
        d_steps_[i] *= step_slope_[i];
        d_u_[i] += d_out_[i] * p[through_ + c];
      }
    }
    linear_rows_backward(step_, p, g, selected_, select_.outputs, d_steps_, wide_, rows_,
                         d_selected_, select_.outputs, false);
    linear_rows_backward(select_, p, g, u_, wide_, d_selected_, select_.outputs, rows_, d_u_, wide_,
                         true);
    multiply_rows(d_u_, u_slope_, rows_ * wide_, d_u_);
    taps_.backward(p, g, before_, d_u_, wide_, rows_, n_, taps_work_, d_out_);
    linear_rows_backward(into_, p, g, a, d_, d_out_, wide_, rows_, da, d_, false);
    linear_rows_backward(gate_, p, g, a, d_, d_z_, wide_, rows_, da, d_, true);
  }

 protected:
  void lay_kept(Area& area) override {
    for (float** const part :
         {&before_, &u_slope_, &u_, &z_slope_, &z_, &steps_, &step_slope_, &scanned_, &mixed_}) {
      *part = area.take(rows_ * wide_);
    }
    selected_ = area.take(rows_ * select_.outputs);
  }
  void lay_work(Area& area) override {
    for (float** const part : {&d_out_, &d_u_, &d_steps_, &d_z_}) *part = area.take(rows_ * wide_);
    d_selected_ = area.take(rows_ * select_.outputs);
    rates_ = area.take(N_ * wide_);
    d_rates_ = area.take(N_ * wide_);
    taps_work_ = area.take(taps_.floats());
    kernel_work_ = area.take(4 * kWideStep * (n_ + 1) * N_);
  }

 private:
  void take_rates(const float* p) {
    clear_beyond(rates_, N_, e_, wide_);
    for (Size c = 0; c < e_; ++c) {
      for (Size s = 0; s < N_; ++s) {
        rates_[s * wide_ + c] = -exp_of(p[log_rates_ + c * N_ + s]);
      }
    }
  }
  simd::TrainedScan scan_of(Size s) const {
    simd::TrainedScan scan{};
    scan.n = n_;
    scan.d = wide_;
    scan.states = N_;
    scan.u = u_ + s * n_ * wide_;
    scan.step = steps_ + s * n_ * wide_;
    scan.rates = rates_;
    scan.selected = selected_ + s * n_ * select_.outputs + r_;
    scan.selected_row = select_.outputs;
    return scan;
  }

  PlannedLinear in_, into_, gate_;
  Size e_, wide_;
  PlannedLinear select_, step_, out_;
  Size N_, r_, log_rates_, through_;
  PlannedTaps taps_;
  float *before_ = nullptr, *u_slope_ = nullptr, *u_ = nullptr, *z_slope_ = nullptr, *z_ = nullptr,
        *steps_ = nullptr, *step_slope_ = nullptr, *scanned_ = nullptr, *mixed_ = nullptr,
        *selected_ = nullptr;
  float *d_out_ = nullptr, *d_u_ = nullptr, *d_steps_ = nullptr, *d_z_ = nullptr,
        *d_selected_ = nullptr, *rates_ = nullptr, *d_rates_ = nullptr, *taps_work_ = nullptr,
        *kernel_work_ = nullptr;
};

// --- Hyena ---------------------------------------------------------------------------------------

/// The filters are made once for all sequences. Convolutions are direct sums: with a channel in
/// each lane they take less time than transforms at the lengths that are planned.
class PlannedHyena final : public PlannedLayer {
 public:
  PlannedHyena(const SequenceMixer<float>& mixer, const MixerPlaces& places)
      : PlannedLayer(mixer),
        wide_(wide_of(d_)),
        filters_(static_cast<Size>(mixer.parameter("order")) - 1),
        in_(places.linear("in_proj")),
        out_(places.linear("out_proj")),
        frequency_(places.at("filter_fn.implicit_filter.1.freq")),
        through_(places.at("filter_fn.bias")),
        taps_{in_.outputs, places.table.at("short_filter.weight").cols,
              places.at("short_filter.weight"), places.at("short_filter.bias")} {
    how_.length = mixer.options().length;
    for (int i = 0;; i += 2) {
      const std::string name = "filter_fn.implicit_filter." + std::to_string(i);
      if (!places.table.contains(name + ".weight")) break;
      net_.push_back({places.linear(name)});
    }
    gates_.resize(static_cast<std::size_t>(filters_));
  }

  void forward(const float* p, const float* a, float* work, float* y) override {
    use(work);
    make_filters(p);
    linear_rows(in_, p, a, rows_, projected_);
    taps_.forward(p, projected_, in_.outputs, rows_, n_, taps_work_, convolved_);
    for (Size o = 0; o < filters_; ++o) {
      Gate& gate = gates_[static_cast<std::size_t>(o)];
      for (Size row = 0; row < rows_; ++row) {
        const float *const by = x(filters_ - o, row), *const from = before(o, row);
        for (Size c = 0; c < d_; ++c) gate.input[row * wide_ + c] = by[c] * from[c];
      }
      clear_beyond(gate.input, rows_, d_, wide_);
      for (Size s = 0; s < batch_; ++s) {
        simd::TrainedConvolution convolution = convolution_of(gate, s);
        convolution.out = gate.made + s * n_ * wide_;
        ATTN_TRAIN(trained_convolution_forward, convolution);
      }
      for (Size row = 0; row < rows_; ++row) {
        for (Size c = 0; c < d_; ++c) {
          gate.made[row * wide_ + c] +=
              gate.input[row * wide_ + c] * p[through_ + c * filters_ + o];
        }
      }
    }
    if (out_.bias >= 0) begin_rows(y, p + out_.bias, rows_, d_, y);
    for (Size row = 0; row < rows_; ++row) {
      multiply_rows(x(0, row), before(filters_, row), d_, mixed_ + row * d_);
    }
    times_weights(mixed_, rows_, p + out_.weight, d_, d_, y, true);
  }

  void backward(const float* p, float* g, const float* a, const float* dy, float* work,
                float* da) override {
    use(work);
    linear_rows_backward(out_, p, g, mixed_, dy, rows_, d_mixed_, false);
    for (Size row = 0; row < rows_; ++row) {
      const float* const d = d_mixed_ + row * d_;
      multiply_rows(d, before(filters_, row), d_, d_x(0, row));
      multiply_rows(d, x(0, row), d_, d_made_ + row * wide_);
    }
    clear_beyond(d_made_, rows_, d_, wide_);
    for (Size o = filters_; o-- > 0;) {
      const Gate& gate = gates_[static_cast<std::size_t>(o)];
      std::fill(d_filter_, d_filter_ + n_ * wide_, 0.0F);
      for (Size s = 0; s < batch_; ++s) {
        simd::TrainedConvolution convolution = convolution_of(gate, s);
        convolution.d_out = d_made_ + s * n_ * wide_;
        convolution.d_x = d_input_ + s * n_ * wide_;
        convolution.d_filter = d_filter_;
        ATTN_TRAIN(trained_convolution_backward, convolution);
      }
      for (Size t = 0; t < n_; ++t) {
        for (Size c = 0; c < d_; ++c) {
          d_filters_[t * filters_ * d_ + c * filters_ + o] = d_filter_[t * wide_ + c];
        }
      }
      for (Size row = 0; row < rows_; ++row) {
        for (Size c = 0; c < d_; ++c) {
          const Size i = row * wide_ + c, at = through_ + c * filters_ + o;
          g[at] += d_made_[i] * gate.input[i];
          d_input_[i] += d_made_[i] * p[at];
        }
        const float* const d = d_input_ + row * wide_;
        multiply_rows(d, before(o, row), d_, d_x(filters_ - o, row));
        float* const to = o == 0 ? d_x(filters_ + 1, row) : d_made_ + row * wide_;
        multiply_rows(d, x(filters_ - o, row), d_, to);
      }
    }
    back_through_filters(p, g);
    taps_.backward(p, g, projected_, d_convolved_, in_.outputs, rows_, n_, taps_work_,
                   d_projected_);
    linear_rows_backward(in_, p, g, a, d_projected_, rows_, da, false);
  }

 protected:
  void lay_kept(Area& area) override {
    make_places();
    projected_ = area.take(rows_ * in_.outputs);
    convolved_ = area.take(rows_ * in_.outputs);
    mixed_ = area.take(rows_ * d_);
    for (Gate& gate : gates_) {
      gate.input = area.take(rows_ * wide_);
      gate.made = area.take(rows_ * wide_);
      gate.filter = area.take(n_ * wide_);
    }
    for (Net& layer : net_) {
      layer.input = area.take(n_ * layer.linear.inputs);
      layer.made = area.take(n_ * layer.linear.outputs);
    }
  }
  void lay_work(Area& area) override {
    taps_work_ = area.take(taps_.floats());
    d_mixed_ = area.take(rows_ * d_);
    d_made_ = area.take(rows_ * wide_);
    d_input_ = area.take(rows_ * wide_);
    d_filter_ = area.take(n_ * wide_);
    d_filters_ = area.take(n_ * filters_ * d_);
    d_net_ = area.take(n_ * net_.front().linear.outputs);
    d_next_ = area.take(n_ * net_.front().linear.outputs);
    d_convolved_ = area.take(rows_ * in_.outputs);
    d_projected_ = area.take(rows_ * in_.outputs);
  }

 private:
  /// A step of the recurrence: what goes into its convolution, its taps, and what comes out.
  struct Gate {
    float *input = nullptr, *made = nullptr, *filter = nullptr;
  };
  /// A layer of the network that makes the filters, as it was computed.
  struct Net {
    PlannedLinear linear;
    float *input = nullptr, *made = nullptr;
  };

  const float* x(Size i, Size row) const { return convolved_ + row * in_.outputs + i * d_; }
  float* d_x(Size i, Size row) const { return d_convolved_ + row * in_.outputs + i * d_; }
  /// What gate o is multiplied with.
  const float* before(Size o, Size row) const {
    if (o == 0) return x(filters_ + 1, row);
    return gates_[static_cast<std::size_t>(o - 1)].made + row * wide_;
  }
  simd::TrainedConvolution convolution_of(const Gate& gate, Size s) const {
    simd::TrainedConvolution convolution{};
    convolution.n = n_;
    convolution.d = wide_;
    convolution.x = gate.input + s * n_ * wide_;
    convolution.filter = gate.filter;
    return convolution;
  }
  /// Features and windows of the places, which do not depend on parameters.
  void make_places() {
    if (places_.rows() == n_) return;
    places_ = hyena_positions<float>(n_, how_.length, net_.front().linear.inputs);
    const Index channels = net_.back().linear.outputs;
    const Vector<double> decays = hyena_decays<double>(channels, how_);
    window_.resize(n_, channels);
    const double last = static_cast<double>(std::max<Index>(how_.length - 1, 1));
    for (Index t = 0; t < n_; ++t) {
      for (Index c = 0; c < channels; ++c) {
        window_(t, c) = static_cast<float>(
            std::exp(-static_cast<double>(t) / last * std::abs(decays(c))) + how_.shift);
      }
    }
  }
  void make_filters(const float* p) {
    std::copy(places_.data(), places_.data() + places_.size(), net_.front().input);
    for (std::size_t i = 0; i < net_.size(); ++i) {
      const Net& layer = net_[i];
      linear_rows(layer.linear, p, layer.input, n_, layer.made);
      if (i + 1 == net_.size()) break;
      const Size width = layer.linear.outputs;
      for (Size j = 0; j < n_ * width; ++j) {
        net_[i + 1].input[j] = std::sin(layer.made[j] * p[frequency_ + j % width]);
      }
    }
    const float* const made = net_.back().made;
    for (Size o = 0; o < filters_; ++o) {
      float* const filter = gates_[static_cast<std::size_t>(o)].filter;
      for (Size t = 0; t < n_; ++t) {
        for (Size c = 0; c < d_; ++c) {
          const Size at = t * filters_ * d_ + c * filters_ + o;
          filter[t * wide_ + c] = made[at] * window_.data()[at];
        }
      }
      clear_beyond(filter, n_, d_, wide_);
    }
  }
  void back_through_filters(const float* p, float* g) {
    multiply_rows(d_filters_, window_.data(), n_ * filters_ * d_, d_filters_);
    const float* d_made = d_filters_;
    for (std::size_t i = net_.size(); i-- > 0;) {
      const Net& layer = net_[i];
      if (i + 1 < net_.size()) {
        // sin(f ∘ a), in place.
        const Size width = layer.linear.outputs;
        for (Size j = 0; j < n_ * width; ++j) {
          const float f = p[frequency_ + j % width];
          const float slope = d_net_[j] * std::cos(layer.made[j] * f);
          g[frequency_ + j % width] += slope * layer.made[j];
          d_net_[j] = slope * f;
        }
        d_made = d_net_;
      }
      linear_rows_backward(layer.linear, p, g, layer.input, d_made, n_, i == 0 ? nullptr : d_next_,
                           false);
      std::swap(d_net_, d_next_);
    }
  }

  Size wide_, filters_;
  PlannedLinear in_, out_;
  Size frequency_, through_;
  PlannedTaps taps_;
  HyenaFilterOptions how_;
  Matrix<float> places_, window_;
  std::vector<Gate> gates_;
  std::vector<Net> net_;
  float *projected_ = nullptr, *convolved_ = nullptr, *mixed_ = nullptr;
  float *taps_work_ = nullptr, *d_mixed_ = nullptr, *d_made_ = nullptr, *d_input_ = nullptr,
        *d_filter_ = nullptr, *d_filters_ = nullptr, *d_net_ = nullptr, *d_next_ = nullptr,
        *d_convolved_ = nullptr, *d_projected_ = nullptr;
};

// --- Latent attention ----------------------------------------------------------------------------

/// Keys and values of every head are made from the latent vectors, as in the naive form.
class PlannedLatent final : public PlannedLayer {
 public:
  PlannedLatent(const SequenceMixer<float>& mixer, const MixerPlaces& places)
      : PlannedLayer(mixer),
        q_(places.linear("wq")),
        down_(places.linear("wkv_a")),
        up_(places.linear("wkv_b")),
        out_(places.linear("wo")),
        norm_(places.at("kv_norm.weight")),
        heads_(mixer.options().heads),
        rope_(static_cast<Size>(mixer.parameter("rope"))),
        latent_(up_.inputs),
        width_(q_.outputs / heads_),
        nope_(width_ - rope_),
        d_v_(out_.inputs / heads_) {
    const LatentAttentionOptions how;
    turns_.speeds = latent_speeds(rope_, how);
    epsilon_ = static_cast<float>(how.epsilon);
    head_.d = width_;
    head_.dv = d_v_;
    head_.scale = static_cast<float>(latent_scale(width_, how));
    head_.scores = simd::Scores::kSoftmax;
    // Every earlier token.
    head_.left = Size{1} << 29;
  }

  void forward(const float* p, const float* a, float* work, float* y) override {
    use(work);
    linear_rows(q_, p, a, rows_, queries_);
    linear_rows(down_, p, a, rows_, low_);
    for (Size row = 0; row < rows_; ++row) {
      for (Size h = 0; h < heads_; ++h) {
        turns_.turn(row % n_, 1, queries_ + (row * heads_ + h) * width_ + nope_);
      }
      float* const low = low_ + row * down_.outputs;
      turns_.turn(row % n_, 1, low + latent_);
      std::copy(low, low + latent_, raw_ + row * latent_);
    }
    ATTN_TRAIN(norm_rows,
               {rows_, latent_, raw_, p + norm_, nullptr, false, epsilon_, normed_, sizes_});
    linear_rows(up_, p, normed_, rows_, made_);
    for (Size row = 0; row < rows_; ++row) {
      const float* const key = low_ + row * down_.outputs + latent_;
      for (Size h = 0; h < heads_; ++h) {
        const float* const from = made_ + row * up_.outputs + h * (nope_ + d_v_);
        float* const to = keys_ + (row * heads_ + h) * width_;
        std::copy(from, from + nope_, to);
        std::copy(key, key + rope_, to + nope_);
      }
    }
    for (Size s = 0; s < batch_; ++s) {
      for (Size h = 0; h < heads_; ++h) {
        ATTN_TRAIN(trained_head_forward, head_at(s, h), kernel_work_);
      }
    }
    times_weights(mixed_, rows_, p + out_.weight, d_, out_.inputs, y, true);
  }

  void backward(const float* p, float* g, const float* a, const float* dy, float* work,
                float* da) override {
    use(work);
    linear_rows_backward(out_, p, g, mixed_, dy, rows_, d_mixed_, false);
    for (Size s = 0; s < batch_; ++s) {
      for (Size h = 0; h < heads_; ++h) {
        ATTN_TRAIN(trained_head_backward, head_at(s, h), kernel_work_);
      }
    }
    for (Size row = 0; row < rows_; ++row) {
      float* const d_key = d_low_ + row * down_.outputs + latent_;
      std::fill(d_key, d_key + rope_, 0.0F);
      for (Size h = 0; h < heads_; ++h) {
        const float* const from = d_keys_ + (row * heads_ + h) * width_;
        std::copy(from, from + nope_, d_made_ + row * up_.outputs + h * (nope_ + d_v_));
        for (Size c = 0; c < rope_; ++c) d_key[c] += from[nope_ + c];
        turns_.turn(row % n_, -1, d_queries_ + (row * heads_ + h) * width_ + nope_);
      }
      turns_.turn(row % n_, -1, d_key);
    }
    linear_rows_backward(up_, p, g, normed_, d_made_, rows_, d_normed_, false);
    std::fill(d_raw_, d_raw_ + rows_ * latent_, 0.0F);
    ATTN_TRAIN(norm_rows_backward, {rows_, latent_, raw_, p + norm_, sizes_, d_normed_, false,
                                    d_raw_, g + norm_, nullptr});
    for (Size row = 0; row < rows_; ++row) {
      std::copy(d_raw_ + row * latent_, d_raw_ + (row + 1) * latent_, d_low_ + row * down_.outputs);
    }
    linear_rows_backward(down_, p, g, a, d_low_, rows_, da, false);
    linear_rows_backward(q_, p, g, a, d_queries_, rows_, da, true);
  }

 protected:
  void lay_kept(Area& area) override {
    turns_.make(n_);
    head_.n = n_;
    queries_ = area.take(rows_ * q_.outputs);
    keys_ = area.take(rows_ * q_.outputs);
    raw_ = area.take(rows_ * latent_);
    normed_ = area.take(rows_ * latent_);
    sizes_ = area.take(2 * rows_);
    made_ = area.take(rows_ * up_.outputs);
    mixed_ = area.take(rows_ * out_.inputs);
    each_ = ATTN_TRAIN(trained_head_kept, head_);
    kept_ = area.take(batch_ * heads_ * each_);
  }
  void lay_work(Area& area) override {
    low_ = area.take(rows_ * down_.outputs);
    d_low_ = low_;
    d_mixed_ = area.take(rows_ * out_.inputs);
    d_queries_ = area.take(rows_ * q_.outputs);
    d_keys_ = area.take(rows_ * q_.outputs);
    d_made_ = area.take(rows_ * up_.outputs);
    d_normed_ = area.take(rows_ * latent_);
    d_raw_ = area.take(rows_ * latent_);
    kernel_work_ = area.take(ATTN_TRAIN(trained_head_work, head_));
  }

 private:
  simd::TrainedHead head_at(Size s, Size h) const {
    simd::TrainedHead head = head_;
    const Size first = s * n_, keys = first * q_.outputs + h * width_;
    const Size values = first * up_.outputs + h * (nope_ + d_v_) + nope_;
    const Size outs = first * out_.inputs + h * d_v_;
    head.q = queries_ + keys;
    head.k = keys_ + keys;
    head.v = made_ + values;
    head.qk_row = head.d_qk_row = q_.outputs;
    head.v_row = head.d_v_row = up_.outputs;
    head.kept = kept_ + (s * heads_ + h) * each_;
    head.out = mixed_ + outs;
    head.d_out = d_mixed_ + outs;
    head.out_row = out_.inputs;
    head.d_q = d_queries_ + keys;
    head.d_k = d_keys_ + keys;
    head.d_v = d_made_ + values;
    return head;
  }

  PlannedLinear q_, down_, up_, out_;
  Size norm_, heads_, rope_, latent_, width_, nope_, d_v_, each_ = 0;
  float epsilon_ = 0;
  Turns turns_;
  simd::TrainedHead head_ = {};
  float *queries_ = nullptr, *keys_ = nullptr, *raw_ = nullptr, *normed_ = nullptr,
        *sizes_ = nullptr, *made_ = nullptr, *mixed_ = nullptr, *kept_ = nullptr;
  float *low_ = nullptr, *d_low_ = nullptr, *d_mixed_ = nullptr, *d_queries_ = nullptr,
        *d_keys_ = nullptr, *d_made_ = nullptr, *d_normed_ = nullptr, *d_raw_ = nullptr,
        *kernel_work_ = nullptr;
};

/// Hyena and latent attention take time that grows with the square of the length.
constexpr PlannedKind kLayerKinds[] = {{"short_conv", planned_as<PlannedShortConvolution>},
                                       {"retnet", planned_as<PlannedRetNet>},
                                       {"rwkv4", planned_as<PlannedRwkv>},
                                       {"mamba", planned_as<PlannedMamba>},
                                       {"hyena", planned_as<PlannedHyena>, kLongestSoftmax},
                                       {"mla", planned_as<PlannedLatent>, kLongestSoftmax}};

}  // namespace

std::span<const PlannedKind> planned_layers() { return kLayerKinds; }

}  // namespace attn::internal
