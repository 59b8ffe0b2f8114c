// The cases come from web/exercises/squared-relu-feature-map/exercise.ts.
#include "squared-relu-feature-map.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("squared-relu-feature-map") {
  exercise::check("squared-relu-feature-map", squared_relu_feature_map);
}
