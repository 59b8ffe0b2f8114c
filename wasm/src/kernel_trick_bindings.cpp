// Bindings of attn/kernel_trick.hpp.

#include "attn/kernel_trick.hpp"
#include "convert.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

val product_to(const OrderProduct& made) {
  val result = val::object();
  result.set("rows", static_cast<double>(made.rows));
  result.set("inner", static_cast<double>(made.inner));
  result.set("cols", static_cast<double>(made.cols));
  result.set("multiplyAdds", static_cast<double>(made.multiply_adds()));
  return result;
}

val path_to(const OrderPath& made) {
  val products = val::array();
  for (const OrderProduct& product : made.products) products.push(product_to(product));
  val between = val::object();
  between.set("rows", static_cast<double>(made.products[0].rows));
  between.set("cols", static_cast<double>(made.products[0].cols));
  between.set("numbers", static_cast<double>(made.intermediate()));
  between.set("bytes", sizeof(float) * static_cast<double>(made.intermediate()));
  val normalizer = val::object();
  normalizer.set("numbers", static_cast<double>(made.normalizer_numbers));
  normalizer.set("multiplyAdds", static_cast<double>(made.normalizer_multiply_adds));
  val result = val::object();
  result.set("products", products);
  result.set("intermediate", between);
  result.set("normalizer", normalizer);
  return result;
}

val count_to(const OrderCount& made) {
  const double standard = static_cast<double>(made.standard);
  const double linear = static_cast<double>(made.linear);
  val result = val::object();
  result.set("standard", standard);
  result.set("linear", linear);
  result.set("ratio", standard / linear);
  result.set("crossover", made.crossover);
  return result;
}

val order_costs(val options) {
  const std::uint64_t n = seed_from(options, "n"), d_k = seed_from(options, "dK");
  const OrderCosts made = attn::order_costs(
      n, is_undefined(options["m"]) ? n : seed_from(options, "m"), d_k, seed_from(options, "dV"),
      is_undefined(options["D"]) ? d_k : seed_from(options, "D"));
  val result = val::object();
  result.set("standard", path_to(made.standard));
  result.set("linear", path_to(made.linear));
  result.set("plain", count_to(made.plain));
  result.set("normalized", count_to(made.normalized));
  if (made.causal) {
    result.set("causal", count_to(*made.causal));
    result.set("causalNormalized", count_to(*made.causal_normalized));
  }
  return result;
}

val associativity_trace(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const bool linear = choice_from(options, "order", {"standard", "linear"}) == 1;
  const Index step = index_from(options, "step");
  const auto made = attn::associativity_trace<float>(
      qkv.Q, qkv.K, qkv.V, linear ? ProductOrder::kLinear : ProductOrder::kStandard, step);
  val terms = val::array();
  for (const TraceTerm<float>& term : made.terms) {
    val one = val::object();
    one.set("a", static_cast<double>(term.a));
    one.set("b", static_cast<double>(term.b));
    one.set("product", static_cast<double>(term.product));
    one.set("sum", static_cast<double>(term.sum));
    terms.push(one);
  }
  val result = val::object();
  result.set("product", matrix_to(made.product));
  result.set("output", matrix_to(made.output));
  result.set("stage", made.in_output ? val("output") : val("product"));
  result.set("row", static_cast<double>(made.row));
  result.set("col", static_cast<double>(made.col));
  result.set("inner", static_cast<double>(made.inner));
  result.set("terms", terms);
  result.set("multiplyAdds", static_cast<double>(step));
  result.set("productTotal", static_cast<double>(made.product_total));
  result.set("total", static_cast<double>(made.total));
  return result;
}

val recurrent_trace(val options) {
  const Qkv<float> qkv = qkv_from(options);
  const CompareOptions given = compare_options_from(options);
  const FeatureMap<float> map = feature_map_from(options, qkv.Q.cols());
  const auto made =
      attn::recurrent_trace<float>(qkv.Q, qkv.K, qkv.V, map, given.epsilon, given.denominator);
  val result = val::object();
  result.set("featureDimension", static_cast<double>(map.dimension()));
  result.set("phiQ", matrix_to(made.phi_q));
  result.set("phiK", matrix_to(made.phi_k));
  result.set("s", matrix_to(made.s));
  result.set("z", matrix_to(made.z));
  result.set("numerator", matrix_to(made.numerator));
  result.set("sum", column_to(made.sum));
  result.set("denominator", column_to(made.denominator));
  result.set("output", matrix_to(made.output));
  result.set("parallel", matrix_to(made.parallel));
  result.set("maxDifference", made.max_difference);
  return result;
}

EMSCRIPTEN_BINDINGS(attn_kernel_trick) {
  bind<&order_costs>("orderCosts");
  bind<&associativity_trace>("associativityTrace");
  bind<&recurrent_trace>("recurrentTrace");
}

}  // namespace
}  // namespace attn::wasm
