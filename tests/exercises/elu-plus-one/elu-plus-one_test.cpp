// The cases come from web/exercises/elu-plus-one/exercise.ts.
#include "elu-plus-one.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("elu-plus-one") { exercise::check("elu-plus-one", elu_plus_one); }
