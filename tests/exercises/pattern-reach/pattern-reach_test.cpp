// The cases come from web/exercises/pattern-reach/exercise.ts.
#include "pattern-reach.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("pattern-reach") { exercise::check("pattern-reach", pattern_reach); }
