// The topics of kernel machines: ridge regression, support vectors, Gaussian processes, wide
// networks.

#include <cmath>

#include "attn/kernels/deep_kernel.hpp"
#include "attn/kernels/functional_descent.hpp"
#include "attn/kernels/gaussian_process.hpp"
#include "attn/kernels/kernel.hpp"
#include "attn/kernels/kernel_ridge.hpp"
#include "attn/kernels/neural_tangent.hpp"
#include "attn/kernels/support_vector.hpp"
#include "golden_case.hpp"

namespace attn::golden {
namespace {

/// The kernel of a case. Parameters that it does not have are scikit-learn's for other kernels.
template <typename T>
Kernel<T> kernel_of(const Case<T>& c) {
  const std::string name = c.params().at("kernel").template get<std::string>();
  const double gamma = c.param("gamma", 1);
  if (name == "linear") return Kernel<T>("linear");
  if (name == "rbf" || name == "laplacian") return Kernel<T>(name, {{"gamma", gamma}});
  if (name == "poly") {
    return Kernel<T>(
        "polynomial",
        {{"gamma", gamma}, {"coef0", c.param("coef0", 1)}, {"degree", c.param("degree", 3)}});
  }
  if (name == "(1+x.y)^2") {
    return Kernel<T>("polynomial", {{"gamma", 1}, {"coef0", 1}, {"degree", 2}});
  }
  throw NotImplemented("kernel " + name);
}

template <typename T>
void run_kernel_descent(Case<T>& c) {
  c.require_known({"kernel", "steps", "lr", "lambda", "note"}, {"X", "y"});
  FunctionalDescentOptions options;
  options.lambda = c.param("lambda", 0);
  options.learning_rate = c.param("lr", 0);
  options.steps = static_cast<Index>(c.param("steps", 0));
  FunctionalDescent<T> descent(kernel_of(c).gram(c.matrix("X")), c.vector("y"), options,
                               Vector<T>());
  while (!descent.step(2)) continue;
  const auto made = descent.result();
  c.check("pred_train", flat<T>(made.values));
  std::vector<double> objectives;
  for (const DescentPoint& point : made.curve) objectives.push_back(point.objective);
  objectives.pop_back();
  c.check("losses_before_step", objectives);
}

template <typename T>
void run_kernel_ridge(Case<T>& c, const Json&) {
  if (c.has_param("steps")) return run_kernel_descent(c);
  c.require_known({"kernel", "alpha", "gamma", "degree", "coef0", "lambda_seed"}, {"X", "y", "Z"});
  const Kernel<T> kernel = kernel_of(c);
  const Matrix<T> X = c.matrix("X"), gram = kernel.gram(X);
  for (const RidgeScaling scaling : {RidgeScaling::kSum, RidgeScaling::kMean}) {
    const bool mean = scaling == RidgeScaling::kMean;
    const auto fit =
        kernel_ridge<T>(gram, c.vector("y"), c.param(mean ? "lambda_seed" : "alpha", 0), scaling);
    c.check("dual_coef", flat<T>(fit.alpha));
    c.check("pred_train", flat<T>(fit.fitted));
    c.check("pred_Z", flat<T>(kernel_expansion<T>(kernel.gram(c.matrix("Z"), X), fit.alpha)));
    c.check("rkhs_norm2", {fit.norm_squared});
    if (mean) c.check("objective_seed", {fit.objective});
  }
}

template <typename T>
void run_kernel_svm(Case<T>& c, const Json&) {
  c.require_known({"kernel", "C", "gamma", "degree", "coef0"}, {"X", "y", "Z"});
  const Kernel<T> kernel = kernel_of(c);
  const Matrix<T> X = c.matrix("X");
  SupportVectorOptions options;
  options.C = c.param("C", 1);
  options.tolerance = std::is_same_v<T, double> ? 1e-9 : 1e-5;
  SupportVectorClassifier<T> machine(kernel.gram(X), c.vector("y"), options);
  while (!machine.step(10)) continue;
  const auto made = machine.result();
  c.check("alpha_y", flat<T>(made.coefficients));
  c.check("intercept", {made.bias});
  c.check("decision_train", flat<T>(made.decision));
  c.check("decision_Z", flat<T>(kernel_expansion<T>(kernel.gram(c.matrix("Z"), X),
                                                    made.coefficients, made.bias)));
  c.check("dual_objective", {made.dual_objective});
  c.check("n_support", {static_cast<double>(made.support_vectors)});
  c.check("train_accuracy", {made.accuracy});
}

/// The mean of finite networks' kernels, within five standard errors of the mean of the vectors'.
template <typename T>
void check_finite_networks(Case<T>& c, const Matrix<T>& X, const ReluNetworkOptions& options) {
  constexpr Index kWidth = 1024;
  constexpr int kDraws = 6;
  Matrix<double> mean = Matrix<double>::Zero(X.rows(), X.rows());
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
    const ReluNetwork<T> network(X.cols(), kWidth, options, seed);
    mean += network.tangent_kernel(X, X).template cast<double>() / kDraws;
  }
  const std::vector<double> want = numbers(c.expected("empirical_mean"));
  const std::vector<double> error = numbers(c.expected("empirical_stderr"));
  // The variance falls with the width and with the number of draws.
  const double ours = c.param("width", 0) / kWidth * c.param("draws", 0) / kDraws;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (std::abs(mean.data()[i] - want[i]) > 5 * error[i] * std::sqrt(1 + ours)) {
      c.fail("empirical_mean[" + std::to_string(i) + "]: " + std::to_string(mean.data()[i]) +
             " instead of " + std::to_string(want[i]));
    }
  }
  c.note_read("empirical_mean");
  c.note_read("empirical_stderr");
}

template <typename T>
void run_ntk(Case<T>& c, const Json&) {
  c.require_known({"relu_layers", "W_std", "b_std", "width", "draws", "statistical"}, {"X"});
  const Matrix<T> X = c.matrix("X");
  ReluNetworkOptions options;
  options.layers = static_cast<Index>(c.param("relu_layers", 1));
  options.weight_std = c.param("W_std", std::sqrt(2.0));
  if (c.has_param("draws")) {
    options.bias_std = c.param("b_std", 0);
    c.check("ntk_closed_form", flat<T>(neural_tangent_kernel<T>(X, X, options).ntk));
    return check_finite_networks(c, X, options);
  }
  options.bias_std = 0.1;
  const auto scaled = neural_tangent_kernel<T>(X, X, options);
  c.check("nt_nngp_Wstd_sqrt2_b0p1", flat<T>(scaled.nngp));
  c.check("nt_ntk_Wstd_sqrt2_b0p1", flat<T>(scaled.ntk));
  options.weight_std = 1;
  options.bias_std = 0;
  options.scale_inputs = false;
  const auto plain = neural_tangent_kernel<T>(X, X, options);
  c.check("ntk_leoyu", flat<T>(plain.ntk));
  c.check("ntk_last_layer_only_nngp", flat<T>(plain.nngp));
}

template <typename T>
void run_gp(Case<T>& c, const Json&) {
  c.require_known({"sf2", "length", "sn2"}, {"X", "y", "Z", "W1", "b1", "W2", "b2"});
  const RbfProcessParameters parameters{c.param("sf2", 1), c.param("length", 1), c.param("sn2", 1)};
  const Matrix<T> X = c.matrix("X"), Z = c.matrix("Z");
  const Vector<T> y = c.vector("y");
  const auto list = [](const std::array<double, 3>& x) {
    return std::vector<double>(x.begin(), x.end());
  };
  if (c.has_input("W1")) {
    FeedForwardWeights<T> weights;
    weights.up = c.matrix("W1");
    weights.up_bias = c.vector("b1");
    weights.down = c.matrix("W2");
    weights.down_bias = c.vector("b2");
    const auto made = deep_kernel_process<T>(X, y, Z, weights, parameters);
    c.check("features", flat<T>(made.features));
    c.check("lml", {made.log_marginal_likelihood});
    c.check("mean", flat<T>(made.mean));
    c.check("dW1", flat<T>(made.d_weights.up));
    c.check("db1", flat<T>(made.d_weights.up_bias));
    c.check("dW2", flat<T>(made.d_weights.down));
    c.check("db2", flat<T>(made.d_weights.down_bias));
    return c.check("dlog", list(made.d_log));
  }
  const auto made = rbf_process<T>(X, y, Z, parameters);
  c.check("mean", flat<T>(made.mean));
  Matrix<T> noisy = made.covariance;
  noisy.diagonal().array() += static_cast<T>(parameters.noise_variance);
  c.check("cov_with_noise", flat<T>(noisy));
  c.check("lml", {made.log_marginal_likelihood});
  c.check("dlml_dlog", list(made.d_log));
}

template <typename T>
const std::map<std::string, Topic<T>> kTopics{
    {"gp_dkl", &run_gp<T>},
    {"kernel_ridge", &run_kernel_ridge<T>},
    {"kernel_svm", &run_kernel_svm<T>},
    {"ntk", &run_ntk<T>},
};

}  // namespace

template <typename T>
const std::map<std::string, Topic<T>>& kernel_machine_topics() {
  return kTopics<T>;
}
template const std::map<std::string, Topic<float>>& kernel_machine_topics<float>();
template const std::map<std::string, Topic<double>>& kernel_machine_topics<double>();

}  // namespace attn::golden
