#include "attn/nn/activation.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "attn/base/errors.hpp"
#include "attn/nn/phrases.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

/// In the order of the enumeration.
constexpr std::array<std::string_view, 8> kNames{"relu", "elu",      "gelu",    "gelu_tanh",
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

}  // namespace

std::span<const std::string_view> activation_names() { return kNames; }

Activation activation_named(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Activation>(i);
  }
  throw ValueError("activation", phrase::quoted(name),
                   phrase::one_of(std::vector<std::string>(kNames.begin(), kNames.end())));
}

template <typename T>
Matrix<T> activate(In<T> X, Activation f) {
  internal::note<T>({.read = internal::wide(X.size()), .written = internal::wide(X.size())});
  return X.unaryExpr([f](T x) { return static_cast<T>(evaluate(f, x).value); });
}

template <typename T>
Matrix<T> activate_backward(In<T> X, Activation f, In<T> dY) {
  require_shape<T>("dY", dY, X.rows(), X.cols(), phrase::shape_of_output);
  internal::note<T>({.multiply_adds = internal::wide(X.size()),
                     .read = 2 * internal::wide(X.size()),
                     .written = internal::wide(X.size())});
  return X.binaryExpr(dY,
                      [f](T x, T dy) { return static_cast<T>(evaluate(f, x).slope * double{dy}); });
}

template Matrix<float> activate<float>(In<float>, Activation);
template Matrix<double> activate<double>(In<double>, Activation);
template Matrix<float> activate_backward<float>(In<float>, Activation, In<float>);
template Matrix<double> activate_backward<double>(In<double>, Activation, In<double>);

}  // namespace attn
