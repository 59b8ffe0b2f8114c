// The cases come from web/exercises/kernel-ridge/exercise.ts.
#include "kernel-ridge.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("kernel-ridge") { exercise::check("kernel-ridge", kernel_ridge); }
