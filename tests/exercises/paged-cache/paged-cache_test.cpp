// The cases come from web/exercises/paged-cache/exercise.ts.
#include "paged-cache.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("paged-cache") { exercise::check("paged-cache", paged_cache); }
