#include "attn/analysis/gradient_quantiles.hpp"

#include <algorithm>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("gradient quantiles");

TEST_CASE("quantiles equal numpy.quantile's, linear between neighbours") {
  const std::vector<double> values{3, 1, 4, 1, 5, 9, 2, 6};
  const std::vector<double> p{0, 0.1, 0.25, 0.5, 0.9, 1};
  const auto got = quantiles(values, p);
  // The expected values are numpy.quantile([3, 1, 4, 1, 5, 9, 2, 6], p).
  const double wanted[] = {1, 1, 1.75, 3.5, 6.9, 9};
  for (std::size_t i = 0; i < p.size(); ++i) CHECK(got[i] == doctest::Approx(wanted[i]));
  CHECK(quantile({7}, 0.3) == 7);
  CHECK(quantile({1, 2}, 0.5) == 1.5);
  CHECK(quantile({1, kInfinity}, 0) == 1);
  CHECK(quantile({1, kInfinity}, 1) == kInfinity);
  CHECK(quantile({-kInfinity, -kInfinity, 2}, 0.25) == -kInfinity);
}

TEST_CASE("a summary has mean, least, median and largest, and passes NaN on") {
  const Summary got = summarize({3, 1, 4, 2});
  CHECK(got.mean == 2.5);
  CHECK(got.least == 1);
  CHECK(got.median == 2.5);
  CHECK(got.largest == 4);
  CHECK(std::isnan(summarize({1, std::numeric_limits<double>::quiet_NaN()}).median));
  CHECK_THROWS_AS(summarize({}), ShapeError);
}

TEST_CASE("quantiles have the right share of entries below them, in many drawn lists") {
  Rng rng(1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> values(static_cast<std::size_t>(1 + rng.below(40)));
    for (double& x : values) x = rng.gaussian();
    const double p = rng.uniform(), got = quantile(values, p);
    const auto below =
        std::count_if(values.begin(), values.end(), [&](double x) { return x < got; });
    const auto most =
        std::count_if(values.begin(), values.end(), [&](double x) { return x <= got; });
    const double place = p * static_cast<double>(values.size() - 1);
    CHECK(static_cast<double>(below) <= place + 1);
    CHECK(static_cast<double>(most) >= place);
    CHECK(got <= quantile(values, std::min(1.0, p + 0.1)));
  }
}

TEST_CASE_TEMPLATE("rows are ordered by their norm and entries by their size", T, float, double) {
  Matrix<T> g(3, 2);
  g << 3, -4, 0, 0, T(5e-7), 12;
  const auto got = gradient_quantiles<T>(g, {{0, 0.5, 1}, 1e-6});
  CHECK(got.row_norms[0] == 0);
  CHECK(got.row_norms[1] == 5);
  CHECK(got.row_norms[2] == doctest::Approx(12));
  CHECK(got.entries[1] == doctest::Approx((5e-7 + 3) / 2));
  CHECK(got.entries[2] == 12);
  CHECK(got.mean_row_norm == doctest::Approx(17.0 / 3));
  CHECK(got.mean_entry == doctest::Approx((7 + 12 + 5e-7) / 6));
  CHECK(got.small_share == doctest::Approx(0.5));
  CHECK(got.non_finite_rows == 0);
}

TEST_CASE("NaN and infinite entries are counted and left out") {
  Matrix<> g(3, 2);
  g << NAN, 1, 3, 4, std::numeric_limits<float>::infinity(), NAN;
  const auto got = gradient_quantiles(g, {{0.5}, 1e-6});
  CHECK(got.non_finite_entries == 3);
  CHECK(got.non_finite_rows == 2);
  CHECK(got.row_norms[0] == 5);
  CHECK(got.entries[0] == 3);
  const auto none = gradient_quantiles(Matrix<>::Constant(2, 2, NAN).eval());
  CHECK(none.row_norms.size() == 5);
  CHECK(std::isnan(none.row_norms[0]));
  CHECK(std::isnan(none.mean_entry));
  CHECK(std::isnan(none.small_share));
}

TEST_CASE("arguments that do not fit are refused by name") {
  const Matrix<> g = random(2, 2, 1);
  CHECK(error_of([&] { gradient_quantiles(Matrix<>(0, 2)); }).argument() == "gradient");
  CHECK(error_of([&] { gradient_quantiles(g, {{1.1}, 0}); }).argument() == "probabilities");
  CHECK(error_of([&] { gradient_quantiles(g, {{0.5}, -1}); }).argument() == "small");
  CHECK(error_of([&] { quantile({}, 0.5); }).argument() == "values");
  CHECK(error_of([&] { quantile({1, NAN}, 0.5); }).argument() == "values");
}

TEST_SUITE_END();
