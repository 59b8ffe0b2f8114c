// The cases come from web/exercises/selective-scan/exercise.ts.
#include "selective-scan.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("selective-scan") { exercise::check("selective-scan", selective_scan); }
