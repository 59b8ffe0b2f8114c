// The cases come from web/exercises/split-merge-heads/exercise.ts.
#include "split-merge-heads.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("split-merge-heads") { exercise::check("split-merge-heads", split_and_merge); }
