// The cases come from web/exercises/analyze-attention-patterns/exercise.ts.
#include "analyze-attention-patterns.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("analyze-attention-patterns") {
  exercise::check("analyze-attention-patterns", analyze_attention_patterns);
}
