// The topics of whole layers: Hyena, attention sinks, latent attention, and the layers around the
// mixers of RetNet, RWKV-4 and Mamba.

#include "layer_topics.hpp"

#include "attn/attention/attention.hpp"
#include "attn/mixers/attention_sinks.hpp"
#include "attn/mixers/convolution.hpp"
#include "attn/mixers/hyena.hpp"
#include "attn/mixers/latent_attention.hpp"
#include "attn/mixers/mamba_block.hpp"
#include "attn/mixers/retention_layer.hpp"
#include "attn/mixers/time_mix.hpp"

namespace attn::golden {
namespace {

/// A tensor of rows×1×taps, PyTorch's weight of a depthwise convolution.
template <typename T>
Matrix<T> taps_of(const Case<T>& c, const char* name) {
  const std::vector<Index> shape = shape_of(c.input(name));
  const std::vector<double> data = numbers(c.input(name));
  Matrix<T> taps(shape.at(0), shape.at(2));
  for (Index i = 0; i < taps.size(); ++i) {
    taps.data()[i] = static_cast<T>(data[static_cast<std::size_t>(i)]);
  }
  return taps;
}

template <typename T>
std::vector<double> turned(const Matrix<T>& x) {
  return flat<T>(Matrix<T>(x.transpose()));
}

template <typename T>
void run_long_convolution(Case<T>& c) {
  c.require_known({"channels", "L"}, {"u", "k", "D", "dy"});
  // The official layout has a row for each channel, ours one for each token.
  const auto rows = [&](const char* name) -> Matrix<T> { return c.matrix(name).transpose(); };
  for (const ConvolutionForm form : {ConvolutionForm::kFft, ConvolutionForm::kDirect}) {
    const Matrix<T> u = rows("u"), k = rows("k");
    c.check("y", turned<T>(long_convolution<T>(u, k, c.vector("D"), form)));
    const auto back = long_convolution_backward<T>(u, k, c.vector("D"), rows("dy"), form);
    c.check("du", turned<T>(back.dX));
    c.check("dk", turned<T>(back.d_filter));
    c.check("dD", flat<T>(back.d_through));
  }
}

/// Weights of the filter from inputs whose names begin with `prefix`: a linear layer at every even
/// place, and the sine's frequency at place 1.
template <typename T>
HyenaFilterWeights<T> filter_of(const Case<T>& c, const std::string& prefix) {
  HyenaFilterWeights<T> made;
  for (int place = 0;; place += 2) {
    const std::string name = prefix + "implicit_filter_" + std::to_string(place);
    if (!c.has_input((name + "_weight").c_str())) break;
    made.layers.push_back(c.matrix((name + "_weight").c_str()));
    if (c.has_input((name + "_bias").c_str())) {
      made.biases.push_back(c.vector((name + "_bias").c_str()));
    }
  }
  made.frequency = c.vector((prefix + "implicit_filter_1_freq").c_str());
  return made;
}

template <typename T>
void run_filter(Case<T>& c) {
  const Index taps = static_cast<Index>(c.param("L", 0));
  HyenaFilterOptions options;
  options.length = taps;
  const auto weights = filter_of(c, "");
  c.check("pos_emb", flat<T>(hyena_positions<T>(taps, taps, weights.layers[0].cols())));
  c.check("deltas", flat<T>(hyena_decays<T>(weights.layers.back().rows(), options)));
  c.check("h", flat<T>(hyena_filter<T>(weights, taps, options)));
}

template <typename T>
void run_hyena(Case<T>& c, const Json&) {
  if (c.has_input("u")) return run_long_convolution(c);
  if (!c.has_input("x")) return run_filter(c);
  HyenaWeights<T> w;
  w.in = c.matrix("in_proj_weight");
  w.in_bias = c.vector("in_proj_bias");
  w.taps = taps_of(c, "short_filter_weight");
  w.taps_bias = c.vector("short_filter_bias");
  w.filter = filter_of(c, "filter_fn_");
  w.through = c.vector("filter_fn_bias");
  w.out = c.matrix("out_proj_weight");
  w.out_bias = c.vector("out_proj_bias");
  if (w.order() != static_cast<Index>(c.param("order", 0))) c.fail("order");
  HyenaFilterOptions options;
  options.length = static_cast<Index>(c.param("l_max", 0));
  const Matrix<T> x = c.matrix("x");
  c.check("filters", flat<T>(hyena_filter<T>(w.filter, x.rows(), options)));
  c.check("y", flat<T>(hyena<T>(x, w, options)));
}

template <typename T>
void run_sinks(Case<T>& c, const Json&) {
  c.require_known({"layout", "n", "heads", "kv_heads", "d_k", "d_v", "scale", "sinks", "window",
                   "rope", "official_call", "start_size", "recent_size", "max_keys", "base"},
                  {"Q", "K", "V"});
  const Heads heads(c);
  SinkOptions options;
  options.sinks = static_cast<Index>(c.param("sinks", 0));
  options.window = static_cast<Index>(c.param("window", 0));
  options.scale = c.param("scale", 1);
  options.rotate_in_cache = c.params().at("rope") == "half_in_cache";
  options.base = c.param("base", options.base);
  const Pattern pattern = sink_pattern(static_cast<Index>(c.param("n", 0)), options);
  if (pattern.longest_row() != static_cast<Index>(c.param("max_keys", 0))) c.fail("max_keys");
  std::vector<double> lengths, queries;
  Matrix<double> positions = Matrix<double>::Constant(pattern.rows(), pattern.cols(), -1);
  for (Index i = 0; i < pattern.rows(); ++i) {
    const auto keys = pattern.row(i);
    lengths.push_back(static_cast<double>(keys.size()));
    queries.push_back(lengths.back() - 1);
    for (std::size_t at = 0; at < keys.size(); ++at) {
      positions(i, keys[at]) = static_cast<double>(at);
    }
  }
  // The heads side by side; key-value heads one for each group of query heads.
  const auto kv_heads = static_cast<Index>(c.param("kv_heads", static_cast<double>(heads.count())));
  const auto beside = [&](const char* name, Index count) {
    Matrix<T> all;
    for (Index h = 0; h < count; ++h) {
      const Matrix<T> one = heads.cut(c, name, h * heads.count() / count);
      all.conservativeResize(one.rows(), count * one.cols());
      all.middleCols(h * one.cols(), one.cols()) = one;
    }
    return all;
  };
  const auto made =
      grouped_sink_attention<T>(beside("Q", heads.count()), beside("K", kv_heads),
                                beside("V", kv_heads), heads.count(), kv_heads, options);
  std::vector<Matrix<T>> out;
  const Index width = made.output.cols() / heads.count();
  for (Index h = 0; h < heads.count(); ++h) out.push_back(made.output.middleCols(h * width, width));
  c.check("out", stacked(out));
  c.check("weights", stacked(made.weights));
  c.check("mask", flat<T>(pattern.to_matrix<T>()));
  c.check("cache_len", lengths);
  c.check("q_position", queries);
  c.check("k_position", flat<double>(positions));
}

template <typename T>
void run_mla(Case<T>& c, const Json&) {
  const auto whole = [&](const char* name) { return static_cast<Index>(c.param(name, 0)); };
  LatentAttentionWeights<T> w;
  w.heads = whole("heads");
  w.nope = whole("qk_nope_head_dim");
  w.rope = whole("qk_rope_head_dim");
  const bool latent_queries = whole("q_lora_rank") > 0;
  w.q = c.matrix(latent_queries ? "wq_b_weight" : "wq_weight");
  w.q_down = c.matrix("wq_a_weight");
  w.q_norm = c.vector("q_norm_weight");
  w.kv_down = c.matrix("wkv_a_weight");
  w.kv_norm = c.vector("kv_norm_weight");
  w.kv_up = c.matrix("wkv_b_weight");
  w.out = c.matrix("wo_weight");
  LatentAttentionOptions options;
  options.base = c.param("base", 0);
  options.epsilon = c.param("rms_eps", 0);
  options.offset = whole("offset");
  if (whole("yarn") != 0) {
    options.yarn = YarnOptions{whole("original_seq_len"), c.param("rope_factor", 0),
                               c.param("beta_fast", 0), c.param("beta_slow", 0)};
    options.magnitude = c.param("mscale", 0);
  }
  if (std::abs(latent_scale(w.nope + w.rope, options) - c.param("scale", 0)) > 1e-10) {
    c.fail("scale");
  }
  c.check("inv_freq", flat<double>(latent_speeds(w.rope, options)));
  for (const LatentForm form : {LatentForm::kNaive, LatentForm::kAbsorbed}) {
    const auto made = latent_attention<T>(c.matrix("x"), w, options, form);
    c.check("out", flat<T>(made.output));
    c.check("c_kv", flat<T>(made.latent));
    c.check("k_rope", flat<T>(made.rotated_key));
    if (made.latent.cols() + made.rotated_key.cols() != whole("cache_floats_per_token")) {
      c.fail("cache_floats_per_token");
    }
  }
  if (w.heads * (w.nope + w.rope + w.value_width()) != whole("cache_floats_per_token_mha")) {
    c.fail("cache_floats_per_token_mha");
  }
}

template <typename T>
const std::map<std::string, Topic<T>> kTopics{
    {"attention_sinks", &run_sinks<T>},
    {"hyena_longconv", &run_hyena<T>},
    {"mla", &run_mla<T>},
};

}  // namespace

template <typename T>
void run_retention_layer(Case<T>& c) {
  c.require_known(
      {"n", "embed", "value_dim", "heads", "chunk", "eps", "max_abs_diff_between_forms", "note"},
      {"x", "q_proj_weight", "k_proj_weight", "v_proj_weight", "g_proj_weight", "out_proj_weight"});
  RetentionLayerWeights<T> w;
  w.heads = static_cast<Index>(c.param("heads", 0));
  w.q = c.matrix("q_proj_weight");
  w.k = c.matrix("k_proj_weight");
  w.v = c.matrix("v_proj_weight");
  w.gate = c.matrix("g_proj_weight");
  w.out = c.matrix("out_proj_weight");
  const Matrix<T> x = c.matrix("x");
  RetentionLayerOptions options;
  options.epsilon = c.param("eps", 0);
  options.chunk = static_cast<Index>(c.param("chunk", 0));
  const auto output = [&](RetentionForm form) {
    options.form = form;
    return flat<T>(retention_layer<T>(x, w, options).output);
  };
  c.check("out_parallel", output(RetentionForm::kParallel));
  c.check("out_recurrent", output(RetentionForm::kRecurrent));
  c.check("out_chunkwise", output(RetentionForm::kChunked));
  // A state that goes on token by token.
  options.form = RetentionForm::kRecurrent;
  std::vector<Matrix<T>> states;
  std::vector<double> by_token;
  for (Index t = 0; t < x.rows(); ++t) {
    auto made = retention_layer<T>(x.row(t), w, options, t, t == 0 ? nullptr : &states);
    states = std::move(made.states);
    for (const double one : flat<T>(made.output)) by_token.push_back(one);
  }
  c.check("out_recurrent", by_token);
  std::vector<Matrix<T>> masks;
  for (Index h = 0; h < w.heads; ++h) masks.push_back(retention_decay_mask<T>(x.rows(), h));
  c.check("decay_mask", stacked(masks));
  const Vector<double> speeds = retention_speeds(w.q.rows() / w.heads);
  std::vector<double> sin, cos;
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index i = 0; i < 2 * speeds.size(); ++i) {
      sin.push_back(std::sin(static_cast<double>(t) * speeds(i / 2)));
      cos.push_back(std::cos(static_cast<double>(t) * speeds(i / 2)));
    }
  }
  c.check("sin", sin);
  c.check("cos", cos);
}

template <typename T>
void run_time_mix(Case<T>& c) {
  c.require_known({"T", "C", "note"},
                  {"x", "time_mix_k", "time_mix_v", "time_mix_r", "time_decay", "time_first",
                   "W_key", "W_value", "W_receptance", "W_output"});
  TimeMixWeights<T> w;
  w.mix_k = c.vector("time_mix_k");
  w.mix_v = c.vector("time_mix_v");
  w.mix_r = c.vector("time_mix_r");
  w.time_decay = c.vector("time_decay");
  w.time_first = c.vector("time_first");
  w.key = c.matrix("W_key");
  w.value = c.matrix("W_value");
  w.receptance = c.matrix("W_receptance");
  w.output = c.matrix("W_output");
  const auto made = time_mix<T>(c.matrix("x"), w);
  c.check("out", flat<T>(made.output));
  c.check("state_aa", flat<T>(made.state.wkv.p));
  c.check("state_bb", flat<T>(made.state.wkv.q));
  c.check("state_pp", flat<T>(made.state.wkv.o));
}

template <typename T>
void run_mamba_block(Case<T>& c) {
  c.require_known({"d_model", "L", "d_state", "expand", "dt_rank", "d_conv", "note"},
                  {"x", "A_log", "D", "in_proj_weight", "conv1d_weight", "conv1d_bias",
                   "x_proj_weight", "dt_proj_weight", "dt_proj_bias", "out_proj_weight"});
  MambaWeights<T> w;
  w.in = c.matrix("in_proj_weight");
  w.taps = taps_of(c, "conv1d_weight");
  w.taps_bias = c.vector("conv1d_bias");
  w.select = c.matrix("x_proj_weight");
  w.step = c.matrix("dt_proj_weight");
  w.step_bias = c.vector("dt_proj_bias");
  w.log_rates = c.matrix("A_log");
  w.through = c.vector("D");
  w.out = c.matrix("out_proj_weight");
  c.check("y", flat<T>(mamba_block<T>(c.matrix("x"), w).output));
}

template <typename T>
const std::map<std::string, Topic<T>>& layer_topics() {
  return kTopics<T>;
}

#define ATTN_INSTANTIATE(T)                       \
  template void run_retention_layer<T>(Case<T>&); \
  template void run_time_mix<T>(Case<T>&);        \
  template void run_mamba_block<T>(Case<T>&);     \
  template const std::map<std::string, Topic<T>>& layer_topics<T>();
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn::golden
