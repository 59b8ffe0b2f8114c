// The cases come from web/exercises/ntk-two-layer/exercise.ts.
#include "ntk-two-layer.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("ntk-two-layer") { exercise::check("ntk-two-layer", ntk_two_layer); }
