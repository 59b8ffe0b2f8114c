// Bindings of attn/feature_map.hpp.

#include "attn/feature_map.hpp"
#include "convert.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

val text(std::string_view view) { return val(std::string(view)); }

val parameter_to(const FeatureMapParameter& parameter) {
  val result = val::object();
  result.set("name", text(parameter.name));
  result.set("label", text(parameter.label));
  result.set("description", text(parameter.description));
  result.set("defaultValue", parameter.default_value);
  result.set("min", parameter.min);
  result.set("max", parameter.max);
  result.set("integer", parameter.integer);
  return result;
}

val info_to(const FeatureMapInfo& info) {
  val result = val::object();
  result.set("id", text(info.id));
  result.set("label", text(info.label));
  result.set("tex", text(info.tex));
  result.set("positivity", positivity_to(info.positivity));
  result.set("dimensionTex", text(info.dimension_tex));
  result.set("kernel", text(info.kernel));
  result.set("note", text(info.note));
  result.set("random", info.random);
  result.set("positional", info.positional);
  val parameters = val::array();
  for (const FeatureMapParameter& parameter : info.parameters) {
    parameters.call<void>("push", parameter_to(parameter));
  }
  result.set("parameters", parameters);
  val paper = val::object();
  paper.set("title", text(info.paper.title));
  paper.set("url", text(info.paper.url));
  paper.set("where", text(info.paper.where));
  result.set("paper", paper);
  return result;
}

val feature_maps() {
  val list = val::array();
  for (const FeatureMapInfo& info : attn::feature_maps()) list.call<void>("push", info_to(info));
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
