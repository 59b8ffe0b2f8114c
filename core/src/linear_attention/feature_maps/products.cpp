// Maps made of products of two coordinates.

#include <cmath>
#include <numbers>

#include "linear_attention/feature_maps/entry.hpp"
#include "linear_attention/feature_maps/pairs.hpp"

namespace attn::internal {
namespace {

/// The layer norm of each row, with the numbers that its backward pass needs.
template <typename T>
struct LayerNorm {
  Matrix<T> normal;   // (x − mean)/√(variance + ε)
  Vector<T> rescale;  // 1/√(variance + ε)
  Matrix<T> out;

  LayerNorm(const Call<T>& call, In<T> x) : normal(x.rows(), x.cols()), rescale(x.rows()) {
    const T epsilon = call.parameter("layer_norm_epsilon");
    for (Index r = 0; r < x.rows(); ++r) {
      normal.row(r) = x.row(r).array() - x.row(r).mean();
      const T spread = normal.row(r).squaredNorm() / static_cast<T>(x.cols()) + epsilon;
      // A constant row without ε would give 0/0.
      rescale(r) = spread > 0 ? 1 / std::sqrt(spread) : T(0);
      normal.row(r) *= rescale(r);
    }
    note_multiply_adds<T>(2 * x.size());
    out = normal;
    if (call.options.gain.size() > 0) {
      out.array().rowwise() *= call.options.gain.row(0).array();
    }
    if (call.options.shift.size() > 0) out.rowwise() += call.options.shift.row(0);
  }

  void backward(const Call<T>& call, Matrix<T>& d_out) const {
    if (call.options.gain.size() > 0) {
      d_out.array().rowwise() *= call.options.gain.row(0).array();
    }
    for (Index r = 0; r < d_out.rows(); ++r) {
      const T mean = d_out.row(r).mean();
      const T along = d_out.row(r).dot(normal.row(r)) / static_cast<T>(d_out.cols());
      d_out.row(r) = rescale(r) * ((d_out.row(r).array() - mean).matrix() - along * normal.row(r));
    }
    note_multiply_adds<T>(2 * d_out.size());
  }
};

struct Rebased {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    if (call.flag("layer_norm")) {
      quadratic<T>(LayerNorm<T>(call, x).out, phi);
    } else {
      quadratic<T>(x, phi);
    }
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    if (call.flag("layer_norm")) {
      const LayerNorm<T> norm(call, x);
      quadratic_backward<T>(norm.out, d_phi, d_x);
      norm.backward(call, d_x);
    } else {
      quadratic_backward<T>(x, d_phi, d_x);
    }
  }

 private:
  template <typename T>
  static void quadratic(In<T> y, Matrix<T>& phi) {
    const Index d = y.cols();
    const T square = static_cast<T>(1 / std::sqrt(static_cast<double>(d)));
    const T cross = std::numbers::sqrt2_v<T> * square;
    for (Index r = 0; r < y.rows(); ++r) {
      phi.row(r).head(d) = square * y.row(r).cwiseAbs2();
      for_each_run_of_pairs(d, true, [&](Index i, Index first, Index count, Index at) {
        scale_into(y.row(r).data() + first, cross * y(r, i), count, phi.row(r).data() + d + at);
      });
    }
    note_multiply_adds<T>(phi.size());
  }
  template <typename T>
  static void quadratic_backward(In<T> y, In<T> d_phi, Matrix<T>& d_y) {
    const Index d = y.cols();
    const T square = static_cast<T>(1 / std::sqrt(static_cast<double>(d)));
    const T cross = std::numbers::sqrt2_v<T> * square;
    for (Index r = 0; r < y.rows(); ++r) {
      d_y.row(r) = 2 * square * d_phi.row(r).head(d).cwiseProduct(y.row(r));
      for_each_run_of_pairs(d, true, [&](Index i, Index first, Index count, Index at) {
        const auto g = d_phi.row(r).segment(d + at, count);
        d_y(r, i) += cross * g.dot(y.row(r).segment(first, count));
        d_y.row(r).segment(first, count) += cross * y(r, i) * g;
      });
    }
    note_multiply_adds<T>(2 * d_phi.size() - d * y.rows());
  }
};

struct Dpfp {
  /// [relu(x), relu(−x)], or [relu(x), −relu(x)] as fla's code has it.
  template <typename T>
  static Matrix<T> split(const Call<T>& call, In<T> x) {
    Matrix<T> z(x.rows(), 2 * x.cols());
    z.leftCols(x.cols()) = x.cwiseMax(T(0));
    if (call.flag("fla")) {
      z.rightCols(x.cols()) = -z.leftCols(x.cols());
    } else {
      z.rightCols(x.cols()) = (-x).cwiseMax(T(0));
    }
    return z;
  }
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const Matrix<T> z = split<T>(call, x);
    const Index w = z.cols();
    for (Index roll = 1; roll * w <= phi.cols(); ++roll) {
      for (Index k = 0; k < w; ++k) {
        phi.col((roll - 1) * w + k) = z.col(k).cwiseProduct(z.col(rolled(k, roll, w)));
      }
    }
    note_multiply_adds<T>(phi.size());
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Matrix<T> z = split<T>(call, x);
    const Index w = z.cols(), d = x.cols();
    Matrix<T> d_z = Matrix<T>::Zero(z.rows(), w);
    for (Index roll = 1; roll * w <= d_phi.cols(); ++roll) {
      for (Index k = 0; k < w; ++k) {
        const auto g = d_phi.col((roll - 1) * w + k);
        const Index other = rolled(k, roll, w);
        d_z.col(k) += g.cwiseProduct(z.col(other));
        d_z.col(other) += g.cwiseProduct(z.col(k));
      }
    }
    note_multiply_adds<T>(2 * d_phi.size());
    const auto positive = (x.array() > 0).template cast<T>();
    if (call.flag("fla")) {
      d_x = (positive * (d_z.leftCols(d) - d_z.rightCols(d)).array()).matrix();
    } else {
      d_x = (positive * d_z.leftCols(d).array() -
             (x.array() < 0).template cast<T>() * d_z.rightCols(d).array())
                .matrix();
    }
  }

 private:
  /// The index in z from which torch.roll(z, roll) takes entry k.
  static Index rolled(Index k, Index roll, Index width) {
    return ((k - roll) % width + width) % width;
  }
};

}  // namespace

template <typename T>
void add_product_maps(std::vector<Entry<T>>& all) {
  all.push_back(
      {.info =
           {.id = "rebased",
            .label = "ReBased",
            .tex =
                R"(\varphi(x) = \bigl[\tfrac{y_i^2}{\sqrt d},\ \sqrt{\tfrac{2}{d}}\, y_i y_j\bigr]_{i<j},\quad y = \gamma \hat x + \beta)",
            .dimension_tex = R"(\tfrac{d(d+1)}{2})",
            .positivity = Positivity::kAny,
            .kernel = "(y_q·y_k)²/d of layer-normalised vectors: never negative, blind to sign.",
            .note = "Gain and shift are learned; 1 and 0 here.",
            .paper = {"Linear Transformers with Learnable Kernel Functions are Better In-Context "
                      "Models",
                      "https://arxiv.org/abs/2402.10644", "learnable kernel"},
            .parameters = {{"layer_norm", "layer norm", "Normalise each row first.", 1, 0, 1, true},
                           {"layer_norm_epsilon", "layer norm ε",
                            "Added to the variance under the root.", 1e-5, 0, 1, false}}},
       .functions = functions_of<Rebased, T>(),
       .dimension = [](double d, double, const Parameters&) { return d + pairs(d); },
       .cost = {.forward = {.multiply_adds = {.input = 2, .features = 1},
                            .workspace = {.input = 2, .rows = 1}},
                .backward = {.multiply_adds = {.input = 3, .features = 2},
                             .workspace = {.input = 2, .rows = 1}}},
       .takes_gain = true});

  all.push_back(
      {.info =
           {.id = "dpfp",
            .label = "DPFP",
            .tex =
                R"(\varphi(x) = \bigl[z_k\, z_{k-r}\bigr]_{r \le \nu},\quad z = [\max(0, x), \max(0, -x)])",
            .dimension_tex = R"(2 d \nu)",
            .positivity = Positivity::kNonNegative,
            .kernel = "Not the exponential kernel: sparse products that keep directions apart.",
            .note =
                "flash-linear-attention writes −max(0, x) for the second half; that variant can be "
                "negative.",
            .paper = {"Linear Transformers Are Secretly Fast Weight Programmers",
                      "https://arxiv.org/abs/2102.11174",
                      "deterministic parameter-free projection"},
            .parameters =
                {{"nu", "ν", "How many rolls of z are multiplied with it.", 1, 1, 8, true},
                 {"fla", "fla variant", "1: z = [max(0, x), −max(0, x)].", 0, 0, 1, true}}},
       .functions = functions_of<Dpfp, T>(),
       .dimension = [](double d, double, const Parameters& p) { return 2 * d * p["nu"]; },
       .cost = {.forward = {.multiply_adds = {.features = 1}, .workspace = {.input = 2}},
                .backward = {.multiply_adds = {.features = 2}, .workspace = {.input = 4}}},
       .positivity =
           [](const Parameters& p) {
             return p["fla"] != 0 ? Positivity::kAny : Positivity::kNonNegative;
           }});
}

template void add_product_maps<float>(std::vector<Entry<float>>&);
template void add_product_maps<double>(std::vector<Entry<double>>&);

}  // namespace attn::internal
