// Mixers whose heads have queries, keys and values: projections in common, and what a head makes of
// its three matrices.

#include <algorithm>
#include <cmath>
#include <optional>

#include "attn/attention/attention.hpp"
#include "attn/attention/attention_training.hpp"
#include "attn/attention/block_attention.hpp"
#include "attn/attention/quantization.hpp"
#include "attn/attention/sparse_attention.hpp"
#include "attn/base/errors.hpp"
#include "attn/cost/complexity.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "attn/mixers/attention_sinks.hpp"
#include "attn/mixers/matrix_state.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/mixers/positions.hpp"
#include "attn/nn/linear.hpp"
#include "attn/nn/normalization.hpp"
#include "base/product.hpp"
#include "cost/meter.hpp"
#include "mixers/registry/entry.hpp"

namespace attn::internal {
namespace {

/// One head of one sequence.
template <typename T>
struct Head {
  Matrix<T> q, k, v;
  /// n×g: what gates are made of; no columns where the mixer has none.
  Matrix<T> gates;
};

/// Adds rows below.
template <typename T>
void append_rows(Matrix<T>& rows, const Matrix<T>& more) {
  rows.conservativeResize(rows.rows() + more.rows(), more.cols());
  rows.bottomRows(more.rows()) = more;
}

template <typename T>
class HeadsMixer : public SequenceMixer<T> {
 public:
  Index gated_heads() const final { return heads(); }
  std::uint64_t state_numbers(Index n) const final {
    return wide(kv_heads_) * head_state_numbers(n);
  }
  std::uint64_t multiply_adds(Index n) const final {
    const std::uint64_t d = wide(this->options_.d_model), outputs = wide(in_rows() + gate_rows());
    return wide(n) * d * (outputs + wide(heads() * d_v_)) + wide(heads()) * head_multiply_adds(n);
  }

 protected:
  HeadsMixer(const SequenceMixerInfo& info, const SequenceMixerOptions& options, Index gates)
      : SequenceMixer<T>(info, options),
        d_v_(options.d_model / options.heads),
        d_k_(options.d_k == 0 ? d_v_ : options.d_k),
        kv_heads_(options.kv_heads == 0 ? options.heads : options.kv_heads),
        gates_(gates) {
    ParameterTable& table = this->table_;
    const Index d = options.d_model;
    table.add_matrix("in_proj_weight", in_rows(), d);
    if (options.bias) table.add_vector("in_proj_bias", in_rows());
    if (gates > 0) {
      table.add_matrix("gate_proj.weight", gate_rows(), d);
      table.add_vector("gate_proj.bias", gate_rows());
    }
    table.add_matrix("out_proj.weight", d, heads() * d_v_);
    if (options.bias) table.add_vector("out_proj.bias", d);
  }

  Index heads() const { return this->options_.heads; }
  Index d_k() const { return d_k_; }
  Index d_v() const { return d_v_; }

  // What one head does; `h` is its number, `all` the parameters of the layer.
  virtual Matrix<T> mix(const Head<T>& head, Index h, InVector<T> all) const = 0;
  /// The gradients in the places of the inputs; adds those by parameters of its own. `output` gets
  /// what `mix` gives, which most mixers have at hand here.
  virtual Head<T> mix_backward(const Head<T>& head, Index h, InVector<T> all, const Matrix<T>& dO,
                               Eigen::Ref<Vector<T>> d_all, Matrix<T>& output) const = 0;
  /// One token, whose `parts` are at `first` …; their number is the same for every head. `writes`
  /// is false where an earlier head shares these parts and has written the token's key and value.
  virtual Matrix<T> mix_step(const Head<T>& token, Index h, InVector<T> all, MixerState<T>& state,
                             std::size_t first, bool writes) const = 0;
  virtual Matrix<T> mix_weights(const Head<T>& head, Index h, InVector<T> all) const = 0;
  /// The parts of one head before the first token.
  virtual std::vector<Matrix<T>> head_start() const = 0;
  virtual std::uint64_t head_state_numbers(Index n) const = 0;
  virtual std::uint64_t head_multiply_adds(Index n) const = 0;

  Matrix<T> do_head_outputs(In<T> X, Index sequences, InVector<T> all) const final {
    return mix_all(project(X, all), project_gates(X, all), sequences, all, {});
  }

  Matrix<T> do_forward(In<T> X, Index sequences, InVector<T> all,
                       const HeadGates<T>& head_gates) const final {
    Matrix<T> mixed = mix_all(project(X, all), project_gates(X, all), sequences, all, head_gates);
    for (Index h = 0; h < heads(); ++h) pass_gate(mixed.middleCols(h * d_v_, d_v_), h, head_gates);
    return linear<T>(mixed, matrix("out_proj.weight", all), vector("out_proj.bias", all));
  }

  Matrix<T> do_backward(In<T> X, Index sequences, InVector<T> all, In<T> dY,
                        Eigen::Ref<Vector<T>> d_all, const HeadGates<T>& head_gates,
                        Matrix<T>* d_head_gates) const final {
    const Matrix<T> in = project(X, all), gates = project_gates(X, all);
    // What the heads gave is needed for the last layer's weights only, so it comes from the way
    // back.
    Matrix<T> mixed(X.rows(), heads() * d_v_), output;
    Matrix<T> d_mixed = product_nn<T>(dY, matrix("out_proj.weight", all));
    if (d_head_gates != nullptr) d_head_gates->resize(X.rows(), heads());
    Matrix<T> d_in(in.rows(), in.cols()), d_gates(gates.rows(), gates.cols());
    const Index n = X.rows() / sequences;
    if (head_gates.cache)
      throw ValueError("cache", phrase::given, phrase::outputs_alone_have_cache);
    const std::optional<Pattern> kept = pattern_of(n, head_gates);
    for (Index s = 0; s < sequences; ++s) {
      for (Index h = 0; h < heads(); ++h) {
        const Head<T> head = cut(in, gates, s * n, n, h);
        auto d_own = d_mixed.block(s * n, h * d_v_, n, d_v_);
        const Matrix<T> d_joined = d_head_gates == nullptr ? Matrix<T>() : Matrix<T>(d_own);
        const T gate = gate_of(h, head_gates);
        if (gate != 1) d_own *= gate;
        const MappedHead<T>* const mapped = map_of(h, head_gates);
        const Head<T> back = mapped != nullptr ? mapped_backward(head, *mapped, d_own, output)
                             : kept || head_gates.blocks
                                 ? kept_backward(head, kept, head_gates, d_own, output)
                                 : mix_backward(head, h, all, d_own, d_all, output);
        if (d_head_gates != nullptr) {
          Matrix<T> apart = output;
          if (head_gates.instead.size() > 0) apart.rowwise() -= head_gates.instead.row(h);
          d_head_gates->block(s * n, h, n, 1) = apart.cwiseProduct(d_joined).rowwise().sum();
        }
        pass_gate(output, h, head_gates);
        mixed.block(s * n, h * d_v_, n, d_v_) = output;
        d_in.block(s * n, h * d_k_, n, d_k_) = back.q;
        auto d_key = d_in.block(s * n, keys_at(h), n, d_k_);
        auto d_value = d_in.block(s * n, values_at(h), n, d_v_);
        if (first_of_group(h)) {
          d_key = back.k;
          d_value = back.v;
        } else {
          d_key += back.k;
          d_value += back.v;
        }
        if (gates_ > 0) d_gates.block(s * n, h * gates_, n, gates_) = back.gates;
      }
    }
    add_back("out_proj", mixed, dY, d_all);
    add_back("in_proj", X, d_in, d_all);
    Matrix<T> dX = product_nn<T>(d_in, matrix("in_proj_weight", all));
    if (gates_ > 0) {
      add_back("gate_proj", X, d_gates, d_all);
      dX += product_nn<T>(d_gates, matrix("gate_proj.weight", all));
    }
    return dX;
  }

  /// Keeps the keys and values of all rows, for a mixer whose parts they are.
  void fill_cache(In<T> X, InVector<T> all, MixerState<T>& state) const {
    const Matrix<T> in = project(X, all), gates = project_gates(X, all);
    for (Index kv = 0; kv < kv_heads_; ++kv) {
      const Head<T> head = cut(in, gates, 0, X.rows(), kv * group());
      const auto first = static_cast<std::size_t>(2 * kv);
      append_rows(state.parts[first], placed(head.k, state.position));
      append_rows(state.parts[first + 1], head.v);
    }
    state.position += X.rows();
  }
  /// Queries or keys as they are compared, of tokens from `position` on.
  virtual Matrix<T> placed(const Matrix<T>& X, Index) const { return X; }
  /// The way back of that, from the first token on.
  virtual Matrix<T> placed_backward(const Matrix<T>& dX) const { return dX; }

  MixerState<T> do_start() const final {
    MixerState<T> state;
    for (Index kv = 0; kv < kv_heads_; ++kv) {
      for (Matrix<T>& part : head_start()) state.parts.push_back(std::move(part));
    }
    return state;
  }

  Matrix<T> do_step(In<T> X, InVector<T> all, MixerState<T>& state,
                    const HeadGates<T>& head_gates) const final {
    const Matrix<T> in = project(X, all), gates = project_gates(X, all);
    Matrix<T> mixed(1, heads() * d_v_);
    const std::size_t each = state.parts.size() / static_cast<std::size_t>(kv_heads_);
    for (Index h = 0; h < heads(); ++h) {
      auto own = mixed.middleCols(h * d_v_, d_v_);
      own = mix_step(cut(in, gates, 0, 1, h), h, all, state,
                     static_cast<std::size_t>(h / group()) * each, first_of_group(h));
      if (const MappedHead<T>* const mapped = map_of(h, head_gates)) {
        // The step above has put the token into the cache that the head goes on having.
        const auto at = static_cast<std::size_t>(h / group()) * each;
        const Matrix<T> q = placed(cut(in, gates, 0, 1, h).q, state.position);
        own = linear_attention<T>(product_nt<T>(q, mapped->Wq),
                                  product_nt<T>(state.parts[at], mapped->Wk), state.parts[at + 1],
                                  map_for(*mapped), mapped_how(false))
                  .output;
      } else if (!head_gates.all_cells() || head_gates.cache) {
        const auto at = static_cast<std::size_t>(h / group()) * each;
        const Matrix<T> q = placed(cut(in, gates, 0, 1, h).q, state.position);
        own = head_gates.cache ? from_cache(q, state.parts[at], state.parts[at + 1], head_gates)
                               : of_kept(q, state.parts[at], state.parts[at + 1], head_gates);
      }
      pass_gate(own, h, head_gates);
    }
    return linear<T>(mixed, matrix("out_proj.weight", all), vector("out_proj.bias", all));
  }

  Matrix<T> do_weights(In<T> X, InVector<T> all, Index which,
                       const HeadGates<T>& head_gates) const final {
    const Head<T> head = cut(project(X, all), project_gates(X, all), 0, X.rows(), which);
    const MappedHead<T>* const mapped = map_of(which, head_gates);
    if (mapped == nullptr) {
      if (head_gates.cache) {
        throw ValueError("cache", phrase::given, phrase::outputs_alone_have_cache);
      }
      if (head_gates.all_cells()) return mix_weights(head, which, all);
      const Matrix<T> q = placed(head.q, 0), k = placed(head.k, 0);
      const Pattern kept = chosen(q, k, pattern_of(X.rows(), head_gates), head_gates);
      return kept.template to_matrix<T>(sparse_attention<T>(q, k, head.v, kept).weights);
    }
    return compute_implicit_attention<T>(
        product_nt<T>(placed(head.q, 0), mapped->Wq), product_nt<T>(placed(head.k, 0), mapped->Wk),
        map_for(*mapped), sees_earlier() ? Mask::causal() : Mask::full());
  }

  Qkv<T> do_head_inputs(In<T> X, InVector<T> all, Index h) const final {
    Head<T> head = cut(project(X, all), project_gates(X, all), 0, X.rows(), h);
    return {placed(head.q, 0), placed(head.k, 0), std::move(head.v)};
  }

 private:
  Index in_rows() const { return heads() * d_k_ + kv_heads_ * (d_k_ + d_v_); }
  /// How many query heads read the same keys and values.
  Index group() const { return heads() / kv_heads_; }
  bool first_of_group(Index h) const { return h % group() == 0; }
  /// The first columns of the keys and of the values that head h reads.
  Index keys_at(Index h) const { return (heads() + h / group()) * d_k_; }
  Index values_at(Index h) const { return (heads() + kv_heads_) * d_k_ + h / group() * d_v_; }

  static T gate_of(Index h, const HeadGates<T>& gates) {
    return gates.gates.size() == 0 ? T(1) : gates.gates(h);
  }
  /// Rows of the outputs of head h, as its gate lets them through.
  template <typename Rows>
  static void pass_gate(Rows&& rows, Index h, const HeadGates<T>& gates) {
    const T gate = gate_of(h, gates);
    if (gate == 1) return;
    if (gate == 0) {
      rows.setZero();
    } else {
      rows *= gate;
    }
    if (gates.instead.size() > 0) rows.rowwise() += (1 - gate) * gates.instead.row(h);
  }
  Index gate_rows() const { return heads() * gates_; }

  Eigen::Map<const Matrix<T>> matrix(std::string_view name, InVector<T> all) const {
    return view<T>(this->table_.at(name), all);
  }
  /// Empty where the layer has no such bias.
  Eigen::Map<const Vector<T>> vector(std::string_view name, InVector<T> all) const {
    if (!this->table_.contains(name)) return {nullptr, 0};
    const ParameterInfo& info = this->table_.at(name);
    return {all.data() + info.offset, info.rows};
  }

  Matrix<T> project(In<T> X, InVector<T> all) const {
    return linear<T>(X, matrix("in_proj_weight", all), vector("in_proj_bias", all));
  }
  Matrix<T> project_gates(In<T> X, InVector<T> all) const {
    if (gates_ == 0) return Matrix<T>(X.rows(), 0);
    return linear<T>(X, matrix("gate_proj.weight", all), vector("gate_proj.bias", all));
  }
  /// Adds the gradients by the weights and biases of a linear layer.
  void add_back(const std::string& name, In<T> X, In<T> dY, Eigen::Ref<Vector<T>> d_all) const {
    // The names of torch.nn.MultiheadAttention.
    const char* dot = name == "in_proj" ? "_" : ".";
    add_product_tn<T>(dY, X, edit<T>(this->table_.at(name + dot + "weight"), d_all));
    const std::string bias = name + dot + "bias";
    if (!this->table_.contains(bias)) return;
    const ParameterInfo& info = this->table_.at(bias);
    for (Index i = 0; i < dY.rows(); ++i) {
      d_all.segment(info.offset, info.rows) += dY.row(i).transpose();
    }
  }

  Head<T> cut(const Matrix<T>& in, const Matrix<T>& gates, Index first, Index n, Index h) const {
    return {in.block(first, h * d_k_, n, d_k_), in.block(first, keys_at(h), n, d_k_),
            in.block(first, values_at(h), n, d_v_), gates.block(first, h * gates_, n, gates_)};
  }

  // Heads that have a feature map for their softmax.

  static const MappedHead<T>* map_of(Index h, const HeadGates<T>& gates) {
    for (const MappedHead<T>& one : gates.maps) {
      if (one.head == h) return &one;
    }
    return nullptr;
  }
  FeatureMap<T> map_for(const MappedHead<T>& mapped) const {
    return FeatureMap<T>(mapped.feature_map, d_k_);
  }
  static LinearAttentionOptions mapped_how(bool causal) {
    LinearAttentionOptions how;
    how.causal = causal;
    how.keep_state = false;
    return how;
  }
  /// Whether tokens see earlier ones only, and not all.
  bool sees_earlier() const { return this->options_.sees == SeenTokens::kEarlier; }
  Matrix<T> mix_mapped(const Head<T>& head, const MappedHead<T>& mapped) const {
    return linear_attention<T>(product_nt<T>(placed(head.q, 0), mapped.Wq),
                               product_nt<T>(placed(head.k, 0), mapped.Wk), head.v, map_for(mapped),
                               mapped_how(sees_earlier()))
        .output;
  }
  Head<T> mapped_backward(const Head<T>& head, const MappedHead<T>& mapped, const Matrix<T>& dO,
                          Matrix<T>& output) const {
    output = mix_mapped(head, mapped);
    auto back = linear_attention_backward<T>(product_nt<T>(placed(head.q, 0), mapped.Wq),
                                             product_nt<T>(placed(head.k, 0), mapped.Wk), head.v,
                                             dO, map_for(mapped), mapped_how(sees_earlier()));
    return {placed_backward(product_nn<T>(back.dQ, mapped.Wq)),
            placed_backward(product_nn<T>(back.dK, mapped.Wk)),
            std::move(back.dV),
            {}};
  }

  // Heads that keep some cells, or have a cache of few bits.

  /// What the heads keep of what they may see; nothing where they keep all.
  std::optional<Pattern> pattern_of(Index n, const HeadGates<T>& head_gates) const {
    if (head_gates.keep.size() == 0) return {};
    require_shape<T>("keep", head_gates.keep, n, n, phrase::cell_each_token_pair);
    Pattern kept = Pattern::from_matrix<T>(head_gates.keep);
    return sees_earlier() ? Pattern::intersect(kept, Pattern::causal(n, n)) : std::move(kept);
  }
  /// The cells of one head: those of all heads, and of them the blocks that its queries choose.
  static Pattern chosen(const Matrix<T>& q, const Matrix<T>& k, const std::optional<Pattern>& kept,
                        const HeadGates<T>& head_gates) {
    if (!head_gates.blocks) return *kept;
    Pattern own = choose_blocks<T>(q, k, *head_gates.blocks).pattern;
    return kept ? Pattern::intersect(own, *kept) : own;
  }
  Matrix<T> mix_kept(const Head<T>& head, const std::optional<Pattern>& kept,
                     const HeadGates<T>& head_gates) const {
    const Matrix<T> q = placed(head.q, 0), k = placed(head.k, 0);
    return sparse_attention<T>(q, k, head.v, chosen(q, k, kept, head_gates)).output;
  }
  Head<T> kept_backward(const Head<T>& head, const std::optional<Pattern>& of_all,
                        const HeadGates<T>& head_gates, const Matrix<T>& dO,
                        Matrix<T>& output) const {
    const Matrix<T> q = placed(head.q, 0), k = placed(head.k, 0);
    const Pattern kept = chosen(q, k, of_all, head_gates);
    output = sparse_attention<T>(q, k, head.v, kept).output;
    auto back = sparse_attention_backward<T>(q, k, head.v, kept, dO);
    return {placed_backward(back.dQ), placed_backward(back.dK), std::move(back.dV), {}};
  }
  /// The newest token of those that are there.
  static Matrix<T> of_kept(const Matrix<T>& q, const Matrix<T>& K, const Matrix<T>& V,
                           const HeadGates<T>& head_gates) {
    const Index m = K.rows();
    Matrix<T> cells = Matrix<T>::Ones(1, m);
    if (head_gates.keep.size() > 0) {
      if (m > head_gates.keep.rows()) {
        throw CapacityError("keep", phrase::entries_seen(head_gates.keep.rows()),
                            phrase::cell_each_token_pair);
      }
      cells = head_gates.keep.block(m - 1, 0, 1, m);
    }
    if (head_gates.blocks) {
      // Of the queries before the newest one nobody asks any more.
      Matrix<T> all = Matrix<T>::Zero(m, q.cols());
      all.bottomRows(1) = q;
      const Pattern own = choose_blocks<T>(all, K, *head_gates.blocks).pattern;
      cells = cells.cwiseProduct(own.template to_matrix<T>().bottomRows(1));
    }
    return sparse_attention<T>(q, K, V, Pattern::from_matrix<T>(cells)).output;
  }
  static Matrix<T> from_cache(const Matrix<T>& q, const Matrix<T>& K, const Matrix<T>& V,
                              const HeadGates<T>& head_gates) {
    QuantizedCacheOptions how = *head_gates.cache;
    how.exact_keys = std::min(how.exact_keys, K.rows());
    how.exact_values = std::min(how.exact_values, K.rows());
    return quantized_cache_attention<T>(q, K, V, how).output;
  }
  /// All tokens one after the other, since each has a cache of its own.
  Matrix<T> mix_cached(const Head<T>& head, const HeadGates<T>& head_gates) const {
    if (!sees_earlier())
      throw ValueError("cache", phrase::given, phrase::sees_earlier_only("cache"));
    const Matrix<T> q = placed(head.q, 0), k = placed(head.k, 0);
    Matrix<T> output(head.v.rows(), head.v.cols());
    for (Index i = 0; i < output.rows(); ++i) {
      output.row(i) = from_cache(q.row(i), k.topRows(i + 1), head.v.topRows(i + 1), head_gates);
    }
    return output;
  }

  Matrix<T> mix_all(const Matrix<T>& in, const Matrix<T>& gates, Index sequences, InVector<T> all,
                    const HeadGates<T>& head_gates) const {
    const Index n = in.rows() / sequences;
    const std::optional<Pattern> kept = pattern_of(n, head_gates);
    Matrix<T> mixed(in.rows(), heads() * d_v_);
    for (Index s = 0; s < sequences; ++s) {
      for (Index h = 0; h < heads(); ++h) {
        const Head<T> head = cut(in, gates, s * n, n, h);
        auto own = mixed.block(s * n, h * d_v_, n, d_v_);
        if (const MappedHead<T>* const mapped = map_of(h, head_gates)) {
          own = mix_mapped(head, *mapped);
        } else if (head_gates.cache) {
          own = mix_cached(head, head_gates);
        } else if (!head_gates.all_cells()) {
          own = mix_kept(head, kept, head_gates);
        } else {
          own = mix(head, h, all);
        }
      }
    }
    return mixed;
  }

  Index d_v_, d_k_, kv_heads_, gates_;
};

// --- Softmax attention ---------------------------------------------------------------------------

template <typename T>
class Softmax final : public HeadsMixer<T> {
 public:
  Softmax(const SequenceMixerInfo& info, const SequenceMixerOptions& options)
      : HeadsMixer<T>(info, options, 0),
        rotary_(this->parameter("rotary") != 0),
        alibi_(this->parameter("alibi") != 0) {
    if (rotary_) require_even_width();
    if (alibi_ && options.sees != SeenTokens::kEarlier) {
      throw ValueError("sees", phrase::given, phrase::sees_earlier_only("alibi"));
    }
  }

 protected:
  Matrix<T> mix(const Head<T>& head, Index h, InVector<T>) const override {
    return attention<T>(turned(head.q, 0), turned(head.k, 0), head.v, how(head.q.rows(), h)).output;
  }
  Head<T> mix_backward(const Head<T>& head, Index h, InVector<T>, const Matrix<T>& dO,
                       Eigen::Ref<Vector<T>>, Matrix<T>& output) const override {
    const Matrix<T> q = turned(head.q, 0), k = turned(head.k, 0);
    const AttentionOptions<T> options = how(head.q.rows(), h);
    AttentionResult<T> forward = attention<T>(q, k, head.v, options);
    auto back = attention_backward_from<T>(forward, q, k, head.v, dO, options);
    output = std::move(forward.output);
    if (rotary_) {
      back.dQ = rotate_backward<T>(back.dQ);
      back.dK = rotate_backward<T>(back.dK);
    }
    return {std::move(back.dQ), std::move(back.dK), std::move(back.dV), {}};
  }
  Matrix<T> mix_step(const Head<T>& token, Index h, InVector<T>, MixerState<T>& state,
                     std::size_t first, bool writes) const override {
    Matrix<T>&K = state.parts[first], &V = state.parts[first + 1];
    if (writes) {
      append_rows(K, placed(token.k, state.position));
      append_rows(V, token.v);
    }
    AttentionOptions<T> options;
    if (alibi_) options.bias = bias(K.rows(), h).bottomRows(1);
    return attention<T>(turned(token.q, state.position), K, V, options).output;
  }
  void do_read(In<T> X, InVector<T> all, MixerState<T>& state) const override {
    this->fill_cache(X, all, state);
  }
  bool maps_heads() const override { return !alibi_ && this->options_.sees != SeenTokens::kLater; }
  Matrix<T> placed(const Matrix<T>& X, Index position) const override {
    return turned(X, position);
  }
  Matrix<T> placed_backward(const Matrix<T>& dX) const override {
    return rotary_ ? rotate_backward<T>(dX) : dX;
  }
  Matrix<T> mix_weights(const Head<T>& head, Index h, InVector<T>) const override {
    return attention<T>(turned(head.q, 0), turned(head.k, 0), head.v, how(head.q.rows(), h))
        .weights;
  }
  std::vector<Matrix<T>> head_start() const override {
    return {Matrix<T>(0, this->d_k()), Matrix<T>(0, this->d_v())};
  }
  std::uint64_t head_state_numbers(Index n) const override {
    return wide(n) * wide(this->d_k() + this->d_v());
  }
  std::uint64_t head_multiply_adds(Index n) const override {
    return wide(n) * wide(n) * wide(this->d_k() + this->d_v()) +
           (rotary_ ? 4 * wide(n) * wide(this->d_k()) : 0);
  }

 private:
  void require_even_width() const {
    if (this->d_k() % 2 != 0) {
      throw ValueError("d_k", phrase::number(this->d_k()), phrase::even_at_least(2));
    }
  }
  Matrix<T> turned(const Matrix<T>& X, Index offset) const {
    return rotary_ ? rotate<T>(X, offset) : X;
  }
  Matrix<T> bias(Index n, Index h) const {
    return alibi_bias<T>(n, static_cast<double>(alibi_slopes<T>(this->heads())(h)));
  }
  AttentionOptions<T> how(Index n, Index h) const {
    AttentionOptions<T> options;
    if (this->options_.sees == SeenTokens::kEarlier) options.mask = Mask::causal();
    if (this->options_.sees == SeenTokens::kLater) {
      options.mask = Mask::window({.left = 0, .right = {}});
    }
    if (this->options_.sees == SeenTokens::kStrictlyLater) options.mask = Mask::after();
    if (alibi_) options.bias = bias(n, h);
    return options;
  }

  bool rotary_, alibi_;
};

// --- A window with sinks -------------------------------------------------------------------------

template <typename T>
class SlidingWindow final : public HeadsMixer<T> {
 public:
  SlidingWindow(const SequenceMixerInfo& info, const SequenceMixerOptions& options)
      : HeadsMixer<T>(info, options, 0) {
    how_.sinks = static_cast<Index>(this->parameter("sinks"));
    how_.window = static_cast<Index>(this->parameter("window"));
  }

 protected:
  Matrix<T> mix(const Head<T>& head, Index, InVector<T>) const override {
    return sink_attention<T>(head.q, head.k, head.v, how_).output;
  }
  Head<T> mix_backward(const Head<T>& head, Index, InVector<T>, const Matrix<T>& dO,
                       Eigen::Ref<Vector<T>>, Matrix<T>& output) const override {
    output = sink_attention<T>(head.q, head.k, head.v, how_).output;
    auto back = sink_attention_backward<T>(head.q, head.k, head.v, dO, how_);
    return {std::move(back.dQ), std::move(back.dK), std::move(back.dV), {}};
  }
  Matrix<T> mix_step(const Head<T>& token, Index, InVector<T>, MixerState<T>& state,
                     std::size_t first, bool writes) const override {
    Matrix<T>&K = state.parts[first], &V = state.parts[first + 1];
    if (!writes) return attention<T>(token.q, K, V).output;
    for (Matrix<T>* rows : {&K, &V}) {
      if (rows->rows() < how_.sinks + how_.window) continue;
      // The oldest that is no sink goes.
      const Index moved = how_.window - 1;
      rows->middleRows(how_.sinks, moved) = Matrix<T>(rows->bottomRows(moved));
      rows->conservativeResize(how_.sinks + moved, rows->cols());
    }
    append_rows(K, token.k);
    append_rows(V, token.v);
    return attention<T>(token.q, K, V).output;
  }
  Matrix<T> mix_weights(const Head<T>& head, Index, InVector<T>) const override {
    return sink_attention<T>(head.q, head.k, head.v, how_).weights;
  }
  std::vector<Matrix<T>> head_start() const override {
    return {Matrix<T>(0, this->d_k()), Matrix<T>(0, this->d_v())};
  }
  std::uint64_t head_state_numbers(Index n) const override {
    return wide(std::min(n, how_.sinks + how_.window)) * wide(this->d_k() + this->d_v());
  }
  std::uint64_t head_multiply_adds(Index n) const override {
    return wide(sink_pattern(n, how_).nnz()) * wide(this->d_k() + this->d_v());
  }

 private:
  SinkOptions how_;
};

// --- Linear attention ----------------------------------------------------------------------------

template <typename T>
class Linear final : public HeadsMixer<T> {
 public:
  Linear(const SequenceMixerInfo& info, const SequenceMixerOptions& options)
      : HeadsMixer<T>(info, options, 0),
        map_(options.feature_map, this->d_k(), map_options(options)) {
    how_.causal = options.sees == SeenTokens::kEarlier;
    how_.chunk = static_cast<Index>(this->parameter("chunk"));
    how_.position.length = options.length;
  }

 protected:
  Matrix<T> mix(const Head<T>& head, Index, InVector<T>) const override {
    return linear_attention<T>(head.q, head.k, head.v, map_, how_).output;
  }
  Head<T> mix_backward(const Head<T>& head, Index h, InVector<T> all, const Matrix<T>& dO,
                       Eigen::Ref<Vector<T>>, Matrix<T>& output) const override {
    if (head.q.rows() <= kShort * this->d_v()) return short_backward(head, dO, output);
    output = mix(head, h, all);
    auto back = linear_attention_backward<T>(head.q, head.k, head.v, dO, map_, how_);
    return {std::move(back.dQ), std::move(back.dK), std::move(back.dV), {}};
  }
  Matrix<T> mix_step(const Head<T>& token, Index, InVector<T>, MixerState<T>& state,
                     std::size_t first, bool /*writes*/) const override {
    Matrix<T>&S = state.parts[first], &z = state.parts[first + 1];
    const LinearState<T> before{S, Eigen::Map<const Vector<T>>(z.data(), z.size())};
    LinearAttentionOptions how = how_;
    // The kernel for single tokens serves only chunks of 1.
    how.chunk = 1;
    how.position.offset = state.position;
    auto made = linear_attention<T>(token.q, token.k, token.v, map_, how, &before);
    S = std::move(made.state.s);
    z = made.state.z;
    return made.output;
  }
  Matrix<T> mix_weights(const Head<T>& head, Index, InVector<T>) const override {
    return compute_implicit_attention<T>(head.q, head.k, map_,
                                         how_.causal ? Mask::causal() : Mask::full());
  }
  std::vector<Matrix<T>> head_start() const override {
    return {Matrix<T>::Zero(map_.dimension(), this->d_v()), Matrix<T>::Zero(map_.dimension(), 1)};
  }
  std::uint64_t head_state_numbers(Index) const override {
    return wide(map_.dimension()) * wide(this->d_v() + 1);
  }
  std::uint64_t head_multiply_adds(Index n) const override {
    CostShape shape;
    shape.n = wide(n);
    shape.d_k = wide(this->d_k());
    shape.d_v = wide(this->d_v());
    shape.chunk = wide(how_.chunk);
    shape.feature_map = this->options_.feature_map;
    return cost_of(how_.causal ? "linear_chunked" : "linear", shape, sizeof(T)).multiply_adds;
  }

 private:
  /// Up to so many times d_v tokens, the products of all features with each other take no more
  /// multiply-adds than the states of the scans.
  static constexpr Index kShort = 2;

  /// The gradients of `linear_attention_backward`, which is the reference, through the n×n weights:
  /// a few large products instead of two scans.
  Head<T> short_backward(const Head<T>& head, const Matrix<T>& dO, Matrix<T>& output) const {
    const Matrix<T> phi_q = map_.apply(head.q, Role::kQuery, how_.position),
                    phi_k = map_.apply(head.k, Role::kKey, how_.position);
    const auto hide_later = [&](Matrix<T>& X) {
      if (how_.causal) X.template triangularView<Eigen::StrictlyUpper>().setZero();
    };
    Matrix<T> A = product_nt<T>(phi_q, phi_k);
    hide_later(A);
    const Vector<T> scale = (A.rowwise().sum().array() + static_cast<T>(how_.epsilon)).inverse();
    A.array().colwise() *= scale.array();
    output = product_nn<T>(A, head.v);
    // Through A = P/(Σ P + ε).
    Matrix<T> dP = product_nt<T>(dO, head.v);
    dP.colwise() -= dP.cwiseProduct(A).rowwise().sum().eval();
    dP.array().colwise() *= scale.array();
    hide_later(dP);
    return {map_.backward(head.q, product_nn<T>(dP, phi_k), Role::kQuery, how_.position),
            map_.backward(head.k, product_tn<T>(dP, phi_q), Role::kKey, how_.position),
            product_tn<T>(A, dO),
            {}};
  }

  static FeatureMapOptions<T> map_options(const SequenceMixerOptions& options) {
    FeatureMapOptions<T> made;
    made.seed = options.seed;
    return made;
  }

  FeatureMap<T> map_;
  LinearAttentionOptions how_;
};

// --- A matrix as the state -----------------------------------------------------------------------

/// What the members of the family differ in.
struct MatrixFamily {
  StateWrite write = StateWrite::kAdd;
  enum class Decay { kNone, kRetention, kToken, kKey, kStep } decay = Decay::kNone;
  bool beta = false;
};

/// The divisor of the logarithms of gates, as in flash-linear-attention: a new model forgets
/// slowly.
constexpr double kGateDivisor = 16;

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double sigmoid(double x) {
  return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x));
}

template <typename T>
class MatrixMixer final : public HeadsMixer<T> {
 public:
  using Decay = MatrixFamily::Decay;

  MatrixMixer(const SequenceMixerInfo& info, const SequenceMixerOptions& options,
              const MatrixFamily& family)
      : HeadsMixer<T>(info, options, gate_count(options, family)),
        family_(family),
        normed_(this->parameter("head_norm") != 0) {
    how_.write = family_.write;
    how_.l2_normalize = family_.write == StateWrite::kDelta;
    how_.chunk = static_cast<Index>(this->parameter("chunk"));
    // Mamba-2's C and B are used as they are.
    if (family_.decay == Decay::kStep) how_.scale = 1;
  }

 protected:
  Matrix<T> mix(const Head<T>& head, Index h, InVector<T>) const override {
    return normed(raw(head, h).output);
  }

  Head<T> mix_backward(const Head<T>& head, Index h, InVector<T>, const Matrix<T>& dO,
                       Eigen::Ref<Vector<T>>, Matrix<T>& output) const override {
    output = raw(head, h).output;
    Matrix<T> d_raw = dO;
    if (normed_) {
      d_raw = rms_norm_backward<T>(output, Vector<T>(), dO).dX;
      output = normed(output);
    }
    const Matrix<T> V = written(head);
    auto back = matrix_state_backward<T>(head.q, head.k, V, d_raw, gates(head, h), how_);
    Head<T> made{std::move(back.dQ), std::move(back.dK), std::move(back.dV),
                 Matrix<T>::Zero(head.gates.rows(), head.gates.cols())};
    for (Index t = 0; t < head.gates.rows(); ++t) {
      if (family_.beta) {
        const double beta = sigmoid(static_cast<double>(head.gates(t, 0)));
        made.gates(t, 0) = static_cast<T>(beta * (1 - beta)) * back.d_beta(t, 0);
      }
      if (family_.decay == Decay::kToken || family_.decay == Decay::kKey) {
        for (Index c = 0; c < back.d_log_decay.cols(); ++c) {
          const Index at = c + (family_.beta ? 1 : 0);
          const double slope = sigmoid(-static_cast<double>(head.gates(t, at))) / kGateDivisor;
          made.gates(t, at) = static_cast<T>(slope) * back.d_log_decay(t, c);
        }
      }
      if (family_.decay == Decay::kStep) {
        // The step Δ = softplus(gate) is what v is multiplied with, and −Δ the decay.
        const double gate = static_cast<double>(head.gates(t, 0));
        const double d_step = static_cast<double>(made.v.row(t).dot(head.v.row(t))) -
                              static_cast<double>(back.d_log_decay(t, 0));
        made.gates(t, 0) = static_cast<T>(sigmoid(gate) * d_step);
        made.v.row(t) *= static_cast<T>(softplus(gate));
      }
    }
    return made;
  }

  Matrix<T> mix_step(const Head<T>& token, Index h, InVector<T>, MixerState<T>& state,
                     std::size_t first, bool /*writes*/) const override {
    auto made = raw(token, h, &state.parts[first]);
    state.parts[first] = std::move(made.state);
    return normed(made.output);
  }

  Matrix<T> mix_weights(const Head<T>& head, Index h, InVector<T>) const override {
    Matrix<T> A = matrix_state_weights<T>(head.q, head.k, gates(head, h), how_);
    if (family_.decay == Decay::kStep) {
      for (Index t = 0; t < A.cols(); ++t) {
        A.col(t) *= static_cast<T>(softplus(static_cast<double>(head.gates(t, 0))));
      }
    }
    return A;
  }

  std::vector<Matrix<T>> head_start() const override {
    return {Matrix<T>::Zero(this->d_k(), this->d_v())};
  }
  std::uint64_t head_state_numbers(Index) const override {
    return wide(this->d_k()) * wide(this->d_v());
  }
  std::uint64_t head_multiply_adds(Index n) const override {
    const std::uint64_t k = wide(this->d_k()), v = wide(this->d_v());
    const bool delta = family_.write == StateWrite::kDelta, by_key = family_.decay == Decay::kKey;
    std::uint64_t all = how_.l2_normalize ? 2 * wide(n) * k : 0;
    for (Index first = 0; first < n; first += how_.chunk) {
      const std::uint64_t s = wide(std::min(how_.chunk, n - first)), state = s * k * v;
      const std::uint64_t carried = first > 0 ? state : 0;
      all += (by_key ? s * (s + 1) / 2 : s * s) * k + s * s * v + carried + state;
      if (delta) all += (by_key ? s * (s - 1) / 2 : s * s) * k + s * (s - 1) / 2 * v + carried;
    }
    return all + (normed_ ? 3 * wide(n) * v : 0);
  }

 private:
  static Index gate_count(const SequenceMixerOptions& options, const MatrixFamily& family) {
    const Index d_k = options.d_k == 0 ? options.d_model / options.heads : options.d_k;
    const Index decay = family.decay == Decay::kKey                                     ? d_k
                        : family.decay == Decay::kToken || family.decay == Decay::kStep ? 1
                                                                                        : 0;
    return decay + (family.beta ? 1 : 0);
  }

  Matrix<T> normed(Matrix<T> raw_output) const {
    return normed_ ? rms_norm<T>(raw_output, Vector<T>()) : raw_output;
  }

  MatrixStateResult<T> raw(const Head<T>& head, Index h, const Matrix<T>* initial = nullptr) const {
    return matrix_state<T>(head.q, head.k, written(head), gates(head, h), how_, initial);
  }

  Matrix<T> written(const Head<T>& head) const {
    Matrix<T> V = head.v;
    for (Index t = 0; t < V.rows() && family_.decay == Decay::kStep; ++t) {
      V.row(t) *= static_cast<T>(softplus(static_cast<double>(head.gates(t, 0))));
    }
    return V;
  }

  MatrixStateGates<T> gates(const Head<T>& head, Index h) const {
    MatrixStateGates<T> made;
    const Index n = head.q.rows(), betas = family_.beta ? 1 : 0;
    const Matrix<T>& g = head.gates;
    if (family_.beta) {
      made.beta = Matrix<T>(g.leftCols(1).unaryExpr(
          [](T x) { return static_cast<T>(sigmoid(static_cast<double>(x))); }));
    }
    if (family_.decay == Decay::kRetention) {
      made.log_decay = Matrix<T>::Constant(n, 1, static_cast<T>(retention_log_decay(h)));
    } else if (family_.decay == Decay::kStep) {
      made.log_decay = Matrix<T>(
          g.unaryExpr([](T x) { return static_cast<T>(-softplus(static_cast<double>(x))); }));
    } else if (family_.decay != Decay::kNone) {
      made.log_decay = Matrix<T>(g.rightCols(g.cols() - betas).unaryExpr([](T x) {
        return static_cast<T>(-softplus(-static_cast<double>(x)) / kGateDivisor);
      }));
    }
    return made;
  }

  MatrixFamily family_;
  bool normed_;
  MatrixStateOptions how_;
};

constexpr MatrixFamily kSum{};
constexpr MatrixFamily kRetention{.decay = MatrixFamily::Decay::kRetention};
constexpr MatrixFamily kSimpleGla{.decay = MatrixFamily::Decay::kToken};
constexpr MatrixFamily kGla{.decay = MatrixFamily::Decay::kKey};
constexpr MatrixFamily kMamba2{.decay = MatrixFamily::Decay::kStep};
constexpr MatrixFamily kDelta{.write = StateWrite::kDelta, .beta = true};
constexpr MatrixFamily kGatedDelta{
    .write = StateWrite::kDelta, .decay = MatrixFamily::Decay::kToken, .beta = true};

template <typename T, typename Mixer>
std::unique_ptr<SequenceMixer<T>> make(const SequenceMixerInfo& info,
                                       const SequenceMixerOptions& options) {
  return std::make_unique<Mixer>(info, options);
}

template <typename T, const MatrixFamily& family>
std::unique_ptr<SequenceMixer<T>> make_matrix(const SequenceMixerInfo& info,
                                              const SequenceMixerOptions& options) {
  return std::make_unique<MatrixMixer<T>>(info, options, family);
}

}  // namespace

template <typename T>
void add_head_mixers(std::vector<MixerEntry<T>>& all) {
  constexpr const char* kMatrixState = R"(h\,d_k\,d_v)";
  const auto chunk_of = [](double tokens) -> SequenceMixerParameter {
    return {"chunk", "chunk", "tokens worked on together; the result does not depend on it",
            tokens,  1,       4096,
            true};
  };
  const std::vector<SequenceMixerParameter> matrix_parameters{
      chunk_of(16),
      {"head_norm", "norm of heads", "1: each head's row is brought to a common size", 1, 0, 1,
       true}};
  all.push_back(
      {{.id = "softmax",
        .label = "Softmax attention",
        .tex =
            R"(o_t=\sum_{j\le t}\frac{e^{q_t\cdot k_j/\sqrt{d_k}}}{\sum_{l\le t}e^{q_t\cdot k_l/\sqrt{d_k}}}v_j)",
        .state_tex = R"(n\,h\,(d_k+d_v))",
        .constant_state = false,
        .paper = {"Attention Is All You Need", "https://arxiv.org/abs/1706.03762",
                  "arXiv:1706.03762"},
        .parameters = {{"rotary", "rotary", "1: queries and keys are turned by their positions", 0,
                        0, 1, true},
                       {"alibi", "ALiBi", "1: scores fall with the distance", 0, 0, 1, true}}},
       &make<T, Softmax<T>>});
  all.push_back(
      {{.id = "sliding_window",
        .label = "Sliding window with sinks",
        .tex = R"(o_t=\mathrm{softmax\ over\ }j<s\mathrm{\ or\ }t-j<w)",
        .state_tex = R"((s+w)\,h\,(d_k+d_v))",
        .forgets = true,
        .paper = {"Efficient Streaming Language Models with Attention Sinks",
                  "https://arxiv.org/abs/2309.17453", "arXiv:2309.17453"},
        .parameters = {{"window", "window", "the newest tokens that are kept", 16, 1, 65536, true},
                       {"sinks", "sinks", "the first tokens that are kept", 4, 0, 65536, true}}},
       &make<T, SlidingWindow<T>>});
  all.push_back(
      {{.id = "linear",
        .label = "Linear attention",
        .tex =
            R"(S_t=S_{t-1}+\varphi(k_t)v_t^\top,\quad o_t=\frac{\varphi(q_t)^\top S_t}{\varphi(q_t)\cdot z_t+\varepsilon})",
        .state_tex = R"(h\,D\,(d_v+1))",
        .chunked = true,
        .paper = {"Transformers are RNNs", "https://arxiv.org/abs/2006.16236", "arXiv:2006.16236"},
        // Token by token, one kernel does all.
        .parameters = {chunk_of(1)}},
       &make<T, Linear<T>>});
  const auto matrix = [&](std::string_view id, std::string_view label, std::string_view tex,
                          bool forgets, bool overwrites, SequenceMixerPaper paper, auto maker) {
    all.push_back({{.id = id,
                    .label = label,
                    .tex = tex,
                    .state_tex = kMatrixState,
                    .chunked = true,
                    .forgets = forgets,
                    .overwrites = overwrites,
                    .paper = paper,
                    .parameters = matrix_parameters},
                   maker});
  };
  matrix("linear_sum", "Linear attention without φ and normaliser", R"(S_t=S_{t-1}+k_tv_t^\top)",
         false, false,
         {"Linear Transformers Are Secretly Fast Weight Programmers",
          "https://arxiv.org/abs/2102.11174", "arXiv:2102.11174"},
         &make_matrix<T, kSum>);
  matrix("retention", "Retention", R"(S_t=\gamma_h S_{t-1}+k_tv_t^\top)", true, false,
         {"Retentive Network", "https://arxiv.org/abs/2307.08621", "arXiv:2307.08621"},
         &make_matrix<T, kRetention>);
  matrix("simple_gla", "Simple gated linear attention", R"(S_t=e^{g_t}S_{t-1}+k_tv_t^\top)", true,
         false,
         {"Gated Linear Attention Transformers", "https://arxiv.org/abs/2312.06635",
          "arXiv:2312.06635"},
         &make_matrix<T, kSimpleGla>);
  matrix("gla", "Gated linear attention", R"(S_t=\mathrm{diag}(e^{g_t})S_{t-1}+k_tv_t^\top)", true,
         false,
         {"Gated Linear Attention Transformers", "https://arxiv.org/abs/2312.06635",
          "arXiv:2312.06635"},
         &make_matrix<T, kGla>);
  matrix("mamba2", "Mamba-2", R"(S_t=e^{-\Delta_t}S_{t-1}+k_t(\Delta_tv_t)^\top)", true, false,
         {"Transformers are SSMs", "https://arxiv.org/abs/2405.21060", "arXiv:2405.21060"},
         &make_matrix<T, kMamba2>);
  matrix("delta_rule", "DeltaNet", R"(S_t=S_{t-1}+\beta_tk_t(v_t-S_{t-1}^\top k_t)^\top)", false,
         true,
         {"Parallelizing Linear Transformers with the Delta Rule",
          "https://arxiv.org/abs/2406.06484", "arXiv:2406.06484"},
         &make_matrix<T, kDelta>);
  matrix("gated_delta_rule", "Gated DeltaNet",
         R"(S'=e^{g_t}S_{t-1},\ S_t=S'+\beta_tk_t(v_t-S'^\top k_t)^\top)", true, true,
         {"Gated Delta Networks", "https://arxiv.org/abs/2412.06464", "arXiv:2412.06464"},
         &make_matrix<T, kGatedDelta>);
}

template void add_head_mixers<float>(std::vector<MixerEntry<float>>&);
template void add_head_mixers<double>(std::vector<MixerEntry<double>>&);

}  // namespace attn::internal
