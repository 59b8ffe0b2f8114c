// Bindings of attn/attention.hpp.

#include "attn/attention.hpp"
#include "convert.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

val attention(val options) {
  const Qkv<float> qkv = qkv_from(options);
  return attention_result_to(
      attn::attention<float>(qkv.Q, qkv.K, qkv.V, attention_options_from(options)));
}

val standard_attention_order(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const auto made = attn::standard_attention_order<float>(qkv.Q, qkv.K, qkv.V);
  val result = val::object();
  result.set("output", matrix_to(made.output));
  result.set("weights", matrix_to(made.weights));
  return result;
}

EMSCRIPTEN_BINDINGS(attn_attention) {
  bind<&attention>("attention");
  bind<&standard_attention_order>("standardAttentionOrder");
}

}  // namespace
}  // namespace attn::wasm
