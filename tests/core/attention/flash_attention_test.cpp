#include "attn/attention/flash_attention.hpp"

#include <algorithm>
#include <limits>

#include "attn/attention/attention_training.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("flash_attention");

namespace {

template <typename T>
struct Inputs {
  Matrix<T> Q, K, V, dO;

  Inputs(Index n, Index m, Index d_k, Index d_v, std::uint64_t seed)
      : Q(random<T>(n, d_k, seed)),
        K(random<T>(m, d_k, seed + 1000)),
        V(random<T>(m, d_v, seed + 2000)),
        dO(random<T>(n, d_v, seed + 3000)) {}
};

template <typename T = float>
FlashOptions<T> tiled(Index query_tile, Index key_tile, const Mask& mask = Mask::full()) {
  FlashOptions<T> options;
  options.query_tile = query_tile;
  options.key_tile = key_tile;
  options.mask = mask;
  return options;
}

Mask random_mask(Index n, Index m, std::uint64_t seed) {
  Rng rng(seed, 9);
  Matrix<> keep(n, m);
  for (Index i = 0; i < keep.size(); ++i) keep.data()[i] = rng.uniform() < 0.4 ? 1.0F : 0.0F;
  return Mask::from_matrix<float>(keep);
}

Mask drawn_mask(std::uint64_t kind, Index n, Index m, std::uint64_t seed) {
  if (kind == 1) return Mask::causal();
  if (kind == 2) return Mask::causal_bottom_right();
  if (kind == 3) return random_mask(n, m, seed);
  return Mask::full();
}

}  // namespace

TEST_CASE_TEMPLATE(
    "forward and backward are those of attention: 300 drawn shapes, tiles, masks, biases, dropouts",
    T, float, double) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 4);
    const auto size = [&](std::uint64_t most) { return static_cast<Index>(1 + rng.below(most)); };
    const Index n = size(40), m = size(40);
    const Inputs<T> x(n, m, size(9), size(9), seed);
    FlashOptions<T> options = tiled<T>(size(45), size(45), drawn_mask(rng.below(4), n, m, seed));
    if (rng.below(2) == 1) options.scale = 2 * rng.uniform() - 0.5;
    if (rng.below(2) == 1) {
      options.bias = random<T>(n, m, seed + 4000);
      // The bias blocks some cells and a whole row.
      for (Index i = 0; i < options.bias.size(); i += 7)
        options.bias.edit().data()[i] = T(-kInfinity);
      if (rng.below(2) == 1) options.bias.edit().row(n / 2).setConstant(T(-kInfinity));
    }
    Dropout<T> dropout;
    dropout.seed = seed;
    if (rng.below(2) == 1) dropout.probability = 0.6 * rng.uniform();
    if (rng.below(4) == 0) dropout.keep = random<T>(n, m, seed + 5000).cwiseMax(T(0));
    options.d_bias = true;
    AttentionOptions<T> plain;
    plain.mask = options.mask;
    plain.scale = options.scale;
    plain.bias = options.bias;
    const auto wanted = attention<T>(x.Q, x.K, x.V, plain, dropout);
    const auto got = flash_attention<T>(x.Q, x.K, x.V, options, dropout);
    // The tolerance is larger because dropout divides by at least 0.4.
    const double close = 2.5 * tolerance<T>();
    CHECK_CLOSE(got.output, wanted.output, close, close);
    CHECK_CLOSE(got.log_sum_exp, wanted.log_sum_exp, close, close);
    const auto slopes = attention_backward<T>(x.Q, x.K, x.V, x.dO, plain, dropout);
    const auto flash = flash_attention_backward<T>(x.Q, x.K, x.V, x.dO, got, options, dropout);
    CHECK_CLOSE(flash.dQ, slopes.dQ, close, close);
    CHECK_CLOSE(flash.dK, slopes.dK, close, close);
    CHECK_CLOSE(flash.dV, slopes.dV, close, close);
    CHECK_CLOSE(flash.d_bias, slopes.d_bias, close, close);
    CHECK_CLOSE(flash.row_dots, slopes.row_dots, close, close);
    CHECK(flash.visited_tiles == got.visited_tiles);
  }
}

TEST_CASE("every tiling drops exactly the cells that dropout_keep names") {
  const Inputs<float> x(23, 31, 4, 2, 6);
  Dropout<> dropout;
  dropout.probability = 0.4;
  dropout.seed = 9;
  dropout.stream = 2;
  const Matrix<> keep = dropout_keep(23, 31, dropout);
  // With the identity as values, the outputs are the weights, which are all above 0 before dropout.
  const Matrix<> V = Matrix<>::Identity(31, 31);
  for (const Index query_tile : {1, 4, 23, 64}) {
    for (const Index key_tile : {1, 3, 16, 64}) {
      const auto got = flash_attention(x.Q, x.K, V, tiled(query_tile, key_tile), dropout);
      CHECK_CLOSE((got.output.array() > 0).cast<float>().matrix().eval(), keep, 0, 0);
    }
  }
}

TEST_CASE("the bias gets a gradient only when asked for") {
  const Inputs<float> x(4, 6, 5, 2, 1);
  FlashOptions<> options;
  options.bias = random(4, 6, 2);
  const auto forward = flash_attention(x.Q, x.K, x.V, options);
  CHECK(flash_attention_backward(x.Q, x.K, x.V, x.dO, forward, options).d_bias.size() == 0);
  options.d_bias = true;
  CHECK(flash_attention_backward(x.Q, x.K, x.V, x.dO, forward, options).d_bias.rows() == 4);
}

TEST_CASE_TEMPLATE("tilings differ by at most 8 ulps of the largest value", T, float, double) {
  // Over these and more seeds, 2.0 ulps were measured for outputs and 2.3 for log-sum-exps. The
  // rest is room for vectors of other widths, which sum in another order.
  constexpr double kUlps = 8 * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (const Index m : {31, 97, 200}) {
    for (const Mask& mask : {Mask::full(), Mask::causal_bottom_right(), random_mask(50, m, 3)}) {
      const Inputs<T> x(50, m, 16, 8, static_cast<std::uint64_t>(m));
      const auto whole = flash_attention<T>(x.Q, x.K, x.V, tiled<T>(1000, 1000, mask));
      const double largest = static_cast<double>(x.V.cwiseAbs().maxCoeff());
      for (const Index query_tile : {1, 7, 64}) {
        for (const Index key_tile : {1, 2, 3, 5, 16, 33, 64}) {
          CAPTURE(m);
          CAPTURE(query_tile);
          CAPTURE(key_tile);
          const auto got = flash_attention<T>(x.Q, x.K, x.V, tiled<T>(query_tile, key_tile, mask));
          CHECK_CLOSE(got.output, whole.output, 0, kUlps * largest);
          CHECK_CLOSE(got.log_sum_exp, whole.log_sum_exp, kUlps, kUlps);
        }
      }
      constexpr Index kLargest = std::numeric_limits<Index>::max();
      const auto got = flash_attention<T>(x.Q, x.K, x.V, tiled<T>(kLargest, kLargest, mask));
      CHECK(got.output == whole.output);
      CHECK(got.visited_tiles == 1);
    }
  }
}

TEST_CASE("tiles outside the band are skipped: exactly those without an allowed cell") {
  const Inputs<float> square(64, 64, 4, 4, 1);
  const auto visited = [](const Inputs<float>& x, const FlashOptions<>& options) {
    const auto got = flash_attention(x.Q, x.K, x.V, options);
    CHECK(flash_attention_backward(x.Q, x.K, x.V, x.dO, got, options).visited_tiles ==
          got.visited_tiles);
    return got.visited_tiles;
  };
  CHECK(visited(square, tiled(16, 16)) == 16);
  CHECK(visited(square, tiled(16, 16, Mask::causal())) == 10);
  CHECK(visited(square, tiled(1, 1, Mask::causal())) == 64 * 65 / 2);
  CHECK(visited(square, tiled(16, 16, Mask::window({8, 0}))) == 7);

  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed, 2);
    const auto size = [&](std::uint64_t most) { return static_cast<Index>(1 + rng.below(most)); };
    const Index n = size(30), m = size(30);
    Mask mask = drawn_mask(1 + rng.below(2), n, m, seed);
    if (rng.below(2) == 0) mask = mask.within({size(9) - 1, size(9) - 1}, n, m);
    const FlashOptions<> options = tiled(size(12), size(12), mask);
    Index wanted = 0;
    for (Index i = 0; i < n; i += options.query_tile) {
      for (Index j = 0; j < m; j += options.key_tile) {
        bool any = false;
        for (Index r = i; r < std::min(n, i + options.query_tile); ++r) {
          for (Index c = j; c < std::min(m, j + options.key_tile); ++c) {
            any = any || mask.keeps(r, c, n, m);
          }
        }
        wanted += any ? 1 : 0;
      }
    }
    const Inputs<float> x(n, m, 3, 3, seed);
    CHECK(visited(x, options) == wanted);
  }
}

TEST_CASE("the trace holds the running maximum and sum of the definition after every tile") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 3);
    const auto size = [&](std::uint64_t most) { return static_cast<Index>(1 + rng.below(most)); };
    const Index n = size(12), m = size(12);
    const Inputs<double> x(n, m, 4, 2, seed);
    FlashOptions<double> options =
        tiled<double>(size(14), size(14), drawn_mask(rng.below(4), n, m, seed));
    options.trace = true;
    const auto got = flash_attention<double>(x.Q, x.K, x.V, options);
    CHECK(got.key_tiles == (m + options.key_tile - 1) / options.key_tile);
    Matrix<double> largest = Matrix<double>::Constant(got.key_tiles, n, -kInfinity);
    Matrix<double> sum = Matrix<double>::Zero(got.key_tiles, n);
    for (Index t = 0; t < got.key_tiles; ++t) {
      for (Index i = 0; i < n; ++i) {
        const Index seen = std::min(m, (t + 1) * options.key_tile);
        const auto score = [&](Index j) { return x.Q.row(i).dot(x.K.row(j)) / 2; };
        for (Index j = 0; j < seen; ++j) {
          if (options.mask.keeps(i, j, n, m)) largest(t, i) = std::max(largest(t, i), score(j));
        }
        for (Index j = 0; j < seen; ++j) {
          if (options.mask.keeps(i, j, n, m)) sum(t, i) += std::exp(score(j) - largest(t, i));
        }
      }
    }
    CHECK_CLOSE(got.trace.running_max, largest, kDouble, kDouble);
    CHECK_CLOSE(got.trace.running_sum, sum, kDouble, kDouble);
  }
  const Inputs<float> x(3, 3, 2, 2, 1);
  CHECK(flash_attention(x.Q, x.K, x.V).trace.running_max.size() == 0);
}

TEST_CASE_TEMPLATE("logits of ±1e4 neither overflow nor give NaN, in any order of tiles", T, float,
                   double) {
  Matrix<T> Q(2, 1), K(4, 1);
  Q << 100, -100;
  K << 100, 0, -100, 50;
  const Matrix<T> V = Matrix<T>::Identity(4, 4);
  Matrix<T> wanted = Matrix<T>::Zero(2, 4);
  wanted(0, 0) = wanted(1, 2) = 1;
  for (const Index key_tile : {1, 2, 3, 4}) {
    FlashOptions<T> options = tiled<T>(1, key_tile);
    options.scale = 1;
    const auto got = flash_attention<T>(Q, K, V, options);
    CHECK_CLOSE(got.output, wanted, 0, 0);
    CHECK(got.log_sum_exp(0) == T(10000));
    const auto slopes = flash_attention_backward<T>(Q, K, V, random<T>(2, 4, 1), got, options);
    CHECK(slopes.dQ.isZero(0));
    CHECK(slopes.dK.isZero(0));
    CHECK(slopes.dV.allFinite());
  }
  // Scores of a few thousand, several of them close to each other; float64 keeps 1e-12 of a score
  // of 1e4.
  const Inputs<double> x(9, 30, 8, 3, 5);
  AttentionOptions<double> plain;
  FlashOptions<double> options = tiled<double>(4, 7);
  options.scale = plain.scale = 2000;
  CHECK(attention<double>(x.Q, x.K, x.V, plain).log_sum_exp.cwiseAbs().maxCoeff() > 5000);
  CHECK_CLOSE(flash_attention<double>(x.Q, x.K, x.V, options).output,
              attention<double>(x.Q, x.K, x.V, plain).output, 1e-9, 1e-9);
}

TEST_CASE_TEMPLATE("a query that sees no key gives zeros and a log-sum-exp of -inf", T, float,
                   double) {
  const Inputs<T> x(7, 3, 4, 2, 1);
  for (const Index query_tile : {1, 2, 3, 8}) {
    for (const Index key_tile : {1, 2, 4}) {
      // The first four of the seven queries see none of the three keys.
      FlashOptions<T> options = tiled<T>(query_tile, key_tile, Mask::causal_bottom_right());
      options.trace = true;
      const auto got = flash_attention<T>(x.Q, x.K, x.V, options);
      CHECK(got.output.topRows(4).isZero(0));
      CHECK_FALSE(got.output.bottomRows(3).isZero(0));
      CHECK((got.log_sum_exp.head(4).array() == -std::numeric_limits<T>::infinity()).all());
      CHECK(got.log_sum_exp.tail(3).allFinite());
      CHECK(got.trace.running_sum.leftCols(4).isZero(0));
      const auto slopes = flash_attention_backward<T>(x.Q, x.K, x.V, x.dO, got, options);
      CHECK(slopes.dQ.topRows(4).isZero(0));
      CHECK(slopes.dQ.allFinite());
      CHECK(slopes.dK.allFinite());

      const auto none = tiled<T>(query_tile, key_tile, Mask::from_matrix<T>(Matrix<T>::Zero(7, 3)));
      const auto nothing = flash_attention<T>(x.Q, x.K, x.V, none);
      CHECK(nothing.output.isZero(0));
      CHECK(flash_attention_backward<T>(x.Q, x.K, x.V, x.dO, nothing, none).dV.isZero(0));
    }
  }
}

TEST_CASE("causal: future keys change no bit of the output and get no gradient") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 7);
    const auto size = [&](std::uint64_t most) { return static_cast<Index>(1 + rng.below(most)); };
    const Index n = size(20), m = size(20);
    FlashOptions<> options =
        tiled(size(8), size(8), seed % 2 == 0 ? Mask::causal() : Mask::causal_bottom_right());
    options.d_bias = true;
    if (rng.below(2) == 1) options.bias = random(n, m, seed + 9);
    Dropout<> dropout;
    dropout.seed = seed;
    if (rng.below(2) == 1) dropout.probability = 0.3;
    Inputs<float> x(n, m, 4, 3, seed);
    const Index i = size(static_cast<std::uint64_t>(n)) - 1;
    const Index future = m - options.mask.end(i, n, m);
    const auto before = flash_attention(x.Q, x.K, x.V, options, dropout);
    Matrix<> dO = Matrix<>::Zero(n, 3);
    dO.row(i) = x.dO.row(i);
    const auto slopes = flash_attention_backward(x.Q, x.K, x.V, dO, before, options, dropout);
    CHECK(slopes.dK.bottomRows(future).isZero(0));
    CHECK(slopes.dV.bottomRows(future).isZero(0));
    CHECK(slopes.d_bias.rightCols(future).isZero(0));
    x.K.bottomRows(future).setConstant(3);
    x.V.bottomRows(future).setConstant(1e30F);
    const auto after = flash_attention(x.Q, x.K, x.V, options, dropout);
    CHECK_CLOSE(after.output.row(i), before.output.row(i), 0, 0);
  }
}

TEST_CASE("arguments that do not fit are refused by name") {
  const Inputs<float> x(4, 6, 5, 2, 1);
  CHECK(error_of([&] { flash_attention(x.Q, x.K, x.V, tiled(0, 4)); }).argument() == "query_tile");
  CHECK(error_of([&] { flash_attention(x.Q, x.K, x.V, tiled(4, -1)); }).argument() == "key_tile");
  CHECK(error_of([&] { flash_attention(x.Q, x.V, x.V); }).argument() == "K");
  const Mask other = Mask::from_matrix<float>(Matrix<>::Ones(6, 4));
  CHECK(error_of([&] { flash_attention(x.Q, x.K, x.V, tiled(2, 2, other)); }).argument() == "mask");
  FlashOptions<> biased;
  biased.bias = Matrix<>::Zero(6, 4);
  CHECK(error_of([&] { flash_attention(x.Q, x.K, x.V, biased); }).argument() == "bias");
  biased.bias = Matrix<>::Zero(4, 6);
  for (const float bad : {NAN, INFINITY}) {
    biased.bias.edit()(2, 3) = bad;
    CHECK(error_of([&] { flash_attention(x.Q, x.K, x.V, biased); }).argument() == "bias");
  }
  // A score of 1e38 and this bias are both finite, but their sum is not.
  const Matrix<> one = Matrix<>::Constant(1, 1, 1e19F);
  biased.bias = Matrix<>::Constant(1, 1, 3e38F);
  CHECK(error_of([&] { flash_attention(one, one, one, biased); }).argument() == "bias");
  AttentionOptions<> plain;
  plain.bias = biased.bias;
  CHECK(error_of([&] { attention(one, one, one, plain); }).argument() == "bias");
  CHECK(error_of([&] { flash_attention(1e30F * x.Q, 1e30F * x.K, x.V); }).argument() == "Q");
  Dropout<> dropout;
  dropout.keep = Matrix<>::Ones(6, 4);
  CHECK(error_of([&] { flash_attention(x.Q, x.K, x.V, {}, dropout); }).argument() ==
        "dropout.keep");
  dropout.keep.edit().resize(0, 0);
  dropout.probability = 1;
  CHECK(error_of([&] { flash_attention(x.Q, x.K, x.V, {}, dropout); }).argument() ==
        "dropout.probability");
  auto forward = flash_attention(x.Q, x.K, x.V);
  CHECK(error_of([&] { flash_attention_backward(x.Q, x.K, x.V, x.V, forward); }).argument() ==
        "dO");
  forward.log_sum_exp.resize(3);
  CHECK(error_of([&] { flash_attention_backward(x.Q, x.K, x.V, x.dO, forward); }).argument() ==
        "forward.log_sum_exp");
  forward.output.resize(3, 2);
  CHECK(error_of([&] { flash_attention_backward(x.Q, x.K, x.V, x.dO, forward); }).argument() ==
        "forward.output");
}

TEST_SUITE_END();
