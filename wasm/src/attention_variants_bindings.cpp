// Bindings of attn/attention_variants.hpp.

#include "attn/attention_variants.hpp"
#include "convert_full.hpp"
#include "errors.hpp"
#include "registry.hpp"

namespace attn::wasm {
namespace {

val attention_variants() {
  val list = val::array();
  for (const AttentionVariantInfo& info : attn::attention_variants()) {
    val one = val::object();
    one.set("id", text_to(info.id));
    one.set("label", text_to(info.label));
    one.set("breaks", text_to(info.breaks));
    one.set("foundIn", text_to(info.found_in));
    list.push(one);
  }
  return list;
}

val attention_variant(val options) {
  const AttentionVariant variant = attention_variant_from_id(text_from(options, "variant"));
  const Qkv<float> qkv = qkv_from(options);
  return attention_result_to(attn::attention_variant<float>(variant, qkv.Q, qkv.K, qkv.V,
                                                            attention_options_from(options)));
}

val additive_mask_backward(val options) {
  const Qkv<float> qkv = qkv_from(options);
  return gradients_to(attn::additive_mask_backward<float>(
      qkv.Q, qkv.K, qkv.V, matrix_from(options["dO"], "dO"), attention_options_from(options)));
}

EMSCRIPTEN_BINDINGS(attn_attention_variants) {
  bind<&attention_variants>("attentionVariants");
  bind<&attention_variant>("attentionVariant");
  bind<&additive_mask_backward>("additiveMaskBackward");
}

}  // namespace
}  // namespace attn::wasm
