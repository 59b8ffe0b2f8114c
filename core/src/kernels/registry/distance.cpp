// Kernels that are functions of a distance between x and y.

#include <cmath>

#include "kernels/registry/entry.hpp"

namespace attn::internal {
namespace {

/// e^{−γ·K(i, j)}
template <typename T>
void exponentiate_negative(const KernelCall<T>& call, Matrix<T>& K) {
  const T factor = -call.inverse_width("gamma");
  for_rows<T>(call, K, [factor](T* k, Index count, Index) {
    for (Index j = 0; j < count; ++j) k[j] *= factor;
    exponentiate<T>(k, count);
  });
}

struct Gaussian {
  template <typename T>
  static void fill(const KernelCall<T>& call, Matrix<T>& K) {
    fill_squared_distances<T>(call, K);
    exponentiate_negative<T>(call, K);
  }
};

struct Laplacian {
  template <typename T>
  static void fill(const KernelCall<T>& call, Matrix<T>& K) {
    if constexpr (std::is_same_v<T, float>) {
      sum_over_entries(call, K, simd::PairTerm::kAbsolute);
    } else {
      sum_over_entries<T>(call, K, [](T x, T y) { return std::abs(x - y); });
    }
    exponentiate_negative<T>(call, K);
  }
};

struct ChiSquared {
  template <typename T>
  static void fill(const KernelCall<T>& call, Matrix<T>& K) {
    if constexpr (std::is_same_v<T, float>) {
      sum_over_entries(call, K, simd::PairTerm::kChiSquared);
    } else {
      sum_over_entries<T>(call, K, [](T x, T y) {
        const T sum = x + y, difference = x - y;
        // Two empty bins do not differ.
        return sum > 0 ? difference * difference / sum : T(0);
      });
    }
    exponentiate_negative<T>(call, K);
  }
};

/// Matérn kernels of smoothness ν = twice/2: e^{−r} times a polynomial in r.
template <int twice>
struct Matern {
  template <typename T>
  static void fill(const KernelCall<T>& call, Matrix<T>& K) {
    fill_squared_distances<T>(call, K);
    const T root = static_cast<T>(std::sqrt(static_cast<double>(twice)) / call["length"]);
    Vector<T> distances(K.cols());
    for_rows<T>(call, K, [root, r = distances.data()](T* k, Index count, Index) {
      for (Index j = 0; j < count; ++j) r[j] = root * std::sqrt(k[j]);
      for (Index j = 0; j < count; ++j) k[j] = -r[j];
      exponentiate<T>(k, count);
      if constexpr (twice == 3) {
        for (Index j = 0; j < count; ++j) k[j] *= 1 + r[j];
      } else if constexpr (twice == 5) {
        for (Index j = 0; j < count; ++j) k[j] *= 1 + r[j] + r[j] * r[j] / 3;
      }
    });
  }
};

constexpr KernelParameter kGamma{
    "gamma", "γ",  "How fast the kernel falls; 0 stands for 1/d, as in scikit-learn.", 0, 0,
    1e6,     false};
constexpr KernelParameter kLength{
    "length", "ℓ", "The distance over which the kernel falls.", 1, 1e-6, 1e6, false};
constexpr KernelSource kGaussianProcesses{
    "Gaussian Processes for Machine Learning (Rasmussen and Williams 2006)",
    "https://gaussianprocess.org/gpml/chapters/RW4.pdf", "section 4.2.1"};
constexpr std::string_view kWhyMatern =
    "Its Fourier transform is a density, a Student t distribution (Bochner's theorem).";

}  // namespace

template <typename T>
void add_distance_kernels(std::vector<KernelEntry<T>>& all) {
  all.push_back(
      {.info = {.id = "rbf",
                .label = "Gaussian (RBF)",
                .tex = R"(e^{-\gamma \lVert x - y \rVert^2})",
                .definiteness = Definiteness::kPositiveSemidefinite,
                .why = "Its Fourier transform is a density, a Gaussian (Bochner's "
                       "theorem). Different points have an invertible Gram matrix.",
                .stationary = true,
                .source = {kGaussianProcesses.title, kGaussianProcesses.url, "equation 4.9"},
                .parameters = {kGamma}},
       .fill = &Gaussian::fill<T>});

  all.push_back(
      {.info = {.id = "laplacian",
                .label = "Laplacian",
                .tex = R"(e^{-\gamma \lVert x - y \rVert_1})",
                .definiteness = Definiteness::kPositiveSemidefinite,
                .why = "A product of one kernel for each coordinate, whose Fourier "
                       "transform is a Cauchy density.",
                .stationary = true,
                .source = {"Random Features for Large-Scale Kernel Machines (Rahimi and "
                           "Recht 2007)",
                           "https://people.eecs.berkeley.edu/~brecht/papers/07.rah.rec.nips.pdf",
                           "figure 1"},
                .parameters = {kGamma}},
       .fill = &Laplacian::fill<T>});

  all.push_back(
      {.info = {.id = "matern_12",
                .label = "Matérn 1/2",
                .tex = R"(e^{-r},\quad r = \lVert x - y \rVert / \ell)",
                .definiteness = Definiteness::kPositiveSemidefinite,
                .why = kWhyMatern,
                .stationary = true,
                .source = {kGaussianProcesses.title, kGaussianProcesses.url, "equation 4.18"},
                .parameters = {kLength}},
       .fill = &Matern<1>::fill<T>});
  all.push_back(
      {.info = {.id = "matern_32",
                .label = "Matérn 3/2",
                .tex = R"((1 + \sqrt3\, r)\, e^{-\sqrt3\, r},\quad r = \lVert x - y \rVert / \ell)",
                .definiteness = Definiteness::kPositiveSemidefinite,
                .why = kWhyMatern,
                .stationary = true,
                .source = {kGaussianProcesses.title, kGaussianProcesses.url, "equation 4.17"},
                .parameters = {kLength}},
       .fill = &Matern<3>::fill<T>});
  all.push_back(
      {.info =
           {.id = "matern_52",
            .label = "Matérn 5/2",
            .tex =
                R"((1 + \sqrt5\, r + \tfrac53 r^2)\, e^{-\sqrt5\, r},\quad r = \lVert x - y \rVert / \ell)",
            .definiteness = Definiteness::kPositiveSemidefinite,
            .why = kWhyMatern,
            .stationary = true,
            .source = {kGaussianProcesses.title, kGaussianProcesses.url, "equation 4.17"},
            .parameters = {kLength}},
       .fill = &Matern<5>::fill<T>});

  all.push_back(
      {.info = {.id = "chi_squared",
                .label = "Exponential χ²",
                .tex = R"(e^{-\gamma \sum_c (x_c - y_c)^2 / (x_c + y_c)})",
                .definiteness = Definiteness::kPositiveSemidefinite,
                .why =
                    "For points without negative entries, such as histograms: (x − y)²/(x + y) is "
                    "x + y − 4xy/(x + y), and xy/(x + y) is a kernel (Schoenberg's theorem).",
                .non_negative_points = true,
                .source = {"Local Features and Kernels for Classification (Zhang et al. "
                           "2007)",
                           "https://hal.science/inria-00070027", "equation 1"},
                .parameters = {kGamma}},
       .fill = &ChiSquared::fill<T>});
}

template void add_distance_kernels<float>(std::vector<KernelEntry<float>>&);
template void add_distance_kernels<double>(std::vector<KernelEntry<double>>&);

}  // namespace attn::internal
