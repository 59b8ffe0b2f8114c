// The cases come from web/exercises/masked-rows/exercise.ts.
#include "masked-rows.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("masked-rows") { exercise::check("masked-rows", masked_softmax); }
