#include "attn/attention/precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "base/product.hpp"

namespace attn {
namespace {

struct Format {
  int fraction_bits;
  /// The exponents of the smallest and of the largest normal number.
  int lowest, highest;
};

constexpr Format format_of(Precision precision) {
  return precision == Precision::kFloat16 ? Format{10, -14, 15} : Format{7, -126, 127};
}

template <typename T>
Index count_non_finite(const Matrix<T>& x) {
  Index count = 0;
  for (Index i = 0; i < x.size(); ++i) count += !std::isfinite(x.data()[i]);
  return count;
}

/// For each row whether all scores that it sees are −∞ although neither the mask nor a bias of −∞
/// blocks all of them. Softmax would be 0/0 there, while a row that is blocked whole is 0.
template <typename T>
std::vector<bool> overflowed_rows(const Matrix<T>& scores, const AttentionOptions<T>& options) {
  constexpr T kNone = -std::numeric_limits<T>::infinity();
  const Index n = scores.rows(), m = scores.cols();
  std::vector<bool> made(static_cast<std::size_t>(n), false);
  for (Index i = 0; i < n; ++i) {
    const Mask::Keys keys = options.mask.keys(i, n, m);
    bool open = false, lost = true;
    for (Index j = keys.begin; j < keys.end && lost; ++j) {
      if (!keys.contains(j) || (options.bias.size() > 0 && options.bias(i, j) == kNone)) continue;
      open = true;
      lost = scores(i, j) == kNone;
    }
    made[static_cast<std::size_t>(i)] = open && lost;
  }
  return made;
}

template <typename T>
PrecisionResult<T> compared(const AttentionResult<T>& exact, AttentionResult<T> low) {
  PrecisionResult<T> result;
  result.output_error = precision_error<T>(exact.output, low.output);
  result.weights_error = precision_error<T>(exact.weights, low.weights);
  result.non_finite = count_non_finite(low.output);
  result.attention = std::move(low);
  return result;
}

}  // namespace

double rounded(double x, Precision precision) {
  if (!std::isfinite(x) || x == 0) return x;
  const Format format = format_of(precision);
  const int exponent = std::max(std::ilogb(x), format.lowest);
  // The factor is a power of two, so scaling is exact; nearbyint rounds ties to even.
  const double value = std::ldexp(std::nearbyint(std::ldexp(x, format.fraction_bits - exponent)),
                                  exponent - format.fraction_bits);
  if (std::abs(value) >= std::ldexp(1.0, format.highest + 1)) {
    return std::copysign(std::numeric_limits<double>::infinity(), x);
  }
  return value;
}

std::uint16_t to_bits(double x, Precision precision) {
  const Format format = format_of(precision);
  const int exponent_bits = 15 - format.fraction_bits;
  const auto shifted = [&](int field) { return field << format.fraction_bits; };
  const int sign = std::signbit(x) ? 0x8000 : 0;
  const int top = (1 << exponent_bits) - 1;
  const double value = std::abs(rounded(x, precision));
  int bits = 0;
  if (std::isnan(value)) {
    bits = shifted(top) | (1 << (format.fraction_bits - 1));
  } else if (std::isinf(value)) {
    bits = shifted(top);
  } else if (value >= std::ldexp(1.0, format.lowest)) {
    const int exponent = std::ilogb(value);
    const double fraction = std::ldexp(value, format.fraction_bits - exponent);
    bits = shifted(exponent - format.lowest) + static_cast<int>(fraction);
  } else {
    bits = static_cast<int>(std::ldexp(value, format.fraction_bits - format.lowest));
  }
  return static_cast<std::uint16_t>(sign | bits);
}

float from_bits(std::uint16_t bits, Precision precision) {
  const Format format = format_of(precision);
  const int hidden = 1 << format.fraction_bits;
  const int top = (1 << (15 - format.fraction_bits)) - 1;
  const int field = (bits & 0x7fff) >> format.fraction_bits;
  const int fraction = bits & (hidden - 1);
  float value = 0;
  if (field == top) {
    value =
        fraction ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
  } else {
    // Subnormals have no hidden bit and the exponent of the smallest normal number.
    const int significand = field == 0 ? fraction : fraction + hidden;
    value = std::ldexp(static_cast<float>(significand),
                       std::max(field, 1) - 1 + format.lowest - format.fraction_bits);
  }
  return std::copysign(value, bits & 0x8000 ? -1.0F : 1.0F);
}

template <typename T>
Matrix<T> rounded_matrix(In<T> x, Precision precision) {
  return x.unaryExpr([precision](T value) {
    return static_cast<T>(rounded(static_cast<double>(value), precision));
  });
}

template <typename T>
T quantize_row(const T* x, Index count, std::int8_t* codes) {
  T largest = 0;
  for (Index i = 0; i < count; ++i) largest = std::max(largest, std::abs(x[i]));
  const T scale = largest / 127;
  for (Index i = 0; i < count; ++i) {
    const T code = scale > 0 ? std::nearbyint(x[i] / scale) : T(0);
    codes[i] = static_cast<std::int8_t>(std::clamp(code, T(-127), T(127)));
  }
  return scale;
}

template <typename T>
QuantizedMatrix<T> quantize_int8(In<T> x, Int8Scale scale) {
  require_finite<T>("x", x);
  QuantizedMatrix<T> result;
  result.codes.resize(x.rows(), x.cols());
  if (scale == Int8Scale::kMatrix) {
    const Matrix<T> packed = x;
    result.scales.resize(1);
    result.scales(0) = quantize_row<T>(packed.data(), packed.size(), result.codes.data());
    return result;
  }
  result.scales.resize(x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    result.scales(i) =
        quantize_row<T>(x.row(i).data(), x.cols(), result.codes.data() + i * x.cols());
  }
  return result;
}

template <typename T>
Matrix<T> QuantizedMatrix<T>::dequantized() const {
  Matrix<T> x = codes.template cast<T>();
  for (Index i = 0; i < x.rows(); ++i) x.row(i) *= scales(scales.size() == 1 ? 0 : i);
  return x;
}

template <typename T>
std::size_t QuantizedMatrix<T>::bytes() const {
  return static_cast<std::size_t>(codes.size()) +
         sizeof(T) * static_cast<std::size_t>(scales.size());
}

template <typename T>
PrecisionError precision_error(In<T> reference, In<T> approximate) {
  require_shape<T>("approximate", approximate, reference.rows(), reference.cols(),
                   phrase::shape_of_reference);
  PrecisionError error;
  double squared_error = 0, squared = 0;
  for (Index i = 0; i < reference.rows(); ++i) {
    for (Index j = 0; j < reference.cols(); ++j) {
      const double r = static_cast<double>(reference(i, j));
      const double difference = static_cast<double>(approximate(i, j)) - r;
      if (!std::isfinite(difference)) {
        const double none = std::numeric_limits<double>::quiet_NaN();
        return {none, none};
      }
      error.max_absolute = std::max(error.max_absolute, std::abs(difference));
      squared_error += difference * difference;
      squared += r * r;
    }
  }
  if (squared_error > 0) error.relative_frobenius = std::sqrt(squared_error / squared);
  return error;
}

template <typename T>
PrecisionResult<T> attention_rounded(In<T> Q, In<T> K, In<T> V, const PrecisionOptions& precision,
                                     const AttentionOptions<T>& options) {
  const Precision format = precision.precision;
  // The exact attention comes first because it also checks the arguments.
  const AttentionResult<T> exact = attention<T>(Q, K, V, options);

  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));
  const Index n = Q.rows();
  AttentionResult<T> low;
  low.weights = internal::product_nt<T>(rounded_matrix<T>(Q, format), rounded_matrix<T>(K, format));
  low.weights *= scale;
  if (options.bias.size() > 0) low.weights += rounded_matrix<T>(*options.bias, format);
  if (precision.round_scores) low.weights = rounded_matrix<T>(low.weights, format);
  low.log_sum_exp.resize(n);
  const std::vector<bool> overflowed = overflowed_rows<T>(low.weights, options);
  masked_softmax_rows<T>(low.weights, options.mask, 0, n, low.log_sum_exp.data());
  for (Index i = 0; i < n; ++i) {
    if (!overflowed[static_cast<std::size_t>(i)]) continue;
    constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    options.mask.keys(i, n, low.weights.cols()).for_each([&](Index j) {
      low.weights(i, j) = kNan;
    });
    low.log_sum_exp(i) = kNan;
  }
  low.weights = rounded_matrix<T>(low.weights, format);
  low.output = internal::product_nn<T>(low.weights, rounded_matrix<T>(V, format));
  low.output = rounded_matrix<T>(low.output, format);
  return compared<T>(exact, std::move(low));
}

template <typename T>
PrecisionResult<T> attention_int8_kv(In<T> Q, In<T> K, In<T> V, Int8Scale scale,
                                     const AttentionOptions<T>& options) {
  const AttentionResult<T> exact = attention<T>(Q, K, V, options);
  return compared<T>(exact, attention<T>(Q, quantize_int8<T>(K, scale).dequantized(),
                                         quantize_int8<T>(V, scale).dequantized(), options));
}

#define ATTN_INSTANTIATE(T)                                                                      \
  template Matrix<T> rounded_matrix<T>(In<T>, Precision);                                        \
  template T quantize_row<T>(const T*, Index, std::int8_t*);                                     \
  template QuantizedMatrix<T> quantize_int8<T>(In<T>, Int8Scale);                                \
  template struct QuantizedMatrix<T>;                                                            \
  template PrecisionError precision_error<T>(In<T>, In<T>);                                      \
  template PrecisionResult<T> attention_rounded<T>(In<T>, In<T>, In<T>, const PrecisionOptions&, \
                                                   const AttentionOptions<T>&);                  \
  template PrecisionResult<T> attention_int8_kv<T>(In<T>, In<T>, In<T>, Int8Scale,               \
                                                   const AttentionOptions<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
