// The cases come from web/exercises/name-a-head/exercise.ts.
#include "name-a-head.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("name-a-head") { exercise::check("name-a-head", name_a_head); }
