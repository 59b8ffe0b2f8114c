// The cases come from web/exercises/relu-feature-map/exercise.ts.
#include "relu-feature-map.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("relu-feature-map") { exercise::check("relu-feature-map", relu_feature_map); }
