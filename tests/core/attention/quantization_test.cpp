#include "attn/attention/quantization.hpp"

#include <algorithm>
#include <cmath>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("quantization");

namespace {

constexpr QuantizationAxis kRow = QuantizationAxis::kRow, kColumn = QuantizationAxis::kColumn;

}  // namespace

TEST_CASE_TEMPLATE("no number is further from what its code stands for than half a step", T, float,
                   double) {
  const Matrix<T> x = random<T>(12, 8, 1);
  for (Index bits = 2; bits <= 8; ++bits) {
    for (const bool zero_point : {false, true}) {
      for (const QuantizationAxis axis : {kRow, kColumn}) {
        for (const Index group : {0, 4, 2}) {
          const auto made = quantize<T>(x, {bits, zero_point, axis, group});
          const Index down = axis == kRow ? 1 : group > 0 ? group : 12;
          const Index across = axis == kColumn ? 1 : group > 0 ? group : 8;
          CHECK(made.scales.rows() == 12 / down);
          CHECK(made.scales.cols() == 8 / across);
          const Matrix<T> back = made.dequantized(), codes = made.codes();
          const double top = std::pow(2.0, bits - (zero_point ? 0 : 1)) - 1;
          for (Index i = 0; i < 12; ++i) {
            for (Index j = 0; j < 8; ++j) {
              const double step = static_cast<double>(made.scales(i / down, j / across));
              CHECK(std::abs(static_cast<double>(back(i, j) - x(i, j))) <= 0.5001 * step);
              CHECK(static_cast<double>(made.code(i, j)) <= top);
              CHECK(static_cast<double>(made.code(i, j)) >= (zero_point ? 0 : -top));
              CHECK(codes(i, j) == static_cast<T>(made.code(i, j)));
            }
          }
          // Both ends of a group, or its largest size, are met.
          const Index in_byte = 8 % bits == 0 ? 8 / bits : 1;
          const auto scales = static_cast<std::size_t>(made.scales.size());
          CHECK(made.bytes() ==
                static_cast<std::size_t>(96 / in_byte) + sizeof(T) * scales * (zero_point ? 2 : 1));
        }
      }
    }
  }
}

TEST_CASE("int8 by row is what `quantize_int8` gives") {
  const Matrix<float> x = random<float>(5, 7, 2);
  const auto wanted = quantize_int8<float>(x);
  const auto made = quantize<float>(x);
  CHECK_CLOSE(made.codes(), wanted.codes.cast<float>(), 0, 0);
  CHECK_CLOSE(made.dequantized(), wanted.dequantized(), 1e-7, 0);
}

TEST_CASE("equal numbers are exact, and ties go to the even code") {
  Matrix<double> x(2, 3);
  x << 3.25, 3.25, 3.25, 0, 0, 0;
  const auto offset = quantize<double>(x, {2, true, kRow, 0});
  CHECK_CLOSE(offset.dequantized(), x, 0, 0);
  CHECK(offset.scales.isZero(0));
  const Matrix<double> zeros = x.bottomRows(1);
  CHECK(quantize<double>(zeros, {4, false, kRow, 0}).dequantized().isZero(0));
  Matrix<double> ties(1, 6);
  ties << 7, -7, 0.5, 1.5, 2.5, -0.5;
  Matrix<double> wanted(1, 6);
  wanted << 7, -7, 0, 2, 2, 0;
  CHECK_CLOSE((quantize<double>(ties, {4, false, kRow, 0}).codes()), wanted, 0, 0);
}

TEST_CASE("outliers are planted in whole columns, the same for the same seed") {
  const Matrix<double> x = random<double>(9, 12, 3);
  const auto made = plant_outliers<double>(x, {3, 20, 7});
  REQUIRE(made.channels.size() == 3);
  CHECK(std::is_sorted(made.channels.begin(), made.channels.end()));
  Index planted = 0;
  for (Index j = 0; j < x.cols(); ++j) {
    const Vector<double> added = made.x.col(j) - x.col(j);
    const bool chosen =
        std::find(made.channels.begin(), made.channels.end(), j) != made.channels.end();
    if (chosen) ++planted;
    CHECK((added.array().abs() - (chosen ? 20.0 : 0.0)).abs().maxCoeff() < 1e-12);
    CHECK((added.array() - added(0)).abs().maxCoeff() < 1e-12);
  }
  CHECK(planted == 3);
  CHECK_CLOSE((plant_outliers<double>(x, {3, 20, 7}).x), made.x, 0, 0);
  CHECK(plant_outliers<double>(x, {3, 20, 8}).channels != made.channels);
  CHECK_CLOSE((plant_outliers<double>(x, {0, 20, 7}).x), x, 0, 0);
  // Scales by token lose to them what scales by channel keep.
  const auto error = [&](QuantizationAxis axis) {
    return (quantize<double>(made.x, {4, false, axis, 0}).dequantized() - made.x).norm();
  };
  CHECK(error(kColumn) < 0.8 * error(kRow));
  CHECK_THROWS_AS((plant_outliers<double>(x, {13, 20, 7})), ValueError);
  CHECK_THROWS_AS((plant_outliers<double>(x, {1, std::nan(""), 7})), ValueError);
}

TEST_CASE("channels with outliers want scales by channel: the lesson of KIVI") {
  Matrix<double> K = random<double>(256, 64, 3), V = random<double>(256, 64, 4);
  const Matrix<double> Q = random<double>(8, 64, 5);
  K.col(5).array() += 30;
  K.col(40).array() -= 30;
  QuantizedCacheOptions by_token, by_channel;
  by_token.keys = {4, false, kRow, 0};
  by_channel.keys = {4, false, kColumn, 0};
  by_token.values = by_channel.values = {4, false, kRow, 0};
  const double token = quantized_cache_attention<double>(Q, K, V, by_token).relative_error;
  const double channel = quantized_cache_attention<double>(Q, K, V, by_channel).relative_error;
  CHECK(token > 3 * channel);
  // With nothing quantised there is no error, and as many bytes.
  by_token.exact_keys = by_token.exact_values = 256;
  const auto exact = quantized_cache_attention<double>(Q, K, V, by_token);
  CHECK(exact.relative_error == 0);
  CHECK(exact.bytes == exact.exact_bytes);
}

TEST_CASE_TEMPLATE("a cache grown in pieces is the whole one, bit for bit", T, float, double) {
  const Index n = 37, d_k = 6, d_v = 8;
  const Matrix<T> Q = random<T>(n, d_k, 1), K = random<T>(n, d_k, 2), V = random<T>(n, d_v, 3);
  for (const Index bits : {2, 4, 8}) {
    for (const Index group : {0, 4}) {
      for (const Index step : {1, 3, 37}) {
        const QuantizedCacheSettings settings{bits, group, 8};
        QuantizedCache<T> cache(d_k, d_v, settings);
        for (Index t = 0; t < n; t += step) {
          const Index r = std::min(step, n - t), now = t + r;
          cache.append(K.middleRows(t, r), V.middleRows(t, r));
          const ExactTokens exact = kivi_exact_tokens(now, 8);
          QuantizedCacheOptions options;
          options.keys = {bits, true, kColumn, group > 0 ? group : 8};
          options.values = {bits, true, kRow, group};
          options.exact_keys = exact.keys;
          options.exact_values = exact.values;
          const auto wanted = quantized_cache_attention<T>(Q.middleRows(t, r), K.topRows(now),
                                                           V.topRows(now), options);
          const auto made = cache.attend(Q.middleRows(t, r));
          CHECK(cache.size() == now);
          CHECK_CLOSE(cache.keys(), wanted.keys, 0, 0);
          CHECK_CLOSE(cache.values(), wanted.values, 0, 0);
          CHECK_CLOSE(made.output, wanted.output, 0, 0);
          CHECK_CLOSE(cache.keys().bottomRows(exact.keys),
                      K.middleRows(now - exact.keys, exact.keys), 0, 0);
        }
      }
    }
  }
  QuantizedCache<T> small(d_k, d_v, {2, 0, 8});
  small.append(K.topRows(24), V.topRows(24));
  // 24 keys of 12 bits with 6 scales and minima each 8 tokens; 16 values of 16 bits with one of
  // each; 8 exact values.
  CHECK(small.bytes() ==
        24 * 6 / 4 + 3 * 12 * sizeof(T) + 16 * (2 + 2 * sizeof(T)) + 8 * 8 * sizeof(T));
}

TEST_CASE("wrong arguments are named") {
  const Matrix<float> x = random<float>(6, 4, 1);
  const auto failure = [&](QuantizationOptions options) {
    return error_of([&] { quantize<float>(x, options); });
  };
  CHECK(failure({1, false, kRow, 0}).argument() == "bits");
  CHECK(failure({9, false, kRow, 0}).argument() == "bits");
  CHECK(failure({4, false, kRow, 3}).argument() == "group");
  CHECK(failure({4, false, kColumn, 4}).argument() == "group");
  CHECK(failure({4, false, kColumn, -1}).argument() == "group");
  Matrix<float> wide = x;
  wide(0, 0) = 3e38F;
  wide(0, 1) = -3e38F;
  CHECK(error_of([&] { quantize<float>(wide, {4, true, kRow, 0}); }).argument() == "x");
  wide(0, 0) = std::numeric_limits<float>::quiet_NaN();
  CHECK(error_of([&] { quantize<float>(wide); }).argument() == "x");
  QuantizedCacheOptions options;
  options.exact_keys = 7;
  CHECK(error_of([&] { quantized_cache_attention<float>(x, x, x, options); }).argument() ==
        "exact_keys");
  options = {};
  options.exact_values = -1;
  CHECK(error_of([&] { quantized_cache_attention<float>(x, x, x, options); }).argument() ==
        "exact_values");
  CHECK(error_of([&] {
          quantized_cache_attention<float>(x, x.topRows(3), x.topRows(3));
        }).argument() == "Q");
  CHECK(error_of([] { QuantizedCache<float>(4, 6, {4, 4, 8}); }).argument() == "group");
  CHECK(error_of([] { QuantizedCache<float>(4, 8, {4, 0, 0}); }).argument() == "residual");
  QuantizedCache<float> cache(4, 4);
  CHECK(error_of([&] { cache.attend(x); }).argument() == "Q");
  CHECK(error_of([&] { cache.append(x, x.topRows(2)); }).argument() == "V");
  CHECK(cache.size() == 0);
}

TEST_SUITE_END();
