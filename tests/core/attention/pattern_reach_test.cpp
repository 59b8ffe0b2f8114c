#include "attn/attention/pattern_reach.hpp"

#include <bit>

#include "attn/attention/gap_patterns.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("pattern_reach");

namespace {

/// The same from powers of the matrix with the diagonal.
Matrix<float> hops_by_products(const Pattern& pattern) {
  const Index n = pattern.rows();
  Matrix<double> step = pattern.to_matrix<double>(), now = Matrix<double>::Identity(n, n);
  step += now;
  Matrix<float> hops = Matrix<float>::Constant(n, n, -1);
  for (Index layer = 0; layer <= n; ++layer) {
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        if (hops(i, j) < 0 && now(i, j) > 0) hops(i, j) = static_cast<float>(layer);
      }
    }
    now = (step * now).eval();
    now = (now.array() > 0).cast<double>();
  }
  return hops;
}

}  // namespace

TEST_CASE("hops are those of matrix powers, beyond one machine word too") {
  for (const Index n : {1, 2, 13, 64, 65, 70}) {
    for (const Pattern& pattern :
         {Pattern::local(n, 3), Pattern::strided(n, 4), powers_of_two_pattern(n),
          Pattern::random(n, 1, true, 3), Pattern::none(n, n)}) {
      const auto made = pattern_reach(pattern, true, 4);
      CHECK_CLOSE(made.hops, hops_by_products(pattern), 0, 0);
      CHECK(made.cells == pattern.nnz());
      REQUIRE(made.share.size() == 4);
      for (std::size_t l = 0; l < 4; ++l) {
        const double near = static_cast<double>(
            (made.hops.array() >= 0 && made.hops.array() <= static_cast<float>(l + 1)).count());
        CHECK(made.share[l] ==
              doctest::Approx(near / (0.5 * static_cast<double>(n * (n + 1)))).epsilon(1e-12));
      }
      const bool whole = made.hops.minCoeff() >= 0 || n == 1;
      CHECK((made.layers_to_connect >= 0) == ((made.hops.array() >= 0).count() == n * (n + 1) / 2));
      if (whole) CHECK(made.layers_to_connect == 0);
    }
    const Pattern both = Pattern::random(n, 2, false, 5);
    CHECK_CLOSE(pattern_reach(both, false, 0).hops, hops_by_products(both), 0, 0);
  }
}

TEST_CASE("what the course text is told: sinks add no reach, remainders never mix, powers add up") {
  const Index n = 128;
  const Pattern window = Pattern::local(n, 9);
  Matrix<float> kept = window.to_matrix<float>();
  kept.col(0).setOnes();
  const auto with_sink = pattern_reach(Pattern::from_matrix<float>(kept), true, 3);
  const auto without = pattern_reach(window, true, 3);
  // Token 0 sees only itself, so only pairs with token 0 come nearer.
  for (Index i = 0; i < n; ++i) {
    for (Index j = 1; j < n; ++j) CHECK(with_sink.hops(i, j) == without.hops(i, j));
  }
  const auto dilated = pattern_reach(dilated_window_pattern(n, 8, 4, true), true, 2);
  CHECK(dilated.layers_to_connect == -1);
  const auto powers = pattern_reach(powers_of_two_pattern(n), true, 1);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) {
      CHECK(powers.hops(i, j) ==
            static_cast<float>(std::popcount(static_cast<std::uint64_t>(i - j))));
    }
  }
}

TEST_CASE("the makers of gaps keep what their rule says") {
  for (const Index n : {1, 7, 20}) {
    for (const Index w : {0, 2, 50}) {
      for (const Index dilation : {1, 3, 40}) {
        for (const bool causal : {false, true}) {
          const Pattern made = dilated_window_pattern(n, w, dilation, causal);
          const Pattern segments =
              dilated_segments_pattern(n, w + 1, dilation, dilation / 2, causal);
          const Pattern powers = powers_of_two_pattern(n);
          for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < n; ++j) {
              const Index gap = std::abs(i - j);
              const bool seen = !causal || j <= i;
              CHECK(made.contains(i, j) == (seen && gap <= w * dilation && gap % dilation == 0));
              const auto in = [&](Index t) { return t % (w + 1) % dilation == dilation / 2; };
              CHECK(segments.contains(i, j) ==
                    (seen && i / (w + 1) == j / (w + 1) && in(i) && in(j)));
              CHECK(powers.contains(i, j) ==
                    (j <= i && (gap == 0 || std::has_single_bit(static_cast<std::uint64_t>(gap)))));
            }
          }
        }
      }
    }
  }
  // Numbers near the end of an Index do not overflow.
  const Index huge = std::numeric_limits<Index>::max();
  CHECK(dilated_window_pattern(5, huge, 1, true) == Pattern::causal(5, 5));
  CHECK(dilated_window_pattern(5, huge, huge, false).nnz() == 5);
  CHECK(dilated_segments_pattern(5, huge, 1, 0, false) == Pattern::full(5, 5));
  CHECK(dilated_segments_pattern(5, huge, huge, 0, true).nnz() == 1);
  CHECK(error_of([] { dilated_window_pattern(5, -1, 1, true); }).argument() == "w");
  CHECK(error_of([] { dilated_window_pattern(5, 1, 0, true); }).argument() == "dilation");
  CHECK(error_of([] { dilated_segments_pattern(5, 0, 1, 0, true); }).argument() == "segment");
  CHECK(error_of([] { dilated_segments_pattern(5, 4, 2, 2, true); }).argument() == "offset");
}

TEST_CASE("wrong arguments are named") {
  CHECK(error_of([] { pattern_reach(Pattern::full(3, 4), false, 1); }).code() == "shape");
  CHECK(error_of([] { pattern_reach(Pattern::full(3, 3), true, 1); }).argument() == "causal");
  CHECK(error_of([] { pattern_reach(Pattern::full(3, 3), false, -1); }).argument() == "layers");
  CHECK(error_of([] { pattern_reach(Pattern::local(kMaxReachTokens + 1, 2), true, 1); }).code() ==
        "capacity");
}

TEST_SUITE_END();
