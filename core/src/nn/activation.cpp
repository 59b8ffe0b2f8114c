#include "attn/nn/activation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "attn/base/errors.hpp"
#include "attn/nn/phrases.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

/// In the order of the enumeration.
constexpr std::array<std::string_view, 8> kActivations{"relu", "elu",      "gelu",    "gelu_tanh",
                                                       "silu", "softplus", "sigmoid", "tanh"};

/// A function and its derivative at one place.
struct Both {
  double value, slope;
};

double sigmoid(double x) {
  // e^x of a large x would overflow.
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const double e = std::exp(x);
  return e / (1 + e);
}

Both evaluate(Activation f, double x) {
  switch (f) {
    case Activation::kRelu:
      return {x > 0 ? x : 0, x > 0 ? 1.0 : 0.0};
    case Activation::kElu:
      return {x > 0 ? x : std::expm1(x), x > 0 ? 1 : std::exp(x)};
    case Activation::kGelu: {
      const double below = std::erfc(-x / std::numbers::sqrt2) / 2;
      const double density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
      return {x * below, below + x * density};
    }
    case Activation::kGeluTanh: {
      const double factor = std::numbers::sqrt2 * std::numbers::inv_sqrtpi, cube = 0.044715;
      const double t = std::tanh(factor * (x + cube * x * x * x));
      const double slope = factor * (1 + 3 * cube * x * x) * (1 - t * t);
      return {x * (1 + t) / 2, (1 + t + x * slope) / 2};
    }
    case Activation::kSilu: {
      const double s = sigmoid(x);
      return {x * s, s * (1 + x * (1 - s))};
    }
    case Activation::kSoftplus:
      return {std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))), sigmoid(x)};
    case Activation::kSigmoid: {
      const double s = sigmoid(x);
      return {s, s * sigmoid(-x)};
    }
    case Activation::kTanh: {
      const double t = std::tanh(x);
      return {t, 1 - t * t};
    }
  }
  return {};
}

/// e^x for float32, 2 ulp off; x is held within the range of normal numbers. Without branches, so
/// that loops over it become vectors, and of + − × alone, so that the bits are the same everywhere.
inline float exp_of(float x) {
  const float inside = std::min(88.0F, std::max(-87.0F, x));
  // Adding 1.5·2²³ rounds to an integer and leaves it in the low bits.
  constexpr float kRounder = 12582912.0F;
  const float shifted = inside * 1.44269504F + kRounder, n = shifted - kRounder;
  const float f = ((inside - n * 0.693359375F) + n * 2.12194440e-4F) * 1.44269504F;
  const float p =
      1 + f * (0.693147182F +
               f * (0.240226433F +
                    f * (5.55033199e-2F +
                         f * (9.61846765e-3F + f * (1.33990496e-3F + f * 1.53533547e-4F)))));
  const auto power = Eigen::numext::bit_cast<std::uint32_t>(shifted) << 23U;
  return Eigen::numext::bit_cast<float>(Eigen::numext::bit_cast<std::uint32_t>(p) + power);
}

/// erf for float32 as a ratio of polynomials, 4e-7 off at most (the one of Eigen's and XLA's
/// kernels).
inline float erf_of(float x) {
  const float u = std::min(4.0F, std::max(-4.0F, x)), s = u * u;
  const float above =
      -1.60960333262415e-02F +
      s * (-2.95459980854025e-03F +
           s * (-7.34990630326855e-04F +
                s * (-5.69250639462346e-05F +
                     s * (-2.10102402082508e-06F +
                          s * (2.77068142495902e-08F + s * -2.72614225801306e-10F)))));
  const float below = -1.42647390514189e-02F +
                      s * (-7.37332916720468e-03F +
                           s * (-1.68282697438203e-03F +
                                s * (-2.13374055278905e-04F + s * -1.45660718464996e-05F)));
  return u * above / below;
}

/// The functions that models are trained with most, in float32; `evaluate` is their reference.
struct FastGelu {
  static float below(float x) { return 0.5F * (1 + erf_of(x * 0.707106781F)); }
  static float value(float x) { return x * below(x); }
  static float slope(float x) {
    return below(x) + x * 0.398942280F * exp_of(-0.5F * std::min(x * x, 170.0F));
  }
};
struct FastGeluTanh {
  static float tanh_of(float x) {
    const float u = 0.797884561F * (x + 0.044715F * x * x * x);
    return 1 - 2 / (1 + exp_of(2 * u));
  }
  static float value(float x) { return 0.5F * x * (1 + tanh_of(x)); }
  static float slope(float x) {
    // Where x³ overflows the slope is 0 or 1 already.
    const float near = std::min(16.0F, std::max(-16.0F, x)), t = tanh_of(near);
    const float inner = 0.797884561F * (1 + 3 * 0.044715F * near * near) * (1 - t * t);
    return 0.5F * (1 + t + near * inner);
  }
};
struct FastSilu {
  static float value(float x) { return x / (1 + exp_of(-x)); }
  static float slope(float x) {
    const float s = 1 / (1 + exp_of(-x));
    return s * (1 + x * (1 - s));
  }
};
struct FastRelu {
  static float value(float x) { return x > 0 ? x : 0; }
  static float slope(float x) { return x > 0 ? 1 : 0; }
};

/// Calls `use` with the fast form of f; false where there is none.
template <typename Use>
bool with_fast(Activation f, Use use) {
  switch (f) {
    case Activation::kGelu:
      use(FastGelu());
      return true;
    case Activation::kGeluTanh:
      use(FastGeluTanh());
      return true;
    case Activation::kSilu:
      use(FastSilu());
      return true;
    case Activation::kRelu:
      use(FastRelu());
      return true;
    default:
      return false;
  }
}

}  // namespace

std::span<const std::string_view> activation_names() { return kActivations; }

Activation activation_named(std::string_view name) {
  for (std::size_t i = 0; i < kActivations.size(); ++i) {
    if (kActivations[i] == name) return static_cast<Activation>(i);
  }
  throw ValueError(
      "activation", phrase::quoted(name),
      phrase::one_of(std::vector<std::string>(kActivations.begin(), kActivations.end())));
}

template <typename T>
Matrix<T> activate(In<T> X, Activation f) {
  internal::note<T>({.read = internal::wide(X.size()), .written = internal::wide(X.size())});
  if constexpr (std::is_same_v<T, float>) {
    Matrix<float> Y(X.rows(), X.cols());
    const auto fill = [&](auto fast) {
      for (Index i = 0; i < X.rows(); ++i) {
        const float* from = X.data() + i * X.outerStride();
        float* to = Y.data() + i * Y.cols();
        for (Index j = 0; j < X.cols(); ++j) to[j] = fast.value(from[j]);
      }
    };
    if (with_fast(f, fill)) return Y;
  }
  return X.unaryExpr([f](T x) { return static_cast<T>(evaluate(f, x).value); });
}

template <typename T>
Matrix<T> activate_backward(In<T> X, Activation f, In<T> dY) {
  require_shape<T>("dY", dY, X.rows(), X.cols(), phrase::shape_of_output);
  internal::note<T>({.multiply_adds = internal::wide(X.size()),
                     .read = 2 * internal::wide(X.size()),
                     .written = internal::wide(X.size())});
  if constexpr (std::is_same_v<T, float>) {
    Matrix<float> dX(X.rows(), X.cols());
    const auto fill = [&](auto fast) {
      for (Index i = 0; i < X.rows(); ++i) {
        const float *from = X.data() + i * X.outerStride(),
                    *back = dY.data() + i * dY.outerStride();
        float* to = dX.data() + i * dX.cols();
        for (Index j = 0; j < X.cols(); ++j) to[j] = fast.slope(from[j]) * back[j];
      }
    };
    if (with_fast(f, fill)) return dX;
  }
  return X.binaryExpr(dY,
                      [f](T x, T dy) { return static_cast<T>(evaluate(f, x).slope * double{dy}); });
}

template Matrix<float> activate<float>(In<float>, Activation);
template Matrix<double> activate<double>(In<double>, Activation);
template Matrix<float> activate_backward<float>(In<float>, Activation, In<float>);
template Matrix<double> activate_backward<double>(In<double>, Activation, In<double>);

}  // namespace attn
