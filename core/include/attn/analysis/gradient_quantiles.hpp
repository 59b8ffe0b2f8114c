#pragma once
// How large gradients are. Their mean is misleading: a few unsaturated rows keep it high while most
// rows learn nothing.

#include <span>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// Quantiles as numpy.quantile computes them by default: the value at place p·(N − 1) of the sorted
/// values, linearly between neighbours. One for each probability. O(N·log N).
/// @throws ShapeError when there are no values; ValueError for a NaN among them or a probability
/// outside [0, 1].
std::vector<double> quantiles(std::vector<double> values, std::span<const double> probabilities);

/// One quantile. 0.5 is the median.
/// @throws as `quantiles`
double quantile(std::vector<double> values, double probability);

/// What a list of measured numbers is reduced to where it is drawn as one point.
struct Summary {
  double mean = 0, least = 0, median = 0, largest = 0;
};

/// The median is that of `quantile`. All four are NaN when one of the values is. O(N·log N).
/// @throws ShapeError when there are no values
Summary summarize(std::vector<double> values);

struct GradientQuantileOptions {
  std::vector<double> probabilities{0.1, 0.25, 0.5, 0.75, 0.9};
  /// Entries below this size are counted as nothing.
  double small = 1e-6;
};

struct GradientQuantiles {
  std::vector<double> probabilities;
  /// Quantiles of ‖row‖₂ and of |entry| at the given probabilities; NaN when none is finite.
  std::vector<double> row_norms, entries;
  double mean_row_norm = 0, mean_entry = 0;
  /// The share of entries with |entry| < small; NaN when none is finite.
  double small_share = 0;
  /// The number of entries that are NaN or infinite, and of rows that hold one. They are left out
  /// of all numbers above.
  Index non_finite_entries = 0, non_finite_rows = 0;
};

/// Quantiles of a gradient (n×d: dQ, or dS for the scores), by row and by entry, in float64.
/// O(n·d·log(n·d)) time, n·d float64 of memory.
/// @throws ShapeError for a matrix without rows or columns; ValueError for a probability outside
/// [0, 1] or `small` < 0.
template <typename T = float>
GradientQuantiles gradient_quantiles(In<T> gradient, const GradientQuantileOptions& options = {});

}  // namespace attn
