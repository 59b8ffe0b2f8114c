// The cases come from web/exercises/simple-feature-map/exercise.ts.
#include "simple-feature-map.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("simple-feature-map") { exercise::check("simple-feature-map", simple_feature_map); }
