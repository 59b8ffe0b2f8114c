#include "attn/attention/multi_head.hpp"

#include "attn/attention/batched_attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("multi_head");

namespace {

struct HeadShape {
  Index d_model, heads, kv_heads, d, d_v, k_dim, v_dim, outputs;
};

template <typename T>
MultiHeadWeights<T> layer(const HeadShape& s, bool bias = true) {
  MultiHeadWeights<T> w;
  w.heads = s.heads;
  w.kv_heads = s.kv_heads;
  w.Wq = random<T>(s.heads * s.d, s.d_model, 1);
  w.Wk = random<T>(s.kv_heads * s.d, s.k_dim, 2);
  w.Wv = random<T>(s.kv_heads * s.d_v, s.v_dim, 3);
  w.Wo = random<T>(s.outputs, s.heads * s.d_v, 4);
  for (Matrix<T>* W : {&w.Wq, &w.Wk, &w.Wv, &w.Wo}) {
    *W /= static_cast<T>(std::sqrt(static_cast<double>(W->cols())));
  }
  if (bias) {
    w.bq = random<T>(s.heads * s.d, 1, 5);
    w.bk = random<T>(s.kv_heads * s.d, 1, 6);
    w.bv = random<T>(s.kv_heads * s.d_v, 1, 7);
    w.bo = random<T>(s.outputs, 1, 8);
  }
  return w;
}

/// The definition, head by head and query by query in float64.
struct Definition {
  Matrix<double> output;
  std::vector<Matrix<double>> weights;

  template <typename T, typename Sees>
  Definition(const Matrix<T>& X, const Matrix<T>& Yk, const Matrix<T>& Yv,
             const MultiHeadWeights<T>& w, const std::vector<std::uint8_t>& keep, Sees sees) {
    const auto wide = [](const auto& x) { return x.template cast<double>().eval(); };
    const auto linear = [&](const Matrix<T>& x, const Matrix<T>& W, const Vector<T>& b) {
      Matrix<double> y = wide(x) * wide(W).transpose();
      for (Index i = 0; b.size() > 0 && i < y.rows(); ++i) y.row(i) += wide(b).transpose();
      return y;
    };
    const Matrix<double> Q = linear(X, w.Wq, w.bq), K = linear(Yk, w.Wk, w.bk),
                         V = linear(Yv, w.Wv, w.bv);
    const Index d = w.Wq.rows() / w.heads, d_v = w.Wv.rows() / w.kv_heads;
    output = Matrix<double>::Zero(X.rows(), w.Wo.rows());
    if (w.bo.size() > 0) output.rowwise() += wide(w.bo).transpose();
    for (Index i = 0; i < w.heads; ++i) {
      weights.push_back(Matrix<double>::Zero(X.rows(), Yk.rows()));
      if (!keep.empty() && !keep[static_cast<std::size_t>(i)]) continue;
      const Index g = i * w.kv_heads / w.heads;
      Matrix<double>& P = weights.back();
      for (Index r = 0; r < X.rows(); ++r) {
        for (Index j = 0; j < Yk.rows(); ++j) {
          if (!sees(r, j)) continue;
          double dot = 0;
          for (Index c = 0; c < d; ++c) dot += Q(r, i * d + c) * K(j, g * d + c);
          P(r, j) = std::exp(dot / std::sqrt(static_cast<double>(d)));
        }
        if (P.row(r).sum() > 0) P.row(r) /= P.row(r).sum();
      }
      const Matrix<double> head = P * V.middleCols(g * d_v, d_v);
      output += head * wide(w.Wo).middleCols(i * d_v, d_v).transpose();
    }
  }
};

const std::vector<HeadShape> kShapes{
    {8, 2, 2, 4, 4, 8, 8, 8}, {12, 3, 1, 4, 4, 12, 12, 12}, {6, 4, 2, 3, 5, 7, 2, 9},
    {5, 6, 3, 2, 1, 5, 5, 1}, {4, 1, 1, 4, 2, 3, 4, 4},     {16, 8, 4, 2, 3, 1, 11, 5},
};

/// Seeded options for n queries, m keys and a number of heads: mask, window, padding, pruning,
/// scale, bias and dropout.
HeadsOptions<double> drawn_options(Index n, Index m, Index heads, std::uint64_t seed) {
  Rng rng(seed, 6);
  HeadsOptions<double> options;
  const auto coin = [&] { return rng.below(2) == 0; };
  if (coin()) options.mask = coin() ? Mask::causal() : Mask::causal_bottom_right();
  if (coin()) options.window.left = static_cast<Index>(rng.below(4));
  if (coin()) options.window.right = static_cast<Index>(rng.below(4));
  if (coin()) {
    options.keep_keys.assign(static_cast<std::size_t>(m), 1);
    options.keep_keys[static_cast<std::size_t>(rng.below(static_cast<std::uint64_t>(m)))] = 0;
  }
  if (coin()) {
    options.keep_heads.assign(static_cast<std::size_t>(heads), 1);
    options.keep_heads[static_cast<std::size_t>(rng.below(static_cast<std::uint64_t>(heads)))] = 0;
  }
  if (coin()) options.scale = 0.8;
  if (coin()) options.bias = random<double>(n, m, seed + 50);
  options.dropout.seed = seed;
  if (coin()) options.dropout.probability = 0.3;
  if (rng.below(4) == 0) {
    options.dropout.keep = random<double>(heads * n, m, seed + 60).cwiseMax(0.0);
  }
  return options;
}

/// The options with which plain attention computes one head of `grouped_query_attention`, as a
/// reference.
AttentionOptions<double> one_head(const HeadsOptions<double>& options, Index n, Index m) {
  AttentionOptions<double> one;
  one.scale = options.scale;
  one.bias = options.bias;
  const Mask window = window_mask(n, m, options.window);
  Matrix<double> keep(n, m);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) {
      const bool padded =
          !options.keep_keys.empty() && options.keep_keys[static_cast<std::size_t>(j)] == 0;
      keep(i, j) = !padded && options.mask.keeps(i, j, n, m) && window.keeps(i, j, n, m) ? 1 : 0;
    }
  }
  one.mask = Mask::from_matrix<double>(keep);
  return one;
}

}  // namespace

TEST_CASE_TEMPLATE(
    "every layer equals its definition for any widths, groups, masks, padding and pruning", T,
    float, double) {
  for (const HeadShape& s : kShapes) {
    for (const Index n : {1, 4, 7}) {
      for (const Index m : {1, 5, 8}) {
        const Matrix<T> X = random<T>(n, s.d_model, 11), Yk = random<T>(m, s.k_dim, 12),
                        Yv = random<T>(m, s.v_dim, 13);
        const MultiHeadWeights<T> w = layer<T>(s, n != 4);
        HeadsOptions<T> options;
        options.window.left = 3;
        if (m == 5) options.window.right = 1;
        options.keep_keys.assign(static_cast<std::size_t>(m), 1);
        options.keep_keys[static_cast<std::size_t>(m / 2)] = 0;
        if (n == 7) {
          options.mask = Mask::causal();
          options.keep_heads.assign(static_cast<std::size_t>(s.heads), 1);
          options.keep_heads[0] = 0;
        }
        const Definition wanted(X, Yk, Yv, w, options.keep_heads, [&](Index i, Index j) {
          const Index at = i + m - n;
          return j != m / 2 && j >= at - 3 && (m != 5 || j <= at + 1) && (n != 7 || j <= i);
        });
        const auto got = multi_head_attention<T>(X, Yk, Yv, w, options);
        CHECK_CLOSE(got.output, wanted.output, tolerance<T>(), tolerance<T>());
        REQUIRE(got.heads.weights.size() == wanted.weights.size());
        for (std::size_t i = 0; i < wanted.weights.size(); ++i) {
          CHECK_CLOSE(got.heads.weights[i], wanted.weights[i], tolerance<T>(), tolerance<T>());
        }
      }
    }
  }
}

TEST_CASE("grouped heads equal full heads whose keys and values are repeated, not tiled") {
  const Index heads = 6, kv_heads = 3, d = 4, d_v = 2, n = 5, m = 9;
  const Matrix<> Q = random(n, heads * d, 1), K = random(m, kv_heads * d, 2),
                 V = random(m, kv_heads * d_v, 3);
  Matrix<> wide_k(m, heads * d), wide_v(m, heads * d_v), tiled_k(m, heads * d);
  for (Index i = 0; i < heads; ++i) {
    wide_k.middleCols(i * d, d) = K.middleCols(i / 2 * d, d);
    wide_v.middleCols(i * d_v, d_v) = V.middleCols(i / 2 * d_v, d_v);
    tiled_k.middleCols(i * d, d) = K.middleCols(i % kv_heads * d, d);
  }
  const auto got = grouped_query_attention(Q, K, V, heads, kv_heads);
  const auto full = grouped_query_attention(Q, wide_k, wide_v, heads, heads);
  CHECK_CLOSE(got.output, full.output, 0, 0);
  CHECK_CLOSE(got.log_sum_exp, full.log_sum_exp, 0, 0);
  const auto tiled = grouped_query_attention(Q, tiled_k, wide_v, heads, heads);
  CHECK((got.output - tiled.output).cwiseAbs().maxCoeff() > 0.1F);
}

TEST_CASE("heads backward: every head equals attention_backward with its own dropout stream") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 5);
    const auto size = [&](std::uint64_t most) { return static_cast<Index>(1 + rng.below(most)); };
    const Index kv_heads = size(3), heads = kv_heads * size(3), n = size(7), m = size(7),
                d = size(4), d_v = size(4);
    const Matrix<double> Q = random<double>(n, heads * d, seed),
                         K = random<double>(m, kv_heads * d, seed + 1000),
                         V = random<double>(m, kv_heads * d_v, seed + 2000),
                         dO = random<double>(n, heads * d_v, seed + 3000);
    const HeadsOptions<double> options = drawn_options(n, m, heads, seed);
    const AttentionOptions<double> one = one_head(options, n, m);
    const auto forward = grouped_query_attention<double>(Q, K, V, heads, kv_heads, options);
    const auto got =
        grouped_query_attention_backward<double>(Q, K, V, dO, heads, kv_heads, options);
    Matrix<double> dQ = Matrix<double>::Zero(n, heads * d), dK = Matrix<double>::Zero(m, K.cols()),
                   dV = Matrix<double>::Zero(m, V.cols()), d_bias = Matrix<double>::Zero(n, m);
    for (Index i = 0; i < heads; ++i) {
      if (!options.keep_heads.empty() && options.keep_heads[static_cast<std::size_t>(i)] == 0) {
        CHECK(forward.output.middleCols(i * d_v, d_v).isZero(0));
        continue;
      }
      const Index g = i * kv_heads / heads;
      Dropout<double> dropout = options.dropout;
      dropout.stream += static_cast<std::uint64_t>(i);
      if (dropout.keep.size() > 0) dropout.keep = options.dropout.keep->middleRows(i * n, n);
      const auto q = Q.middleCols(i * d, d), k = K.middleCols(g * d, d),
                 v = V.middleCols(g * d_v, d_v), d_out = dO.middleCols(i * d_v, d_v);
      CHECK_CLOSE(forward.output.middleCols(i * d_v, d_v),
                  attention<double>(q, k, v, one, dropout).output, kDouble, kDouble);
      const auto head = attention_backward<double>(q, k, v, d_out, one, dropout);
      dQ.middleCols(i * d, d) = head.dQ;
      dK.middleCols(g * d, d) += head.dK;
      dV.middleCols(g * d_v, d_v) += head.dV;
      d_bias += head.d_bias;
    }
    CHECK_CLOSE(got.dQ, dQ, kDouble, kDouble);
    CHECK_CLOSE(got.dK, dK, kDouble, kDouble);
    CHECK_CLOSE(got.dV, dV, kDouble, kDouble);
    REQUIRE((got.d_bias.size() > 0) == (options.bias.size() > 0));
    if (options.bias.size() > 0) CHECK_CLOSE(got.d_bias, d_bias, kDouble, kDouble);
  }
}

TEST_CASE("heads backward is the derivative: 60 drawn shapes") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 15);
    const auto size = [&](std::uint64_t most) { return static_cast<Index>(1 + rng.below(most)); };
    const Index kv_heads = size(2), heads = kv_heads * size(3), n = size(5), m = size(5),
                d = size(3), d_v = size(3);
    Matrix<double> Q = random<double>(n, heads * d, seed), K = random<double>(m, kv_heads * d, 1),
                   V = random<double>(m, kv_heads * d_v, 2);
    const Matrix<double> dO = random<double>(n, heads * d_v, 3);
    HeadsOptions<double> options = drawn_options(n, m, heads, seed);
    const auto got =
        grouped_query_attention_backward<double>(Q, K, V, dO, heads, kv_heads, options);
    const auto loss = [&] {
      return grouped_query_attention<double>(Q, K, V, heads, kv_heads, options)
          .output.cwiseProduct(dO)
          .sum();
    };
    // Third derivatives here are up to some hundred and losses up to 100; both give errors of about
    // 1e-9.
    constexpr double kSlope = 1e-7;
    CHECK_CLOSE(got.dQ, central_differences(Q, loss), kSlope, kSlope);
    CHECK_CLOSE(got.dK, central_differences(K, loss), kSlope, kSlope);
    CHECK_CLOSE(got.dV, central_differences(V, loss), kSlope, kSlope);
    CHECK_CLOSE(got.d_bias, central_differences(options.bias.edit(), loss), kSlope, kSlope);
  }
}

TEST_CASE("layer backward is the derivative of every input and weight: cross attention") {
  for (std::size_t at = 0; at < kShapes.size(); ++at) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      CAPTURE(at);
      CAPTURE(seed);
      const HeadShape& s = kShapes[at];
      const Index n = 1 + static_cast<Index>(seed) % 4, m = 1 + static_cast<Index>(seed) % 5;
      Matrix<double> X = random<double>(n, s.d_model, seed),
                     Yk = random<double>(m, s.k_dim, seed + 10),
                     Yv = random<double>(m, s.v_dim, seed + 20);
      const Matrix<double> dO = random<double>(n, s.outputs, seed + 30);
      MultiHeadWeights<double> w = layer<double>(s, seed % 3 != 0);
      HeadsOptions<double> options = drawn_options(n, m, s.heads, 8 * at + seed);
      const auto got = multi_head_attention_backward<double>(X, Yk, Yv, dO, w, options);
      const auto loss = [&] {
        return multi_head_attention<double>(X, Yk, Yv, w, options).output.cwiseProduct(dO).sum();
      };
      // The reason is the same as above.
      constexpr double kSlope = 1e-7;
      const MultiHeadWeights<double>& d = got.d_weights;
      CHECK(d.heads == s.heads);
      CHECK(d.kv_heads == s.kv_heads);
      CHECK(worst_slope(got.d_X, X, loss) < kSlope);
      CHECK(worst_slope(got.d_Yk, Yk, loss) < kSlope);
      CHECK(worst_slope(got.d_Yv, Yv, loss) < kSlope);
      CHECK(worst_slope(got.d_bias, options.bias.edit(), loss) < kSlope);
      CHECK(worst_slope(d.Wq, w.Wq, loss) < kSlope);
      CHECK(worst_slope(d.Wk, w.Wk, loss) < kSlope);
      CHECK(worst_slope(d.Wv, w.Wv, loss) < kSlope);
      CHECK(worst_slope(d.Wo, w.Wo, loss) < kSlope);
      CHECK(worst_slope(d.bq, w.bq, loss) < kSlope);
      CHECK(worst_slope(d.bk, w.bk, loss) < kSlope);
      CHECK(worst_slope(d.bv, w.bv, loss) < kSlope);
      CHECK(worst_slope(d.bo, w.bo, loss) < kSlope);
    }
  }
}

TEST_CASE(
    "layer backward, self attention: X sums three gradients, and float32 agrees with float64") {
  for (const HeadShape& s :
       {HeadShape{8, 2, 2, 4, 4, 8, 8, 8}, HeadShape{6, 4, 2, 3, 5, 6, 6, 9}}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      CAPTURE(seed);
      const Index n = 1 + static_cast<Index>(seed) % 6;
      Matrix<double> X = random<double>(n, s.d_model, seed);
      const Matrix<double> dO = random<double>(n, s.outputs, seed + 30);
      const MultiHeadWeights<double> w = layer<double>(s);
      const HeadsOptions<double> options = drawn_options(n, n, s.heads, seed);
      const auto got = multi_head_attention_backward<double>(X, dO, w, options);
      CHECK(got.d_Yk.size() == 0);
      CHECK(got.d_Yv.size() == 0);
      const auto cross = multi_head_attention_backward<double>(X, X, X, dO, w, options);
      CHECK_CLOSE(got.d_weights.Wk, cross.d_weights.Wk, 0, 0);
      const auto slope = central_differences(X, [&] {
        return multi_head_attention<double>(X, w, options).output.cwiseProduct(dO).sum();
      });
      CHECK_CLOSE(got.d_X, slope, 1e-7, 1e-7);

      HeadsOptions<> narrow_options;
      narrow_options.mask = options.mask;
      narrow_options.window = options.window;
      narrow_options.keep_keys = options.keep_keys;
      narrow_options.keep_heads = options.keep_heads;
      narrow_options.scale = options.scale;
      narrow_options.bias = options.bias->cast<float>();
      narrow_options.dropout.keep = options.dropout.keep->cast<float>();
      narrow_options.dropout.seed = options.dropout.seed;
      narrow_options.dropout.probability = options.dropout.probability;
      // The same seeds give layers with the same numbers, rounded.
      const auto narrow = multi_head_attention_backward(X.cast<float>(), dO.cast<float>(),
                                                        layer<float>(s), narrow_options);
      // Three products follow each other, so the rounding is up to ten times that of one.
      CHECK_CLOSE(narrow.d_X, got.d_X, 10 * kFloat, 10 * kFloat);
      CHECK_CLOSE(narrow.d_weights.Wq, got.d_weights.Wq, 10 * kFloat, 10 * kFloat);
      CHECK_CLOSE(narrow.d_weights.Wo, got.d_weights.Wo, 10 * kFloat, 10 * kFloat);
      CHECK_CLOSE(narrow.d_weights.bv, got.d_weights.bv, 10 * kFloat, 10 * kFloat);
    }
  }
}

TEST_CASE("the gradient of the keys' bias is zero up to rounding, for all options") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const HeadShape s{6, 4, 2, 3, 5, 7, 2, 9};
    const Index n = 1 + static_cast<Index>(seed) % 6, m = 1 + static_cast<Index>(seed) % 7;
    const auto got = multi_head_attention_backward<double>(
        random<double>(n, 6, seed), random<double>(m, 7, seed + 1), random<double>(m, 2, seed + 2),
        random<double>(n, 9, seed + 3), layer<double>(s), drawn_options(n, m, s.heads, seed));
    // Sums of some hundred products of size 10 cancel each other.
    CHECK(got.d_weights.bk.cwiseAbs().maxCoeff() < 1e-12);
    CHECK(got.d_weights.bk.size() == s.kv_heads * s.d);
  }
}

TEST_CASE("a pruned head has no gradient, nor have keys and values whose whole group is pruned") {
  const HeadShape s{6, 4, 2, 3, 5, 7, 2, 9};
  HeadsOptions<double> options;
  options.keep_heads = {1, 0, 0, 0};
  const auto got = multi_head_attention_backward<double>(
      random<double>(5, 6, 1), random<double>(4, 7, 2), random<double>(4, 2, 3),
      random<double>(5, 9, 4), layer<double>(s), options);
  const MultiHeadWeights<double>& d = got.d_weights;
  CHECK_FALSE(d.Wq.topRows(3).isZero(0));
  CHECK(d.Wq.bottomRows(9).isZero(0));
  CHECK(d.bq.tail(9).isZero(0));
  CHECK_FALSE(d.Wk.topRows(3).isZero(0));
  CHECK(d.Wk.bottomRows(3).isZero(0));
  CHECK_FALSE(d.Wv.topRows(5).isZero(0));
  CHECK(d.Wv.bottomRows(5).isZero(0));
  CHECK(d.bv.tail(5).isZero(0));
  CHECK_FALSE(d.Wo.leftCols(5).isZero(0));
  CHECK(d.Wo.rightCols(15).isZero(0));
}

TEST_CASE("causal layers: no gradient from a query to anything after it, exactly") {
  const HeadShape s{8, 4, 2, 2, 3, 8, 8, 7};
  const MultiHeadWeights<double> w = layer<double>(s);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 9);
    const Index n = 1 + static_cast<Index>(rng.below(8));
    const Index i = static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)));
    HeadsOptions<double> options = drawn_options(n, n, s.heads, seed);
    options.mask = Mask::causal();
    const Matrix<double> X = random<double>(n, 8, seed);
    Matrix<double> dO = Matrix<double>::Zero(n, 7);
    dO.row(i).setOnes();
    const auto cross = multi_head_attention_backward<double>(X, X, X, dO, w, options);
    CHECK(cross.d_Yk.bottomRows(n - i - 1).isZero(0));
    CHECK(cross.d_Yv.bottomRows(n - i - 1).isZero(0));
    if (options.bias.size() > 0) CHECK(cross.d_bias.rightCols(n - i - 1).isZero(0));
    CHECK(multi_head_attention_backward<double>(X, dO, w, options)
              .d_X.bottomRows(n - i - 1)
              .isZero(0));
  }
  // Past tokens do get a gradient.
  HeadsOptions<double> causal;
  causal.mask = Mask::causal();
  Matrix<double> dO = Matrix<double>::Zero(5, 7);
  dO.row(3).setOnes();
  const auto got =
      multi_head_attention_backward<double>(random<double>(5, 8, 1), dO, w, causal).d_X;
  for (Index j = 0; j <= 3; ++j) CHECK_FALSE(got.row(j).isZero(0));
}

TEST_CASE(
    "grouped heads equal batched attention with repeated keys and values, also with dropout") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    const Index heads = 6, kv_heads = 3, d = 4, d_v = 2, n = 5, m = 7;
    const Matrix<double> Q = random<double>(n, heads * d, seed),
                         K = random<double>(m, kv_heads * d, seed + 1),
                         V = random<double>(m, kv_heads * d_v, seed + 2),
                         dO = random<double>(n, heads * d_v, seed + 3);
    HeadsOptions<double> options = drawn_options(n, m, heads, seed);
    options.keep_heads.clear();
    BatchedAttentionOptions<double> batched;
    batched.attention = one_head(options, n, m);
    batched.dropout = options.dropout;
    Stack<double> q(1, heads, n, d), k(1, heads, m, d), v(1, heads, m, d_v),
        d_out(1, heads, n, d_v);
    for (Index i = 0; i < heads; ++i) {
      q(0, i) = Q.middleCols(i * d, d);
      k(0, i) = K.middleCols(i / 2 * d, d);
      v(0, i) = V.middleCols(i / 2 * d_v, d_v);
      d_out(0, i) = dO.middleCols(i * d_v, d_v);
    }
    const auto got = grouped_query_attention<double>(Q, K, V, heads, kv_heads, options);
    const auto slopes =
        grouped_query_attention_backward<double>(Q, K, V, dO, heads, kv_heads, options);
    const auto wanted = attention<double>(q, k, v, batched);
    const auto back = attention_backward<double>(q, k, v, d_out, batched);
    for (Index i = 0; i < heads; ++i) {
      CHECK_CLOSE(got.output.middleCols(i * d_v, d_v), wanted.output(0, i), kDouble, kDouble);
      CHECK_CLOSE(got.weights[static_cast<std::size_t>(i)], wanted.weights(0, i), kDouble, kDouble);
      CHECK_CLOSE(slopes.dQ.middleCols(i * d, d), back.dQ(0, i), kDouble, kDouble);
    }
    for (Index g = 0; g < kv_heads; ++g) {
      CHECK_CLOSE(slopes.dK.middleCols(g * d, d),
                  (back.dK(0, 2 * g) + back.dK(0, 2 * g + 1)).eval(), kDouble, kDouble);
      CHECK_CLOSE(slopes.dV.middleCols(g * d_v, d_v),
                  (back.dV(0, 2 * g) + back.dV(0, 2 * g + 1)).eval(), kDouble, kDouble);
    }
    if (options.bias.size() > 0) CHECK_CLOSE(slopes.d_bias, back.d_bias, kDouble, kDouble);
  }
}

TEST_CASE("a window is aligned at the bottom right and holds exactly its keys") {
  for (const Index n : {1, 3, 6, 9}) {
    for (const Index m : {1, 3, 6, 9}) {
      for (const Index left : {-1, 0, 2, 20}) {
        for (const Index right : {-1, 0, 1, 20}) {
          KeyWindow window;
          if (left >= 0) window.left = left;
          if (right >= 0) window.right = right;
          const Mask mask = window_mask(n, m, window);
          Index wrong = 0;
          for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < m; ++j) {
              const Index at = i + m - n;
              const bool sees = (left < 0 || j >= at - left) && (right < 0 || j <= at + right);
              wrong += mask.keeps(i, j, n, m) != sees;
            }
          }
          CHECK(wrong == 0);
        }
      }
    }
  }
  CHECK(window_mask(4, 4, {}).kind() == Mask::Kind::kFull);
  CHECK(error_of([] { window_mask(4, 4, {-1, {}}); }).argument() == "window.left");
  CHECK(error_of([] { window_mask(4, 4, {{}, -2}); }).argument() == "window.right");
}

TEST_CASE("a packed projection equals its three parts") {
  const HeadShape s{12, 4, 2, 3, 3, 12, 12, 12};
  const MultiHeadWeights<double> w = layer<double>(s);
  Matrix<double> packed(24, 12);
  packed << w.Wq, w.Wk, w.Wv;
  Vector<double> bias(24);
  bias << w.bq, w.bk, w.bv;
  const auto cut = unpack_in_projection<double>(packed, bias, w.Wo, w.bo, 4, 2);
  const Matrix<double> X = random<double>(5, 12, 9);
  CHECK_CLOSE(multi_head_attention<double>(X, cut).output,
              multi_head_attention<double>(X, X, X, w).output, 0, 0);
  const auto plain = unpack_in_projection<double>(packed, {}, w.Wo, {}, 4, 2);
  CHECK(plain.bq.size() == 0);
  CHECK(error_of([&] {
          unpack_in_projection<double>(packed.topRows(23), {}, w.Wo, {}, 4, 2);
        }).argument() == "W_in");
  CHECK(error_of([&] { unpack_in_projection<double>(packed, {}, w.Wo, {}, 0, 0); }).argument() ==
        "heads");
}

TEST_CASE("the output of a layer does not depend on a shift of its keys' bias") {
  const HeadShape s{8, 2, 2, 4, 4, 8, 8, 8};
  MultiHeadWeights<double> w = layer<double>(s);
  const Matrix<double> X = random<double>(6, 8, 9);
  const Matrix<double> before = multi_head_attention<double>(X, w).output;
  w.bk += random<double>(8, 1, 10);
  CHECK_CLOSE(multi_head_attention<double>(X, w).output, before, kDouble, kDouble);
}

TEST_CASE("permuted keys change nothing, permuted queries permute the rows") {
  const HeadShape s{8, 4, 2, 2, 3, 5, 6, 7};
  const MultiHeadWeights<double> w = layer<double>(s);
  const Matrix<double> X = random<double>(5, 8, 1), Yk = random<double>(6, 5, 2),
                       Yv = random<double>(6, 6, 3);
  const Matrix<double> straight = multi_head_attention<double>(X, Yk, Yv, w).output;
  CHECK_CLOSE(multi_head_attention<double>(X.colwise().reverse(), Yk.colwise().reverse(),
                                           Yv.colwise().reverse(), w)
                  .output.colwise()
                  .reverse()
                  .eval(),
              straight, kDouble, kDouble);
}

TEST_CASE("pruning a head equals removing its rows and columns") {
  const HeadShape s{12, 3, 3, 4, 4, 12, 12, 12};
  const MultiHeadWeights<double> w = layer<double>(s);
  const Matrix<double> X = random<double>(5, 12, 9);
  HeadsOptions<double> options;
  options.keep_heads = {1, 0, 1};
  const auto got = multi_head_attention<double>(X, w, options);

  MultiHeadWeights<double> cut;
  cut.heads = cut.kv_heads = 2;
  const auto without = [](const Matrix<double>& W) {
    Matrix<double> rest(8, W.cols());
    rest << W.topRows(4), W.bottomRows(4);
    return rest;
  };
  cut.Wq = without(w.Wq);
  cut.Wk = without(w.Wk);
  cut.Wv = without(w.Wv);
  cut.Wo = without(w.Wo.transpose()).transpose();
  cut.bq = without(w.bq);
  cut.bk = without(w.bk);
  cut.bv = without(w.bv);
  cut.bo = w.bo;
  const auto small = multi_head_attention<double>(X, cut);
  CHECK_CLOSE(got.output, small.output, kDouble, kDouble);
  CHECK_CLOSE(got.heads.weights[2], small.heads.weights[1], kDouble, kDouble);
  CHECK(got.heads.weights[1].isZero(0));
  CHECK(got.heads.output.middleCols(4, 4).isZero(0));
  CHECK(std::isinf(got.heads.log_sum_exp(1, 0)));
  CHECK(count_parameters<double>(w, options.keep_heads).total() ==
        count_parameters<double>(cut).total());

  options.keep_heads = {0, 0, 0};
  const Matrix<double> none = multi_head_attention<double>(X, w, options).output;
  CHECK_CLOSE(none, w.bo.transpose().replicate(5, 1).eval(), 0, 0);
}

TEST_CASE("the parameter count equals the entries of the matrices") {
  const Index E = 12;
  CHECK(count_parameters<float>(layer<float>({E, 3, 3, 4, 4, E, E, E}, false)).total() ==
        4 * E * E);
  CHECK(count_parameters<float>(layer<float>({E, 3, 3, 4, 4, E, E, E})).total() ==
        4 * E * E + 4 * E);
  const auto grouped = layer<float>({E, 6, 2, 2, 2, E, E, E}, false);
  CHECK(count_parameters<float>(grouped).total() == 2 * E * E + 2 * E * 2 * 2);
  // Heads 0 to 2 share a key-value head, which is removed only with the last of them.
  CHECK(count_parameters<float>(grouped, {0, 0, 1, 1, 1, 1}).key == 4 * E);
  CHECK(count_parameters<float>(grouped, {0, 0, 0, 1, 1, 1}).key == 2 * E);
  CHECK(count_parameters<float>(grouped, {0, 0, 0, 0, 0, 0}).total() == 0);
}

TEST_CASE("one head has no more rank than its input, several together have") {
  // The input has rank 3, so PXWv has rank 3 for each head, and three heads side by side have rank
  // 9.
  const Matrix<double> X = random<double>(20, 3, 1) * random<double>(3, 12, 2);
  const auto w = layer<double>({12, 3, 3, 4, 4, 12, 12, 12}, false);
  const auto got = multi_head_attention<double>(X, w);
  const auto rank = [](const Matrix<double>& x) {
    const Eigen::MatrixXd gram = x * x.transpose();
    // Rounding of the products is about 1e-15 of the largest. The tolerance for singular values is
    // its square root, because the Gram matrix holds squares.
    Index count = 0;
    Eigen::MatrixXd rest = gram;
    for (Index step = 0; step < rest.rows(); ++step) {
      Index pivot = 0;
      const double largest = rest.diagonal().maxCoeff(&pivot);
      if (largest < 1e-12 * gram.diagonal().maxCoeff()) break;
      const Eigen::VectorXd column = rest.col(pivot) / std::sqrt(largest);
      rest -= column * column.transpose();
      ++count;
    }
    return count;
  };
  CHECK(rank(got.heads.output.leftCols(4)) == 3);
  CHECK(rank(got.heads.output) == 9);
}

TEST_CASE("linear attention in the heads equals linear attention of each head's slice") {
  const HeadShape s{8, 4, 2, 3, 2, 5, 6, 7};
  const MultiHeadWeights<double> w = layer<double>(s);
  const Matrix<double> X = random<double>(6, 8, 1), Yk = random<double>(6, 5, 2),
                       Yv = random<double>(6, 6, 3);
  const FeatureMap<double> map("elu_plus_one", 3);
  LinearAttentionOptions options;
  options.causal = true;
  const auto got = multi_head_linear_attention<double>(X, Yk, Yv, w, map, options);
  const auto plus = [](const Matrix<double>& y, const Vector<double>& b) {
    return (y.rowwise() + b.transpose()).eval();
  };
  const Matrix<double> Q = plus(X * w.Wq.transpose(), w.bq), K = plus(Yk * w.Wk.transpose(), w.bk),
                       V = plus(Yv * w.Wv.transpose(), w.bv);
  Matrix<double> heads(6, 8);
  for (Index i = 0; i < 4; ++i) {
    const Index g = i / 2;
    const Matrix<double> A = compute_implicit_attention<double>(
        Q.middleCols(i * 3, 3), K.middleCols(g * 3, 3), map, Mask::causal());
    heads.middleCols(i * 2, 2) = A * V.middleCols(g * 2, 2);
  }
  CHECK_CLOSE(got.heads, heads, 1e-9, 1e-9);
  CHECK_CLOSE(got.output, plus(heads * w.Wo.transpose(), w.bo), 1e-9, 1e-9);
  REQUIRE(got.states.size() == 2);
  CHECK_CLOSE(got.states[1].s,
              (map.apply(K.middleCols(3, 3)).transpose() * V.middleCols(2, 2)).eval(), 1e-9, 1e-9);
}

TEST_CASE("sizes that do not divide or fit are refused by name and number") {
  const Matrix<> Q = random(3, 12, 1), K = random(4, 12, 2), V = random(4, 12, 3);
  const Error heads = error_of([&] { grouped_query_attention(Q, K, V, 5, 5); });
  CHECK(heads.argument() == "heads");
  CHECK(heads.seen().text() == "5 for a d_model of 12");
  const Error groups = error_of([&] { grouped_query_attention(Q, K, V, 4, 3); });
  CHECK(groups.argument() == "kv_heads");
  CHECK(groups.seen().text() == "3 for 4 heads");
  CHECK(error_of([&] { require_heads(12, 0, 0); }).argument() == "heads");
  CHECK(error_of([&] { require_heads(12, 4, 0); }).argument() == "kv_heads");
  CHECK(error_of([&] { grouped_query_attention(Q, K, V, 4, 2); }).argument() == "K");

  HeadsOptions<> options;
  options.keep_heads = {1, 1};
  CHECK(error_of([&] { grouped_query_attention(Q, K, V, 3, 3, options); }).argument() ==
        "keep_heads");
  options.keep_heads = {};
  options.keep_keys = {1, 1, 1};
  CHECK(error_of([&] { grouped_query_attention(Q, K, V, 3, 3, options); }).argument() ==
        "keep_keys");
  options.keep_keys = {};
  options.dropout.keep = Matrix<>::Ones(3, 4);
  CHECK(error_of([&] { grouped_query_attention(Q, K, V, 3, 3, options); }).argument() ==
        "dropout.keep");
  CHECK(error_of([&] { grouped_query_attention_backward(Q, K, V, K, 3, 3); }).argument() == "dO");
  CHECK(error_of([&] {
          grouped_query_attention_backward(Q, K, V, Matrix<>::Constant(3, 12, NAN), 3, 3);
        }).code() == "value");

  const HeadShape s{8, 2, 2, 4, 4, 8, 8, 8};
  const Matrix<> X = random(3, 8, 1);
  MultiHeadWeights<float> w = layer<float>(s);
  w.heads = 3;
  CHECK(error_of([&] { multi_head_attention(X, w); }).seen().text() == "3 for a d_model of 8");
  w = layer<float>(s);
  w.bk.resize(7);
  CHECK(error_of([&] { multi_head_attention(X, w); }).argument() == "bk");
  w = layer<float>(s);
  w.Wo = random(8, 7, 1);
  CHECK(error_of([&] { multi_head_attention(X, w); }).argument() == "Wo");
  w = layer<float>(s);
  CHECK(error_of([&] { multi_head_attention(random(3, 7, 1), w); }).argument() == "X");
  CHECK(error_of([&] { multi_head_attention(X, random(3, 7, 1), X, w); }).argument() == "Yk");
  CHECK(error_of([&] { multi_head_attention(X, X, random(4, 8, 1), w); }).code() == "shape");
  CHECK(error_of([&] { multi_head_attention_backward(X, random(4, 8, 1), w); }).argument() ==
        "d_output");
  CHECK(error_of([&] { multi_head_attention_backward(X, random(3, 7, 1), X, X, w); }).argument() ==
        "Yk");
}

TEST_SUITE_END();
