// The cases come from web/exercises/multi-query/exercise.ts.
#include "multi-query.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("multi-query") { exercise::check("multi-query", multi_query_attention); }
