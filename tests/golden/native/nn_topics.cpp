// The topics of layers, losses and optimisers.

#include "attn/nn/activation.hpp"
#include "attn/nn/adamw.hpp"
#include "attn/nn/cross_entropy.hpp"
#include "attn/nn/normalization.hpp"
#include "golden_case.hpp"

namespace attn::golden {
namespace {

template <typename T>
void run_activation(Case<T>& c) {
  c.require_known({"fn"}, {"x"});
  std::string name = c.params().at("fn").template get<std::string>();
  if (name == "gelu_erf") name = "gelu";
  const Activation f = activation_named(name);
  const Matrix<T> x = c.matrix("x");
  c.check("y", flat<T>(activate<T>(x, f)));
  const Matrix<T> ones = Matrix<T>::Ones(x.rows(), x.cols());
  c.check("dydx", flat<T>(activate_backward<T>(x, f, ones)));
}

template <typename T>
void run_norm(Case<T>& c) {
  c.require_known({"eps"}, {"x", "w", "b", "dy"});
  const Matrix<T> x = c.matrix("x"), dy = c.matrix("dy");
  const Vector<T> w = c.vector("w"), b = c.vector("b");
  // Only LayerNorm has parameters in these cases.
  const bool centred = c.has_input("w");
  const double epsilon = c.param("eps", 0);
  c.check("y", flat<T>(centred ? layer_norm<T>(x, w, b, epsilon) : rms_norm<T>(x, w, epsilon)));
  const NormGradients<T> back = centred ? layer_norm_backward<T>(x, w, b, dy, epsilon)
                                        : rms_norm_backward<T>(x, w, dy, epsilon);
  c.check("dx", flat<T>(back.dX));
  c.check("dw", flat<T>(back.d_weight));
  c.check("db", flat<T>(back.d_bias));
}

template <typename T>
void run_cross_entropy(Case<T>& c) {
  c.require_known({"ignore_index"}, {"logits", "targets"});
  std::vector<std::int32_t> targets;
  for (const double one : numbers(c.input("targets"))) {
    targets.push_back(static_cast<std::int32_t>(one));
  }
  const auto made = cross_entropy<T>(c.matrix("logits"), targets, true,
                                     static_cast<std::int32_t>(c.param("ignore_index", -100)));
  c.check("loss", {made.loss});
  c.check("dlogits", flat<T>(made.d_logits));
  c.check("accuracy", {made.accuracy});
}

template <typename T>
void run_adamw(Case<T>& c) {
  c.require_known({"lr", "beta1", "beta2", "eps", "weight_decay"}, {"p0", "grads"});
  Vector<T> p = c.vector("p0");
  AdamWOptions options;
  options.learning_rate = c.param("lr", 0);
  options.beta1 = c.param("beta1", 0);
  options.beta2 = c.param("beta2", 0);
  options.epsilon = c.param("eps", 0);
  options.weight_decay = c.param("weight_decay", 0);
  AdamW<T> optimizer(p.size(), options);
  const Matrix<T> gradients = c.matrix("grads");
  std::vector<double> trajectory;
  for (Index step = 0; step < gradients.rows(); ++step) {
    optimizer.step(p, gradients.row(step).transpose());
    const std::vector<double> now = flat<T>(p);
    trajectory.insert(trajectory.end(), now.begin(), now.end());
  }
  c.check("trajectory", trajectory);
  c.check("m", flat<T>(optimizer.first_moment()));
  c.check("v", flat<T>(optimizer.second_moment()));
}

template <typename T>
void run_nn_primitives(Case<T>& c, const Json&) {
  if (c.has_input("logits")) return run_cross_entropy(c);
  if (c.has_input("p0")) return run_adamw(c);
  if (c.has_param("fn")) return run_activation(c);
  run_norm(c);
}

template <typename T>
const std::map<std::string, Topic<T>> kTopics{{"nn_primitives", &run_nn_primitives<T>}};

}  // namespace

template <typename T>
const std::map<std::string, Topic<T>>& nn_topics() {
  return kTopics<T>;
}
template const std::map<std::string, Topic<float>>& nn_topics<float>();
template const std::map<std::string, Topic<double>>& nn_topics<double>();

}  // namespace attn::golden
