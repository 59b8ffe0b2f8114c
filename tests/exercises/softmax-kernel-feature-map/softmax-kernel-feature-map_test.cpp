// The cases come from web/exercises/softmax-kernel-feature-map/exercise.ts.
#include "softmax-kernel-feature-map.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("softmax-kernel-feature-map") {
  exercise::check("softmax-kernel-feature-map", softmax_kernel_feature_map);
}
