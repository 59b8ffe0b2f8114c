// The cases come from web/exercises/attention-backward/exercise.ts.
#include "attention-backward.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("attention-backward") { exercise::check("attention-backward", attention_backward); }
