// The cases come from web/exercises/smo-step/exercise.ts.
#include "smo-step.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("smo-step") { exercise::check("smo-step", smo); }
