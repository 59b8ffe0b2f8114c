// The cases come from web/exercises/sliding-window/exercise.ts.
#include "sliding-window.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("sliding-window") { exercise::check("sliding-window", sliding_window_attention); }
