#pragma once
// Deep kernel learning: an RBF kernel on the outputs of a small network, trained together through
// the likelihood of a Gaussian process.

#include <cstdint>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/kernels/gaussian_process.hpp"
#include "attn/nn/adamw.hpp"
#include "attn/nn/feed_forward.hpp"
#include "attn/nn/parameters.hpp"

namespace attn {

template <typename T = float>
struct DeepKernelProcess {
  /// φ(X), N×r.
  Matrix<T> features;
  /// At Z: the posterior mean and variance of f, without noise.
  Vector<T> mean, variance;
  double log_marginal_likelihood = 0, data_fit = 0, complexity = 0;
  /// The slopes of the likelihood by the network's weights, in their places.
  FeedForwardWeights<T> d_weights;
  /// And by the logarithms of signal variance, length and noise variance.
  std::array<double, 3> d_log{};
};

/// A Gaussian process whose kernel is k(φ(x), φ(y)) for the RBF kernel k and the network φ(x) =
/// down·tanh(up·x + up_bias) + down_bias (Wilson, Hu, Salakhutdinov and Xing 2016,
/// arXiv:1511.02222, eq. 5), with all slopes of its likelihood (eq. 6 to 8). 2·N³/3 + N²·r + N·d·w
/// multiply-adds and M·N²/2 for Z.
/// @param X N×d, @param Z M×d, @param weights without a gate; up w×d, down r×w.
/// @throws as `rbf_process`, and ShapeError where the weights do not fit.
template <typename T = float>
DeepKernelProcess<T> deep_kernel_process(In<T> X, InVector<T> y, In<T> Z,
                                         const FeedForwardWeights<std::type_identity_t<T>>& weights,
                                         const RbfProcessParameters& parameters);

struct DeepKernelOptions {
  /// The width of the hidden layer; 0: no network, φ(x) = x, a plain Gaussian process.
  Index hidden = 32;
  /// r, the outputs of the network.
  Index features = 2;
  Index steps = 300;
  /// Where the parameters of kernel and noise begin.
  RbfProcessParameters start;
  /// Below this the variance of the noise is not taken.
  double least_noise = 1e-4;
  /// Of AdamW.
  double learning_rate = 0.02, weight_decay = 0;
  /// Of the network's beginning.
  std::uint64_t seed = 0;
};

/// Before a step, and behind the last one.
struct DeepKernelPoint {
  /// Divided by N.
  double log_marginal_likelihood = 0;
  /// Root mean squared errors of the posterior mean.
  double train_error = 0, test_error = 0;
  /// The mean of ln p(y) of the test points, one by one, with noise: what the likelihood of the
  /// training points is hoped to stand for.
  double test_log_density = 0;
  RbfProcessParameters parameters;
};

template <typename T = float>
struct DeepKernelTrained {
  std::vector<DeepKernelPoint> curve;
  /// At Z: the posterior mean of f with the last parameters, its variance without noise, and the
  /// root of that.
  Vector<T> mean, variance, deviation;
  /// φ at Z, and at the training points.
  Matrix<T> features, train_features;
  /// How many numbers were trained.
  Index parameter_count = 0;
};

inline constexpr Index kMaxDeepKernelPoints = 512;

/// Trains network and kernel by AdamW on −ln p(y)/N. The likelihood guards against overfitting only
/// as long as few parameters are chosen by it; with a network it does not (Ober, Rasmussen and van
/// der Wilk 2021, arXiv:2102.12108), and `test_log_density` shows when.
///
///   DeepKernelTraining training(X, y, X_test, y_test, Z, options);
///   while (!training.step(5)) …
template <typename T = float>
class DeepKernelTraining {
 public:
  /// @param Z M×d, where the posterior is wanted.
  /// @throws ShapeError; ValueError for numbers that are not finite and for counts below 1 (hidden:
  /// below 0); CapacityError for more than `kMaxDeepKernelPoints` training points.
  DeepKernelTraining(In<T> X, InVector<T> y, In<T> X_test, InVector<T> y_test, In<T> Z,
                     const DeepKernelOptions& options);

  bool step(Index steps);
  double progress() const;
  DeepKernelTrained<T> result() const;

 private:
  RbfProcessParameters hyper() const;
  FeedForwardWeights<T> weights() const;
  Matrix<T> features_of(const Matrix<T>& X) const;

  Matrix<T> X_, test_points_, Z_;
  Vector<T> y_, y_test_;
  DeepKernelOptions options_;
  ParameterTable table_;
  Vector<T> parameters_;
  AdamW<T> optimizer_;
  std::vector<DeepKernelPoint> curve_;
  Index done_ = 0;
};

}  // namespace attn
