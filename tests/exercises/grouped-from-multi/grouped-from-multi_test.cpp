// The cases come from web/exercises/grouped-from-multi/exercise.ts.
#include "grouped-from-multi.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("grouped-from-multi") { exercise::check("grouped-from-multi", grouped_from_multi); }
