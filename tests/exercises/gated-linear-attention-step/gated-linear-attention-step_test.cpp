// The cases come from web/exercises/gated-linear-attention-step/exercise.ts.
#include "gated-linear-attention-step.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("gated-linear-attention-step") {
  exercise::check("gated-linear-attention-step", gated_linear_attention_step);
}
