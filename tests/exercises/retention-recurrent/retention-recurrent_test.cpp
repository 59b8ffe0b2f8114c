// The cases come from web/exercises/retention-recurrent/exercise.ts.
#include "retention-recurrent.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("retention-recurrent") { exercise::check("retention-recurrent", retention_recurrent); }
