// The cases come from web/exercises/svm-decision/exercise.ts.
#include "svm-decision.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("svm-decision") { exercise::check("svm-decision", svm_decision); }
