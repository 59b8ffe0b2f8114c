#include <algorithm>
#include <cmath>

#include "base/lookup.hpp"
#include "base/product.hpp"
#include "kernels/registry/entry.hpp"
#include "simd/simd.hpp"

namespace attn {
namespace internal {

template <typename T>
const std::vector<KernelEntry<T>>& kernel_entries() {
  static const std::vector<KernelEntry<T>> kAll = [] {
    std::vector<KernelEntry<T>> all;
    add_dot_product_kernels<T>(all);
    add_distance_kernels<T>(all);
    add_network_kernels<T>(all);
    return all;
  }();
  return kAll;
}

double kernel_parameter(const RegisteredKernel& info, const KernelParameters& given,
                        std::string_view name) {
  for (const auto& [key, value] : given) {
    if (key == name) return value;
  }
  for (const KernelParameter& parameter : info.parameters) {
    if (parameter.name == name) return parameter.default_value;
  }
  throw ValueError("kernel parameter", phrase::quoted(name), phrase::parameter_of(info.id));
}

template <typename T>
double KernelCall<T>::operator[](std::string_view name) const {
  return kernel_parameter(info, given, name);
}

template <typename T>
T KernelCall<T>::inverse_width(std::string_view name) const {
  const double value = (*this)[name];
  return static_cast<T>(value == 0 ? 1 / static_cast<double>(X.cols()) : value);
}

template <typename T>
Vector<T> squared_norms(In<T> X) {
  Vector<T> norms(X.rows());
  for (Index i = 0; i < X.rows(); ++i) norms(i) = X.row(i).squaredNorm();
  return norms;
}

namespace {

/// The widest points whose dot products and distances are summed entry by entry. For wider ones a
/// matrix product is faster than the sums, and its rounding matters less, because distances grow
/// with the width.
constexpr Index kWidestDirect = 16;

/// Below this share of their norms the squared distance of two points is summed directly.
template <typename T>
constexpr T kNear = T(0.02);

/// K = XYᵀ; of equal factors only a band of rows at a time, from its first column on.
template <typename T>
void multiply(In<T> X, In<T> Y, bool same, Matrix<T>& K) {
  constexpr Index kBand = 128;
  if (!same) return product_nt<T>(X, Y, K);
  K.setZero();
  for (Index from = 0; from < K.rows(); from += kBand) {
    const Index rows = std::min(kBand, K.rows() - from), cols = K.cols() - from;
    product_nt<T>(X.middleRows(from, rows), Y.bottomRows(cols), K.block(from, from, rows, cols));
  }
}

}  // namespace

template <typename T>
void fill_dot_products(const KernelCall<T>& call, Matrix<T>& K) {
  if (call.X.cols() > kWidestDirect) return multiply<T>(call.X, call.Y, call.same, K);
  sum_over_entries<T>(call, K, [](T x, T y) { return x * y; });
}

template <typename T>
void fill_squared_distances(const KernelCall<T>& call, Matrix<T>& K) {
  if (call.X.cols() <= kWidestDirect) {
    sum_over_entries<T>(call, K, [](T x, T y) { return (x - y) * (x - y); });
    return;
  }
  // Distances do not change when all points are moved, and around their mean the squares that are
  // subtracted below are smallest.
  const Eigen::Matrix<T, 1, Eigen::Dynamic> mean = call.Y.colwise().mean();
  const Matrix<T> X = call.X.rowwise() - mean, Y = call.Y.rowwise() - mean;
  const Vector<T> x = squared_norms<T>(X), y = squared_norms<T>(Y);
  multiply<T>(X, Y, call.same, K);
  for (Index i = 0; i < K.rows(); ++i) {
    T* const out = K.row(i).data();
    for (Index j = call.same ? i : 0; j < K.cols(); ++j) {
      const T norms = x(i) + y(j);
      out[j] = norms - 2 * out[j];
      // The difference of nearly equal numbers has lost its digits: of near points the distance is
      // summed entry by entry.
      if (out[j] < norms * kNear<T>) out[j] = (X.row(i) - Y.row(j)).squaredNorm();
    }
  }
}

void sum_over_entries(const KernelCall<float>& call, Matrix<float>& K, simd::PairTerm term) {
  constexpr Index kRound = simd::kPairColumns;
  const Index cols = K.cols(), d = call.X.cols(), width = (cols + kRound - 1) / kRound * kRound;
  Matrix<float> columns = Matrix<float>::Zero(d, width);
  columns.leftCols(cols) = call.Y.transpose();
  simd::pair_sums({term, K.rows(), cols, d, call.X.data(), call.X.outerStride(), columns.data(),
                   width, K.data(), K.outerStride(), call.same});
}

template <typename T>
void exponentiate(T* x, Index count) {
  if constexpr (std::is_same_v<T, float>) {
    const float none = 0;
    simd::exp_rows({1, count, x, count, &none, 1, 0});
  } else {
    // Eigen's exp stops at the smallest normal number; this one reaches 0.
    for (Index j = 0; j < count; ++j) x[j] = std::exp(x[j]);
  }
}

#define ATTN_INSTANTIATE(T)                                                  \
  template struct KernelCall<T>;                                             \
  template const std::vector<KernelEntry<T>>& kernel_entries<T>();           \
  template Vector<T> squared_norms<T>(In<T>);                                \
  template void fill_dot_products<T>(const KernelCall<T>&, Matrix<T>&);      \
  template void fill_squared_distances<T>(const KernelCall<T>&, Matrix<T>&); \
  template void exponentiate<T>(T*, Index);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace internal

std::span<const RegisteredKernel> kernels() {
  static const std::vector<RegisteredKernel> kInfos = [] {
    std::vector<RegisteredKernel> infos;
    for (const auto& entry : internal::kernel_entries<float>()) infos.push_back(entry.info);
    return infos;
  }();
  return kInfos;
}

const RegisteredKernel& registered_kernel(std::string_view id) {
  return internal::find_by_id("kernel", id, internal::kernel_entries<float>()).info;
}

}  // namespace attn
