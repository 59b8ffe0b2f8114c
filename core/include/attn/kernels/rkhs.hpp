#pragma once
// Functions Σ α_i k(x_i, ·) in the reproducing kernel Hilbert space (RKHS) of a kernel k: the
// functions that are sums of finitely many bumps, and all that is computed with them. The space
// itself is the completion of these in their norm (Aronszajn 1950, "Theory of Reproducing
// Kernels").
//
// For a function k that is no kernel the same formulas are computed, but they are no norm and no
// inner product then: a squared norm can be negative.

#include "attn/base/tensor.hpp"
#include "attn/kernels/kernel.hpp"

namespace attn {

/// f = Σ α_i k(x_i, ·).
template <typename T = float>
struct RkhsFunction {
  /// x_i, N×d.
  Matrix<T> points;
  /// α_i, N entries.
  Vector<T> alpha;
};

/// f(z_j) = Σ α_i k(x_i, z_j) for the rows of Z (M×d): M entries. O(N·M·d).
/// @throws ShapeError where alpha does not fit the points; ValueError where an entry is not finite;
/// and as `Kernel::gram`.
template <typename T = float>
Vector<T> rkhs_values(const Kernel<T>& kernel, const RkhsFunction<T>& f, In<T> Z);

/// ⟨f, g⟩ = Σ α_i β_j k(x_i, y_j), for f with (x_i, α_i) and g with (y_j, β_j). With g = k(z, ·) it
/// is f(z): the reproducing property. O(N·M·d).
/// @throws as `rkhs_values`.
template <typename T = float>
double rkhs_inner_product(const Kernel<T>& kernel, const RkhsFunction<T>& f,
                          const RkhsFunction<T>& g);

/// ‖f‖² = αᵀKα. O(N²·d).
/// @throws as `rkhs_values`.
template <typename T = float>
double rkhs_squared_norm(const Kernel<T>& kernel, const RkhsFunction<T>& f);

/// f split into a function of a span and a function orthogonal to it.
template <typename T = float>
struct RkhsProjection {
  /// The function of span{k(z_j, ·)} that is nearest to f; of several weights β those with the
  /// least sum of squares.
  RkhsFunction<T> inside;
  /// ‖inside‖² and ‖f − inside‖² = ‖f‖² − ‖inside‖².
  double inside_squared_norm = 0, outside_squared_norm = 0;
  /// The largest |f(z_j) − inside(z_j)|: the part outside is 0 at every z_j.
  double largest_difference = 0;
  /// How many of the k(z_j, ·) are linearly independent, up to rounding.
  Index rank = 0;
};

/// Projects f onto span{k(z_j, ·)} for the rows of Z (M×d): β with K_ZZ β = f(Z). In float64, by
/// the eigenvectors of K_ZZ, so that equal points do no harm. O(M³ + N·M·d).
/// @throws as `rkhs_values`; CapacityError for more than `kMaxProjectionRows` rows of Z.
template <typename T = float>
RkhsProjection<T> rkhs_projection(const Kernel<T>& kernel, const RkhsFunction<T>& f, In<T> Z);

/// The function of least norm with the values y (M entries) at the rows of Z, where there is one;
/// otherwise the one whose values are nearest to y. It is the projection of every function with
/// these values. O(M³).
/// @throws as `rkhs_projection`; ShapeError where y has not M entries.
template <typename T = float>
RkhsFunction<T> rkhs_interpolation(const Kernel<T>& kernel, In<T> Z, InVector<T> y);

inline constexpr Index kMaxProjectionRows = 512;

/// The kernel mean embedding of a sample, (1/N)Σ k(x_i, ·): the function with ⟨f, μ⟩ = mean of f
/// over the sample (Smola et al. 2007). O(N·d).
/// @throws ShapeError for an empty X.
template <typename T = float>
RkhsFunction<T> mean_embedding(In<T> X);

template <typename T = float>
struct MeanDiscrepancy {
  /// ‖μ_X − μ_Y‖², never negative with a kernel; on average it is above 0 also for samples of one
  /// distribution.
  double biased = 0;
  /// The estimate without k(x_i, x_i), whose mean is the squared distance of the distributions
  /// (Gretton et al. 2012, JMLR 13, lemma 6). It can be negative. NaN where a sample has one point.
  double unbiased = 0;
  /// μ_X − μ_Y: large where X is denser than Y.
  RkhsFunction<T> witness;
};

/// The maximum mean discrepancy of two samples, N×d and M×d. O((N + M)²·d).
/// @throws as `Kernel::gram`.
template <typename T = float>
MeanDiscrepancy<T> maximum_mean_discrepancy(const Kernel<T>& kernel, In<T> X, In<T> Y);

}  // namespace attn
