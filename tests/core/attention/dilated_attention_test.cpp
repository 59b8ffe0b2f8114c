#include "attn/attention/dilated_attention.hpp"

#include "attn/attention/batched_attention.hpp"
#include "attn/attention/gap_patterns.hpp"
#include "stack_util.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("dilated_attention");

TEST_CASE_TEMPLATE("is one softmax in which a key counts once for each branch that shows it", T,
                   float, double) {
  const Index n = 23, heads = 3, d = 4;
  const auto Q = random_stack<T>(2, heads, n, d, 1), K = random_stack<T>(2, heads, n, d, 2),
             V = random_stack<T>(2, heads, n, 5, 3);
  for (const bool causal : {true, false}) {
    for (const auto rule : {DilatedOffsets::kHeadModRatio, DilatedOffsets::kHeadShare}) {
      DilatedOptions options;
      options.segments = {4, 10, 40};
      options.ratios = {1, 2, 5};
      options.offsets = rule;
      options.causal = causal;
      options.scale = 0.7;
      const auto made = dilated_attention<T>(Q, K, V, options);
      for (Index b = 0; b < 2; ++b) {
        for (Index h = 0; h < heads; ++h) {
          Matrix<double> counts = Matrix<double>::Zero(n, n);
          for (std::size_t k = 0; k < 3; ++k) {
            const Index offset = dilated_offset(h, heads, options.ratios[k], rule);
            counts +=
                dilated_segments_pattern(n, options.segments[k], options.ratios[k], offset, causal)
                    .to_matrix<double>();
          }
          CHECK(made.cells[static_cast<std::size_t>(h)] == static_cast<Index>(counts.sum()));
          const Matrix<double> scores =
              0.7 * Q(b, h).template cast<double>() * K(b, h).template cast<double>().transpose();
          Matrix<double> weights = counts.array() * scores.array().exp();
          for (Index i = 0; i < n; ++i) {
            const double sum = weights.row(i).sum();
            if (sum > 0) weights.row(i) /= sum;
          }
          const Matrix<double> wanted = weights * V(b, h).template cast<double>();
          CHECK_CLOSE(made.output(b, h), wanted, 5 * tolerance<T>(), 5 * tolerance<T>());
        }
      }
    }
  }
}

TEST_CASE("one branch without gaps is causal attention; a query that no branch keeps gives zeros") {
  const auto Q = random_stack<double>(1, 2, 9, 3, 1), K = random_stack<double>(1, 2, 9, 3, 2);
  DilatedOptions options;
  options.segments = {9};
  options.ratios = {1};
  BatchedAttentionOptions<double> causal;
  causal.attention.mask = Mask::causal();
  const auto wanted = attention<double>(Q, K, K, causal);
  const auto made = dilated_attention<double>(Q, K, K, options);
  CHECK_CLOSE(made.output(0, 1), wanted.output(0, 1), kDouble, kDouble);
  CHECK(made.cells == std::vector<Index>{45, 45});
  options.ratios = {4};
  const auto gaps = dilated_attention<double>(Q, K, K, options);
  CHECK(gaps.output(0, 0).row(1).isZero(0));
  CHECK(gaps.mix(0, 0)(0, 1) == 0);
  CHECK(gaps.mix(0, 0)(1, 1) == 1);
}

TEST_CASE("gradients through the mix and past it are those of differences") {
  const Index n = 11, heads = 2, d = 3;
  auto Q = random_stack<double>(2, heads, n, d, 1), K = random_stack<double>(2, heads, n, d, 2),
       V = random_stack<double>(2, heads, n, 4, 3);
  const auto dO = random_stack<double>(2, heads, n, 4, 4);
  const auto dot = [&](const Stack<double>& output) {
    double sum = 0;
    for (Index b = 0; b < 2; ++b) {
      for (Index h = 0; h < heads; ++h) sum += output(b, h).cwiseProduct(dO(b, h)).sum();
    }
    return sum;
  };
  for (const bool causal : {true, false}) {
    for (const std::optional<double> scale : {std::optional<double>(), std::optional(0.7)}) {
      DilatedOptions options;
      options.segments = {4, 6, 20};
      // A token that only one branch keeps, tokens that several do, and some that none does.
      options.ratios = {2, 2, 3};
      options.causal = causal;
      options.scale = scale;
      const auto shares = dilated_attention<double>(Q, K, V, options).mix;
      const auto whole = [&] { return dot(dilated_attention<double>(Q, K, V, options).output); };
      // The same with the shares that the branches had at first.
      const auto held = [&] {
        double sum = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          DilatedOptions one = options;
          one.segments = {options.segments[k]};
          one.ratios = {options.ratios[k]};
          auto part = dilated_attention<double>(Q, K, V, one).output;
          for (Index b = 0; b < 2; ++b) {
            for (Index h = 0; h < heads; ++h) {
              for (Index i = 0; i < n; ++i) {
                part(b, h).row(i) *= shares(b, static_cast<Index>(k))(h, i);
              }
            }
          }
          sum += dot(part);
        }
        return sum;
      };
      const auto check = [&](const DilatedGradients<double>& made, const auto& loss) {
        for (const auto& [x, gradient] :
             {std::pair{&Q, &made.dQ}, {&K, &made.dK}, {&V, &made.dV}}) {
          for (Index b = 0; b < 2; ++b) {
            for (Index h = 0; h < heads; ++h) {
              auto part = (*x)(b, h);
              Matrix<double> one = part;
              const auto slopes = central_differences(one, [&] {
                part = one;
                return loss();
              });
              part = one;
              CHECK_CLOSE((*gradient)(b, h), slopes, 1e-7, 1e-7);
            }
          }
        }
      };
      check(dilated_attention_backward<double>(Q, K, V, dO, options), whole);
      check(dilated_attention_backward<double>(Q, K, V, dO, options, false), held);
    }
  }
  // In float32 too.
  const auto cast = [](const Stack<double>& x) {
    Stack<float> made(x.batch(), x.heads(), x.rows(), x.cols());
    for (Index b = 0; b < x.batch(); ++b) {
      for (Index h = 0; h < x.heads(); ++h) made(b, h) = x(b, h).cast<float>();
    }
    return made;
  };
  const auto exact = dilated_attention_backward<double>(Q, K, V, dO);
  const auto made = dilated_attention_backward<float>(cast(Q), cast(K), cast(V), cast(dO));
  CHECK_CLOSE(made.dQ(1, 1), exact.dQ(1, 1), kFloat, kFloat);
  CHECK_CLOSE(made.dK(1, 1), exact.dK(1, 1), kFloat, kFloat);
  CHECK(error_of([&] { dilated_attention_backward<double>(Q, K, V, Q); }).argument() == "dO");
}

TEST_CASE("wrong arguments are named") {
  const auto x = random_stack<float>(1, 2, 6, 3, 1);
  const auto failure = [&](auto change) {
    DilatedOptions options;
    change(options);
    return error_of([&] { dilated_attention<float>(x, x, x, options); });
  };
  CHECK(failure([](auto& o) { o.segments = {}; }).argument() == "segments");
  CHECK(failure([](auto& o) { o.segments = {4, 0}; }).argument() == "segments");
  CHECK(failure([](auto& o) { o.ratios = {1}; }).argument() == "ratios");
  CHECK(failure([](auto& o) { o.ratios = {1, 0}; }).argument() == "ratios");
  CHECK(error_of([&] {
          dilated_attention<float>(x, random_stack<float>(1, 2, 5, 3, 1), x);
        }).argument() == "K");
  CHECK(error_of([&] {
          dilated_attention<float>(x, x, random_stack<float>(1, 1, 6, 3, 1));
        }).argument() == "V");
  CHECK(error_of([] { dilated_offset(2, 2, 1, DilatedOffsets::kHeadShare); }).argument() == "head");
  // The two rules part only where there are more heads than tokens between those kept.
  for (Index h = 0; h < 4; ++h) {
    CHECK(dilated_offset(h, 4, 4, DilatedOffsets::kHeadShare) == h);
    CHECK(dilated_offset(h, 4, 2, DilatedOffsets::kHeadModRatio) == h % 2);
    CHECK(dilated_offset(h, 4, 2, DilatedOffsets::kHeadShare) == h / 2);
  }
}

TEST_SUITE_END();
