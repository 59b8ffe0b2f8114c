// The cases come from web/exercises/linear-attention-order/exercise.ts.
#include "linear-attention-order.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("linear-attention-order") {
  exercise::check("linear-attention-order", linear_attention_order);
}
