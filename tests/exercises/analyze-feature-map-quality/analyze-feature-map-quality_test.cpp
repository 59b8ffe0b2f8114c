// The cases come from web/exercises/analyze-feature-map-quality/exercise.ts.
#include "analyze-feature-map-quality.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("analyze-feature-map-quality") {
  exercise::check("analyze-feature-map-quality", analyze_feature_map_quality);
}
