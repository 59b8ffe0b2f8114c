// The cases come from web/exercises/attention-rollout/exercise.ts.
#include "attention-rollout.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("attention-rollout") { exercise::check("attention-rollout", attention_rollout); }
