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

TEST_CASE_TEMPLATE("heads that share keys and values are heads with copies of them", T, float,
                   double) {
  const Index n = 9, heads = 6, kv_heads = 2, d = 4, d_v = 3;
  const Matrix<T> Q = random<T>(n, heads * d, 1), K = random<T>(n, kv_heads * d, 2),
                  V = random<T>(n, kv_heads * d_v, 3);
  for (const bool rotate : {false, true}) {
    const SinkOptions options{.sinks = 1, .window = 3, .rotate_in_cache = rotate};
    const auto made = grouped_sink_attention<T>(Q, K, V, heads, kv_heads, options);
    REQUIRE(made.weights.size() == 6);
    for (Index h = 0; h < heads; ++h) {
      const Index g = h / 3;
      const auto wanted = sink_attention<T>(Q.middleCols(h * d, d), K.middleCols(g * d, d),
                                            V.middleCols(g * d_v, d_v), options);
      CHECK_CLOSE(made.output.middleCols(h * d_v, d_v), wanted.output, 0, 0);
      CHECK_CLOSE(made.weights[static_cast<std::size_t>(h)], wanted.weights, 0, 0);
    }
  }
  CHECK(error_of([&] { grouped_sink_attention<T>(Q, K, V, 5, 2); }).argument() == "heads");
  CHECK(error_of([&] { grouped_sink_attention<T>(Q, K, V, 6, 0); }).argument() == "kv_heads");
  CHECK(error_of([&] { grouped_sink_attention<T>(Q, K, V, 24, 3); }).argument() == "K");
}

TEST_SUITE_END();
