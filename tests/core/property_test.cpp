// Properties that hold at every shape, checked on hundreds of seeded shapes. Sizes, masks and
// options are all drawn, for float and double in turn. ε is the scalar's machine epsilon, two
// roundings to nearest.

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "attn/analysis/analysis.hpp"
#include "attn/attention/attention.hpp"
#include "attn/attention/batched_attention.hpp"
#include "attn/attention/kv_cache.hpp"
#include "attn/attention/multi_head.hpp"
#include "attn/attention/pattern.hpp"
#include "attn/base/inputs.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "feature_map_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("property");

namespace {

template <typename T>
constexpr double epsilon_of() {
  return static_cast<double>(std::numeric_limits<T>::epsilon());
}

/// A number from 1 to bound.
Index up_to(Rng& rng, Index bound) {
  return 1 + static_cast<Index>(rng.below(static_cast<std::uint64_t>(bound)));
}

bool chance(Rng& rng, double share) { return rng.uniform() < share; }

Mask draw_mask(Rng& rng, Index n, Index m) {
  Mask mask = Mask::full();
  switch (rng.below(5)) {
    case 0:
      break;
    case 1:
      mask = Mask::causal();
      break;
    case 2:
      mask = Mask::causal_bottom_right();
      break;
    case 3: {
      KeyWindow window;
      window.left = up_to(rng, 5) - 1;
      if (chance(rng, 0.5)) window.right = up_to(rng, 3) - 1;
      mask = window_mask(n, m, window);
      break;
    }
    default: {
      // The matrix has so many zeros that small masks have rows without a key.
      Matrix<> keep(n, m);
      for (Index c = 0; c < keep.size(); ++c) keep.data()[c] = chance(rng, 0.4) ? 1.0F : 0.0F;
      mask = Mask::from_matrix(keep);
    }
  }
  return chance(rng, 0.3) ? mask.with_valid_keys(up_to(rng, m + 1) - 1) : mask;
}

std::vector<Index> shuffled(Rng& rng, Index size) {
  std::vector<Index> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(rng.below(i))]);
  return order;
}

/// Calls `check.template operator()<T>(rng)` with float and double in turn.
template <typename Check>
void for_seeds(std::uint64_t stream, int seeds, Check check) {
  for (int seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    Rng rng(static_cast<std::uint64_t>(seed), stream);
    if (seed % 2 == 0) {
      check.template operator()<float>(rng);
    } else {
      check.template operator()<double>(rng);
    }
  }
}

/// Describes the first row that does not sum to one (or to zero where no key is visible), or the
/// first weight that is negative or not allowed; "" when there is none.
///
/// The weights are divided by their own sum, which errs by at most m − 1 roundings. Each quotient
/// adds one rounding or, with a reciprocal, two. The sum in this function is in double, with m
/// roundings of its own. Together the error is below (m + 2)·ε.
template <typename W, typename Keeps>
std::string not_stochastic(const W& weights, Keeps keeps) {
  using T = typename W::Scalar;
  const double bound = static_cast<double>(weights.cols() + 2) * epsilon_of<T>();
  for (Index i = 0; i < weights.rows(); ++i) {
    double sum = 0, wanted = 0;
    for (Index j = 0; j < weights.cols(); ++j) {
      const bool visible = keeps(i, j);
      if (visible ? !(weights(i, j) >= 0) : !(weights(i, j) == 0)) {
        return "cell (" + std::to_string(i) + ", " + std::to_string(j) + ")";
      }
      if (visible) wanted = 1;
      sum += static_cast<double>(weights(i, j));
    }
    if (!(std::abs(sum - wanted) <= bound)) {
      return "row " + std::to_string(i) + " sums to 1 + " + std::to_string((sum - 1) * 1e9) + "e-9";
    }
  }
  return {};
}

/// How far two computations of the same softmax attention may differ. A score errs by d_k roundings
/// of its size, at most ‖q‖‖k‖·scale, and changes its weight by the same relative amount; sums over
/// m keys add m roundings. This counts twice for numerator and denominator, and twice because both
/// computations err. Outputs err by that times the largest value.
template <typename T>
double attention_rounding(In<T> Q, In<T> K, In<T> V, Index d_k, double scale) {
  const double score = static_cast<double>(Q.rowwise().norm().maxCoeff()) *
                       static_cast<double>(K.rowwise().norm().maxCoeff()) * std::abs(scale);
  return 4 * epsilon_of<T>() *
         (static_cast<double>(d_k) * score + static_cast<double>(K.rows()) + 4) *
         std::max(1.0, static_cast<double>(V.cwiseAbs().maxCoeff()));
}

}  // namespace

TEST_CASE("rows sum to one or see nothing: dense attention") {
  for_seeds(1, 300, []<typename T>(Rng& rng) {
    const Index n = up_to(rng, 12), m = up_to(rng, 12), d_k = up_to(rng, 9), d_v = up_to(rng, 5);
    AttentionOptions<T> options;
    options.mask = draw_mask(rng, n, m);
    if (chance(rng, 0.3)) options.scale = 3 * rng.gaussian();
    if (chance(rng, 0.3)) options.bias = rng.gaussian_matrix<T>(n, m);
    const auto got = attention<T>(rng.gaussian_matrix<T>(n, d_k), rng.gaussian_matrix<T>(m, d_k),
                                  Matrix<T>::Ones(m, d_v), options);
    const auto keeps = [&](Index i, Index j) { return options.mask.keeps(i, j, n, m); };
    CHECK_EQ(not_stochastic(got.weights, keeps), "");
    // With values of 1, the outputs are the sums themselves, with m more roundings.
    const Matrix<T> sums = got.weights.rowwise().sum().replicate(1, d_v);
    CHECK_CLOSE(got.output, sums, 0, static_cast<double>(m + 2) * epsilon_of<T>());
  });
}

TEST_CASE("rows sum to one or see nothing: batches and heads") {
  for_seeds(2, 300, []<typename T>(Rng& rng) {
    const Index batch = up_to(rng, 2), heads = up_to(rng, 3);
    const Index n = up_to(rng, 8), m = up_to(rng, 8), d_k = up_to(rng, 6), d_v = up_to(rng, 3);
    const auto draw = [&](Index rows, Index cols) {
      Stack<T> x(batch, heads, rows, cols);
      for (Index c = 0; c < x.size(); ++c) x.data()[c] = static_cast<T>(rng.gaussian());
      return x;
    };
    const Stack<T> Q = draw(n, d_k), K = draw(m, d_k), V = draw(m, d_v);
    BatchedAttentionOptions<T> options;
    const bool own_masks = chance(rng, 0.5);
    for (Index b = 0; own_masks && b < batch; ++b) {
      options.batch_masks.push_back(draw_mask(rng, n, m));
    }
    if (!own_masks) options.attention.mask = draw_mask(rng, n, m);
    const auto got = attention<T>(Q, K, V, options);
    for (Index b = 0; b < batch; ++b) {
      const Mask& mask =
          own_masks ? options.batch_masks[static_cast<std::size_t>(b)] : options.attention.mask;
      for (Index h = 0; h < heads; ++h) {
        CHECK_EQ(not_stochastic(Matrix<T>(got.weights(b, h)),
                                [&](Index i, Index j) { return mask.keeps(i, j, n, m); }),
                 "");
      }
    }
  });
}

TEST_CASE("rows sum to one or see nothing: grouped queries, windows, padding, pruned heads") {
  for_seeds(3, 300, []<typename T>(Rng& rng) {
    const Index kv_heads = up_to(rng, 3), heads = kv_heads * up_to(rng, 3);
    const Index n = up_to(rng, 8), m = up_to(rng, 8), d_k = up_to(rng, 5), d_v = up_to(rng, 3);
    HeadsOptions<T> options;
    options.mask = draw_mask(rng, n, m);
    if (chance(rng, 0.4)) options.window.left = up_to(rng, 5) - 1;
    if (chance(rng, 0.4)) options.window.right = up_to(rng, 3) - 1;
    for (Index j = 0; j < m; ++j) options.keep_keys.push_back(chance(rng, 0.8));
    for (Index h = 0; h < heads; ++h) options.keep_heads.push_back(chance(rng, 0.8));
    const auto got = grouped_query_attention<T>(
        rng.gaussian_matrix<T>(n, heads * d_k), rng.gaussian_matrix<T>(m, kv_heads * d_k),
        rng.gaussian_matrix<T>(m, kv_heads * d_v), heads, kv_heads, options);
    for (std::size_t h = 0; h < got.weights.size(); ++h) {
      CHECK_EQ(not_stochastic(got.weights[h],
                              [&](Index i, Index j) {
                                const Index place = i + m - n;
                                const KeyWindow& window = options.window;
                                return options.keep_heads[h] != 0 &&
                                       options.keep_keys[static_cast<std::size_t>(j)] != 0 &&
                                       options.mask.keeps(i, j, n, m) &&
                                       (!window.left || j >= place - *window.left) &&
                                       (!window.right || j <= place + *window.right);
                              }),
               "");
    }
  });
}

TEST_CASE("rows sum to one or see nothing: implicit attention of every map without signs") {
  int maps = 0;
  for (const FeatureMapInfo& info : feature_maps()) {
    if (small_map(info, 2).positivity() == Positivity::kAny) continue;
    CAPTURE(info.id);
    ++maps;
    int rows = 0;
    for_seeds(4, 300, [&]<typename T>(Rng& rng) {
      const Index n = up_to(rng, 6), m = up_to(rng, 6), d_k = up_to(rng, 4);
      const Mask mask = draw_mask(rng, n, m);
      const FeatureMap<T> map = small_map<T>(info, d_k);
      const Matrix<T> Q = rng.gaussian_matrix<T>(n, d_k), K = rng.gaussian_matrix<T>(m, d_k);
      const Matrix<T> A = compute_implicit_attention<T>(Q, K, map, mask, 0);
      const Position position{0, std::max(n, m)};
      const Matrix<T> kernel = map.apply(Q, Role::kQuery, position) *
                               key_features<T>(K, map, mask, position).transpose();
      for (Index i = 0; i < n; ++i) {
        T sum = 0;
        for (Index j = 0; j < m; ++j) sum += mask.keeps(i, j, n, m) ? kernel(i, j) : T(0);
        // Without ε, a query that matches none of its keys has no weights.
        if (sum == 0 && mask.count(i, n, m) > 0) continue;
        ++rows;
        CHECK_EQ(not_stochastic(A.row(i), [&](Index, Index j) { return mask.keeps(i, j, n, m); }),
                 "");
      }
    });
    // About 1000 rows are drawn; with one key and d_k = 1, ReLU leaves a quarter of them.
    CHECK(rows > 500);
  }
  CHECK(maps >= 10);
}

TEST_CASE("chunks, the recurrence and the masked matrix compute the same linear attention") {
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    for_seeds(5, 30, [&]<typename T>(Rng& rng) {
      const Index n = up_to(rng, 14), d_k = up_to(rng, 5), d_v = up_to(rng, 5);
      const FeatureMap<T> map = small_map<T>(info, d_k);
      // By default no stabiliser is on, so every map has a recurrence.
      REQUIRE(map.streamable(n));
      const Matrix<T> Q = rng.gaussian_matrix<T>(n, d_k), K = rng.gaussian_matrix<T>(n, d_k),
                      V = rng.gaussian_matrix<T>(n, d_v);
      LinearAttentionOptions options;
      options.causal = true;
      options.normalize = chance(rng, 0.7);
      options.denominator = kRules[rng.below(3)];
      options.epsilon = chance(rng, 0.5) ? 1e-6 : 0.3;
      Mask mask = Mask::causal();
      if (chance(rng, 0.4)) {
        options.valid_keys = up_to(rng, n);
        mask = mask.with_valid_keys(*options.valid_keys);
      }
      const auto recurrent = linear_attention<T>(Q, K, V, map, options);
      options.chunk = 1 + up_to(rng, n + 2);
      CAPTURE(options.chunk);
      const auto chunked = linear_attention<T>(Q, K, V, map, options);

      const Position position{0, n};
      const Matrix<T> phi_q = map.apply(Q, Role::kQuery, position),
                      phi_k = key_features<T>(K, map, mask, position);
      // A row of sums of this size has D + n roundings of half an ε each, on either side.
      const double roundings = static_cast<double>(map.dimension() + n + 2) * epsilon_of<T>();
      const double state_size = static_cast<double>(
          (phi_k.cwiseAbs().transpose() * V.cwiseAbs()).maxCoeff() + phi_k.cwiseAbs().sum());
      CHECK_CLOSE(chunked.state.s, recurrent.state.s, 0, roundings * state_size);
      CHECK_CLOSE(chunked.state.z, recurrent.state.z, 0, roundings * state_size);
      CHECK_CLOSE(recurrent.state.s, (phi_k.transpose() * V).eval(), 0, roundings * state_size);
      if (options.normalize) {
        const auto magnified =
            magnification<T>(Q, K, map, mask, options.epsilon, options.denominator);
        const double largest = static_cast<double>(V.cwiseAbs().maxCoeff());
        const Matrix<T> A =
            compute_implicit_attention<T>(Q, K, map, mask, options.epsilon, options.denominator);
        CHECK_EQ(output_mismatch<T>(chunked.output, recurrent.output, magnified, largest), "");
        CHECK_EQ(output_mismatch<T>(recurrent.output, (A * V).eval(), magnified, largest), "");
        return;
      }
      Matrix<T> kernel = phi_q * phi_k.transpose(),
                sizes = phi_q.cwiseAbs() * phi_k.cwiseAbs().transpose();
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
          if (!mask.keeps(i, j, n, n)) kernel(i, j) = sizes(i, j) = 0;
        }
      }
      const double size = static_cast<double>((sizes * V.cwiseAbs()).maxCoeff());
      CHECK_CLOSE(chunked.output, recurrent.output, 0, roundings * size);
      CHECK_CLOSE(recurrent.output, (kernel * V).eval(), 0, roundings * size);
    });
  }
}

TEST_CASE("linear attention's gradients equal its slopes at drawn shapes, maps and rules") {
  // ReLU has no slope at its kink. The maps made of it are differentiated in another test, away
  // from the kink.
  const std::vector<std::string_view> kinks{"relu",        "squared_relu", "cosformer",
                                            "relu_kernel", "t2r",          "dpfp"};
  std::vector<const FeatureMapInfo*> smooth;
  for (const FeatureMapInfo& info : feature_maps()) {
    if (std::find(kinks.begin(), kinks.end(), info.id) == kinks.end()) smooth.push_back(&info);
  }
  REQUIRE(smooth.size() >= 10);
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 6);
    const FeatureMapInfo& info = *smooth[static_cast<std::size_t>(rng.below(smooth.size()))];
    CAPTURE(info.id);
    LinearAttentionOptions options;
    options.causal = chance(rng, 0.5);
    options.normalize = chance(rng, 0.7);
    options.denominator = kRules[rng.below(3)];
    options.epsilon = chance(rng, 0.5) ? 1e-6 : 0.3;
    const Index n = up_to(rng, 4), m = options.causal ? n : up_to(rng, 5);
    const Index d_k = 1 + up_to(rng, 3), d_v = up_to(rng, 3);
    const auto map = small_map<double>(info, d_k);
    Matrix<double> Q = rng.gaussian_matrix<double>(n, d_k), K = rng.gaussian_matrix<double>(m, d_k),
                   V = rng.gaussian_matrix<double>(m, d_v);
    const Matrix<double> dO = rng.gaussian_matrix<double>(n, d_v);
    const Mask mask = options.causal ? Mask::causal() : Mask::full();
    if (options.normalize) {
      // Where a denominator nearly cancels, or lies at the kink of the clamp, differences are not
      // slopes.
      const auto magnified =
          magnification<double>(Q, K, map, mask, options.epsilon, options.denominator);
      if (!(magnified.array() < 20).all()) continue;
      if (options.denominator == DenominatorRule::kClamp) {
        const Matrix<double> kernel = map.apply(Q, Role::kQuery, {0, std::max(n, m)}) *
                                      map.apply(K, Role::kKey, {0, std::max(n, m)}).transpose();
        bool near_kink = false;
        for (Index i = 0; i < n; ++i) {
          const double sum = kernel.row(i).head(mask.end(i, n, m)).sum();
          near_kink = near_kink || std::abs(sum - options.epsilon) < 0.01;
        }
        if (near_kink) continue;
      }
    }
    ++compared;
    const auto got = linear_attention_backward<double>(Q, K, V, dO, map, options);
    const auto loss = [&] {
      return linear_attention<double>(Q, K, V, map, options).output.cwiseProduct(dO).sum();
    };
    // Steps are 1e-5. Truncation is 2e-11 of the third derivative, which a denominator magnified 20
    // times makes 20³ of the slope; rounding is 1e-11 of the loss.
    const auto bound = [](const Matrix<double>& gradient) { return 1e-6 * (1 + gradient.norm()); };
    CHECK(worst_slope(got.dQ, Q, loss) < bound(got.dQ));
    CHECK(worst_slope(got.dK, K, loss) < bound(got.dK));
    CHECK(worst_slope(got.dV, V, loss) < bound(got.dV));
  }
  CHECK(compared > 200);
}

TEST_CASE("a cache gives the rows of causal attention, for all heads, steps and windows") {
  for_seeds(7, 200, []<typename T>(Rng& rng) {
    const Index kv_heads = up_to(rng, 3), heads = kv_heads * up_to(rng, 3), n = up_to(rng, 16);
    const Index d_k = up_to(rng, 6), d_v = up_to(rng, 6), longest = up_to(rng, 5);
    const Matrix<T> Q = rng.gaussian_matrix<T>(n, heads * d_k),
                    K = rng.gaussian_matrix<T>(n, kv_heads * d_k),
                    V = rng.gaussian_matrix<T>(n, kv_heads * d_v);
    HeadsOptions<T> options;
    options.window.right = 0;
    KvCacheOptions ring;
    Index capacity = n;
    if (chance(rng, 0.5)) {
      ring.window = up_to(rng, 6);
      options.window.left = *ring.window - 1;
      // Some rings are larger than necessary.
      capacity = *ring.window + longest - 1 + up_to(rng, 3) - 1;
    }
    CAPTURE(capacity);
    const auto wanted = grouped_query_attention<T>(Q, K, V, heads, kv_heads, options);
    const double bound = attention_rounding<T>(Q, K, V, d_k, attention_scale({}, d_k));
    KvCache<T> cache(capacity, kv_heads, d_k, d_v, ring);
    for (Index t = 0; t < n;) {
      const Index r = std::min(n - t, up_to(rng, longest));
      const auto got =
          cache.decode(Q.middleRows(t, r), K.middleRows(t, r), V.middleRows(t, r), heads);
      const Index first = ring.window ? std::max<Index>(0, t + 1 - *ring.window) : 0;
      CHECK(got.first_position == first);
      CHECK_CLOSE(got.output, wanted.output.middleRows(t, r), 0, bound);
      for (std::size_t h = 0; h < got.weights.size(); ++h) {
        CHECK_CLOSE(got.weights[h], wanted.weights[h].block(t, first, r, t + r - first), 0, bound);
      }
      t += r;
    }
  });
}

TEST_CASE("permuted keys change nothing, and permuted queries permute the rows: dense attention") {
  for_seeds(8, 300, []<typename T>(Rng& rng) {
    const Index n = up_to(rng, 12), m = up_to(rng, 12), d_k = up_to(rng, 8), d_v = up_to(rng, 5);
    const Matrix<T> Q = rng.gaussian_matrix<T>(n, d_k), K = rng.gaussian_matrix<T>(m, d_k),
                    V = rng.gaussian_matrix<T>(m, d_v);
    AttentionOptions<T> options, moved;
    options.mask = draw_mask(rng, n, m);
    const auto rows = shuffled(rng, n), cols = shuffled(rng, m);
    Matrix<T> keep(n, m);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) {
        keep(i, j) = options.mask.keeps(i, j, n, m) ? T(1) : T(0);
      }
    }
    moved.mask = Mask::from_matrix<T>(keep(rows, cols).eval());
    if (chance(rng, 0.4)) {
      options.bias = rng.gaussian_matrix<T>(n, m);
      moved.bias = (*options.bias)(rows, cols);
    }
    const auto got = attention<T>(Q, K, V, options);
    const auto other = attention<T>(Q(rows, Eigen::all).eval(), K(cols, Eigen::all).eval(),
                                    V(cols, Eigen::all).eval(), moved);
    // A bias of N(0, 1) adds one rounding of a few units to each score.
    const double bound =
        attention_rounding<T>(Q, K, V, d_k + 4, attention_scale({}, d_k)) + 16 * epsilon_of<T>();
    CHECK_CLOSE(other.output, got.output(rows, Eigen::all).eval(), 0, bound);
    CHECK_CLOSE(other.weights, got.weights(rows, cols).eval(), 0, bound);
  });
}

TEST_CASE("project 4: q·k has mean 0 and variance d_k, and variance 1 after the factor") {
  constexpr int kDraws = 3000;
  for (const Index d : {1, 4, 16, 64, 200}) {
    CAPTURE(d);
    Rng rng(static_cast<std::uint64_t>(d), 9);
    const Matrix<double> Q = rng.gaussian_matrix<double>(kDraws, d),
                         K = rng.gaussian_matrix<double>(kDraws, d);
    double mean = 0, variance = 0;
    for (Index i = 0; i < kDraws; ++i) {
      const double dot = Q.row(i).dot(K.row(i));
      mean += dot / kDraws;
      variance += dot * dot / kDraws;
    }
    // E(q·k)⁴ = 3E‖q‖⁴ = 3d² + 6d, so (q·k)² has the variance 2d² + 6d.
    const double width = static_cast<double>(d);
    const double error = std::sqrt((2 * width * width + 6 * width) / kDraws);
    CHECK(std::abs(mean) < 5 * std::sqrt(width / kDraws));
    CHECK(std::abs(variance - width) < 5 * error);
    const double factor = attention_scale({}, d);
    CHECK(std::abs(factor * factor * variance - 1) < 5 * error / width);
  }
}

namespace {

/// The number of connected parts when every kept cell joins its query and its key.
Index parts(const Pattern& pattern) {
  std::vector<std::size_t> parent(static_cast<std::size_t>(pattern.rows()));
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t at) {
    while (parent[at] != at) at = parent[at] = parent[parent[at]];
    return at;
  };
  Index left = pattern.rows();
  for (Index i = 0; i < pattern.rows(); ++i) {
    for (const auto key : pattern.row(i)) {
      const std::size_t a = root(static_cast<std::size_t>(i)),
                        b = root(static_cast<std::size_t>(key));
      if (a == b) continue;
      parent[a] = b;
      --left;
    }
  }
  return left;
}

/// Every token sees itself and `keys` others drawn without replacement. No neighbour is guaranteed.
Pattern plain_random(Rng& rng, Index n, Index keys) {
  std::vector<std::vector<Index>> rows;
  for (Index i = 0; i < n; ++i) {
    std::vector<Index> row{i};
    while (static_cast<Index>(row.size()) < 1 + keys) {
      const Index key = up_to(rng, n) - 1;
      if (std::find(row.begin(), row.end(), key) == row.end()) row.push_back(key);
    }
    rows.push_back(std::move(row));
  }
  return Pattern::from_rows(n, rows);
}

}  // namespace

TEST_CASE(
    "project 4: random keys alone leave the sequence in parts; a guaranteed neighbour does not") {
  constexpr int kSeeds = 300;
  constexpr Index kTokens = 40;
  // With one key each, the pattern is a mapping without fixed points. A connected mapping has one
  // cycle of c ≥ 2 tokens, n!/(n−c)!/c of them, and a forest attached to it, c·n^{n−c−1}.
  double whole = 0, ways = 1 / static_cast<double>(kTokens);
  for (Index c = 1; c <= kTokens; ++c) {
    ways *= static_cast<double>(kTokens - c + 1) / static_cast<double>(kTokens);
    if (c >= 2) whole += ways;
  }
  whole *= std::pow(1 - 1 / static_cast<double>(kTokens), -static_cast<double>(kTokens));
  REQUIRE(whole > 0.2);
  REQUIRE(whole < 0.7);
  int together = 0, together_by_three = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 10);
    CHECK(parts(plain_random(rng, kTokens, 0)) == kTokens);
    together += parts(plain_random(rng, kTokens, 1)) == 1;
    together_by_three += parts(plain_random(rng, kTokens, 3)) == 1;
    const Index n = up_to(rng, 40), keys = up_to(rng, 4) - 1;
    CHECK(parts(Pattern::random(n, keys, chance(rng, 0.5), seed)) == 1);
    CHECK(parts(Pattern::random(kTokens, 1, false, seed)) == 1);
  }
  const double share = static_cast<double>(together) / kSeeds;
  CHECK(std::abs(share - whole) < 5 * std::sqrt(whole * (1 - whole) / kSeeds));
  // With three keys each, a part of four or more tokens is separate with a chance of C(40, 4)/C(39,
  // 3)⁴ ≈ 1e-11.
  CHECK(together_by_three == kSeeds);
}

TEST_CASE(
    "zoology's Performer with rows of length √(d/m) does not depend on q·k; with √d it does") {
  // Its features are e^{−‖x′‖²/2} times nearly 1, so the weights depend on the key alone. Softmax
  // weights depend on the key alone for only 1/n of their variance, and ten times less on ‖k‖, so
  // the correlation is at most about √(1/n) = 0.1. With the right scale, 64 features have 0.38, and
  // more features more, ± 0.03 for a draw.
  constexpr Index n = 100, d = 64;
  for (const Index features : {64, 256}) {
    CAPTURE(features);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const auto x = gaussian_qkv<float>(n, d, 1, seed);
      const Matrix<> Q = 0.5F * x.Q, K = 0.5F * x.K;
      FeatureMapOptions<float> options;
      options.projection = random_projection<float>(features, d, true, seed, RowNorms::kFixed);
      const auto correlation = [&] {
        const FeatureMap<> map("softmax_kernel", d, options);
        return compare_to_softmax(Q, K, x.V, map).correlation;
      };
      CHECK(correlation() > 0.25);
      // Zoology multiplies unit rows by √(d/m), where √d was meant.
      options.projection /= std::sqrt(static_cast<float>(features));
      CHECK(std::abs(correlation()) < 0.12);
    }
  }
}

TEST_SUITE_END();
