#pragma once
// Singular values and the rank they show.

#include <optional>
#include <vector>

#include "attn/tensor.hpp"

namespace attn {

/// The min(n, m) singular values of `x` (n×m), largest first, computed in float64.
///
/// Householder bidiagonalisation, then bisection on the Golub–Kahan matrix (Golub & Van Loan,
/// "Matrix Computations", 5.4.8 and 8.4.1): each value is right within some ε·σ_max, like those of
/// LAPACK. Eigen's BDCSVD does as much for 45 KB (gzip) of a visitor's download; this takes 4.
/// About 4·n·m·min(n, m) operations and n·m float64 of memory.
/// @throws ValueError when an entry is not finite.
template <typename T = float>
std::vector<double> singular_values(In<T> x);

/// How many of `values` (largest first) are larger than tolerance·(the largest). O(k).
/// @throws ValueError for a tolerance outside [0, 1).
Index numerical_rank(const std::vector<double>& values, double tolerance);

/// The tolerance NumPy's matrix_rank takes: max(n, m)·ε of T.
template <typename T = float>
double rank_tolerance(Index n, Index m);

/// The rank of `x`, up to `tolerance`; left out: `rank_tolerance`. Cost of `singular_values`.
/// @throws ValueError
template <typename T = float>
Index numerical_rank(In<T> x, std::optional<double> tolerance = {});

}  // namespace attn
