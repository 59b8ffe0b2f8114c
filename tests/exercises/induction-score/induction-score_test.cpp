// The cases come from web/exercises/induction-score/exercise.ts.
#include "induction-score.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("induction-score") { exercise::check("induction-score", induction_score); }
