// Bindings of attn/rng.hpp.

#include "attn/rng.hpp"
#include "convert.hpp"
#include "errors.hpp"

namespace attn::wasm {
namespace {

val random_projection(val options) {
  const bool fixed = choice_from(options, "norms", {"gaussian", "fixed"}) == 1;
  return matrix_to(attn::random_projection<float>(
      index_from(options, "m"), index_from(options, "d"), flag_from(options, "orthogonal", false),
      seed_from(options, "seed"), fixed ? RowNorms::kFixed : RowNorms::kGaussian));
}

EMSCRIPTEN_BINDINGS(attn_rng) { bind<&random_projection>("randomProjection"); }

}  // namespace
}  // namespace attn::wasm
