// The cases come from web/exercises/k-nearest/exercise.ts.
#include "k-nearest.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("k-nearest") { exercise::check("k-nearest", knn_attention); }
