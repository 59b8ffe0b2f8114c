#include "product.hpp"

#include "meter.hpp"

namespace attn::internal {
namespace {

/// C with sums of `depth` products, from A and B.
template <typename T>
void note_product(In<T> A, In<T> B, Index depth, Out<T> C, bool added) {
  if (C.size() == 0) return;
  note<T>({.multiply_adds = wide(C.size()) * wide(depth),
           .read = wide(A.size()) + wide(B.size()) + (added ? wide(C.size()) : 0),
           .written = wide(C.size())});
}

}  // namespace

template <typename T>
void product_nn(In<T> A, In<T> B, Out<T> C) {
  C.noalias() = A * B;
  note_product<T>(A, B, A.cols(), C, false);
}

template <typename T>
void product_nt(In<T> A, In<T> B, Out<T> C) {
  C.noalias() = A * B.transpose();
  note_product<T>(A, B, A.cols(), C, false);
}

template <typename T>
void add_product_tn(In<T> A, In<T> B, Out<T> C) {
  C.noalias() += A.transpose() * B;
  note_product<T>(A, B, A.rows(), C, true);
}

#define ATTN_INSTANTIATE(T)                          \
  template void product_nn<T>(In<T>, In<T>, Out<T>); \
  template void product_nt<T>(In<T>, In<T>, Out<T>); \
  template void add_product_tn<T>(In<T>, In<T>, Out<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn::internal
