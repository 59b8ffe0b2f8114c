#include "attn/attention/paged_cache.hpp"

#include <map>
#include <numeric>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("paged_cache");

namespace {

/// The rows of a sequence, kept beside the cache.
template <typename T>
struct PagedRows {
  Matrix<T> K, V;
};

template <typename T>
Matrix<T> stacked_rows(const Matrix<T>& above, const Matrix<T>& below) {
  Matrix<T> made(above.rows() + below.rows(), below.cols());
  if (above.rows() > 0) made.topRows(above.rows()) = above;
  made.bottomRows(below.rows()) = below;
  return made;
}

}  // namespace

TEST_CASE_TEMPLATE("whatever is appended, forked and freed, each sequence is a cache of its own", T,
                   float, double) {
  const Index heads = 4, kv_heads = 2, d_k = 3, d_v = 5;
  for (const Index block_size : {1, 3, 4}) {
    PagedCache<T> cache(20, block_size, kv_heads, d_k, d_v);
    std::map<Index, PagedRows<T>> rows;
    Rng rng(7);
    Index refused = 0, copied = 0;
    for (Index step = 0; step < 300; ++step) {
      const auto s = static_cast<Index>(rng.below(5)), other = static_cast<Index>(rng.below(5));
      switch (rng.below(8)) {
        case 0:
        case 1:
          if (cache.has(s) && !cache.has(other)) {
            cache.fork(s, other);
            rows[other] = rows[s];
          }
          break;
        case 2:
          if (cache.has(s)) {
            cache.release(s);
            rows.erase(s);
          }
          break;
        default: {
          const auto r = static_cast<Index>(1 + rng.below(4));
          const auto seed = static_cast<std::uint64_t>(step);
          const Matrix<T> K = random<T>(r, kv_heads * d_k, seed),
                          V = random<T>(r, kv_heads * d_v, seed + 1000);
          const auto before = cache.references();
          try {
            cache.append(s, K, V);
            PagedRows<T>& mine = rows[s];
            mine = {stacked_rows(mine.K, K), stacked_rows(mine.V, V)};
          } catch (const CapacityError& error) {
            ++refused;
            CHECK(error.argument() == "K");
            CHECK(cache.references() == before);
          }
        }
      }
      // References are the tables that hold a block, and every slot in use belongs to somebody.
      std::vector<Index> counted(20, 0);
      for (Index q = 0; q < 5; ++q) {
        const std::vector<Index> table = cache.table(q);
        for (const Index block : table) ++counted[static_cast<std::size_t>(block)];
        CHECK(cache.length(q) == (rows.contains(q) ? rows[q].K.rows() : 0));
        CHECK(static_cast<Index>(table.size()) == (cache.length(q) + block_size - 1) / block_size);
        if (!rows.contains(q)) continue;
        const Index r = std::min<Index>(2, cache.length(q));
        const Matrix<T> Q = random<T>(r, heads * d_k, 5000 + static_cast<std::uint64_t>(step));
        KvCache<T> plain(cache.length(q), kv_heads, d_k, d_v);
        plain.append(rows[q].K, rows[q].V);
        const auto wanted = plain.attend(Q, heads), made = cache.attend(q, Q, heads);
        CHECK_CLOSE(made.output, wanted.output, 0, 0);
        CHECK_CLOSE(made.weights.back(), wanted.weights.back(), 0, 0);
      }
      CHECK(cache.references() == counted);
      CHECK(cache.wasted_slots() <= 5 * (block_size - 1));
      copied = cache.blocks_copied();
    }
    CHECK(refused > 0);
    CHECK((copied > 0) == (block_size > 1));
  }
}

TEST_CASE("full blocks of the same first tokens are shared, and only those") {
  PagedCache<double> cache(10, 3, 1, 2, 2);
  const std::vector<std::int32_t> text{1, 2, 3, 4, 5, 6, 7, 8};
  const Matrix<double> K = random<double>(8, 2, 1), V = random<double>(8, 2, 2);
  cache.append(0, K, V, text);
  CHECK(cache.share_prefix(1, text) == 6);
  CHECK(cache.table(1) == std::vector<Index>{0, 1});
  CHECK(cache.references()[1] == 2);
  cache.append(1, K.bottomRows(2), V.bottomRows(2), std::span(text).last(2));
  CHECK(cache.blocks_in_use() == 4);
  const Matrix<double> Q = random<double>(1, 2, 3);
  CHECK_CLOSE(cache.attend(1, Q, 1).output, cache.attend(0, Q, 1).output, 0, 0);
  // The second block is another one where the first differs.
  const std::vector<std::int32_t> other{9, 2, 3, 4, 5, 6};
  CHECK(cache.share_prefix(2, other) == 0);
  CHECK(cache.has(2));
  // After the owner is gone the blocks live on; after the last one they do not.
  cache.release(0);
  CHECK(cache.share_prefix(3, std::span(text).first(5)) == 3);
  cache.release(1);
  cache.release(3);
  CHECK(cache.share_prefix(4, text) == 0);
  CHECK(cache.blocks_in_use() == 0);
  // Tokens that are not known make no block that is found, and end what is known of a sequence.
  cache.append(5, K.topRows(3), V.topRows(3));
  cache.append(5, K.topRows(3), V.topRows(3), std::span(text).first(3));
  CHECK(cache.share_prefix(6, text) == 0);
}

TEST_CASE("wrong arguments are named") {
  PagedCache<float> cache(2, 2, 1, 2, 2);
  const Matrix<float> x = random<float>(3, 2, 1);
  cache.append(0, x, x);
  CHECK(std::string(error_of([&] { cache.append(1, x, x); }).what()) ==
        std::string("K is 3 tokens that need 2 blocks; wanted: at most the 0 free of 2"));
  CHECK_FALSE(cache.has(1));
  CHECK(error_of([&] { cache.append(0, x, x.topRows(2)); }).argument() == "V");
  const std::vector<std::int32_t> two{1, 2};
  CHECK(error_of([&] { cache.append(0, x, x, two); }).argument() == "tokens");
  CHECK(error_of([&] { cache.fork(3, 4); }).argument() == "from");
  CHECK(error_of([&] { cache.fork(0, 0); }).argument() == "to");
  CHECK(error_of([&] { cache.share_prefix(0, two); }).argument() == "to");
  CHECK(error_of([&] { cache.release(3); }).argument() == "sequence");
  CHECK(error_of([&] { cache.attend(3, x, 1); }).argument() == "sequence");
  CHECK(error_of([&] { cache.attend(0, random<float>(4, 2, 1), 1); }).argument() == "Q");
  CHECK(error_of([&] { cache.attend(0, x, 0); }).argument() == "heads");
  CHECK(error_of([] { PagedCache<float>(0, 2, 1, 2, 2); }).argument() == "blocks");
  CHECK(error_of([] { PagedCache<float>(1 << 20, 1 << 20, 1, 2, 2); }).code() == "capacity");
  const std::vector<PagedOperation> appends{{PagedAction::kAppend, 0, 4}};
  CHECK(error_of([&] { paged_trace<float>(appends, 2, 2, 1, x, x, x.topRows(1)); }).argument() ==
        "K");
  CHECK(error_of([&] { paged_trace<float>(appends, 2, 2, 2, x, x, x.topRows(1)); }).argument() ==
        "Q");
}

TEST_SUITE_END();
