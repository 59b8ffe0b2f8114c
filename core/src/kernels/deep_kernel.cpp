#include "attn/kernels/deep_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "attn/base/errors.hpp"
#include "attn/kernels/learning_phrases.hpp"
#include "kernels/dense.hpp"

namespace attn {
namespace {

/// ∂ln p/∂φ of the training points, for the RBF kernel on them: K_ij moves by
/// −K_ij(φ_i − φ_j)/length²·(dφ_i − dφ_j).
Matrix<double> d_features(const Matrix<double>& features, const RbfProcessParameters& parameters,
                          const Matrix<double>& gram, const Matrix<double>& d_gram) {
  const double factor = -2 / (parameters.length * parameters.length);
  const Matrix<double> pull = factor * d_gram.cwiseProduct(gram);
  // Σ_j pull_ij(φ_i − φ_j)
  return (features.array().colwise() * pull.rowwise().sum().array()).matrix() - pull * features;
}

struct Trainable {
  RbfProcess<double> process;
  Matrix<double> d_features;
};

/// The process on features, and the slopes of its likelihood by them.
Trainable process_on(const Matrix<double>& features, const Vector<double>& y,
                     const Matrix<double>& other_features, const RbfProcessParameters& parameters) {
  Trainable made;
  made.process = rbf_process<double>(features, y, other_features, parameters);
  const double bend = -0.5 / (parameters.length * parameters.length);
  const Matrix<double> gram =
      parameters.signal_variance *
      (bend * internal::squared_distances(features, features).array()).exp();
  const GaussianProcess<double> process(gram, y, parameters.noise_variance);
  made.d_features = d_features(features, parameters, gram, process.d_gram());
  return made;
}

}  // namespace

template <typename T>
DeepKernelProcess<T> deep_kernel_process(In<T> X, InVector<T> y, In<T> Z,
                                         const FeedForwardWeights<std::type_identity_t<T>>& weights,
                                         const RbfProcessParameters& parameters) {
  DeepKernelProcess<T> made;
  made.features = feed_forward<T>(X, weights, Activation::kTanh);
  Matrix<T> others(0, made.features.cols());
  if (Z.rows() > 0) others = feed_forward<T>(Z, weights, Activation::kTanh);
  const Trainable all = process_on(made.features.template cast<double>(), y.template cast<double>(),
                                   others.template cast<double>(), parameters);
  made.mean = all.process.mean.template cast<T>();
  made.variance = all.process.variance.template cast<T>();
  made.log_marginal_likelihood = all.process.log_marginal_likelihood;
  made.data_fit = all.process.data_fit;
  made.complexity = all.process.complexity;
  made.d_log = all.process.d_log;
  made.d_weights =
      feed_forward_backward<T>(X, weights, all.d_features.template cast<T>(), Activation::kTanh)
          .d_weights;
  return made;
}

template <typename T>
DeepKernelTraining<T>::DeepKernelTraining(In<T> X, InVector<T> y, In<T> X_test, InVector<T> y_test,
                                          In<T> Z, const DeepKernelOptions& options)
    : X_(X), test_points_(X_test), Z_(Z), y_(y), y_test_(y_test), options_(options), optimizer_(1) {
  const auto require_points = [&](const char* name, const Matrix<T>& points) {
    if (points.rows() < 1 || points.cols() != X.cols() || X.cols() < 1) {
      throw ShapeError(name, phrase::shape(points.rows(), points.cols()), phrase::row_and_column);
    }
    require_finite<T>(name, points);
  };
  require_points("X", X_);
  require_points("X_test", test_points_);
  require_points("Z", Z_);
  if (X.rows() > kMaxDeepKernelPoints) {
    throw CapacityError("X", phrase::shape(X.rows(), X.cols()),
                        phrase::at_most_rows(kMaxDeepKernelPoints));
  }
  internal::require_targets<T>("y", y, X.rows());
  internal::require_targets<T>("y_test", y_test, X_test.rows());
  if (options.hidden < 0 || options.hidden > 1024) {
    throw ValueError("hidden", phrase::number(options.hidden), phrase::range(0, 1024));
  }
  if (options.features < 1 || options.features > 64) {
    throw ValueError("features", phrase::number(options.features), phrase::range(1, 64));
  }
  if (options.steps < 1 || options.steps > 100'000) {
    throw ValueError("steps", phrase::number(options.steps), phrase::range(1, 100'000));
  }
  internal::require_positive("signal_variance", options.start.signal_variance);
  internal::require_positive("length", options.start.length);
  internal::require_positive("noise_variance", options.start.noise_variance);
  internal::require_positive("least_noise", options.least_noise);
  internal::require_positive("learning_rate", options.learning_rate);
  if (options.hidden > 0) {
    table_.add_matrix("up.weight", options.hidden, X.cols());
    table_.add_vector("up.bias", options.hidden, Initializer::kNormal, 1);
    table_.add_matrix("down.weight", options.features, options.hidden);
    table_.add_vector("down.bias", options.features);
  }
  table_.add_vector("log", 3);
  parameters_.resize(table_.size());
  initialize<T>(table_, options.seed, parameters_);
  parameters_.tail(3) << static_cast<T>(std::log(options.start.signal_variance)),
      static_cast<T>(std::log(options.start.length)),
      static_cast<T>(std::log(options.start.noise_variance));
  optimizer_ = AdamW<T>(table_.size(), AdamWOptions{.learning_rate = options.learning_rate,
                                                    .weight_decay = options.weight_decay});
}

template <typename T>
RbfProcessParameters DeepKernelTraining<T>::hyper() const {
  // Bounds within which a factor exists and nothing overflows.
  const auto at = [&](Index i) {
    return std::exp(
        std::clamp(static_cast<double>(parameters_(parameters_.size() - 3 + i)), -9.0, 9.0));
  };
  return {at(0), at(1), std::max(at(2), options_.least_noise)};
}

template <typename T>
FeedForwardWeights<T> DeepKernelTraining<T>::weights() const {
  FeedForwardWeights<T> made;
  made.up = view<T>(table_.at("up.weight"), parameters_);
  made.down = view<T>(table_.at("down.weight"), parameters_);
  made.up_bias = view<T>(table_.at("up.bias"), parameters_);
  made.down_bias = view<T>(table_.at("down.bias"), parameters_);
  return made;
}

template <typename T>
Matrix<T> DeepKernelTraining<T>::features_of(const Matrix<T>& X) const {
  return options_.hidden == 0 ? X : feed_forward<T>(X, weights(), Activation::kTanh);
}

template <typename T>
bool DeepKernelTraining<T>::step(Index steps) {
  for (Index s = 0; s < std::max<Index>(steps, 1) && done_ <= options_.steps; ++s) {
    const RbfProcessParameters at = hyper();
    const Index n = X_.rows(), tests = test_points_.rows();
    // One process for both, so that the errors of the curve cost one factor.
    Matrix<T> all(n + tests, X_.cols());
    all << X_, test_points_;
    const Matrix<T> features = features_of(X_), everywhere = features_of(all);
    const Trainable made = process_on(features.template cast<double>(), y_.template cast<double>(),
                                      everywhere.template cast<double>(), at);
    DeepKernelPoint point;
    point.parameters = at;
    point.log_marginal_likelihood = made.process.log_marginal_likelihood / static_cast<double>(n);
    const Vector<double> train = made.process.mean.head(n) - y_.template cast<double>();
    const Vector<double> test = made.process.mean.tail(tests) - y_test_.template cast<double>();
    point.train_error = std::sqrt(train.squaredNorm() / static_cast<double>(n));
    point.test_error = std::sqrt(test.squaredNorm() / static_cast<double>(tests));
    for (Index i = 0; i < tests; ++i) {
      const double variance = made.process.variance(n + i) + at.noise_variance;
      point.test_log_density -=
          0.5 * (test(i) * test(i) / variance + std::log(2 * std::numbers::pi * variance));
    }
    point.test_log_density /= static_cast<double>(tests);
    curve_.push_back(point);
    if (done_++ == options_.steps) break;
    Vector<T> gradient = Vector<T>::Zero(parameters_.size());
    const double scale = -1 / static_cast<double>(n);
    for (Index i = 0; i < 3; ++i) {
      gradient(gradient.size() - 3 + i) =
          static_cast<T>(scale * made.process.d_log[static_cast<std::size_t>(i)]);
    }
    // The noise rests at its bound.
    if (at.noise_variance <= options_.least_noise) {
      T& last = gradient(gradient.size() - 1);
      last = std::min(last, T(0));
    }
    if (options_.hidden > 0) {
      const Matrix<T> d_out = (scale * made.d_features).template cast<T>();
      const auto back = feed_forward_backward<T>(X_, weights(), d_out, Activation::kTanh).d_weights;
      edit<T>(table_.at("up.weight"), gradient) = back.up;
      edit<T>(table_.at("down.weight"), gradient) = back.down;
      edit<T>(table_.at("up.bias"), gradient) = back.up_bias;
      edit<T>(table_.at("down.bias"), gradient) = back.down_bias;
    }
    optimizer_.step(parameters_, gradient);
  }
  return done_ > options_.steps;
}

template <typename T>
double DeepKernelTraining<T>::progress() const {
  return static_cast<double>(done_) / static_cast<double>(options_.steps + 1);
}

template <typename T>
DeepKernelTrained<T> DeepKernelTraining<T>::result() const {
  DeepKernelTrained<T> made;
  made.curve = curve_;
  made.parameter_count = table_.size();
  made.features = features_of(Z_);
  made.train_features = features_of(X_);
  const RbfProcess<double> process =
      rbf_process<double>(made.train_features.template cast<double>(), y_.template cast<double>(),
                          made.features.template cast<double>(), hyper());
  made.mean = process.mean.template cast<T>();
  made.variance = process.variance.template cast<T>();
  made.deviation = process.variance.cwiseMax(0).cwiseSqrt().template cast<T>();
  return made;
}

#define ATTN_INSTANTIATE(T)                                                                  \
  template DeepKernelProcess<T> deep_kernel_process<T>(                                      \
      In<T>, InVector<T>, In<T>, const FeedForwardWeights<T>&, const RbfProcessParameters&); \
  template class DeepKernelTraining<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
