// Maps that depend on the position of a row.

#include <cmath>
#include <numbers>
#include <utility>

#include "linear_attention/feature_maps/entry.hpp"

namespace attn::internal {
namespace {

struct CosFormer {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const Index d = x.cols();
    for (Index r = 0; r < x.rows(); ++r) {
      const auto [sine, cosine] = weights<T>(call, r);
      phi.row(r).head(d) = sine * x.row(r).cwiseMax(T(0));
      phi.row(r).tail(d) = cosine * x.row(r).cwiseMax(T(0));
    }
    note_multiply_adds<T>(phi.size());
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Index d = x.cols();
    for (Index r = 0; r < x.rows(); ++r) {
      const auto [sine, cosine] = weights<T>(call, r);
      d_x.row(r) = (x.row(r).array() > 0)
                       .template cast<T>()
                       .matrix()
                       .cwiseProduct(sine * d_phi.row(r).head(d) + cosine * d_phi.row(r).tail(d));
    }
    note_multiply_adds<T>(d_phi.size());
  }

 private:
  template <typename T>
  static std::pair<T, T> weights(const Call<T>& call, Index row) {
    const double place = static_cast<double>(call.position.offset + row + 1);
    const double angle = std::numbers::pi / 2 * place / static_cast<double>(call.position.length);
    return {static_cast<T>(std::sin(angle)), static_cast<T>(std::cos(angle))};
  }
};

}  // namespace

template <typename T>
void add_positional_maps(std::vector<Entry<T>>& all) {
  all.push_back(
      {.info =
           {.id = "cosformer",
            .label = "cosFormer",
            .tex =
                R"(\varphi(x_i) = \bigl[\max(0, x)\sin\tfrac{\pi i}{2M},\ \max(0, x)\cos\tfrac{\pi i}{2M}\bigr])",
            .dimension_tex = "2d",
            .positivity = Positivity::kNonNegative,
            .kernel = "ReLU's kernel times cos(π(i − j)/2M): a preference for near positions.",
            .note = "Not cosine similarity; the length M must be known beforehand.",
            .positional = true,
            .paper = {"cosFormer: Rethinking Softmax in Attention",
                      "https://arxiv.org/abs/2202.08791", "cos-based re-weighting"}},
       .functions = functions_of<CosFormer, T>(),
       .dimension = twice,
       .cost = {.forward = {.multiply_adds = {.features = 1}},
                .backward = {.multiply_adds = {.features = 1}}}});
}

template void add_positional_maps<float>(std::vector<Entry<float>>&);
template void add_positional_maps<double>(std::vector<Entry<double>>&);

}  // namespace attn::internal
