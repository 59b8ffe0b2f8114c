// The cases come from web/exercises/memory-of-orders/exercise.ts.
#include "memory-of-orders.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("memory-of-orders") { exercise::check("memory-of-orders", memory_of_orders); }
