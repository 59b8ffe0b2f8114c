// Bindings of attn/sparse_attention.hpp.

#include "attn/sparse_attention.hpp"
#include "convert_full.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

Pattern pattern_for(const val& options, const Qkv<float>& qkv) {
  return pattern_from(options, {qkv.Q.rows(), qkv.K.rows(), &qkv.Q, &qkv.K});
}

SparseAttentionOptions sparse_options_from(const val& options) {
  SparseAttentionOptions result;
  result.scale = optional_number(options, "scale");
  return result;
}

val sparse_attention(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const Pattern pattern = pattern_for(options, qkv);
  const auto made =
      attn::sparse_attention<float>(qkv.Q, qkv.K, qkv.V, pattern, sparse_options_from(options));
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
  const auto made = attn::sparse_attention_backward<float>(
      qkv.Q, qkv.K, qkv.V, pattern_for(options, qkv), matrix_from(options["dO"], "dO"),
      sparse_options_from(options));
  val result = val::object();
  result.set("dQ", matrix_to(made.dQ));
  result.set("dK", matrix_to(made.dK));
  result.set("dV", matrix_to(made.dV));
  result.set("operations", operations_to(made.operations));
  return result;
}

EMSCRIPTEN_BINDINGS(attn_sparse_attention) {
  bind<&sparse_attention>("sparseAttention");
  bind<&sparse_attention_backward>("sparseAttentionBackward");
}

}  // namespace
}  // namespace attn::wasm
