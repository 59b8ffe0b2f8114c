#include "attn/attention/precision.hpp"

#include <cstring>
#include <limits>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("precision");

namespace {

// The standard library of emscripten has no std::bit_cast yet.
std::uint32_t bits_of(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

float float_of(std::uint32_t bits) {
  float x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// Rounds float32 to binary16 on the bits alone. It shares no code with the core, which scales
/// numbers.
std::uint16_t float16_by_bits(float x) {
  const std::uint32_t bits = bits_of(x);
  const std::uint32_t sign = (bits >> 16) & 0x8000U, magnitude = bits & 0x7fffffffU;
  if (magnitude > 0x7f800000U) return static_cast<std::uint16_t>(sign | 0x7e00U);
  const std::uint32_t exponent = magnitude >> 23;
  std::uint32_t significand = 0, drop = 13;
  if (exponent >= 113) {
    significand = magnitude - (112U << 23);
  } else if (exponent >= 102) {
    significand = (magnitude & 0x7fffffU) | 0x800000U;
    drop = 126 - exponent;
  } else {
    return static_cast<std::uint16_t>(sign);
  }
  const std::uint32_t half = 1U << (drop - 1), rest = significand & ((1U << drop) - 1);
  std::uint32_t result = significand >> drop;
  if (rest > half || (rest == half && (result & 1U))) ++result;
  return static_cast<std::uint16_t>(sign | std::min(result, 0x7c00U));
}

std::uint16_t bfloat16_by_bits(float x) {
  const std::uint32_t bits = bits_of(x);
  if (std::isnan(x)) return static_cast<std::uint16_t>(((bits >> 16) & 0x8000U) | 0x7fc0U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

/// A code whose exponent field is full is NaN when its other bits are not zero.
bool is_nan_code(int code, Precision precision) {
  return (code & 0x7fff) > (precision == Precision::kFloat16 ? 0x7c00 : 0x7f80);
}

}  // namespace

TEST_CASE("each of the 65536 codes is unchanged after conversion to a number and back") {
  for (const Precision precision : {Precision::kFloat16, Precision::kBfloat16}) {
    Index wrong = 0, nans = 0;
    for (int code = 0; code < 65536; ++code) {
      const float value = from_bits(static_cast<std::uint16_t>(code), precision);
      if (is_nan_code(code, precision)) {
        ++nans;
        wrong += !std::isnan(value) ||
                 !is_nan_code(to_bits(static_cast<double>(value), precision), precision);
      } else {
        wrong += to_bits(static_cast<double>(value), precision) != code;
        if (precision == Precision::kBfloat16) {
          wrong += bits_of(value) != static_cast<std::uint32_t>(code) << 16;
        }
        wrong += rounded(static_cast<double>(value), precision) != static_cast<double>(value);
      }
    }
    CHECK(wrong == 0);
    CHECK(nans == (precision == Precision::kFloat16 ? 2 * 1023 : 2 * 127));
  }
}

TEST_CASE(
    "a number halfway between two neighbours is rounded to even, any other to the nearer one") {
  for (const Precision precision : {Precision::kFloat16, Precision::kBfloat16}) {
    const int infinity = precision == Precision::kFloat16 ? 0x7c00 : 0x7f80;
    // The step after the largest number is where infinity would be if it were a number.
    const double beyond = precision == Precision::kFloat16 ? 65536 : std::ldexp(1.0, 128);
    Index wrong = 0;
    for (int code = 0; code < infinity; ++code) {
      const auto value = [&](int at) {
        return at == infinity
                   ? beyond
                   : static_cast<double>(from_bits(static_cast<std::uint16_t>(at), precision));
      };
      const double middle = (value(code) + value(code + 1)) / 2;
      wrong += to_bits(middle, precision) != (code % 2 == 0 ? code : code + 1);
      wrong += to_bits(std::nextafter(middle, 0.0), precision) != code;
      wrong += to_bits(std::nextafter(middle, kInfinity), precision) != code + 1;
      wrong += to_bits(-middle, precision) != (0x8000 | to_bits(middle, precision));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("float32 rounds as integer arithmetic on its bits does, over every exponent") {
  Rng rng(16);
  Index wrong = 0;
  for (int draw = 0; draw < 500000; ++draw) {
    const float x = float_of(static_cast<std::uint32_t>(rng.next() >> 32));
    wrong += to_bits(static_cast<double>(x), Precision::kFloat16) != float16_by_bits(x);
    wrong += to_bits(static_cast<double>(x), Precision::kBfloat16) != bfloat16_by_bits(x);
  }
  CHECK(wrong == 0);
}

TEST_CASE("the known limits of both formats") {
  CHECK(rounded(65519.99, Precision::kFloat16) == 65504);
  CHECK(rounded(65520, Precision::kFloat16) == kInfinity);
  CHECK(rounded(-1e9, Precision::kFloat16) == -kInfinity);
  CHECK(rounded(std::ldexp(1.0, -24), Precision::kFloat16) == std::ldexp(1.0, -24));
  CHECK(rounded(std::ldexp(1.0, -25), Precision::kFloat16) == 0);
  CHECK(std::signbit(rounded(-std::ldexp(1.0, -30), Precision::kFloat16)));
  CHECK(rounded(2049, Precision::kFloat16) == 2048);
  CHECK(rounded(2051, Precision::kFloat16) == 2052);
  CHECK(rounded(257, Precision::kBfloat16) == 256);
  CHECK(rounded(-1e9, Precision::kBfloat16) == -998244352);
  CHECK(std::isnan(rounded(std::nan(""), Precision::kBfloat16)));
  // Rounded to float32 first, this number would become a tie and then the even 1.
  const double above_tie = 1 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  CHECK(rounded(above_tie, Precision::kFloat16) == 1 + std::ldexp(1.0, -10));
  Matrix<double> x(1, 2);
  x << 65520, above_tie;
  CHECK(rounded_matrix<double>(x, Precision::kFloat16)(0, 0) == kInfinity);
  CHECK(rounded_matrix<double>(x, Precision::kFloat16)(0, 1) == 1 + std::ldexp(1.0, -10));
}

TEST_CASE_TEMPLATE("int8 is off by half a step at most, and its largest entry by rounding", T,
                   float, double) {
  Matrix<T> x = random<T>(17, 9, 1);
  x.row(3).setZero();
  x.row(5) *= T(1e6);
  for (const Int8Scale how : {Int8Scale::kRow, Int8Scale::kMatrix}) {
    const QuantizedMatrix<T> q = quantize_int8<T>(x, how);
    const Matrix<T> back = q.dequantized();
    CHECK(q.scales.size() == (how == Int8Scale::kRow ? 17 : 1));
    CHECK(q.bytes() == 17 * 9 + sizeof(T) * static_cast<std::size_t>(q.scales.size()));
    for (Index i = 0; i < x.rows(); ++i) {
      const T step = q.scales(how == Int8Scale::kRow ? i : 0);
      // The last term is the rounding of the quotient itself, when it is within an ulp of a tie.
      CHECK((x.row(i) - back.row(i)).cwiseAbs().maxCoeff() <=
            step * (T(0.5) + 256 * std::numeric_limits<T>::epsilon()));
      if (how == Int8Scale::kRow) {
        CHECK(q.codes.row(i).template cast<int>().cwiseAbs().maxCoeff() == (i == 3 ? 0 : 127));
      }
    }
  }
  // One row a million times as large as the others costs them all their accuracy when they share
  // its scale.
  const Matrix<T> shared = quantize_int8<T>(x, Int8Scale::kMatrix).dequantized();
  CHECK(shared.row(0).isZero(0));
}

TEST_CASE("quantising the smallest numbers does not divide by zero") {
  Matrix<> x = Matrix<>::Constant(1, 3, std::numeric_limits<float>::denorm_min());
  CHECK(quantize_int8(x).dequantized().allFinite());
}

TEST_CASE("the reported error is the actual error") {
  Matrix<> a(2, 2), b(2, 2);
  a << 3, 0, 0, 4;
  b << 3, 0, 1, 4;
  CHECK(precision_error(a, b).max_absolute == 1);
  CHECK(precision_error(a, b).relative_frobenius == doctest::Approx(0.2));
  CHECK(precision_error(a, a).relative_frobenius == 0);
  CHECK(precision_error(Matrix<>::Zero(2, 2), Matrix<>::Zero(2, 2)).relative_frobenius == 0);
  b(0, 0) = NAN;
  CHECK(std::isnan(precision_error(a, b).max_absolute));
  CHECK(error_of([&] { precision_error(a, Matrix<>::Zero(1, 2)); }).argument() == "approximate");
}

TEST_CASE("formats with fewer bits have larger errors") {
  const Matrix<> Q = random(40, 16, 1), K = random(48, 16, 2), V = random(48, 8, 3);
  AttentionOptions<> options;
  options.mask = Mask::causal_bottom_right();
  PrecisionOptions half, brain;
  brain.precision = Precision::kBfloat16;
  const auto fp16 = attention_rounded(Q, K, V, half, options);
  const auto bf16 = attention_rounded(Q, K, V, brain, options);
  const auto int8 = attention_int8_kv(Q, K, V, Int8Scale::kRow, options);
  const auto exact = attention(Q, K, V, options);

  // Unit roundoffs are 2⁻¹¹ and 2⁻⁸. With logits of size 1 to 4 and a dozen roundings of
  // independent sign, errors stay within a few of them and cannot be much below one.
  CHECK(fp16.output_error.relative_frobenius < 4 * std::ldexp(1.0, -11));
  CHECK(fp16.output_error.relative_frobenius > std::ldexp(1.0, -13));
  CHECK(bf16.output_error.relative_frobenius < 4 * std::ldexp(1.0, -8));
  CHECK(bf16.output_error.relative_frobenius > 4 * fp16.output_error.relative_frobenius);
  CHECK(int8.output_error.relative_frobenius < 0.05);
  CHECK(int8.output_error.relative_frobenius > fp16.output_error.relative_frobenius);
  for (const auto* low : {&fp16, &bf16, &int8}) {
    CHECK(low->non_finite == 0);
    CHECK(low->output_error.max_absolute ==
          static_cast<double>((low->attention.output - exact.output).cwiseAbs().maxCoeff()));
    CHECK(low->weights_error.relative_frobenius > 0);
    for (Index i = 0; i < 40; ++i) CHECK(low->attention.weights.row(i).tail(39 - i).isZero(0));
  }
  // Every number that the 16-bit computation returns belongs to its format.
  CHECK_CLOSE(rounded_matrix(fp16.attention.output, Precision::kFloat16), fp16.attention.output, 0,
              0);
  CHECK_CLOSE(rounded_matrix(bf16.attention.weights, Precision::kBfloat16), bf16.attention.weights,
              0, 0);
}

TEST_CASE("logits past 65504 overflow in float16 only where scores are stored in it") {
  Matrix<> Q(2, 1), K(2, 1);
  Q << 1000, 1;
  K << 100, 1;
  AttentionOptions<> options;
  options.scale = 1;
  PrecisionOptions wide, stored, brain;
  stored.round_scores = true;
  brain.round_scores = true;
  brain.precision = Precision::kBfloat16;
  const Matrix<> V = Matrix<>::Identity(2, 2);
  CHECK(attention_rounded(Q, K, V, wide, options).non_finite == 0);
  CHECK(attention_rounded(Q, K, V, brain, options).non_finite == 0);
  const auto broken = attention_rounded(Q, K, V, stored, options);
  CHECK(broken.non_finite == 2);
  CHECK(broken.attention.output.row(0).array().isNaN().all());
  CHECK(broken.attention.output.row(1).allFinite());
  CHECK(std::isnan(broken.output_error.max_absolute));
}

TEST_CASE_TEMPLATE(
    "a row whose scores all overflow to -infinity is NaN and counted; a masked one is 0", T, float,
    double) {
  constexpr T kNone = -std::numeric_limits<T>::infinity();
  Matrix<T> Q(3, 1), K(3, 1), bias = Matrix<T>::Zero(3, 3);
  Q << -1000, 1, -1;
  K << 100, 200, 300;
  const Matrix<T> V = Matrix<T>::Ones(3, 2);
  AttentionOptions<T> options;
  options.scale = 1;
  PrecisionOptions stored, brain;
  stored.round_scores = true;
  brain.round_scores = true;
  brain.precision = Precision::kBfloat16;
  const auto overflowed = [](const PrecisionResult<T>& made, Index row) {
    return made.attention.weights.row(row).array().isNaN().all() &&
           made.attention.output.row(row).array().isNaN().all() &&
           std::isnan(made.attention.log_sum_exp(row));
  };
  const auto zero = [](const PrecisionResult<T>& made, Index row) {
    return made.attention.weights.row(row).isZero(0) && made.attention.output.row(row).isZero(0) &&
           made.attention.log_sum_exp(row) == kNone;
  };
  // −1000·100 is below −65504, the least number of float16.
  const auto low = attention_rounded<T>(Q, K, V, stored, options);
  CHECK(overflowed(low, 0));
  CHECK(low.attention.output.bottomRows(2).allFinite());
  CHECK(low.non_finite == 2);
  CHECK(std::isnan(low.output_error.max_absolute));
  CHECK(attention_rounded<T>(Q, K, V, brain, options).non_finite == 0);
  // What fits may stand beside what does not, and has all of the weight.
  K(0, 0) = 1;
  const auto partly = attention_rounded<T>(Q, K, V, stored, options);
  CHECK(partly.non_finite == 0);
  CHECK(partly.attention.weights(0, 0) == 1);
  K(0, 0) = 100;
  // Only keys that a row sees count, and blocked ones stay 0.
  options.mask = Mask::causal();
  const auto causal = attention_rounded<T>(Q, K, V, stored, options);
  CHECK(std::isnan(causal.attention.weights(0, 0)));
  CHECK(causal.attention.weights.row(0).tail(2).isZero(0));
  CHECK(causal.non_finite == 2);
  // Rows that a mask or a bias of −∞ blocks whole are 0, as in attention.
  Matrix<T> keep = Matrix<T>::Ones(3, 3);
  keep.row(0).setZero();
  options.mask = Mask::from_matrix<T>(keep);
  bias.row(1).setConstant(kNone);
  options.bias = SharedMatrix<T>(bias);
  const auto masked = attention_rounded<T>(Q, K, V, stored, options);
  CHECK(zero(masked, 0));
  CHECK(zero(masked, 1));
  CHECK(masked.non_finite == 0);
  // A bias of −1e9, which some write for −∞, is −∞ in float16, and −∞ alone is no distribution.
  options.mask = Mask::full();
  bias.row(1).setConstant(T(-1e9));
  options.bias = SharedMatrix<T>(bias);
  const auto biased = attention_rounded<T>(Q, K, V, {}, options);
  CHECK(overflowed(biased, 1));
  CHECK(biased.non_finite == 2);
  // The products overflow already where Q does.
  Q(0, 0) = T(-1e6);
  options.bias = {};
  CHECK(overflowed(attention_rounded<T>(Q, K, V, {}, options), 0));
}

TEST_SUITE_END();
