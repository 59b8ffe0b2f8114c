// Bindings of attn/inputs.hpp.

#include "attn/inputs.hpp"
#include "convert.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

val qkv_to(const Qkv<float>& qkv) {
  val result = val::object();
  result.set("q", matrix_to(qkv.Q));
  result.set("k", matrix_to(qkv.K));
  result.set("v", matrix_to(qkv.V));
  return result;
}

val gaussian_qkv(val options) {
  return qkv_to(attn::gaussian_qkv<float>(index_from(options, "n"), index_from(options, "dK"),
                                          index_from(options, "dV"), seed_from(options, "seed")));
}

val text_qkv(val options) {
  const val text = options["text"];
  if (!text.isString()) throw ValueError("text", text.typeOf().as<std::string>(), "a string");
  const TextQkv<float> made = attn::text_qkv<float>(
      text.as<std::string>(), index_from(options, "dK"), index_from(options, "dV"),
      seed_from(options, "seed"), index_from(options, "maxTokens"));
  val result = qkv_to(made);
  val tokens = val::array();
  for (const std::string& token : made.tokens) {
    tokens.push(val::text(token));
  }
  result.set("tokens", tokens);
  return result;
}

EMSCRIPTEN_BINDINGS(attn_inputs) {
  bind<&gaussian_qkv>("gaussianQkv");
  bind<&text_qkv>("textQkv");
}

}  // namespace
}  // namespace attn::wasm
