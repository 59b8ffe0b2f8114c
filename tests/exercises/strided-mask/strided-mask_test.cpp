// The cases come from web/exercises/strided-mask/exercise.ts.
#include "strided-mask.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("strided-mask") { exercise::check("strided-mask", strided_mask); }
