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

EMSCRIPTEN_BINDINGS(attn_attention) { bind<&attention>("attention"); }

}  // namespace
}  // namespace attn::wasm
