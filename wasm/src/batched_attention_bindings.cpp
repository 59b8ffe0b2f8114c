// Bindings of attn/batched_attention.hpp.

#include "attn/batched_attention.hpp"
#include "convert_full.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

struct Stacks {
  Stack<float> Q, K, V;
};

Stacks stacks_from(const val& options) {
  return {stack_from(options["q"], "Q"), stack_from(options["k"], "K"),
          stack_from(options["v"], "V")};
}

BatchedAttentionOptions<float> batched_options_from(const val& options) {
  BatchedAttentionOptions<float> result;
  result.attention = attention_options_from(options);
  const val masks = options["batchMasks"];
  if (!is_undefined(masks)) {
    if (!masks.isArray()) {
      throw ValueError("batch_masks", type_text(masks), "a list of masks");
    }
    const unsigned count = masks["length"].as<unsigned>();
    for (unsigned i = 0; i < count; ++i) result.batch_masks.push_back(mask_of(masks[i]));
  }
  result.dropout = dropout_from(options);
  result.weights = flag_from(options, "weights", true);
  return result;
}

val batched_attention(val options) {
  const Stacks given = stacks_from(options);
  const auto made =
      attn::attention<float>(given.Q, given.K, given.V, batched_options_from(options));
  val result = val::object();
  result.set("output", stack_to(made.output));
  if (made.weights.size() > 0) result.set("weights", stack_to(made.weights));
  result.set("logSumExp", stack_to(made.log_sum_exp));
  return result;
}

val batched_attention_backward(val options) {
  const Stacks given = stacks_from(options);
  const auto made = attn::attention_backward<float>(
      given.Q, given.K, given.V, stack_from(options["dO"], "dO"), batched_options_from(options));
  val result = val::object();
  result.set("dQ", stack_to(made.dQ));
  result.set("dK", stack_to(made.dK));
  result.set("dV", stack_to(made.dV));
  if (made.d_bias.size() > 0) result.set("dBias", matrix_to(made.d_bias));
  return result;
}

EMSCRIPTEN_BINDINGS(attn_batched_attention) {
  bind<&batched_attention>("batchedAttention");
  bind<&batched_attention_backward>("batchedAttentionBackward");
}

}  // namespace
}  // namespace attn::wasm
