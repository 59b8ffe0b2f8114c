// The cases come from web/exercises/gradient-quantiles/exercise.ts.
#include "gradient-quantiles.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("gradient-quantiles") { exercise::check("gradient-quantiles", gradient_quantiles); }
