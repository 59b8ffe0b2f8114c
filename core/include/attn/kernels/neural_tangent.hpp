#pragma once
// The neural tangent kernel: what a ReLU network becomes when it is infinitely wide, what it is for
// a finite one, and how close training of the second stays to the first.

#include <cstdint>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// A fully connected network of `layers` ReLU layers and one linear output, with weights N(0, 1)
/// scaled in the forward pass: h ← relu(weight_std/√inputs·W·h + bias_std·b) (NTK parametrisation).
struct ReluNetworkOptions {
  /// ReLU layers, ≥ 0.
  Index layers = 1;
  /// √2 keeps the size of what passes through (He et al. 2015).
  double weight_std = 1.4142135623730951;
  double bias_std = 0;
  /// Whether the first layer too divides by its number of inputs, as every other layer does.
  /// Without it, x·y itself takes the place of x·y/d, as in the code of Arora et al. (2020,
  /// arXiv:1910.01663), which also has weight_std 1.
  bool scale_inputs = true;
};

inline constexpr Index kMaxReluLayers = 64;

template <typename T = float>
struct NeuralTangentKernel {
  /// The covariance of the outputs over random weights: the kernel of the network as a Gaussian
  /// process, and of training its last layer alone.
  Matrix<T> nngp;
  /// The expectation of ∇f(x)·∇f(y): the kernel of training all layers.
  Matrix<T> ntk;
};

/// Both kernels of the infinitely wide network between the rows of X (N×d) and of Y (M×d), N×M, for
/// any depth (Jacot, Gabriel and Hongler 2018, arXiv:1806.07572, theorem 1; the expectations of
/// ReLU: Cho and Saul 2009, eq. 6). In float64. O(N·M·(d + layers)).
/// @throws ShapeError for matrices without entries or of two widths; ValueError for numbers that
/// are not finite, layers outside 0 … kMaxReluLayers, weight_std ≤ 0 or bias_std < 0.
template <typename T = float>
NeuralTangentKernel<T> neural_tangent_kernel(In<T> X, In<T> Y, const ReluNetworkOptions& options);

/// A finite network of those options, all hidden layers `width` wide.
template <typename T = float>
class ReluNetwork {
 public:
  /// N(0, 1) weights from the seed. width·(d + 1 + (layers − 1)·width) numbers.
  /// @throws ValueError as `neural_tangent_kernel`, and unless 1 ≤ width ≤ 16384, layers ≥ 1 and
  /// d ≥ 1; CapacityError for more than 2²⁴ weights.
  ReluNetwork(Index d, Index width, const ReluNetworkOptions& options, std::uint64_t seed);

  /// f of each row of X. N·weights multiply-adds.
  /// @throws ShapeError
  Vector<T> operator()(In<T> X) const;
  /// ∇f(x_i)·∇f(y_j) with the present weights: N×M. Layer by layer it is the product of two Gram
  /// matrices, so that no gradient is written down. (N + M)·2·weights + N·M·layers·width.
  /// @throws ShapeError
  Matrix<T> tangent_kernel(In<T> X, In<T> Y) const;
  /// One step of gradient descent on ½Σ(f(x_i) − y_i)²; returns f before the step. 3·N·weights.
  /// @throws ShapeError
  Vector<T> descend(In<T> X, InVector<T> y, double rate);

  Index weight_count() const;
  /// ‖weights − other's weights‖/‖other's weights‖, biases too. @throws ShapeError
  double distance(const ReluNetwork& other) const;

 private:
  struct Pass;
  Pass forward(In<T> X) const;
  std::vector<Matrix<T>> backward(const Pass& pass) const;
  T input_scale(std::size_t layer) const;

  ReluNetworkOptions options_;
  Index d_;
  /// W of each layer, outputs×inputs, the last 1×width; and b.
  std::vector<Matrix<T>> weights_;
  std::vector<Vector<T>> biases_;
};

struct WideTrainingOptions {
  ReluNetworkOptions network{.bias_std = 0.1};
  Index width = 256;
  Index steps = 200;
  /// The learning rate in units of 1/(largest eigenvalue of the kernel on the points): the kernel's
  /// descent is stable below 2.
  double rate = 1;
  std::uint64_t seed = 0;
};

struct WideTrainingPoint {
  /// ½Σ(f(x_i) − y_i)² of the network and of the kernel's prediction.
  double network_loss = 0, kernel_loss = 0;
};

template <typename T = float>
struct WideTraining {
  /// Before each step and behind the last one.
  std::vector<WideTrainingPoint> curve;
  /// f at Z: of the network at the start, of the network now, and of the kernel's prediction now.
  Vector<T> start, network, kernel;
  /// √(mean (network − kernel)²) at Z.
  double difference = 0;
  /// How far the weights moved, ‖w − w₀‖/‖w₀‖, and the network's own tangent kernel on the points,
  /// ‖Θ − Θ₀‖/‖Θ₀‖ in Frobenius' norm.
  double weight_change = 0, kernel_change = 0;
  /// ‖Θ₀ − Θ‖/‖Θ‖: how far the finite network's kernel is from the closed form before training.
  double kernel_error = 0;
  double learning_rate = 0;
  Index weight_count = 0;
};

/// Trains a finite network by full-batch gradient descent, and beside it makes the prediction of
/// the infinitely wide one: the same descent in function space with the fixed kernel Θ, f ← f −
/// rate·Θ(·, X)·(f(X) − y), from the same start (Lee et al. 2019, arXiv:1902.06720, eq. 14, in
/// steps). The two approach each other like 1/√width.
///
///   WideNetworkTraining training(X, y, Z, options);
///   while (!training.step(10)) …
template <typename T = float>
class WideNetworkTraining {
 public:
  /// @throws as `ReluNetwork` and `neural_tangent_kernel`; ValueError unless rate > 0 and 1 ≤ steps
  /// ≤ 100 000.
  WideNetworkTraining(In<T> X, InVector<T> y, In<T> Z, const WideTrainingOptions& options);

  bool step(Index steps);
  double progress() const;
  WideTraining<T> result() const;

 private:
  Matrix<T> X_, Z_;
  Vector<T> y_;
  WideTrainingOptions options_;
  ReluNetwork<T> first_, network_;
  Matrix<double> kernel_, cross_;
  /// Of the kernel: f at the points, and the coefficients of the bumps that were added.
  Vector<double> fitted_, alpha_;
  Vector<T> start_;
  double learning_rate_ = 0, kernel_error_ = 0;
  std::vector<WideTrainingPoint> curve_;
  Index done_ = 0;
};

}  // namespace attn
