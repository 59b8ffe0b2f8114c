#include "attn/heads/head_distance.hpp"

#include <numbers>

#include "attn/attention/attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

std::vector<Matrix<double>> drawn_heads(Index heads, Index n, std::uint64_t seed) {
  std::vector<Matrix<double>> made;
  for (Index h = 0; h < heads; ++h) {
    Matrix<double> P = 2 * random<double>(n, n, seed * 100 + static_cast<std::uint64_t>(h));
    masked_softmax_rows<double>(P, Mask::causal(), 0, n);
    made.push_back(P);
  }
  return made;
}

}  // namespace

TEST_SUITE_BEGIN("head distance");

TEST_CASE("distances are symmetric, 0 for equal heads, and at most rows times ln 2") {
  std::vector<std::vector<Matrix<double>>> texts{drawn_heads(5, 7, 1), drawn_heads(5, 9, 2)};
  for (auto& text : texts) text[3] = text[1];
  const HeadDistances made = head_distances<double>(texts);
  CHECK(made.js(1, 3) == 0);
  CHECK_CLOSE(made.js, Matrix<double>(made.js.transpose()), 0, 0);
  CHECK(close(made.largest, 16 * std::numbers::ln2, 1e-12, 0));
  CHECK(made.js.maxCoeff() < made.largest);
  CHECK(made.js.minCoeff() == 0);
}

TEST_CASE("heads that never look at the same key are nearly as far apart as heads can be") {
  const Index n = 6;
  Matrix<double> left = Matrix<double>::Zero(n, n), right = left;
  left.col(0).setOnes();
  right.col(1).setOnes();
  HeadDistanceOptions options;
  options.smoothing = 1e-9;
  options.mask = Mask::full();
  const std::vector<std::vector<Matrix<double>>> texts{{left, right}};
  const HeadDistances made = head_distances<double>(texts, options);
  CHECK(close(made.js(0, 1), made.largest, 1e-6, 0));
  const Matrix<double> uniform = Matrix<double>::Constant(n, n, 1. / n);
  const std::vector<std::vector<Matrix<double>>> even{{left, uniform}};
  const HeadDistances beside = head_distances<double>(even, options);
  CHECK(close(beside.to_uniform[1], 0, 0, 1e-12));
  CHECK(close(beside.to_uniform[0], beside.js(0, 1), 1e-12, 0));
}

TEST_CASE("each height of the tree is the mean distance over all pairs of its two groups") {
  const Index h = 9;
  const std::vector<std::vector<Matrix<double>>> texts{drawn_heads(h, 8, 4)};
  const HeadDistances made = head_distances<double>(texts);
  std::vector<std::vector<Index>> members;
  for (Index i = 0; i < h; ++i) members.push_back({i});
  double before = 0;
  for (Index i = 0; i < h - 1; ++i) {
    const auto& a = members[static_cast<std::size_t>(made.merges(i, 0))];
    const auto& b = members[static_cast<std::size_t>(made.merges(i, 1))];
    double sum = 0;
    for (const Index x : a) {
      for (const Index y : b) sum += made.js(x, y);
    }
    CHECK(close(made.merges(i, 2), sum / static_cast<double>(a.size() * b.size()), 1e-12, 0));
    CHECK(made.merges(i, 2) >= before);
    before = made.merges(i, 2);
    std::vector<Index> both = a;
    both.insert(both.end(), b.begin(), b.end());
    CHECK(made.merges(i, 3) == static_cast<double>(both.size()));
    members.push_back(std::move(both));
  }
  CHECK(made.leaf_order == members.back());
}

TEST_CASE("what has no distance is refused by its name") {
  const auto heads = drawn_heads(3, 4, 1);
  const std::vector<std::vector<Matrix<double>>> one{{heads[0]}}, good{heads},
      uneven{heads, {heads[0], heads[1]}};
  CHECK(error_of([&] { head_distances<double>({}); }).argument() == "texts");
  CHECK(error_of([&] { head_distances<double>(one); }).argument() == "texts");
  CHECK(error_of([&] { head_distances<double>(uneven); }).code() == "shape");
  HeadDistanceOptions options;
  options.smoothing = 0;
  CHECK(error_of([&] { head_distances<double>(good, options); }).argument() == "smoothing");
}

TEST_SUITE_END();
