// The cases come from web/exercises/online-softmax/exercise.ts.
#include "online-softmax.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("online-softmax") { exercise::check("online-softmax", online_softmax_attention); }
