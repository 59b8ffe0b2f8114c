// The cases come from web/exercises/checkpointed-backward/exercise.ts.
#include "checkpointed-backward.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("checkpointed-backward") {
  exercise::check("checkpointed-backward", checkpointed_backward);
}
