// The cases come from web/exercises/quantize-int8/exercise.ts.
#include "quantize-int8.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("quantize-int8") { exercise::check("quantize-int8", quantize_int8); }
