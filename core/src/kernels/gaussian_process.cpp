#include "attn/kernels/gaussian_process.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "attn/base/errors.hpp"
#include "attn/kernels/learning_phrases.hpp"
#include "kernels/dense.hpp"

namespace attn {
namespace {

template <typename T>
void require_cross(In<T> cross, Index n) {
  if (cross.cols() == n) return;
  throw ShapeError("cross", phrase::shape(cross.rows(), cross.cols()),
                   phrase::shape_because(cross.rows(), n, Wording(phrase::column_each_point)));
}

}  // namespace

template <typename T>
GaussianProcess<T>::GaussianProcess(In<T> gram, InVector<T> y, double noise_variance) {
  internal::require_gram<T>("gram", gram);
  internal::require_targets<T>("y", y, gram.rows());
  internal::require_positive("noise_variance", noise_variance);
  const internal::Cholesky factor(gram.template cast<double>(), {"noise_variance", noise_variance},
                                  std::numeric_limits<T>::epsilon());
  y_ = y.template cast<double>();
  alpha_ = y_;
  factor.solve(alpha_);
  factor_ = factor.factor();
}

template <typename T>
double GaussianProcess<T>::data_fit() const {
  return -0.5 * y_.dot(alpha_);
}

template <typename T>
double GaussianProcess<T>::complexity() const {
  return -factor_.diagonal().array().log().sum();
}

template <typename T>
double GaussianProcess<T>::log_marginal_likelihood() const {
  return data_fit() + complexity() -
         0.5 * static_cast<double>(y_.size()) * std::log(2 * std::numbers::pi);
}

template <typename T>
Matrix<double> GaussianProcess<T>::d_gram() const {
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(factor_.rows(), factor_.rows());
  const auto L = factor_.template triangularView<Eigen::Lower>();
  L.solveInPlace(inverse);
  L.transpose().solveInPlace(inverse);
  return 0.5 * (alpha_ * alpha_.transpose() - inverse);
}

template <typename T>
Vector<T> GaussianProcess<T>::mean(In<T> cross) const {
  require_cross<T>(cross, alpha_.size());
  return (cross.template cast<double>() * alpha_).template cast<T>();
}

/// L⁻¹·crossᵀ: the squares of a column are what the data say about a point.
template <typename T>
Eigen::MatrixXd GaussianProcess<T>::explained(In<T> cross) const {
  require_cross<T>(cross, alpha_.size());
  Eigen::MatrixXd half = cross.transpose().template cast<double>();
  factor_.template triangularView<Eigen::Lower>().solveInPlace(half);
  return half;
}

template <typename T>
Matrix<T> GaussianProcess<T>::covariance(In<T> cross, In<T> prior) const {
  const Eigen::MatrixXd half = explained(cross);
  if (prior.rows() != cross.rows() || prior.cols() != cross.rows()) {
    throw ShapeError("prior", phrase::shape(prior.rows(), prior.cols()),
                     phrase::shape(cross.rows(), cross.rows()));
  }
  return (prior.template cast<double>() - half.transpose() * half).template cast<T>();
}

template <typename T>
Vector<T> GaussianProcess<T>::variance(In<T> cross, InVector<T> prior_diagonal) const {
  const Eigen::MatrixXd half = explained(cross);
  if (prior_diagonal.size() != cross.rows()) {
    throw ShapeError("prior_diagonal", phrase::numbers_seen(prior_diagonal.size()),
                     phrase::count_because(cross.rows(), Wording(phrase::number_each_point)));
  }
  return (prior_diagonal.template cast<double>() - half.colwise().squaredNorm().transpose())
      .cwiseMax(0)
      .template cast<T>();
}

template <typename T>
RbfProcess<T> rbf_process(In<T> X, InVector<T> y, In<T> Z, const RbfProcessParameters& parameters) {
  internal::require_positive("signal_variance", parameters.signal_variance);
  internal::require_positive("length", parameters.length);
  internal::require_positive("noise_variance", parameters.noise_variance);
  if (X.rows() < 1 || X.cols() < 1) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::row_and_column);
  }
  if (Z.cols() != X.cols()) {
    throw ShapeError(
        "Z", phrase::shape(Z.rows(), Z.cols()),
        phrase::shape_because(Z.rows(), X.cols(), Wording(phrase::width_of_the_points)));
  }
  require_finite<T>("X", X);
  require_finite<T>("Z", Z);
  internal::require_targets<T>("y", y, X.rows());
  // In float64 throughout: a Gram matrix rounded to float32 can be indefinite by more than the
  // noise.
  const Matrix<double> points = X.template cast<double>(), others = Z.template cast<double>();
  const double bend = -0.5 / (parameters.length * parameters.length);
  const auto kernel = [&](const Eigen::MatrixXd& squares) -> Matrix<double> {
    return parameters.signal_variance * (bend * squares.array()).exp();
  };
  const Eigen::MatrixXd squares = internal::squared_distances(points, points);
  const Matrix<double> gram = kernel(squares);
  const Vector<double> target = y.template cast<double>();
  const GaussianProcess<double> process(gram, target, parameters.noise_variance);
  RbfProcess<T> made;
  made.log_marginal_likelihood = process.log_marginal_likelihood();
  made.data_fit = process.data_fit();
  made.complexity = process.complexity();
  const Matrix<double> d_gram = process.d_gram();
  const auto weighted = d_gram.cwiseProduct(gram).array();
  made.d_log = {weighted.sum(), (weighted * squares.array() * (-2 * bend)).sum(),
                parameters.noise_variance * d_gram.trace()};
  const Matrix<double> cross = kernel(internal::squared_distances(others, points));
  made.mean = process.mean(cross).template cast<T>();
  const Matrix<double> covariance =
      process.covariance(cross, kernel(internal::squared_distances(others, others)));
  made.covariance = covariance.template cast<T>();
  made.variance = covariance.diagonal().cwiseMax(0).template cast<T>();
  return made;
}

#define ATTN_INSTANTIATE(T)          \
  template class GaussianProcess<T>; \
  template RbfProcess<T> rbf_process<T>(In<T>, InVector<T>, In<T>, const RbfProcessParameters&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
