// The cases come from web/exercises/implicit-matrix/exercise.ts.
#include "implicit-matrix.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("implicit-matrix") { exercise::check("implicit-matrix", implicit_matrix); }
