#pragma once
// The three matrix products that all other code uses. They are in one place so that each is
// compiled once (Eigen would instantiate its whole GEMM for every combination of expressions) and
// optimised once. Private to the core.

#include "attn/base/tensor.hpp"

namespace attn::internal {

template <typename T>
using Out = Eigen::Ref<Matrix<std::type_identity_t<T>>>;

/// C = A·B
template <typename T>
void product_nn(In<T> A, In<T> B, Out<T> C);
/// C = A·Bᵀ
template <typename T>
void product_nt(In<T> A, In<T> B, Out<T> C);
/// C += Aᵀ·B
template <typename T>
void add_product_tn(In<T> A, In<T> B, Out<T> C);

template <typename T>
Matrix<T> product_nn(In<T> A, In<T> B) {
  Matrix<T> C(A.rows(), B.cols());
  product_nn<T>(A, B, C);
  return C;
}

template <typename T>
Matrix<T> product_nt(In<T> A, In<T> B) {
  Matrix<T> C(A.rows(), B.rows());
  product_nt<T>(A, B, C);
  return C;
}

template <typename T>
Matrix<T> product_tn(In<T> A, In<T> B) {
  Matrix<T> C = Matrix<T>::Zero(A.cols(), B.cols());
  add_product_tn<T>(A, B, C);
  return C;
}

}  // namespace attn::internal
