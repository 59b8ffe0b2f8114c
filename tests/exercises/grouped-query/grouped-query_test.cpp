// The cases come from web/exercises/grouped-query/exercise.ts.
#include "grouped-query.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("grouped-query") { exercise::check("grouped-query", grouped_query_attention); }
