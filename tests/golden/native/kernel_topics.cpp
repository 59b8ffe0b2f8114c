// Topics of attn/kernels.

#include "attn/kernels/definiteness.hpp"
#include "attn/kernels/kernel.hpp"
#include "attn/kernels/kernel_features.hpp"
#include "attn/kernels/rkhs.hpp"
#include "golden_case.hpp"

namespace attn::golden {
namespace {

/// The kernel of a case, by scikit-learn's names.
template <typename T>
Kernel<T> kernel_of(const Case<T>& c) {
  const std::string name = c.params().at("kernel").template get<std::string>();
  static const std::map<std::string, std::string> kIds{
      {"rbf", "rbf"},          {"poly", "polynomial"},    {"laplacian", "laplacian"},
      {"sigmoid", "sigmoid"},  {"linear", "linear"},      {"cosine", "cosine"},
      {"chi2", "chi_squared"}, {"exp_dot", "exponential"}};
  if (!kIds.contains(name)) throw NotImplemented("kernel " + name);
  const RegisteredKernel& info = registered_kernel(kIds.at(name));
  KernelParameters parameters;
  // The vectors repeat all three parameters for every kernel.
  for (const KernelParameter& one : info.parameters) {
    const std::string parameter(one.name);
    if (c.has_param(parameter.c_str())) {
      parameters.emplace_back(parameter, c.param(parameter.c_str(), 0));
    }
  }
  return Kernel<T>(info.id, parameters);
}

template <typename T>
void run_kernels(Case<T>& c, const Json&) {
  c.require_known({"kernel", "gamma", "coef0", "degree"}, {"X", "Y", "alpha", "Z"});
  const Kernel<T> kernel = kernel_of(c);
  const Matrix<T> X = c.matrix("X");
  const Matrix<T> K = kernel.gram(X);
  c.check("K_XX", flat<T>(K));
  if (c.has_input("Y")) c.check("K_XY", flat<T>(kernel.gram(X, c.matrix("Y"))));
  const DefinitenessReport report = check_definiteness<T>(K);
  c.check("eigvals", report.eigenvalues);
  c.check("psd", {report.positive_semidefinite ? 1.0 : 0.0});
  if (!report.positive_semidefinite && !(report.form < 0)) c.fail("the witness shows nothing");
  if (!c.has_input("alpha")) return;
  const RkhsFunction<T> f{X, c.vector("alpha")};
  c.check("f_Z", flat<T>(rkhs_values<T>(kernel, f, c.matrix("Z"))));
  c.check("norm2", {rkhs_squared_norm<T>(kernel, f)});
}

template <typename T>
void run_random_features(Case<T>& c, const Json&) {
  c.require_known({"gamma", "D", "k"}, {"X", "W", "b", "landmarks"});
  const Kernel<T> kernel("rbf", {{"gamma", c.param("gamma", 1)}});
  const Matrix<T> X = c.matrix("X");
  c.check("K_exact", flat<T>(kernel.gram(X)));
  Matrix<T> Z;
  if (c.has_input("landmarks")) {
    const Matrix<T> landmarks = c.matrix("landmarks");
    Z = nystroem_features<T>(kernel, X, landmarks);
    std::vector<double> rows;
    for (Index l = 0; l < landmarks.rows(); ++l) {
      for (Index i = 0; i < X.rows(); ++i) {
        if (X.row(i) == landmarks.row(l)) rows.push_back(static_cast<double>(i));
      }
    }
    c.check("landmark_indices", rows);
  } else {
    Z = random_fourier_features<T>(X, c.matrix("W"), c.vector("b"));
  }
  c.check("Z", flat<T>(Z));
  c.check("K_approx", flat<T>(Matrix<T>(Z * Z.transpose())));
  const FourierVariance<T> variance = fourier_variance<T>(kernel, X);
  c.check("var_offset_single", flat<T>(variance.offset));
  c.check("var_paired_single", flat<T>(variance.paired));
}

template <typename T>
const std::map<std::string, Topic<T>> kTopics{
    {"kernels", &run_kernels<T>},
    {"random_features_rbf", &run_random_features<T>},
};

}  // namespace

template <typename T>
const std::map<std::string, Topic<T>>& kernel_topics() {
  return kTopics<T>;
}
template const std::map<std::string, Topic<float>>& kernel_topics<float>();
template const std::map<std::string, Topic<double>>& kernel_topics<double>();

}  // namespace attn::golden
