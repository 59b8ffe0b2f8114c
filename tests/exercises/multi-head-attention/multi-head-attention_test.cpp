// The cases come from web/exercises/multi-head-attention/exercise.ts.
#include "multi-head-attention.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("multi-head-attention") { exercise::check("multi-head-attention", multi_head_attention); }
