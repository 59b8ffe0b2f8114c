// The cases come from web/exercises/masked-token-loss/exercise.ts.
#include "masked-token-loss.hpp"

#include <doctest/doctest.h>

#include "harness.hpp"

TEST_CASE("masked-token-loss") { exercise::check("masked-token-loss", masked_token_loss); }
