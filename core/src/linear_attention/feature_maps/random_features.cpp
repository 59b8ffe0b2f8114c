// Random features. Notation: x′ = x/d^{1/4}, u = Wx′, h = ‖x′‖²/2.

#include <cmath>

#include "base/product.hpp"
#include "linear_attention/feature_maps/entry.hpp"
#include "simd/simd.hpp"

namespace attn::internal {
namespace {

template <typename T>
struct Projected {
  T root;
  Matrix<T> x, u;
  Vector<T> h;

  Projected(const Call<T>& call, In<T> input)
      : root(static_cast<T>(std::pow(static_cast<double>(input.cols()), -0.25))),
        x(root * input),
        u(product_nt<T>(x, call.options.projection)),
        h(x.rowwise().squaredNorm() / 2) {
    note_multiply_adds<T>(x.size());
  }

  /// Turns the gradients at u and h into the gradient at the input.
  void backward(const Call<T>& call, const Matrix<T>& d_u, const Vector<T>& d_h,
                Matrix<T>& d_x) const {
    product_nn<T>(d_u, call.options.projection, d_x);
    d_x += d_h.asDiagonal() * x;
    d_x *= root;
    note_multiply_adds<T>(x.size());
  }
};

/// Computes factor·(e^{x − below} + add) in place; `below` has one number for each row.
template <typename T>
void exponentiate_rows(Eigen::Ref<Matrix<std::type_identity_t<T>>> x, const Vector<T>& below,
                       T factor, T add) {
  if constexpr (std::is_same_v<T, float>) {
    simd::exp_rows({x.rows(), x.cols(), x.data(), x.outerStride(), below.data(), factor, add});
  } else {
    x = factor * ((x.colwise() - below).array().exp() + add);
  }
  note<T>({.exps = wide(x.size())});
}

struct SoftmaxKernel {
  /// As in the published code, features are stabilised by the largest u and not by the largest u −
  /// h, so the features of long vectors shrink to ε.
  template <typename T>
  static void exponentials(const Call<T>& call, const Projected<T>& p, T factor, T add,
                           Matrix<T>& e) {
    Vector<T> below = p.h;
    if (call.flag("stabilize")) below += largest_exponents<T>(call.role, p.u);
    e = p.u;
    exponentiate_rows<T>(e, below, factor, add);
  }
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const T ratio = 1 / std::sqrt(static_cast<T>(phi.cols()));
    const T epsilon = call.flag("stabilize") ? call.parameter("epsilon") : T(0);
    exponentials<T>(call, Projected<T>(call, x), ratio, epsilon, phi);
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Projected<T> p(call, x);
    const T ratio = 1 / std::sqrt(static_cast<T>(d_phi.cols()));
    Matrix<T> d_u;
    exponentials<T>(call, p, ratio, 0, d_u);
    d_u.array() *= d_phi.array();
    const Vector<T> sums = d_u.rowwise().sum();
    note_multiply_adds<T>(d_u.size());
    if (call.flag("stabilize")) largest_exponents_backward<T>(call.role, p.u, d_u);
    p.backward(call, d_u, -sums, d_x);
  }
};

struct SoftmaxKernelHyperbolic {
  template <typename T>
  static Matrix<T> exponents(const Projected<T>& p) {
    Matrix<T> e(p.u.rows(), 2 * p.u.cols());
    e << p.u.colwise() - p.h, (-p.u).colwise() - p.h;
    return e;
  }
  template <typename T>
  static void exponentials(const Call<T>& call, const Projected<T>& p, Matrix<T>& phi) {
    const Index m = p.u.cols();
    const T ratio = 1 / std::sqrt(static_cast<T>(2 * m));
    Vector<T> below = p.h;
    if (call.flag("stabilize")) below += largest_exponents<T>(call.role, exponents<T>(p));
    phi << p.u, -p.u;
    exponentiate_rows<T>(phi.leftCols(m), below, ratio, 0);
    exponentiate_rows<T>(phi.rightCols(m), below, ratio, 0);
  }
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    exponentials<T>(call, Projected<T>(call, x), phi);
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Projected<T> p(call, x);
    const Index m = p.u.cols();
    Matrix<T> g(d_phi.rows(), d_phi.cols());
    exponentials<T>(call, p, g);
    g.array() *= d_phi.array();
    if (call.flag("stabilize")) {
      largest_exponents_backward<T>(call.role, exponents<T>(p), g);
    }
    note_multiply_adds<T>(g.size());
    p.backward(call, g.leftCols(m) - g.rightCols(m), -g.rowwise().sum(), d_x);
  }
};

struct SoftmaxKernelTrig {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const Projected<T> p(call, x);
    const Vector<T> factor = factors<T>(call, p);
    const Index m = p.u.cols();
    phi.leftCols(m) = factor.asDiagonal() * p.u.array().cos().matrix();
    phi.rightCols(m) = factor.asDiagonal() * p.u.array().sin().matrix();
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Projected<T> p(call, x);
    const Vector<T> factor = factors<T>(call, p);
    const Index m = p.u.cols();
    const auto d_cos = d_phi.leftCols(m).array();
    const auto d_sin = d_phi.rightCols(m).array();
    const Matrix<T> cosine = p.u.array().cos(), sine = p.u.array().sin();
    const Matrix<T> d_u =
        factor.asDiagonal() * (d_sin * cosine.array() - d_cos * sine.array()).matrix();
    Vector<T> d_h = Vector<T>::Zero(x.rows());
    if (call.flag("softmax_factor")) {
      d_h = factor.cwiseProduct(
          (d_cos * cosine.array() + d_sin * sine.array()).rowwise().sum().matrix());
      if (call.flag("stabilize")) {
        Matrix<T> d_exponent = d_h;
        largest_exponents_backward<T>(call.role, p.h, d_exponent);
        d_h = d_exponent;
      }
      note_multiply_adds<T>(d_phi.size());
    }
    p.backward(call, d_u, d_h, d_x);
  }

 private:
  template <typename T>
  static Vector<T> factors(const Call<T>& call, const Projected<T>& p) {
    const T ratio = 1 / std::sqrt(static_cast<T>(p.u.cols()));
    if (!call.flag("softmax_factor")) return Vector<T>::Constant(p.h.size(), ratio);
    Vector<T> exponent = p.h;
    if (call.flag("stabilize")) exponent -= largest_exponents<T>(call.role, p.h);
    note<T>({.exps = wide(p.h.size())});
    return ratio * exponent.array().exp();
  }
};

struct ReluKernel {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    phi = Projected<T>(call, x).u.cwiseMax(T(0)).array() + call.parameter("epsilon");
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Projected<T> p(call, x);
    p.backward(call, (p.u.array() > 0).select(d_phi.array(), T(0)), Vector<T>::Zero(x.rows()), d_x);
  }
};

constexpr FeatureMapParameter kFeatures{
    "features", "m", "How many random projections are drawn.", 128, 1, 1024, true};
constexpr FeatureMapParameter kOrthogonal{
    "orthogonal",
    "orthogonal",
    "Rows of the projection are orthogonal in blocks of d (0: independent).",
    1,
    0,
    1,
    true};
constexpr FeatureMapParameter kRowNorms{
    "row_norms",
    "row norms",
    "Rows of the projection are as long as Gaussian ones (0: all √d long; estimates of e^{q·k/√d} "
    "are then too small on average).",
    1,
    0,
    1,
    true};
constexpr FeatureMapPaper kPerformer{"Rethinking Attention with Performers",
                                     "https://arxiv.org/abs/2009.14794", "lemma 1"};

}  // namespace

template <typename T>
void add_random_feature_maps(std::vector<Entry<T>>& all) {
  all.push_back(
      {.info =
           {.id = "softmax_kernel",
            .label = "FAVOR+ (positive random features)",
            .tex =
                R"(\varphi(x) = \tfrac{1}{\sqrt m}\, e^{Wx' - \lVert x' \rVert^2 / 2},\quad x' = x / d^{1/4})",
            .dimension_tex = "m",
            .positivity = Positivity::kPositive,
            .kernel = "Equal to e^{q·k/√d} on average over W, as long as it is not stabilised.",
            .note =
                "Unbiased is not accurate: the variance grows like e^{‖q + k‖²/√d}. The stabiliser "
                "prevents overflow; its ε pulls all weights together.",
            .paper = kPerformer,
            .parameters = {kFeatures,
                           kOrthogonal,
                           kRowNorms,
                           kStabilize,
                           {"epsilon", "ε", "Added to every feature when stabilised.", 1e-6, 0, 1,
                            false}}},
       .functions = functions_of<SoftmaxKernel, T>(),
       .dimension = projected,
       .cost = {.forward = {.multiply_adds = {.input = 1},
                            .exps = {.features = 1},
                            .workspace = {.input = 1, .projected = 1, .rows = 2}},
                .backward = {.multiply_adds = {.input = 2, .features = 1},
                             .exps = {.features = 1},
                             .workspace = {.input = 1, .features = 1, .projected = 1, .rows = 3}}},
       .projection = Projection::kRandom,
       .couples_rows = stabilized,
       .kernel = [](const Parameters& p, Index d_k) -> Kernel {
         if (stabilized(p)) return {};
         const double root = std::pow(static_cast<double>(d_k), -0.25);
         return simd::FeatureMap{simd::Feature::kRandomExp, static_cast<float>(root)};
       }});

  all.push_back(
      {.info =
           {.id = "softmax_kernel_hyperbolic",
            .label = "Hyperbolic random features",
            .tex =
                R"(\varphi(x) = \tfrac{1}{\sqrt{2m}}\, e^{-\lVert x' \rVert^2 / 2}\bigl[e^{Wx'},\ e^{-Wx'}\bigr])",
            .dimension_tex = "2m",
            .positivity = Positivity::kPositive,
            .kernel = "Equal to e^{q·k/√d} on average, with less variance than the one-sided form.",
            .note =
                "Twice the features for each projection. They reach e^{‖w‖²/2} with ‖w‖² near d: "
                "from d "
                "about 128 on float32 can overflow, unless stabilised.",
            .paper = {kPerformer.title, kPerformer.url, "lemma 1, cosh form"},
            .parameters = {kFeatures, kOrthogonal, kRowNorms, kStabilize}},
       .functions = functions_of<SoftmaxKernelHyperbolic, T>(),
       .dimension = twice_projected,
       .cost = {.forward = {.multiply_adds = {.input = 1},
                            .exps = {.features = 1},
                            .workspace = {.input = 1, .projected = 1, .rows = 2}},
                .backward = {.multiply_adds = {.input = 2, .features = 1},
                             .exps = {.features = 1},
                             .workspace = {.input = 1, .features = 1, .projected = 2, .rows = 2}}},
       .projection = Projection::kRandom,
       .couples_rows = stabilized});

  all.push_back(
      {.info =
           {.id = "softmax_kernel_trig",
            .label = "Trigonometric random features",
            .tex =
                R"(\varphi(x) = \tfrac{1}{\sqrt m}\, e^{\lVert x' \rVert^2 / 2}\bigl[\cos Wx',\ \sin Wx'\bigr])",
            .dimension_tex = "2m",
            .positivity = Positivity::kAny,
            .kernel = "Equal to e^{q·k/√d} on average; single draws can be negative.",
            .note =
                "Worst exactly where softmax is small: the reason Performer gave it up. Overflows "
                "float32 above ‖x‖² = 177·√d, unless stabilised.",
            .paper = {kPerformer.title, kPerformer.url,
                      "the trigonometric estimator it argues against"},
            .parameters =
                {kFeatures,
                 kOrthogonal,
                 kRowNorms,
                 kStabilize,
                 {"softmax_factor", "softmax factor",
                  "Multiply by exp of half the squared norm; 0 leaves the Gaussian kernel.", 1, 0,
                  1, true}}},
       .functions = functions_of<SoftmaxKernelTrig, T>(),
       .dimension = twice_projected,
       .cost = {.forward = {.multiply_adds = {.input = 1},
                            .exps = {.rows = 1},
                            .workspace = {.input = 1, .projected = 1, .rows = 3}},
                .backward = {.multiply_adds = {.input = 2, .features = 1},
                             .exps = {.rows = 1},
                             .workspace = {.input = 1, .features = 1, .projected = 2, .rows = 3}}},
       .projection = Projection::kRandom,
       .couples_rows = [](const Parameters& p) {
         return stabilized(p) && p["softmax_factor"] != 0;
       }});

  all.push_back(
      {.info = {.id = "relu_kernel",
                .label = "ReLU random features",
                .tex = R"(\varphi(x) = \max(0, Wx') + \varepsilon)",
                .dimension_tex = "m",
                .positivity = Positivity::kPositive,
                .kernel =
                    "Not the exponential kernel: an arc-cosine kernel of the directions, plus ε.",
                .note = "Performer's generalised attention.",
                .paper = {kPerformer.title, kPerformer.url, "generalised attention"},
                .parameters = {kFeatures,
                               kOrthogonal,
                               kRowNorms,
                               {"epsilon", "ε", "Added to every feature.", 1e-3, 0, 1, false}}},
       .functions = functions_of<ReluKernel, T>(),
       .dimension = projected,
       .cost = {.forward = {.multiply_adds = {.input = 1},
                            .workspace = {.input = 1, .projected = 1, .rows = 1}},
                .backward = {.multiply_adds = {.input = 2},
                             .workspace = {.input = 1, .features = 1, .projected = 1, .rows = 2}}},
       .projection = Projection::kRandom,
       .positivity = [](const Parameters& p) {
         return p["epsilon"] > 0 ? Positivity::kPositive : Positivity::kNonNegative;
       }});
}

template void add_random_feature_maps<float>(std::vector<Entry<float>>&);
template void add_random_feature_maps<double>(std::vector<Entry<double>>&);

}  // namespace attn::internal
