// The cases come from web/exercises/verify-associativity/exercise.ts.
#include "verify-associativity.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("verify-associativity") { exercise::check("verify-associativity", verify_associativity); }
