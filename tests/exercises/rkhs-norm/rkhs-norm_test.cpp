// The cases come from web/exercises/rkhs-norm/exercise.ts.
#include "rkhs-norm.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("rkhs-norm") { exercise::check("rkhs-norm", rkhs_norm); }
