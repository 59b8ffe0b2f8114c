// The cases come from web/exercises/elu-feature-map/exercise.ts.
#include "elu-feature-map.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("elu-feature-map") { exercise::check("elu-feature-map", elu_feature_map); }
