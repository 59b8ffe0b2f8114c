// Bindings of attn/attention_training.hpp.

#include "attn/attention_training.hpp"
#include "convert_full.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

val dropout_keep(val options) {
  return matrix_to(attn::dropout_keep<float>(index_from(options, "n"), index_from(options, "m"),
                                             dropout_from(options)));
}

val attention_with_dropout(val options) {
  const Qkv<float> qkv = qkv_from(options);
  return attention_result_to(attn::attention<float>(
      qkv.Q, qkv.K, qkv.V, attention_options_from(options), dropout_from(options)));
}

val attention_backward(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const Matrix<float> dO = matrix_from(options["dO"], "dO");
  const AttentionOptions<float> how = attention_options_from(options);
  const Dropout<float> dropout = dropout_from(options);
  const val given = options["forward"];
  if (is_undefined(given)) {
    return gradients_to(attn::attention_backward<float>(qkv.Q, qkv.K, qkv.V, dO, how, dropout));
  }
  AttentionResult<float> forward;
  forward.output = matrix_from(given["output"], "forward.output");
  forward.weights = matrix_from(given["weights"], "forward.weights");
  return gradients_to(
      attn::attention_backward_from<float>(forward, qkv.Q, qkv.K, qkv.V, dO, how, dropout));
}

EMSCRIPTEN_BINDINGS(attn_attention_training) {
  bind<&dropout_keep>("dropoutKeep");
  bind<&attention_with_dropout>("attentionWithDropout");
  bind<&attention_backward>("attentionBackward");
}

}  // namespace
}  // namespace attn::wasm
