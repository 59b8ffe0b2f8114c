#include "attn/analysis/gradient_quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/shared.hpp"
#include "attn/base/errors.hpp"

namespace attn {
namespace {

void require_probabilities(std::span<const double> probabilities) {
  for (const double p : probabilities) {
    if (!(p >= 0 && p <= 1))
      throw ValueError("probabilities", phrase::number(p), phrase::range(0, 1));
  }
}

using internal::mean;

}  // namespace

std::vector<double> quantiles(std::vector<double> values, std::span<const double> probabilities) {
  if (values.empty()) throw ShapeError("values", phrase::empty, phrase::at_least_one);
  require_probabilities(probabilities);
  for (const double x : values) {
    if (std::isnan(x)) throw ValueError("values", phrase::not_a_number, phrase::numbers);
  }
  std::sort(values.begin(), values.end());
  std::vector<double> found;
  for (const double p : probabilities) {
    const double place = p * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double a = values[below], b = values[std::min(below + 1, values.size() - 1)];
    const double t = place - static_cast<double>(below);
    // The interpolation starts from the nearer end, as in NumPy; this also avoids differences of
    // infinities.
    if (a == b || t == 0) {
      found.push_back(a);
    } else {
      found.push_back(t < 0.5 ? a + (b - a) * t : b - (b - a) * (1 - t));
    }
  }
  return found;
}

double quantile(std::vector<double> values, double probability) {
  return quantiles(std::move(values), {&probability, 1}).front();
}

Summary summarize(std::vector<double> values) {
  constexpr double kProbabilities[] = {0, 0.5, 1};
  using internal::kNaN;
  if (std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); })) {
    return {kNaN, kNaN, kNaN, kNaN};
  }
  const double average = mean(values);
  const std::vector<double> found = quantiles(std::move(values), kProbabilities);
  return {average, found[0], found[1], found[2]};
}

template <typename T>
GradientQuantiles gradient_quantiles(In<T> gradient, const GradientQuantileOptions& options) {
  if (gradient.size() == 0) {
    throw ShapeError("gradient", phrase::shape(gradient.rows(), gradient.cols()),
                     phrase::row_and_column);
  }
  require_probabilities(options.probabilities);
  if (!(options.small >= 0))
    throw ValueError("small", phrase::number(options.small), phrase::number_of_at_least(0));
  GradientQuantiles result;
  result.probabilities = options.probabilities;
  std::vector<double> norms, entries;
  Index small = 0;
  for (Index i = 0; i < gradient.rows(); ++i) {
    bool finite = true;
    for (Index j = 0; j < gradient.cols(); ++j) {
      const double x = std::abs(static_cast<double>(gradient(i, j)));
      if (!std::isfinite(x)) {
        ++result.non_finite_entries;
        finite = false;
        continue;
      }
      entries.push_back(x);
      small += x < options.small;
    }
    if (finite) {
      norms.push_back(gradient.row(i).template cast<double>().norm());
    } else {
      ++result.non_finite_rows;
    }
  }
  result.mean_row_norm = mean(norms);
  result.mean_entry = mean(entries);
  result.small_share = static_cast<double>(small) / static_cast<double>(entries.size());
  const auto of = [&](std::vector<double> values) {
    using internal::kNaN;
    if (values.empty()) return std::vector<double>(options.probabilities.size(), kNaN);
    return quantiles(std::move(values), options.probabilities);
  };
  result.row_norms = of(std::move(norms));
  result.entries = of(std::move(entries));
  return result;
}

#define ATTN_INSTANTIATE(T) \
  template GradientQuantiles gradient_quantiles<T>(In<T>, const GradientQuantileOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
