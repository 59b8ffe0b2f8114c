// Maps whose kernel is the Taylor polynomial of the exponential.

#include <cmath>
#include <numbers>

#include "linear_attention/feature_maps/entry.hpp"
#include "linear_attention/feature_maps/pairs.hpp"

namespace attn::internal {
namespace {

struct Taylor {
  template <typename T>
  static void apply(const Call<T>&, In<T> x, Matrix<T>& phi) {
    const Index d = x.cols();
    const T root = static_cast<T>(std::pow(static_cast<double>(d), -0.25));
    const T square = root * root / std::numbers::sqrt2_v<T>;
    for (Index r = 0; r < x.rows(); ++r) {
      phi(r, 0) = 1;
      phi.row(r).segment(1, d) = root * x.row(r);
      for (Index i = 0; i < d; ++i) {
        scale_into(x.row(r).data(), square * x(r, i), d, phi.row(r).data() + 1 + d + i * d);
      }
    }
    note_multiply_adds<T>(phi.size() - x.rows());
  }
  template <typename T>
  static void backward(const Call<T>&, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Index d = x.cols();
    const T root = static_cast<T>(std::pow(static_cast<double>(d), -0.25));
    const T square = root * root / std::numbers::sqrt2_v<T>;
    for (Index r = 0; r < x.rows(); ++r) {
      d_x.row(r) = root * d_phi.row(r).segment(1, d);
      for (Index i = 0; i < d; ++i) {
        const auto g = d_phi.row(r).segment(1 + d + i * d, d);
        d_x(r, i) += square * g.dot(x.row(r));
        d_x.row(r) += square * x(r, i) * g;
      }
    }
    note_multiply_adds<T>(2 * d_phi.size() - (2 + d) * x.rows());
  }
};

struct TaylorCompact {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const Index d = x.cols();
    const bool upper = call.flag("upper");
    const T root = static_cast<T>(std::pow(static_cast<double>(d), -0.25));
    const T cross = root * root, square = cross / std::numbers::sqrt2_v<T>;
    for (Index r = 0; r < x.rows(); ++r) {
      phi(r, 0) = 1;
      phi.row(r).segment(1, d) = root * x.row(r);
      phi.row(r).segment(1 + d, d) = square * x.row(r).cwiseAbs2();
      for_each_run_of_pairs(d, upper, [&](Index i, Index first, Index count, Index at) {
        scale_into(x.row(r).data() + first, cross * x(r, i), count,
                   phi.row(r).data() + 1 + 2 * d + at);
      });
    }
    note_multiply_adds<T>(phi.size() - x.rows());
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Index d = x.cols();
    const bool upper = call.flag("upper");
    const T root = static_cast<T>(std::pow(static_cast<double>(d), -0.25));
    const T cross = root * root, square = cross / std::numbers::sqrt2_v<T>;
    for (Index r = 0; r < x.rows(); ++r) {
      d_x.row(r) = root * d_phi.row(r).segment(1, d) +
                   2 * square * d_phi.row(r).segment(1 + d, d).cwiseProduct(x.row(r));
      for_each_run_of_pairs(d, upper, [&](Index i, Index first, Index count, Index at) {
        const auto g = d_phi.row(r).segment(1 + 2 * d + at, count);
        d_x(r, i) += cross * g.dot(x.row(r).segment(first, count));
        d_x.row(r).segment(first, count) += cross * x(r, i) * g;
      });
    }
    note_multiply_adds<T>(2 * d_phi.size() - (2 + 2 * d) * x.rows());
  }
};

constexpr FeatureMapPaper kBased{
    "Simple linear attention language models balance the recall-throughput tradeoff",
    "https://arxiv.org/abs/2402.18668", "Taylor linear attention"};

}  // namespace

template <typename T>
void add_taylor_maps(std::vector<Entry<T>>& all) {
  all.push_back(
      {.info =
           {.id = "taylor",
            .label = "Taylor, order 2",
            .tex =
                R"(\varphi(x) = \Bigl[1,\ \tfrac{x}{d^{1/4}},\ \tfrac{\operatorname{vec}(xx^{\top})}{\sqrt{2d}}\Bigr])",
            .dimension_tex = "1 + d + d^2",
            .positivity = Positivity::kAny,
            .kernel =
                "1 + s + s²/2 with s = q·k/√d: the exponential's Taylor polynomial, never below ½.",
            .note = "Close to softmax while |s| stays near 1; grows again for very negative s.",
            .paper = kBased},
       .functions = functions_of<Taylor, T>(),
       .dimension = [](double d, double, const Parameters&) { return 1 + d + d * d; },
       .cost = {.forward = {.multiply_adds = {.features = 1, .rows = -1}},
                .backward = {.multiply_adds = {.input = -1, .features = 2, .rows = -2}}}});

  all.push_back(
      {.info =
           {.id = "taylor_compact",
            .label = "Taylor, compact",
            .tex =
                R"(\varphi(x) = \Bigl[1,\ \tfrac{x}{d^{1/4}},\ \tfrac{x_i^2}{\sqrt{2d}},\ \tfrac{x_i x_j}{\sqrt{d}}\Bigr]_{i \ne j})",
            .dimension_tex = R"(\tfrac{(d+1)(d+2)}{2})",
            .positivity = Positivity::kAny,
            .kernel = "The same kernel as Taylor, each mixed product kept once.",
            .note = "Same weights, little more than half the features.",
            .paper = kBased,
            .parameters = {{"upper", "order",
                            "Order of the mixed products: 0 below the diagonal, 1 above it.", 0, 0,
                            1, true}}},
       .functions = functions_of<TaylorCompact, T>(),
       .dimension = [](double d, double, const Parameters&) { return 1 + 2 * d + pairs(d); },
       .cost = {.forward = {.multiply_adds = {.features = 1, .rows = -1}},
                .backward = {.multiply_adds = {.input = -2, .features = 2, .rows = -2}}},
       .kernel = [](const Parameters& p, Index d_k) -> Kernel {
         if (p["upper"] != 0) return {};
         return {{simd::Feature::kTaylorCompact,
                  static_cast<float>(std::pow(static_cast<double>(d_k), -0.25))}};
       }});
}

template void add_taylor_maps<float>(std::vector<Entry<float>>&);
template void add_taylor_maps<double>(std::vector<Entry<double>>&);

}  // namespace attn::internal
