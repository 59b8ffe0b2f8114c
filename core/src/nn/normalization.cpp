#include "attn/nn/normalization.hpp"

#include <cmath>

#include "attn/base/errors.hpp"
#include "attn/nn/phrases.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

/// Both layers in one: RMSNorm is LayerNorm whose mean is taken as 0.
enum class Centre { kMean, kZero };

template <typename T>
void require_arguments(In<T> X, InVector<T> weight, InVector<T> bias, double epsilon) {
  if (X.size() == 0) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::row_and_column);
  }
  if (weight.size() > 0) {
    require_shape<T>("weight", weight.transpose(), 1, X.cols(), phrase::entry_each_column);
  }
  if (bias.size() > 0) {
    require_shape<T>("bias", bias.transpose(), 1, X.cols(), phrase::entry_each_column);
  }
  if (!(epsilon >= 0) || !std::isfinite(static_cast<T>(epsilon))) {
    throw ValueError("epsilon", phrase::number(epsilon), phrase::number_of_at_least(0));
  }
}

/// Of one row.
struct Size {
  double mean, scale;
};

template <typename T>
Size size_of(In<T> X, Index row, Centre centre, double epsilon) {
  const auto x = X.row(row).template cast<double>();
  const double mean = centre == Centre::kMean ? x.mean() : 0;
  const double variance = (x.array() - mean).square().mean();
  return {mean, 1 / std::sqrt(variance + epsilon)};
}

template <typename T>
Matrix<T> normalized(In<T> X, InVector<T> weight, InVector<T> bias, double epsilon, Centre centre) {
  require_arguments<T>(X, weight, bias, epsilon);
  Matrix<T> Y(X.rows(), X.cols());
  for (Index i = 0; i < X.rows(); ++i) {
    const Size size = size_of<T>(X, i, centre, epsilon);
    Y.row(i) = ((X.row(i).template cast<double>().array() - size.mean) * size.scale)
                   .template cast<T>()
                   .matrix();
  }
  if (weight.size() > 0) Y.array().rowwise() *= weight.transpose().array();
  if (bias.size() > 0) Y.array().rowwise() += bias.transpose().array();
  const std::uint64_t all = internal::wide(X.size());
  internal::note<T>({.multiply_adds = 3 * all, .read = 2 * all, .written = all});
  return Y;
}

template <typename T>
NormGradients<T> backward(In<T> X, InVector<T> weight, InVector<T> bias, In<T> dY, double epsilon,
                          Centre centre) {
  require_arguments<T>(X, weight, bias, epsilon);
  require_shape<T>("dY", dY, X.rows(), X.cols(), phrase::shape_of_output);
  const Index d = X.cols();
  NormGradients<T> made{Matrix<T>(X.rows(), d), {}, {}};
  Vector<double> d_weight = Vector<double>::Zero(d);
  Vector<double> unit(d), inner(d);
  for (Index i = 0; i < X.rows(); ++i) {
    const Size size = size_of<T>(X, i, centre, epsilon);
    // y = unit·weight + bias, unit = (x − mean)·scale
    unit = (X.row(i).transpose().template cast<double>().array() - size.mean) * size.scale;
    inner = dY.row(i).transpose().template cast<double>();
    d_weight.array() += inner.array() * unit.array();
    if (weight.size() > 0) inner.array() *= weight.template cast<double>().array();
    // What goes through the scale, and through the mean.
    const double along = unit.dot(inner) / static_cast<double>(d);
    const double through_mean = centre == Centre::kMean ? inner.mean() : 0;
    made.dX.row(i) = ((inner.array() - through_mean - unit.array() * along) * size.scale)
                         .template cast<T>()
                         .matrix()
                         .transpose();
  }
  if (weight.size() > 0) made.d_weight = d_weight.template cast<T>();
  if (bias.size() > 0) made.d_bias = dY.colwise().sum().transpose();
  const std::uint64_t all = internal::wide(X.size());
  internal::note<T>({.multiply_adds = 7 * all, .read = 3 * all, .written = all});
  return made;
}

}  // namespace

template <typename T>
Matrix<T> layer_norm(In<T> X, InVector<T> weight, InVector<T> bias, double epsilon) {
  return normalized<T>(X, weight, bias, epsilon, Centre::kMean);
}

template <typename T>
Matrix<T> rms_norm(In<T> X, InVector<T> weight, double epsilon) {
  return normalized<T>(X, weight, Vector<T>(), epsilon, Centre::kZero);
}

template <typename T>
NormGradients<T> layer_norm_backward(In<T> X, InVector<T> weight, InVector<T> bias, In<T> dY,
                                     double epsilon) {
  return backward<T>(X, weight, bias, dY, epsilon, Centre::kMean);
}

template <typename T>
NormGradients<T> rms_norm_backward(In<T> X, InVector<T> weight, In<T> dY, double epsilon) {
  return backward<T>(X, weight, Vector<T>(), dY, epsilon, Centre::kZero);
}

#define ATTN_INSTANTIATE(T)                                                                \
  template Matrix<T> layer_norm<T>(In<T>, InVector<T>, InVector<T>, double);               \
  template Matrix<T> rms_norm<T>(In<T>, InVector<T>, double);                              \
  template NormGradients<T> layer_norm_backward<T>(In<T>, InVector<T>, InVector<T>, In<T>, \
                                                   double);                                \
  template NormGradients<T> rms_norm_backward<T>(In<T>, InVector<T>, In<T>, double);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
