#pragma once
// Kernel ridge regression: the function of least squared error and least norm, in closed form.

#include "attn/base/tensor.hpp"

namespace attn {

/// What λ multiplies the norm against.
enum class RidgeScaling {
  kSum,  ///< Σ(f(x_i) − y_i)² + λ‖f‖², so that (K + λI)·α = y: scikit-learn's `alpha`
  kMean,  ///< (1/N)Σ(f(x_i) − y_i)² + λ‖f‖², so that (K + N·λ·I)·α = y: the tutorial's
};

template <typename T = float>
struct KernelRidgeFit {
  /// N coefficients: f(x) = Σ α_i k(x_i, x).
  Vector<T> alpha;
  /// f at the N points, K·α.
  Vector<T> fitted;
  /// (1/N)Σ(f(x_i) − y_i)²
  double mean_squared_error = 0;
  /// ‖f‖² = αᵀKα
  double norm_squared = 0;
  /// What was minimised, in the chosen scaling.
  double objective = 0;
  /// What was added to the diagonal: λ or N·λ.
  double shift = 0;
};

/// The minimiser of a squared loss and λ‖f‖² over the whole RKHS. By the representer theorem
/// (Schölkopf, Herbrich and Smola 2001) it is Σ α_i k(x_i, ·), and the condition for the α_i is
/// linear (Saunders, Gammerman and Vovk 1998). Points that occur twice are no special case, since
/// λ > 0. N³/6 + 2N² multiply-adds by Cholesky in float64, 8·N² bytes; from 128 points on in
/// float32 with residuals in float64, unless the matrix is too ill-conditioned for that. Either way
/// (K + shift·I)·α is y up to 1e-11 of it; the error of α is that times the condition number, and
/// in float32 what rounding of the Gram matrix makes of it, 1e-7·(largest eigenvalue)/shift.
/// @param gram N×N, k(x_i, x_j).
/// @throws ShapeError; ValueError unless λ > 0 and finite, for numbers that are not finite, a Gram
/// matrix that is not symmetric, and where K + shift·I is not positive definite. Where rounding of
/// the Gram matrix to T alone can be the reason, the error names λ, with a value that is enough;
/// else it names the matrix.
template <typename T = float>
KernelRidgeFit<T> kernel_ridge(In<T> gram, InVector<T> y, double lambda,
                               RidgeScaling scaling = RidgeScaling::kMean);

/// f at other points: cross·α + bias, for cross_ij = k(z_i, x_j), M×N. M·N multiply-adds, summed in
/// float64.
/// @throws ShapeError unless cross has a column for each coefficient.
template <typename T = float>
Vector<T> kernel_expansion(In<T> cross, InVector<T> alpha, double bias = 0);

}  // namespace attn
