#include "attn/attention/masking.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "attn/attention/attention_variants.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("masking");

TEST_CASE_TEMPLATE("project 4's additive masks equal the named ones", T, float, double) {
  for (Index n = 1; n < 40; ++n) {
    const Matrix<T> Q = random<T>(n, 5, static_cast<std::uint64_t>(n)), K = random<T>(n, 5, 77),
                    V = random<T>(n, 3, 78);
    AttentionOptions<T> named, added;
    named.mask = Mask::causal();
    added.bias = create_causal_mask<T>(n);
    // Blocked cells are exactly 0 in both cases. The sum of up to 40 other cells may be taken in
    // another order, which changes it by at most 40·ε.
    CHECK_CLOSE(attention<T>(Q, K, V, named).weights, attention<T>(Q, K, V, added).weights,
                40 * static_cast<double>(std::numeric_limits<T>::epsilon()), 0);
    const Matrix<T> reverse = create_reverse_mask<T>(n);
    CHECK(reverse == Matrix<T>(create_causal_mask<T>(n).transpose()));
    CHECK(reverse.diagonal().isZero(0));
  }
  CHECK(error_of([] { create_causal_mask(0); }).argument() == "n");
  CHECK(error_of([] { create_reverse_mask(-3); }).argument() == "n");
}

TEST_CASE_TEMPLATE(
    "a causal mask hides the future, a reverse mask the past, and weights sum to one", T, float,
    double) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Index n = 1 + static_cast<Index>(seed % 23);
    const auto made =
        compare_masking<T>(random<T>(n, 4, seed), random<T>(n, 4, seed + 1), random<T>(n, 2, seed));
    CHECK(made.causal.future == 0);
    CHECK(made.reverse.past == 0);
    for (const auto* one : {&made.causal, &made.none, &made.reverse}) {
      // The bound is for n sums of n weights, each within ε.
      const double bound = static_cast<double>(n) * std::numeric_limits<T>::epsilon();
      CHECK(std::abs(one->past + one->self + one->future - 1) <= bound);
      CHECK(one->attention.output.rows() == n);
    }
    if (n > 1) {
      CHECK(made.none.past > 0);
      CHECK(made.none.future > 0);
    }
  }
  CHECK(error_of([] {
          compare_masking(random(3, 2, 1), random(4, 2, 2), random(4, 2, 3));
        }).argument() == "K");
}

TEST_SUITE_END();
