// Bindings of attn/attention_training.hpp.

#include "attn/attention_training.hpp"
#include "convert.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

val attention_backward(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const auto made =
      attn::attention_backward<float>(qkv.Q, qkv.K, qkv.V, matrix_from(options["dO"], "dO"),
                                      attention_options_from(options), dropout_from(options));
  val result = val::object();
  result.set("dQ", matrix_to(made.dQ));
  result.set("dK", matrix_to(made.dK));
  result.set("dV", matrix_to(made.dV));
  result.set("dBias", matrix_to(made.d_bias));
  result.set("rowDots", column_to(made.row_dots));
  return result;
}

EMSCRIPTEN_BINDINGS(attn_attention_training) { bind<&attention_backward>("attentionBackward"); }

}  // namespace
}  // namespace attn::wasm
