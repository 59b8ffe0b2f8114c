// The cases come from web/exercises/standard-attention-order/exercise.ts.
#include "standard-attention-order.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("standard-attention-order") {
  exercise::check("standard-attention-order", standard_attention_order);
}
