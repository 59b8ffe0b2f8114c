// The cases come from web/exercises/sink-cache/exercise.ts.
#include "sink-cache.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("sink-cache") { exercise::check("sink-cache", sink_cache); }
