#include "attn/cost/fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string>

#include "attn/base/errors.hpp"
#include "attn/cost/phrases.hpp"

namespace attn {
namespace {

void require_positive(std::string_view argument, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw ValueError(argument, phrase::number(value), phrase::finite_number_above(0));
}

void require_points(std::string_view argument, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] > 0 && std::isfinite(values[i])) continue;
    throw ValueError(argument, phrase::at_point(values[i], i), phrase::finite_numbers_above(0));
  }
}

/// The continued fraction of I_x(a, b), which converges fast for x < (a + 1)/(a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = std::numeric_limits<double>::min();
  const auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), fraction = d;
  // About √max(a, b) terms are enough; the bound stops a fraction that does not converge.
  for (int term = 1; term <= 100000; ++term) {
    const double i = term;
    const double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
    const double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
    double change = 1;
    for (const double numerator : {even, odd}) {
      d = 1 / away_from_zero(1 + numerator * d);
      c = away_from_zero(1 + numerator / c);
      change = c * d;
      fraction *= change;
    }
    if (std::abs(change - 1) <= std::numeric_limits<double>::epsilon()) break;
  }
  return fraction;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Where ln a/b, by ln x in order, becomes positive for good.
MeasuredCrossing crossing_of(const std::map<double, double>& leads) {
  MeasuredCrossing found;
  const auto last = std::prev(leads.end());
  if (last->second <= 0) {
    found.x = std::exp(last->first);
    return found;
  }
  auto after = last;
  while (after != leads.begin() && std::prev(after)->second > 0) --after;
  if (after == leads.begin()) {
    found.kind = CrossingKind::kBelow;
    found.x = std::exp(after->first);
    return found;
  }
  const auto before = std::prev(after);
  const double part = -before->second / (after->second - before->second);
  found.kind = CrossingKind::kBetween;
  found.x = std::exp(before->first + part * (after->first - before->first));
  return found;
}

}  // namespace

MeasuredCrossing measured_crossing(std::span<const double> x, std::span<const std::ptrdiff_t> round,
                                   std::span<const double> a, std::span<const double> b,
                                   double confidence) {
  const auto require_each = [&](std::string_view name, std::size_t count) {
    if (count == x.size()) return;
    throw ShapeError(name, phrase::values_seen(count), phrase::one_each_x(x.size()));
  };
  if (x.empty()) throw ShapeError("x", phrase::values_seen(0), phrase::at_least(1));
  require_each("round", round.size());
  require_each("a", a.size());
  require_each("b", b.size());
  require_points("x", x);
  require_points("a", a);
  require_points("b", b);
  if (!(confidence > 0 && confidence < 1)) {
    throw ValueError("confidence", phrase::number(confidence), phrase::number_between(0, 1));
  }

  std::map<std::ptrdiff_t, std::map<double, double>> rounds;
  std::map<double, std::vector<double>> by_length;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double lead = std::log(a[i] / b[i]);
    rounds[round[i]][std::log(x[i])] = lead;
    by_length[std::log(x[i])].push_back(lead);
  }
  std::map<double, double> medians;
  for (const auto& [length, leads] : by_length) medians[length] = median_of(leads);
  MeasuredCrossing found = crossing_of(medians);

  std::vector<double> crossings;
  for (const auto& [number, leads] : rounds) {
    if (leads.size() < 2) continue;
    ++found.rounds;
    const MeasuredCrossing one = crossing_of(leads);
    if (one.kind == CrossingKind::kBetween) crossings.push_back(std::log(one.x));
  }
  found.crossing_rounds = static_cast<std::ptrdiff_t>(crossings.size());
  if (crossings.size() < 2 || found.crossing_rounds < found.rounds) return found;
  const auto count = static_cast<double>(crossings.size());
  double mean = 0, squares = 0;
  for (const double one : crossings) mean += one / count;
  for (const double one : crossings) squares += (one - mean) * (one - mean);
  const double reach = student_t_quantile((1 + confidence) / 2, count - 1) *
                       std::sqrt(squares / (count - 1) / count);
  found.kind = CrossingKind::kBetween;
  found.x = std::exp(mean);
  found.interval = Interval{std::exp(mean - reach), std::exp(mean + reach)};
  return found;
}

double incomplete_beta(double a, double b, double x) {
  require_positive("a", a);
  require_positive("b", b);
  if (!(x >= 0 && x <= 1)) throw ValueError("x", phrase::number(x), phrase::number_from_to(0, 1));
  if (x == 0 || x == 1) return x;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_t_probability(double t, double degrees) {
  require_positive("degrees", degrees);
  if (std::isnan(t)) throw ValueError("t", phrase::not_a_number, phrase::a_number);
  if (std::isinf(t)) return t > 0 ? 1 : 0;
  const double tail = incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2;
  return t > 0 ? 1 - tail : tail;
}

double student_t_quantile(double probability, double degrees) {
  require_positive("degrees", degrees);
  if (!(probability > 0 && probability < 1)) {
    throw ValueError("probability", phrase::number(probability), phrase::number_between(0, 1));
  }
  if (probability == 0.5) return 0;
  // Probabilities in the upper half follow by symmetry from the lower half, where a small tail
  // keeps its digits.
  const double tail = std::min(probability, 1 - probability);
  double high = 1;
  while (student_t_probability(-high, degrees) > tail) high *= 2;
  double low = 0;
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (student_t_probability(-middle, degrees) > tail ? low : high) = middle;
  }
  return probability < 0.5 ? -high : high;
}

double SlopeFit::at(double x) const {
  require_positive("x", x);
  return std::exp(intercept + slope * std::log(x));
}

Interval SlopeFit::band(double x) const {
  require_positive("x", x);
  const double away = std::log(x) - mean_log_x;
  const double reach = t * residual_error * std::sqrt(1 / points + away * away / spread_log_x);
  return {at(x) * std::exp(-reach), at(x) * std::exp(reach)};
}

SlopeFit fit_slope(std::span<const double> x, std::span<const double> y, double confidence) {
  if (x.size() != y.size()) {
    throw ShapeError("y", phrase::values_seen(y.size()), phrase::one_each_x(x.size()));
  }
  if (x.size() < 3) {
    throw ShapeError("x", phrase::points_seen(x.size()), phrase::three_points);
  }
  require_points("x", x);
  require_points("y", y);
  if (!(confidence > 0 && confidence < 1)) {
    throw ValueError("confidence", phrase::number(confidence), phrase::number_between(0, 1));
  }
  if (std::all_of(x.begin(), x.end(), [&](double value) { return value == x[0]; })) {
    throw ValueError("x", phrase::same_everywhere, phrase::two_values);
  }

  SlopeFit fit;
  fit.points = static_cast<double>(x.size());
  double mean_log_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    fit.mean_log_x += std::log(x[i]) / fit.points;
    mean_log_y += std::log(y[i]) / fit.points;
  }
  double covariance = 0, variance_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - fit.mean_log_x, dy = std::log(y[i]) - mean_log_y;
    fit.spread_log_x += dx * dx;
    covariance += dx * dy;
    variance_y += dy * dy;
  }
  fit.slope = covariance / fit.spread_log_x;
  fit.intercept = mean_log_y - fit.slope * fit.mean_log_x;
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    fit.residuals.push_back(std::log(y[i]) - fit.intercept - fit.slope * std::log(x[i]));
    squares += fit.residuals.back() * fit.residuals.back();
  }
  const double degrees = fit.points - 2;
  fit.residual_error = std::sqrt(squares / degrees);
  fit.slope_error = fit.residual_error / std::sqrt(fit.spread_log_x);
  fit.intercept_error =
      fit.residual_error *
      std::sqrt(1 / fit.points + fit.mean_log_x * fit.mean_log_x / fit.spread_log_x);
  fit.confidence = confidence;
  fit.t = student_t_quantile((1 + confidence) / 2, degrees);
  fit.slope_interval = {fit.slope - fit.t * fit.slope_error, fit.slope + fit.t * fit.slope_error};
  fit.r_squared = variance_y > 0 ? 1 - squares / variance_y : 1;
  return fit;
}

}  // namespace attn
