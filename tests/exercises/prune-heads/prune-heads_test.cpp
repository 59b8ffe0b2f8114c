// The cases come from web/exercises/prune-heads/exercise.ts.
#include "prune-heads.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("prune-heads") { exercise::check("prune-heads", prune_heads); }
