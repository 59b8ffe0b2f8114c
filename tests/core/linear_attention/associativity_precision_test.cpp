#include "attn/linear_attention/associativity_precision.hpp"

#include <cmath>
#include <limits>

#include "attn/base/inputs.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

AssociativityPrecisionResult precision_of(const AssociativityPrecisionOptions& options) {
  AssociativityPrecision work(options);
  double before = -1;
  while (!work.step(1)) {
    CHECK(work.progress() > before);
    before = work.progress();
  }
  CHECK(work.progress() == 1);
  return work.result();
}

}  // namespace

TEST_SUITE_BEGIN("associativity precision");

TEST_CASE("lab 2: rtol = 1e-5 without atol fails in float32 on 20 of 20 seeds, never in float64") {
  AssociativityPrecisionOptions options;
  options.seed = 1;
  options.draws = 20;
  const auto made = precision_of(options);
  CHECK(made.float32.failed_draws == 20);
  CHECK(made.float64.failed_draws == 0);
  CHECK(made.float64.failed_share == 0);
  // Measured were 1.7 % of the entries and 4e-3 at worst; both depend on the order of the sums.
  CHECK(made.float32.failed_share > 0.017 / 3);
  CHECK(made.float32.failed_share < 0.017 * 3);
  CHECK(made.float32.max_relative_difference > 1e-3);
  CHECK(made.float64.max_relative_difference < 1e-8);
  CHECK(made.float32.relative_differences.back() == made.float32.max_relative_difference);
  CHECK(made.float32.differences.back() == made.float32.max_difference);
  // 98.3 % of the entries hold, so three quarters hold with a wide margin.
  CHECK(made.float32.relative_differences[3] < 1e-5);
  // The entry that failed worst is one whose terms cancel.
  const AssociativityEntry& worst = made.float32.worst;
  CHECK(worst.condition > 1e4);
  CHECK(worst.terms == doctest::Approx(worst.condition * std::abs(worst.linear)));
  CHECK(std::abs(worst.standard - worst.linear) / std::abs(worst.linear) ==
        made.float32.max_relative_difference);
  // With an atol as well, no entry fails.
  options.atol = 1e-3;
  CHECK(precision_of(options).float32.failed_draws == 0);
}

TEST_CASE("one draw gives the result of verify_associativity for the same numbers") {
  AssociativityPrecisionOptions options;
  options.n = 30;
  options.d_k = 7;
  options.d_v = 5;
  options.seed = 3;
  const auto made = precision_of(options);
  const auto x = gaussian_qkv<float>(30, 7, 5, 3);
  const auto narrow = verify_associativity(x.Q, x.K, x.V, 1e-5, 0);
  CHECK(made.entries == 150);
  CHECK(made.float32.max_difference == narrow.max_difference);
  CHECK(made.float32.max_relative_difference == narrow.max_relative_difference);
  CHECK((made.float32.failed_draws == 0) == narrow.equal);
  const Matrix<double> Q = x.Q.cast<double>(), K = x.K.cast<double>(), V = x.V.cast<double>();
  const auto wide = verify_associativity<double>(Q, K, V, 1e-5, 0);
  // Another order of the sums changes them by about one rounding each.
  CHECK(made.float64.max_difference < 1e-12);
  CHECK(made.float64.max_difference > 0);
  // Σ|terms| is computed by adding the terms one by one.
  Matrix<double> terms = Matrix<double>::Zero(30, 5);
  for (Index i = 0; i < 30; ++i) {
    for (Index l = 0; l < 5; ++l) {
      for (Index j = 0; j < 30; ++j) {
        for (Index k = 0; k < 7; ++k) terms(i, l) += std::abs(Q(i, k) * K(j, k) * V(j, l));
      }
    }
  }
  CHECK_CLOSE(made.first.condition.cwiseProduct(made.first.size), terms, 1e-10, 0);
  CHECK_CLOSE(made.first.size, wide.linear.cwiseAbs(), 0, 1e-12);
  CHECK(made.first.difference.maxCoeff() == made.float32.max_difference);
  CHECK(made.first.relative_difference.maxCoeff() == made.float32.max_relative_difference);
  const AssociativityEntry& worst = made.float32.worst;
  CHECK(worst.terms == doctest::Approx(terms(worst.row, worst.col)));
  CHECK(made.first.relative_difference(worst.row, worst.col) ==
        made.float32.max_relative_difference);
  // No entry errs by more than the rounding of its terms: m + d_k sums of ε/2 each, in both orders.
  const double bound = 37 * static_cast<double>(std::numeric_limits<float>::epsilon());
  CHECK((made.first.difference.array() <= bound * terms.array()).all());
}

TEST_CASE("precision refuses bad options by name") {
  const auto refuses = [](std::string_view argument, auto change) {
    AssociativityPrecisionOptions options;
    change(options);
    CHECK(error_of([&] { AssociativityPrecision work(options); }).argument() == argument);
  };
  refuses("n", [](auto& o) { o.n = 0; });
  refuses("n", [](auto& o) { o.n = 4096; });
  refuses("d_k", [](auto& o) { o.d_k = 0; });
  refuses("d_v", [](auto& o) { o.d_v = 0; });
  refuses("draws", [](auto& o) { o.draws = 0; });
  refuses("draws", [](auto& o) { o.draws = 1000; });
  refuses("rtol", [](auto& o) { o.rtol = -1; });
  refuses("atol", [](auto& o) { o.atol = std::nan(""); });
}

TEST_SUITE_END();
