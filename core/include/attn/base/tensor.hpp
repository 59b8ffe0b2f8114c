#pragma once
// Matrices as the rest of the core uses them.
//
// Shape letters, the same in code, docs and axis labels: n queries, m keys, d = d_k the width of
// queries and keys, d_v the width of values, D the feature dimension.

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "attn/base/phrase.hpp"

// These specialisations make Eigen report the memory of its arrays to `OperationMeter`
// (operation_count.hpp). Eigen has no hook for this, and a count kept by hand would miss
// temporaries.
namespace Eigen::internal {
template <>
float* conditional_aligned_new_auto<float, true>(std::size_t size);
template <>
double* conditional_aligned_new_auto<double, true>(std::size_t size);
template <>
void conditional_aligned_delete_auto<float, true>(float* array, std::size_t size);
template <>
void conditional_aligned_delete_auto<double, true>(double* array, std::size_t size);
}  // namespace Eigen::internal

namespace attn {

using Index = Eigen::Index;

/// A row-major matrix, as in NumPy and in JavaScript's typed arrays: row i is contiguous, so that a
/// result can be passed to the page without being rearranged.
template <typename T = float>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <typename T = float>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// The parameter type of a matrix that a function only reads: a `Matrix<T>`, a block of rows of
/// one, or a map over foreign memory, without a copy. The scalar is not deduced: `attention(Q, K,
/// V)` is float32, `attention<double>(Q, K, V)` is float64.
template <typename T = float>
using In = const Eigen::Ref<const Matrix<std::type_identity_t<T>>>&;

/// The parameter type of a vector that a function only reads: a `Vector<T>`, or a row of a matrix
/// as `X.row(i).transpose()`, without a copy.
template <typename T = float>
using InVector = const Eigen::Ref<const Vector<std::type_identity_t<T>>>&;

/// A matrix that options carry from call to call, such as a bias of n×m. Copying the options copies
/// a pointer only. The entries exist until the last copy is gone, and changing one copy does not
/// change another.
template <typename T = float>
class SharedMatrix {
 public:
  /// An empty matrix, which means that none is given.
  SharedMatrix() = default;
  /// Takes over the matrix without copying its entries.
  SharedMatrix(Matrix<T>&& x)  // NOLINT: as if it were the matrix
      : x_(x.size() == 0 ? nullptr : std::make_shared<Matrix<T>>(std::move(x))) {}
  /// Evaluates an expression, or copies a matrix that its owner keeps.
  template <typename Expression>
  SharedMatrix(const Eigen::MatrixBase<Expression>& x)  // NOLINT: as if it were the matrix
      : SharedMatrix(Matrix<T>(x)) {}
  /// Refers to `x` without copying it; `x` must outlive every copy of this object.
  static SharedMatrix borrow(const Matrix<T>& x) {
    SharedMatrix result;
    // The pointer owns nothing: the matrix belongs to the caller, and `edit` copies it first.
    result.x_ = std::shared_ptr<Matrix<T>>(std::shared_ptr<void>(), const_cast<Matrix<T>*>(&x));
    return result;
  }
  static SharedMatrix borrow(const Matrix<T>&& x) = delete;

  Index size() const { return x_ ? x_->size() : 0; }
  const Matrix<T>& operator*() const {
    static const Matrix<T> kNone;
    return x_ ? *x_ : kNone;
  }
  const Matrix<T>* operator->() const { return &**this; }
  T operator()(Index i, Index j) const { return (**this)(i, j); }
  /// The matrix for changes: a matrix of its own, copied first where it is shared or borrowed.
  Matrix<T>& edit() {
    if (x_.use_count() != 1) x_ = std::make_shared<Matrix<T>>(**this);
    return *x_;
  }

 private:
  std::shared_ptr<Matrix<T>> x_;
};

/// A shape as text, such as "5×4", as it is written in every message.
std::string shape_text(Index rows, Index cols);

/// @throws ShapeError unless `x` is rows×cols. `reason` says where the wanted shape comes from
/// (`phrase::rows_as_k`).
template <typename T = float>
void require_shape(std::string_view argument, In<T> x, Index rows, Index cols,
                   const Phrase<0>& reason);

/// @throws ValueError naming the first entry that is NaN or infinite. Costs one pass.
template <typename T = float>
void require_finite(std::string_view argument, In<T> x);

/// The requirements of every attention on its inputs: Q n×d_k, K m×d_k, V m×d_v, all with at least
/// one row and one column, and all finite.
/// @throws ShapeError, ValueError
template <typename T = float>
void require_qkv(In<T> Q, In<T> K, In<T> V);

/// A matrix of the same shape for every batch entry and head, in one piece of memory: (b, h, i, j)
/// is at ((b·heads + h)·rows + i)·cols + j, as in NumPy's array of shape [batch, heads, rows,
/// cols].
template <typename T = float>
class Stack {
 public:
  /// An empty stack without matrices.
  Stack() = default;
  /// A stack of zeros.
  /// @throws ValueError when a count is negative; CapacityError when the product of the counts, a
  /// count of 0 taken as 1, does not fit an Index.
  Stack(Index batch, Index heads, Index rows, Index cols);

  Index batch() const { return batch_; }
  Index heads() const { return heads_; }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  /// batch·heads
  Index count() const { return batch_ * heads_; }
  Index size() const { return all_.size(); }
  T* data() { return all_.data(); }
  const T* data() const { return all_.data(); }
  /// The matrix of head h in batch entry b, to read and to write. O(1).
  /// @throws ValueError for a place outside the stack.
  Eigen::Map<Matrix<T>> operator()(Index b, Index h);
  Eigen::Map<const Matrix<T>> operator()(Index b, Index h) const;

 private:
  Index offset(Index b, Index h) const;

  Index batch_ = 0, heads_ = 0, rows_ = 0, cols_ = 0;
  Vector<T> all_;
};

/// "2×8×5×4": batch×heads×rows×cols.
template <typename T = float>
std::string shape_text(const Stack<T>& x) {
  return shape_text(x.batch(), x.heads()) + "×" + shape_text(x.rows(), x.cols());
}

}  // namespace attn
