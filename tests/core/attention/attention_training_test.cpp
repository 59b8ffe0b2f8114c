#include "attn/attention/attention_training.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("attention_training");

namespace {

/// A seeded attention problem with drawn shapes, mask, bias, scale and dropout.
struct Problem {
  Matrix<double> Q, K, V, dO;
  /// The cells that the mask keeps, for every kind of mask.
  Matrix<double> keep;
  AttentionOptions<double> options;
  Dropout<double> dropout;

  explicit Problem(std::uint64_t seed) {
    Rng rng(seed, 5);
    const auto size = [&](std::uint64_t most) { return static_cast<Index>(1 + rng.below(most)); };
    const Index n = size(8), m = size(8), d_k = size(5), d_v = size(4);
    Q = rng.gaussian_matrix<double>(n, d_k);
    K = rng.gaussian_matrix<double>(m, d_k);
    V = rng.gaussian_matrix<double>(m, d_v);
    dO = rng.gaussian_matrix<double>(n, d_v);
    const std::uint64_t kind = rng.below(4);
    if (kind == 1) options.mask = Mask::causal();
    if (kind == 2) options.mask = Mask::causal_bottom_right();
    if (kind == 3) {
      Matrix<double> cells(n, m);
      for (Index i = 0; i < cells.size(); ++i) cells.data()[i] = rng.uniform() < 0.6 ? 1 : 0;
      options.mask = Mask::from_matrix<double>(cells);
    }
    keep.resize(n, m);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) keep(i, j) = options.mask.keeps(i, j, n, m) ? 1 : 0;
    }
    if (rng.below(2) == 1) {
      options.bias = rng.gaussian_matrix<double>(n, m);
      if (rng.below(2) == 1) options.bias.edit()(n - 1, m - 1) = -kInfinity;
    }
    if (rng.below(2) == 1) options.scale = 2 * rng.uniform() - 0.5;
    if (rng.below(2) == 1) dropout.probability = 0.6 * rng.uniform();
    dropout.seed = seed;
  }

  double loss() const {
    return attention<double>(Q, K, V, options, dropout).output.cwiseProduct(dO).sum();
  }
};

/// Central differences of the loss for every entry of `part`.
template <typename Part>
Matrix<double> slope(const Problem& at, Part part) {
  Problem moved = at;
  Matrix<double>& x = part(moved);
  Matrix<double> result(x.rows(), x.cols());
  for (Index i = 0; i < x.size(); ++i) {
    const double there = x.data()[i];
    x.data()[i] = there + 1e-5;
    const double up = moved.loss();
    x.data()[i] = there - 1e-5;
    result.data()[i] = (up - moved.loss()) / 2e-5;
    x.data()[i] = there;
  }
  return result;
}

std::vector<Index> permutation(Index n, std::uint64_t seed) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  Rng rng(seed, 6);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(rng.below(i))]);
  }
  return order;
}

Matrix<double> rows_in_order(const Matrix<double>& x, const std::vector<Index>& order) {
  Matrix<double> made(x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) made.row(i) = x.row(order[static_cast<std::size_t>(i)]);
  return made;
}

}  // namespace

TEST_CASE("backward is the derivative: 300 drawn shapes, masks, biases, scales and dropouts") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const Problem p(seed);
    const auto got = attention_backward<double>(p.Q, p.K, p.V, p.dO, p.options, p.dropout);
    // Truncation is h²·f''' = 1e-10 times third derivatives of size 1e3; rounding is 1e-15/1e-5.
    constexpr double kSlope = 1e-6;
    const auto dQ = slope(p, [](Problem& x) -> Matrix<double>& { return x.Q; });
    const auto dK = slope(p, [](Problem& x) -> Matrix<double>& { return x.K; });
    const auto dV = slope(p, [](Problem& x) -> Matrix<double>& { return x.V; });
    CHECK_CLOSE(got.dQ, dQ, kSlope, kSlope);
    CHECK_CLOSE(got.dK, dK, kSlope, kSlope);
    CHECK_CLOSE(got.dV, dV, kSlope, kSlope);
    Problem biased = p;
    if (biased.options.bias.size() == 0) {
      biased.options.bias = Matrix<double>::Zero(p.Q.rows(), p.K.rows());
    }
    const auto d_bias =
        slope(biased, [](Problem& x) -> Matrix<double>& { return x.options.bias.edit(); });
    CHECK_CLOSE(got.d_bias, d_bias, kSlope, kSlope);
    for (Index i = 0; i < p.keep.size(); ++i) {
      if (p.keep.data()[i] == 0) CHECK(got.d_bias.data()[i] == 0.0);
    }
  }
}

TEST_CASE("D is the sum of P times its gradient, with dropout too") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Problem p(seed);
    const auto forward = attention<double>(p.Q, p.K, p.V, p.options, p.dropout);
    const auto got = attention_backward<double>(p.Q, p.K, p.V, p.dO, p.options, p.dropout);
    const Matrix<double> factor =
        dropout_keep<double>(p.Q.rows(), p.K.rows(), p.dropout) / (1 - p.dropout.probability);
    const Matrix<double> dP = (p.dO * p.V.transpose()).cwiseProduct(factor);
    const Vector<double> wanted = forward.weights.cwiseProduct(dP).rowwise().sum();
    CHECK_CLOSE(got.row_dots, wanted, kDouble, kDouble);
    // Softmax does not change when a row of scores is shifted, so the gradient along a shift is 0.
    CHECK(got.d_bias.rowwise().sum().cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("float32 gradients equal those of float64 up to rounding") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Problem p(seed);
    AttentionOptions<> options;
    options.mask = p.options.mask;
    options.bias = p.options.bias->cast<float>();
    options.scale = p.options.scale;
    Dropout<> dropout;
    dropout.probability = p.dropout.probability;
    dropout.seed = p.dropout.seed;
    const auto narrow = attention_backward(p.Q.cast<float>(), p.K.cast<float>(), p.V.cast<float>(),
                                           p.dO.cast<float>(), options, dropout);
    const auto wide = attention_backward<double>(p.Q, p.K, p.V, p.dO, p.options, p.dropout);
    CHECK_CLOSE(narrow.dQ, wide.dQ, kFloat, kFloat);
    CHECK_CLOSE(narrow.dK, wide.dK, kFloat, kFloat);
    CHECK_CLOSE(narrow.dV, wide.dV, kFloat, kFloat);
  }
}

TEST_CASE("permuting queries permutes outputs; permuting keys changes nothing") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Problem p(seed);
    p.options.mask = Mask::from_matrix<double>(p.keep);
    p.dropout.keep = dropout_keep<double>(p.Q.rows(), p.K.rows(), p.dropout);
    const auto forward = attention<double>(p.Q, p.K, p.V, p.options, p.dropout);
    const auto backward = attention_backward<double>(p.Q, p.K, p.V, p.dO, p.options, p.dropout);
    const auto moved = [&](const std::vector<Index>& queries, const std::vector<Index>& keys) {
      const auto both = [&](const Matrix<double>& x) -> Matrix<double> {
        if (x.size() == 0) return {};
        return rows_in_order(rows_in_order(x, queries).transpose(), keys).transpose();
      };
      Problem q = p;
      q.Q = rows_in_order(p.Q, queries);
      q.dO = rows_in_order(p.dO, queries);
      q.K = rows_in_order(p.K, keys);
      q.V = rows_in_order(p.V, keys);
      q.options.mask = Mask::from_matrix<double>(both(p.keep));
      q.options.bias = both(*p.options.bias);
      q.dropout.keep = both(*p.dropout.keep);
      return q;
    };
    const auto queries = permutation(p.Q.rows(), seed), keys = permutation(p.K.rows(), seed + 1);
    const Problem q = moved(queries, keys);
    CHECK_CLOSE(attention<double>(q.Q, q.K, q.V, q.options, q.dropout).output,
                rows_in_order(forward.output, queries), kDouble, kDouble);
    const auto got = attention_backward<double>(q.Q, q.K, q.V, q.dO, q.options, q.dropout);
    CHECK_CLOSE(got.dQ, rows_in_order(backward.dQ, queries), kDouble, kDouble);
    CHECK_CLOSE(got.dK, rows_in_order(backward.dK, keys), kDouble, kDouble);
    CHECK_CLOSE(got.dV, rows_in_order(backward.dV, keys), kDouble, kDouble);
  }
}

TEST_CASE("causal: no gradient from a query to any key of its future, exactly") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Problem p(seed);
    p.options.mask = seed % 2 == 0 ? Mask::causal() : Mask::causal_bottom_right();
    const Index n = p.Q.rows(), m = p.K.rows();
    const Index i = static_cast<Index>(Rng(seed, 8).below(static_cast<std::uint64_t>(n)));
    Matrix<double> dO = Matrix<double>::Zero(n, p.V.cols());
    dO.row(i) = p.dO.row(i);
    const auto got = attention_backward<double>(p.Q, p.K, p.V, dO, p.options, p.dropout);
    const Index future = m - p.options.mask.end(i, n, m);
    CHECK(got.dK.bottomRows(future).isZero(0));
    CHECK(got.dV.bottomRows(future).isZero(0));
    CHECK(got.dQ.topRows(i).isZero(0));
    CHECK(got.dQ.bottomRows(n - i - 1).isZero(0));
    // Past keys do get a gradient, unless dropout removed the whole row.
    if (future < m && p.dropout.probability == 0 && p.options.bias.size() == 0) {
      CHECK_FALSE(got.dV.topRows(m - future).isZero(0));
    }
  }
}

TEST_CASE_TEMPLATE("a query that sees no key has a zero gradient and adds none to keys and values",
                   T, float, double) {
  Matrix<T> keep = Matrix<T>::Ones(3, 4);
  keep.row(1).setZero();
  AttentionOptions<T> options;
  options.mask = Mask::from_matrix<T>(keep);
  const Matrix<T> Q = random<T>(3, 2, 1), K = random<T>(4, 2, 2), V = random<T>(4, 5, 3),
                  dO = random<T>(3, 5, 4);
  const auto got = attention_backward<T>(Q, K, V, dO, options);
  CHECK(got.dQ.row(1).isZero(0));
  CHECK(got.d_bias.row(1).isZero(0));
  CHECK(got.row_dots(1) == T(0));
  CHECK(got.dK.allFinite());
  Matrix<T> other = dO;
  other.row(1).setConstant(1e6);
  CHECK_CLOSE(attention_backward<T>(Q, K, V, other, options).dV, got.dV, 0, 0);
}

TEST_CASE("dropout keeps a share of 1 - p, the same cells for the same seed and stream") {
  for (const double probability : {0.0, 0.1, 0.5, 0.9}) {
    Dropout<> dropout;
    dropout.probability = probability;
    dropout.seed = 3;
    const Matrix<> keep = dropout_keep(200, 100, dropout);
    CHECK(((keep.array() == 0) || (keep.array() == 1)).all());
    // The bound is five standard deviations of 20000 coin tosses.
    CHECK(std::abs(keep.cast<double>().mean() - (1 - probability)) <=
          5 * std::sqrt(probability * (1 - probability) / 20000));
    CHECK_CLOSE(dropout_keep(200, 100, dropout), keep, 0, 0);
    // Cells are drawn one by one: more queries or more keys do not change the first cells.
    CHECK_CLOSE(dropout_keep(20, 30, dropout), keep.topLeftCorner(20, 30).eval(), 0, 0);
    if (probability == 0) continue;
    Dropout<> other = dropout;
    other.stream = 1;
    CHECK_FALSE(dropout_keep(200, 100, other).isApprox(keep));
    other = dropout;
    other.seed = 4;
    CHECK_FALSE(dropout_keep(200, 100, other).isApprox(keep));
  }
}

TEST_CASE("attention with dropout returns the weights P before it and (P ∘ keep/(1 − p))V") {
  const Matrix<double> Q = random<double>(5, 3, 1), K = random<double>(7, 3, 2),
                       V = random<double>(7, 2, 3);
  Dropout<double> dropout;
  dropout.probability = 0.4;
  dropout.seed = 11;
  const auto plain = attention<double>(Q, K, V);
  const auto got = attention<double>(Q, K, V, {}, dropout);
  const Matrix<double> keep = dropout_keep<double>(5, 7, dropout);
  CHECK_CLOSE(got.weights, plain.weights, 0, 0);
  CHECK_CLOSE(got.output, (plain.weights.cwiseProduct(keep) / 0.6 * V).eval(), kDouble, kDouble);
  // The rows are not normalised again.
  CHECK(std::abs((got.weights.cwiseProduct(keep) / 0.6).row(0).sum() - 1) > 1e-3);

  Dropout<double> given;
  given.probability = 0.4;
  given.keep = keep * 5;
  CHECK_CLOSE(attention<double>(Q, K, V, {}, given).output, got.output, 0, 0);
  CHECK_CLOSE(attention<double>(Q, K, V, {}, Dropout<double>{}).output, plain.output, 0, 0);
}

TEST_CASE("the mean over seeds is the output without dropout") {
  const Matrix<double> Q = random<double>(3, 3, 1), K = random<double>(6, 3, 2),
                       V = random<double>(6, 2, 3);
  const auto plain = attention<double>(Q, K, V);
  const double p = 0.3;
  const int draws = 4000;
  Matrix<double> mean = Matrix<double>::Zero(3, 2);
  for (int seed = 0; seed < draws; ++seed) {
    Dropout<double> dropout;
    dropout.probability = p;
    dropout.seed = static_cast<std::uint64_t>(seed);
    mean += attention<double>(Q, K, V, {}, dropout).output / draws;
  }
  const Matrix<double> variance = plain.weights.cwiseAbs2() * V.cwiseAbs2() * (p / (1 - p) / draws);
  // The bound is five standard deviations of the mean, which gives a false alarm once in 1.7
  // million entries.
  CHECK(((mean - plain.output).array().abs() < 5 * variance.array().sqrt()).all());
}

TEST_CASE("a stored forward pass gives the same gradients") {
  const Problem p(17);
  const auto forward = attention<double>(p.Q, p.K, p.V, p.options, p.dropout);
  const auto kept =
      attention_backward_from<double>(forward, p.Q, p.K, p.V, p.dO, p.options, p.dropout);
  const auto again = attention_backward<double>(p.Q, p.K, p.V, p.dO, p.options, p.dropout);
  CHECK_CLOSE(kept.dQ, again.dQ, 0, 0);
  CHECK_CLOSE(kept.dK, again.dK, 0, 0);
  CHECK_CLOSE(kept.dV, again.dV, 0, 0);
}

TEST_CASE("more queries than a block: float32 equals float64, from either forward pass") {
  for (const Index n : {64, 65, 131}) {
    CAPTURE(n);
    const Index m = 70;
    const Matrix<> Q = random(n, 9, 1), K = random(m, 9, 2), V = random(m, 6, 3),
                   dO = random(n, 6, 4);
    AttentionOptions<> options;
    options.mask = Mask::causal();
    AttentionOptions<double> exact;
    exact.mask = options.mask;
    const auto narrow = attention_backward(Q, K, V, dO, options);
    const auto wide = attention_backward<double>(Q.cast<double>(), K.cast<double>(),
                                                 V.cast<double>(), dO.cast<double>(), exact);
    CHECK_CLOSE(narrow.dQ, wide.dQ, kFloat, kFloat);
    CHECK_CLOSE(narrow.dK, wide.dK, kFloat, kFloat);
    CHECK_CLOSE(narrow.dV, wide.dV, kFloat, kFloat);
    CHECK_CLOSE(narrow.d_bias, wide.d_bias, kFloat, kFloat);
    // One writes over the weights, the other may not.
    const auto forward = attention(Q, K, V, options);
    const Matrix<> weights = forward.weights;
    const auto kept = attention_backward_from(forward, Q, K, V, dO, options);
    CHECK(forward.weights == weights);
    CHECK(kept.dQ == narrow.dQ);
    CHECK(kept.dK == narrow.dK);
    CHECK(kept.dV == narrow.dV);
    CHECK(kept.d_bias == narrow.d_bias);
  }
}

TEST_CASE("arguments that do not fit are refused by name") {
  const Matrix<> Q = random(4, 5, 1), K = random(6, 5, 2), V = random(6, 2, 3);
  Dropout<> dropout;
  for (const double bad : {1.0, -0.1, 2.0, std::nan("")}) {
    dropout.probability = bad;
    CHECK(error_of([&] { attention(Q, K, V, {}, dropout); }).argument() == "dropout.probability");
    CHECK(error_of([&] { dropout_keep(2, 2, dropout); }).code() == "value");
  }
  dropout.probability = 0.5;
  CHECK(error_of([&] { dropout_keep(-1, 2, dropout); }).argument() == "n");
  CHECK(error_of([&] { dropout_keep(2, -1, dropout); }).argument() == "m");
  CHECK(dropout_keep(0, 3, dropout).size() == 0);
  dropout.keep = Matrix<>::Ones(6, 4);
  CHECK(error_of([&] { attention(Q, K, V, {}, dropout); }).argument() == "dropout.keep");
  CHECK(error_of([&] { attention_backward(Q, K, V, V); }).argument() == "dO");
  CHECK(error_of([&] { attention_backward(Q, K, V, Matrix<>::Constant(4, 2, NAN)); }).code() ==
        "value");
  CHECK(error_of([&] {
          attention_backward_from(attention(Q, K, K), Q, K, V, random(4, 2, 5));
        }).argument() == "forward.output");
}

TEST_SUITE_END();
