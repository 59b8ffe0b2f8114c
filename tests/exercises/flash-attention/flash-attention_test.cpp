// The cases come from web/exercises/flash-attention/exercise.ts.
#include "flash-attention.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("flash-attention") { exercise::check("flash-attention", flash_attention); }
