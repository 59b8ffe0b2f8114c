// The cases come from web/exercises/taylor-feature-map/exercise.ts.
#include "taylor-feature-map.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("taylor-feature-map") { exercise::check("taylor-feature-map", taylor_feature_map); }
