// The cases come from web/exercises/kv-cache-step/exercise.ts.
#include "kv-cache-step.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("kv-cache-step") { exercise::check("kv-cache-step", kv_cache_step); }
