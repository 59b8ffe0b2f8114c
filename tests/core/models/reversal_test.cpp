#include "attn/models/reversal.hpp"

#include <doctest/doctest.h>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("reversal");

TEST_CASE("a cross-attention layer learns to say a list backwards, along the anti-diagonal") {
  ReversalOptions options;
  options.steps = 120;
  ReversalTraining<float> work(options);
  while (!work.step(7)) {
  }
  const ReversalResult& made = work.result();
  REQUIRE(made.frames.size() == 13);
  CHECK(made.loss.size() == 120);
  CHECK(made.frames.front().anti_diagonal < 0.3);
  CHECK(made.frames.back().anti_diagonal > 0.9);
  CHECK(made.accuracy.back() > 0.99);
  const std::vector<std::int32_t> backwards(made.list.rbegin(), made.list.rend());
  CHECK(made.frames.back().said == backwards);
  // Steps in other portions give the same bits.
  ReversalTraining<float> again(options);
  while (!again.step(50)) {
  }
  CHECK(again.result().loss == made.loss);
  CHECK(error_of([] { ReversalTraining<float>({.vocabulary = 1}); }).argument() == "vocabulary");
  CHECK(error_of([] { ReversalTraining<float>({.heads = 5}); }).argument() == "heads");
}

TEST_SUITE_END();
