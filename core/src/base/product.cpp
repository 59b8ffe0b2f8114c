#include "base/product.hpp"

#include "cost/meter.hpp"
#include "simd/simd.hpp"

namespace attn::internal {
namespace {

/// Counts the work of C = A·B, with sums of `depth` products.
template <typename T>
void note_product(In<T> A, In<T> B, Index depth, Out<T> C, bool added) {
  if (C.size() == 0) return;
  note<T>({.multiply_adds = wide(C.size()) * wide(depth),
           .read = wide(A.size()) + wide(B.size()) + (added ? wide(C.size()) : 0),
           .written = wide(C.size())});
}

/// Below this size a product takes less time than packing its factors for the kernel, and with
/// fewer than four rows or columns the kernel's tiles would be mostly empty.
constexpr Index kSmall = 4;

/// Computes C = A·B, or C += A·B, with the float32 kernel; returns whether the kernel could. a_col
/// and b_col are the distances from column to column of A and B.
template <typename T>
bool fast_product([[maybe_unused]] In<T> A, [[maybe_unused]] In<T> B,
                  [[maybe_unused]] bool turned_a, [[maybe_unused]] bool turned_b,
                  [[maybe_unused]] Out<T> C, [[maybe_unused]] bool add) {
  if constexpr (std::is_same_v<T, float>) {
    const Index depth = turned_a ? A.rows() : A.cols();
    if (C.rows() < kSmall || C.cols() < kSmall || depth < kSmall) return false;
    const Index a = A.outerStride(), b = B.outerStride();
    simd::gemm({C.rows(), C.cols(), depth, A.data(), B.data(), turned_a ? 1 : a, turned_a ? a : 1,
                turned_b ? 1 : b, turned_b ? b : 1, C.data(), C.outerStride(),
                add ? C.data() : nullptr, C.outerStride()});
    return true;
  } else {
    return false;
  }
}

/// A·B as an expression. The float32 products that the kernel leaves are thin. Eigen's blocked
/// product gains nothing there, and would add five kilobytes to every visitor's download.
template <typename T, typename Left, typename Right>
auto times(const Left& A, const Right& B) {
  if constexpr (std::is_same_v<T, float>) {
    return A.lazyProduct(B);
  } else {
    return A * B;
  }
}

}  // namespace

template <typename T>
void product_nn(In<T> A, In<T> B, Out<T> C) {
  if (!fast_product<T>(A, B, false, false, C, false)) C.noalias() = times<T>(A, B);
  note_product<T>(A, B, A.cols(), C, false);
}

template <typename T>
void product_nt(In<T> A, In<T> B, Out<T> C) {
  if (!fast_product<T>(A, B, false, true, C, false)) C.noalias() = times<T>(A, B.transpose());
  note_product<T>(A, B, A.cols(), C, false);
}

template <typename T>
void add_product_tn(In<T> A, In<T> B, Out<T> C) {
  if (!fast_product<T>(A, B, true, false, C, true)) C.noalias() += times<T>(A.transpose(), B);
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
