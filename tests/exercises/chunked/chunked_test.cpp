// The cases come from web/exercises/chunked/exercise.ts.
#include "chunked.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("chunked") { exercise::check("chunked", chunked_linear_attention); }
