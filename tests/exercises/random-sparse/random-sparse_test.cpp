// The cases come from web/exercises/random-sparse/exercise.ts.
#include "random-sparse.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("random-sparse") { exercise::check("random-sparse", random_sparse); }
