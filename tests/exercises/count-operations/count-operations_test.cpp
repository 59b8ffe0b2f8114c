// The cases come from web/exercises/count-operations/exercise.ts.
#include "count-operations.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("count-operations") { exercise::check("count-operations", count_operations); }
