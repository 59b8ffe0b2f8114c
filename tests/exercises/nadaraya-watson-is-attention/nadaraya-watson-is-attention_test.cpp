// The cases come from web/exercises/nadaraya-watson-is-attention/exercise.ts.
#include "nadaraya-watson-is-attention.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("nadaraya-watson-is-attention") {
  exercise::check("nadaraya-watson-is-attention", nadaraya_watson);
}
