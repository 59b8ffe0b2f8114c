#include "attn/kernels/kernel_ridge.hpp"

#include <limits>

#include "attn/base/errors.hpp"
#include "attn/kernels/learning_phrases.hpp"
#include "kernels/dense.hpp"

namespace attn {

template <typename T>
KernelRidgeFit<T> kernel_ridge(In<T> gram, InVector<T> y, double lambda, RidgeScaling scaling) {
  internal::require_gram<T>("gram", gram);
  internal::require_targets<T>("y", y, gram.rows());
  internal::require_positive("lambda", lambda);
  const double n = static_cast<double>(gram.rows());
  const bool mean = scaling == RidgeScaling::kMean;
  KernelRidgeFit<T> fit;
  fit.shift = mean ? n * lambda : lambda;
  const Vector<double> target = y.template cast<double>();
  Vector<double> alpha;
  // Below that size there is nothing to gain.
  constexpr Index kLarge = 128;
  if (gram.rows() < kLarge || !internal::refined_solve<T>(gram, fit.shift, target, alpha)) {
    alpha = target;
    const internal::Ridge ridge{"lambda", lambda, mean ? n : 1};
    internal::Cholesky(gram.template cast<double>(), ridge, std::numeric_limits<T>::epsilon())
        .solve(alpha);
  }
  // (K + shift·I)·α = y, so K·α needs no product.
  const Vector<double> residual = fit.shift * alpha, fitted = target - residual;
  fit.alpha = alpha.template cast<T>();
  fit.fitted = fitted.template cast<T>();
  fit.mean_squared_error = residual.squaredNorm() / n;
  fit.norm_squared = alpha.dot(fitted);
  fit.objective = (mean ? 1 : n) * fit.mean_squared_error + lambda * fit.norm_squared;
  return fit;
}

template <typename T>
Vector<T> kernel_expansion(In<T> cross, InVector<T> alpha, double bias) {
  if (cross.cols() != alpha.size()) {
    throw ShapeError(
        "cross", phrase::shape(cross.rows(), cross.cols()),
        phrase::shape_because(cross.rows(), alpha.size(), Wording(phrase::column_each_point)));
  }
  const Vector<double> weights = alpha.template cast<double>();
  Vector<T> made(cross.rows());
  for (Index i = 0; i < made.size(); ++i) {
    made(i) = static_cast<T>(bias + cross.row(i).transpose().template cast<double>().dot(weights));
  }
  return made;
}

#define ATTN_INSTANTIATE(T)                                                             \
  template KernelRidgeFit<T> kernel_ridge<T>(In<T>, InVector<T>, double, RidgeScaling); \
  template Vector<T> kernel_expansion<T>(In<T>, InVector<T>, double);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
