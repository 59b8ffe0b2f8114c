// Calls of attn/kernels that learn: ridge regression, descent in function space, support vectors,
// Gaussian processes, deep kernels, wide networks.

#include <optional>
#include <utility>

#include "attn/kernels/deep_kernel.hpp"
#include "attn/kernels/example_points.hpp"
#include "attn/kernels/functional_descent.hpp"
#include "attn/kernels/gaussian_process.hpp"
#include "attn/kernels/kernel_ridge.hpp"
#include "attn/kernels/neural_tangent.hpp"
#include "attn/kernels/support_vector.hpp"
#include "kernel_choice.hpp"

namespace attn::wasm {

using Points = std::optional<Matrix<float>>;

/// Σ coefficients_i·k(x_i, z) + bias at the rows of Z, a few at a time: the pixels of a surface are
/// more points than a Gram matrix may have.
inline Vector<float> surface(const Kernel<float>& kernel, const Matrix<float>& X,
                             const Vector<float>& coefficients, double bias, const Points& Z) {
  constexpr Index kRows = 1024;
  Vector<float> made(Z ? Z->rows() : 0);
  for (Index from = 0; from < made.size(); from += kRows) {
    const Index rows = std::min(kRows, made.size() - from);
    made.segment(from, rows) =
        kernel_expansion<float>(kernel.gram(Z->middleRows(from, rows), X), coefficients, bias);
  }
  return made;
}

// --- Data ----------------------------------------------------------------------------------------

ATTN_ENUM(PlanePattern, kXor, kRings, kMoons, kBlobs)
ATTN_STRUCT(LabelledPoints<float>, X, y)
ATTN_CALL(start, plane_points, (pattern, n, otherwise(noise, 0.2), otherwise(seed, 0)),
          attn::plane_points<float>)
ATTN_ENUM(LineFunction, kSine, kStep, kChirp, kNothing)
ATTN_STRUCT(LinePoints<float>, X, y)
ATTN_CALL(full, line_points, (function, n, otherwise(noise, 0.2), otherwise(seed, 0)),
          attn::line_points<float>)
ATTN_CALL(full, circle_points, (angles), attn::circle_points<float>)
ATTN_STRUCT(TwoSamples<float>, X, Y)
ATTN_CALL(full, two_samples, (n, otherwise(shift, 1.0), otherwise(spread, 1.0), otherwise(seed, 0)),
          attn::two_samples<float>)
ATTN_CALL(full, line_function, (function, x), attn::line_function<float>)

// --- Ridge regression ----------------------------------------------------------------------------

ATTN_ENUM(RidgeScaling, kSum, kMean)
ATTN_STRUCT(KernelRidgeFit<float>, alpha, fitted, mean_squared_error, norm_squared, objective,
            shift)
struct KernelRidgePredictions {
  KernelRidgeFit<float> fit;
  /// f at the rows of Z; none without Z.
  Vector<float> predictions;
};
ATTN_STRUCT(KernelRidgePredictions, flat(fit), predictions)
/// Kernel ridge regression of y on the rows of X, and its values at those of Z.
ATTN_CALL(full, kernel_ridge, (X, y, kernel, lambda, otherwise(scaling, RidgeScaling::kMean), Z),
          [](In<float> X, InVector<float> y, const KernelChoice& choice, double lambda,
             RidgeScaling scaling, const Points& Z) {
            const Kernel<float> kernel = make_kernel<float>(choice);
            KernelRidgePredictions made;
            made.fit = attn::kernel_ridge<float>(kernel.gram(X), y, lambda, scaling);
            made.predictions = surface(kernel, X, made.fit.alpha, 0, Z);
            return made;
          })

// --- Descent in function space -------------------------------------------------------------------

ATTN_ENUM(PointLoss, kSquared, kLogistic, kHinge, kAbsolute)
ATTN_OPTIONS(FunctionalDescentOptions, loss, lambda, learning_rate, steps, history_every)
ATTN_STRUCT(DescentPoint, loss, norm_squared, objective, orthogonal_squared)
ATTN_STRUCT(FunctionalDescentResult<float>, alpha, values, curve, history, largest_rate)
struct FunctionalDescentLines {
  FunctionalDescentResult<float> descent;
  /// The function of each row of `history` at the rows of Z.
  Matrix<float> lines;
  /// The last function there.
  Vector<float> predictions;
};
ATTN_STRUCT(FunctionalDescentLines, flat(descent), lines, predictions)
class FunctionalDescentWork {
 public:
  FunctionalDescentWork(Matrix<float> X, const Vector<float>& y, const KernelChoice& choice,
                        const FunctionalDescentOptions& options, const Points& elsewhere,
                        const std::optional<Vector<float>>& start, Points Z)
      : kernel_(make_kernel<float>(choice)), Z_(std::move(Z)) {
    const Index others = elsewhere ? elsewhere->rows() : 0;
    centres_.resize(X.rows() + others, X.cols());
    centres_.topRows(X.rows()) = X;
    if (others > 0) {
      // A matrix of another width is refused by the kernel, by name.
      kernel_.gram(X, *elsewhere);
      centres_.bottomRows(others) = *elsewhere;
    }
    descent_.emplace(kernel_.gram(centres_), y, options, start.value_or(Vector<float>()));
  }
  bool step(Index steps) { return descent_->step(steps); }
  double progress() const { return descent_->progress(); }
  FunctionalDescentLines result() const {
    FunctionalDescentLines made{descent_->result(), {}, {}};
    made.predictions = surface(kernel_, centres_, made.descent.alpha, 0, Z_);
    made.lines.resize(made.descent.history.rows(), made.predictions.size());
    for (Index row = 0; row < made.lines.rows(); ++row) {
      made.lines.row(row) =
          surface(kernel_, centres_, made.descent.history.row(row).transpose(), 0, Z_).transpose();
    }
    return made;
  }

 private:
  Kernel<float> kernel_;
  Matrix<float> centres_;
  Points Z_;
  std::optional<FunctionalDescent<float>> descent_;
};
/// Gradient descent in function space, and its functions at the rows of Z.
/// @param elsewhere Centres without a target, whose coefficients stand last in `start`.
ATTN_STEPS(full, functional_descent, 50, (X, y, kernel, flat(options), elsewhere, start, Z),
           [](In<float> X, InVector<float> y, const KernelChoice& choice,
              const FunctionalDescentOptions& options, const Points& elsewhere,
              const std::optional<Vector<float>>& start, const Points& Z) {
             return FunctionalDescentWork(X, y, choice, options, elsewhere, start, Z);
           })

// --- Support vectors -----------------------------------------------------------------------------

ATTN_OPTIONS(SupportVectorOptions, C, tolerance, max_steps, trace)
ATTN_STRUCT(SmoStep, i, j, i_before, i_after, j_before, j_after, gap, gain)
ATTN_STRUCT(SupportVectorState<float>, coefficients, bias, decision, dual_objective,
            primal_objective, norm_squared, gap, converged, steps, support_vectors, bounded,
            negative_curvature, trace)
ATTN_STRUCT(SupportVectorClassification<float>, base(SupportVectorState<float>), alpha, accuracy)
ATTN_STRUCT(SupportVectorRegression<float>, base(SupportVectorState<float>), alpha, alpha_star)
struct SupportVectorSurface {
  SupportVectorClassification<float> machine;
  /// f at the rows of Z; none without Z.
  Vector<float> predictions;
  /// 1/(d·variance of all entries of X): the γ that scikit-learn's SVC begins with.
  double scale_gamma = 0;
};
ATTN_STRUCT(SupportVectorSurface, flat(machine), predictions, scale_gamma)
struct SupportVectorLine {
  SupportVectorRegression<float> machine;
  /// f at the rows of Z; none without Z.
  Vector<float> predictions;
  /// 1/(d·variance of all entries of X): the γ that scikit-learn's SVR begins with.
  double scale_gamma = 0;
};
ATTN_STRUCT(SupportVectorLine, flat(machine), predictions, scale_gamma)

template <typename Machine, typename Result>
class SupportVectorWork {
 public:
  template <typename... Given>
  SupportVectorWork(const KernelChoice& choice, Matrix<float> X, Points Z, const Given&... given)
      : kernel_(make_kernel<float>(choice)),
        X_(std::move(X)),
        Z_(std::move(Z)),
        machine_(kernel_.gram(X_), given...) {}
  bool step(Index pairs) { return machine_.step(pairs); }
  double progress() const { return machine_.progress(); }
  Result result() const {
    Result made{machine_.result(), {}, scale_gamma<float>(X_)};
    made.predictions = surface(kernel_, X_, made.machine.coefficients, made.machine.bias, Z_);
    return made;
  }

 private:
  Kernel<float> kernel_;
  Matrix<float> X_;
  Points Z_;
  Machine machine_;
};
using ClassificationWork = SupportVectorWork<SupportVectorClassifier<float>, SupportVectorSurface>;
using RegressionWork = SupportVectorWork<SupportVectorRegressor<float>, SupportVectorLine>;

/// A soft-margin support vector machine on the rows of X, and its decision at those of Z.
ATTN_STEPS(full, support_vector_classification, 256, (X, y, kernel, flat(options), Z),
           [](In<float> X, InVector<float> y, const KernelChoice& choice,
              const SupportVectorOptions& options, const Points& Z) {
             return ClassificationWork(choice, X, Z, Vector<float>(y), options);
           })
/// Support vector regression on the rows of X, and its values at those of Z.
ATTN_STEPS(full, support_vector_regression, 256,
           (X, y, kernel, otherwise(epsilon, 0.1), flat(options), Z),
           [](In<float> X, InVector<float> y, const KernelChoice& choice, double epsilon,
              const SupportVectorOptions& options, const Points& Z) {
             return RegressionWork(choice, X, Z, Vector<float>(y), epsilon, options);
           })

// --- Gaussian processes and deep kernels ---------------------------------------------------------

ATTN_OPTIONS(RbfProcessParameters, signal_variance, length, noise_variance)
ATTN_STRUCT(RbfProcess<float>, mean, variance, covariance, log_marginal_likelihood, data_fit,
            complexity, d_log)
ATTN_CALL(full, rbf_process, (X, y, Z, flat(parameters)), attn::rbf_process<float>)

/// The network of a deep kernel, φ(x) = down·tanh(up·x + upBias) + downBias.
struct DeepKernelNetwork {
  Matrix<float> up, down;
  Vector<float> up_bias, down_bias;
};
ATTN_STRUCT(DeepKernelNetwork, up, down, up_bias, down_bias)
struct DeepKernelSlopes {
  Matrix<float> features;
  Vector<float> mean, variance;
  double log_marginal_likelihood = 0, data_fit = 0, complexity = 0;
  /// By the network's weights, and by the logarithms of signal variance, length and noise variance.
  DeepKernelNetwork d_network;
  std::array<double, 3> d_log{};
};
ATTN_STRUCT(DeepKernelSlopes, features, mean, variance, log_marginal_likelihood, data_fit,
            complexity, d_network, d_log)
/// A Gaussian process on the outputs of a network, with all slopes of its likelihood.
ATTN_CALL(full, deep_kernel_process, (X, y, Z, flat(network), flat(parameters)),
          [](In<float> X, InVector<float> y, In<float> Z, const DeepKernelNetwork& network,
             const RbfProcessParameters& parameters) {
            FeedForwardWeights<float> weights;
            weights.up = network.up;
            weights.down = network.down;
            weights.up_bias = network.up_bias;
            weights.down_bias = network.down_bias;
            auto made = attn::deep_kernel_process<float>(X, y, Z, weights, parameters);
            return DeepKernelSlopes{
                std::move(made.features),
                std::move(made.mean),
                std::move(made.variance),
                made.log_marginal_likelihood,
                made.data_fit,
                made.complexity,
                {std::move(made.d_weights.up), std::move(made.d_weights.down),
                 std::move(made.d_weights.up_bias), std::move(made.d_weights.down_bias)},
                made.d_log};
          })

ATTN_OPTIONS(DeepKernelOptions, hidden, features, steps, start, least_noise, learning_rate,
             weight_decay, seed)
ATTN_STRUCT(DeepKernelPoint, log_marginal_likelihood, train_error, test_error, test_log_density,
            parameters)
ATTN_STRUCT(DeepKernelTrained<float>, curve, mean, variance, deviation, features, train_features,
            parameter_count)
ATTN_STEPS(full, deep_kernel_training, 2, (X, y, X_test, y_test, Z, flat(options)),
           [](In<float> X, InVector<float> y, In<float> X_test, InVector<float> y_test, In<float> Z,
              const DeepKernelOptions& options) {
             return DeepKernelTraining<float>(X, y, X_test, y_test, Z, options);
           })

// --- Wide networks -------------------------------------------------------------------------------

ATTN_OPTIONS(ReluNetworkOptions, layers, weight_std, bias_std, scale_inputs)
ATTN_STRUCT(NeuralTangentKernel<float>, nngp, ntk)
ATTN_CALL(full, neural_tangent_kernel, (X, Y, flat(options)), attn::neural_tangent_kernel<float>)
/// ∇f(x_i)·∇f(y_j) of a finite network with N(0, 1) weights from the seed.
ATTN_CALL(full, finite_tangent_kernel, (X, Y, width, flat(options), otherwise(seed, 0)),
          [](In<float> X, In<float> Y, Index width, const ReluNetworkOptions& options,
             std::uint64_t seed) {
            return ReluNetwork<float>(X.cols(), width, options, seed).tangent_kernel(X, Y);
          })
ATTN_OPTIONS(WideTrainingOptions, flat(network), width, steps, rate, seed)
ATTN_STRUCT(WideTrainingPoint, network_loss, kernel_loss)
ATTN_STRUCT(WideTraining<float>, curve, start, network, kernel, difference, weight_change,
            kernel_change, kernel_error, learning_rate, weight_count)
ATTN_STEPS(full, wide_network_training, 1, (X, y, Z, flat(options)),
           [](In<float> X, InVector<float> y, In<float> Z, const WideTrainingOptions& options) {
             return WideNetworkTraining<float>(X, y, Z, options);
           })

}  // namespace attn::wasm
