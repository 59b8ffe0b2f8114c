// The cases come from web/exercises/entropy-per-head/exercise.ts.
#include "entropy-per-head.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("entropy-per-head") { exercise::check("entropy-per-head", entropy_per_head); }
