#include "attn/tensor.hpp"

#include <cmath>

#include "attn/errors.hpp"
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

#define ATTN_INSTANTIATE(T)                                                                \
  template void require_shape<T>(std::string_view, In<T>, Index, Index, std::string_view); \
  template void require_finite<T>(std::string_view, In<T>);                                \
  template void require_qkv<T>(In<T>, In<T>, In<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
