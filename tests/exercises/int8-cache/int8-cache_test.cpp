// The cases come from web/exercises/int8-cache/exercise.ts.
#include "int8-cache.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("int8-cache") { exercise::check("int8-cache", int8_cache); }
