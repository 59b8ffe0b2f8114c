// Bindings of attn/feature_map.hpp.

#include "attn/feature_map.hpp"
#include "convert.hpp"
#include "errors.hpp"
#include "registry.hpp"

namespace attn::wasm {
namespace {

val info_to(const FeatureMapInfo& info) {
  val result = val::object();
  result.set("id", text_to(info.id));
  result.set("label", text_to(info.label));
  result.set("tex", text_to(info.tex));
  result.set("positivity", positivity_to(info.positivity));
  result.set("dimensionTex", text_to(info.dimension_tex));
  result.set("kernel", text_to(info.kernel));
  result.set("note", text_to(info.note));
  result.set("random", info.random);
  result.set("positional", info.positional);
  result.set("parameters", parameters_to(info.parameters));
  result.set("paper", paper_to(info.paper));
  return result;
}

val feature_maps() {
  val list = val::array();
  for (const FeatureMapInfo& info : attn::feature_maps()) list.push(info_to(info));
  return list;
}

val apply_feature_map(val options) {
  const Matrix<float> x = matrix_from(options["x"], "x");
  const FeatureMap<float> map = feature_map_from(options, x.cols());
  const Role role = choice_from(options, "role", {"query", "key"}) == 1 ? Role::kKey : Role::kQuery;
  return matrix_to(map.apply(x, role, position_from(options)));
}

EMSCRIPTEN_BINDINGS(attn_feature_map) {
  bind<&feature_maps>("featureMaps");
  bind<&apply_feature_map>("applyFeatureMap");
}

}  // namespace
}  // namespace attn::wasm
