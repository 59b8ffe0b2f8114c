#include "attn/attention/attention_stages.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "attn/attention/attention_variants.hpp"
#include "attn/attention/masking.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("attention_stages");

TEST_CASE_TEMPLATE("the default stages are causal attention", T, float, double) {
  const Matrix<T> Q = random<T>(7, 5, 1), K = random<T>(7, 5, 2), V = random<T>(7, 3, 3);
  const auto made = attention_stages<T>(Q, K, V);
  AttentionOptions<T> causal;
  causal.mask = Mask::causal();
  const auto right = attention<T>(Q, K, V, causal);
  // Two sums of at most seven products, each within ε of its terms.
  const double bound = 64 * static_cast<double>(std::numeric_limits<T>::epsilon());
  CHECK_CLOSE(made.third, right.weights, bound, bound);
  CHECK_CLOSE(made.output, right.output, bound, bound);
  CHECK(made.output_error < bound);
  CHECK(made.rows_off == 0);
  CHECK(made.nan_rows == 0);
  CHECK(made.future_share == 0);
  CHECK(made.products.rows() == 21);
  for (Index i = 0; i < 7; ++i) {
    for (Index c = 0; c < 3; ++c) {
      CHECK(std::abs(made.products.row(i * 3 + c).sum() - made.output(i, c)) < bound);
    }
  }
}

TEST_CASE("each mistake shows in the numbers that are measured") {
  const Matrix<double> Q = random<double>(6, 8, 4), K = random<double>(6, 8, 5),
                       V = random<double>(6, 2, 6);
  const auto with = [&](auto change) {
    StageOptions options;
    change(options);
    return attention_stages<double>(Q, K, V, options);
  };
  const auto late = with([](StageOptions& x) {
    x.order = StageOrder::kScaleSoftmaxMask;
    x.fill = StageFill::kZero;
  });
  // Only the last query sees every key, so only its row still sums to 1.
  CHECK(late.rows_off == 5);
  // Before the mask took its share, the softmax had made rows that sum to 1.
  for (Index i = 0; i < 6; ++i) {
    const auto at = static_cast<std::size_t>(i);
    CHECK(late.second_sums[at] == doctest::Approx(1));
    CHECK(late.first_sums[at] == doctest::Approx(late.first.row(i).sum()));
    CHECK(late.row_sums[at] == doctest::Approx(late.third.row(i).sum()));
  }
  CHECK(late.worst_row >= 0);
  CHECK(late.worst_sum < 1);
  CHECK(late.future_share == 0);
  CHECK(late.output_error > 0);

  const auto zero = with([](StageOptions& x) { x.fill = StageFill::kZero; });
  const auto by_zero =
      attention_variant<double>(AttentionVariant::kMaskByZero, Q, K, V,
                                {.mask = Mask::causal(), .scale = std::nullopt, .bias = {}});
  CHECK_CLOSE(zero.third, by_zero.weights, 1e-12, 1e-12);
  CHECK(zero.rows_off == 0);
  CHECK(zero.blocked_share > 0);
  CHECK(zero.blocked_share == zero.future_share);

  // Lower scores leave the zeros a larger share.
  CHECK(with([](StageOptions& x) {
          x.fill = StageFill::kZero;
          x.score_shift = -10;
        }).blocked_share > zero.blocked_share);

  const auto inverted = with([](StageOptions& x) { x.mask = StageMask::kInverted; });
  CHECK(inverted.nan_rows == 1);
  CHECK(inverted.first_nan_row == 5);
  CHECK(inverted.future_share == doctest::Approx(1));
  CHECK(std::isnan(inverted.output_error));

  const auto earlier = with([](StageOptions& x) { x.mask = StageMask::kEarlier; });
  CHECK(earlier.first_nan_row == 0);
  const auto billion = with([](StageOptions& x) {
    x.mask = StageMask::kEarlier;
    x.fill = StageFill::kMinusBillion;
  });
  // Row 0 sees nothing, so all its scores are −1e9 and its weights equal.
  CHECK(billion.third(0, 5) == doctest::Approx(1.0 / 6));
  CHECK(billion.nan_rows == 0);

  const auto columns = with([](StageOptions& x) { x.softmax = StageSoftmax::kColumns; });
  CHECK(columns.rows_off > 0);
  const auto none = with([](StageOptions& x) {
    x.softmax = StageSoftmax::kNone;
    x.mask = StageMask::kNone;
  });
  CHECK(none.negative_weights > 0);
  CHECK(std::isnan(none.mean_max));
}

TEST_CASE("without its maximum the softmax overflows; with it nothing does") {
  const Matrix<float> Q = random<float>(4, 64, 7), K = random<float>(4, 64, 8),
                      V = random<float>(4, 2, 9);
  StageOptions options;
  options.scale = StageScale::kNone;
  options.mask = StageMask::kNone;
  options.query_factor = 20;
  CHECK(attention_stages<float>(Q, K, V, options).nan_rows == 0);
  options.subtract_maximum = false;
  CHECK(attention_stages<float>(Q, K, V, options).nan_rows > 0);
  CHECK(error_of([&] {
          attention_stages<float>(Q, random<float>(3, 64, 1), random<float>(3, 2, 1));
        }).argument() == "K");
  options.query_factor = std::numeric_limits<double>::infinity();
  CHECK(error_of([&] { attention_stages<float>(Q, K, V, options); }).argument() == "query_factor");
}

TEST_SUITE_END();
