// The cases come from web/exercises/create-reverse-mask/exercise.ts.
#include "create-reverse-mask.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("create-reverse-mask") { exercise::check("create-reverse-mask", create_reverse_mask); }
