// The cases come from web/exercises/kv-cache/exercise.ts.
#include "kv-cache.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("kv-cache") { exercise::check("kv-cache", kv_cache); }
