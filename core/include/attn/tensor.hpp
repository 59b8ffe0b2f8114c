#pragma once
// Matrices as the rest of the core sees them.
//
// Shape letters, the same in code, docs and axis labels: n queries, m keys, d = d_k the width of
// queries and keys, d_v the width of values, D the feature dimension.

#include <Eigen/Core>
#include <string>
#include <string_view>
#include <type_traits>

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

}  // namespace attn
