// The cases come from web/exercises/delta-rule-step/exercise.ts.
#include "delta-rule-step.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("delta-rule-step") { exercise::check("delta-rule-step", delta_rule_step); }
