// The cases come from web/exercises/head-importance/exercise.ts.
#include "head-importance.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("head-importance") { exercise::check("head-importance", head_importance); }
