#pragma once
// One entry of the registry of kernels. Private to the core.
//
// To add a kernel: write a struct with a static `fill` into a file of this folder, and append its
// entry in the function at the end of that file. For a new file, declare its function below and
// call it in registry.cpp. The page, the tests and the golden runner take the kernel from its
// entry.

#include <string>
#include <vector>

#include "attn/kernels/kernel.hpp"
#include "simd/kernels.hpp"

namespace attn::internal {

/// The points and the parameters of one Gram matrix. X is N×d and Y is M×d, checked already. `same`
/// says that Y is X; then only the entries on and above the diagonal need to be right, because the
/// caller mirrors them.
template <typename T>
struct KernelCall {
  const RegisteredKernel& info;
  const KernelParameters& given;
  In<T> X, Y;
  bool same;

  /// The parameter as given, or its default.
  double operator[](std::string_view name) const;
  /// The same, where 0 stands for 1/d, as in scikit-learn.
  T inverse_width(std::string_view name) const;
};

template <typename T>
struct KernelEntry {
  RegisteredKernel info;
  /// Fills K, which is N×M.
  void (*fill)(const KernelCall<T>& call, Matrix<T>& K);
  /// The definiteness where parameters change it; nullptr means that of `info`.
  Definiteness (*definiteness)(const RegisteredKernel& info,
                               const KernelParameters& given) = nullptr;
};

template <typename T>
const std::vector<KernelEntry<T>>& kernel_entries();

/// The parameter as given, or its default.
double kernel_parameter(const RegisteredKernel& info, const KernelParameters& given,
                        std::string_view name);

/// K(i, j) = x_i·y_j.
template <typename T>
void fill_dot_products(const KernelCall<T>& call, Matrix<T>& K);
/// K(i, j) = ‖x_i − y_j‖².
template <typename T>
void fill_squared_distances(const KernelCall<T>& call, Matrix<T>& K);
/// ‖x_i‖² of the rows.
template <typename T>
Vector<T> squared_norms(In<T> X);
/// Replaces `count` numbers x by e^x.
template <typename T>
void exponentiate(T* x, Index count);

/// Calls act(row, count, j) for the entries of each row that need to be right: `row` points to
/// K(i, j), and `count` entries follow.
template <typename T, typename Act>
void for_rows(const KernelCall<T>& call, Matrix<T>& K, Act act) {
  for (Index i = 0; i < K.rows(); ++i) {
    const Index first = call.same ? i : 0;
    act(K.row(i).data() + first, K.cols() - first, first);
  }
}

/// K(i, j) = Σ_c term(x_ic, y_jc), where it needs to be right, and 0 elsewhere.
template <typename T, typename Term>
void sum_over_entries(const KernelCall<T>& call, Matrix<T>& K, Term term) {
  const Matrix<T> columns = call.Y.transpose();
  K.setZero();
  for (Index i = 0; i < K.rows(); ++i) {
    T* const out = K.row(i).data();
    const Index first = call.same ? i : 0;
    for (Index c = 0; c < call.X.cols(); ++c) {
      const T x = call.X(i, c);
      const T* const y = columns.row(c).data();
      for (Index j = first; j < K.cols(); ++j) out[j] += term(x, y[j]);
    }
  }
}

/// The same for a term that the fast kernels know.
void sum_over_entries(const KernelCall<float>& call, Matrix<float>& K, simd::PairTerm term);

// The files of this folder. Each function appends its kernels.

template <typename T>
void add_dot_product_kernels(std::vector<KernelEntry<T>>& all);
template <typename T>
void add_distance_kernels(std::vector<KernelEntry<T>>& all);
template <typename T>
void add_network_kernels(std::vector<KernelEntry<T>>& all);

}  // namespace attn::internal
