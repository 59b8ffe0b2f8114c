// Bindings of attn/multi_head.hpp.

#include "attn/multi_head.hpp"
#include "convert.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

HeadsOptions<float> heads_options_from(const val& options) {
  HeadsOptions<float> result;
  result.mask = mask_from(options);
  const val window = options["window"];
  if (!is_undefined(window)) {
    result.window.left = optional_index(window, "left");
    result.window.right = optional_index(window, "right");
  }
  result.keep_keys = flags_from(options, "keepKeys");
  result.keep_heads = flags_from(options, "keepHeads");
  result.scale = optional_number(options, "scale");
  result.bias = optional_matrix(options, "bias", "bias");
  result.dropout = dropout_from(options);
  return result;
}

/// As many key-value heads as heads unless told otherwise.
Index kv_heads_from(const val& options, Index heads) {
  return optional_index(options, "kvHeads").value_or(heads);
}

MultiHeadWeights<float> weights_from(const val& options) {
  const val given = options["weights"];
  if (is_undefined(given)) throw ValueError("weights", "missing", "those of a layer");
  const Index heads = index_from(given, "heads"), kv_heads = kv_heads_from(given, heads);
  const Matrix<float> Wo = matrix_from(given["wo"], "Wo");
  const Vector<float> bo = optional_vector(given, "bo", "bo");
  if (!is_undefined(given["wIn"])) {
    return unpack_in_projection<float>(matrix_from(given["wIn"], "W_in"),
                                       optional_vector(given, "bIn", "b_in"), Wo, bo, heads,
                                       kv_heads);
  }
  MultiHeadWeights<float> w;
  w.heads = heads;
  w.kv_heads = kv_heads;
  w.Wq = matrix_from(given["wq"], "Wq");
  w.Wk = matrix_from(given["wk"], "Wk");
  w.Wv = matrix_from(given["wv"], "Wv");
  w.Wo = Wo;
  w.bq = optional_vector(given, "bq", "bq");
  w.bk = optional_vector(given, "bk", "bk");
  w.bv = optional_vector(given, "bv", "bv");
  w.bo = bo;
  return w;
}

/// Where queries, keys and values come from: keys from the queries' source and values from the
/// keys' unless given.
struct Sources {
  bool self;
  Matrix<float> X;
  std::optional<Matrix<float>> own_Yk, own_Yv;

  explicit Sources(const val& options)
      : self(is_undefined(options["yk"]) && is_undefined(options["yv"])),
        X(matrix_from(options["x"], "X")) {
    if (!is_undefined(options["yk"])) own_Yk = matrix_from(options["yk"], "Yk");
    if (!is_undefined(options["yv"])) own_Yv = matrix_from(options["yv"], "Yv");
  }
  const Matrix<float>& Yk() const { return own_Yk ? *own_Yk : X; }
  const Matrix<float>& Yv() const { return own_Yv ? *own_Yv : Yk(); }
};

val heads_to(const HeadsResult<float>& made) {
  val result = val::object();
  result.set("output", matrix_to(made.output));
  result.set("weights", list_to(made.weights));
  result.set("logSumExp", matrix_to(made.log_sum_exp));
  return result;
}

val grouped_query_attention(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const Index heads = index_from(options, "heads");
  return heads_to(attn::grouped_query_attention<float>(
      qkv.Q, qkv.K, qkv.V, heads, kv_heads_from(options, heads), heads_options_from(options)));
}

void set_if_any(val& object, Name property, const Matrix<float>& x) {
  if (x.size() > 0) object.set(property, matrix_to(x));
}

val grouped_query_attention_backward(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const Index heads = index_from(options, "heads");
  const HeadsGradients<float> made = attn::grouped_query_attention_backward<float>(
      qkv.Q, qkv.K, qkv.V, matrix_from(options["dO"], "dO"), heads, kv_heads_from(options, heads),
      heads_options_from(options));
  val result = val::object();
  result.set("dQ", matrix_to(made.dQ));
  result.set("dK", matrix_to(made.dK));
  result.set("dV", matrix_to(made.dV));
  set_if_any(result, "dBias", made.d_bias);
  return result;
}

val multi_head_attention(val options) {
  const Sources from(options);
  const MultiHeadResult<float> made = attn::multi_head_attention<float>(
      from.X, from.Yk(), from.Yv(), weights_from(options), heads_options_from(options));
  val result = val::object();
  result.set("output", matrix_to(made.output));
  result.set("heads", heads_to(made.heads));
  return result;
}

val multi_head_attention_backward(val options) {
  const Sources from(options);
  const MultiHeadWeights<float> weights = weights_from(options);
  const HeadsOptions<float> how = heads_options_from(options);
  const Matrix<float> d_output = matrix_from(options["dOutput"], "d_output");
  const MultiHeadGradients<float> made =
      from.self ? attn::multi_head_attention_backward<float>(from.X, d_output, weights, how)
                : attn::multi_head_attention_backward<float>(from.X, from.Yk(), from.Yv(), d_output,
                                                             weights, how);
  const MultiHeadWeights<float>& slopes = made.d_weights;
  val d_weights = val::object(), result = val::object();
  d_weights.set("wq", matrix_to(slopes.Wq));
  d_weights.set("wk", matrix_to(slopes.Wk));
  d_weights.set("wv", matrix_to(slopes.Wv));
  d_weights.set("wo", matrix_to(slopes.Wo));
  set_if_any(d_weights, "bq", slopes.bq);
  set_if_any(d_weights, "bk", slopes.bk);
  set_if_any(d_weights, "bv", slopes.bv);
  set_if_any(d_weights, "bo", slopes.bo);
  result.set("dX", matrix_to(made.d_X));
  set_if_any(result, "dYk", made.d_Yk);
  set_if_any(result, "dYv", made.d_Yv);
  result.set("dWeights", d_weights);
  set_if_any(result, "dBias", made.d_bias);
  return result;
}

val multi_head_linear_attention(val options) {
  if (!is_undefined(options["state"])) {
    throw ValueError("state", "given", "none: a layer starts from an empty state");
  }
  const Sources from(options);
  const MultiHeadWeights<float> weights = weights_from(options);
  require_heads(weights.Wq.rows(), weights.heads, weights.kv_heads);
  const MultiHeadLinearResult<float> made = attn::multi_head_linear_attention<float>(
      from.X, from.Yk(), from.Yv(), weights,
      feature_map_from(options, weights.Wq.rows() / weights.heads),
      linear_attention_options_from(options));
  val states = val::array();
  for (const LinearState<float>& state : made.states) {
    states.push(linear_state_to(state));
  }
  val result = val::object();
  result.set("output", matrix_to(made.output));
  result.set("heads", matrix_to(made.heads));
  result.set("states", states);
  return result;
}

val count_parameters(val options) {
  const MultiHeadParameters made =
      attn::count_parameters<float>(weights_from(options), flags_from(options, "keepHeads"));
  val result = val::object();
  result.set("query", static_cast<double>(made.query));
  result.set("key", static_cast<double>(made.key));
  result.set("value", static_cast<double>(made.value));
  result.set("output", static_cast<double>(made.output));
  result.set("total", static_cast<double>(made.total()));
  return result;
}

EMSCRIPTEN_BINDINGS(attn_multi_head) {
  bind<&grouped_query_attention>("groupedQueryAttention");
  bind<&grouped_query_attention_backward>("groupedQueryAttentionBackward");
  bind<&multi_head_attention>("multiHeadAttention");
  bind<&multi_head_attention_backward>("multiHeadAttentionBackward");
  bind<&multi_head_linear_attention>("multiHeadLinearAttention");
  bind<&count_parameters>("countParameters");
}

}  // namespace
}  // namespace attn::wasm
