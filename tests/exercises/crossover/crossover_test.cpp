// The cases come from web/exercises/crossover/exercise.ts.
#include "crossover.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("crossover") { exercise::check("crossover", crossover); }
