#include "attn/attention/sparse_attention.hpp"

#include <limits>

#include "attn/attention/attention_training.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("sparse_attention");

namespace {

template <typename T>
struct DrawnPattern {
  Matrix<T> Q, K, V;
  Pattern pattern;
  SparseAttentionOptions<T> options;
  Dropout<T> dropout;

  /// The options with which dense attention does the same.
  AttentionOptions<T> dense() const {
    AttentionOptions<T> dense;
    dense.mask = pattern.to_mask();
    dense.scale = options.scale;
    dense.bias = options.bias;
    if (options.cell_bias.size() > 0) {
      const Matrix<T> cells = pattern.to_matrix<T>(options.cell_bias);
      dense.bias = options.bias.size() > 0 ? (*options.bias + cells).eval() : cells;
    }
    return dense;
  }
};

/// Seeded inputs of odd sizes with a pattern of each kind in turn. Some rows see no key, and scale,
/// biases and dropout are drawn too.
template <typename T>
DrawnPattern<T> drawn_pattern(std::uint64_t seed, Index longest = 28) {
  Rng rng(seed, 3);
  const auto draw = [&](Index least, Index most) {
    return least + static_cast<Index>(rng.below(static_cast<std::uint64_t>(most - least + 1)));
  };
  const std::span<const PatternInfo> all = patterns();
  const PatternInfo& info = all[static_cast<std::size_t>(seed) % all.size()];
  // Blocks of BigBird's default size must fit into the sequence.
  const Index n = info.id == "big_bird" ? 4 * draw(1, longest / 4) : draw(1, longest);
  const Index m = info.square ? n : draw(1, longest);
  const Index d = draw(1, 9), d_v = draw(1, 9);
  DrawnPattern<T> shape{random<T>(n, d, 4 * seed),
                        random<T>(m, d, 4 * seed + 1),
                        random<T>(m, d_v, 4 * seed + 2),
                        {},
                        {},
                        {}};
  PatternOptions options;
  options.seed = seed;
  if (info.from_cells) {
    options.cells = random<double>(n, m, 4 * seed + 3);
    if (info.id == "matrix") options.cells = options.cells.cwiseMax(0.5).array() - 0.5;
  }
  shape.pattern = make_pattern(info.id, n, m, options);
  if (draw(0, 2) == 0) shape.options.scale = 0.7;
  if (draw(0, 2) == 0) {
    shape.options.bias = random<T>(n, m, 4 * seed + 5);
    // The bias blocks some cells and hides all keys from one query.
    for (Index i = 0; i < n * m; i += 5) shape.options.bias.edit().data()[i] = T(-kInfinity);
    shape.options.bias.edit().row(n / 2).setConstant(T(-kInfinity));
  }
  if (draw(0, 2) == 0 && shape.pattern.nnz() > 0) {
    shape.options.cell_bias = random<T>(shape.pattern.nnz(), 1, 4 * seed + 6);
  }
  shape.dropout.seed = seed;
  if (draw(0, 2) == 0) shape.dropout.probability = 0.3;
  if (draw(0, 5) == 0) shape.dropout.keep = random<T>(n, m, 4 * seed + 7).cwiseMax(T(0));
  return shape;
}

}  // namespace

TEST_CASE_TEMPLATE(
    "400 seeded shapes of every pattern: forward and backward of dense attention with the mask", T,
    float, double) {
  // The tolerance is doubled because dropout divides by 0.7.
  constexpr double close = 2 * tolerance<T>();
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const DrawnPattern<T> x = drawn_pattern<T>(seed);
    const Pattern& pattern = x.pattern;
    const auto want = attention<T>(x.Q, x.K, x.V, x.dense(), x.dropout);
    const auto got = sparse_attention<T>(x.Q, x.K, x.V, pattern, x.options, x.dropout);
    CHECK_CLOSE(got.output, want.output, close, close);
    CHECK_CLOSE(pattern.to_matrix<T>(got.weights), want.weights, close, close);
    CHECK_CLOSE(got.log_sum_exp, want.log_sum_exp, close, close);
    const Vector<double> sums =
        pattern.to_matrix<T>(got.weights).template cast<double>().rowwise().sum();
    for (Index i = 0; i < sums.size(); ++i) {
      // Each of 28 weights of at most 1 is rounded once: 28·2⁻²⁴ in float32.
      const bool sees = got.log_sum_exp(i) > T(-kInfinity);
      CHECK(std::abs(sums(i) - (sees ? 1.0 : 0.0)) <= (std::is_same_v<T, float> ? 2e-6 : 1e-14));
      if (x.options.bias.size() == 0) CHECK(sees == !pattern.row(i).empty());
    }
    const Matrix<T> dO = random<T>(x.Q.rows(), x.V.cols(), 1000 + seed);
    const auto slopes = attention_backward<T>(x.Q, x.K, x.V, dO, x.dense(), x.dropout);
    const auto back =
        sparse_attention_backward<T>(x.Q, x.K, x.V, pattern, dO, x.options, x.dropout);
    CHECK_CLOSE(back.dQ, slopes.dQ, close, close);
    CHECK_CLOSE(back.dK, slopes.dK, close, close);
    CHECK_CLOSE(back.dV, slopes.dV, close, close);
    const bool biased = x.options.bias.size() > 0 || x.options.cell_bias.size() > 0;
    REQUIRE(back.d_bias.size() == (biased ? pattern.nnz() : 0));
    if (biased) CHECK_CLOSE(pattern.to_matrix<T>(back.d_bias), slopes.d_bias, close, close);
  }
}

TEST_CASE_TEMPLATE("work and memory are those of the kept cells, in every shape", T, float,
                   double) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    DrawnPattern<T> x = drawn_pattern<T>(seed);
    // A blocked cell needs no exp, so the bias is left out here.
    x.options.bias = {};
    const Matrix<T>&Q = x.Q, &K = x.K, &V = x.V;
    const Pattern& pattern = x.pattern;
    const auto nnz = static_cast<std::uint64_t>(pattern.nnz());
    const auto n = static_cast<std::uint64_t>(Q.rows()), d = static_cast<std::uint64_t>(Q.cols()),
               d_v = static_cast<std::uint64_t>(V.cols());
    const OperationCount forward =
        sparse_attention<T>(Q, K, V, pattern, x.options, x.dropout).operations;
    CHECK(forward.multiply_adds == nnz * (d + d_v));
    CHECK(forward.exps == nnz);
    CHECK(forward.workspace_bytes == (nnz + n) * sizeof(T));
    const OperationCount backward =
        sparse_attention_backward<T>(Q, K, V, pattern, random<T>(Q.rows(), V.cols(), 5), x.options,
                                     x.dropout)
            .operations;
    CHECK(backward.multiply_adds == nnz * (3 * d + 2 * d_v + 1));
    CHECK(backward.exps == nnz);
    CHECK(backward.workspace_bytes ==
          2 * static_cast<std::uint64_t>(pattern.longest_row()) * sizeof(T));
  }
}

TEST_CASE(
    "a length whose n×m matrix would take 64 GiB is done in the time and memory of a window") {
  const Index n = 1 << 17, w = 2;
  const Matrix<> Q = random(n, 2, 1), K = random(n, 2, 2), V = random(n, 1, 3);
  const Pattern pattern = Pattern::longformer(n, w);
  const auto got = sparse_attention(Q, K, V, pattern);
  CHECK(got.operations.multiply_adds == static_cast<std::uint64_t>(n * 5 - w * (w + 1)) * 3);
  CHECK(got.operations.workspace_bytes < std::uint64_t{1} << 22);
  // The output of an inner query is computed by hand.
  const Index i = n / 2;
  double top = 0, sum = 0;
  for (Index j = i - w; j <= i + w; ++j) {
    const double e = std::exp(static_cast<double>(Q.row(i).dot(K.row(j))) / std::sqrt(2.0));
    sum += e;
    top += e * static_cast<double>(V(j, 0));
  }
  CHECK(static_cast<double>(got.output(i, 0)) == doctest::Approx(top / sum).epsilon(1e-5));
  const auto gradients = sparse_attention_backward(Q, K, V, pattern, random(n, 1, 4));
  CHECK(gradients.operations.workspace_bytes == 2 * 5 * sizeof(float));
  CHECK(gradients.dK.allFinite());
}

TEST_CASE("gradients agree with central differences of dense attention") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    DrawnPattern<double> x = drawn_pattern<double>(seed, 8);
    const Matrix<double> dO = random<double>(x.Q.rows(), x.V.cols(), 1000 + seed);
    const auto got =
        sparse_attention_backward<double>(x.Q, x.K, x.V, x.pattern, dO, x.options, x.dropout);
    AttentionOptions<double> dense = x.dense();
    const auto loss = [&] {
      return attention<double>(x.Q, x.K, x.V, dense, x.dropout).output.cwiseProduct(dO).sum();
    };
    // Third derivatives here are up to some hundred and losses up to 100; both give errors of about
    // 1e-9.
    constexpr double kSlope = 1e-7;
    CHECK_CLOSE(got.dQ, central_differences(x.Q, loss), kSlope, kSlope);
    CHECK_CLOSE(got.dK, central_differences(x.K, loss), kSlope, kSlope);
    CHECK_CLOSE(got.dV, central_differences(x.V, loss), kSlope, kSlope);
    if (got.d_bias.size() == 0) continue;
    CHECK_CLOSE(x.pattern.to_matrix<double>(got.d_bias),
                central_differences(dense.bias.edit(), loss), kSlope, kSlope);
  }
}

TEST_CASE("float32 gradients equal those of float64 up to rounding") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const DrawnPattern<float> x = drawn_pattern<float>(seed);
    const Matrix<>&Q = x.Q, &K = x.K, &V = x.V;
    const Pattern& pattern = x.pattern;
    const Matrix<> dO = random(Q.rows(), V.cols(), 1000 + seed);
    const auto got = sparse_attention_backward(Q, K, V, pattern, dO);
    const auto want = sparse_attention_backward<double>(
        Q.cast<double>(), K.cast<double>(), V.cast<double>(), pattern, dO.cast<double>());
    CHECK_CLOSE(got.dQ, want.dQ, kFloat, kFloat);
    CHECK_CLOSE(got.dK, want.dK, kFloat, kFloat);
    CHECK_CLOSE(got.dV, want.dV, kFloat, kFloat);
  }
}

TEST_CASE(
    "keys that no query sees get no gradient, and under a causal pattern future keys get none") {
  Dropout<double> none, given;
  // Of the three keys that query 4 sees, the middle one is dropped: it adds no value but still has
  // a score.
  given.probability = 0.5;
  given.keep = Matrix<double>::Ones(9, 9);
  given.keep.edit()(4, 3) = 0;
  const Matrix<double> Q = random<double>(9, 4, 1), K = random<double>(9, 4, 2),
                       V = random<double>(9, 3, 3);
  Matrix<double> dO = Matrix<double>::Zero(9, 3);
  dO.row(4).setOnes();
  for (const Dropout<double>& dropout : {none, given}) {
    const auto got =
        sparse_attention_backward<double>(Q, K, V, Pattern::local(9, 3), dO, {}, dropout);
    for (Index j = 0; j < 9; ++j) {
      const bool seen = j >= 2 && j <= 4;
      const bool kept = dropout.keep.size() == 0 || dropout.keep(4, j) != 0;
      CHECK(got.dV.row(j).isZero(0) != (seen && kept));
      CHECK(got.dK.row(j).isZero(0) != seen);
      CHECK(got.dQ.row(j).isZero(0) == (j != 4));
    }
  }
}

TEST_CASE_TEMPLATE("a pattern that keeps nothing gives zeros and no NaN", T, float, double) {
  const Matrix<T> Q = random<T>(5, 4, 1), K = random<T>(7, 4, 2), V = random<T>(7, 3, 3);
  const Pattern none = Pattern::none(5, 7);
  const auto got = sparse_attention<T>(Q, K, V, none);
  CHECK(got.output.isZero(0));
  CHECK(got.output.rows() == 5);
  CHECK(got.weights.size() == 0);
  CHECK((got.log_sum_exp.array() == -std::numeric_limits<T>::infinity()).all());
  const auto gradients = sparse_attention_backward<T>(Q, K, V, none, Matrix<T>::Ones(5, 3));
  CHECK(gradients.dQ.isZero(0));
  CHECK(gradients.dK.isZero(0));
  CHECK(gradients.dV.isZero(0));
}

TEST_CASE_TEMPLATE("logits of ±1e4 neither overflow nor give NaN, and vanish without an exp", T,
                   float, double) {
  Matrix<T> Q(2, 1), K(3, 1);
  Q << 100, -100;
  K << 100, 0, -100;
  SparseAttentionOptions<T> options;
  options.scale = 1;
  const Pattern pattern = Pattern::full(2, 3);
  const auto got = sparse_attention<T>(Q, K, Matrix<T>::Identity(3, 3), pattern, options);
  Matrix<T> wanted(2, 3);
  wanted << 1, 0, 0, 0, 0, 1;
  CHECK_CLOSE(got.output, wanted, 0, 0);
  CHECK(got.log_sum_exp(0) == T(10000));
  CHECK(got.operations.exps == 2);
  const auto gradients = sparse_attention_backward<T>(Q, K, Matrix<T>::Identity(3, 3), pattern,
                                                      Matrix<T>::Ones(2, 3), options);
  CHECK(gradients.dQ.allFinite());
  CHECK(gradients.dK.allFinite());
}

TEST_CASE("arguments that do not fit are refused by name") {
  const Matrix<> Q = random(4, 5, 1), K = random(6, 5, 2), V = random(6, 2, 3);
  const Pattern pattern = Pattern::full(4, 6);
  CHECK(error_of([&] { sparse_attention(Q, K, V, Pattern::full(6, 4)); }).argument() == "pattern");
  CHECK(error_of([&] { sparse_attention(Q, V, V, pattern); }).argument() == "K");
  CHECK(error_of([&] { sparse_attention_backward(Q, K, V, pattern, V); }).argument() == "dO");
  CHECK(error_of([&] { sparse_attention(Q, K, V, pattern, {.scale = NAN}); }).argument() ==
        "scale");
  SparseAttentionOptions<> options;
  options.bias = Matrix<>::Zero(6, 4);
  CHECK(error_of([&] { sparse_attention(Q, K, V, pattern, options); }).argument() == "bias");
  options.bias = Matrix<>::Zero(4, 6);
  options.bias.edit()(3, 5) = NAN;
  CHECK(error_of([&] { sparse_attention(Q, K, V, pattern, options); }).argument() == "bias");
  // Rows and keys that the pattern leaves out are not read.
  CHECK(sparse_attention(Q, K, V, Pattern::causal(4, 6), options).output.allFinite());
  options.bias = {};
  options.cell_bias = Vector<>::Zero(23);
  CHECK(error_of([&] { sparse_attention(Q, K, V, pattern, options); }).argument() == "cell_bias");
  CHECK(error_of([&] { sparse_attention(1e30F * Q, 1e30F * K, V, pattern); }).argument() == "Q");
  Dropout<> dropout;
  dropout.keep = Matrix<>::Ones(6, 4);
  CHECK(error_of([&] { sparse_attention(Q, K, V, pattern, {}, dropout); }).argument() ==
        "dropout.keep");
}

TEST_SUITE_END();
