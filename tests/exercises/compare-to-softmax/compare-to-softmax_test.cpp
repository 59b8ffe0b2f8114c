// The cases come from web/exercises/compare-to-softmax/exercise.ts.
#include "compare-to-softmax.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("compare-to-softmax") { exercise::check("compare-to-softmax", compare_to_softmax); }
