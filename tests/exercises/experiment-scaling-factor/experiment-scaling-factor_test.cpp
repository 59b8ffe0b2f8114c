// The cases come from web/exercises/experiment-scaling-factor/exercise.ts.
#include "experiment-scaling-factor.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("experiment-scaling-factor") {
  exercise::check("experiment-scaling-factor", experiment_scaling_factor);
}
