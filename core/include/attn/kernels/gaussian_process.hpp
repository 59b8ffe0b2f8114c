#pragma once
// Gaussian process regression: ridge regression that knows how sure it is.

#include <array>

#include "attn/base/tensor.hpp"

namespace attn {

/// A zero-mean Gaussian process with independent noise, given its values at N points (Rasmussen and
/// Williams 2006, algorithm 2.1). All in float64 after the Gram matrix. The posterior mean is
/// kernel ridge regression with λ (of `RidgeScaling::kSum`) the variance of the noise.
template <typename T = float>
class GaussianProcess {
 public:
  /// Factors K + noise·I: N³/6 multiply-adds, 8·N² bytes.
  /// @param noise_variance > 0
  /// @throws as `kernel_ridge`, with the noise in the place of λ.
  GaussianProcess(In<T> gram, InVector<T> y, double noise_variance);

  /// (K + noise·I)⁻¹y
  const Vector<double>& alpha() const { return alpha_; }
  /// ln p(y) = −½yᵀα − Σln L_ii − (N/2)ln 2π (eq. 2.30)
  double log_marginal_likelihood() const;
  /// Its two parts: −½yᵀα says how well the data fit, −Σln L_ii how much the model could have said
  /// instead.
  double data_fit() const;
  double complexity() const;
  /// ∂ln p/∂K_ij = ½(ααᵀ − (K + noise·I)⁻¹)_ij (eq. 5.9): of any parameter θ the slope is
  /// Σ_ij of this times ∂K_ij/∂θ, of the variance of the noise its trace. N³/2 multiply-adds.
  Matrix<double> d_gram() const;

  /// The posterior mean at M points. @param cross M×N. M·N multiply-adds.
  /// @throws ShapeError
  Vector<T> mean(In<T> cross) const;
  /// The posterior covariance of f, without noise. @param prior M×M, k between the M points.
  /// M·N²/2 + M²·N multiply-adds.
  /// @throws ShapeError
  Matrix<T> covariance(In<T> cross, In<T> prior) const;
  /// Its diagonal, at least 0. @param prior_diagonal k(z, z) of the M points. M·N²/2.
  /// @throws ShapeError
  Vector<T> variance(In<T> cross, InVector<T> prior_diagonal) const;

 private:
  Eigen::MatrixXd explained(In<T> cross) const;

  Vector<double> y_, alpha_;
  /// L of K + noise·I = L·Lᵀ, in the lower half.
  Eigen::MatrixXd factor_;
};

/// k(x, y) = signal_variance·e^{−‖x − y‖²/(2·length²)}, and noise.
struct RbfProcessParameters {
  double signal_variance = 1, length = 1, noise_variance = 0.1;
};

template <typename T = float>
struct RbfProcess {
  /// At the M points: the posterior mean and variance of f, without noise.
  Vector<T> mean, variance;
  /// M×M, without noise.
  Matrix<T> covariance;
  double log_marginal_likelihood = 0, data_fit = 0, complexity = 0;
  /// Its slopes by the logarithms of signal variance, length and noise variance.
  std::array<double, 3> d_log{};
};

/// A Gaussian process with the RBF kernel, with the gradient of its likelihood.
/// 2·N³/3 + M·N²/2 + M²·N multiply-adds.
/// @param X N×d, @param Z M×d; M may be 0, as 0×d.
/// @throws ShapeError; ValueError unless all three parameters are above 0 and finite.
template <typename T = float>
RbfProcess<T> rbf_process(In<T> X, InVector<T> y, In<T> Z, const RbfProcessParameters& parameters);

}  // namespace attn
