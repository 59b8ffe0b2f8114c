// Kernels of infinitely wide networks.

#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/registry/entry.hpp"

namespace attn::internal {
namespace {

/// The angle of the vector (x, y) for y ≥ 0, between 0 and π. Unlike arccos it is exact near both
/// ends. Of the zero vector it is anything but NaN.
double angle_of(double x, double y) { return std::atan2(y, x); }
/// The same without a call, so that a loop over it becomes one of vectors: the arctangent of
/// Cephes (Moshier), at most 2 ulp off.
float angle_of(float x, float y) {
  constexpr float kPi = std::numbers::pi_v<float>;
  const float a = std::abs(x), high = a > y ? a : y, low = a > y ? y : a;
  const float t = high > 0 ? low / high : 0;
  const bool steep = t > 0.414213562F;
  const float z = steep ? (t - 1) / (t + 1) : t, s = z * z;
  const float series = (((8.05374449538e-2F * s - 1.38776856032e-1F) * s + 1.99777106478e-1F) * s -
                        3.33329491539e-1F) *
                           s * z +
                       z;
  const float first = steep ? series + kPi / 4 : series;
  const float upper = y > a ? kPi / 2 - first : first;
  return x < 0 ? kPi - upper : upper;
}

/// √(lengths² − dot²) as a product: the difference of squares would lose half the digits. A factor
/// within the rounding of a dot product is 0, because its root would be 1e-8 and not 1e-16 for
/// points that are parallel.
template <typename T>
T opposite_of(T lengths, T dot) {
  const T within = 8 * std::numeric_limits<T>::epsilon() * lengths;
  const T less = lengths - dot, more = lengths + dot;
  return less > within && more > within ? std::sqrt(less * more) : T(0);
}

/// The arc-cosine kernels: the dot product of infinitely many random features Θ(w·x)(w·x)ⁿ.
struct ArcCosine {
  template <typename T>
  static void fill(const KernelCall<T>& call, Matrix<T>& K) {
    const int order = static_cast<int>(call["order"]);
    if (order == 0) return fill_order<T, 0>(call, K);
    if (order == 1) return fill_order<T, 1>(call, K);
    fill_order<T, 2>(call, K);
  }

 private:
  template <typename T, int order>
  static void fill_order(const KernelCall<T>& call, Matrix<T>& K) {
    fill_dot_products<T>(call, K);
    const Vector<T> x = squared_norms<T>(call.X).cwiseSqrt();
    const Vector<T> y = squared_norms<T>(call.Y).cwiseSqrt();
    for (Index i = 0; i < K.rows(); ++i) {
      const Index first = call.same ? i : 0;
      T* const k = K.row(i).data();
      if (call.same) k[i] = x(i) * x(i);
      const T length = x(i);
      const T* const others = y.data();
      for (Index j = first; j < K.cols(); ++j) k[j] = value<T, order>(length * others[j], k[j]);
    }
  }
  template <typename T, int order>
  static T value(T lengths, T dot) {
    constexpr T kPi = std::numbers::pi_v<T>;
    const T opposite = opposite_of(lengths, dot);
    // Of the zero vector the angle is π/2.
    const T angle = lengths > 0 ? angle_of(dot, opposite) : kPi / 2;
    if constexpr (order == 0) return (kPi - angle) / kPi;
    if constexpr (order == 1) return (opposite + (kPi - angle) * dot) / kPi;
    return (3 * opposite * dot + (kPi - angle) * (lengths * lengths + 2 * dot * dot)) / kPi;
  }
};

/// The neural tangent kernel of a ReLU network, as `neural_tangent_kernel` has it, in the kernel's
/// own precision.
struct NeuralTangent {
  template <typename T>
  static void fill(const KernelCall<T>& call, Matrix<T>& K) {
    fill_dot_products<T>(call, K);
    const int layers = static_cast<int>(call["layers"]);
    const T weight = static_cast<T>(call["weight_std"] * call["weight_std"]);
    const T bias = static_cast<T>(call["bias_std"] * call["bias_std"]);
    const T first = weight / static_cast<T>(call.X.cols());
    // Lengths of the Gaussian vectors of each layer: E[relu(u)²] = ½E[u²].
    Matrix<T> xx(layers + 1, call.X.rows()), yy(layers + 1, call.Y.rows());
    for (auto* const of : {&xx, &yy}) {
      of->row(0) =
          (first * squared_norms<T>(of == &xx ? call.X : call.Y).array() + bias).transpose();
      for (int layer = 1; layer <= layers; ++layer) {
        of->row(layer) = (weight / 2 * of->row(layer - 1).array() + bias).matrix();
      }
      *of = of->cwiseSqrt();
    }
    Vector<T> covariances(K.cols());
    T* const nngp = covariances.data();
    for (Index i = 0; i < K.rows(); ++i) {
      const Index from = call.same ? i : 0, cols = K.cols();
      T* const ntk = K.row(i).data();
      for (Index j = from; j < cols; ++j) ntk[j] = nngp[j] = first * ntk[j] + bias;
      for (int layer = 0; layer < layers; ++layer) {
        const T length = xx(layer, i);
        const T* const others = yy.row(layer).data();
        if (call.same) nngp[i] = length * length;
        for (Index j = from; j < cols; ++j) {
          constexpr T kTwoPi = 2 * std::numbers::pi_v<T>;
          const T lengths = length * others[j], opposite = opposite_of(lengths, nngp[j]);
          const T angle = lengths > 0 ? angle_of(nngp[j], opposite) : std::numbers::pi_v<T> / 2;
          const T slopes = T(0.5) - angle / kTwoPi;
          nngp[j] = weight * (opposite / kTwoPi + slopes * nngp[j]) + bias;
          ntk[j] = nngp[j] + weight * slopes * ntk[j];
        }
      }
    }
  }
};

}  // namespace

template <typename T>
void add_network_kernels(std::vector<KernelEntry<T>>& all) {
  all.push_back(
      {.info = {.id = "arc_cosine",
                .label = "Arc-cosine",
                .tex = R"(\tfrac1\pi \lVert x \rVert^n \lVert y \rVert^n J_n(\theta))",
                .definiteness = Definiteness::kPositiveSemidefinite,
                .why = "It is the mean of products of features of a random layer: steps (n = 0), "
                       "ReLU (1), squared ReLU (2).",
                .source = {"Kernel Methods for Deep Learning (Cho and Saul 2009)",
                           "https://papers.nips.cc/paper/3628-kernel-methods-for-deep-learning",
                           "equations 3 to 7"},
                .parameters = {{"order", "n", "0: steps, 1: ReLU, 2: squared ReLU.", 1, 0, 2,
                                true}}},
       .fill = &ArcCosine::fill<T>});

  all.push_back(
      {.info = {.id = "ntk",
                .label = "Neural tangent (ReLU)",
                .tex = R"(\mathbb E\, \nabla f(x) \cdot \nabla f(y))",
                .definiteness = Definiteness::kPositiveSemidefinite,
                .why = "It is a mean of dot products of gradients: those by the weights of a ReLU "
                       "network with random weights, as wide as can be.",
                .source = {"Neural Tangent Kernel (Jacot, Gabriel and Hongler 2018)",
                           "https://arxiv.org/abs/1806.07572", "theorem 1"},
                .parameters = {{"layers", "L", "Hidden layers.", 1, 0, 64, true},
                               {"weight_std", "σ_w",
                                "The scale of the weights; √2 keeps the size of what passes.",
                                std::numbers::sqrt2, 1e-3, 100, false},
                               {"bias_std", "σ_b", "The scale of the biases.", 0, 0, 100, false}}},
       .fill = &NeuralTangent::fill<T>});
}

template void add_network_kernels<float>(std::vector<KernelEntry<float>>&);
template void add_network_kernels<double>(std::vector<KernelEntry<double>>&);

}  // namespace attn::internal
