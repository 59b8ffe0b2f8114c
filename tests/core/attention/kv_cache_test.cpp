#include "attn/attention/kv_cache.hpp"

#include <limits>
#include <utility>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("kv_cache");

namespace {

template <typename T>
struct Tokens {
  Index heads, kv_heads;
  Matrix<T> Q, K, V;

  Tokens(Index n, Index heads_, Index kv_heads_, Index d_k, Index d_v)
      : heads(heads_),
        kv_heads(kv_heads_),
        Q(random<T>(n, heads_ * d_k, 1)),
        K(random<T>(n, kv_heads_ * d_k, 2)),
        V(random<T>(n, kv_heads_ * d_v, 3)) {}

  HeadsResult<T> all_at_once(std::optional<Index> window = {}) const {
    HeadsOptions<T> options;
    options.window.right = 0;
    if (window) options.window.left = *window - 1;
    return grouped_query_attention<T>(Q, K, V, heads, kv_heads, options);
  }
};

const std::vector<std::pair<Index, Index>> kHeads{{1, 1}, {2, 2}, {4, 2}, {3, 1}};

}  // namespace

TEST_CASE_TEMPLATE("tokens in pieces of any size give the rows of causal attention", T, float,
                   double) {
  const Index n = 13;
  for (const auto& [heads, kv_heads] : kHeads) {
    const Tokens<T> x(n, heads, kv_heads, 3, 5);
    const HeadsResult<T> wanted = x.all_at_once();
    for (const Index step : {1, 2, 5, 13}) {
      KvCache<T> cache(n, kv_heads, 3, 5);
      for (Index t = 0; t < n; t += step) {
        const Index r = std::min(step, n - t);
        const auto got =
            cache.decode(x.Q.middleRows(t, r), x.K.middleRows(t, r), x.V.middleRows(t, r), heads);
        CHECK(cache.size() == t + r);
        CHECK(got.first_position == 0);
        CHECK_CLOSE(got.output, wanted.output.middleRows(t, r), tolerance<T>(), tolerance<T>());
        for (std::size_t h = 0; h < got.weights.size(); ++h) {
          CHECK_CLOSE(got.weights[h], wanted.weights[h].block(t, 0, r, t + r), tolerance<T>(),
                      tolerance<T>());
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE(
    "a ring gives the rows of sliding-window attention, however often it wraps around", T, float,
    double) {
  const Index n = 29;
  for (const auto& [heads, kv_heads] : kHeads) {
    const Tokens<T> x(n, heads, kv_heads, 3, 4);
    for (const Index window : {1, 3, 7}) {
      const HeadsResult<T> wanted = x.all_at_once(window);
      for (const Index step : {1, 2, 4}) {
        KvCacheOptions options;
        options.window = window;
        // This is the smallest ring that still holds the keys which the first of `step` queries
        // sees.
        KvCache<T> cache(window + step - 1, kv_heads, 3, 4, options);
        for (Index t = 0; t < n; t += step) {
          const Index r = std::min(step, n - t);
          const auto got =
              cache.decode(x.Q.middleRows(t, r), x.K.middleRows(t, r), x.V.middleRows(t, r), heads);
          CHECK(cache.appended() == t + r);
          CHECK(cache.size() == std::min(t + r, cache.capacity()));
          CHECK(got.first_position == std::max<Index>(0, t + 1 - window));
          CHECK_CLOSE(got.output, wanted.output.middleRows(t, r), tolerance<T>(), tolerance<T>());
          for (std::size_t h = 0; h < got.weights.size(); ++h) {
            CHECK_CLOSE(
                got.weights[h],
                wanted.weights[h].block(t, got.first_position, r, t + r - got.first_position),
                tolerance<T>(), tolerance<T>());
          }
        }
        const Index kept = cache.size();
        CHECK_CLOSE(cache.keys(kv_heads - 1), x.K.block(n - kept, (kv_heads - 1) * 3, kept, 3), 0,
                    0);
        CHECK_CLOSE(cache.values(0), x.V.block(n - kept, 0, kept, 4), 0, 0);
      }
    }
  }
}

TEST_CASE("a ring refuses queries that should see overwritten tokens") {
  const Tokens<float> x(9, 2, 2, 3, 3);
  KvCacheOptions options;
  options.window = 4;
  KvCache<float> cache(4, 2, 3, 3, options);
  cache.append(x.K, x.V);
  CHECK_CLOSE(cache.attend(x.Q.bottomRows(1), 2).output, x.all_at_once(4).output.bottomRows(1),
              kFloat, kFloat);
  const Error error = error_of([&] { cache.attend(x.Q.bottomRows(2), 2); });
  CHECK(error.code() == "capacity");
  CHECK(error.argument() == "Q");
  CHECK(error.seen().text() == "2 queries that look back 5 tokens");
}

TEST_CASE("a full cache reports both lengths and does not change") {
  const Tokens<float> x(8, 2, 1, 3, 3);
  KvCache<float> cache(6, 1, 3, 3);
  cache.append(x.K.topRows(5), x.V.topRows(5));
  const Matrix<> before = cache.attend(x.Q.middleRows(4, 1), 2).output;
  const Error error = error_of([&] { cache.append(x.K.bottomRows(3), x.V.bottomRows(3)); });
  CHECK(error.code() == "capacity");
  CHECK(std::string(error.what()) ==
        "K is 3 tokens after 5 tokens kept: 8 together; wanted: at most 6, the capacity");
  CHECK(error_of([&] {
          cache.decode(x.Q.bottomRows(3), x.K.bottomRows(3), x.V.bottomRows(3), 2);
        }).code() == "capacity");
  CHECK(cache.size() == 5);
  CHECK_CLOSE(cache.attend(x.Q.middleRows(4, 1), 2).output, before, 0, 0);
  // The one free place is still free.
  cache.append(x.K.middleRows(5, 1), x.V.middleRows(5, 1));
  CHECK_CLOSE(cache.attend(x.Q.middleRows(5, 1), 2).output, x.all_at_once().output.middleRows(5, 1),
              kFloat, kFloat);
}

TEST_CASE("decode changes nothing when its queries are refused") {
  const Tokens<float> x(4, 2, 1, 3, 3);
  KvCache<float> cache(6, 1, 3, 3);
  cache.append(x.K.topRows(2), x.V.topRows(2));
  Matrix<> broken = x.Q.middleRows(2, 1);
  broken(0, 0) = NAN;
  const auto decode = [&](const Matrix<>& Q, Index heads) {
    return error_of([&] { cache.decode(Q, x.K.middleRows(2, 1), x.V.middleRows(2, 1), heads); });
  };
  CHECK(decode(broken, 2).code() == "value");
  CHECK(decode(x.Q.middleRows(2, 1), 3).argument() == "Q");
  CHECK(decode(random(4, 6, 1), 2).argument() == "Q");
  CHECK(error_of([&] { cache.decode(x.Q.row(2), x.K.row(2), x.V.row(2), 2, NAN); }).argument() ==
        "scale");
  CHECK(cache.size() == 2);
  CHECK_CLOSE(cache.keys(0), x.K.topRows(2), 0, 0);
}

TEST_CASE("decode changes nothing when a score overflows after the tokens were stored") {
  const Index heads = 2, d = 3;
  const Matrix<> huge = Matrix<>::Constant(2, heads * d, 1e20F);
  for (const KvStorage storage : {KvStorage::kExact, KvStorage::kBfloat16, KvStorage::kInt8}) {
    for (const bool ring : {false, true}) {
      // The ring is full and has wrapped around; two more tokens overwrite its end and its
      // beginning.
      for (const Index held : ring ? std::vector<Index>{2, 4, 9} : std::vector<Index>{3}) {
        const Tokens<float> x(held, heads, heads, d, d);
        KvCacheOptions options;
        options.storage = storage;
        if (ring) options.window = 4;
        KvCache<> cache(5, heads, d, d, options);
        cache.append(x.K, x.V);
        const KvCache<> before = cache;
        CHECK(error_of([&] { cache.decode(huge, huge, huge, heads); }).code() == "value");
        CHECK(cache.appended() == before.appended());
        for (Index g = 0; g < heads; ++g) {
          CHECK_CLOSE(cache.keys(g), before.keys(g), 0, 0);
          CHECK_CLOSE(cache.values(g), before.values(g), 0, 0);
        }
      }
    }
  }
}

TEST_CASE("after reset a cache is like new") {
  const Tokens<float> x(7, 2, 2, 3, 4);
  for (const bool ring : {false, true}) {
    KvCacheOptions options;
    if (ring) options.window = 3;
    KvCache<float> used(7, 2, 3, 4, options), fresh = used;
    used.append(random(5, 6, 8), random(5, 8, 9));
    used.reset();
    CHECK(used.size() == 0);
    CHECK(used.bytes() == 0);
    CHECK(error_of([&] { used.attend(x.Q.topRows(1), 2); }).argument() == "Q");
    for (KvCache<float>* cache : {&used, &fresh}) cache->append(x.K, x.V);
    CHECK_CLOSE(used.attend(x.Q.bottomRows(2), 2).output, fresh.attend(x.Q.bottomRows(2), 2).output,
                0, 0);
  }
}

TEST_CASE("bytes are counted exactly") {
  CHECK(kv_cache_bytes(7, 2, 3, 5) == 4 * 7 * 2 * (3 + 5));
  CHECK(kv_cache_bytes(7, 2, 3, 5, KvStorage::kExact, 8) == 8 * 7 * 2 * (3 + 5));
  CHECK(kv_cache_bytes(7, 2, 3, 5, KvStorage::kBfloat16) == 2 * 7 * 2 * (3 + 5));
  CHECK(kv_cache_bytes(7, 2, 3, 5, KvStorage::kInt8) == 7 * 2 * (3 + 5 + 2 * 4));
  CHECK(kv_cache_bytes(0, 2, 3, 5) == 0);
  CHECK(kv_cache_bytes(2097152, 64, 128, 128) == std::uint64_t{1} << 37);
  CHECK(error_of([] { kv_cache_bytes(-1, 2, 3, 5); }).argument() == "tokens");
  CHECK(error_of([] { kv_cache_bytes(7, 0, 3, 5); }).argument() == "kv_heads");
  CHECK(error_of([] { kv_cache_bytes(7, 2, 0, 5); }).argument() == "d_k");
  CHECK(error_of([] { kv_cache_bytes(7, 2, 3, 0); }).argument() == "d_v");
  const Index most = 2147483647;
  CHECK(error_of([&] { kv_cache_bytes(most, most, most, most); }).code() == "capacity");
  for (const KvStorage storage :
       {KvStorage::kExact, KvStorage::kFloat16, KvStorage::kBfloat16, KvStorage::kInt8}) {
    KvCacheOptions options;
    options.storage = storage;
    options.window = 5;
    KvCache<double> cache(6, 2, 3, 5, options);
    for (Index t = 1; t <= 9; ++t) {
      cache.append(random<double>(1, 6, 1), random<double>(1, 10, 2));
      CHECK(cache.bytes() == kv_cache_bytes(std::min<Index>(t, 6), 2, 3, 5, storage, 8));
    }
    CHECK(cache.capacity_bytes() == cache.bytes());
  }
}

TEST_CASE_TEMPLATE("storage with fewer bits returns exactly the rounded rows", T, float, double) {
  const Index n = 11;
  const Tokens<T> x(n, 4, 2, 6, 5);
  double float16_error = 0;
  for (const KvStorage storage :
       {KvStorage::kExact, KvStorage::kFloat16, KvStorage::kBfloat16, KvStorage::kInt8}) {
    KvCacheOptions options;
    options.storage = storage;
    KvCache<T> cache(n, 2, 6, 5, options);
    const auto kept = [&](const Matrix<T>& rows) -> Matrix<T> {
      if (storage == KvStorage::kFloat16) return rounded_matrix<T>(rows, Precision::kFloat16);
      if (storage == KvStorage::kBfloat16) return rounded_matrix<T>(rows, Precision::kBfloat16);
      if (storage == KvStorage::kInt8) return quantize_int8<T>(rows).dequantized();
      return rows;
    };
    cache.append(x.K.topRows(4), x.V.topRows(4));
    cache.append(x.K.bottomRows(7), x.V.bottomRows(7));
    for (Index g = 0; g < 2; ++g) {
      CHECK_CLOSE(cache.keys(g), kept(x.K.middleCols(g * 6, 6)), 0, 0);
      CHECK_CLOSE(cache.values(g), kept(x.V.middleCols(g * 5, 5)), 0, 0);
    }
    const PrecisionError error =
        precision_error<T>(x.all_at_once().output, cache.attend(x.Q, 4).output);
    if (storage == KvStorage::kExact) {
      CHECK(error.relative_frobenius < tolerance<T>());
    } else {
      // Formats with eight significant bits cost more accuracy than float16 with eleven.
      CHECK(error.relative_frobenius > float16_error);
      CHECK(error.relative_frobenius < 0.05);
      if (storage == KvStorage::kFloat16) float16_error = error.relative_frobenius;
    }
  }
}

TEST_CASE("numbers that float16 cannot hold are refused, not turned into infinity") {
  KvCacheOptions options;
  options.storage = KvStorage::kFloat16;
  KvCache<float> cache(3, 1, 2, 2, options);
  CHECK(error_of([&] {
          cache.append(Matrix<>::Constant(1, 2, 65520), Matrix<>::Zero(1, 2));
        }).argument() == "K");
  CHECK(error_of([&] {
          cache.append(Matrix<>::Zero(1, 2), Matrix<>::Constant(1, 2, -1e9F));
        }).argument() == "V");
  CHECK(cache.size() == 0);
  cache.append(Matrix<>::Constant(1, 2, 65519), Matrix<>::Zero(1, 2));
  CHECK(cache.keys(0)(0, 0) == 65504.0F);
}

TEST_CASE("arguments that do not fit are refused by name") {
  CHECK(error_of([] { KvCache<float>(0, 1, 2, 2); }).argument() == "capacity");
  CHECK(error_of([] { KvCache<float>(1, 0, 2, 2); }).argument() == "kv_heads");
  CHECK(error_of([] { KvCache<float>(1, 1, 0, 2); }).argument() == "d_k");
  CHECK(error_of([] { KvCache<float>(1, 1, 2, 0); }).argument() == "d_v");
  CHECK(error_of([] { KvCache<float>(std::numeric_limits<Index>::max(), 64, 64, 64); }).code() ==
        "capacity");
  KvCacheOptions options;
  options.window = 5;
  CHECK(error_of([&] { KvCache<float>(4, 1, 2, 2, options); }).argument() == "window");
  KvCache<float> cache(4, 2, 3, 5);
  CHECK(error_of([&] { cache.append(random(1, 5, 1), random(1, 10, 1)); }).argument() == "K");
  CHECK(error_of([&] { cache.append(random(1, 6, 1), random(2, 10, 1)); }).argument() == "V");
  CHECK(error_of([&] { cache.append(Matrix<>::Constant(1, 6, NAN), random(1, 10, 1)); }).code() ==
        "value");
  cache.append(random(2, 6, 1), random(2, 10, 1));
  CHECK(error_of([&] { cache.attend(random(1, 9, 1), 3); }).argument() == "heads");
  CHECK(error_of([&] { cache.attend(random(1, 9, 1), 4); }).argument() == "Q");
  CHECK(error_of([&] { cache.attend(random(3, 12, 1), 4); }).argument() == "Q");
  CHECK(error_of([&] { cache.keys(2); }).argument() == "kv_head");
}

TEST_SUITE_END();
