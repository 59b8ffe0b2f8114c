// Bindings of attn/feature_map.hpp that the first load does without.

#include "attn/feature_map.hpp"
#include "convert.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

val describe_feature_map(val options) {
  const FeatureMap<float> map = feature_map_from(options, index_from(options, "dK"));
  val result = val::object();
  result.set("dimension", static_cast<double>(map.dimension()));
  result.set("positivity", positivity_to(map.positivity()));
  result.set("streamable", map.streamable(position_from(options).length));
  return result;
}

val feature_map_backward(val options) {
  const Matrix<float> x = matrix_from(options["x"], "x");
  const FeatureMap<float> map = feature_map_from(options, x.cols());
  const Role role = choice_from(options, "role", {"query", "key"}) == 1 ? Role::kKey : Role::kQuery;
  return matrix_to(
      map.backward(x, matrix_from(options["dPhi"], "d_phi"), role, position_from(options)));
}

double redraw_seed(val options) {
  const bool given = !is_undefined(options["interval"]);
  return static_cast<double>(
      attn::redraw_seed(seed_from(options, "seed"), seed_from(options, "step"),
                        given ? seed_from(options, "interval") : kRedrawInterval));
}

EMSCRIPTEN_BINDINGS(attn_feature_map_full) {
  bind<&describe_feature_map>("describeFeatureMap");
  bind<&feature_map_backward>("featureMapBackward");
  bind<&redraw_seed>("redrawSeed");
}

}  // namespace
}  // namespace attn::wasm
