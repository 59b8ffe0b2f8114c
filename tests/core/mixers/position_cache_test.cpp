#include "attn/mixers/position_cache.hpp"

#include "attn/attention/attention.hpp"
#include "attn/mixers/attention_sinks.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("position_cache");

namespace {

const std::vector<CachePositions> kEveryKind{CachePositions::kNone, CachePositions::kRotaryInText,
                                             CachePositions::kRotaryByPlace,
                                             CachePositions::kAlibi};

}  // namespace

TEST_CASE_TEMPLATE("rows of causal attention with the same positions, however many at a time", T,
                   float, double) {
  const Index n = 11, heads = 4, kv_heads = 2, d_k = 4, d_v = 3;
  const Matrix<T> Q = random<T>(n, heads * d_k, 1), K = random<T>(n, kv_heads * d_k, 2),
                  V = random<T>(n, kv_heads * d_v, 3);
  for (const CachePositions kind : kEveryKind) {
    for (const Index first : {0, 1000}) {
      for (const std::optional<Index> window :
           std::vector<std::optional<Index>>{std::nullopt, 1, 4, 50}) {
        PositionCacheOptions options;
        options.positions = kind;
        options.first_position = first;
        options.window = window;
        options.rotary.pairs = RotaryPairs::kInterleaved;
        Matrix<T> wanted(n, heads * d_v);
        for (Index h = 0; h < heads; ++h) {
          Matrix<T> q = Q.middleCols(h * d_k, d_k), k = K.middleCols(h / 2 * d_k, d_k);
          AttentionOptions<T> each;
          KeyWindow band;
          band.right = 0;
          if (window) band.left = *window - 1;
          each.mask = Mask::window(band);
          if (kind == CachePositions::kAlibi) {
            const auto slope = static_cast<double>(alibi_slopes<T>(heads)(h));
            each.bias = alibi_bias<T>(n, slope);
          } else if (kind != CachePositions::kNone) {
            // Without sinks only the oldest is evicted, and turning by place is the same.
            q = rotate<T>(q, first, options.rotary);
            k = rotate<T>(k, first, options.rotary);
          }
          wanted.middleCols(h * d_v, d_v) =
              attention<T>(q, k, V.middleCols(h / 2 * d_v, d_v), each).output;
        }
        for (const Index step : {1, 4, 11}) {
          PositionCache<T> cache(heads, kv_heads, d_k, d_v, options);
          Matrix<T> made(n, heads * d_v);
          for (Index t = 0; t < n; t += step) {
            const Index r = std::min(step, n - t);
            made.middleRows(t, r) =
                cache.decode(Q.middleRows(t, r), K.middleRows(t, r), V.middleRows(t, r)).output;
          }
          // Float32 angles at position 1000 are off by half a unit in its last place.
          const double allowed = 20 * tolerance<T>();
          CHECK_CLOSE(made, wanted, allowed, allowed);
          CHECK(cache.next_position() == first + n);
          CHECK(cache.size() == std::min(n, window.value_or(n)));
          CHECK(cache.bytes() ==
                static_cast<std::size_t>(cache.size() * kv_heads * (d_k + d_v)) * sizeof(T));
        }
      }
    }
  }
}

TEST_CASE("with sinks, turning by place is `sink_attention`, and turning in the text is another") {
  const Index n = 15, d = 4;
  const Matrix<double> Q = random<double>(n, d, 1), K = random<double>(n, d, 2),
                       V = random<double>(n, d, 3);
  SinkOptions sinks{2, 5, {}, true, 10000};
  const Matrix<double> wanted = sink_attention<double>(Q, K, V, sinks).output;
  PositionCacheOptions options;
  options.sinks = 2;
  options.window = 5;
  Matrix<double> made(n, d), in_text(n, d);
  options.positions = CachePositions::kRotaryByPlace;
  PositionCache<double> by_place(1, 1, d, d, options);
  options.positions = CachePositions::kRotaryInText;
  PositionCache<double> turned(1, 1, d, d, options);
  for (Index t = 0; t < n; ++t) {
    made.row(t) = by_place.decode(Q.row(t), K.row(t), V.row(t)).output;
    in_text.row(t) = turned.decode(Q.row(t), K.row(t), V.row(t)).output;
    CHECK(by_place.size() == std::min<Index>(t + 1, 7));
    // Until something is evicted, places are positions.
    const double apart = (made.row(t) - in_text.row(t)).norm();
    if (t < 7) CHECK(apart < 1e-12);
    if (t > 8) CHECK(apart > 1e-6);
  }
  CHECK_CLOSE(made, wanted, kDouble, kDouble);
  CHECK(by_place.slot_positions() == std::vector<Index>{0, 1, 12, 13, 14, 10, 11});
}

TEST_CASE("what was appended before is seen, and weights say whom a query sees") {
  const Matrix<double> x = random<double>(6, 2, 1);
  PositionCacheOptions options;
  options.window = 3;
  options.first_position = 10;
  PositionCache<double> cache(1, 1, 2, 2, options);
  cache.append(x.topRows(1), x.topRows(1));
  const auto made = cache.decode(x.middleRows(1, 2), x.middleRows(1, 2), x.middleRows(1, 2));
  Matrix<double> positions(2, 3);
  positions << 10, 11, -1, 10, 11, 12;
  CHECK_CLOSE(made.positions, positions, 0, 0);
  CHECK(made.weights[0](0, 2) == 0);
  CHECK(made.weights[0].row(0).sum() == doctest::Approx(1));
}

TEST_CASE("scores after eviction are those of the cache, beside those of one that keeps all") {
  const Index n = 20, d = 8;
  const Matrix<double> Q = random<double>(n, d, 1), K = random<double>(n, d, 2);
  const Matrix<double> V = Matrix<double>::Ones(n, 1);
  for (const CachePositions kind : kEveryKind) {
    for (const Index sinks : {0, 3}) {
      PositionCacheOptions options;
      options.positions = kind;
      options.sinks = sinks;
      options.window = 6;
      options.first_position = 40;
      const Matrix<double> query = Q.bottomRows(1);
      const auto made = evicted_scores<double>(query, K, options);
      PositionCache<double> cache(1, 1, d, 1, options);
      const auto decoded = cache.decode(Q, K, V);
      const Index count = 6 + sinks;
      REQUIRE(made.kept.size() == count);
      const auto softmax = [](const Vector<double>& x) {
        const Vector<double> exps = (x.array() - x.maxCoeff()).exp();
        return Vector<double>(exps / exps.sum());
      };
      CHECK_CLOSE(Matrix<double>(softmax(made.kept).transpose()), decoded.weights[0].bottomRows(1),
                  kDouble, kDouble);
      options.window = std::nullopt;
      PositionCache<double> everything(1, 1, d, 1, options);
      const auto all = everything.decode(Q, K, V);
      Vector<double> whole(count);
      for (Index j = 0; j < count; ++j) {
        const auto at = static_cast<double>(made.positions[static_cast<std::size_t>(j)]);
        CHECK(at == decoded.positions(n - 1, j));
        whole(j) = all.weights[0](n - 1, static_cast<Index>(at) - 40);
      }
      CHECK_CLOSE(Matrix<double>(softmax(made.whole).transpose()),
                  Matrix<double>(whole.transpose() / whole.sum()), kDouble, kDouble);
      // Only sinks that are brought nearer have other scores; the window never has.
      const bool moves = kind == CachePositions::kRotaryByPlace && sinks > 0;
      CHECK((made.largest_difference > 1e-3) == moves);
      CHECK((made.moved > 1e-4) == moves);
      CHECK((made.kept - made.whole).tail(6).cwiseAbs().maxCoeff() < 1e-12);
    }
  }
}

TEST_CASE("a query that counts the kept tokens is misplaced, which only rotary notices") {
  const Index n = 20, d = 8;
  const Matrix<double> q = random<double>(1, d, 1), K = random<double>(n, d, 2);
  PositionCacheOptions options;
  options.window = 6;
  options.positions = CachePositions::kRotaryInText;
  CHECK(evicted_scores<double>(q, K, options, true).moved > 1e-3);
  options.positions = CachePositions::kAlibi;
  const auto alibi = evicted_scores<double>(q, K, options, true);
  // 14 tokens are gone, each of a slope of 2^(−8).
  CHECK(alibi.largest_difference == doctest::Approx(14 / 256.0));
  CHECK(alibi.moved < 1e-12);
  options.window = std::nullopt;
  options.positions = CachePositions::kRotaryInText;
  CHECK(evicted_scores<double>(q, K, options, true).largest_difference == 0);
  CHECK(error_of([&] { evicted_scores<double>(q, Matrix<double>(0, d)); }).argument() == "K");
  CHECK(error_of([&] { evicted_scores<double>(q.leftCols(2), K); }).argument() == "Q");
  options.window = 0;
  CHECK(error_of([&] { evicted_scores<double>(q, K, options); }).argument() == "window");
}

TEST_CASE("wrong arguments are named") {
  const auto failure = [](Index heads, Index kv_heads, auto change) {
    PositionCacheOptions options;
    change(options);
    return error_of([&] { PositionCache<float>(heads, kv_heads, 3, 2, options); });
  };
  const auto nothing = [](auto&) {};
  CHECK(failure(0, 1, nothing).argument() == "heads");
  CHECK(failure(3, 2, nothing).argument() == "kv_heads");
  CHECK(failure(2, 1, [](auto& o) { o.window = 0; }).argument() == "window");
  CHECK(failure(2, 1, [](auto& o) { o.sinks = -1; }).argument() == "sinks");
  CHECK(failure(2, 1, [](auto& o) { o.first_position = -1; }).argument() == "first_position");
  CHECK(failure(2, 1, [](auto& o) { o.positions = CachePositions::kRotaryInText; }).code() ==
        "value");
  PositionCache<float> cache(2, 1, 2, 2);
  const Matrix<float> x = random<float>(2, 2, 1);
  CHECK(error_of([&] { cache.append(x, random<float>(2, 3, 1)); }).argument() == "V");
  CHECK(error_of([&] { cache.decode(x, x, x); }).argument() == "Q");
  CHECK(cache.size() == 0);
}

TEST_SUITE_END();
