#pragma once
// What all kernel machines need of a Gram matrix: its checks, and its Cholesky factor. Private to
// the core.

#include <string_view>

#include "attn/base/tensor.hpp"

namespace attn::internal {

/// @throws ShapeError unless K is square with at least one row; ValueError where an entry is not
/// finite, or where K is not symmetric up to 1e-4 of its largest entry.
template <typename T>
void require_gram(std::string_view name, In<T> K);

/// @throws ShapeError unless y has `n` entries; ValueError where one is not finite.
template <typename T>
void require_targets(std::string_view name, InVector<T> y, Index n);

/// As `require_targets`, and ValueError for a label that is neither −1 nor 1.
template <typename T>
void require_labels(std::string_view name, InVector<T> y, Index n);

void require_positive(std::string_view name, double x);

/// How far below 0 rounding to a precision can push the eigenvalues of a Gram matrix: N times the
/// error of its largest entry, with a factor of 8 for the kernel's own rounding and the factor's.
/// `epsilon` is that of the precision that K came in. O(N²).
double rounding_of_gram(const Eigen::MatrixXd& K, double epsilon);

/// What is added to the diagonal of a Gram matrix: times·value.
struct Ridge {
  /// The argument that says it, as an error names it.
  std::string_view argument;
  double value;
  double times = 1;
};

/// The factor L of A = L·Lᵀ in float64, whatever the precision of A: a Gram matrix of near points
/// has a condition number that float32 cannot work with.
class Cholesky {
 public:
  /// Factors K + ridge·I. N³/6 multiply-adds, 8·N² bytes; up to eight times that and another 8·N²
  /// bytes where it fails.
  /// @param epsilon that of the precision that K came in.
  /// @throws ValueError where the sum is not positive definite. Where rounding alone can be the
  /// reason it names the ridge's argument, with a value for which the factor exists; else `gram`.
  Cholesky(Eigen::MatrixXd K, const Ridge& ridge, double epsilon);

  Index size() const { return factor_.rows(); }
  /// A⁻¹·B in place. N² multiply-adds a column.
  void solve(Eigen::Ref<Vector<double>> b) const;
  void solve(Eigen::MatrixXd& B) const;
  /// L⁻¹·B in place.
  void half_solve(Eigen::MatrixXd& B) const;
  /// A⁻¹. N³/2 multiply-adds.
  Eigen::MatrixXd inverse() const;
  /// ½·ln det A = Σ ln L_ii
  double half_log_determinant() const;
  const Eigen::MatrixXd& factor() const { return factor_; }

 private:
  /// L in the lower half.
  Eigen::MatrixXd factor_;
};

/// (K + shift·I)⁻¹·y by a Cholesky factor in float32, whose products are the fast kernels', and
/// iterative refinement with residuals in float64 (Higham 2002, chapter 12), until the residual is
/// below 1e-11 of y. False, with `alpha` spoilt, where the matrix is too ill-conditioned for that.
/// N³/6 multiply-adds in float32 and 2·N² for each of a few rounds.
template <typename T>
bool refined_solve(In<T> K, double shift, const Vector<double>& y, Vector<double>& alpha);

/// ‖x_i − y_j‖² of the rows, exactly 0 for equal rows. N·M·d.
Eigen::MatrixXd squared_distances(const Matrix<double>& X, const Matrix<double>& Y);

/// The largest eigenvalue of a symmetric positive semidefinite matrix by power iteration, to about
/// a thousandth, from below. O(N²) an iteration.
double largest_eigenvalue(const Matrix<double>& K);

}  // namespace attn::internal
