// The cases come from web/exercises/create-causal-mask/exercise.ts.
#include "create-causal-mask.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("create-causal-mask") { exercise::check("create-causal-mask", create_causal_mask); }
