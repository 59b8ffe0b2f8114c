// Bindings of attn/flash_attention.hpp.

#include "attn/flash_attention.hpp"
#include "convert_full.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

FlashOptions<float> flash_options_from(const val& options) {
  FlashOptions<float> result;
  result.mask = mask_from(options);
  result.scale = optional_number(options, "scale");
  result.bias = optional_matrix(options, "bias", "bias");
  result.query_tile = optional_index(options, "queryTile").value_or(result.query_tile);
  result.key_tile = optional_index(options, "keyTile").value_or(result.key_tile);
  result.trace = flag_from(options, "trace", false);
  result.d_bias = flag_from(options, "dBias", false);
  return result;
}

val flash_attention(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const FlashOptions<float> how = flash_options_from(options);
  const auto made = attn::flash_attention<float>(qkv.Q, qkv.K, qkv.V, how, dropout_from(options));
  val result = val::object();
  result.set("output", matrix_to(made.output));
  result.set("logSumExp", column_to(made.log_sum_exp));
  if (how.trace) {
    val trace = val::object();
    trace.set("runningMax", matrix_to(made.trace.running_max));
    trace.set("runningSum", matrix_to(made.trace.running_sum));
    result.set("trace", trace);
  }
  result.set("visitedTiles", static_cast<double>(made.visited_tiles));
  result.set("queryTiles", static_cast<double>(made.query_tiles));
  result.set("keyTiles", static_cast<double>(made.key_tiles));
  return result;
}

val flash_attention_backward(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const val given = options["forward"];
  require_object(given, "forward", "what flashAttention gave: output and logSumExp");
  FlashResult<float> forward;
  forward.output = matrix_from(given["output"], "forward.output");
  forward.log_sum_exp = vector_from(given["logSumExp"], "forward.log_sum_exp");
  const auto made = attn::flash_attention_backward<float>(
      qkv.Q, qkv.K, qkv.V, matrix_from(options["dO"], "dO"), forward, flash_options_from(options),
      dropout_from(options));
  val result = val::object();
  result.set("dQ", matrix_to(made.dQ));
  result.set("dK", matrix_to(made.dK));
  result.set("dV", matrix_to(made.dV));
  result.set("rowDots", column_to(made.row_dots));
  if (made.d_bias.size() > 0) result.set("dBias", matrix_to(made.d_bias));
  result.set("visitedTiles", static_cast<double>(made.visited_tiles));
  return result;
}

EMSCRIPTEN_BINDINGS(attn_flash_attention) {
  bind<&flash_attention>("flashAttention");
  bind<&flash_attention_backward>("flashAttentionBackward");
}

}  // namespace
}  // namespace attn::wasm
