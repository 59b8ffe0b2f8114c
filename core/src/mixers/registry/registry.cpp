#include "attn/base/errors.hpp"
#include "attn/linear_attention/phrases.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/mixers/sequence_mixer.hpp"
#include "base/lookup.hpp"
#include "base/parameters.hpp"
#include "mixers/registry/entry.hpp"

namespace attn {
namespace {

template <typename T>
const std::vector<internal::MixerEntry<T>>& entries() {
  static const std::vector<internal::MixerEntry<T>> kAll = [] {
    std::vector<internal::MixerEntry<T>> all;
    internal::add_head_mixers<T>(all);
    internal::add_layer_mixers<T>(all);
    return all;
  }();
  return kAll;
}

}  // namespace

std::span<const SequenceMixerInfo> sequence_mixers() {
  static const std::vector<SequenceMixerInfo> kInfos = [] {
    std::vector<SequenceMixerInfo> infos;
    for (const auto& entry : entries<float>()) infos.push_back(entry.info);
    return infos;
  }();
  return kInfos;
}

const SequenceMixerInfo& sequence_mixer_info(std::string_view id) {
  return internal::find_by_id("mixer", id, entries<float>()).info;
}

template <typename T>
std::unique_ptr<SequenceMixer<T>> make_sequence_mixer(const SequenceMixerOptions& options) {
  const auto& entry = internal::find_by_id("mixer", options.id, entries<T>());
  internal::require_parameters(entry.info, options.parameters);
  const auto at_least_one = [](const char* name, Index value) {
    if (value < 1) throw ValueError(name, phrase::number(value), phrase::at_least(1));
  };
  require_layer_width("d_model", options.d_model);
  at_least_one("heads", options.heads);
  at_least_one("length", options.length);
  require_layer_width("d_k", options.d_k, 0);
  if (options.d_model % options.heads != 0) {
    throw ValueError("heads", phrase::number(options.heads), phrase::divisor(options.d_model));
  }
  if ((options.sees == SeenTokens::kAll && options.id != "softmax" && options.id != "linear") ||
      ((options.sees == SeenTokens::kLater || options.sees == SeenTokens::kStrictlyLater) &&
       options.id != "softmax")) {
    throw ValueError("sees", phrase::given, phrase::sees_earlier_only(options.id));
  }
  if (options.kv_heads != 0) {
    if (options.kv_heads < 1 || options.heads % options.kv_heads != 0) {
      throw ValueError("kv_heads", phrase::number(options.kv_heads),
                       phrase::divisor(options.heads));
    }
    if (options.kv_heads != options.heads && options.id != "softmax" &&
        options.id != "sliding_window") {
      throw ValueError("kv_heads", phrase::number(options.kv_heads),
                       phrase::own_keys_each_head(options.heads, options.id));
    }
  }
  return entry.make(entry.info, options);
}

template <typename T>
SequenceMixer<T>::SequenceMixer(const SequenceMixerInfo& info, SequenceMixerOptions options)
    : options_(std::move(options)), info_(&info) {}

template <typename T>
double SequenceMixer<T>::parameter(std::string_view name) const {
  for (const auto& [given, value] : options_.parameters) {
    if (given == name) return value;
  }
  for (const SequenceMixerParameter& one : info_->parameters) {
    if (one.name == name) return one.default_value;
  }
  throw ValueError("parameter", phrase::quoted(name), phrase::parameter_of(info_->id));
}

template <typename T>
void SequenceMixer<T>::require_input(In<T> X, Index sequences, InVector<T> parameters) const {
  if (sequences < 1) throw ValueError("sequences", phrase::number(sequences), phrase::at_least(1));
  if (X.rows() < sequences || X.rows() % sequences != 0 || X.cols() != options_.d_model) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::row_each_token_of_sequences);
  }
  if (parameters.size() != table_.size()) {
    throw ShapeError("parameters", phrase::entries_seen(parameters.size()),
                     phrase::count_because(table_.size(), phrase::as_the_layer_has));
  }
}

template <typename T>
void SequenceMixer<T>::require_gated_heads() const {
  if (gated_heads() == 0) {
    throw ValueError("gates", phrase::quoted(info_->id), phrase::mixer_with_gated_heads);
  }
}

template <typename T>
void SequenceMixer<T>::require_gates(const HeadGates<T>& gates) const {
  if (gates.open()) return;
  require_gated_heads();
  const Index heads = gated_heads();
  if (gates.gates.size() != 0 && gates.gates.size() != heads) {
    throw ShapeError("gates", phrase::entries_seen(gates.gates.size()),
                     phrase::count_because(heads, phrase::gate_each_head));
  }
  require_finite<T>("gates", gates.gates);
  if (gates.instead.size() > 0) {
    require_shape<T>("instead", gates.instead, heads, options_.d_model / heads,
                     phrase::output_each_head);
    require_finite<T>("instead", gates.instead);
  }
  if (gates.keep.size() > 0) {
    require_mapped_heads("keep");
    require_shape<T>("keep", gates.keep, gates.keep.rows(), gates.keep.rows(),
                     phrase::cell_each_token_pair);
    require_finite<T>("keep", gates.keep);
  }
  if (gates.blocks) require_mapped_heads("blocks");
  if (gates.cache && (gates.keep.size() > 0 || gates.blocks)) {
    throw ValueError("cache", phrase::given, phrase::no_cache_with_pattern);
  }
  if (gates.cache) require_mapped_heads("cache");
  for (const MappedHead<T>& one : gates.maps) {
    require_mapped_heads();
    if (one.head < 0 || one.head >= heads) {
      throw ValueError("head", phrase::number(one.head), phrase::range(0, heads - 1));
    }
    const Index d_k = options_.d_k == 0 ? options_.d_model / heads : options_.d_k;
    for (const auto& [name, W] : {std::pair("Wq", &one.Wq), std::pair("Wk", &one.Wk)}) {
      require_shape<T>(name, *W, d_k, d_k, phrase::square_as_the_map);
      require_finite<T>(name, *W);
    }
  }
}

template <typename T>
void SequenceMixer<T>::require_mapped_heads(std::string_view argument) const {
  if (!maps_heads()) {
    throw ValueError(argument, phrase::quoted(info_->id), phrase::mixer_with_softmax_heads);
  }
}

template <typename T>
Qkv<T> SequenceMixer<T>::head_inputs(In<T> X, InVector<T> parameters, Index head) const {
  require_input(X, 1, parameters);
  require_mapped_heads();
  if (head < 0 || head >= gated_heads()) {
    throw ValueError("head", phrase::number(head), phrase::range(0, gated_heads() - 1));
  }
  return do_head_inputs(X, parameters, head);
}

template <typename T>
Qkv<T> SequenceMixer<T>::do_head_inputs(In<T>, InVector<T>, Index) const {
  return {};
}

template <typename T>
Matrix<T> SequenceMixer<T>::forward(In<T> X, Index sequences, InVector<T> parameters,
                                    const HeadGates<T>& gates) const {
  require_input(X, sequences, parameters);
  require_gates(gates);
  return do_forward(X, sequences, parameters, gates);
}

template <typename T>
Matrix<T> SequenceMixer<T>::head_outputs(In<T> X, Index sequences, InVector<T> parameters) const {
  require_input(X, sequences, parameters);
  require_gated_heads();
  return do_head_outputs(X, sequences, parameters);
}

template <typename T>
Matrix<T> SequenceMixer<T>::do_head_outputs(In<T> X, Index, InVector<T>) const {
  return Matrix<T>(X.rows(), 0);
}

template <typename T>
Matrix<T> SequenceMixer<T>::backward(In<T> X, Index sequences, InVector<T> parameters, In<T> dY,
                                     Eigen::Ref<Vector<std::type_identity_t<T>>> d_parameters,
                                     const HeadGates<T>& gates, Matrix<T>* d_gates) const {
  require_input(X, sequences, parameters);
  require_shape<T>("dY", dY, X.rows(), X.cols(), phrase::shape_of_output);
  if (d_parameters.size() != table_.size()) {
    throw ShapeError("d_parameters", phrase::entries_seen(d_parameters.size()),
                     phrase::count_because(table_.size(), phrase::as_the_layer_has));
  }
  require_gates(gates);
  if (d_gates != nullptr) require_gated_heads();
  return do_backward(X, sequences, parameters, dY, d_parameters, gates, d_gates);
}

template <typename T>
MixerState<T> SequenceMixer<T>::start() const {
  return do_start();
}

template <typename T>
void SequenceMixer<T>::require_steps(In<T> X, InVector<T> parameters) const {
  require_input(X, 1, parameters);
  if (options_.sees != SeenTokens::kEarlier) {
    throw ValueError("sees", phrase::given, phrase::steps_see_earlier);
  }
}

template <typename T>
Matrix<T> SequenceMixer<T>::step(In<T> X, InVector<T> parameters, MixerState<T>& state,
                                 const HeadGates<T>& gates) const {
  require_steps(X, parameters);
  require_gates(gates);
  Matrix<T> Y(X.rows(), X.cols());
  for (Index t = 0; t < X.rows(); ++t) {
    Y.row(t) = do_step(X.row(t), parameters, state, gates);
    ++state.position;
  }
  return Y;
}

template <typename T>
void SequenceMixer<T>::read(In<T> X, InVector<T> parameters, MixerState<T>& state) const {
  require_steps(X, parameters);
  do_read(X, parameters, state);
}

template <typename T>
void SequenceMixer<T>::do_read(In<T> X, InVector<T> parameters, MixerState<T>& state) const {
  for (Index t = 0; t < X.rows(); ++t) {
    do_step(X.row(t), parameters, state, {});
    ++state.position;
  }
}

template <typename T>
Matrix<T> SequenceMixer<T>::weights(In<T> X, InVector<T> parameters, Index which,
                                    const HeadGates<T>& gates) const {
  require_input(X, 1, parameters);
  if (!info_->has_matrix) {
    throw ValueError("mixer", phrase::quoted(info_->id), phrase::mixer_with_a_matrix);
  }
  if (which < 0 || which >= weight_count()) {
    throw ValueError("which", phrase::number(which), phrase::range(0, weight_count() - 1));
  }
  require_gates(gates);
  return do_weights(X, parameters, which, gates);
}

#define ATTN_INSTANTIATE(T)        \
  template class SequenceMixer<T>; \
  template std::unique_ptr<SequenceMixer<T>> make_sequence_mixer<T>(const SequenceMixerOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
