// The cases come from web/exercises/is-positive-semidefinite/exercise.ts.
#include "is-positive-semidefinite.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("is-positive-semidefinite") {
  exercise::check("is-positive-semidefinite", is_positive_semidefinite);
}
