#include "attn/mixers/attention_sinks.hpp"

#include "attn/attention/attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("attention_sinks");

/// Central differences with a step of 1e-5 are off by some 1e-9 here.
constexpr double kSinksOff = 1e-7;

TEST_CASE_TEMPLATE("it is dense attention under the pattern's mask", T, float, double) {
  const Matrix<T> Q = random<T>(11, 4, 1), K = random<T>(11, 4, 2), V = random<T>(11, 3, 3);
  for (const Index sinks : {0, 1, 3}) {
    for (const Index window : {1, 2, 5, 20}) {
      CAPTURE(sinks);
      CAPTURE(window);
      const SinkOptions options{.sinks = sinks, .window = window};
      AttentionOptions<T> dense;
      dense.mask = sink_pattern(11, options).to_mask();
      const auto wanted = attention<T>(Q, K, V, dense);
      const auto got = sink_attention<T>(Q, K, V, options);
      CHECK_CLOSE(got.output, wanted.output, tolerance<T>(), tolerance<T>());
      CHECK_CLOSE(got.weights, wanted.weights, tolerance<T>(), tolerance<T>());
      CHECK(sink_pattern(11, options).longest_row() == std::min<Index>(11, sinks + window));
    }
  }
}

TEST_CASE("gradients are the slopes of the loss, turned in the cache or not") {
  Matrix<double> Q = random<double>(9, 4, 1), K = random<double>(9, 4, 2),
                 V = random<double>(9, 3, 3);
  const Matrix<double> dO = random<double>(9, 3, 4);
  for (const bool turned : {false, true}) {
    CAPTURE(turned);
    const SinkOptions options{.sinks = 2, .window = 3, .rotate_in_cache = turned, .base = 10};
    const auto loss = [&] {
      return sink_attention<double>(Q, K, V, options).output.cwiseProduct(dO).sum();
    };
    const auto back = sink_attention_backward<double>(Q, K, V, dO, options);
    CHECK_CLOSE(back.dQ, central_differences(Q, loss), kSinksOff, kSinksOff);
    CHECK_CLOSE(back.dK, central_differences(K, loss), kSinksOff, kSinksOff);
    CHECK_CLOSE(back.dV, central_differences(V, loss), kSinksOff, kSinksOff);
  }
}

TEST_CASE("refuses what does not fit") {
  const Matrix<float> X = random<float>(3, 3, 1);
  CHECK_THROWS_AS(sink_attention<float>(X, X, X, {.sinks = -1}), ValueError);
  CHECK_THROWS_AS(sink_attention<float>(X, X, X, {.window = 0}), ValueError);
  CHECK_THROWS_AS(sink_attention<float>(X, X, X, {.rotate_in_cache = true}), ValueError);
  CHECK_THROWS_AS(sink_attention<float>(X, X.topRows(2), X, {}), ShapeError);
}

TEST_SUITE_END();
