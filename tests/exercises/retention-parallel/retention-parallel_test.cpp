// The cases come from web/exercises/retention-parallel/exercise.ts.
#include "retention-parallel.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("retention-parallel") { exercise::check("retention-parallel", retention_parallel); }
