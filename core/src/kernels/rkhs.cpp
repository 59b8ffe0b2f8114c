#include "attn/kernels/rkhs.hpp"

#include <algorithm>
#include <limits>

#include "attn/base/errors.hpp"
#include "attn/kernels/phrases.hpp"
#include "kernels/pseudo_inverse.hpp"

namespace attn {
namespace {

template <typename T>
void require_function(const char* argument, const RkhsFunction<T>& f) {
  if (f.alpha.size() != f.points.rows()) {
    throw ShapeError(argument, phrase::entries_seen(f.alpha.size()),
                     phrase::count_because(f.points.rows(), phrase::weight_each_point));
  }
  require_finite<T>(argument, f.alpha);
}

/// Σ a_i K_ij b_j in float64: sums of weights of both signs cancel.
template <typename T>
double form(const Matrix<T>& K, const Vector<T>& a, const Vector<T>& b) {
  return a.template cast<double>().dot(K.template cast<double>() * b.template cast<double>());
}

template <typename T>
Vector<double> values_at(const Matrix<T>& K, const Vector<T>& alpha) {
  return K.template cast<double>().transpose() * alpha.template cast<double>();
}

template <typename T>
void require_landmarks(In<T> Z) {
  if (Z.rows() > kMaxProjectionRows) {
    throw CapacityError("Z", phrase::shape(Z.rows(), Z.cols()),
                        phrase::at_most_rows(kMaxProjectionRows));
  }
}

}  // namespace

template <typename T>
Vector<T> rkhs_values(const Kernel<T>& kernel, const RkhsFunction<T>& f, In<T> Z) {
  require_function("alpha", f);
  return values_at<T>(kernel.gram(f.points, Z), f.alpha).template cast<T>();
}

template <typename T>
double rkhs_inner_product(const Kernel<T>& kernel, const RkhsFunction<T>& f,
                          const RkhsFunction<T>& g) {
  require_function("alpha", f);
  require_function("beta", g);
  return form<T>(kernel.gram(f.points, g.points), f.alpha, g.alpha);
}

template <typename T>
double rkhs_squared_norm(const Kernel<T>& kernel, const RkhsFunction<T>& f) {
  require_function("alpha", f);
  return form<T>(kernel.gram(f.points), f.alpha, f.alpha);
}

template <typename T>
RkhsProjection<T> rkhs_projection(const Kernel<T>& kernel, const RkhsFunction<T>& f, In<T> Z) {
  require_function("alpha", f);
  require_landmarks<T>(Z);
  const Vector<double> wanted = values_at<T>(kernel.gram(f.points, Z), f.alpha);
  const Matrix<T> K = kernel.gram(Z);
  const internal::PseudoInverse inverse(K.template cast<double>(),
                                        internal::rank_share<T>(Z.rows()));
  const Vector<double> beta = inverse.solve(wanted);
  RkhsProjection<T> result;
  result.inside = {Z, beta.template cast<T>()};
  result.inside_squared_norm = beta.dot(K.template cast<double>() * beta);
  result.outside_squared_norm = rkhs_squared_norm<T>(kernel, f) - result.inside_squared_norm;
  result.largest_difference = (K.template cast<double>() * beta - wanted).cwiseAbs().maxCoeff();
  result.rank = inverse.rank();
  return result;
}

template <typename T>
RkhsFunction<T> rkhs_interpolation(const Kernel<T>& kernel, In<T> Z, InVector<T> y) {
  require_landmarks<T>(Z);
  if (y.size() != Z.rows()) {
    throw ShapeError("y", phrase::entries_seen(y.size()),
                     phrase::count_because(Z.rows(), phrase::value_each_point));
  }
  require_finite<T>("y", y);
  const Matrix<T> K = kernel.gram(Z);
  const internal::PseudoInverse inverse(K.template cast<double>(),
                                        internal::rank_share<T>(Z.rows()));
  return {Z, inverse.solve(y.template cast<double>()).template cast<T>()};
}

template <typename T>
RkhsFunction<T> mean_embedding(In<T> X) {
  if (X.rows() < 1 || X.cols() < 1) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::row_and_column);
  }
  return {X, Vector<T>::Constant(X.rows(), 1 / static_cast<T>(X.rows()))};
}

template <typename T>
MeanDiscrepancy<T> maximum_mean_discrepancy(const Kernel<T>& kernel, In<T> X, In<T> Y) {
  const Matrix<T> XX = kernel.gram(X), YY = kernel.gram(Y), XY = kernel.gram(X, Y);
  const double n = static_cast<double>(X.rows()), m = static_cast<double>(Y.rows());
  const auto sum = [](const Matrix<T>& K) { return K.template cast<double>().sum(); };
  const auto trace = [](const Matrix<T>& K) { return K.template cast<double>().trace(); };
  MeanDiscrepancy<T> result;
  const double across = 2 * sum(XY) / (n * m);
  result.biased = sum(XX) / (n * n) + sum(YY) / (m * m) - across;
  // One point has no pair; the quotient 0/0 is NaN, and says so.
  result.unbiased =
      (sum(XX) - trace(XX)) / (n * (n - 1)) + (sum(YY) - trace(YY)) / (m * (m - 1)) - across;
  if (X.rows() < 2 || Y.rows() < 2) {
    result.unbiased = std::numeric_limits<double>::quiet_NaN();
  }
  result.witness.points.resize(X.rows() + Y.rows(), X.cols());
  result.witness.points << X, Y;
  result.witness.alpha.resize(X.rows() + Y.rows());
  result.witness.alpha << mean_embedding<T>(X).alpha, -mean_embedding<T>(Y).alpha;
  return result;
}

#define ATTN_INSTANTIATE(T)                                                                       \
  template Vector<T> rkhs_values<T>(const Kernel<T>&, const RkhsFunction<T>&, In<T>);             \
  template double rkhs_inner_product<T>(const Kernel<T>&, const RkhsFunction<T>&,                 \
                                        const RkhsFunction<T>&);                                  \
  template double rkhs_squared_norm<T>(const Kernel<T>&, const RkhsFunction<T>&);                 \
  template RkhsProjection<T> rkhs_projection<T>(const Kernel<T>&, const RkhsFunction<T>&, In<T>); \
  template RkhsFunction<T> rkhs_interpolation<T>(const Kernel<T>&, In<T>, InVector<T>);           \
  template RkhsFunction<T> mean_embedding<T>(In<T>);                                              \
  template MeanDiscrepancy<T> maximum_mean_discrepancy<T>(const Kernel<T>&, In<T>, In<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
