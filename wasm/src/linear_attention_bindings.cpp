// Bindings of attn/linear_attention.hpp, and of the standard order that it is compared with.

#include <memory>

#include "attn/attention.hpp"
#include "attn/linear_attention.hpp"
#include "convert.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

std::optional<LinearState<float>> optional_state(const val& options) {
  const val given = options["state"];
  if (is_undefined(given)) return std::nullopt;
  return linear_state_from(given);
}

val linear_attention_to(const LinearAttentionResult<float>& made) {
  val result = val::object();
  result.set("output", matrix_to(made.output));
  result.set("state", linear_state_to(made.state));
  return result;
}

val linear_attention(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const FeatureMap<float> map = feature_map_from(options, qkv.Q.cols());
  const std::optional<LinearState<float>> state = optional_state(options);
  return linear_attention_to(attn::linear_attention<float>(
      qkv.Q, qkv.K, qkv.V, map, linear_attention_options_from(options), state ? &*state : nullptr));
}

using Run = LinearAttentionRun<float>;

std::shared_ptr<Run> make_linear_attention(val options) {
  const Qkv<float> qkv = qkv_from(options);
  return std::make_shared<Run>(qkv.Q, qkv.K, qkv.V, feature_map_from(options, qkv.Q.cols()),
                               linear_attention_options_from(options), optional_state(options));
}

bool step(Run& run, int rows) { return run.step(rows); }
double progress(const Run& run) { return run.progress(); }
val result(const Run& run) { return linear_attention_to(run.result()); }

val linear_attention_backward(val options) {
  if (!is_undefined(options["state"])) {
    throw ValueError("state", "given", "none: gradients start from an empty state");
  }
  const Qkv<float> qkv = qkv_from(options);
  const FeatureMap<float> map = feature_map_from(options, qkv.Q.cols());
  const auto made =
      attn::linear_attention_backward<float>(qkv.Q, qkv.K, qkv.V, matrix_from(options["dO"], "dO"),
                                             map, linear_attention_options_from(options));
  val result = val::object();
  result.set("q", matrix_to(made.dQ));
  result.set("k", matrix_to(made.dK));
  result.set("v", matrix_to(made.dV));
  return result;
}

val compute_implicit_attention(val options) {
  const Matrix<float> Q = matrix_from(options["q"], "Q"), K = matrix_from(options["k"], "K");
  const CompareOptions given = compare_options_from(options);
  return matrix_to(attn::compute_implicit_attention<float>(
      Q, K, feature_map_from(options, Q.cols()), given.mask, given.epsilon, given.denominator));
}

val denominators(val options) {
  const Matrix<float> Q = matrix_from(options["q"], "Q"), K = matrix_from(options["k"], "K");
  return column_to(attn::compute_denominators<float>(Q, K, feature_map_from(options, Q.cols()),
                                                     mask_from(options)));
}

val standard_attention_order(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const auto made = attn::standard_attention_order<float>(qkv.Q, qkv.K, qkv.V);
  val result = val::object();
  result.set("output", matrix_to(made.output));
  result.set("weights", matrix_to(made.weights));
  return result;
}

val linear_attention_order(val options) {
  const Qkv<float> qkv = qkv_from(options);
  return matrix_to(attn::linear_attention_order<float>(qkv.Q, qkv.K, qkv.V,
                                                       feature_map_from(options, qkv.Q.cols())));
}

val verify_associativity(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const auto made = attn::verify_associativity<float>(
      qkv.Q, qkv.K, qkv.V, optional_number(options, "rtol").value_or(1e-5),
      optional_number(options, "atol").value_or(1e-3));
  val result = val::object();
  result.set("standard", matrix_to(made.standard));
  result.set("linear", matrix_to(made.linear));
  result.set("kTv", matrix_to(made.k_t_v));
  result.set("maxDifference", made.max_difference);
  result.set("maxRelativeDifference", made.max_relative_difference);
  result.set("equal", made.equal);
  return result;
}

EMSCRIPTEN_BINDINGS(attn_linear_attention) {
  bind<&linear_attention>("linearAttention");
  emscripten::class_<Run>("LinearAttentionRun")
      .smart_ptr<std::shared_ptr<Run>>("LinearAttentionRunPointer")
      .function("step", &guarded<&step, Run&, int>)
      .function("progress", &guarded<&progress, const Run&>)
      .function("result", &guarded<&result, const Run&>);
  bind<&make_linear_attention>("makeLinearAttention");
  bind<&denominators>("denominators");
  bind<&linear_attention_backward>("linearAttentionBackward");
  bind<&compute_implicit_attention>("computeImplicitAttention");
  bind<&standard_attention_order>("standardAttentionOrder");
  bind<&linear_attention_order>("linearAttentionOrder");
  bind<&verify_associativity>("verifyAssociativity");
}

}  // namespace
}  // namespace attn::wasm
