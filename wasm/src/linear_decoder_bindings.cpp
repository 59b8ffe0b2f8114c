// Bindings of attn/linear_decoder.hpp.

#include "attn/linear_decoder.hpp"
#include "convert.hpp"
#include "errors.hpp"
#include "handles.hpp"

namespace attn::wasm {
namespace {

using Decoder = LinearDecoder<float>;

Handles<Decoder>& decoders() {
  static Handles<Decoder> alive("LinearDecoder");
  return alive;
}

LinearDecoderSnapshot<float> snapshot_from(const val& moment) {
  return {linear_state_from(moment["state"]), index_from(moment, "position")};
}

val info_to(const Decoder& decoder) {
  val result = val::object();
  result.set("position", static_cast<double>(decoder.position()));
  result.set("featureDimension", static_cast<double>(decoder.map().dimension()));
  result.set("bytes", static_cast<double>(decoder.bytes()));
  return result;
}

val linear_decoder_make(val options) {
  return info_to(decoders().add(options, [&] {
    const LinearAttentionOptions given = linear_attention_options_from(options);
    LinearDecoderOptions how;
    how.normalize = given.normalize;
    how.epsilon = given.epsilon;
    how.denominator = given.denominator;
    how.length = given.position.length;
    std::optional<LinearDecoderSnapshot<float>> initial;
    if (!is_undefined(options["initial"])) initial = snapshot_from(options["initial"]);
    return Decoder(feature_map_from(options, index_from(options, "dK")), index_from(options, "dV"),
                   how, initial);
  }));
}

val linear_decoder_append(val options) {
  Decoder& decoder = decoders().at(options);
  decoder.append(matrix_from(options["k"], "K"), matrix_from(options["v"], "V"));
  return info_to(decoder);
}

val linear_decoder_decode(val options) {
  Decoder& decoder = decoders().at(options);
  const Qkv<float> qkv = qkv_from(options);
  return matrix_to(decoder.decode(qkv.Q, qkv.K, qkv.V));
}

val linear_decoder_reset(val options) {
  Decoder& decoder = decoders().at(options);
  decoder.reset();
  return info_to(decoder);
}

val linear_decoder_info(val options) { return info_to(decoders().at(options)); }

val linear_decoder_snapshot(val options) {
  const Decoder& decoder = decoders().at(options);
  val result = val::object();
  result.set("state", linear_state_to(decoder.state()));
  result.set("position", static_cast<double>(decoder.position()));
  return result;
}

val linear_decoder_restore(val options) {
  Decoder& decoder = decoders().at(options);
  decoder.restore(snapshot_from(options["snapshot"]));
  return info_to(decoder);
}

void linear_decoder_delete(val options) { decoders().remove(options); }

EMSCRIPTEN_BINDINGS(attn_linear_decoder) {
  bind<&linear_decoder_make>("linearDecoderMake");
  bind<&linear_decoder_append>("linearDecoderAppend");
  bind<&linear_decoder_decode>("linearDecoderDecode");
  bind<&linear_decoder_reset>("linearDecoderReset");
  bind<&linear_decoder_info>("linearDecoderInfo");
  bind<&linear_decoder_snapshot>("linearDecoderSnapshot");
  bind<&linear_decoder_restore>("linearDecoderRestore");
  bind<&linear_decoder_delete>("linearDecoderDelete");
}

}  // namespace
}  // namespace attn::wasm
