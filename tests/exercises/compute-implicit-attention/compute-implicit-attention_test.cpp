// The cases come from web/exercises/compute-implicit-attention/exercise.ts.
#include "compute-implicit-attention.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("compute-implicit-attention") {
  exercise::check("compute-implicit-attention", compute_implicit_attention);
}
