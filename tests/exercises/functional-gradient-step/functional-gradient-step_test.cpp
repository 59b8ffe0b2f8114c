// The cases come from web/exercises/functional-gradient-step/exercise.ts.
#include "functional-gradient-step.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("functional-gradient-step") {
  exercise::check("functional-gradient-step", functional_gradient_step);
}
