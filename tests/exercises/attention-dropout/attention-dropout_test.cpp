// The cases come from web/exercises/attention-dropout/exercise.ts.
#include "attention-dropout.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("attention-dropout") { exercise::check("attention-dropout", attention_with_dropout); }
