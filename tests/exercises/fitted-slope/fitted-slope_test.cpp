// The cases come from web/exercises/fitted-slope/exercise.ts.
#include "fitted-slope.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("fitted-slope") { exercise::check("fitted-slope", fitted_slope); }
