#pragma once
// Matrices as the rest of the core sees them.
//
// Shape letters, the same in code, docs and axis labels: n queries, m keys, d = d_k the width of
// queries and keys, d_v the width of values, D the feature dimension.

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

// Where Eigen takes and gives back the memory of its arrays, made to tell `OperationMeter`
// (operation_count.hpp). Eigen has no hook for it, and a count kept by hand would miss the
// temporaries that nobody wrote down.
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

/// Row-major, as in NumPy and in JavaScript's typed arrays: row i is contiguous. Row-major is what
/// lets a result be handed to the page without being rearranged.
template <typename T = float>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <typename T = float>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

/// How a function takes a matrix it only reads: a `Matrix<T>`, a block of rows of one or a map over
/// foreign memory, without a copy. The scalar is not deduced: `attention(Q, K, V)` is float32,
/// `attention<double>(Q, K, V)` is float64.
template <typename T = float>
using In = const Eigen::Ref<const Matrix<std::type_identity_t<T>>>&;

/// How a function takes a vector it only reads: a `Vector<T>`, or a row of a matrix as
/// `X.row(i).transpose()`, without a copy.
template <typename T = float>
using InVector = const Eigen::Ref<const Vector<std::type_identity_t<T>>>&;

/// "5×4": how shapes are written in every message.
std::string shape_text(Index rows, Index cols);

/// @throws ShapeError unless `x` is rows×cols. `reason` says where the wanted shape comes from
/// ("as many rows as K").
template <typename T = float>
void require_shape(std::string_view argument, In<T> x, Index rows, Index cols,
                   std::string_view reason);

/// @throws ValueError naming the first entry that is NaN or infinite. Costs one pass.
template <typename T = float>
void require_finite(std::string_view argument, In<T> x);

/// What every attention asks of its inputs: Q n×d_k, K m×d_k, V m×d_v, all with at least one row
/// and one column, all finite.
/// @throws ShapeError, ValueError
template <typename T = float>
void require_qkv(In<T> Q, In<T> K, In<T> V);

/// A matrix of the same shape for every batch entry and head, in one piece of memory:
/// (b, h, i, j) stands at ((b·heads + h)·rows + i)·cols + j, as in NumPy's array of shape
/// [batch, heads, rows, cols].
template <typename T = float>
class Stack {
 public:
  /// No matrix at all.
  Stack() = default;
  /// Zeros.
  /// @throws ValueError when a count is negative, CapacityError when Index cannot count the
  /// entries.
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
