// The cases come from web/exercises/stable-softmax/exercise.ts.
#include "stable-softmax.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("stable-softmax") { exercise::check("stable-softmax", stable_softmax); }
