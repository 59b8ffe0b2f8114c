// The cases come from web/exercises/state-size/exercise.ts.
#include "state-size.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("state-size") { exercise::check("state-size", state_size); }
