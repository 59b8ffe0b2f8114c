#include "attn/kernels/smoother.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "attn/attention/attention.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/inputs.hpp"
#include "attn/kernels/phrases.hpp"
#include "base/product.hpp"
#include "kernels/registry/entry.hpp"

namespace attn {
namespace {

/// The most points whose projected kernel is looked at as a whole.
constexpr Index kMaxProjectedPoints = 512;

std::vector<double> to_list(const Vector<double>& x) { return {x.data(), x.data() + x.size()}; }

}  // namespace

template <typename T>
SmootherResult<T> nadaraya_watson(const Kernel<T>& kernel, In<T> Q, In<T> K, In<T> V) {
  SmootherResult<T> result;
  result.weights = kernel.gram(Q, K);
  require_shape<T>("V", V, K.rows(), std::max<Index>(V.cols(), 1), phrase::rows_as_k);
  require_finite<T>("V", V);
  result.sums = result.weights.rowwise().sum();
  for (Index i = 0; i < Q.rows(); ++i) {
    // Without any key in reach there is nothing to divide.
    if (result.sums(i) != 0) result.weights.row(i) /= result.sums(i);
  }
  result.output = internal::product_nn<T>(result.weights, V);
  return result;
}

template <typename T>
SmootherComparison<T> compare_smoother_with_attention(std::string_view kernel,
                                                      const KernelParameters& parameters, In<T> Q,
                                                      In<T> K, In<T> V) {
  const RegisteredKernel& info = registered_kernel(kernel);
  const bool gaussian = info.id == "rbf";
  if (!gaussian && info.id != "exponential") {
    throw ValueError("kernel", phrase::quoted(kernel),
                     phrase::one_of(std::vector<std::string>{"exponential", "rbf"}));
  }
  SmootherComparison<T> result;
  result.smoother = nadaraya_watson<T>(Kernel<T>(kernel, parameters), Q, K, V);
  const double width = static_cast<double>(Q.cols());
  double gamma = 0;
  if (gaussian) {
    gamma = internal::kernel_parameter(info, parameters, "gamma");
    if (gamma == 0) gamma = 1 / width;
    result.scale = 2 * gamma;
  } else {
    result.scale = internal::kernel_parameter(info, parameters, "scale");
    if (result.scale == 0) result.scale = 1 / std::sqrt(width);
  }
  AttentionOptions<T> options;
  options.scale = result.scale;
  auto attended = attention<T>(Q, K, V, options);
  result.attention_weights = std::move(attended.weights);
  result.attention_output = std::move(attended.output);
  Matrix<T> bias(Q.rows(), K.rows());
  bias.rowwise() = (static_cast<T>(-gamma) * internal::squared_norms<T>(K)).transpose();
  options.bias = SharedMatrix<T>(std::move(bias));
  result.biased_weights = attention<T>(Q, K, V, options).weights;
  const auto difference = [&](const Matrix<T>& weights) {
    return static_cast<double>((weights - result.smoother.weights).cwiseAbs().maxCoeff());
  };
  result.difference = difference(result.attention_weights);
  result.biased_difference = difference(result.biased_weights);
  const Vector<T> norms = internal::squared_norms<T>(K).cwiseSqrt();
  result.smallest_key_norm = static_cast<double>(norms.minCoeff());
  result.largest_key_norm = static_cast<double>(norms.maxCoeff());
  return result;
}

template <typename T>
ProjectedKernel<T> projected_kernel(In<T> X, In<T> Wq, In<T> Wk) {
  if (X.rows() < 1 || X.cols() < 1) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::row_and_column);
  }
  if (X.rows() > kMaxProjectedPoints) {
    throw CapacityError("X", phrase::shape(X.rows(), X.cols()),
                        phrase::at_most_rows(kMaxProjectedPoints));
  }
  require_shape<T>("Wq", Wq, std::max<Index>(Wq.rows(), 1), X.cols(), phrase::columns_as_x);
  require_shape<T>("Wk", Wk, Wq.rows(), X.cols(), phrase::columns_as_x);
  require_finite<T>("Wq", Wq);
  require_finite<T>("Wk", Wk);
  ProjectedKernel<T> result;
  result.values =
      Kernel<T>("exponential").gram(internal::product_nt<T>(X, Wq), internal::product_nt<T>(X, Wk));
  const Eigen::MatrixXd A = result.values.template cast<double>();
  result.asymmetry = (A - A.transpose()).norm() / A.norm();
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(
                                     (A + A.transpose()) / 2, Eigen::EigenvaluesOnly)
                                     .eigenvalues();
  result.smallest_share = values(0) / values.cwiseAbs().maxCoeff();
  return result;
}

template <typename T>
ProjectedKernel<T> random_projected_kernel(Index n, Index d, bool one_projection,
                                           std::uint64_t seed) {
  // Q is the tokens, and the first rows of K and of V are the two projections.
  const auto drawn = gaussian_qkv<T>(std::max(n, d), d, d, seed);
  if (n < 1) throw ValueError("n", phrase::number(n), phrase::at_least(1));
  const T scale = 1 / std::sqrt(static_cast<T>(d));
  const Matrix<T> Wq = scale * drawn.K.topRows(d), Wk = scale * drawn.V.topRows(d);
  return projected_kernel<T>(drawn.Q.topRows(n), Wq, one_projection ? Wq : Wk);
}

SmootherFit::SmootherFit(std::vector<double> x, std::vector<double> y, SmootherFitOptions options)
    : x_(std::move(x)),
      y_(std::move(y)),
      how_(options),
      optimizer_(static_cast<Index>(1 + 2 * x_.size()),
                 {.learning_rate = options.learning_rate, .weight_decay = 0}) {
  const auto pairs = static_cast<Index>(x_.size());
  if (pairs < 2 || pairs > kMaxSmootherPairs) {
    throw ShapeError("x", phrase::entries_seen(pairs), phrase::range(2, kMaxSmootherPairs));
  }
  if (y_.size() != x_.size()) {
    throw ShapeError("y", phrase::entries_seen(y_.size()),
                     phrase::count_because(pairs, phrase::value_each_point));
  }
  parameters_.resize(1 + 2 * pairs);
  parameters_.segment(1, pairs) = Eigen::Map<const Vector<double>>(x_.data(), pairs);
  parameters_.tail(pairs) = Eigen::Map<const Vector<double>>(y_.data(), pairs);
  require_finite<double>("x", parameters_.segment(1, pairs));
  require_finite<double>("y", parameters_.tail(pairs));
  const auto positive = [](const char* name, double value) {
    if (!(value > 0 && std::isfinite(value))) {
      throw ValueError(name, phrase::number(value), phrase::positive_number);
    }
  };
  positive("gamma", how_.gamma);
  positive("learning_rate", how_.learning_rate);
  if (how_.steps < 0 || how_.steps > 100000) {
    throw ValueError("steps", phrase::number(how_.steps), phrase::range(0, 100000));
  }
  parameters_(0) = std::log(how_.gamma);
  Vector<double> gradient;
  result_.losses.push_back(loss(parameters_, gradient));
  result_.keys = x_;
  result_.values = y_;
  result_.gamma = how_.gamma;
}

double SmootherFit::loss(const Vector<double>& parameters, Vector<double>& gradient) const {
  const auto m = static_cast<Index>(x_.size());
  const double gamma = std::exp(parameters(0));
  const auto keys = parameters.segment(1, m), values = parameters.tail(m);
  gradient = Vector<double>::Zero(1 + 2 * m);
  double sum = 0;
  Vector<double> weights(m), distances(m);
  for (Index i = 0; i < m; ++i) {
    const double query = x_[static_cast<std::size_t>(i)];
    distances = query - keys.array();
    weights = -gamma * distances.array().square();
    // A weight of e^{−∞} is 0: the pair itself does not predict its own target.
    weights(i) = -std::numeric_limits<double>::infinity();
    weights = (weights.array() - weights.maxCoeff()).exp();
    weights /= weights.sum();
    const double output = weights.dot(values);
    const double error = output - y_[static_cast<std::size_t>(i)];
    sum += error * error;
    const double d_output = 2 * error / static_cast<double>(m);
    gradient.tail(m) += d_output * weights;
    // The gradient at the exponents −γ(q − k)².
    const Vector<double> d_exponent = d_output * weights.array() * (values.array() - output);
    gradient(0) -= gamma * d_exponent.dot(distances.cwiseAbs2());
    gradient.segment(1, m) += 2 * gamma * d_exponent.cwiseProduct(distances);
  }
  return sum / static_cast<double>(m);
}

bool SmootherFit::step(int amount) {
  const auto m = static_cast<Index>(x_.size());
  Vector<double> gradient;
  for (int i = 0; i < amount && done_ < how_.steps; ++i, ++done_) {
    loss(parameters_, gradient);
    // A gradient of 0 from the first step on leaves a parameter where it is.
    if (!how_.learns.width) gradient(0) = 0;
    if (!how_.learns.keys) gradient.segment(1, m).setZero();
    if (!how_.learns.values) gradient.tail(m).setZero();
    optimizer_.step(parameters_, gradient);
    result_.losses.push_back(loss(parameters_, gradient));
  }
  result_.gamma = std::exp(parameters_(0));
  result_.keys = to_list(parameters_.segment(1, m));
  result_.values = to_list(parameters_.tail(m));
  return done_ == how_.steps;
}

double SmootherFit::progress() const {
  return how_.steps > 0 ? static_cast<double>(done_) / static_cast<double>(how_.steps) : 1;
}

#define ATTN_INSTANTIATE(T)                                                             \
  template SmootherResult<T> nadaraya_watson<T>(const Kernel<T>&, In<T>, In<T>, In<T>); \
  template SmootherComparison<T> compare_smoother_with_attention<T>(                    \
      std::string_view, const KernelParameters&, In<T>, In<T>, In<T>);                  \
  template ProjectedKernel<T> projected_kernel<T>(In<T>, In<T>, In<T>);                 \
  template ProjectedKernel<T> random_projected_kernel<T>(Index, Index, bool, std::uint64_t);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
