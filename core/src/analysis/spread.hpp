#pragma once
// The quantiles that experiments over draws report.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "analysis/shared.hpp"
#include "attn/analysis/gradient_quantiles.hpp"
#include "attn/analysis/random_feature_errors.hpp"

namespace attn::internal {

/// The quantiles 0.1, 0.5 and 0.9; NaN without values or with a NaN among them.
inline Spread spread_of(std::vector<double> values) {
  constexpr double kProbabilities[] = {0.1, 0.5, 0.9};
  const bool none = values.empty() || std::any_of(values.begin(), values.end(),
                                                  [](double value) { return std::isnan(value); });
  if (none) return {kNaN, kNaN, kNaN};
  const std::vector<double> three = quantiles(std::move(values), kProbabilities);
  return {three[0], three[1], three[2]};
}

}  // namespace attn::internal
