// Bindings of attn/pattern.hpp.

#include "attn/pattern.hpp"
#include "convert_full.hpp"
#include "errors.hpp"
#include "registry.hpp"

namespace attn::wasm {
namespace {

val patterns() {
  val list = val::array();
  for (const PatternInfo& info : attn::patterns()) {
    val one = val::object();
    one.set("id", text_to(info.id));
    one.set("label", text_to(info.label));
    one.set("description", text_to(info.description));
    one.set("cellsTex", text_to(info.cells_tex));
    one.set("square", info.square);
    one.set("random", info.random);
    one.set("fromCells", info.from_cells);
    one.set("parameters", parameters_to(info.parameters));
    if (!info.paper.url.empty()) one.set("paper", paper_to(info.paper));
    list.push(one);
  }
  return list;
}

/// For q and k where they are given, else for n and m.
Pattern pattern_of_options(const val& options) {
  if (is_undefined(options["q"])) {
    return pattern_from(options, {index_from(options, "n"), index_from(options, "m")});
  }
  const Matrix<float> Q = matrix_from(options["q"], "Q"), K = matrix_from(options["k"], "K");
  return pattern_from(options, {Q.rows(), K.rows(), &Q, &K});
}

val make_pattern(val options) { return pattern_to(pattern_of_options(options)); }

val pattern_matrix(val options) {
  const Pattern pattern = pattern_of_options(options);
  if (is_undefined(options["values"])) return matrix_to(pattern.to_matrix<float>());
  return matrix_to(pattern.to_matrix<float>(vector_from(options["values"], "values")));
}

EMSCRIPTEN_BINDINGS(attn_pattern) {
  bind<&patterns>("patterns");
  bind<&make_pattern>("makePattern");
  bind<&pattern_matrix>("patternMatrix");
}

}  // namespace
}  // namespace attn::wasm
