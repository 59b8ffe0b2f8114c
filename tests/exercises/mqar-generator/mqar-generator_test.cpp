// The cases come from web/exercises/mqar-generator/exercise.ts.
#include "mqar-generator.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("mqar-generator") { exercise::check("mqar-generator", mqar_generator); }
