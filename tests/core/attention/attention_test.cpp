#include "attn/attention/attention.hpp"

#include <limits>

#include "attn/attention/flash_attention.hpp"
#include "attn/attention/sparse_attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("attention");

namespace {

/// The definition, cell by cell in float64. It shares no code with the implementation.
Matrix<double> weights_by_definition(const Matrix<double>& Q, const Matrix<double>& K, double scale,
                                     const Mask& mask, const Matrix<double>& bias = {}) {
  Matrix<double> P = Matrix<double>::Zero(Q.rows(), K.rows());
  for (Index i = 0; i < Q.rows(); ++i) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    const auto score = [&](Index j) {
      return scale * Q.row(i).dot(K.row(j)) + (bias.size() > 0 ? bias(i, j) : 0);
    };
    for (Index j = 0; j < K.rows(); ++j) {
      if (mask.keeps(i, j, Q.rows(), K.rows())) largest = std::max(largest, score(j));
    }
    for (Index j = 0; j < K.rows(); ++j) {
      if (!mask.keeps(i, j, Q.rows(), K.rows()) || std::isinf(score(j))) continue;
      P(i, j) = std::exp(score(j) - largest);
      sum += P(i, j);
    }
    if (sum > 0) P.row(i) /= sum;
  }
  return P;
}

}  // namespace

TEST_CASE_TEMPLATE("weights and output equal the definition, at odd sizes and for any mask", T,
                   float, double) {
  const Mask masks[] = {Mask::full(), Mask::causal(), Mask::causal_bottom_right()};
  for (const Index n : {1, 2, 7, 16, 33}) {
    for (const Index m : {1, 3, 8, 31}) {
      for (const Mask& mask : masks) {
        const Matrix<T> Q = random<T>(n, 5, 1), K = random<T>(m, 5, 2), V = random<T>(m, 3, 3);
        AttentionOptions<T> options;
        options.mask = mask;
        const auto got = attention<T>(Q, K, V, options);
        const Matrix<double> wanted = weights_by_definition(
            Q.template cast<double>(), K.template cast<double>(), 1 / std::sqrt(5.0), mask);
        CHECK_CLOSE(got.weights, wanted, tolerance<T>(), tolerance<T>());
        CHECK_CLOSE(got.output, wanted * V.template cast<double>(), tolerance<T>(), tolerance<T>());
      }
    }
  }
}

TEST_CASE("rows sum to one and blocked cells are exactly zero") {
  Matrix<> keep = Matrix<>::Ones(40, 40);
  keep(3, 5) = keep(39, 0) = 0;
  for (const Mask& mask : {Mask::causal(), Mask::from_matrix<float>(keep)}) {
    AttentionOptions<> options;
    options.mask = mask;
    const auto got = attention(random(40, 8, 1), random(40, 8, 2), random(40, 8, 3), options);
    for (Index i = 0; i < 40; ++i) {
      CHECK(got.weights.row(i).sum() == doctest::Approx(1).epsilon(1e-6));
      for (Index j = 0; j < 40; ++j) {
        if (!mask.keeps(i, j, 40, 40)) CHECK(got.weights(i, j) == 0.0F);
      }
    }
  }
}

TEST_CASE_TEMPLATE("logits of ±1e4 neither overflow nor give NaN", T, float, double) {
  Matrix<T> Q(2, 1), K(3, 1);
  Q << 100, -100;
  K << 100, 0, -100;
  AttentionOptions<T> options;
  options.scale = 1;
  const auto got = attention<T>(Q, K, Matrix<T>::Identity(3, 3), options);
  Matrix<T> wanted(2, 3);
  wanted << 1, 0, 0, 0, 0, 1;
  CHECK_CLOSE(got.weights, wanted, 0, 0);
  CHECK(got.log_sum_exp(0) == T(10000));
}

TEST_CASE("a query that sees no key has zero weights, zero output and a log-sum-exp of -inf") {
  AttentionOptions<> options;
  options.mask = Mask::from_matrix<float>(Matrix<>::Zero(2, 3));
  const auto blocked = attention(random(2, 4, 1), random(3, 4, 2), random(3, 4, 3), options);
  CHECK(blocked.weights.isZero(0));
  CHECK(blocked.output.isZero(0));
  CHECK(blocked.log_sum_exp(0) == -std::numeric_limits<float>::infinity());

  AttentionOptions<> biased;
  biased.bias = Matrix<>::Constant(2, 3, -std::numeric_limits<float>::infinity());
  CHECK(attention(random(2, 4, 1), random(3, 4, 2), random(3, 4, 3), biased).weights.isZero(0));
}

TEST_CASE("a bias of -inf blocks, and any other bias is added to the scaled score") {
  Matrix<double> bias = random<double>(4, 6, 9);
  bias(1, 2) = -std::numeric_limits<double>::infinity();
  AttentionOptions<double> options;
  options.bias = bias;
  options.scale = 0.3;
  const Matrix<double> Q = random<double>(4, 5, 1), K = random<double>(6, 5, 2);
  const auto got = attention<double>(Q, K, random<double>(6, 2, 3), options);
  CHECK_CLOSE(got.weights, weights_by_definition(Q, K, 0.3, Mask::full(), bias), kDouble, kDouble);
  CHECK(got.weights(1, 2) == 0.0);
}

TEST_CASE("the scale is 1/√d_k by default, with the width of the keys and not of the values") {
  CHECK(attention_scale(std::nullopt, 64) == 0.125);
  CHECK(attention_scale(2.0, 64) == 2.0);
  CHECK(error_of([] { attention_scale(NAN, 64); }).argument() == "scale");
}

TEST_CASE("finite inputs whose scores overflow are refused") {
  Matrix<> Q(1, 2), K(2, 2);
  Q << 1e20F, 0;
  K << -1e20F, 0, -1e19F, 1;
  const Error error = error_of([&] { attention(Q, K, K); });
  CHECK(error.code() == "value");
  CHECK(error.argument() == "Q");
  // In float64 the same scores do not overflow.
  const auto wide = attention<double>(Q.cast<double>(), K.cast<double>(), K.cast<double>());
  CHECK(wide.weights(0, 1) == 1);
  AttentionOptions<> options;
  options.scale = 1e300;
  CHECK(error_of([&] { attention(K, K, K, options); }).code() == "value");
}

TEST_CASE_TEMPLATE("a finite bias under which scores overflow is no mask, in rows, tiles and lists",
                   T, float, double) {
  constexpr T kNone = -std::numeric_limits<T>::infinity();
  constexpr T kLowest = std::numeric_limits<T>::lowest();
  Matrix<T> Q(2, 1), K(3, 1);
  Q << -1, T(-1e-3);
  K << -kLowest / 2, -kLowest / 4, 1;
  const Matrix<T> V = Matrix<T>::Ones(3, 2);
  AttentionOptions<T> plain;
  FlashOptions<T> tiled;
  SparseAttentionOptions<T> listed, by_cell;
  tiled.query_tile = tiled.key_tile = 2;
  plain.scale = tiled.scale = listed.scale = by_cell.scale = 1;
  const Pattern pattern = Pattern::full(2, 3);
  const auto with = [&](const Matrix<T>& bias) {
    plain.bias = tiled.bias = listed.bias = SharedMatrix<T>(bias);
    by_cell.cell_bias = Eigen::Map<const Vector<T>>(bias.data(), bias.size());
  };
  // −∞ blocks whatever the score is, also a whole row.
  Matrix<T> bias = Matrix<T>::Constant(2, 3, kNone);
  bias.row(1).setZero();
  with(bias);
  const auto zero = [](const auto& made) {
    return made.output.row(0).isZero(0) && made.log_sum_exp(0) == kNone &&
           made.output.row(1).isOnes();
  };
  CHECK(zero(attention<T>(Q, K, V, plain)));
  CHECK(zero(flash_attention<T>(Q, K, V, tiled)));
  CHECK(zero(sparse_attention<T>(Q, K, V, pattern, listed)));
  CHECK(zero(sparse_attention<T>(Q, K, V, pattern, by_cell)));
  // The lowest number, which others write for −∞, makes −∞ of the scores only where they are huge.
  bias.row(0).setConstant(kLowest);
  with(bias);
  const auto refused = [](auto&& ask) {
    const Error error = error_of(ask);
    return error.argument() == "bias" && error.seen().id() == "bias_overflows";
  };
  CHECK(refused([&] { attention<T>(Q, K, V, plain); }));
  CHECK(refused([&] { flash_attention<T>(Q, K, V, tiled); }));
  CHECK(refused([&] { sparse_attention<T>(Q, K, V, pattern, listed); }));
  CHECK(refused([&] { sparse_attention<T>(Q, K, V, pattern, by_cell); }));
  // A cell that one of two biases blocks is blocked.
  listed.cell_bias = Vector<T>::Zero(6);
  listed.cell_bias.head(3).setConstant(kNone);
  CHECK(zero(sparse_attention<T>(Q, K, V, pattern, listed)));
  K.array() *= T(1e-30);
  CHECK(attention<T>(Q, K, V, plain).output.isOnes());
}

TEST_CASE("a mask of another shape is refused by the row function too") {
  Matrix<> scores = Matrix<>::Zero(5, 5);
  const Mask mask = Mask::from_matrix<float>(Matrix<>::Ones(2, 2));
  CHECK(error_of([&] { masked_softmax_rows<float>(scores, mask, 0, 5); }).argument() == "mask");
}

TEST_CASE("arguments that do not fit are refused by name") {
  const Matrix<> Q = random(4, 5, 1), K = random(6, 5, 2), V = random(6, 2, 3);
  AttentionOptions<> options;
  options.bias = Matrix<>::Zero(6, 4);
  CHECK(error_of([&] { attention(Q, K, V, options); }).argument() == "bias");
  options.bias = Matrix<>::Constant(4, 6, NAN);
  CHECK(error_of([&] { attention(Q, K, V, options); }).code() == "value");
  options.bias = {};
  options.mask = Mask::from_matrix<float>(Matrix<>::Ones(6, 4));
  CHECK(error_of([&] { attention(Q, K, V, options); }).argument() == "mask");
  CHECK(error_of([&] { attention(Q, V, V); }).argument() == "K");
}

TEST_CASE("the standard order forms QKᵀ and multiplies it with V") {
  const Matrix<double> Q = random<double>(7, 3, 1), K = random<double>(5, 3, 2),
                       V = random<double>(5, 4, 3);
  const auto got = standard_attention_order<double>(Q, K, V);
  CHECK_CLOSE(got.weights, (Q * K.transpose()).eval(), kDouble, kDouble);
  CHECK_CLOSE(got.output, (Q * K.transpose() * V).eval(), kDouble, kDouble);
}

TEST_CASE("a block of rows of a larger matrix is accepted without copying it") {
  const Matrix<> Q = random(9, 4, 1), K = random(9, 4, 2), V = random(9, 4, 3);
  const auto whole = attention(Q, K, V);
  const auto part = attention(Q.middleRows(3, 2), K, V);
  CHECK_CLOSE(part.weights, whole.weights.middleRows(3, 2), kFloat, kFloat);
}

TEST_SUITE_END();
