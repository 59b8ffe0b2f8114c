// The cases come from web/exercises/nystrom/exercise.ts.
#include "nystrom.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("nystrom") { exercise::check("nystrom", nystrom); }
