// The cases come from web/exercises/memory-formula/exercise.ts.
#include "memory-formula.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("memory-formula") { exercise::check("memory-formula", memory_formula); }
