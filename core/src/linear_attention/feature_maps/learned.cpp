// Maps whose papers learn a projection.

#include "base/product.hpp"
#include "linear_attention/feature_maps/entry.hpp"

namespace attn::internal {
namespace {

/// y = Wx + b, row by row.
template <typename T>
Matrix<T> project(const Call<T>& call, In<T> x) {
  Matrix<T> y = product_nt<T>(x, call.options.projection);
  if (call.options.bias.size() > 0) {
    y.rowwise() += Eigen::Map<const Eigen::Matrix<T, 1, Eigen::Dynamic>>(call.options.bias.data(),
                                                                         call.options.bias.size());
  }
  return y;
}

template <typename Row>
void softmax_in_place(Row row) {
  row = (row.array() - row.maxCoeff()).exp();
  row /= row.sum();
  note<typename Row::Scalar>({.exps = wide(row.size())});
}

/// Turns the gradient at softmax's output p into the gradient at its input.
template <typename Row, typename P>
void softmax_backward(Row gradient, const P& p) {
  const auto along = gradient.dot(p);
  gradient = (gradient.array() - along) * p.array();
  note_multiply_adds<typename Row::Scalar>(gradient.size());
}

/// Hedgehog as in LoLCATs: two separate softmaxes, of Wx and of −Wx, each ≥ floor.
struct Hedgehog {
  template <typename T>
  static Matrix<T> softmaxes(const Call<T>& call, In<T> x) {
    const Matrix<T> y = project<T>(call, x);
    Matrix<T> p(y.rows(), 2 * y.cols());
    p << y, -y;
    for (Index r = 0; r < p.rows(); ++r) {
      softmax_in_place(p.row(r).head(y.cols()));
      softmax_in_place(p.row(r).tail(y.cols()));
    }
    return p;
  }
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    phi = softmaxes<T>(call, x).cwiseMax(call.parameter("floor"));
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Matrix<T> p = softmaxes<T>(call, x);
    const Index m = p.cols() / 2;
    Matrix<T> g =
        d_phi.cwiseProduct((p.array() > call.parameter("floor")).template cast<T>().matrix());
    for (Index r = 0; r < p.rows(); ++r) {
      softmax_backward(g.row(r).head(m), p.row(r).head(m));
      softmax_backward(g.row(r).tail(m), p.row(r).tail(m));
    }
    product_nn<T>(g.leftCols(m) - g.rightCols(m), call.options.projection, d_x);
  }
};

/// Hedgehog's exponential form: [exp(y − max y), exp(−y + min y)], each ≥ floor.
struct HedgehogExp {
  template <typename T>
  static Matrix<T> exponentials(In<T> y) {
    Matrix<T> e(y.rows(), 2 * y.cols());
    for (Index r = 0; r < y.rows(); ++r) {
      e.row(r).head(y.cols()) = (y.row(r).array() - y.row(r).maxCoeff()).exp();
      e.row(r).tail(y.cols()) = (y.row(r).minCoeff() - y.row(r).array()).exp();
    }
    note<T>({.exps = wide(e.size())});
    return e;
  }
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    phi = exponentials<T>(project<T>(call, x)).cwiseMax(call.parameter("floor"));
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Matrix<T> y = project<T>(call, x);
    const Matrix<T> e = exponentials<T>(y);
    const Index m = y.cols();
    const Matrix<T> g =
        (e.array() > call.parameter("floor")).select(d_phi.cwiseProduct(e).array(), T(0));
    Matrix<T> d_y = g.leftCols(m) - g.rightCols(m);
    for (Index r = 0; r < y.rows(); ++r) {
      Index highest = 0, lowest = 0;
      y.row(r).maxCoeff(&highest);
      y.row(r).minCoeff(&lowest);
      d_y(r, highest) -= g.row(r).head(m).sum();
      d_y(r, lowest) += g.row(r).tail(m).sum();
    }
    note_multiply_adds<T>(g.size());
    product_nn<T>(d_y, call.options.projection, d_x);
  }
};

/// Hedgehog as in flash-linear-attention: one softmax over [2(Wx + b), −2(Wx + b)].
struct HedgehogJoint {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    const Matrix<T> y = project<T>(call, x);
    phi << 2 * y, -2 * y;
    for (Index r = 0; r < phi.rows(); ++r) softmax_in_place(phi.row(r));
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    Matrix<T> p(d_phi.rows(), d_phi.cols());
    apply<T>(call, x, p);
    const Index m = p.cols() / 2;
    Matrix<T> g = d_phi;
    for (Index r = 0; r < p.rows(); ++r) softmax_backward(g.row(r), p.row(r));
    product_nn<T>(2 * (g.leftCols(m) - g.rightCols(m)), call.options.projection, d_x);
  }
};

struct T2r {
  template <typename T>
  static void apply(const Call<T>& call, In<T> x, Matrix<T>& phi) {
    phi = project<T>(call, x).cwiseMax(T(0));
  }
  template <typename T>
  static void backward(const Call<T>& call, In<T> x, In<T> d_phi, Matrix<T>& d_x) {
    const Matrix<T> g = (project<T>(call, x).array() > 0).select(d_phi.array(), T(0));
    product_nn<T>(g, call.options.projection, d_x);
  }
};

constexpr FeatureMapParameter kHedgehogFloor{
    "floor", "floor", "Features below it are lifted to it.", 1e-12, 0, 1, false};
constexpr FeatureMapPaper kHedgehog{
    "The Hedgehog & the Porcupine: Expressive Linear Attentions with Softmax Mimicry",
    "https://arxiv.org/abs/2402.04347", "Hedgehog feature map"};

}  // namespace

template <typename T>
void add_learned_maps(std::vector<Entry<T>>& all) {
  all.push_back(
      {.info =
           {.id = "hedgehog",
            .label = "Hedgehog",
            .tex =
                R"(\varphi(x) = \bigl[\operatorname{softmax}(Wx),\ \operatorname{softmax}(-Wx)\bigr])",
            .dimension_tex = "2d",
            .positivity = Positivity::kPositive,
            .kernel = "None in closed form: W is trained so that the weights mimic softmax.",
            .note = "W is the identity here, nothing is trained.",
            .paper = kHedgehog,
            .parameters = {kHedgehogFloor}},
       .functions = functions_of<Hedgehog, T>(),
       .dimension = twice_projected,
       .cost = {.forward = {.exps = {.features = 1}, .workspace = {.projected = 3}},
                .backward = {.multiply_adds = {.features = 1},
                             .exps = {.features = 1},
                             .workspace = {.projected = 5}}},
       .projection = Projection::kIdentity,
       .takes_bias = true});

  all.push_back(
      {.info = {.id = "hedgehog_exp",
                .label = "Hedgehog, exponential form",
                .tex = R"(\varphi(x) = \bigl[e^{y - \max y},\ e^{-y + \min y}\bigr],\quad y = Wx)",
                .dimension_tex = "2d",
                .positivity = Positivity::kPositive,
                .kernel = "None in closed form: W is trained so that the weights mimic softmax.",
                .note = "Overflow-safe: the largest feature of each half is 1.",
                .paper = {kHedgehog.title, kHedgehog.url, "released code, exponential variant"},
                .parameters = {kHedgehogFloor}},
       .functions = functions_of<HedgehogExp, T>(),
       .dimension = twice_projected,
       .cost = {.forward = {.exps = {.features = 1}, .workspace = {.projected = 3}},
                .backward = {.multiply_adds = {.features = 1},
                             .exps = {.features = 1},
                             .workspace = {.projected = 6}}},
       .projection = Projection::kIdentity,
       .takes_bias = true});

  all.push_back(
      {.info = {.id = "hedgehog_joint",
                .label = "Hedgehog, one softmax",
                .tex =
                    R"(\varphi(x) = \operatorname{softmax}\bigl([2y,\ -2y]\bigr),\quad y = Wx + b)",
                .dimension_tex = "2d",
                .positivity = Positivity::kPositive,
                .kernel = "None in closed form; a second definition under the same name.",
                .note = "As in flash-linear-attention: one softmax over both halves.",
                .paper = {kHedgehog.title, kHedgehog.url,
                          "as implemented in flash-linear-attention"}},
       .functions = functions_of<HedgehogJoint, T>(),
       .dimension = twice_projected,
       .cost = {.forward = {.exps = {.features = 1}, .workspace = {.projected = 1}},
                .backward = {.multiply_adds = {.features = 1},
                             .exps = {.features = 1},
                             .workspace = {.projected = 5}}},
       .projection = Projection::kIdentity,
       .takes_bias = true});

  all.push_back(
      {.info = {.id = "t2r",
                .label = "T2R",
                .tex = R"(\varphi(x) = \max(0, Wx + b))",
                .dimension_tex = "m",
                .positivity = Positivity::kNonNegative,
                .kernel = "None in closed form: W and b are trained.",
                .note = "W is the identity here, so it is ReLU until you give it weights.",
                .paper = {"Finetuning Pretrained Transformers into RNNs",
                          "https://arxiv.org/abs/2103.13076", "learned feature map"}},
       .functions = functions_of<T2r, T>(),
       .dimension = projected,
       .cost = {.forward = {.workspace = {.projected = 1}},
                .backward = {.workspace = {.projected = 2}}},
       .projection = Projection::kIdentity,
       .takes_bias = true});
}

template void add_learned_maps<float>(std::vector<Entry<float>>&);
template void add_learned_maps<double>(std::vector<Entry<double>>&);

}  // namespace attn::internal
