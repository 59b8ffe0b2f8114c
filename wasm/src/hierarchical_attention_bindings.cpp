// Bindings of attn/hierarchical_attention.hpp.

#include "attn/hierarchical_attention.hpp"
#include "convert_full.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

HierarchicalAttentionOptions hierarchical_options_from(const val& options) {
  HierarchicalAttentionOptions result;
  result.pool = optional_index(options, "pool").value_or(result.pool);
  result.window = optional_index(options, "window").value_or(result.window);
  result.causal = flag_from(options, "causal", false);
  result.scale = optional_number(options, "scale");
  return result;
}

val hierarchical_attention(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const auto made =
      attn::hierarchical_attention<float>(qkv.Q, qkv.K, qkv.V, hierarchical_options_from(options));
  val result = val::object();
  result.set("output", matrix_to(made.output));
  result.set("logSumExp", column_to(made.log_sum_exp));
  result.set("nearCells", static_cast<double>(made.near_cells));
  result.set("summaryCells", static_cast<double>(made.summary_cells));
  result.set("operations", operations_to(made.operations));
  return result;
}

val hierarchical_attention_backward(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const auto made = attn::hierarchical_attention_backward<float>(
      qkv.Q, qkv.K, qkv.V, matrix_from(options["dO"], "dO"), hierarchical_options_from(options));
  val result = val::object();
  result.set("dQ", matrix_to(made.dQ));
  result.set("dK", matrix_to(made.dK));
  result.set("dV", matrix_to(made.dV));
  result.set("nearCells", static_cast<double>(made.near_cells));
  result.set("summaryCells", static_cast<double>(made.summary_cells));
  result.set("operations", operations_to(made.operations));
  return result;
}

val hierarchical_weights_reference(val options) {
  return matrix_to(attn::hierarchical_weights_reference<float>(matrix_from(options["q"], "Q"),
                                                               matrix_from(options["k"], "K"),
                                                               hierarchical_options_from(options)));
}

EMSCRIPTEN_BINDINGS(attn_hierarchical_attention) {
  bind<&hierarchical_attention>("hierarchicalAttention");
  bind<&hierarchical_attention_backward>("hierarchicalAttentionBackward");
  bind<&hierarchical_weights_reference>("hierarchicalWeightsReference");
}

}  // namespace
}  // namespace attn::wasm
