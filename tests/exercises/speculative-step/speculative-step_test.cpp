// The cases come from web/exercises/speculative-step/exercise.ts.
#include "speculative-step.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("speculative-step") { exercise::check("speculative-step", speculative_step); }
