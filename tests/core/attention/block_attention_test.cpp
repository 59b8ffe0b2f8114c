#include "attn/attention/block_attention.hpp"

#include "attn/attention/attention.hpp"
#include "attn/cost/operation_count.hpp"
#include "stack_util.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("block_attention");

TEST_CASE_TEMPLATE("is dense attention under the mask of the chosen blocks", T, float, double) {
  const Index n = 26, d = 4;
  const auto Q = random_stack<T>(2, 2, n, d, 1), K = random_stack<T>(2, 2, n, d, 2),
             V = random_stack<T>(2, 2, n, 3, 3);
  for (const Index block : {1, 4, 5, 26, 100}) {
    for (const Index top_k : {1, 2, 3, 50}) {
      BlockAttentionOptions options;
      options.choice = {block, top_k};
      const auto made = block_attention<T>(Q, K, V, options);
      for (Index b = 0; b < 2; ++b) {
        for (Index h = 0; h < 2; ++h) {
          Matrix<T> keep = Matrix<T>::Zero(n, n);
          const auto selected = made.selected(b, h);
          for (Index i = 0; i < n; ++i) {
            CHECK(selected(i, i / std::min(block, n)) == T(1));
            CHECK(selected.row(i).sum() ==
                  static_cast<T>(std::min(top_k, i / std::min(block, n) + 1)));
            for (Index j = 0; j <= i; ++j) keep(i, j) = selected(i, j / std::min(block, n));
            // What is chosen has no smaller gate than what is not.
            for (Index c = 0; c < i / std::min(block, n); ++c) {
              for (Index e = 0; e < i / std::min(block, n); ++e) {
                if (selected(i, c) > selected(i, e)) {
                  CHECK(made.gate(b, h)(i, c) >= made.gate(b, h)(i, e));
                }
              }
            }
          }
          AttentionOptions<T> dense;
          dense.mask = Mask::from_matrix<T>(keep);
          const auto wanted = attention<T>(Q(b, h), K(b, h), V(b, h), dense);
          CHECK_CLOSE(made.output(b, h), wanted.output, tolerance<T>(), tolerance<T>());
          CHECK(made.cells[static_cast<std::size_t>(b * 2 + h)] ==
                static_cast<Index>(keep.template cast<double>().sum()));
        }
      }
    }
  }
}

TEST_CASE("equal gates take the earliest block") {
  const Matrix<double> Q = Matrix<double>::Ones(12, 2), K = Matrix<double>::Ones(12, 2);
  const auto made = choose_blocks<double>(Q, K, {3, 3});
  Matrix<double> last(1, 4);
  last << 1, 1, 0, 1;
  CHECK_CLOSE(made.selected.row(11), last, 0, 0);
  CHECK(std::isnan(made.gate(11, 3)));
  CHECK(made.gate(11, 0) == 2);
}

TEST_CASE("its cost is that of the gates and of the kept cells") {
  const Index n = 64, d = 4, block = 8;
  const auto Q = random_stack<double>(1, 1, n, d, 1), K = random_stack<double>(1, 1, n, d, 2);
  BlockAttentionOptions options;
  options.choice = {block, 2};
  const OperationMeter meter;
  const auto made = block_attention<double>(Q, K, K, options);
  CHECK(meter.count().multiply_adds ==
        static_cast<std::uint64_t>(n * (n / block) * d + made.cells[0] * 2 * d));
  CHECK(made.cells[0] < n * (n + 1) / 4);
}

TEST_CASE("wrong arguments are named") {
  const auto x = random_stack<float>(1, 1, 6, 3, 1);
  const auto failure = [&](BlockChoiceOptions choice) {
    return error_of([&] { block_attention<float>(x, x, x, {choice, {}}); });
  };
  CHECK(failure({0, 1}).argument() == "block");
  CHECK(failure({1, 0}).argument() == "top_k");
  CHECK(error_of([&] {
          block_attention<float>(x, random_stack<float>(1, 1, 5, 3, 1), x);
        }).argument() == "K");
  const Matrix<float> large = Matrix<float>::Constant(4, 2, 1e30F);
  CHECK(error_of([&] { choose_blocks<float>(large, large, {1, 2}); }).argument() == "Q");
}

TEST_SUITE_END();
