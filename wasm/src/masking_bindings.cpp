// Bindings of attn/masking.hpp.

#include "attn/masking.hpp"
#include "convert.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

val create_causal_mask(val options) {
  return matrix_to(attn::create_causal_mask<float>(index_from(options, "n")));
}

val create_reverse_mask(val options) {
  return matrix_to(attn::create_reverse_mask<float>(index_from(options, "n")));
}

val scenario_to(const MaskingScenario<float>& made) {
  val result = attention_result_to(made.attention);
  result.set("past", made.past);
  result.set("self", made.self);
  result.set("future", made.future);
  result.set("entropy", made.entropy);
  return result;
}

val compare_masking(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const MaskingComparison<float> made = attn::compare_masking<float>(qkv.Q, qkv.K, qkv.V);
  val result = val::object();
  result.set("causal", scenario_to(made.causal));
  result.set("none", scenario_to(made.none));
  result.set("reverse", scenario_to(made.reverse));
  return result;
}

EMSCRIPTEN_BINDINGS(attn_masking) {
  bind<&create_causal_mask>("createCausalMask");
  bind<&create_reverse_mask>("createReverseMask");
  bind<&compare_masking>("compareMasking");
}

}  // namespace
}  // namespace attn::wasm
