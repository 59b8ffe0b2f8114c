// The cases come from web/exercises/sparse-attention-gather/exercise.ts.
#include "sparse-attention-gather.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("sparse-attention-gather") {
  exercise::check("sparse-attention-gather", sparse_attention_gather);
}
