// Bindings of attn/softmax.hpp.

#include "attn/softmax.hpp"
#include "convert_full.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

val softmax(val options) {
  const SoftmaxResult<float> made = attn::softmax<float>(vector_from(options["x"], "x"));
  val result = val::object();
  result.set("weights", column_to(made.weights));
  result.set("logSumExp", made.log_sum_exp);
  return result;
}

val softmax_jacobian(val options) {
  return matrix_to(attn::softmax_jacobian<float>(vector_from(options["p"], "p")));
}

double softmax_jacobian_norm(val options) {
  return attn::softmax_jacobian_norm<float>(vector_from(options["p"], "p"));
}

double entropy(val options) { return attn::entropy<float>(vector_from(options["p"], "p")); }

EMSCRIPTEN_BINDINGS(attn_softmax) {
  bind<&softmax>("softmax");
  bind<&softmax_jacobian>("softmaxJacobian");
  bind<&softmax_jacobian_norm>("softmaxJacobianNorm");
  bind<&entropy>("entropy");
}

}  // namespace
}  // namespace attn::wasm
