// The cases come from web/exercises/repair-the-mask/exercise.ts.
#include "repair-the-mask.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("repair-the-mask") { exercise::check("repair-the-mask", causal_attention); }
