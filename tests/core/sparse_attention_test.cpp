#include "attn/sparse_attention.hpp"

#include <limits>

#include "attn/attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("sparse_attention");

namespace {

template <typename T>
struct Shape {
  Matrix<T> Q, K, V;
  Pattern pattern;
};

/// Seeded inputs of odd sizes with a pattern of one kind after the other; some rows see nothing.
template <typename T>
Shape<T> drawn(std::uint64_t seed) {
  Rng rng(seed, 3);
  const auto draw = [&](Index least, Index most) {
    return least + static_cast<Index>(rng.below(static_cast<std::uint64_t>(most - least + 1)));
  };
  const std::span<const PatternInfo> all = patterns();
  const PatternInfo& info = all[static_cast<std::size_t>(seed) % all.size()];
  // Blocks of BigBird's default size must fit.
  const Index n = info.id == "big_bird" ? 4 * draw(1, 7) : draw(1, 28);
  const Index m = info.square ? n : draw(1, 28);
  const Index d = draw(1, 9), d_v = draw(1, 9);
  Shape<T> shape{random<T>(n, d, 4 * seed),
                 random<T>(m, d, 4 * seed + 1),
                 random<T>(m, d_v, 4 * seed + 2),
                 {}};
  PatternOptions options;
  options.seed = seed;
  if (info.from_cells) {
    options.cells = random<double>(n, m, 4 * seed + 3);
    if (info.id == "matrix") options.cells = options.cells.cwiseMax(0.5).array() - 0.5;
  }
  shape.pattern = make_pattern(info.id, n, m, options);
  return shape;
}

/// Σ output ∘ dO by the dense definition in float64.
double loss(const Matrix<double>& Q, const Matrix<double>& K, const Matrix<double>& V,
            const Matrix<double>& dO, const Mask& mask, double scale) {
  AttentionOptions<double> options;
  options.mask = mask;
  options.scale = scale;
  return attention<double>(Q, K, V, options).output.cwiseProduct(dO).sum();
}

}  // namespace

TEST_CASE_TEMPLATE("400 seeded shapes of every pattern: the same as dense attention with the mask",
                   T, float, double) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const auto [Q, K, V, pattern] = drawn<T>(seed);
    AttentionOptions<T> dense;
    dense.mask = pattern.to_mask();
    SparseAttentionOptions<T> options;
    if (seed % 3 == 0) dense.scale = options.scale = 0.7;
    const auto want = attention<T>(Q, K, V, dense);
    const auto got = sparse_attention<T>(Q, K, V, pattern, options);
    CHECK_CLOSE(got.output, want.output, tolerance<T>(), tolerance<T>());
    CHECK_CLOSE(pattern.template to_matrix<T>(got.weights), want.weights, tolerance<T>(),
                tolerance<T>());
    CHECK_CLOSE(got.log_sum_exp, want.log_sum_exp, tolerance<T>(), tolerance<T>());
    const Vector<double> sums =
        pattern.template to_matrix<T>(got.weights).template cast<double>().rowwise().sum();
    for (Index i = 0; i < sums.size(); ++i) {
      // 28 weights of at most 1, each rounded once: 28·2⁻²⁴ in float32.
      const bool sees = !pattern.row(i).empty();
      CHECK(std::abs(sums(i) - (sees ? 1.0 : 0.0)) <= (std::is_same_v<T, float> ? 2e-6 : 1e-14));
    }
  }
}

TEST_CASE_TEMPLATE("work and memory are those of the kept cells, in every shape", T, float,
                   double) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    const auto [Q, K, V, pattern] = drawn<T>(seed);
    const auto nnz = static_cast<std::uint64_t>(pattern.nnz());
    const auto n = static_cast<std::uint64_t>(Q.rows()), d = static_cast<std::uint64_t>(Q.cols()),
               d_v = static_cast<std::uint64_t>(V.cols());
    const OperationCount forward = sparse_attention<T>(Q, K, V, pattern).operations;
    CHECK(forward.multiply_adds == nnz * (d + d_v));
    CHECK(forward.exps == nnz);
    CHECK(forward.workspace_bytes == (nnz + n) * sizeof(T));
    const OperationCount backward =
        sparse_attention_backward<T>(Q, K, V, pattern, random<T>(Q.rows(), V.cols(), 5)).operations;
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
  // An inner query by hand.
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
    const Shape<double> shape = drawn<double>(seed);
    const Matrix<double>&Q = shape.Q, &K = shape.K, &V = shape.V;
    const Pattern& pattern = shape.pattern;
    const Matrix<double> dO = random<double>(Q.rows(), V.cols(), 1000 + seed);
    const Mask mask = pattern.to_mask();
    SparseAttentionOptions<double> options;
    options.scale = 0.4;
    const auto got = sparse_attention_backward<double>(Q, K, V, pattern, dO, options);
    // Truncation h² and rounding 1e-16/h: both about 1e-10 of the sizes met here.
    const double h = 1e-5;
    Rng rng(seed, 8);
    const auto check = [&](int which, const Matrix<double>& x, const Matrix<double>& gradient) {
      REQUIRE(gradient.rows() == x.rows());
      REQUIRE(gradient.cols() == x.cols());
      for (int probe = 0; probe < 6; ++probe) {
        const Index at = static_cast<Index>(rng.below(static_cast<std::uint64_t>(x.size())));
        const auto moved = [&](double step) {
          Matrix<double> y = x;
          y.data()[at] += step;
          return loss(which == 0 ? y : Q, which == 1 ? y : K, which == 2 ? y : V, dO, mask, 0.4);
        };
        const double slope = (moved(h) - moved(-h)) / (2 * h);
        CHECK(std::abs(gradient.data()[at] - slope) <= 1e-7 * (1 + std::abs(slope)));
      }
    };
    check(0, Q, got.dQ);
    check(1, K, got.dK);
    check(2, V, got.dV);
  }
}

TEST_CASE("float32 gradients are those of float64 but for rounding") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const auto [Q, K, V, pattern] = drawn<float>(seed);
    const Matrix<> dO = random(Q.rows(), V.cols(), 1000 + seed);
    const auto got = sparse_attention_backward(Q, K, V, pattern, dO);
    const auto want = sparse_attention_backward<double>(
        Q.cast<double>(), K.cast<double>(), V.cast<double>(), pattern, dO.cast<double>());
    CHECK_CLOSE(got.dQ, want.dQ, kFloat, kFloat);
    CHECK_CLOSE(got.dK, want.dK, kFloat, kFloat);
    CHECK_CLOSE(got.dV, want.dV, kFloat, kFloat);
  }
}

TEST_CASE("keys that nobody sees get no gradient, and a causal pattern none from the past") {
  const Matrix<double> Q = random<double>(9, 4, 1), K = random<double>(9, 4, 2),
                       V = random<double>(9, 3, 3);
  Matrix<double> dO = Matrix<double>::Zero(9, 3);
  dO.row(4).setOnes();
  const auto got = sparse_attention_backward<double>(Q, K, V, Pattern::local(9, 3), dO);
  for (Index j = 0; j < 9; ++j) {
    const bool seen = j >= 2 && j <= 4;
    CHECK(got.dV.row(j).isZero(0) != seen);
    CHECK(got.dK.row(j).isZero(0) != seen);
    CHECK(got.dQ.row(j).isZero(0) == (j != 4));
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

TEST_CASE("what does not fit is refused by name") {
  const Matrix<> Q = random(4, 5, 1), K = random(6, 5, 2), V = random(6, 2, 3);
  const Pattern pattern = Pattern::full(4, 6);
  CHECK(error_of([&] { sparse_attention(Q, K, V, Pattern::full(6, 4)); }).argument() == "pattern");
  CHECK(error_of([&] { sparse_attention(Q, V, V, pattern); }).argument() == "K");
  CHECK(error_of([&] { sparse_attention_backward(Q, K, V, pattern, V); }).argument() == "dO");
  CHECK(error_of([&] { sparse_attention(Q, K, V, pattern, {.scale = NAN}); }).argument() ==
        "scale");
}

TEST_SUITE_END();
