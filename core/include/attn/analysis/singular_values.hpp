#pragma once
// Singular values, and the rank that they show.

#include <optional>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// The min(n, m) singular values of `x` (n×m), largest first, computed in float64.
///
/// Householder bidiagonalisation, then bisection on the Golub–Kahan matrix (Golub & Van Loan,
/// "Matrix Computations", 5.4.8 and 8.4.1): each value is right to within some ε·σ_max, like those
/// of LAPACK. Eigen's BDCSVD is as accurate, but takes 45 KB (gzip) of a visitor's download; this
/// takes 4. About 4·n·m·min(n, m) operations and n·m float64 of memory.
/// @throws ValueError when an entry is not finite.
template <typename T = float>
std::vector<double> singular_values(In<T> x);

/// The number of `values` (largest first) that are larger than tolerance·(the largest). O(k).
/// @throws ValueError for a tolerance outside [0, 1).
Index numerical_rank(const std::vector<double>& values, double tolerance);

/// The tolerance of NumPy's matrix_rank: max(n, m)·ε of T.
template <typename T = float>
double rank_tolerance(Index n, Index m);

/// The rank of `x`, up to `tolerance`; left out: `rank_tolerance`. Cost of `singular_values`.
/// @throws ValueError
template <typename T = float>
Index numerical_rank(In<T> x, std::optional<double> tolerance = {});

/// The largest matrix that `symmetric_eigenvalues` takes, and how far from symmetric it may be,
/// relative to its largest entry.
inline constexpr Index kMaxEigenvalueRows = 512;
inline constexpr double kSymmetry = 1e-6;

/// The eigenvalues of a symmetric matrix, largest first, in float64. Those of a Gram matrix show
/// whether its kernel can be positive semidefinite: none may be below −max·(some rounding).
/// Householder tridiagonal form, then bisection with Sturm's sequence (Golub & Van Loan, "Matrix
/// Computations", sections 8.3 and 8.4). 4/3·n³ + O(n²) multiply-adds. A matrix within 1e-6 of
/// symmetric is replaced by (x + xᵀ)/2.
/// @throws ShapeError unless x is square and not empty; ValueError where it is not symmetric or not
/// finite; CapacityError for more than `kMaxEigenvalueRows` rows.
template <typename T = float>
std::vector<double> symmetric_eigenvalues(In<T> x);

}  // namespace attn
