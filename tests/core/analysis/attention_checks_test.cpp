#include "attn/analysis/attention_checks.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("attention_checks");

TEST_CASE("the variance of q·k is d_k, and of q·k/√d_k it is 1") {
  const auto all = dot_product_moments({4, 64, 256}, 4000, 1);
  for (const auto& one : all) {
    // Four standard errors.
    CHECK(std::abs(one.variance - static_cast<double>(one.d_k)) < 4 * one.variance_error);
    CHECK(one.variance_error < 0.1 * static_cast<double>(one.d_k));
    CHECK(one.scaled_variance == doctest::Approx(one.variance / static_cast<double>(one.d_k)));
    CHECK(std::abs(one.mean) < 4 * std::sqrt(one.variance / 4000));
  }
  CHECK(error_of([] { dot_product_moments({}, 10, 0); }).argument() == "d_k");
  CHECK(error_of([] { dot_product_moments({1}, 1, 0); }).argument() == "samples");
  CHECK(error_of([] { dot_product_moments({1 << 20}, 1 << 20, 0); }).argument() == "samples");
}

TEST_CASE("one head does not exceed the rank of its input, three heads do") {
  const auto made = rank_check(20, 24, 3, 3, 1);
  CHECK(made.input == 3);
  CHECK(made.weights > 3);
  CHECK(made.one_head == 3);
  CHECK(made.all_heads == 9);
  CHECK(made.output == 9);
  CHECK(error_of([] { rank_check(20, 24, 25, 3, 1); }).argument() == "input_rank");
  CHECK(error_of([] { rank_check(20, 24, 3, 5, 1); }).argument() == "heads");
}

TEST_CASE("shared keys and values: nothing is lost where heads are equal") {
  SharedHeadsOptions options;
  options.alike = 1;
  for (const auto& row : shared_heads(options)) CHECK(row.output_error < 1e-12);
  options.alike = 0;
  const auto rows = shared_heads(options);
  REQUIRE(rows.size() == 4);
  CHECK(rows.front().kv_heads == 8);
  CHECK(rows.front().output_error == 0);
  CHECK(rows.front().parameters == 4 * 64 * 64);
  CHECK(rows.back().parameters == 2 * 64 * 64 + 2 * 64 * 8);
  CHECK(rows.back().cache_bytes * 8 == rows.front().cache_bytes);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    CHECK(rows[i].output_error > rows[i - 1].output_error);
  }
  options.alike = 2;
  CHECK(error_of([&] { shared_heads(options); }).argument() == "alike");
}

TEST_CASE("under dropout rows miss one, and the mean output comes right") {
  const Matrix<double> Q = random<double>(8, 4, 1), K = random<double>(8, 4, 2),
                       V = random<double>(8, 4, 3);
  const auto made = dropout_average<double>(Q, K, V, 0.5, 1024, 1);
  Index off = 0;
  for (const double sum : made.row_sums) off += std::abs(sum - 1) > 0.01;
  CHECK(off >= 7);
  CHECK(made.draws.front() == 1);
  CHECK(made.draws.back() == 1024);
  // 1/√1024 of the first error, within a factor of three.
  CHECK(made.errors.back() < 3 * made.errors.front() / 32);
  CHECK(dropout_average<double>(Q, K, V, 0, 4, 1).errors.back() < 1e-12);
  CHECK(error_of([&] { dropout_average<double>(Q, K, V, 1, 4, 1); }).argument() == "probability");
  CHECK(error_of([&] { dropout_average<double>(Q, K, V, 0.1, 0, 1); }).argument() == "draws");
}

TEST_CASE("the shapes of a layer are those of its arrays, and its work is counted") {
  const LayerShapes eight = layer_shapes(10, 0, 512, 8), one = layer_shapes(10, 0, 512, 1);
  using Shapes = std::vector<std::vector<Index>>;
  CHECK(eight.shapes ==
        Shapes{{10, 512}, {10, 512}, {10, 64}, {10, 64}, {10, 10}, {10, 64}, {10, 512}, {10, 512}});
  CHECK(eight.parameters == 4 * 512 * 512);
  CHECK(one.parameters == eight.parameters);
  CHECK(eight.of_heads == 2 * 10 * 10 * 512);
  CHECK(one.of_heads == eight.of_heads);
  CHECK(eight.multiply_adds == eight.of_heads + 4 * 10 * 512 * 512);
  CHECK(eight.weights == 8 * 10 * 10);
  const LayerShapes cross = layer_shapes(10, 7, 64, 4);
  CHECK(cross.shapes[4] == std::vector<Index>{10, 7});
  CHECK(cross.shapes[3] == std::vector<Index>{7, 16});
  CHECK(cross.multiply_adds == 2 * 10 * 7 * 64 + 2 * (10 + 7) * 64 * 64);
  CHECK(error_of([] { layer_shapes(10, 0, 512, 7); }).argument() == "heads");
}

TEST_SUITE_END();
