#pragma once
// One matrix of float64 and what linear algebra does with it. Small and plain: Eigen would be a
// third of the module that students download, for matrices of a few hundred rows at most.

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

/// P A = L U with partial pivoting.
class Lu {
 public:
  /// LinAlgError where a pivot is 0, unless that may be.
  explicit Lu(const Dense& matrix, bool may_be_singular = false);
  /// X with A X = B.
  Dense solve(const Dense& b) const;
  /// Of the permutation.
  double sign() const { return sign_; }
  double pivot(Index i) const { return lu_(i, i); }

 private:
  Dense lu_;
  std::vector<Index> order_;
  double sign_ = 1;
};

/// Q (m×k) and R (k×n) by Householder's reflections, with LAPACK's signs.
std::pair<Dense, Dense> householder_qr(const Dense& matrix, Index k);

/// The lower factor, from the lower triangle.
Dense cholesky_factor(const Dense& matrix);

struct Eigenpairs {
  /// Ascending; vectors are the columns.
  std::vector<double> values;
  Dense vectors;
};
/// Of a symmetric matrix, from its lower triangle, by Jacobi's rotations.
Eigenpairs eigenpairs(const Dense& matrix);

struct SingularParts {
  Dense u;
  std::vector<double> s;
  Dense vh;
};
/// By Jacobi's rotations of columns, which are accurate for small values too; with so many columns
/// of U and rows of Vᵀ.
SingularParts singular_parts(const Dense& matrix, Index u_cols, Index v_rows);

}  // namespace attn::array
