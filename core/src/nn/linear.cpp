#include "attn/nn/linear.hpp"

#include "attn/base/errors.hpp"
#include "attn/nn/phrases.hpp"
#include "base/product.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

template <typename T>
void require_arguments(In<T> X, In<T> W, Index bias) {
  if (X.size() == 0) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::row_and_column);
  }
  if (W.rows() < 1 || W.cols() != X.cols()) {
    throw ShapeError("W", phrase::shape(W.rows(), W.cols()), phrase::column_each_input);
  }
  if (bias != 0 && bias != W.rows()) {
    throw ShapeError("bias", phrase::entries_seen(bias),
                     phrase::count_because(W.rows(), phrase::entry_each_output));
  }
}

}  // namespace

template <typename T>
void linear_into(In<T> X, In<T> W, InVector<T> bias,
                 Eigen::Ref<Matrix<std::type_identity_t<T>>> Y) {
  require_arguments<T>(X, W, bias.size());
  require_shape<T>("Y", Y, X.rows(), W.rows(), phrase::row_each_input_column_each_output);
  internal::product_nt<T>(X, W, Y);
  if (bias.size() == 0) return;
  Y.rowwise() += bias.transpose();
  internal::note_in_place<T>(Y.size());
}

template <typename T>
Matrix<T> linear(In<T> X, In<T> W, InVector<T> bias) {
  require_arguments<T>(X, W, bias.size());
  Matrix<T> Y(X.rows(), W.rows());
  linear_into<T>(X, W, bias, Y);
  return Y;
}

template <typename T>
Matrix<T> linear(In<T> X, In<T> W) {
  return linear<T>(X, W, Vector<T>());
}

template <typename T>
void linear_backward_into(In<T> X, In<T> W, In<T> dY,
                          Eigen::Ref<Matrix<std::type_identity_t<T>>> dX,
                          Eigen::Ref<Matrix<std::type_identity_t<T>>> dW,
                          Eigen::Ref<Vector<std::type_identity_t<T>>> d_bias) {
  require_arguments<T>(X, W, d_bias.size());
  require_shape<T>("dY", dY, X.rows(), W.rows(), phrase::shape_of_output);
  require_shape<T>("dX", dX, X.rows(), X.cols(), phrase::shape_of_input);
  require_shape<T>("dW", dW, W.rows(), W.cols(), phrase::shape_of_weights);
  internal::product_nn<T>(dY, W, dX);
  internal::add_product_tn<T>(dY, X, dW);
  if (d_bias.size() == 0) return;
  for (Index i = 0; i < dY.rows(); ++i) d_bias += dY.row(i).transpose();
  internal::note<T>({.read = internal::wide(dY.size())});
}

template <typename T>
LinearGradients<T> linear_backward(In<T> X, In<T> W, InVector<T> bias, In<T> dY) {
  LinearGradients<T> made{Matrix<T>(X.rows(), X.cols()), Matrix<T>::Zero(W.rows(), W.cols()),
                          Vector<T>::Zero(bias.size())};
  linear_backward_into<T>(X, W, dY, made.dX, made.dW, made.d_bias);
  return made;
}

#define ATTN_INSTANTIATE(T)                                                         \
  template Matrix<T> linear<T>(In<T>, In<T>, InVector<T>);                          \
  template Matrix<T> linear<T>(In<T>, In<T>);                                       \
  template void linear_into<T>(In<T>, In<T>, InVector<T>, Eigen::Ref<Matrix<T>>);   \
  template LinearGradients<T> linear_backward<T>(In<T>, In<T>, InVector<T>, In<T>); \
  template void linear_backward_into<T>(In<T>, In<T>, In<T>, Eigen::Ref<Matrix<T>>, \
                                        Eigen::Ref<Matrix<T>>, Eigen::Ref<Vector<T>>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
