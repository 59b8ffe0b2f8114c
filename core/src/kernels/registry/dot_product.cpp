// Kernels that are functions of the dot product x·y.

#include <cmath>

#include "kernels/registry/entry.hpp"

namespace attn::internal {
namespace {

struct Linear {
  template <typename T>
  static void fill(const KernelCall<T>& call, Matrix<T>& K) {
    fill_dot_products<T>(call, K);
  }
};

struct Polynomial {
  template <typename T>
  static void fill(const KernelCall<T>& call, Matrix<T>& K) {
    fill_dot_products<T>(call, K);
    const T gamma = call.inverse_width("gamma"), shift = static_cast<T>(call["coef0"]);
    const int degree = static_cast<int>(call["degree"]);
    Vector<T> bases(K.cols());
    for_rows<T>(call, K, [=, base = bases.data()](T* k, Index count, Index) {
      for (Index j = 0; j < count; ++j) k[j] = base[j] = gamma * k[j] + shift;
      for (int p = 1; p < degree; ++p) {
        for (Index j = 0; j < count; ++j) k[j] *= base[j];
      }
    });
  }
};

struct Sigmoid {
  template <typename T>
  static void fill(const KernelCall<T>& call, Matrix<T>& K) {
    fill_dot_products<T>(call, K);
    const T gamma = call.inverse_width("gamma"), shift = static_cast<T>(call["coef0"]);
    Vector<T> values(K.cols());
    for_rows<T>(call, K, [=, x = values.data()](T* k, Index count, Index) {
      for (Index j = 0; j < count; ++j) x[j] = gamma * k[j] + shift;
      tanh_of(x, k, count);
    });
  }

 private:
  static void tanh_of(const double* x, double* out, Index count) {
    for (Index j = 0; j < count; ++j) out[j] = std::tanh(x[j]);
  }
  /// tanh |x| = (1 − e)/(1 + e) with e = e^{−2|x|}. Near 0 the difference would lose its digits,
  /// and the power series takes its place, whose next term is below 1e-8 of the sum there.
  static void tanh_of(const float* x, float* out, Index count) {
    constexpr float kNear = 0.25F;
    for (Index j = 0; j < count; ++j) out[j] = -2 * std::abs(x[j]);
    exponentiate<float>(out, count);
    for (Index j = 0; j < count; ++j) {
      const float e = out[j], s = x[j] * x[j];
      const float series =
          x[j] * (1 + s * (-1.F / 3 + s * (2.F / 15 + s * (-17.F / 315 + s * (62.F / 2835)))));
      const float far = (1 - e) / (1 + e);
      out[j] = s < kNear * kNear ? series : (x[j] < 0 ? -far : far);
    }
  }
};

struct ExponentialDotProduct {
  template <typename T>
  static void fill(const KernelCall<T>& call, Matrix<T>& K) {
    fill_dot_products<T>(call, K);
    const double scale = call["scale"];
    const T factor =
        static_cast<T>(scale == 0 ? 1 / std::sqrt(static_cast<double>(call.X.cols())) : scale);
    for_rows<T>(call, K, [factor](T* k, Index count, Index) {
      for (Index j = 0; j < count; ++j) k[j] *= factor;
      exponentiate<T>(k, count);
    });
  }
};

struct Cosine {
  template <typename T>
  static void fill(const KernelCall<T>& call, Matrix<T>& K) {
    const auto directions = [](In<T> points) -> Matrix<T> {
      Vector<T> norms = squared_norms<T>(points).cwiseSqrt();
      // The zero vector has no direction; its kernel with everything is 0.
      for (T& norm : norms) norm = norm > 0 ? 1 / norm : T(0);
      return norms.asDiagonal() * points;
    };
    const Matrix<T> X = directions(call.X), Y = directions(call.Y);
    fill_dot_products<T>({call.info, call.given, X, Y, call.same}, K);
  }
};

struct EluOfDotProduct {
  template <typename T>
  static void fill(const KernelCall<T>& call, Matrix<T>& K) {
    fill_dot_products<T>(call, K);
    Vector<T> values(K.cols());
    for_rows<T>(call, K, [x = values.data()](T* k, Index count, Index) {
      for (Index j = 0; j < count; ++j) x[j] = k[j];
      exponentiate<T>(k, count);
      for (Index j = 0; j < count; ++j) k[j] = x[j] > 0 ? x[j] + 1 : k[j];
    });
  }
};

constexpr KernelParameter kProductGamma{
    "gamma", "γ",  "Factor of the dot product; 0 stands for 1/d, as in scikit-learn.", 0, 0,
    1e6,     false};

constexpr KernelSource kLearningWithKernels{"Learning with Kernels (Schölkopf and Smola 2002)",
                                            "https://alex.smola.org/papers/2002/SchSmo02b.pdf",
                                            "section 2.3"};

}  // namespace

template <typename T>
void add_dot_product_kernels(std::vector<KernelEntry<T>>& all) {
  all.push_back({.info = {.id = "linear",
                          .label = "Linear",
                          .tex = R"(x \cdot y)",
                          .definiteness = Definiteness::kPositiveSemidefinite,
                          .why = "It is the dot product itself: αᵀKα = ‖Σαᵢxᵢ‖².",
                          .source = kLearningWithKernels},
                 .fill = &Linear::fill<T>});

  all.push_back(
      {.info = {.id = "polynomial",
                .label = "Polynomial",
                .tex = R"((\gamma\, x \cdot y + c)^p)",
                .definiteness = Definiteness::kPositiveSemidefinite,
                .why = "For c ≥ 0 it is a sum of products of the linear kernel with positive "
                       "weights. For c < 0 some weights are negative.",
                .source = kLearningWithKernels,
                .parameters = {kProductGamma,
                               {"coef0", "c", "Added to the dot product.", 1, -100, 100, false},
                               {"degree", "p", "The power.", 3, 1, 12, true}}},
       .fill = &Polynomial::fill<T>,
       .definiteness = [](const RegisteredKernel& info, const KernelParameters& given) {
         return kernel_parameter(info, given, "coef0") >= 0 ? Definiteness::kPositiveSemidefinite
                                                            : Definiteness::kIndefinite;
       }});

  all.push_back(
      {.info = {.id = "exponential",
                .label = "Exponential of the dot product",
                .tex = R"(e^{s\, x \cdot y})",
                .definiteness = Definiteness::kPositiveSemidefinite,
                .why = "Its power series has positive weights only. With s = 1/√d it is the kernel "
                       "of softmax attention.",
                .source = {"Transformer Dissection (Tsai et al. 2019)",
                           "https://arxiv.org/abs/1908.11775", "equation 6"},
                .parameters = {{"scale", "s",
                                "Factor of the dot product; 0 stands for 1/√d, as in attention.", 0,
                                0, 1e3, false}}},
       .fill = &ExponentialDotProduct::fill<T>});

  all.push_back({.info = {.id = "cosine",
                          .label = "Cosine",
                          .tex = R"(\frac{x \cdot y}{\lVert x \rVert\, \lVert y \rVert})",
                          .definiteness = Definiteness::kPositiveSemidefinite,
                          .why = "It is the dot product of the directions x/‖x‖ and y/‖y‖.",
                          .source = kLearningWithKernels},
                 .fill = &Cosine::fill<T>});

  all.push_back(
      {.info = {.id = "sigmoid",
                .label = "Sigmoid",
                .tex = R"(\tanh(\gamma\, x \cdot y + c))",
                .definiteness = Definiteness::kIndefinite,
                .why = "A function of x·y is a kernel for all points only if its power series has "
                       "no negative weight; that of tanh has some for every c.",
                .source = {"A Study on Sigmoid Kernels for SVM (Lin and Lin 2003)",
                           "https://www.csie.ntu.edu.tw/~cjlin/papers/tanh.pdf", "section 2"},
                .parameters = {kProductGamma,
                               {"coef0", "c", "Added to the dot product.", 1, -100, 100, false}}},
       .fill = &Sigmoid::fill<T>});

  all.push_back(
      {.info = {.id = "elu_dot",
                .label = "ELU(x·y) + 1",
                .tex = R"(\mathrm{ELU}(x \cdot y) + 1)",
                .definiteness = Definiteness::kIndefinite,
                .why = "ELU + 1 makes features positive, and φ(x)·φ(y) is a kernel. The same "
                       "function of the dot product is none: it has no power series at 0.",
                .source = {"Transformers are RNNs (Katharopoulos et al. 2020)",
                           "https://arxiv.org/abs/2006.16236",
                           "equation 7 has ELU + 1 of the entries, not of the product"}},
       .fill = &EluOfDotProduct::fill<T>});
}

template void add_dot_product_kernels<float>(std::vector<KernelEntry<float>>&);
template void add_dot_product_kernels<double>(std::vector<KernelEntry<double>>&);

}  // namespace attn::internal
