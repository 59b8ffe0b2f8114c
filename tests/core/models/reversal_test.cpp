#include "attn/models/reversal.hpp"

#include <doctest/doctest.h>

#include <set>

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
  CHECK(std::set(made.list.begin(), made.list.end()).size() == 8);
  // Steps in other portions give the same bits.
  ReversalTraining<float> again(options);
  while (!again.step(50)) {
  }
  CHECK(again.result().loss == made.loss);
  CHECK(error_of([] { ReversalTraining<float>({.vocabulary = 1}); }).argument() == "vocabulary");
  CHECK(error_of([] { ReversalTraining<float>({.heads = 5}); }).argument() == "heads");
}

TEST_CASE("a picture has every head, and their anti-diagonals have its mean") {
  ReversalOptions options;
  options.steps = 60;
  options.heads = 4;
  ReversalTraining<double> work(options);
  while (!work.step(20)) {
  }
  const ReversalFrame& last = work.result().frames.back();
  REQUIRE(last.weights.size() == 4);
  REQUIRE(last.anti_diagonals.size() == 4);
  double sum = 0;
  for (std::size_t h = 0; h < 4; ++h) {
    const Matrix<double> P = last.weights[h].cast<double>();
    double own = 0;
    for (Index t = 0; t < 8; ++t) {
      CHECK(P.row(t).sum() == doctest::Approx(1).epsilon(1e-6));
      own += P(t, 7 - t) / 8;
    }
    CHECK(last.anti_diagonals[h] == doctest::Approx(own).epsilon(1e-6));
    sum += own;
  }
  CHECK(last.anti_diagonal == doctest::Approx(sum / 4).epsilon(1e-6));
  // The heads differ, so one of them is not the mean.
  CHECK(last.anti_diagonals[0] != doctest::Approx(sum / 4).epsilon(1e-3));
}

TEST_SUITE_END();
