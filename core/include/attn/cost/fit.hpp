#pragma once
// The exponent of a measured cost, with its uncertainty. Without Eigen, whose Index is
// std::ptrdiff_t: the harness of the exercises fits slopes too.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace attn {

struct Interval {
  double low = 0, high = 0;
};

/// ln y = intercept + slope·ln x by least squares.
struct SlopeFit {
  double slope = 0, intercept = 0;
  /// Standard errors, from the scatter of the points: √(Σ residual²/(points − 2)) is the spread.
  double slope_error = 0, intercept_error = 0;
  /// The interval that holds the true slope in the share `confidence` of all repetitions: slope ±
  /// t·slope_error.
  Interval slope_interval;
  /// The quantile of Student's t with points − 2 degrees of freedom that the intervals use.
  double confidence = 0, t = 0;
  /// 1 − Σ residual²/Σ (ln y − mean)²; 1 where all y are equal, because nothing is left to explain.
  double r_squared = 0;
  /// ln y − fit, one for each point.
  std::vector<double> residuals;

  /// The value y of the line at x.
  double at(double x) const;
  /// The confidence band of the line at x, in y: narrowest at the geometric mean of the points.
  /// @throws ValueError unless x > 0 (also `at`).
  Interval band(double x) const;

  // The numbers that `band` needs: the count of points, their mean ln x, Σ (ln x − mean)², and the
  // spread.
  double points = 0, mean_log_x = 0, spread_log_x = 0, residual_error = 0;
};

/// Fits y = e^intercept·x^slope. The intervals assume that the errors of ln y are independent,
/// normal and of one size (Draper & Smith, Applied Regression Analysis, chapter 1). A measurement
/// can be called quadratic when its slope is 2 with an interval that excludes 1. O(points).
/// @throws ShapeError for fewer than 3 points or x and y of different length; ValueError for a
/// value that is not finite and positive, for x that are all equal, and for a confidence outside
/// (0, 1).
SlopeFit fit_slope(std::span<const double> x, std::span<const double> y, double confidence = 0.95);

/// From which x on `b` is faster than `a`.
enum class CrossingKind {
  kBetween,  ///< from `x` on, which lies between two lengths that were measured
  kBelow,    ///< from the first length on, which is `x`
  kNever,    ///< not up to the last length, which is `x`
};

struct MeasuredCrossing {
  CrossingKind kind = CrossingKind::kNever;
  double x = 0;
  /// The interval that holds the true crossing in the share `confidence` of all repetitions; none
  /// where fewer than two rounds cross, or not all.
  std::optional<Interval> interval;
  /// The rounds that measured both at two lengths or more, and those of them that cross.
  std::ptrdiff_t rounds = 0, crossing_rounds = 0;
};

/// The crossing of two measured costs. Sample i is a pair that was measured in one round at length
/// x[i], so that a delay that slowed the machine slowed both. In each round the crossing is where
/// the straight line between two lengths, in ln x and ln a/b, meets 0, for the last pair of lengths
/// between which b overtakes a. Where every round crosses, the result is the geometric mean of
/// their crossings, and its interval is mean ± t·s/√rounds in ln x; that assumes independent rounds
/// whose ln x are normal. Else the medians of a/b at each length decide. O(samples·log samples).
/// @throws ShapeError for lists of different lengths or none; ValueError for a value that is not
/// finite and positive, and for a confidence outside (0, 1).
MeasuredCrossing measured_crossing(std::span<const double> x, std::span<const std::ptrdiff_t> round,
                                   std::span<const double> a, std::span<const double> b,
                                   double confidence = 0.95);

/// I_x(a, b), the regularised incomplete beta function, by its continued fraction (Lentz's method
/// as in Numerical Recipes, section 6.4; DLMF 8.17.22). Relative error below 1e-12 for a, b ≤ 1e4.
/// @throws ValueError unless 0 ≤ x ≤ 1 and a, b > 0.
double incomplete_beta(double a, double b, double x);

/// P(T ≤ t) of Student's t: 1 − I_{ν/(ν + t²)}(ν/2, ½)/2 for t ≥ 0.
/// @throws ValueError unless degrees > 0.
double student_t_probability(double t, double degrees);

/// The t with P(T ≤ t) = probability, by bisection to the last bit.
/// @throws ValueError unless 0 < probability < 1 and degrees > 0.
double student_t_quantile(double probability, double degrees);

}  // namespace attn
