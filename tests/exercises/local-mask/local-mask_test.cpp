// The cases come from web/exercises/local-mask/exercise.ts.
#include "local-mask.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("local-mask") { exercise::check("local-mask", local_mask); }
