// The cases come from web/exercises/random-fourier-features/exercise.ts.
#include "random-fourier-features.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("random-fourier-features") {
  exercise::check("random-fourier-features", random_fourier_features);
}
