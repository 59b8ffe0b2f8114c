// The cases come from web/exercises/cross-attention-module/exercise.ts.
#include "cross-attention-module.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("cross-attention-module") {
  exercise::check("cross-attention-module", cross_attention_module);
}
