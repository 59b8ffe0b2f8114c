// The cases come from web/exercises/cross-attention/exercise.ts.
#include "cross-attention.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("cross-attention") { exercise::check("cross-attention", cross_attention); }
