#include "attn/tensor.hpp"

#include <cmath>
#include <limits>

#include "attn/errors.hpp"
#include "simd/simd.hpp"
#include "text.hpp"

namespace attn {

std::string shape_text(Index rows, Index cols) {
  return std::to_string(rows) + "×" + std::to_string(cols);
}

template <typename T>
void require_shape(std::string_view argument, In<T> x, Index rows, Index cols,
                   std::string_view reason) {
  if (x.rows() == rows && x.cols() == cols) return;
  throw ShapeError(argument, shape_text(x.rows(), x.cols()),
                   shape_text(rows, cols) + " (" + std::string(reason) + ")");
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
        throw ValueError(argument,
                         number_text(static_cast<double>(x(i, j))) + " at row " +
                             std::to_string(i) + ", column " + std::to_string(j),
                         "finite numbers");
      }
    }
  }
}

template <typename T>
void require_qkv(In<T> Q, In<T> K, In<T> V) {
  const auto require_filled = [](std::string_view name, In<T> x) {
    if (x.rows() == 0 || x.cols() == 0) {
      throw ShapeError(name, shape_text(x.rows(), x.cols()), "at least one row and one column");
    }
  };
  require_filled("Q", Q);
  require_filled("K", K);
  require_filled("V", V);
  require_shape<T>("K", K, K.rows(), Q.cols(), "as many columns as Q: d_k");
  require_shape<T>("V", V, K.rows(), V.cols(), "as many rows as K: one value for each key");
  require_finite<T>("Q", Q);
  require_finite<T>("K", K);
  require_finite<T>("V", V);
}

template <typename T>
Stack<T>::Stack(Index batch, Index heads, Index rows, Index cols)
    : batch_(batch), heads_(heads), rows_(rows), cols_(cols) {
  if (batch < 0 || heads < 0 || rows < 0 || cols < 0) {
    throw ValueError("shape", shape_text(batch, heads) + "×" + shape_text(rows, cols),
                     "counts of at least 0");
  }
  const double size = static_cast<double>(batch) * static_cast<double>(heads) *
                      static_cast<double>(rows) * static_cast<double>(cols);
  const double largest = static_cast<double>(std::numeric_limits<Index>::max());
  if (size >= largest) {
    throw CapacityError("shape", shape_text(batch, heads) + "×" + shape_text(rows, cols),
                        "fewer than " + number_text(largest) + " numbers");
  }
  all_ = Vector<T>::Zero(batch * heads * rows * cols);
}

template <typename T>
Index Stack<T>::offset(Index b, Index h) const {
  const auto require_inside = [](const char* name, Index at, Index count) {
    if (at >= 0 && at < count) return;
    throw ValueError(name, std::to_string(at), "0 to " + std::to_string(count - 1));
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
  template void require_shape<T>(std::string_view, In<T>, Index, Index, std::string_view); \
  template void require_finite<T>(std::string_view, In<T>);                                \
  template void require_qkv<T>(In<T>, In<T>, In<T>);                                       \
  template class Stack<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
