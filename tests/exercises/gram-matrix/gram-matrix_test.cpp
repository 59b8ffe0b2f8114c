// The cases come from web/exercises/gram-matrix/exercise.ts.
#include "gram-matrix.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("gram-matrix") { exercise::check("gram-matrix", gram_matrix); }
