// The cases come from web/exercises/ring-buffer/exercise.ts.
#include "ring-buffer.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("ring-buffer") { exercise::check("ring-buffer", ring_buffer); }
