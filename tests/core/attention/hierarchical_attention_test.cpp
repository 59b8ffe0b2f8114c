#include "attn/attention/hierarchical_attention.hpp"

#include <algorithm>
#include <limits>

#include "attn/attention/attention_training.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("hierarchical_attention");

namespace {

template <typename T>
struct DrawnBlocks {
  Matrix<T> Q, K, V;
  HierarchicalAttentionOptions options;
};

template <typename T>
DrawnBlocks<T> drawn_blocks(std::uint64_t seed, Index longest = 30) {
  Rng rng(seed, 3);
  const auto draw = [&](Index least, Index most) {
    return least + static_cast<Index>(rng.below(static_cast<std::uint64_t>(most - least + 1)));
  };
  const Index n = draw(1, longest), m = seed % 2 == 0 ? n : draw(1, longest), d = draw(1, 7),
              d_v = draw(1, 7);
  DrawnBlocks<T> shape{random<T>(n, d, 3 * seed),
                       random<T>(m, d, 3 * seed + 1),
                       random<T>(m, d_v, 3 * seed + 2),
                       {}};
  shape.options.pool = draw(1, 9);
  shape.options.window = draw(0, 9);
  shape.options.causal = rng.below(2) == 0;
  if (seed % 5 == 0) shape.options.scale = 0.9;
  return shape;
}

template <typename T>
AttentionResult<T> exact(const DrawnBlocks<T>& shape) {
  AttentionOptions<T> options;
  if (shape.options.causal) options.mask = Mask::causal_bottom_right();
  options.scale = shape.options.scale;
  return attention<T>(shape.Q, shape.K, shape.V, options);
}

}  // namespace

TEST_CASE_TEMPLATE("300 seeded shapes: output = A·V with the reference's weights, rows sum to one",
                   T, float, double) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const auto [Q, K, V, options] = drawn_blocks<T>(seed);
    const auto got = hierarchical_attention<T>(Q, K, V, options);
    const Matrix<T> A = hierarchical_weights_reference<T>(Q, K, options);
    CHECK_CLOSE(got.output, (A * V).eval(), tolerance<T>(), tolerance<T>());
    const Index n = Q.rows(), m = K.rows();
    for (Index i = 0; i < n; ++i) {
      const bool sees = !options.causal || i + m - n >= 0;
      CHECK(std::abs(static_cast<double>(A.row(i).sum()) - (sees ? 1 : 0)) <= tolerance<T>());
      CHECK(std::isinf(got.log_sum_exp(i)) != sees);
      for (Index j = i + m - n + 1; options.causal && j < m; ++j) {
        if (j >= 0) CHECK(A(i, j) == T(0));
      }
    }
  }
}

TEST_CASE_TEMPLATE("exact with a pool of 1, and with a window over the whole sequence", T, float,
                   double) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    DrawnBlocks<T> shape = drawn_blocks<T>(seed);
    if (seed % 4 == 0) {
      shape.options.window = 60;
    } else {
      shape.options.pool = 1;
    }
    const auto got = hierarchical_attention<T>(shape.Q, shape.K, shape.V, shape.options);
    const auto want = exact(shape);
    CHECK_CLOSE(got.output, want.output, tolerance<T>(), tolerance<T>());
    CHECK_CLOSE(got.log_sum_exp, want.log_sum_exp, tolerance<T>(), tolerance<T>());
  }
}

TEST_CASE(
    "hierarchical attention is exact where the keys of each block are equal, for any values") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    DrawnBlocks<double> shape = drawn_blocks<double>(seed);
    for (Index j = 0; j < shape.K.rows(); ++j) {
      shape.K.row(j) = shape.K.row(j - j % shape.options.pool).eval();
    }
    const auto got = hierarchical_attention<double>(shape.Q, shape.K, shape.V, shape.options);
    CHECK_CLOSE(got.output, exact(shape).output, kDouble, kDouble);
  }
}

TEST_CASE("the log-sum-exp is below the exact one by at most an eighth of the squared spread") {
  bool ever_short = false;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const DrawnBlocks<double> shape = drawn_blocks<double>(seed);
    const auto got = hierarchical_attention<double>(shape.Q, shape.K, shape.V, shape.options);
    const auto want = exact(shape);
    const double scale = attention_scale(shape.options.scale, shape.Q.cols());
    const Matrix<double> logits = scale * shape.Q * shape.K.transpose();
    for (Index i = 0; i < shape.Q.rows(); ++i) {
      if (std::isinf(want.log_sum_exp(i))) continue;
      double spread = 0;
      for (Index first = 0; first < shape.K.rows(); first += shape.options.pool) {
        const auto block =
            logits.row(i).segment(first, std::min(shape.options.pool, shape.K.rows() - first));
        spread = std::max(spread, block.maxCoeff() - block.minCoeff());
      }
      const double lack = want.log_sum_exp(i) - got.log_sum_exp(i);
      CHECK(lack >= -1e-12);
      CHECK(lack <= spread * spread / 8 + 1e-12);
      ever_short = ever_short || lack > 1e-3;
    }
  }
  // The approximation must differ somewhere; otherwise the bound would prove nothing.
  CHECK(ever_short);
}

TEST_CASE("causal: a change in the future changes nothing before it") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    DrawnBlocks<double> shape = drawn_blocks<double>(2 * seed);
    shape.options.causal = true;
    const Index n = shape.Q.rows(), changed = n / 2;
    const auto before = hierarchical_attention<double>(shape.Q, shape.K, shape.V, shape.options);
    shape.K.row(changed).array() += 3;
    shape.V.row(changed).array() -= 2;
    const auto after = hierarchical_attention<double>(shape.Q, shape.K, shape.V, shape.options);
    CHECK(before.output.topRows(changed) == after.output.topRows(changed));
    CHECK(before.output.row(changed) != after.output.row(changed));
  }
}

TEST_CASE("backward is the derivative: 40 drawn shapes, causal and not") {
  bool ever_pooled = false;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    DrawnBlocks<double> x = drawn_blocks<double>(seed, 12);
    x.options.pool = 1 + x.options.pool % 4;
    x.options.window %= 4;
    const Matrix<double> dO = random<double>(x.Q.rows(), x.V.cols(), 3000 + seed);
    const auto got = hierarchical_attention_backward<double>(x.Q, x.K, x.V, dO, x.options);
    const auto loss = [&] {
      return hierarchical_attention<double>(x.Q, x.K, x.V, x.options).output.cwiseProduct(dO).sum();
    };
    // Third derivatives here are up to some hundred and losses up to 100; both give errors of about
    // 1e-9.
    constexpr double kSlope = 1e-7;
    CHECK_CLOSE(got.dQ, central_differences(x.Q, loss), kSlope, kSlope);
    CHECK_CLOSE(got.dK, central_differences(x.K, loss), kSlope, kSlope);
    CHECK_CLOSE(got.dV, central_differences(x.V, loss), kSlope, kSlope);
    ever_pooled = ever_pooled || (got.summary_cells > 0 && x.options.pool > 1);
  }
  CHECK(ever_pooled);
}

TEST_CASE_TEMPLATE("backward equals that of the reference's weights, and is exact where forward is",
                   T, float, double) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    DrawnBlocks<T> x = drawn_blocks<T>(seed);
    const Matrix<T> dO = random<T>(x.Q.rows(), x.V.cols(), 3000 + seed);
    const Matrix<T> A = hierarchical_weights_reference<T>(x.Q, x.K, x.options);
    CHECK_CLOSE(hierarchical_attention_backward<T>(x.Q, x.K, x.V, dO, x.options).dV,
                (A.transpose() * dO).eval(), tolerance<T>(), tolerance<T>());
    if (seed % 4 == 0) {
      x.options.window = 60;
    } else {
      x.options.pool = 1;
    }
    AttentionOptions<T> dense;
    if (x.options.causal) dense.mask = Mask::causal_bottom_right();
    dense.scale = x.options.scale;
    const auto got = hierarchical_attention_backward<T>(x.Q, x.K, x.V, dO, x.options);
    const auto want = attention_backward<T>(x.Q, x.K, x.V, dO, dense);
    CHECK_CLOSE(got.dQ, want.dQ, tolerance<T>(), tolerance<T>());
    CHECK_CLOSE(got.dK, want.dK, tolerance<T>(), tolerance<T>());
    CHECK_CLOSE(got.dV, want.dV, tolerance<T>(), tolerance<T>());
  }
}

TEST_CASE("float32 gradients equal those of float64 up to rounding") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const DrawnBlocks<float> x = drawn_blocks<float>(seed);
    const Matrix<> dO = random(x.Q.rows(), x.V.cols(), 3000 + seed);
    const auto got = hierarchical_attention_backward(x.Q, x.K, x.V, dO, x.options);
    const auto want = hierarchical_attention_backward<double>(
        x.Q.cast<double>(), x.K.cast<double>(), x.V.cast<double>(), dO.cast<double>(), x.options);
    CHECK_CLOSE(got.dQ, want.dQ, kFloat, kFloat);
    CHECK_CLOSE(got.dK, want.dK, kFloat, kFloat);
    CHECK_CLOSE(got.dV, want.dV, kFloat, kFloat);
  }
}

TEST_CASE("causal: no gradient from a query to any key of its future, exactly") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    DrawnBlocks<double> x = drawn_blocks<double>(seed);
    x.options.causal = true;
    const Index n = x.Q.rows(), m = x.K.rows();
    const Index i = static_cast<Index>(Rng(seed, 8).below(static_cast<std::uint64_t>(n)));
    Matrix<double> dO = Matrix<double>::Zero(n, x.V.cols());
    dO.row(i).setOnes();
    const auto got = hierarchical_attention_backward<double>(x.Q, x.K, x.V, dO, x.options);
    const Index past = std::max<Index>(i + m - n + 1, 0);
    CHECK(got.dK.bottomRows(m - past).isZero(0));
    CHECK(got.dV.bottomRows(m - past).isZero(0));
    // Every visible key gets a gradient, whether it is near or in a summary.
    for (Index j = 0; j < past; ++j) CHECK_FALSE(got.dV.row(j).isZero(0));
    CHECK(got.dQ.topRows(i).isZero(0));
    CHECK(got.dQ.bottomRows(n - i - 1).isZero(0));
  }
}

TEST_CASE_TEMPLATE("work and memory are those of the visited cells and of pooling", T, float,
                   double) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    const auto [Q, K, V, options] = drawn_blocks<T>(seed);
    const Index n = Q.rows(), m = K.rows(), pool = options.pool;
    Index near = 0, summaries = 0, most = 0;
    for (Index i = 0; i < n; ++i) {
      const Index p = i + m - n;
      Index row = 0;
      for (Index first = 0; first < m; first += pool) {
        Index seen = 0;
        bool close = false;
        for (Index j = first; j < std::min(first + pool, m); ++j) {
          if (options.causal && j > p) continue;
          ++seen;
          close = close || std::abs(j - p) <= options.window;
        }
        near += close ? seen : 0;
        summaries += !close && seen > 0 ? 1 : 0;
        row += close ? seen : (seen > 0 ? 1 : 0);
      }
      most = std::max(most, row);
    }
    const auto got = hierarchical_attention<T>(Q, K, V, options);
    CHECK(got.near_cells == near);
    CHECK(got.summary_cells == summaries);
    const Index width = Q.cols() + V.cols(), blocks = (m + pool - 1) / pool;
    CHECK(got.operations.multiply_adds ==
          static_cast<std::uint64_t>((near + summaries + m) * width));
    CHECK(got.operations.exps == static_cast<std::uint64_t>(near + summaries));
    CHECK(got.operations.workspace_bytes ==
          static_cast<std::uint64_t>(blocks * width + most + n) * sizeof(T));
    const auto back =
        hierarchical_attention_backward<T>(Q, K, V, random<T>(n, V.cols(), seed), options);
    CHECK(back.near_cells == near);
    CHECK(back.summary_cells == summaries);
    CHECK(back.operations.multiply_adds ==
          static_cast<std::uint64_t>((near + summaries) * (3 * Q.cols() + 2 * V.cols() + 1) +
                                     2 * m * width));
    CHECK(back.operations.exps == static_cast<std::uint64_t>(near + summaries));
    CHECK(back.operations.workspace_bytes ==
          static_cast<std::uint64_t>(2 * blocks * width + 2 * most) * sizeof(T));
  }
}

TEST_CASE("the cost is n√n: at 4 096 tokens with blocks of 64 a query visits under 300 cells") {
  const Index n = 1 << 12;
  HierarchicalAttentionOptions options;
  options.pool = options.window = 64;
  const auto got =
      hierarchical_attention(random(n, 1, 1), random(n, 1, 2), random(n, 1, 3), options);
  CHECK(got.near_cells + got.summary_cells < n * 300);
  CHECK(got.operations.workspace_bytes < std::uint64_t{1} << 16);
  CHECK(got.output.allFinite());
}

TEST_CASE("huge pools and windows are clipped to the sequence, and logits of 1e4 are right") {
  const Matrix<> Q = random(6, 3, 1), K = random(9, 3, 2), V = random(9, 2, 3);
  HierarchicalAttentionOptions huge;
  huge.pool = huge.window = std::numeric_limits<Index>::max();
  CHECK_CLOSE(hierarchical_attention(Q, K, V, huge).output, attention(Q, K, V).output, kFloat,
              kFloat);
  HierarchicalAttentionOptions hot;
  hot.pool = 2;
  hot.window = 1;
  hot.scale = 1e4;
  const auto got = hierarchical_attention(Q, K, V, hot);
  CHECK(got.output.allFinite());
  CHECK(got.log_sum_exp.allFinite());
  const auto slopes = hierarchical_attention_backward(Q, K, V, random(6, 2, 4), hot);
  CHECK(slopes.dQ.allFinite());
  CHECK(slopes.dK.allFinite());
}

TEST_CASE("arguments that do not fit are refused by name") {
  const Matrix<> Q = random(4, 5, 1), K = random(6, 5, 2), V = random(6, 2, 3);
  HierarchicalAttentionOptions no_pool, no_window;
  no_pool.pool = 0;
  no_window.window = -1;
  CHECK(error_of([&] { hierarchical_attention(Q, K, V, no_pool); }).argument() == "pool");
  CHECK(error_of([&] { hierarchical_attention(Q, K, V, no_window); }).argument() == "window");
  CHECK(error_of([&] { hierarchical_attention(Q, V, V); }).argument() == "K");
  CHECK(error_of([&] { hierarchical_attention(1e30F * Q, 1e30F * K, V); }).argument() == "Q");
  CHECK(error_of([&] { hierarchical_attention_backward(Q, K, V, V); }).argument() == "dO");
  CHECK(error_of([&] { hierarchical_attention_backward(Q, K, V, V, no_pool); }).argument() ==
        "pool");
  CHECK(error_of([&] { hierarchical_weights_reference(Q, K, no_pool); }).argument() == "pool");
}

TEST_SUITE_END();
