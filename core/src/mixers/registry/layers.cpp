// Mixers that are whole layers with projections of their own. Each is described by a struct: its
// weights by name, and calls of the functions of its header.

#include <string>

#include "attn/base/errors.hpp"
#include "attn/mixers/convolution.hpp"
#include "attn/mixers/hyena.hpp"
#include "attn/mixers/latent_attention.hpp"
#include "attn/mixers/mamba_block.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/mixers/retention_layer.hpp"
#include "attn/mixers/time_mix.hpp"
#include "attn/nn/linear.hpp"
#include "cost/meter.hpp"
#include "mixers/registry/entry.hpp"

namespace attn::internal {
namespace {

/// A mixer made of `Layer`, which has:
///   Weights                       the struct of its functions
///   visit(weights, f)             f(name, matrix or vector) for each of them
///   add_parameters(table)         the same names with their shapes
///   forward, backward, start, step, matrix, state_numbers, multiply_adds
template <typename T, template <typename> typename Layer>
class LayerMixer final : public SequenceMixer<T> {
 public:
  using Weights = typename Layer<T>::Weights;

  LayerMixer(const SequenceMixerInfo& info, const SequenceMixerOptions& options)
      : SequenceMixer<T>(info, options), layer_(*this) {
    layer_.add_parameters(this->table_);
  }

  Index weight_count() const override { return layer_.matrices(); }
  std::uint64_t state_numbers(Index n) const override { return layer_.state_numbers(n); }
  std::uint64_t multiply_adds(Index n) const override { return layer_.multiply_adds(n); }

 protected:
  Matrix<T> do_forward(In<T> X, Index sequences, InVector<T> all,
                       const HeadGates<T>&) const override {
    const Weights weights = unpack(all);
    Matrix<T> Y(X.rows(), X.cols());
    const Index n = X.rows() / sequences;
    for (Index s = 0; s < sequences; ++s) {
      Y.middleRows(s * n, n) = layer_.forward(X.middleRows(s * n, n), weights);
    }
    return Y;
  }

  Matrix<T> do_backward(In<T> X, Index sequences, InVector<T> all, In<T> dY,
                        Eigen::Ref<Vector<T>> d_all, const HeadGates<T>&,
                        Matrix<T>*) const override {
    const Weights weights = unpack(all);
    Matrix<T> dX(X.rows(), X.cols());
    const Index n = X.rows() / sequences;
    for (Index s = 0; s < sequences; ++s) {
      auto back = layer_.backward(X.middleRows(s * n, n), weights, dY.middleRows(s * n, n));
      dX.middleRows(s * n, n) = back.dX;
      Layer<T>::visit(back.d_weights, [&](const std::string& name, const auto& gradient) {
        if (gradient.size() == 0) return;
        const ParameterInfo& info = this->table_.at(name);
        d_all.segment(info.offset, info.count()) +=
            Eigen::Map<const Vector<T>>(gradient.data(), gradient.size());
      });
    }
    return dX;
  }

  MixerState<T> do_start() const override { return layer_.start(); }
  Matrix<T> do_step(In<T> X, InVector<T> all, MixerState<T>& state,
                    const HeadGates<T>&) const override {
    return layer_.step(X, unpack(all), state);
  }
  void do_read(In<T> X, InVector<T> all, MixerState<T>& state) const override {
    if constexpr (requires(const Layer<T>& layer) { layer.read(X, unpack(all), state); }) {
      layer_.read(X, unpack(all), state);
      state.position += X.rows();
    } else {
      SequenceMixer<T>::do_read(X, all, state);
    }
  }
  Matrix<T> do_weights(In<T> X, InVector<T> all, Index which, const HeadGates<T>&) const override {
    return layer_.matrix(X, unpack(all), which);
  }

 private:
  Weights unpack(InVector<T> all) const {
    Weights weights = layer_.empty();
    Layer<T>::visit(weights, [&](const std::string& name, auto& weight) {
      if (!this->table_.contains(name)) return;
      const ParameterInfo& info = this->table_.at(name);
      if constexpr (std::decay_t<decltype(weight)>::ColsAtCompileTime == 1) {
        weight = Eigen::Map<const Vector<T>>(all.data() + info.offset, info.count());
      } else {
        weight = view<T>(info, all);
      }
    });
    return weights;
  }

  Layer<T> layer_;
};

template <typename T>
Index whole(const SequenceMixer<T>& mixer, const char* name) {
  return static_cast<Index>(mixer.parameter(name));
}

/// A row vector and a vector of state.
template <typename T>
Matrix<T> as_row(const Vector<T>& x) {
  return x.transpose();
}

// --- RetNet --------------------------------------------------------------------------------------

template <typename T>
struct RetNet {
  using Weights = RetentionLayerWeights<T>;
  Index d, heads, d_k, d_v;
  RetentionLayerOptions how;

  explicit RetNet(const SequenceMixer<T>& mixer)
      : d(mixer.options().d_model),
        heads(mixer.options().heads),
        d_k(mixer.options().d_k == 0 ? d / heads : mixer.options().d_k),
        d_v(d / heads) {
    if (d_k % 2 != 0) throw ValueError("d_k", phrase::number(d_k), phrase::even_at_least(2));
    how.chunk = whole(mixer, "chunk");
  }
  template <typename W, typename F>
  static void visit(W& w, F f) {
    f("q_proj.weight", w.q);
    f("k_proj.weight", w.k);
    f("v_proj.weight", w.v);
    f("g_proj.weight", w.gate);
    f("out_proj.weight", w.out);
  }
  void add_parameters(ParameterTable& table) const {
    // torchscale's gain of 2^(−2.5), and 1 for the output.
    const double gain = 0.17677669529663687;
    table.add_matrix("q_proj.weight", heads * d_k, d, Initializer::kXavierUniform, gain);
    table.add_matrix("k_proj.weight", heads * d_k, d, Initializer::kXavierUniform, gain);
    table.add_matrix("v_proj.weight", heads * d_v, d, Initializer::kXavierUniform, gain);
    table.add_matrix("g_proj.weight", heads * d_v, d, Initializer::kXavierUniform, gain);
    table.add_matrix("out_proj.weight", d, heads * d_v, Initializer::kXavierUniform);
  }
  Weights empty() const {
    Weights weights;
    weights.heads = heads;
    return weights;
  }
  Index matrices() const { return heads; }
  Matrix<T> forward(In<T> X, const Weights& w) const {
    return retention_layer<T>(X, w, how).output;
  }
  RetentionLayerGradients<T> backward(In<T> X, const Weights& w, In<T> dY) const {
    return retention_layer_backward<T>(X, w, dY, how);
  }
  MixerState<T> start() const {
    return {0, std::vector<Matrix<T>>(static_cast<std::size_t>(heads), Matrix<T>::Zero(d_k, d_v))};
  }
  Matrix<T> step(In<T> X, const Weights& w, MixerState<T>& state) const {
    auto made = retention_layer<T>(X, w, how, state.position, &state.parts);
    state.parts = std::move(made.states);
    return made.output;
  }
  Matrix<T> matrix(In<T> X, const Weights& w, Index which) const {
    return retention_layer_weights<T>(X, w, which);
  }
  std::uint64_t state_numbers(Index) const { return wide(heads) * wide(d_k * d_v); }
  std::uint64_t multiply_adds(Index n) const {
    const std::uint64_t k = wide(d_k), v = wide(d_v);
    std::uint64_t head = 3 * wide(n) * v + 4 * wide(n) * k;
    const Index chunk = how.chunk == 0 ? n : how.chunk;
    for (Index first = 0; first < n; first += chunk) {
      const std::uint64_t s = wide(std::min(chunk, n - first));
      head += s * s * (k + v) + (first > 0 ? 2 : 1) * s * k * v;
    }
    return wide(heads) * (head + wide(n) * wide(d) * (2 * k + 3 * v));
  }
};

// --- RWKV-4 --------------------------------------------------------------------------------------

template <typename T>
struct Rwkv {
  using Weights = TimeMixWeights<T>;
  Index d;

  explicit Rwkv(const SequenceMixer<T>& mixer) : d(mixer.options().d_model) {}
  template <typename W, typename F>
  static void visit(W& w, F f) {
    f("time_mix_k", w.mix_k);
    f("time_mix_v", w.mix_v);
    f("time_mix_r", w.mix_r);
    f("time_decay", w.time_decay);
    f("time_first", w.time_first);
    f("key.weight", w.key);
    f("value.weight", w.value);
    f("receptance.weight", w.receptance);
    f("output.weight", w.output);
  }
  void add_parameters(ParameterTable& table) const {
    for (const char* name : {"time_mix_k", "time_mix_v", "time_mix_r"}) {
      table.add_vector(name, d, Initializer::kConstant, 0.5);
    }
    table.add_vector("time_decay", d, Initializer::kTimeDecay);
    // ln 0.3, RWKV-4's beginning without its zigzag.
    table.add_vector("time_first", d, Initializer::kConstant, -1.2039728043259361);
    for (const char* name : {"key.weight", "value.weight", "receptance.weight", "output.weight"}) {
      table.add_matrix(name, d, d);
    }
  }
  Weights empty() const { return {}; }
  Index matrices() const { return d; }
  Matrix<T> forward(In<T> X, const Weights& w) const { return time_mix<T>(X, w).output; }
  TimeMixGradients<T> backward(In<T> X, const Weights& w, In<T> dY) const {
    return time_mix_backward<T>(X, w, dY);
  }
  MixerState<T> start() const {
    const auto zero = TimeMixState<T>::zero(d);
    return {0, {as_row(zero.last), as_row(zero.wkv.p), as_row(zero.wkv.q), as_row(zero.wkv.o)}};
  }
  Matrix<T> step(In<T> X, const Weights& w, MixerState<T>& state) const {
    const auto part = [&](std::size_t i) -> Vector<T> { return state.parts[i].transpose(); };
    const TimeMixState<T> before{part(0), {part(1), part(2), part(3)}};
    auto made = time_mix<T>(X, w, &before);
    state.parts = {as_row(made.state.last), as_row(made.state.wkv.p), as_row(made.state.wkv.q),
                   as_row(made.state.wkv.o)};
    return made.output;
  }
  Matrix<T> matrix(In<T> X, const Weights& w, Index which) const {
    return time_mix_weights<T>(X, w, which);
  }
  std::uint64_t state_numbers(Index) const { return 4 * wide(d); }
  std::uint64_t multiply_adds(Index n) const {
    return wide(n) * (4 * wide(d) * wide(d) + 6 * wide(d));
  }
};

// --- Mamba ---------------------------------------------------------------------------------------

template <typename T>
struct Mamba {
  using Weights = MambaWeights<T>;
  Index d, e, N, r, k;

  explicit Mamba(const SequenceMixer<T>& mixer)
      : d(mixer.options().d_model),
        e(d * whole(mixer, "expand")),
        N(whole(mixer, "d_state")),
        r((d + 15) / 16),
        k(whole(mixer, "d_conv")) {}
  template <typename W, typename F>
  static void visit(W& w, F f) {
    f("in_proj.weight", w.in);
    f("conv1d.weight", w.taps);
    f("conv1d.bias", w.taps_bias);
    f("x_proj.weight", w.select);
    f("dt_proj.weight", w.step);
    f("dt_proj.bias", w.step_bias);
    f("A_log", w.log_rates);
    f("D", w.through);
    f("out_proj.weight", w.out);
  }
  void add_parameters(ParameterTable& table) const {
    table.add_matrix("in_proj.weight", 2 * e, d);
    table.add_matrix("conv1d.weight", e, k, Initializer::kKaimingUniform);
    table.add_vector("conv1d.bias", e);
    table.add_matrix("x_proj.weight", r + 2 * N, e);
    table.add_matrix("dt_proj.weight", e, r, Initializer::kKaimingUniform);
    table.add_vector("dt_proj.bias", e, Initializer::kInverseSoftplusStep);
    table.add_matrix("A_log", e, N, Initializer::kLogIndex);
    table.add_vector("D", e, Initializer::kOnes);
    table.add_matrix("out_proj.weight", d, e);
  }
  Weights empty() const { return {}; }
  Index matrices() const { return e; }
  Matrix<T> forward(In<T> X, const Weights& w) const { return mamba_block<T>(X, w).output; }
  MambaGradients<T> backward(In<T> X, const Weights& w, In<T> dY) const {
    return mamba_block_backward<T>(X, w, dY);
  }
  MixerState<T> start() const { return {0, {Matrix<T>::Zero(k - 1, e), Matrix<T>::Zero(e, N)}}; }
  Matrix<T> step(In<T> X, const Weights& w, MixerState<T>& state) const {
    const MambaState<T> before{state.parts[0], state.parts[1]};
    auto made = mamba_block<T>(X, w, &before);
    state.parts = {std::move(made.state.inputs), std::move(made.state.scan)};
    return made.output;
  }
  Matrix<T> matrix(In<T> X, const Weights& w, Index which) const {
    return mamba_block_weights<T>(X, w, which);
  }
  std::uint64_t state_numbers(Index) const { return wide(e) * wide(N + k - 1); }
  std::uint64_t multiply_adds(Index n) const {
    const std::uint64_t E = wide(e);
    return wide(n) * E * (3 * wide(d) + wide(k) + 2 * wide(r) + 2 * wide(N) + 3 * wide(N));
  }
};

// --- Hyena ---------------------------------------------------------------------------------------

template <typename T>
struct Hyena {
  using Weights = HyenaWeights<T>;
  static constexpr Index kTaps = 3, kInner = 2;
  Index d, order, width, features;
  HyenaFilterOptions how;

  explicit Hyena(const SequenceMixer<T>& mixer)
      : d(mixer.options().d_model),
        order(whole(mixer, "order")),
        width(whole(mixer, "filter_order")),
        features(whole(mixer, "emb_dim")) {
    how.length = mixer.options().length;
    if (features % 2 == 0) {
      throw ValueError("parameter emb_dim", phrase::number(features), phrase::odd_at_least(3));
    }
  }
  template <typename W, typename F>
  static void visit(W& w, F f) {
    f("in_proj.weight", w.in);
    f("in_proj.bias", w.in_bias);
    f("short_filter.weight", w.taps);
    f("short_filter.bias", w.taps_bias);
    w.filter.layers.resize(kInner + 2);
    w.filter.biases.resize(kInner + 1);
    for (Index i = 0; i < kInner + 2; ++i) {
      const std::string name = "filter_fn.implicit_filter." + std::to_string(2 * i);
      f(name + ".weight", w.filter.layers[static_cast<std::size_t>(i)]);
      if (i <= kInner) f(name + ".bias", w.filter.biases[static_cast<std::size_t>(i)]);
    }
    f("filter_fn.implicit_filter.1.freq", w.filter.frequency);
    f("filter_fn.bias", w.through);
    f("out_proj.weight", w.out);
    f("out_proj.bias", w.out_bias);
  }
  void add_parameters(ParameterTable& table) const {
    table.add_matrix("in_proj.weight", (order + 1) * d, d);
    table.add_vector("in_proj.bias", (order + 1) * d);
    table.add_matrix("short_filter.weight", (order + 1) * d, kTaps, Initializer::kKaimingUniform);
    table.add_vector("short_filter.bias", (order + 1) * d);
    for (Index i = 0; i < kInner + 2; ++i) {
      const std::string name = "filter_fn.implicit_filter." + std::to_string(2 * i);
      const bool last = i == kInner + 1;
      table.add_matrix(name + ".weight", last ? (order - 1) * d : width, i == 0 ? features : width,
                       Initializer::kKaimingUniform);
      if (!last) table.add_vector(name + ".bias", width, Initializer::kUniform, 0.5);
    }
    table.add_vector("filter_fn.implicit_filter.1.freq", width, Initializer::kOnes);
    table.add_vector("filter_fn.bias", (order - 1) * d, Initializer::kNormal);
    table.add_matrix("out_proj.weight", d, d);
    table.add_vector("out_proj.bias", d);
  }
  Weights empty() const { return {}; }
  Index matrices() const { return d; }
  Matrix<T> forward(In<T> X, const Weights& w) const { return hyena<T>(X, w, how); }
  HyenaGradients<T> backward(In<T> X, const Weights& w, In<T> dY) const {
    return hyena_backward<T>(X, w, how, dY);
  }
  MixerState<T> start() const { return {0, {Matrix<T>(0, d)}}; }
  Matrix<T> step(In<T> X, const Weights& w, MixerState<T>& state) const {
    Matrix<T>& inputs = state.parts[0];
    if (inputs.rows() >= how.length) {
      throw CapacityError("length", phrase::tokens_seen(inputs.rows() + 1),
                          phrase::at_most(how.length));
    }
    inputs.conservativeResize(inputs.rows() + 1, d);
    inputs.bottomRows(1) = X;
    // No state of constant size: the whole sequence is convolved again.
    return hyena<T>(inputs, w, how).bottomRows(1);
  }
  Matrix<T> matrix(In<T> X, const Weights& w, Index which) const {
    return hyena_weights<T>(X, w, how, which);
  }
  std::uint64_t state_numbers(Index n) const { return wide(n) * wide(d); }
  std::uint64_t multiply_adds(Index n) const {
    const std::uint64_t D = wide(d), N = wide(order), F = wide(width), rows = wide(n);
    const Index size = long_convolution_transform(n);
    const std::uint64_t convolution = 3 * fft_multiply_adds(size) + 4 * (wide(size) / 2 + 1);
    return rows * ((N + 1) * D * D + D * D + (N + 1) * D * kTaps +
                   F * (wide(features) + kInner * F + (N - 1) * D)) +
           (N - 1) * D * convolution;
  }
};

// --- A short convolution and a gate --------------------------------------------------------------

template <typename T>
struct ShortConvWeights {
  Matrix<T> taps, gate;
  Vector<T> taps_bias, gate_bias;
};

template <typename T>
struct ShortConvGradients {
  Matrix<T> dX;
  ShortConvWeights<T> d_weights;
};

template <typename T>
struct ShortConv {
  using Weights = ShortConvWeights<T>;
  Index d, k;
  /// The official layer adds its input. In a block that has a norm before the mixer this is the
  /// normed input, which makes small embeddings as large as other layers' outputs.
  bool adds_input;

  explicit ShortConv(const SequenceMixer<T>& mixer)
      : d(mixer.options().d_model),
        k(whole(mixer, "kernel")),
        adds_input(whole(mixer, "add_input") == 1) {}
  template <typename W, typename F>
  static void visit(W& w, F f) {
    f("conv.weight", w.taps);
    f("conv.bias", w.taps_bias);
    f("projection.weight", w.gate);
    f("projection.bias", w.gate_bias);
  }
  void add_parameters(ParameterTable& table) const {
    table.add_matrix("conv.weight", d, k, Initializer::kKaimingUniform);
    table.add_vector("conv.bias", d);
    table.add_matrix("projection.weight", d, d);
    table.add_vector("projection.bias", d);
  }
  Weights empty() const { return {}; }
  Index matrices() const { return 0; }
  Matrix<T> forward(In<T> X, const Weights& w) const {
    return gated(short_convolution<T>(X, w.taps, w.taps_bias).output, X, w);
  }
  Matrix<T> gated(const Matrix<T>& convolved, In<T> X, const Weights& w) const {
    Matrix<T> made = convolved.cwiseProduct(linear<T>(X, w.gate, w.gate_bias));
    if (adds_input) made += X;
    return made;
  }
  ShortConvGradients<T> backward(In<T> X, const Weights& w, In<T> dY) const {
    const Matrix<T> convolved = short_convolution<T>(X, w.taps, w.taps_bias).output,
                    gate = linear<T>(X, w.gate, w.gate_bias);
    auto taps = short_convolution_backward<T>(X, w.taps, w.taps_bias, dY.cwiseProduct(gate));
    auto back = linear_backward<T>(X, w.gate, w.gate_bias, dY.cwiseProduct(convolved));
    taps.dX += back.dX;
    if (adds_input) taps.dX += dY;
    return {std::move(taps.dX),
            {std::move(taps.d_taps), std::move(back.dW), std::move(taps.d_bias),
             std::move(back.d_bias)}};
  }
  MixerState<T> start() const { return {0, {Matrix<T>::Zero(k - 1, d)}}; }
  Matrix<T> step(In<T> X, const Weights& w, MixerState<T>& state) const {
    auto made = short_convolution<T>(X, w.taps, w.taps_bias, &state.parts[0]);
    state.parts[0] = std::move(made.state);
    return gated(made.output, X, w);
  }
  Matrix<T> matrix(In<T>, const Weights&, Index) const { return {}; }
  std::uint64_t state_numbers(Index) const { return wide(d) * wide(k - 1); }
  std::uint64_t multiply_adds(Index n) const { return wide(n) * wide(d) * wide(d + k); }
};

// --- Latent attention ----------------------------------------------------------------------------

template <typename T>
struct Latent {
  using Weights = LatentAttentionWeights<T>;
  Index d, heads, nope, rope, d_c, d_v;
  LatentAttentionOptions how;

  explicit Latent(const SequenceMixer<T>& mixer)
      : d(mixer.options().d_model),
        heads(mixer.options().heads),
        nope(mixer.options().d_k == 0 ? d / heads : mixer.options().d_k),
        rope(whole(mixer, "rope")),
        d_c(whole(mixer, "latent")),
        d_v(d / heads) {
    if (rope % 2 != 0) {
      throw ValueError("parameter rope", phrase::number(rope), phrase::even_at_least(2));
    }
  }
  template <typename W, typename F>
  static void visit(W& w, F f) {
    f("wq.weight", w.q);
    f("wkv_a.weight", w.kv_down);
    f("kv_norm.weight", w.kv_norm);
    f("wkv_b.weight", w.kv_up);
    f("wo.weight", w.out);
  }
  void add_parameters(ParameterTable& table) const {
    table.add_matrix("wq.weight", heads * (nope + rope), d);
    table.add_matrix("wkv_a.weight", d_c + rope, d);
    table.add_vector("kv_norm.weight", d_c, Initializer::kOnes);
    table.add_matrix("wkv_b.weight", heads * (nope + d_v), d_c);
    table.add_matrix("wo.weight", d, heads * d_v);
  }
  Weights empty() const {
    Weights weights;
    weights.heads = heads;
    weights.nope = nope;
    weights.rope = rope;
    return weights;
  }
  Index matrices() const { return heads; }
  Matrix<T> forward(In<T> X, const Weights& w) const {
    return latent_attention<T>(X, w, how).output;
  }
  LatentAttentionGradients<T> backward(In<T> X, const Weights& w, In<T> dY) const {
    return latent_attention_backward<T>(X, w, dY, how);
  }
  MixerState<T> start() const { return {0, {Matrix<T>(0, d_c), Matrix<T>(0, rope)}}; }
  Matrix<T> step(In<T> X, const Weights& w, MixerState<T>& state) const {
    LatentAttentionOptions here = how;
    here.offset = state.position;
    LatentAttentionCache<T> cache{std::move(state.parts[0]), std::move(state.parts[1])};
    Matrix<T> output = latent_attention_step<T>(X, w, here, cache);
    state.parts = {std::move(cache.latent), std::move(cache.rotated_key)};
    return output;
  }
  void read(In<T> X, const Weights& w, MixerState<T>& state) const {
    LatentAttentionOptions here = how;
    here.offset = state.position;
    LatentAttentionCache<T> cache{std::move(state.parts[0]), std::move(state.parts[1])};
    latent_attention_read<T>(X, w, here, cache);
    state.parts = {std::move(cache.latent), std::move(cache.rotated_key)};
  }
  Matrix<T> matrix(In<T> X, const Weights& w, Index which) const {
    return latent_attention<T>(X, w, how).weights[static_cast<std::size_t>(which)];
  }
  std::uint64_t state_numbers(Index n) const { return wide(n) * wide(d_c + rope); }
  std::uint64_t multiply_adds(Index n) const {
    const std::uint64_t h = wide(heads), rows = wide(n), D = wide(d), c = wide(d_c),
                        k = wide(nope + rope), v = wide(d_v);
    return rows * (D * (h * k + c + wide(rope)) + 3 * c + h * v * D + h * c * (wide(nope) + v)) +
           2 * rows * wide(rope) * (h + 1) + h * rows * rows * (k + v);
  }
};

template <typename T, template <typename> typename Layer>
std::unique_ptr<SequenceMixer<T>> make_layer(const SequenceMixerInfo& info,
                                             const SequenceMixerOptions& options) {
  return std::make_unique<LayerMixer<T, Layer>>(info, options);
}

}  // namespace

template <typename T>
void add_layer_mixers(std::vector<MixerEntry<T>>& all) {
  all.push_back(
      {{.id = "retnet",
        .label = "RetNet",
        .tex =
            R"(S_t=\gamma_hS_{t-1}+k_tv_t^\top,\ y=(\mathrm{silu}(g)\circ\mathrm{norm}(S_t^\top q_t))W_o)",
        .state_tex = R"(h\,d_k\,d_v)",
        .chunked = true,
        .forgets = true,
        .paper = {"Retentive Network", "https://arxiv.org/abs/2307.08621", "arXiv:2307.08621"},
        .parameters = {{"chunk", "chunk",
                        "tokens worked on together, 0: all; the result does not depend on it", 16,
                        0, 4096, true}}},
       &make_layer<T, RetNet>});
  all.push_back(
      {{.id = "rwkv4",
        .label = "RWKV-4",
        .tex =
            R"(\mathrm{wkv}_t=\frac{\sum_{i<t}e^{(t-1-i)w+k_i}v_i+e^{u+k_t}v_t}{\sum_{i<t}e^{(t-1-i)w+k_i}+e^{u+k_t}})",
        .state_tex = R"(4\,d)",
        .forgets = true,
        .paper = {"RWKV: Reinventing RNNs for the Transformer Era",
                  "https://arxiv.org/abs/2305.13048", "arXiv:2305.13048"}},
       &make_layer<T, Rwkv>});
  all.push_back(
      {{.id = "mamba",
        .label = "Mamba",
        .tex =
            R"(h_t=e^{\Delta_tA}\circ h_{t-1}+(\Delta_tu_t)B_t^\top,\quad y_t=h_tC_t+D\circ u_t)",
        .state_tex = R"(e\,(N+k-1))",
        .forgets = true,
        .paper = {"Mamba", "https://arxiv.org/abs/2312.00752", "arXiv:2312.00752"},
        .parameters = {{"d_state", "N", "numbers of state for each channel", 16, 1, 256, true},
                       {"expand", "expansion", "inner width over d_model", 2, 1, 8, true},
                       {"d_conv", "taps", "taps of the short convolution", 4, 1, 16, true}}},
       &make_layer<T, Mamba>});
  all.push_back(
      {{.id = "hyena",
        .label = "Hyena",
        .tex = R"(y=x_0\circ(h_{N-2}*(x_1\circ\dots(h_0*(x_{N-1}\circ v))))",
        .state_tex = R"(n\,d)",
        .constant_state = false,
        .paper = {"Hyena Hierarchy", "https://arxiv.org/abs/2302.10866", "definition 3.1"},
        .parameters = {{"order", "order", "products and convolutions: N", 2, 2, 8, true},
                       {"filter_order", "filter width", "units of the filter's layers", 16, 1, 256,
                        true},
                       {"emb_dim", "features", "features of a place; odd", 3, 3, 65, true}}},
       &make_layer<T, Hyena>});
  all.push_back({{.id = "short_conv",
                  .label = "Short convolution with a gate",
                  .tex = R"(y=(w*x)\circ(W x+b))",
                  .state_tex = R"((k-1)\,d)",
                  .forgets = true,
                  .has_matrix = false,
                  .paper = {"Zoology", "https://arxiv.org/abs/2312.04927", "arXiv:2312.04927"},
                  .parameters = {{"kernel", "taps", "tokens that are seen", 3, 1, 64, true},
                                 {"add_input", "input",
                                  "1: the layer's input is added to its output, as Zoology does", 0,
                                  0, 1, true}}},
                 &make_layer<T, ShortConv>});
  all.push_back(
      {{.id = "mla",
        .label = "Latent attention",
        .tex = R"(k_j=[W_kc_j;r_j],\ v_j=W_vc_j,\ c_j=\mathrm{norm}(W_cx_j))",
        .state_tex = R"(n\,(d_c+d_r))",
        .constant_state = false,
        .paper = {"DeepSeek-V2", "https://arxiv.org/abs/2405.04434", "arXiv:2405.04434"},
        .parameters = {{"latent", "d_c", "width of the latent vector", 8, 1, 4096, true},
                       {"rope", "d_r", "width of the rotated key; even", 4, 2, 256, true}}},
       &make_layer<T, Latent>});
}

template void add_layer_mixers<float>(std::vector<MixerEntry<float>>&);
template void add_layer_mixers<double>(std::vector<MixerEntry<double>>&);

}  // namespace attn::internal
