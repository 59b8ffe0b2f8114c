// The cases come from web/exercises/wkv-stable/exercise.ts.
#include "wkv-stable.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("wkv-stable") { exercise::check("wkv-stable", wkv_stable); }
