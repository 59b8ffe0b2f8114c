// Bindings of attn/sparse_attention.hpp.

#include "attn/sparse_attention.hpp"
#include "convert_full.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

Pattern pattern_for(const val& options, const Qkv<float>& qkv) {
  return pattern_from(options, {qkv.Q.rows(), qkv.K.rows(), &qkv.Q, &qkv.K});
}

SparseAttentionOptions<float> sparse_options_from(const val& options) {
  SparseAttentionOptions<float> result;
  result.scale = optional_number(options, "scale");
  result.bias = optional_matrix(options, "bias", "bias");
  if (!is_undefined(options["cellBias"])) {
    result.cell_bias = vector_from(options["cellBias"], "cell_bias");
  }
  return result;
}

val sparse_attention(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const Pattern pattern = pattern_for(options, qkv);
  const auto made = attn::sparse_attention<float>(
      qkv.Q, qkv.K, qkv.V, pattern, sparse_options_from(options), dropout_from(options));
  val result = val::object();
  result.set("output", matrix_to(made.output));
  result.set("weights", column_to(made.weights));
  result.set("logSumExp", column_to(made.log_sum_exp));
  result.set("pattern", pattern_to(pattern));
  result.set("operations", operations_to(made.operations));
  return result;
}

val sparse_attention_backward(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const SparseAttentionOptions<float> how = sparse_options_from(options);
  const auto made = attn::sparse_attention_backward<float>(
      qkv.Q, qkv.K, qkv.V, pattern_for(options, qkv), matrix_from(options["dO"], "dO"), how,
      dropout_from(options));
  val result = val::object();
  result.set("dQ", matrix_to(made.dQ));
  result.set("dK", matrix_to(made.dK));
  result.set("dV", matrix_to(made.dV));
  if (how.bias.size() + how.cell_bias.size() > 0) result.set("dBias", column_to(made.d_bias));
  result.set("operations", operations_to(made.operations));
  return result;
}

EMSCRIPTEN_BINDINGS(attn_sparse_attention) {
  bind<&sparse_attention>("sparseAttention");
  bind<&sparse_attention_backward>("sparseAttentionBackward");
}

}  // namespace
}  // namespace attn::wasm
