// The cases come from web/exercises/attention/exercise.ts.
#include "attention.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("attention") { exercise::check("attention", attention); }
