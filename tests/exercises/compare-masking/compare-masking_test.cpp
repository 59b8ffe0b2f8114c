// The cases come from web/exercises/compare-masking/exercise.ts.
#include "compare-masking.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("compare-masking") { exercise::check("compare-masking", compare_masking); }
