#include "attn/base/tensor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/base/errors.hpp"
#include "simd/simd.hpp"

namespace attn {

std::string shape_text(Index rows, Index cols) {
  return std::to_string(rows) + "×" + std::to_string(cols);
}

template <typename T>
void require_shape(std::string_view argument, In<T> x, Index rows, Index cols,
                   const Phrase<0>& reason) {
  if (x.rows() == rows && x.cols() == cols) return;
  throw ShapeError(argument, phrase::shape(x.rows(), x.cols()),
                   phrase::shape_because(rows, cols, reason));
}

template <typename T>
void require_finite(std::string_view argument, In<T> x) {
  if constexpr (std::is_same_v<T, float>) {
    if (std::isfinite(simd::largest_magnitude(x.data(), x.rows(), x.cols(), x.outerStride()))) {
      return;
    }
  }
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) {
      if (!std::isfinite(x(i, j))) {
        throw ValueError(argument, phrase::at_cell(x(i, j), i, j), phrase::finite_numbers);
      }
    }
  }
}

template <typename T>
void require_qkv(In<T> Q, In<T> K, In<T> V) {
  const auto require_filled = [](std::string_view name, In<T> x) {
    if (x.rows() == 0 || x.cols() == 0) {
      throw ShapeError(name, phrase::shape(x.rows(), x.cols()), phrase::row_and_column);
    }
  };
  require_filled("Q", Q);
  require_filled("K", K);
  require_filled("V", V);
  require_shape<T>("K", K, K.rows(), Q.cols(), phrase::columns_as_q);
  require_shape<T>("V", V, K.rows(), V.cols(), phrase::rows_as_k);
  require_finite<T>("Q", Q);
  require_finite<T>("K", K);
  require_finite<T>("V", V);
}

template <typename T>
Stack<T>::Stack(Index batch, Index heads, Index rows, Index cols)
    : batch_(batch), heads_(heads), rows_(rows), cols_(cols) {
  if (batch < 0 || heads < 0 || rows < 0 || cols < 0) {
    throw ValueError("shape", phrase::stack_shape(batch, heads, rows, cols),
                     phrase::counts_from_zero);
  }
  // A count of 0 is taken as 1. With cols = 0 the stack has no numbers, but the intermediate
  // product batch·heads·rows could still overflow an Index of 32 bits.
  const auto length = [](Index count) { return static_cast<double>(std::max<Index>(count, 1)); };
  const double size = length(batch) * length(heads) * length(rows) * length(cols);
  const double largest = static_cast<double>(std::numeric_limits<Index>::max());
  if (size >= largest) {
    throw CapacityError("shape", phrase::stack_shape(batch, heads, rows, cols),
                        phrase::fewer_numbers(largest));
  }
  all_ = Vector<T>::Zero(batch * heads * rows * cols);
}

template <typename T>
Index Stack<T>::offset(Index b, Index h) const {
  const auto require_inside = [](const char* name, Index at, Index count) {
    if (at >= 0 && at < count) return;
    throw ValueError(name, phrase::number(at), phrase::range(0, count - 1));
  };
  require_inside("b", b, batch_);
  require_inside("h", h, heads_);
  return (b * heads_ + h) * rows_ * cols_;
}

template <typename T>
Eigen::Map<Matrix<T>> Stack<T>::operator()(Index b, Index h) {
  return {all_.data() + offset(b, h), rows_, cols_};
}

template <typename T>
Eigen::Map<const Matrix<T>> Stack<T>::operator()(Index b, Index h) const {
  return {all_.data() + offset(b, h), rows_, cols_};
}

#define ATTN_INSTANTIATE(T)                                                                \
  template void require_shape<T>(std::string_view, In<T>, Index, Index, const Phrase<0>&); \
  template void require_finite<T>(std::string_view, In<T>);                                \
  template void require_qkv<T>(In<T>, In<T>, In<T>);                                       \
  template class Stack<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
