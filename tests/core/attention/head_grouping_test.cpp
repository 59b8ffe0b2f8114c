#include "attn/attention/head_grouping.hpp"

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("head grouping");

namespace {

MultiHeadWeights<double> layer(Index heads, Index kv_heads, Index d, Index d_v) {
  return {heads,
          kv_heads,
          random<double>(heads * d, 5, 1),
          random<double>(kv_heads * d, 5, 2),
          random<double>(kv_heads * d_v, 5, 3),
          random<double>(4, heads * d_v, 4),
          random<double>(heads * d, 1, 5),
          random<double>(kv_heads * d, 1, 6),
          random<double>(kv_heads * d_v, 1, 7),
          {}};
}

}  // namespace

TEST_CASE("keys and values become the means of their groups, whatever was shared before") {
  const MultiHeadWeights<double> given = layer(8, 4, 3, 2);
  const auto made = pool_heads<double>(given, 2);
  CHECK(made.heads == 8);
  CHECK(made.kv_heads == 2);
  CHECK(made.Wq == given.Wq);
  CHECK(made.Wo == given.Wo);
  CHECK(made.bq == given.bq);
  CHECK(made.bo.size() == 0);
  for (Index g = 0; g < 2; ++g) {
    const auto mean = [&](const auto& rows, Index each) {
      return ((rows.middleRows(2 * g * each, each) + rows.middleRows((2 * g + 1) * each, each)) / 2)
          .eval();
    };
    CHECK_CLOSE(made.Wk.middleRows(3 * g, 3).eval(), mean(given.Wk, 3), 1e-14, 0);
    CHECK_CLOSE(made.Wv.middleRows(2 * g, 2).eval(), mean(given.Wv, 2), 1e-14, 0);
    CHECK_CLOSE(made.bk.middleRows(3 * g, 3).eval(), mean(given.bk, 3), 1e-14, 0);
    CHECK_CLOSE(made.bv.middleRows(2 * g, 2).eval(), mean(given.bv, 2), 1e-14, 0);
  }
  // In two steps as in one.
  CHECK_CLOSE(pool_heads<double>(made, 1).Wk, pool_heads<double>(given, 1).Wk, 1e-13, 1e-14);
  CHECK(pool_heads<double>(given, 4).Wk == given.Wk);
}

TEST_CASE("a grouped layer is compared with what it was made of") {
  const MultiHeadWeights<double> given = layer(4, 4, 3, 2);
  const Matrix<double> X = random<double>(6, 5, 9);
  const auto made = group_heads<double>(X, given, 2);
  CHECK(made.before == multi_head_attention<double>(X, given).output);
  CHECK(made.after == multi_head_attention<double>(X, made.weights).output);
  CHECK(made.relative_change ==
        doctest::Approx((made.after - made.before).norm() / made.before.norm()));
  CHECK(made.relative_change > 0.01);
  CHECK(made.cached_before == 4 * 5);
  CHECK(made.cached_after == 2 * 5);
  CHECK(made.attention.size() == 4);
  MultiHeadWeights<double> silent = given;
  silent.Wo.setZero();
  CHECK(std::isnan(group_heads<double>(X, silent, 2).relative_change));
}

TEST_CASE("groups that do not fit are refused by name") {
  const MultiHeadWeights<double> given = layer(6, 6, 2, 2);
  for (const Index kv_heads : {0, -1, 4, 12}) {
    const Error error = error_of([&] { pool_heads<double>(given, kv_heads); });
    CHECK(error.argument() == "kv_heads");
    CHECK(error.code() == "value");
  }
  MultiHeadWeights<double> odd = given;
  odd.Wo.conservativeResize(4, 11);
  CHECK(error_of([&] { pool_heads<double>(odd, 3); }).argument() == "Wo");
}

TEST_SUITE_END();
