#pragma once
// Solves with a symmetric matrix that may be singular. Private to the core.

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/base/tensor.hpp"

namespace attn::internal {

/// The share of the largest eigenvalue below which one counts as 0, for an N×N matrix whose entries
/// are rounded to T.
template <typename T>
double rank_share(Index N) {
  return static_cast<double>(N) * static_cast<double>(std::numeric_limits<T>::epsilon());
}

/// The eigenvectors of a symmetric matrix, without those whose eigenvalue is 0 up to rounding.
class PseudoInverse {
 public:
  PseudoInverse(const Matrix<double>& K, double share) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver{Eigen::MatrixXd(K)};
    const Eigen::VectorXd& values = solver.eigenvalues();
    const double least = share * values.cwiseAbs().maxCoeff();
    inverse_.resize(values.size());
    for (Index i = 0; i < values.size(); ++i) {
      const bool kept = std::abs(values(i)) > least;
      inverse_(i) = kept ? 1 / values(i) : 0;
      rank_ += kept ? 1 : 0;
    }
    vectors_ = solver.eigenvectors();
  }

  Index rank() const { return rank_; }
  /// K⁺y
  Vector<double> solve(const Vector<double>& y) const {
    return vectors_ * (inverse_.cwiseProduct(vectors_.transpose() * y));
  }
  /// (K⁺)^{1/2}, where negative eigenvalues count as 0.
  Matrix<double> root() const {
    return vectors_ * inverse_.cwiseMax(0.0).cwiseSqrt().asDiagonal() * vectors_.transpose();
  }

 private:
  Eigen::MatrixXd vectors_;
  Eigen::VectorXd inverse_;
  Index rank_ = 0;
};

}  // namespace attn::internal
