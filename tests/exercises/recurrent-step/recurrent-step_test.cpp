// The cases come from web/exercises/recurrent-step/exercise.ts.
#include "recurrent-step.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("recurrent-step") { exercise::check("recurrent-step", recurrent_step); }
