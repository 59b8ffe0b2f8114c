#include "attn/attention/attention_variants.hpp"

#include <limits>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("attention_variants");

namespace {

using Variant = AttentionVariant;

/// Makes inputs whose scores are `scores` themselves: Q = scores, K = V = I, no scale.
template <typename T>
AttentionResult<T> of_scores(Variant variant, const Matrix<T>& scores, const Mask& mask) {
  AttentionOptions<T> options;
  options.scale = 1;
  options.mask = mask;
  const Matrix<T> identity = Matrix<T>::Identity(scores.cols(), scores.cols());
  return attention_variant<T>(variant, scores, identity, identity, options);
}

template <typename T>
AttentionResult<T> right(const Matrix<T>& scores, const Mask& mask) {
  AttentionOptions<T> options;
  options.scale = 1;
  options.mask = mask;
  const Matrix<T> identity = Matrix<T>::Identity(scores.cols(), scores.cols());
  return attention<T>(scores, identity, identity, options);
}

/// A mask under which row 1 of three sees no key.
template <typename T>
Mask with_dead_row(Index m) {
  Matrix<T> keep = Matrix<T>::Ones(3, m);
  keep.row(1).setZero();
  keep(0, 0) = 0;
  return Mask::from_matrix<T>(keep);
}

}  // namespace

TEST_CASE("the registry names every variant once, and ids are found again") {
  CHECK(attention_variants().size() == 7);
  for (std::size_t i = 0; i < attention_variants().size(); ++i) {
    const AttentionVariantInfo& info = attention_variants()[i];
    CHECK(static_cast<std::size_t>(info.variant) == i);
    CHECK(attention_variant_from_id(info.id) == info.variant);
    CHECK_FALSE(info.label.empty());
    CHECK_FALSE(info.breaks.empty());
    CHECK_FALSE(info.found_in.empty());
  }
  const Error error = error_of([] { attention_variant_from_id("mask_by_one"); });
  CHECK(error.argument() == "variant");
  CHECK(error.wanted().text().find("mask_by_zero, fill_minus_billion") != std::string::npos);
}

TEST_CASE_TEMPLATE("a variant equals attention where nothing triggers its mistake", T, float,
                   double) {
  const Matrix<T> Q = random<T>(6, 4, 1), K = random<T>(6, 4, 2), V = random<T>(6, 3, 3);
  AttentionOptions<T> options;
  options.bias = random<T>(6, 6, 4);
  const auto same = [&](Variant variant) {
    const auto got = attention_variant<T>(variant, Q, K, V, options);
    const auto wanted = attention<T>(Q, K, V, options);
    CHECK_CLOSE(got.weights, wanted.weights, tolerance<T>(), tolerance<T>());
    CHECK_CLOSE(got.output, wanted.output, tolerance<T>(), tolerance<T>());
    CHECK_CLOSE(got.log_sum_exp, wanted.log_sum_exp, tolerance<T>(), tolerance<T>());
  };
  for (const Variant variant : {Variant::kNaiveExp, Variant::kMaskByZero,
                                Variant::kMaskAfterSoftmax, Variant::kFillMinusBillion}) {
    same(variant);
  }
  // Every row of a causal mask sees a key, so that −1e9 has the same effect as −∞.
  options.mask = Mask::causal();
  for (const Variant variant : {Variant::kNaiveExp, Variant::kFillMinusBillion,
                                Variant::kAddMinusBillion, Variant::kAdditiveMaskNanToZero}) {
    same(variant);
  }
}

TEST_CASE("naive exp overflows above 88.72 in float32 and above 709.78 in float64") {
  const auto row = [](auto score) {
    Matrix<decltype(score)> scores(1, 2);
    scores << score, 0;
    return scores;
  };
  CHECK(of_scores<float>(Variant::kNaiveExp, row(88.7F), Mask::full()).weights.allFinite());
  const auto over = of_scores<float>(Variant::kNaiveExp, row(88.8F), Mask::full());
  CHECK(std::isnan(over.weights(0, 0)));
  CHECK(over.weights(0, 1) == 0.0F);
  CHECK(std::isnan(over.output(0, 0)));
  CHECK(over.log_sum_exp(0) == std::numeric_limits<float>::infinity());
  CHECK(of_scores<double>(Variant::kNaiveExp, row(709.7), Mask::full()).weights.allFinite());
  CHECK(std::isnan(of_scores<double>(Variant::kNaiveExp, row(709.8), Mask::full()).weights(0, 0)));
  CHECK(right<float>(row(88.8F), Mask::full()).weights(0, 0) == 1.0F);
}

TEST_CASE("naive exp gives 0/0 where all scores are low") {
  const Matrix<> scores = Matrix<>::Constant(1, 3, -110);
  CHECK(of_scores<float>(Variant::kNaiveExp, scores, Mask::full()).weights.array().isNaN().all());
  CHECK_CLOSE(right<float>(scores, Mask::full()).weights, Matrix<>::Constant(1, 3, 1.0F / 3),
              kFloat, 0);
}

TEST_CASE("dividing by √d_k does not protect naive exp") {
  // ‖q‖² = 64·16 = 1024, and divided by √64 it is still 128.
  const Matrix<> Q = Matrix<>::Constant(1, 64, 4), V = random(1, 2, 3);
  CHECK(attention_variant(Variant::kNaiveExp, Q, Q, V).output.array().isNaN().all());
  CHECK_CLOSE(attention(Q, Q, V).output, V, 0, 0);
}

TEST_CASE_TEMPLATE("mask by zero leaves most of the weight on the blocked key", T, float, double) {
  Matrix<T> scores(1, 3), keep(1, 3);
  scores << -3, -4, 7;
  keep << 1, 1, 0;
  const Mask mask = Mask::from_matrix<T>(keep);
  const auto got = of_scores<T>(Variant::kMaskByZero, scores, mask);
  const double leaked = 1 / (1 + std::exp(-3.0) + std::exp(-4.0));
  CHECK(leaked > 0.93);
  CHECK(static_cast<double>(got.weights(0, 2)) == doctest::Approx(leaked).epsilon(1e-6));
  CHECK(right<T>(scores, mask).weights(0, 2) == T(0));
  // A row that sees no key attends to all keys equally.
  CHECK_CLOSE(of_scores<T>(Variant::kMaskByZero, Matrix<T>::Random(3, 4), with_dead_row<T>(4))
                  .weights.row(1),
              Matrix<T>::Constant(1, 4, T(0.25)), 0, 0);
}

TEST_CASE_TEMPLATE("scores filled with -1e9 give a dead row equal weights", T, float, double) {
  const Matrix<T> scores = random<T>(3, 4, 2);
  const Mask mask = with_dead_row<T>(4);
  const auto got = of_scores<T>(Variant::kFillMinusBillion, scores, mask);
  const auto wanted = right<T>(scores, mask);
  CHECK_CLOSE(got.weights.row(1), Matrix<T>::Constant(1, 4, T(0.25)), 0, 0);
  CHECK(wanted.weights.row(1).isZero(0));
  for (const Index alive : {0, 2}) {
    CHECK_CLOSE(got.weights.row(alive), wanted.weights.row(alive), tolerance<T>(), tolerance<T>());
  }
}

TEST_CASE("-1e9 added: float64 ignores the mask on a dead row, float32 erases the score") {
  const Matrix<double> scores = random<double>(3, 4, 2);
  const auto wide = of_scores<double>(Variant::kAddMinusBillion, scores, with_dead_row<double>(4));
  // Near 1e9, float64 still resolves differences of 1.2e-7.
  CHECK_CLOSE(wide.weights.row(1), right<double>(scores, Mask::full()).weights.row(1), 1e-6, 1e-6);
  const auto narrow =
      of_scores<float>(Variant::kAddMinusBillion, scores.cast<float>(), with_dead_row<float>(4));
  CHECK_CLOSE(narrow.weights.row(1), Matrix<>::Constant(1, 4, 0.25F), 0, 0);
  CHECK(std::nextafter(1e9F, 2e9F) - 1e9F == 64.0F);
}

TEST_CASE_TEMPLATE("rows masked after the softmax sum to their remaining weight", T, float,
                   double) {
  const Matrix<T> scores = random<T>(5, 5, 2);
  const auto got = of_scores<T>(Variant::kMaskAfterSoftmax, scores, Mask::causal());
  const auto unmasked = right<T>(scores, Mask::full());
  const auto wanted = right<T>(scores, Mask::causal());
  for (Index i = 0; i < 5; ++i) {
    const T left = unmasked.weights.row(i).head(i + 1).sum();
    CHECK(static_cast<double>(got.weights.row(i).sum()) ==
          doctest::Approx(static_cast<double>(left)).epsilon(1e-5));
    CHECK(got.weights.row(i).tail(4 - i).isZero(0));
    if (i < 4) CHECK(got.weights.row(i).sum() < T(0.99));
    // After another normalisation the weights would be right: the mistake lies in the denominator.
    CHECK_CLOSE((got.weights.row(i) / left).eval(), wanted.weights.row(i), tolerance<T>(),
                tolerance<T>());
  }
  // Row 0 may see key 0 alone, and yet key 4 changes its weights.
  Matrix<T> other = scores;
  other(0, 4) += T(3);
  CHECK(of_scores<T>(Variant::kMaskAfterSoftmax, other, Mask::causal()).weights(0, 0) <
        got.weights(0, 0));
  CHECK(right<T>(other, Mask::causal()).weights(0, 0) == wanted.weights(0, 0));
}

TEST_CASE_TEMPLATE("adding -inf and replacing NaN gives a right output and a NaN gradient", T,
                   float, double) {
  const Matrix<T> Q = random<T>(3, 2, 1), K = random<T>(4, 2, 2), V = random<T>(4, 5, 3),
                  dO = random<T>(3, 5, 4);
  AttentionOptions<T> options;
  options.mask = with_dead_row<T>(4);
  const auto got = attention_variant<T>(Variant::kAdditiveMaskNanToZero, Q, K, V, options);
  const auto wanted = attention<T>(Q, K, V, options);
  CHECK_CLOSE(got.weights, wanted.weights, tolerance<T>(), tolerance<T>());
  CHECK_CLOSE(got.output, wanted.output, tolerance<T>(), tolerance<T>());
  CHECK(got.output.row(1).isZero(0));

  const auto bad = additive_mask_backward<T>(Q, K, V, dO, options);
  const auto good = attention_backward<T>(Q, K, V, dO, options);
  CHECK(bad.dQ.row(1).array().isNaN().all());
  CHECK(bad.d_bias.row(1).array().isNaN().all());
  CHECK(bad.dK.array().isNaN().all());
  CHECK(good.dQ.allFinite());
  CHECK(good.dK.allFinite());
  CHECK(good.dQ.row(1).isZero(0));
  // The rows that the dead row does not affect are right.
  for (const Index alive : {0, 2}) {
    CHECK_CLOSE(bad.dQ.row(alive), good.dQ.row(alive), tolerance<T>(), tolerance<T>());
  }
  CHECK_CLOSE(bad.dV, good.dV, tolerance<T>(), tolerance<T>());

  options.mask =
      Mask::from_matrix<T>((Matrix<T>(3, 4) << 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1).finished());
  const auto alive = additive_mask_backward<T>(Q, K, V, dO, options);
  const auto exact = attention_backward<T>(Q, K, V, dO, options);
  CHECK_CLOSE(alive.dQ, exact.dQ, tolerance<T>(), tolerance<T>());
  CHECK_CLOSE(alive.dK, exact.dK, tolerance<T>(), tolerance<T>());
  CHECK_CLOSE(alive.dV, exact.dV, tolerance<T>(), tolerance<T>());
  CHECK_CLOSE(alive.d_bias, exact.d_bias, tolerance<T>(), tolerance<T>());
}

TEST_CASE_TEMPLATE("an inverted causal mask shows only the future, and the last row is NaN", T,
                   float, double) {
  const Index n = 5;
  const Matrix<T> scores = random<T>(n, n, 3);
  const auto got = of_scores<T>(Variant::kInvertedMask, scores, Mask::causal());
  Matrix<T> upper = Matrix<T>::Zero(n, n);
  for (Index i = 0; i < n; ++i) upper.row(i).tail(n - i - 1).setOnes();
  const auto cheating = right<T>(scores, Mask::from_matrix<T>(upper));
  CHECK_CLOSE(got.weights.topRows(n - 1), cheating.weights.topRows(n - 1), tolerance<T>(),
              tolerance<T>());
  for (Index i = 0; i < n - 1; ++i) CHECK(got.weights.row(i).head(i + 1).isZero(0));
  CHECK(got.weights.row(n - 1).array().isNaN().all());
  CHECK(right<T>(scores, Mask::causal()).weights.allFinite());
}

TEST_CASE("arguments that do not fit are refused by name, in every variant") {
  const Matrix<> Q = random(4, 5, 1), K = random(6, 5, 2), V = random(6, 2, 3);
  for (const AttentionVariantInfo& info : attention_variants()) {
    CAPTURE(info.id);
    AttentionOptions<> options;
    CHECK(error_of([&] { attention_variant(info.variant, Q, V, V); }).argument() == "K");
    options.bias = Matrix<>::Zero(6, 4);
    CHECK(error_of([&] { attention_variant(info.variant, Q, K, V, options); }).argument() ==
          "bias");
    options.bias = Matrix<>::Constant(4, 6, NAN);
    CHECK(error_of([&] { attention_variant(info.variant, Q, K, V, options); }).code() == "value");
    options.bias = {};
    options.mask = Mask::from_matrix<float>(Matrix<>::Ones(2, 2));
    CHECK(error_of([&] { attention_variant(info.variant, Q, K, V, options); }).argument() ==
          "mask");
  }
  CHECK(error_of([&] { additive_mask_backward(Q, K, V, V); }).argument() == "dO");
}

TEST_SUITE_END();
