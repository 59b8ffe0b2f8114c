#include "attn/heads/merged_attention.hpp"

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("merged attention");

TEST_CASE("weights to a word are added, weights from it are averaged") {
  Matrix<double> A(3, 3);
  A << 0.5, 0.3, 0.2, 0.1, 0.6, 0.3, 0.25, 0.25, 0.5;
  const std::vector<Matrix<double>> heads{A};
  // Tokens 1 and 2 are one word.
  const auto made = merge_attention<double>(heads, {0, 1, 1}, {0, 1, 1});
  REQUIRE(made.weights.size() == 1);
  Matrix<double> wanted(2, 2);
  wanted << 0.5, 0.5, 0.175, 0.825;
  CHECK_CLOSE(made.weights[0], wanted, 1e-15, 0);
  CHECK(made.left_out[0] == 0);
}

TEST_CASE("a token of no group is no query and no key, and its share is said") {
  Matrix<double> A(3, 3);
  A << 0.5, 0.3, 0.2, 0.1, 0.6, 0.3, 0.25, 0.25, 0.5;
  const std::vector<Matrix<double>> heads{A, A};
  const auto made = merge_attention<double>(heads, {-1, 0, 1}, {-1, 0, 1});
  Matrix<double> wanted(2, 2);
  wanted << 0.6, 0.3, 0.25, 0.5;
  CHECK_CLOSE(made.weights[1], wanted, 1e-15, 0);
  CHECK(close(made.left_out[1], (0.1 + 0.25) / 2, 1e-15, 0));
}

TEST_CASE("queries and keys of other texts have groups of their own") {
  const std::vector<Matrix<double>> heads{Matrix<double>::Constant(2, 4, 0.25)};
  const auto made = merge_attention<double>(heads, {0, 0}, {0, 0, 0, 1});
  CHECK(made.weights[0].rows() == 1);
  CHECK(close(made.weights[0](0, 0), 0.75, 1e-15, 0));
}

TEST_CASE("groups that are not one for each token, or have gaps, are refused") {
  const std::vector<Matrix<double>> heads{Matrix<double>::Constant(2, 2, 0.5)};
  CHECK_THROWS_AS(merge_attention<double>(heads, {0}, {0, 1}), ShapeError);
  CHECK_THROWS_AS(merge_attention<double>(heads, {0, 1}, {0, 1, 2}), ShapeError);
  CHECK_THROWS_AS(merge_attention<double>(heads, {-1, -1}, {0, 1}), ValueError);
  CHECK_THROWS_AS(merge_attention<double>(heads, {0, 1}, {1, 1}), ValueError);
  CHECK_THROWS_AS(merge_attention<double>(heads, {0, 9}, {0, 1}), ValueError);
}

TEST_SUITE_END();
