#include "attn/kernels/neural_tangent.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "attn/kernels/learning_phrases.hpp"
#include "base/product.hpp"
#include "kernels/dense.hpp"

namespace attn {
namespace {

void require_options(const ReluNetworkOptions& options, Index least_layers) {
  if (options.layers < least_layers || options.layers > kMaxReluLayers) {
    throw ValueError("layers", phrase::number(options.layers),
                     phrase::range(least_layers, kMaxReluLayers));
  }
  internal::require_positive("weight_std", options.weight_std);
  if (!(options.bias_std >= 0) || !std::isfinite(options.bias_std)) {
    throw ValueError("bias_std", phrase::number(options.bias_std), phrase::number_of_at_least(0));
  }
}

template <typename T>
void require_points(std::string_view name, In<T> X) {
  if (X.rows() < 1 || X.cols() < 1) {
    throw ShapeError(name, phrase::shape(X.rows(), X.cols()), phrase::row_and_column);
  }
  require_finite<T>(name, X);
}

template <typename T>
void require_width(std::string_view name, In<T> X, Index d) {
  require_points<T>(name, X);
  if (X.cols() == d) return;
  throw ShapeError(name, phrase::shape(X.rows(), X.cols()),
                   phrase::shape_because(X.rows(), d, Wording(phrase::width_of_the_points)));
}

/// E[relu(u)relu(v)] and E[relu'(u)relu'(v)] for jointly Gaussian u, v.
struct ReluMoments {
  double values, slopes;
};
ReluMoments relu_moments(double uu, double vv, double uv) {
  // atan2 keeps its precision where the vectors are nearly parallel, and arccos does not.
  const double root = std::sqrt(std::max(0.0, uu * vv - uv * uv));
  const double angle = uu > 0 && vv > 0 ? std::atan2(root, uv) : std::numbers::pi / 2;
  const double slopes = 0.5 - angle / (2 * std::numbers::pi);
  return {root / (2 * std::numbers::pi) + slopes * uv, slopes};
}

}  // namespace

template <typename T>
NeuralTangentKernel<T> neural_tangent_kernel(In<T> X, In<T> Y, const ReluNetworkOptions& options) {
  require_options(options, 0);
  require_points<T>("X", X);
  require_width<T>("Y", Y, X.cols());
  const Matrix<double> a = X.template cast<double>(), b = Y.template cast<double>();
  const double weight = options.weight_std * options.weight_std;
  const double bias = options.bias_std * options.bias_std;
  const double first = options.scale_inputs ? weight / static_cast<double>(X.cols()) : weight;
  Vector<double> aa = (first * a.rowwise().squaredNorm().array() + bias).matrix();
  Vector<double> bb = (first * b.rowwise().squaredNorm().array() + bias).matrix();
  Matrix<double> nngp = ((first * (a * b.transpose())).array() + bias).matrix(), ntk = nngp;
  for (Index layer = 0; layer < options.layers; ++layer) {
    for (Index i = 0; i < nngp.rows(); ++i) {
      for (Index j = 0; j < nngp.cols(); ++j) {
        const ReluMoments moments = relu_moments(aa(i), bb(j), nngp(i, j));
        nngp(i, j) = weight * moments.values + bias;
        ntk(i, j) = nngp(i, j) + weight * moments.slopes * ntk(i, j);
      }
    }
    // Of a point with itself: E[relu(u)²] = ½E[u²].
    aa = (weight / 2 * aa.array() + bias).matrix();
    bb = (weight / 2 * bb.array() + bias).matrix();
  }
  return {nngp.template cast<T>(), ntk.template cast<T>()};
}

template <typename T>
ReluNetwork<T>::ReluNetwork(Index d, Index width, const ReluNetworkOptions& options,
                            std::uint64_t seed)
    : options_(options), d_(d) {
  require_options(options, 1);
  if (d < 1) throw ValueError("d", phrase::number(d), phrase::at_least(1));
  if (width < 1 || width > 16384) {
    throw ValueError("width", phrase::number(width), phrase::range(1, 16384));
  }
  constexpr Index kMost = Index{1} << 24;
  if (width * d + (options.layers - 1) * width * width > kMost) {
    throw CapacityError("width", phrase::number(width), phrase::fewer_numbers(kMost));
  }
  Index inputs = d;
  for (Index layer = 0; layer <= options.layers; ++layer) {
    const Index outputs = layer == options.layers ? 1 : width;
    Rng rng(seed, static_cast<std::uint64_t>(layer));
    weights_.push_back(rng.gaussian_matrix<T>(outputs, inputs));
    biases_.push_back(rng.gaussian_matrix<T>(outputs, 1));
    inputs = outputs;
  }
}

/// What a forward pass leaves: the inputs of each layer, N×inputs, and the outputs.
template <typename T>
struct ReluNetwork<T>::Pass {
  std::vector<Matrix<T>> inputs;
  Vector<T> outputs;
};

template <typename T>
T ReluNetwork<T>::input_scale(std::size_t layer) const {
  const double inputs = static_cast<double>(weights_[layer].cols());
  const bool scaled = layer > 0 || options_.scale_inputs;
  return static_cast<T>(options_.weight_std / (scaled ? std::sqrt(inputs) : 1));
}

template <typename T>
typename ReluNetwork<T>::Pass ReluNetwork<T>::forward(In<T> X) const {
  require_width<T>("X", X, d_);
  Pass pass;
  pass.inputs.emplace_back(X);
  for (std::size_t layer = 0; layer < weights_.size(); ++layer) {
    Matrix<T> z = internal::product_nt<T>(pass.inputs.back(), weights_[layer]) * input_scale(layer);
    z.rowwise() += static_cast<T>(options_.bias_std) * biases_[layer].transpose();
    if (layer + 1 == weights_.size()) {
      pass.outputs = z.col(0);
    } else {
      pass.inputs.emplace_back(z.cwiseMax(T(0)));
    }
  }
  return pass;
}

/// ∂f(x_i)/∂z of each layer, N×outputs.
template <typename T>
std::vector<Matrix<T>> ReluNetwork<T>::backward(const Pass& pass) const {
  std::vector<Matrix<T>> deltas(weights_.size());
  deltas.back() = Matrix<T>::Ones(pass.outputs.size(), 1);
  for (std::size_t layer = weights_.size() - 1; layer > 0; --layer) {
    Matrix<T> delta = internal::product_nn<T>(deltas[layer], weights_[layer]) * input_scale(layer);
    delta = (pass.inputs[layer].array() > T(0)).select(delta, T(0));
    deltas[layer - 1] = std::move(delta);
  }
  return deltas;
}

template <typename T>
Vector<T> ReluNetwork<T>::operator()(In<T> X) const {
  return forward(X).outputs;
}

template <typename T>
Matrix<T> ReluNetwork<T>::tangent_kernel(In<T> X, In<T> Y) const {
  const Pass x = forward(X), y = forward(Y);
  const std::vector<Matrix<T>> dx = backward(x), dy = backward(y);
  Matrix<T> made = Matrix<T>::Zero(X.rows(), Y.rows());
  const T bias = static_cast<T>(options_.bias_std * options_.bias_std);
  for (std::size_t layer = 0; layer < weights_.size(); ++layer) {
    const T scale = input_scale(layer) * input_scale(layer);
    const Matrix<T> inputs = internal::product_nt<T>(x.inputs[layer], y.inputs[layer]);
    const Matrix<T> slopes = internal::product_nt<T>(dx[layer], dy[layer]);
    made.array() += slopes.array() * (scale * inputs.array() + bias);
  }
  return made;
}

template <typename T>
Vector<T> ReluNetwork<T>::descend(In<T> X, InVector<T> y, double rate) {
  internal::require_targets<T>("y", y, X.rows());
  const Pass pass = forward(X);
  const std::vector<Matrix<T>> deltas = backward(pass);
  const Vector<T> errors = (pass.outputs - y) * static_cast<T>(-rate);
  for (std::size_t layer = 0; layer < weights_.size(); ++layer) {
    const Matrix<T> weighted = deltas[layer].array().colwise() * errors.array();
    internal::add_product_tn<T>(weighted * input_scale(layer), pass.inputs[layer], weights_[layer]);
    biases_[layer] += static_cast<T>(options_.bias_std) * weighted.colwise().sum().transpose();
  }
  return pass.outputs;
}

template <typename T>
Index ReluNetwork<T>::weight_count() const {
  Index count = 0;
  for (std::size_t layer = 0; layer < weights_.size(); ++layer) {
    count += weights_[layer].size() + (options_.bias_std > 0 ? biases_[layer].size() : 0);
  }
  return count;
}

template <typename T>
double ReluNetwork<T>::distance(const ReluNetwork& other) const {
  if (weights_.size() != other.weights_.size() ||
      weights_.front().size() != other.weights_.front().size()) {
    throw ShapeError("other", phrase::number(other.weight_count()), phrase::number(weight_count()));
  }
  double moved = 0, all = 0;
  for (std::size_t layer = 0; layer < weights_.size(); ++layer) {
    const auto add = [&](const auto& mine, const auto& theirs) {
      moved += (mine - theirs).template cast<double>().squaredNorm();
      all += theirs.template cast<double>().squaredNorm();
    };
    add(weights_[layer], other.weights_[layer]);
    if (options_.bias_std > 0) add(biases_[layer], other.biases_[layer]);
  }
  return std::sqrt(moved / all);
}

template <typename T>
WideNetworkTraining<T>::WideNetworkTraining(In<T> X, InVector<T> y, In<T> Z,
                                            const WideTrainingOptions& options)
    : X_(X),
      Z_(Z),
      y_(y),
      options_(options),
      first_(X.cols(), options.width, options.network, options.seed),
      network_(first_) {
  require_points<T>("X", X);
  require_width<T>("Z", Z, X.cols());
  internal::require_targets<T>("y", y, X.rows());
  internal::require_positive("rate", options.rate);
  if (options.steps < 1 || options.steps > 100'000) {
    throw ValueError("steps", phrase::number(options.steps), phrase::range(1, 100'000));
  }
  const Matrix<double> x = X.template cast<double>();
  kernel_ = neural_tangent_kernel<double>(x, x, options.network).ntk;
  cross_ = neural_tangent_kernel<double>(Z.template cast<double>(), x, options.network).ntk;
  const double largest = internal::largest_eigenvalue(kernel_);
  learning_rate_ = largest > 0 ? options.rate / largest : options.rate;
  kernel_error_ =
      (first_.tangent_kernel(X, X).template cast<double>() - kernel_).norm() / kernel_.norm();
  start_ = first_(Z);
  fitted_ = first_(X).template cast<double>();
  alpha_ = Vector<double>::Zero(X.rows());
}

template <typename T>
bool WideNetworkTraining<T>::step(Index steps) {
  const Vector<double> target = y_.template cast<double>();
  for (Index s = 0; s < std::max<Index>(steps, 1) && done_ <= options_.steps; ++s) {
    const bool last = done_++ == options_.steps;
    const Vector<T> network = last ? network_(X_) : network_.descend(X_, y_, learning_rate_);
    const Vector<double> errors = fitted_ - target;
    curve_.push_back({0.5 * (network.template cast<double>() - target).squaredNorm(),
                      0.5 * errors.squaredNorm()});
    if (last) break;
    alpha_ -= learning_rate_ * errors;
    fitted_ -= learning_rate_ * (kernel_ * errors);
  }
  return done_ > options_.steps;
}

template <typename T>
double WideNetworkTraining<T>::progress() const {
  return static_cast<double>(done_) / static_cast<double>(options_.steps + 1);
}

template <typename T>
WideTraining<T> WideNetworkTraining<T>::result() const {
  WideTraining<T> made;
  made.curve = curve_;
  made.start = start_;
  made.network = network_(Z_);
  const Vector<double> kernel = start_.template cast<double>() + cross_ * alpha_;
  made.kernel = kernel.template cast<T>();
  made.difference = std::sqrt((made.network.template cast<double>() - kernel).squaredNorm() /
                              static_cast<double>(kernel.size()));
  made.weight_change = network_.distance(first_);
  const Matrix<double> before = first_.tangent_kernel(X_, X_).template cast<double>();
  const Matrix<double> now = network_.tangent_kernel(X_, X_).template cast<double>();
  made.kernel_change = (now - before).norm() / before.norm();
  made.kernel_error = kernel_error_;
  made.learning_rate = learning_rate_;
  made.weight_count = network_.weight_count();
  return made;
}

#define ATTN_INSTANTIATE(T)                                                            \
  template NeuralTangentKernel<T> neural_tangent_kernel<T>(In<T>, In<T>,               \
                                                           const ReluNetworkOptions&); \
  template class ReluNetwork<T>;                                                       \
  template class WideNetworkTraining<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
