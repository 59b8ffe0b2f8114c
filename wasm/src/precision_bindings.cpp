// Bindings of attn/precision.hpp.

#include "attn/precision.hpp"
#include "convert_full.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

Precision precision_from(const val& options) {
  const bool brain = choice_from(options, "precision", {"float16", "bfloat16"}) == 1;
  return brain ? Precision::kBfloat16 : Precision::kFloat16;
}

Int8Scale int8_scale_from(const val& options) {
  const bool whole = choice_from(options, "scales", {"row", "matrix"}) == 1;
  return whole ? Int8Scale::kMatrix : Int8Scale::kRow;
}

val error_to(const PrecisionError& error) {
  val result = val::object();
  result.set("maxAbsolute", error.max_absolute);
  result.set("relativeFrobenius", error.relative_frobenius);
  return result;
}

val precision_result_to(const PrecisionResult<float>& made) {
  val result = attention_result_to(made.attention);
  result.set("outputError", error_to(made.output_error));
  result.set("weightsError", error_to(made.weights_error));
  result.set("nonFinite", static_cast<double>(made.non_finite));
  return result;
}

val round_number(val options) {
  const double x = number_from(options, "x");
  const Precision precision = precision_from(options);
  val result = val::object();
  result.set("value", rounded(x, precision));
  result.set("bits", static_cast<double>(to_bits(x, precision)));
  return result;
}

double number_from_bits(val options) {
  const Index bits = index_from(options, "bits");
  if (bits < 0 || bits > 0xFFFF) throw ValueError("bits", std::to_string(bits), "0 to 65535");
  return from_bits(static_cast<std::uint16_t>(bits), precision_from(options));
}

val round_matrix(val options) {
  return matrix_to(rounded_matrix<float>(matrix_from(options["x"], "x"), precision_from(options)));
}

val quantize_int8(val options) {
  const QuantizedMatrix<float> made =
      attn::quantize_int8<float>(matrix_from(options["x"], "x"), int8_scale_from(options));
  val codes = val::object();
  codes.set("rows", static_cast<double>(made.codes.rows()));
  codes.set("cols", static_cast<double>(made.codes.cols()));
  codes.set("data",
            emscripten::val(emscripten::typed_memory_view(
                                static_cast<std::size_t>(made.codes.size()), made.codes.data()))
                .call<emscripten::val>("slice"));
  val result = val::object();
  result.set("codes", codes);
  result.set("scales", column_to(made.scales));
  result.set("dequantized", matrix_to(made.dequantized()));
  result.set("bytes", static_cast<double>(made.bytes()));
  return result;
}

val precision_error(val options) {
  return error_to(attn::precision_error<float>(matrix_from(options["reference"], "reference"),
                                               matrix_from(options["approximate"], "approximate")));
}

val attention_rounded(val options) {
  const Qkv<float> qkv = qkv_from(options);
  PrecisionOptions how;
  how.precision = precision_from(options);
  how.round_scores = flag_from(options, "roundScores", false);
  return precision_result_to(
      attn::attention_rounded<float>(qkv.Q, qkv.K, qkv.V, how, attention_options_from(options)));
}

val attention_int8_kv(val options) {
  const Qkv<float> qkv = qkv_from(options);
  return precision_result_to(attn::attention_int8_kv<float>(
      qkv.Q, qkv.K, qkv.V, int8_scale_from(options), attention_options_from(options)));
}

EMSCRIPTEN_BINDINGS(attn_precision) {
  bind<&round_number>("roundNumber");
  bind<&number_from_bits>("numberFromBits");
  bind<&round_matrix>("roundMatrix");
  bind<&quantize_int8>("quantizeInt8");
  bind<&precision_error>("precisionError");
  bind<&attention_rounded>("attentionRounded");
  bind<&attention_int8_kv>("attentionInt8Kv");
}

}  // namespace
}  // namespace attn::wasm
