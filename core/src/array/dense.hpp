#pragma once
// A float64 matrix and its linear algebra. The code is small and plain: Eigen would be a third of
// the module that students download, for matrices of a few hundred rows at most.

#include <utility>
#include <vector>

#include "attn/array/array.hpp"

namespace attn::array {

class Dense {
 public:
  Dense(Index rows, Index cols)
      : rows_(rows), cols_(cols), data_(static_cast<std::size_t>(rows * cols)) {}
  Dense(Index rows, Index cols, const double* from)
      : rows_(rows), cols_(cols), data_(from, from + rows * cols) {}
  static Dense identity(Index rows, Index cols);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  double& operator()(Index i, Index j) { return row(i)[j]; }
  double operator()(Index i, Index j) const { return row(i)[j]; }
  double* row(Index i) { return data_.data() + i * cols_; }
  const double* row(Index i) const { return data_.data() + i * cols_; }
  Dense transposed() const;
  void copy_to(double* to) const;

 private:
  Index rows_, cols_;
  std::vector<double> data_;
};

/// The factorisation P A = L U with partial pivoting.
class Lu {
 public:
  /// Throws LinAlgError where a pivot is 0, unless `may_be_singular`.
  explicit Lu(const Dense& matrix, bool may_be_singular = false);
  /// Returns X with A X = B.
  Dense solve(const Dense& b) const;
  /// The sign of the permutation.
  double sign() const { return sign_; }
  double pivot(Index i) const { return lu_(i, i); }

 private:
  Dense lu_;
  std::vector<Index> order_;
  double sign_ = 1;
};

/// Q (m×k) and R (k×n) by Householder's reflections, with LAPACK's signs.
std::pair<Dense, Dense> householder_qr(const Dense& matrix, Index k);

/// The lower Cholesky factor, computed from the lower triangle.
Dense cholesky_factor(const Dense& matrix);

struct Eigenpairs {
  /// The eigenvalues in ascending order; the eigenvectors are the columns of `vectors`.
  std::vector<double> values;
  Dense vectors;
};
/// The eigenpairs of a symmetric matrix, from its lower triangle, by Jacobi's rotations.
Eigenpairs eigenpairs(const Dense& matrix);

struct SingularParts {
  Dense u;
  std::vector<double> s;
  Dense vh;
};
/// The singular value decomposition by Jacobi's rotations of columns, which are accurate for small
/// values too, with `u_cols` columns of U and `v_rows` rows of Vᵀ.
SingularParts singular_parts(const Dense& matrix, Index u_cols, Index v_rows);

}  // namespace attn::array
