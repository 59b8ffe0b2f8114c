#include "attn/cost/fit.hpp"

#include <limits>
#include <vector>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("fit");

namespace {

/// y = factor·x^slope·e^{noise·N(0, 1)}
std::vector<double> noisy(const std::vector<double>& x, double factor, double slope, double noise,
                          std::uint64_t seed) {
  Rng rng(seed, 4);
  std::vector<double> y;
  for (const double value : x) {
    y.push_back(factor * std::pow(value, slope) * std::exp(noise * rng.gaussian()));
  }
  return y;
}

}  // namespace

TEST_CASE("quantiles of Student's t equal those of the tables") {
  struct Entry {
    double probability, degrees, t;
  };
  // The usual tables (NIST/SEMATECH e-Handbook, 1.3.6.7.2) have three decimals. For ν = 1 and 0.999
  // some print 318.313, but tan(0.499·π) is 318.309.
  for (const auto& given :
       {Entry{0.90, 1, 3.078},   Entry{0.95, 1, 6.314},   Entry{0.975, 1, 12.706},
        Entry{0.99, 1, 31.821},  Entry{0.995, 1, 63.657}, Entry{0.999, 1, 318.309},
        Entry{0.90, 2, 1.886},   Entry{0.975, 2, 4.303},  Entry{0.999, 2, 22.327},
        Entry{0.975, 3, 3.182},  Entry{0.975, 4, 2.776},  Entry{0.975, 5, 2.571},
        Entry{0.995, 5, 4.032},  Entry{0.95, 10, 1.812},  Entry{0.975, 10, 2.228},
        Entry{0.995, 10, 3.169}, Entry{0.999, 10, 4.144}, Entry{0.975, 20, 2.086},
        Entry{0.975, 30, 2.042}, Entry{0.99, 60, 2.390},  Entry{0.975, 100, 1.984},
        Entry{0.999, 100, 3.174}}) {
    // Clang 14 cannot capture structured bindings, which doctest's CAPTURE needs.
    const double probability = given.probability, degrees = given.degrees, t = given.t;
    CAPTURE(probability);
    CAPTURE(degrees);
    CHECK(std::abs(student_t_quantile(probability, degrees) - t) <= 0.0006);
    CHECK(std::abs(student_t_quantile(1 - probability, degrees) + t) <= 0.0006);
  }
  CHECK(student_t_quantile(0.5, 7) == 0);
  // For many degrees of freedom the limit is the normal distribution, 1.959964, up to (z³ + z)/(4ν)
  // = 2.4/ν.
  CHECK(std::abs(student_t_quantile(0.975, 1e6) - 1.959964) < 4e-6);
}

TEST_CASE("quantile and probability are inverse, and equal the closed forms for ν = 1 and 2") {
  const double pi = std::acos(-1.0);
  for (const double probability : {1e-6, 0.01, 0.2, 0.4, 0.6, 0.9, 0.995, 0.9999}) {
    CAPTURE(probability);
    for (const double degrees : {1.0, 2.0, 3.0, 7.5, 40.0, 1000.0}) {
      CAPTURE(degrees);
      const double t = student_t_quantile(probability, degrees);
      CHECK(student_t_probability(t, degrees) == doctest::Approx(probability).epsilon(1e-11));
    }
    CHECK(student_t_quantile(probability, 1) ==
          doctest::Approx(std::tan(pi * (probability - 0.5))).epsilon(1e-9));
    const double a = 2 * probability - 1;
    CHECK(student_t_quantile(probability, 2) ==
          doctest::Approx(a * std::sqrt(2 / (1 - a * a))).epsilon(1e-9));
  }
  CHECK(student_t_probability(std::numeric_limits<double>::infinity(), 3) == 1);
}

TEST_CASE("the incomplete beta function has its closed forms and its symmetry") {
  for (double x = 0; x <= 1; x += 0.0625) {
    CAPTURE(x);
    CHECK(incomplete_beta(1, 1, x) == doctest::Approx(x).epsilon(1e-13));
    CHECK(incomplete_beta(3, 1, x) == doctest::Approx(x * x * x).epsilon(1e-13));
    CHECK(incomplete_beta(2, 3, x) ==
          doctest::Approx(x * x * (6 - 8 * x + 3 * x * x)).epsilon(1e-13));
    for (const double a : {0.5, 2.0, 17.0, 900.0}) {
      const double sum = incomplete_beta(a, 3.5, x) + incomplete_beta(3.5, a, 1 - x);
      CHECK(sum == doctest::Approx(1).epsilon(1e-12));
    }
  }
  CHECK(error_of([] { incomplete_beta(0, 1, 0.5); }).argument() == "a");
  CHECK(error_of([] { incomplete_beta(1, 1, 1.5); }).argument() == "x");
}

TEST_CASE("an exact power law is found exactly") {
  const std::vector<double> x{64, 128, 256, 512, 1024};
  for (const double slope : {0.0, 1.0, 1.5, 2.0, -0.5}) {
    const SlopeFit fit = fit_slope(x, noisy(x, 3, slope, 0, 0));
    CHECK(std::abs(fit.slope - slope) < 1e-13);
    CHECK(fit.intercept == doctest::Approx(std::log(3.0)).epsilon(1e-12));
    CHECK(fit.slope_error < 1e-13);
    CHECK(fit.at(100) == doctest::Approx(3 * std::pow(100, slope)).epsilon(1e-12));
    if (slope != 0) CHECK(fit.r_squared == doctest::Approx(1));
  }
  CHECK(fit_slope(x, std::vector<double>(5, 4.0)).r_squared == 1);
}

TEST_CASE("a worked example with four points agrees with numbers computed by hand") {
  // ln x = 0, 1, 2, 3; ln y = 0, 1, 1, 2: slope 0.6, intercept 0.1, residuals −0.1, 0.3, −0.3, 0.1.
  std::vector<double> x, y;
  for (const double value : {0, 1, 2, 3}) x.push_back(std::exp(value));
  for (const double value : {0, 1, 1, 2}) y.push_back(std::exp(value));
  const SlopeFit fit = fit_slope(x, y, 0.95);
  CHECK(fit.slope == doctest::Approx(0.6));
  CHECK(fit.intercept == doctest::Approx(0.1));
  REQUIRE(fit.residuals.size() == 4);
  const double wanted[] = {-0.1, 0.3, -0.3, 0.1};
  for (std::size_t i = 0; i < 4; ++i) CHECK(fit.residuals[i] == doctest::Approx(wanted[i]));
  CHECK(fit.r_squared == doctest::Approx(0.9));
  CHECK(fit.residual_error == doctest::Approx(std::sqrt(0.1)));
  CHECK(fit.slope_error == doctest::Approx(std::sqrt(0.1 / 5)));
  CHECK(fit.intercept_error == doctest::Approx(std::sqrt(0.1 * (0.25 + 2.25 / 5))));
  // t(0.975, ν = 2) = 4.302653
  CHECK(fit.t == doctest::Approx(4.302653).epsilon(1e-6));
  CHECK(fit.slope_interval.low == doctest::Approx(0.6 - 4.302653 * std::sqrt(0.02)).epsilon(1e-6));
  CHECK(fit.slope_interval.high == doctest::Approx(0.6 + 4.302653 * std::sqrt(0.02)).epsilon(1e-6));
  const double reach = 4.302653 * std::sqrt(0.1 / 4);
  CHECK(fit.band(std::exp(1.5)).low == doctest::Approx(std::exp(1.0 - reach)).epsilon(1e-6));
  CHECK(fit.band(std::exp(1.5)).high == doctest::Approx(std::exp(1.0 + reach)).epsilon(1e-6));
}

TEST_CASE(
    "the confidence interval holds the true slope in the promised share of 4000 repetitions") {
  const std::vector<double> x{128, 256, 512, 1024, 2048};
  for (const double confidence : {0.5, 0.95}) {
    int slopes = 0, lines = 0;
    const int repetitions = 4000;
    for (int seed = 0; seed < repetitions; ++seed) {
      const SlopeFit fit =
          fit_slope(x, noisy(x, 0.01, 1.7, 0.2, static_cast<std::uint64_t>(seed)), confidence);
      slopes += fit.slope_interval.low <= 1.7 && 1.7 <= fit.slope_interval.high;
      const double truth = 0.01 * std::pow(4096, 1.7);
      lines += fit.band(4096).low <= truth && truth <= fit.band(4096).high;
    }
    // The slack is 4 standard errors of a share.
    const double slack = 4 * std::sqrt(confidence * (1 - confidence) / repetitions);
    CHECK(std::abs(slopes / double{repetitions} - confidence) <= slack);
    CHECK(std::abs(lines / double{repetitions} - confidence) <= slack);
  }
}

TEST_CASE("a change of units moves the intercept only") {
  const std::vector<double> x{3, 5, 9, 20}, y{1, 4, 9, 70};
  std::vector<double> scaled;
  for (const double value : y) scaled.push_back(value * 1e6);
  const SlopeFit a = fit_slope(x, y), b = fit_slope(x, scaled);
  CHECK(b.slope == doctest::Approx(a.slope).epsilon(1e-12));
  CHECK(b.slope_error == doctest::Approx(a.slope_error).epsilon(1e-9));
  CHECK(b.intercept - a.intercept == doctest::Approx(std::log(1e6)).epsilon(1e-12));
}

TEST_CASE("points without a fit are refused by name") {
  const std::vector<double> two{1, 2}, three{1, 2, 3}, with_zero{1, 0, 3}, equal{2, 2, 2};
  const std::vector<double> endless{1, 2, std::numeric_limits<double>::infinity()};
  CHECK(error_of([&] { fit_slope(two, two); }).code() == "shape");
  CHECK(error_of([&] { fit_slope(three, two); }).argument() == "y");
  CHECK(error_of([&] { fit_slope(with_zero, three); }).argument() == "x");
  CHECK(error_of([&] { fit_slope(three, with_zero); }).seen().text() == "0 at point 1");
  CHECK(error_of([&] { fit_slope(three, endless); }).argument() == "y");
  CHECK(error_of([&] { fit_slope(equal, three); }).seen().text() == "the same at every point");
  CHECK(error_of([&] { fit_slope(three, three, 1); }).argument() == "confidence");
  CHECK(error_of([&] { fit_slope(three, three).band(0); }).argument() == "x");
  CHECK(error_of([] { student_t_quantile(0, 3); }).argument() == "probability");
  CHECK(error_of([] { student_t_quantile(0.3, 0); }).argument() == "degrees");
}

TEST_CASE("a measured crossing is the mean of the rounds, with the interval of Student's t") {
  // ln a/b = ln x − c in round c: the rounds cross at e³, e⁴ and e⁵, between lengths e^0, e^2, ….
  std::vector<double> x, a, b;
  std::vector<Index> round;
  for (Index c = 3; c <= 5; ++c) {
    for (double length = 0; length <= 8; length += 2) {
      x.push_back(std::exp(length));
      round.push_back(c);
      // A delay that slows a whole round has no effect.
      a.push_back(1000.0 * static_cast<double>(c * c) * std::exp(length - static_cast<double>(c)));
      b.push_back(1000.0 * static_cast<double>(c * c));
    }
  }
  const MeasuredCrossing found = measured_crossing(x, round, a, b);
  CHECK(found.kind == CrossingKind::kBetween);
  CHECK(std::log(found.x) == doctest::Approx(4).epsilon(1e-12));
  CHECK(found.rounds == 3);
  CHECK(found.crossing_rounds == 3);
  REQUIRE(found.interval.has_value());
  // s = 1, three rounds: 4.3027/√3.
  CHECK(std::log(found.interval->low) == doctest::Approx(4 - 4.30265 / std::sqrt(3)).epsilon(1e-5));
  CHECK(std::log(found.interval->high) ==
        doctest::Approx(4 + 4.30265 / std::sqrt(3)).epsilon(1e-5));
  const MeasuredCrossing surer = measured_crossing(x, round, a, b, 0.5);
  CHECK(surer.interval->low > found.interval->low);
  // What overtakes and is overtaken again has not crossed: the last change counts.
  const std::vector<double> lengths{1, 2, 4, 8, 1, 2, 4, 8}, even(8, 1.0);
  const std::vector<double> wavering{2, 2, 0.5, 2, 2, 2, 0.5, 2};
  const std::vector<Index> two{1, 1, 1, 1, 2, 2, 2, 2};
  const MeasuredCrossing last = measured_crossing(lengths, two, wavering, even);
  CHECK(last.x == doctest::Approx(std::sqrt(32)).epsilon(1e-12));
  CHECK(last.interval->low == doctest::Approx(last.interval->high).epsilon(1e-12));
}

TEST_CASE("rounds that do not all cross have no interval, and their medians decide") {
  const std::vector<double> x{1, 2, 4, 1, 2, 4, 1, 2, 4}, b(9, 1.0);
  const std::vector<Index> round{0, 0, 0, 1, 1, 1, 2, 2, 2};
  // In the third round b is always faster.
  const MeasuredCrossing some =
      measured_crossing(x, round, std::vector<double>{0.5, 2, 3, 0.5, 2, 3, 1.5, 2, 3}, b);
  CHECK(some.kind == CrossingKind::kBetween);
  CHECK(some.x == doctest::Approx(std::sqrt(2)).epsilon(1e-12));
  CHECK(some.rounds == 3);
  CHECK(some.crossing_rounds == 2);
  CHECK_FALSE(some.interval.has_value());
  const MeasuredCrossing always = measured_crossing(x, round, std::vector<double>(9, 2.0), b);
  CHECK(always.kind == CrossingKind::kBelow);
  CHECK(always.x == doctest::Approx(1));
  const MeasuredCrossing never = measured_crossing(x, round, std::vector<double>(9, 0.5), b);
  CHECK(never.kind == CrossingKind::kNever);
  CHECK(never.x == doctest::Approx(4));
  CHECK(never.crossing_rounds == 0);
  // One round has a crossing and no scatter.
  const std::vector<double> one_x{1, 4}, one_a{0.5, 2}, one_b{1, 1};
  const std::vector<Index> one_round{7, 7};
  const MeasuredCrossing once = measured_crossing(one_x, one_round, one_a, one_b);
  CHECK(once.x == doctest::Approx(2).epsilon(1e-12));
  CHECK_FALSE(once.interval.has_value());
}

TEST_CASE("samples without a crossing to measure are refused by name") {
  const std::vector<double> x{1, 2}, short_list{1}, with_zero{1, 0};
  const std::vector<Index> round{1, 1}, one_round{1};
  const std::vector<double> none;
  const std::vector<Index> no_rounds;
  CHECK(error_of([&] { measured_crossing(none, no_rounds, none, none); }).argument() == "x");
  CHECK(error_of([&] { measured_crossing(x, one_round, x, x); }).argument() == "round");
  CHECK(error_of([&] { measured_crossing(x, round, short_list, x); }).argument() == "a");
  CHECK(error_of([&] { measured_crossing(x, round, x, with_zero); }).argument() == "b");
  CHECK(error_of([&] { measured_crossing(x, round, x, x, 0); }).argument() == "confidence");
}

TEST_SUITE_END();
