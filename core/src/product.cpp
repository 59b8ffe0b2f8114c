#include "product.hpp"

namespace attn::internal {

template <typename T>
void product_nn(In<T> A, In<T> B, Out<T> C) {
  C.noalias() = A * B;
}

template <typename T>
void product_nt(In<T> A, In<T> B, Out<T> C) {
  C.noalias() = A * B.transpose();
}

template <typename T>
void add_product_tn(In<T> A, In<T> B, Out<T> C) {
  C.noalias() += A.transpose() * B;
}

#define ATTN_INSTANTIATE(T)                          \
  template void product_nn<T>(In<T>, In<T>, Out<T>); \
  template void product_nt<T>(In<T>, In<T>, Out<T>); \
  template void add_product_tn<T>(In<T>, In<T>, Out<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn::internal
