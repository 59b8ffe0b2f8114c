#include "attn/linear_attention/linear_attention.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "attn/attention/attention.hpp"
#include "feature_map_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("linear_attention");

namespace {

struct Inputs {
  Matrix<double> Q, K, V, dO;

  Inputs(Index n, Index m, Index d_k = 4, Index d_v = 3, std::uint64_t seed = 0)
      : Q(random<double>(n, d_k, 100 * seed + 1)),
        K(random<double>(m, d_k, 100 * seed + 2)),
        V(random<double>(m, d_v, 100 * seed + 3)),
        dO(random<double>(n, d_v, 100 * seed + 4)) {}
};

/// Each map with its default parameters, and again with its stabiliser.
std::vector<FeatureMap<double>> all_maps(Index d_k, bool stabilized = true) {
  std::vector<FeatureMap<double>> maps;
  for (const FeatureMapInfo& info : feature_maps()) {
    maps.push_back(small_map(info, d_k));
    if (stabilized && has_parameter(info, "stabilize")) {
      maps.push_back(small_map(info, d_k, {{"stabilize", 1}}));
    }
  }
  return maps;
}

std::string name_of(const FeatureMap<double>& map) {
  return std::string(map.info().id) + (map.streamable(1) ? "" : ", stabilised");
}

/// A number from 1 to bound.
Index up_to(Rng& rng, std::uint64_t bound) { return 1 + static_cast<Index>(rng.below(bound)); }

/// Returns the rows of X in another order.
Matrix<double> in_order(const Matrix<double>& X, const std::vector<Index>& order) {
  Matrix<double> moved(X.rows(), X.cols());
  for (Index i = 0; i < X.rows(); ++i) moved.row(i) = X.row(order[static_cast<std::size_t>(i)]);
  return moved;
}

std::vector<Index> shuffled(Index size, Rng& rng) {
  std::vector<Index> order;
  for (Index i = 0; i < size; ++i) order.push_back(i);
  for (Index i = size - 1; i > 0; --i) {
    const auto other = static_cast<std::size_t>(rng.below(static_cast<std::uint64_t>(i) + 1));
    std::swap(order[static_cast<std::size_t>(i)], order[other]);
  }
  return order;
}

LinearAttentionOptions causal() {
  LinearAttentionOptions options;
  options.causal = true;
  return options;
}

}  // namespace

TEST_CASE(
    "linear attention equals its implicit matrix times V: every map, rule, mask and padding") {
  Rng rng(31);
  for (const FeatureMap<double>& map : all_maps(4)) {
    CAPTURE(name_of(map));
    for (const DenominatorRule rule : kRules) {
      for (int way = 0; way < 12; ++way) {
        CAPTURE(way);
        LinearAttentionOptions options;
        options.causal = way % 2 == 1;
        options.denominator = rule;
        options.epsilon = way % 3 == 0 ? 0 : way % 3 == 1 ? 1e-6 : 2;
        // With ε = 0, negative sums would be clamped to 0 and divided by: one form would give ±∞
        // and the other NaN.
        if (rule == DenominatorRule::kClamp && options.epsilon == 0) options.epsilon = 1e-9;
        options.chunk = up_to(rng, 4);
        const Index n = up_to(rng, 9), m = options.causal ? n : up_to(rng, 9);
        const Inputs x(n, m, 4, up_to(rng, 5), static_cast<std::uint64_t>(way));
        Mask mask = options.causal ? Mask::causal() : Mask::full();
        if (way >= 6) {
          options.valid_keys = up_to(rng, static_cast<std::uint64_t>(m));
          mask = mask.with_valid_keys(*options.valid_keys);
        }
        const auto A =
            compute_implicit_attention<double>(x.Q, x.K, map, mask, options.epsilon, rule);
        const auto magnified = magnification<double>(x.Q, x.K, map, mask, options.epsilon, rule);
        CHECK_EQ(
            output_mismatch<double>(linear_attention<double>(x.Q, x.K, x.V, map, options).output,
                                    (A * x.V).eval(), magnified, x.V.cwiseAbs().maxCoeff()),
            "");
      }
    }
  }
}

TEST_CASE("implicit attention divides the kernel by its own rule under any mask") {
  Rng rng(32);
  for (const FeatureMap<double>& map : all_maps(3)) {
    CAPTURE(name_of(map));
    for (int round = 0; round < 6; ++round) {
      CAPTURE(round);
      const Index n = up_to(rng, 7), m = up_to(rng, 7);
      const Inputs x(n, m, 3, 1, static_cast<std::uint64_t>(round));
      Matrix<double> keep(n, m);
      for (Index i = 0; i < keep.size(); ++i) keep.data()[i] = rng.uniform() < 0.6 ? 1 : 0;
      Mask mask = round % 2 == 0 ? Mask::from_matrix<double>(keep) : Mask::causal_bottom_right();
      if (round >= 2) mask = mask.with_valid_keys(up_to(rng, static_cast<std::uint64_t>(m)));
      const Position position{0, std::max(n, m)};
      const Matrix<double> phi_q = map.apply(x.Q, Role::kQuery, position);
      const Index valid = mask.valid_keys(m);
      const Matrix<double> phi_k = map.apply(x.K.topRows(valid), Role::kKey, position);
      for (const DenominatorRule rule : kRules) {
        const double epsilon = 0.3;
        const auto A = compute_implicit_attention<double>(x.Q, x.K, map, mask, epsilon, rule);
        for (Index i = 0; i < n; ++i) {
          double sum = 0, size = 0;
          for (Index j = 0; j < valid; ++j) {
            if (!mask.keeps(i, j, n, m)) continue;
            sum += phi_q.row(i).dot(phi_k.row(j));
            size += phi_q.row(i).cwiseAbs().dot(phi_k.row(j).cwiseAbs());
          }
          double denominator = std::max(sum, epsilon);
          if (rule == DenominatorRule::kAdd) denominator = sum + epsilon;
          if (rule == DenominatorRule::kAddToKeySum) {
            denominator = sum + epsilon * phi_q.row(i).sum();
          }
          for (Index j = 0; j < m; ++j) {
            if (!mask.keeps(i, j, n, m)) {
              CHECK(A(i, j) == 0.0);
              continue;
            }
            if (denominator == 0) {
              // Only lucidrains' rule can give this result here, for a query whose features are all
              // 0.
              CHECK(rule == DenominatorRule::kAddToKeySum);
              CHECK(std::isnan(A(i, j)));
              continue;
            }
            const double wanted = phi_q.row(i).dot(phi_k.row(j));
            // The rounding of the denominator grows with how much of it cancelled.
            CHECK(std::abs(A(i, j) * denominator - wanted) <=
                  1e-13 * (size +
                           std::abs(A(i, j)) * (size + epsilon * phi_q.row(i).cwiseAbs().sum())));
          }
        }
      }
    }
  }
}

TEST_CASE("rows of implicit attention sum to one, and blocked cells are zero") {
  const Inputs x(9, 9);
  const FeatureMap<double> map("elu_plus_one", 4);
  const auto A = compute_implicit_attention<double>(x.Q, x.K, map, Mask::causal(), 0);
  for (Index i = 0; i < 9; ++i) {
    CHECK(A.row(i).sum() == doctest::Approx(1));
    for (Index j = i + 1; j < 9; ++j) CHECK(A(i, j) == 0.0);
  }
  const auto none = compute_implicit_attention<double>(
      x.Q, x.K, map, Mask::from_matrix<double>(Matrix<double>::Zero(9, 9)), 0);
  CHECK(none.isZero(0));
}

TEST_CASE_TEMPLATE("chunks of any size compute what the recurrence computes", T, float, double) {
  const Index n = 29;
  const Matrix<T> Q = random<T>(n, 4, 1), K = random<T>(n, 4, 2), V = random<T>(n, 3, 3);
  const FeatureMap<T> map("elu_plus_one", 4);
  const auto recurrent = linear_attention<T>(Q, K, V, map, causal());
  for (const Index chunk : {2, 4, 7, 29, 64}) {
    LinearAttentionOptions options = causal();
    options.chunk = chunk;
    const auto got = linear_attention<T>(Q, K, V, map, options);
    CHECK_CLOSE(got.output, recurrent.output, tolerance<T>(), tolerance<T>());
    CHECK_CLOSE(got.state.s, recurrent.state.s, tolerance<T>(), tolerance<T>());
  }
}

TEST_CASE("a sequence can be interrupted and continued from its state") {
  const Inputs x(11, 11);
  const FeatureMap<double> map("elu_plus_one", 4);
  const auto whole = linear_attention<double>(x.Q, x.K, x.V, map, causal());
  const auto first =
      linear_attention<double>(x.Q.topRows(5), x.K.topRows(5), x.V.topRows(5), map, causal());
  const auto rest = linear_attention<double>(x.Q.bottomRows(6), x.K.bottomRows(6),
                                             x.V.bottomRows(6), map, causal(), &first.state);
  CHECK_CLOSE(first.output, whole.output.topRows(5), kDouble, kDouble);
  CHECK_CLOSE(rest.output, whole.output.bottomRows(6), kDouble, kDouble);
  CHECK_CLOSE(rest.state.z, whole.state.z, kDouble, kDouble);
}

TEST_CASE("ε is added once, however often a sequence is continued") {
  Rng rng(36);
  for (const FeatureMap<double>& map : all_maps(4, false)) {
    CAPTURE(name_of(map));
    for (const DenominatorRule rule : kRules) {
      CAPTURE(static_cast<int>(rule));
      const Index n = 3 + up_to(rng, 9);
      const Inputs x(n, n);
      LinearAttentionOptions options = causal();
      options.denominator = rule;
      options.epsilon = 0.5;
      options.position.length = n + 2;
      const auto whole = linear_attention<double>(x.Q, x.K, x.V, map, options);
      const auto magnified = magnification<double>(x.Q, x.K, map, Mask::causal(), 0.5, rule);
      LinearState<double> state = LinearState<double>::zero(map.dimension(), 3);
      for (Index at = 0; at < n;) {
        const Index size = std::min(n - at, up_to(rng, 4));
        options.position.offset = at;
        options.chunk = up_to(rng, 3);
        const auto part =
            linear_attention<double>(x.Q.middleRows(at, size), x.K.middleRows(at, size),
                                     x.V.middleRows(at, size), map, options, &state);
        // cosFormer's magnification was computed for another length, but its features never cancel.
        CHECK_EQ(output_mismatch<double>(part.output, whole.output.middleRows(at, size).eval(),
                                         magnified.segment(at, size), 4),
                 "");
        state = part.state;
        at += size;
      }
      CHECK_CLOSE(state.s, whole.state.s, kDouble,
                  kDouble * (1 + whole.state.s.cwiseAbs().maxCoeff()));
      CHECK_CLOSE(state.z, whole.state.z, kDouble,
                  kDouble * (1 + whole.state.z.cwiseAbs().maxCoeff()));
    }
  }
}

TEST_CASE("lucidrains' rule with a state carried in is φ(q)·(z + ε) of all tokens so far") {
  const Inputs x(5, 5);
  const FeatureMap<double> map("elu_plus_one", 4);
  LinearState<double> state = LinearState<double>::zero(4, 3);
  state.s = random<double>(4, 3, 61);
  state.z = random<double>(4, 1, 62).cwiseAbs();
  LinearAttentionOptions options = causal();
  options.denominator = DenominatorRule::kAddToKeySum;
  options.epsilon = 0.7;
  const Matrix<double> phi_q = map.apply(x.Q), phi_k = map.apply(x.K, Role::kKey);
  for (const Index chunk : {1, 3, 8}) {
    options.chunk = chunk;
    const auto got = linear_attention<double>(x.Q, x.K, x.V, map, options, &state);
    Matrix<double> s = state.s;
    Vector<double> z = state.z;
    for (Index i = 0; i < 5; ++i) {
      s += phi_k.row(i).transpose() * x.V.row(i);
      z += phi_k.row(i).transpose();
      const double denominator = phi_q.row(i).dot((z.array() + 0.7).matrix());
      CHECK_CLOSE(got.output.row(i), (phi_q.row(i) * s / denominator).eval(), kDouble, kDouble);
    }
  }
}

TEST_CASE("a positional map continues from a state when it knows position and length") {
  const Inputs x(7, 7);
  const FeatureMap<double> map("cosformer", 4);
  LinearAttentionOptions options = causal();
  options.position.length = 9;
  const auto whole = linear_attention<double>(x.Q, x.K, x.V, map, options);
  const auto first =
      linear_attention<double>(x.Q.topRows(4), x.K.topRows(4), x.V.topRows(4), map, options);
  options.position.offset = 4;
  const auto rest = linear_attention<double>(x.Q.bottomRows(3), x.K.bottomRows(3),
                                             x.V.bottomRows(3), map, options, &first.state);
  CHECK_CLOSE(rest.output, whole.output.bottomRows(3), kDouble, kDouble);
  options.position = {4, 6};
  CHECK(error_of([&] {
          linear_attention<double>(x.Q.bottomRows(3), x.K.bottomRows(3), x.V.bottomRows(3), map,
                                   options, &first.state);
        }).argument() == "length");
}

TEST_CASE("a state is refused where it would give wrong outputs") {
  const Inputs x(5, 5);
  const auto state = LinearState<double>::zero(8, 3);
  const FeatureMap<double> positional("cosformer", 4), plain("relu", 4);
  CHECK(error_of([&] {
          linear_attention<double>(x.Q, x.K, x.V, positional, causal(), &state);
        }).argument() == "state");
  CHECK(error_of([&] {
          linear_attention<double>(x.Q, x.K, x.V, plain, causal(), &state);
        }).argument() == "state.s");
  CHECK(error_of([&] { linear_attention<double>(x.Q, x.K, x.V, plain, {}, &state); }).argument() ==
        "state");
}

TEST_CASE("a query that sees no key gets zeros under every rule and ε, and no gradient") {
  for (const FeatureMap<double>& map : all_maps(4)) {
    CAPTURE(name_of(map));
    for (const DenominatorRule rule : kRules) {
      for (const double epsilon : {0.0, 1e-6}) {
        for (const Index chunk : {0, 1, 2, 9}) {  // 0: not causal
          const Inputs x(5, 5);
          LinearAttentionOptions options;
          options.causal = chunk > 0;
          options.chunk = std::max<Index>(chunk, 1);
          options.denominator = rule;
          options.epsilon = epsilon;
          options.valid_keys = 0;
          CHECK(linear_attention<double>(x.Q, x.K, x.V, map, options).output.isZero(0));
          const auto d = linear_attention_backward<double>(x.Q, x.K, x.V, x.dO, map, options);
          CHECK((d.dQ.isZero(0) && d.dK.isZero(0) && d.dV.isZero(0)));
        }
        CHECK(compute_implicit_attention<double>(Inputs(5, 5).Q, Inputs(5, 5).K, map,
                                                 Mask::full().with_valid_keys(0), epsilon, rule)
                  .isZero(0));
      }
    }
  }
  // A state that has seen keys still gives outputs, and a zero state gives zeros.
  const Inputs x(3, 3);
  const FeatureMap<double> map("elu_plus_one", 4);
  LinearAttentionOptions options = causal();
  options.epsilon = 0;
  const auto before = linear_attention<double>(x.Q, x.K, x.V, map, options);
  options.valid_keys = 0;
  const auto after = linear_attention<double>(x.Q, x.K, x.V, map, options, &before.state);
  CHECK_CLOSE(after.output.row(2), before.output.row(2), kDouble, kDouble);
  const auto zero = LinearState<double>::zero(4, 3);
  CHECK(linear_attention<double>(x.Q, x.K, x.V, map, options, &zero).output.isZero(0));
}

TEST_CASE("padded keys change nothing, whatever they hold, with any map") {
  for (const FeatureMap<double>& map : all_maps(4)) {
    CAPTURE(name_of(map));
    for (const DenominatorRule rule : kRules) {
      for (const bool is_causal : {false, true}) {
        const Inputs x(is_causal ? 9 : 4, 9);
        Matrix<double> other = x.K;
        other.bottomRows(3) *= 5;
        LinearAttentionOptions options;
        options.causal = is_causal;
        options.denominator = rule;
        options.valid_keys = 6;
        const auto padded = linear_attention<double>(x.Q, x.K, x.V, map, options);
        const auto changed = linear_attention<double>(x.Q, other, x.V, map, options);
        CHECK_CLOSE(changed.output, padded.output, 0, 0);
        CHECK_CLOSE(changed.state.s, padded.state.s, 0, 0);
        const auto gradients = linear_attention_backward<double>(x.Q, x.K, x.V, x.dO, map, options);
        CHECK(gradients.dK.bottomRows(3).isZero(0));
        CHECK(gradients.dV.bottomRows(3).isZero(0));
        if (is_causal) continue;
        // The result must be as if the padded keys had never existed, in a sequence of the same
        // length.
        const auto magnified =
            magnification<double>(x.Q, x.K, map, Mask::full().with_valid_keys(6), 1e-6, rule);
        options.valid_keys.reset();
        options.position.length = 9;
        CHECK_EQ(
            output_mismatch<double>(
                linear_attention<double>(x.Q, x.K.topRows(6), x.V.topRows(6), map, options).output,
                padded.output, magnified, x.V.cwiseAbs().maxCoeff()),
            "");
      }
    }
  }
  const Inputs x(4, 9);
  LinearAttentionOptions options;
  options.valid_keys = 10;
  CHECK(error_of([&] {
          linear_attention<double>(x.Q, x.K, x.V, {"elu_plus_one", 4}, options);
        }).argument() == "valid_keys");
}

namespace {

/// Inputs on which no denominator is small compared with the terms of its sum, so that differences
/// of outputs measure slopes and not rounding; and an ε that clamps about half of the rows.
struct Conditioned {
  Inputs x;
  double epsilon;
};

Conditioned conditioned(const FeatureMap<double>& map, const LinearAttentionOptions& options,
                        Index n, Index m) {
  Mask mask = options.causal ? Mask::causal() : Mask::full();
  if (options.valid_keys) mask = mask.with_valid_keys(*options.valid_keys);
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Conditioned found{Inputs(n, m, map.d_k(), 2, seed), 0.1};
    if (options.denominator == DenominatorRule::kClamp) {
      const Position position{0, std::max(n, m)};
      const Matrix<double> phi_q = map.apply(found.x.Q, Role::kQuery, position);
      const Matrix<double> phi_k = key_features<double>(found.x.K, map, mask, position);
      std::vector<double> sums;
      for (Index i = 0; i < n; ++i) {
        double sum = 0;
        for (Index j = 0; j < mask.end(i, n, m); ++j) sum += phi_q.row(i).dot(phi_k.row(j));
        sums.push_back(sum);
      }
      std::sort(sums.begin(), sums.end());
      const std::size_t half = sums.size() / 2;
      found.epsilon = (sums[half - 1] + sums[half]) / 2;
      // The ε must be far from every sum on both sides, because the clamp has a kink there.
      if (!(found.epsilon > 0 && sums[half] - sums[half - 1] > 0.02 * found.epsilon)) continue;
    }
    const Vector<double> magnified =
        magnification<double>(found.x.Q, found.x.K, map, mask, found.epsilon, options.denominator);
    if ((magnified.array() < 20).all()) {
      return found;
    }
  }
  FAIL("no well-conditioned inputs");
  return {Inputs(n, m), 0};
}

void check_gradients(const FeatureMap<double>& map, const Inputs& x,
                     const LinearAttentionOptions& options) {
  const auto got = linear_attention_backward<double>(x.Q, x.K, x.V, x.dO, map, options);
  const auto loss = [&](const Inputs& at) {
    return linear_attention<double>(at.Q, at.K, at.V, map, options).output.cwiseProduct(x.dO).sum();
  };
  const auto numeric = [&](Matrix<double> Inputs::*part) {
    Matrix<double> slope((x.*part).rows(), (x.*part).cols());
    Inputs at = x;
    for (Index i = 0; i < slope.size(); ++i) {
      double& entry = (at.*part).data()[i];
      const double here = entry;
      entry = here + 1e-6;
      const double up = loss(at);
      entry = here - 1e-6;
      slope.data()[i] = (up - loss(at)) / 2e-6;
      entry = here;
    }
    return slope;
  };
  const auto check = [](const Matrix<double>& slope, const Matrix<double>& wanted) {
    // Central differences with h = 1e-6 err by h² from the third derivative and by 1e-16/h from
    // rounding, both times the size of the slopes.
    CHECK_CLOSE(slope, wanted, 1e-5, 1e-7 * (1 + wanted.cwiseAbs().maxCoeff()));
  };
  check(got.dQ, numeric(&Inputs::Q));
  check(got.dK, numeric(&Inputs::K));
  check(got.dV, numeric(&Inputs::V));
}

}  // namespace

TEST_CASE("gradients are the derivatives of the output: every map, rule and mode") {
  for (const FeatureMap<double>& map : all_maps(3)) {
    CAPTURE(name_of(map));
    for (const bool is_causal : {false, true}) {
      CAPTURE(is_causal);
      LinearAttentionOptions options;
      options.causal = is_causal;
      const Index n = 3, m = is_causal ? 3 : 4;
      for (const DenominatorRule rule : kRules) {
        CAPTURE(static_cast<int>(rule));
        options.denominator = rule;
        const Conditioned at = conditioned(map, options, n, m);
        options.epsilon = at.epsilon;
        check_gradients(map, at.x, options);
      }
      options.normalize = false;
      check_gradients(map, Inputs(n, m, 3, 2, 9), options);
      options.normalize = true;
      options.denominator = DenominatorRule::kAdd;
      options.valid_keys = 2;
      const Conditioned padded = conditioned(map, options, n, m);
      options.epsilon = padded.epsilon;
      check_gradients(map, padded.x, options);
    }
  }
  // These options make the sequence a part of a longer one.
  LinearAttentionOptions later = causal();
  later.position = {5, 20};
  const FeatureMap<double> map("cosformer", 3);
  later.epsilon = 0.1;
  check_gradients(map, Inputs(4, 4, 3, 2, 3), later);
}

TEST_CASE("no gradient and no output reaches back from the future") {
  Rng rng(33);
  for (const FeatureMap<double>& map : all_maps(4, false)) {
    CAPTURE(name_of(map));
    for (const DenominatorRule rule : kRules) {
      const Index n = 2 + up_to(rng, 8),
                  at = static_cast<Index>(rng.below(static_cast<std::uint64_t>(n - 1)));
      const Inputs x(n, n, 4, 3, 1);
      LinearAttentionOptions options = causal();
      options.denominator = rule;
      Matrix<double> dO = Matrix<double>::Zero(n, 3);
      dO.row(at) = x.dO.row(at);
      const auto g = linear_attention_backward<double>(x.Q, x.K, x.V, dO, map, options);
      const Index later = n - at - 1;
      CHECK(g.dK.bottomRows(later).isZero(0));
      CHECK(g.dV.bottomRows(later).isZero(0));
      CHECK(g.dQ.bottomRows(later).isZero(0));
      CHECK(g.dQ.topRows(at).isZero(0));
      // The token itself has an effect, unless its query and its key have no feature in common.
      const double own =
          map.apply(x.Q, Role::kQuery).row(at).dot(map.apply(x.K, Role::kKey).row(at));
      CHECK(g.dV.row(at).isZero(0) == (own == 0));

      Inputs changed = x;
      changed.Q.bottomRows(later) *= -2;
      changed.K.bottomRows(later) *= 3;
      changed.V.bottomRows(later) *= 5;
      CHECK_CLOSE(linear_attention<double>(changed.Q, changed.K, changed.V, map, options)
                      .output.topRows(at + 1),
                  linear_attention<double>(x.Q, x.K, x.V, map, options).output.topRows(at + 1), 0,
                  0);
    }
  }
}

TEST_CASE("permuted keys change nothing, and permuted queries permute the outputs") {
  Rng rng(34);
  for (const FeatureMap<double>& map : all_maps(4)) {
    CAPTURE(name_of(map));
    for (int round = 0; round < 6; ++round) {
      const Index n = 1 + up_to(rng, 9), m = 3 + up_to(rng, 9);
      const Inputs x(n, m, 4, up_to(rng, 5), static_cast<std::uint64_t>(round));
      LinearAttentionOptions options;
      options.denominator = kRules[round % 3];
      options.epsilon = 0.1;
      const auto keys = shuffled(m, rng), queries = shuffled(n, rng);
      const auto magnified =
          magnification<double>(x.Q, x.K, map, Mask::full(), options.epsilon, options.denominator);
      const Matrix<double> wanted = linear_attention<double>(x.Q, x.K, x.V, map, options).output;
      const std::string keys_moved = output_mismatch<double>(
          linear_attention<double>(x.Q, in_order(x.K, keys), in_order(x.V, keys), map, options)
              .output,
          wanted, magnified, x.V.cwiseAbs().maxCoeff());
      // cosFormer depends on positions.
      if (map.info().positional) {
        CHECK_NE(keys_moved, "");
        continue;
      }
      CHECK_EQ(keys_moved, "");
      Vector<double> magnified_moved(n);
      for (Index i = 0; i < n; ++i) {
        magnified_moved(i) = magnified(queries[static_cast<std::size_t>(i)]);
      }
      CHECK_EQ(output_mismatch<double>(
                   linear_attention<double>(in_order(x.Q, queries), x.K, x.V, map, options).output,
                   in_order(wanted, queries), magnified_moved, x.V.cwiseAbs().maxCoeff()),
               "");
    }
  }
}

TEST_CASE("the recurrence equals the parallel form on each prefix, for all chunk sizes") {
  Rng rng(35);
  for (const FeatureMap<double>& map : all_maps(4)) {
    CAPTURE(name_of(map));
    for (int round = 0; round < 6; ++round) {
      const Index n = 1 + up_to(rng, 16);
      const Inputs x(n, n, 4, up_to(rng, 6), static_cast<std::uint64_t>(round));
      LinearAttentionOptions options = causal();
      options.denominator = kRules[round % 3];
      options.epsilon = round < 3 ? 1e-6 : 0.2;
      if (round % 2 == 0) options.valid_keys = up_to(rng, static_cast<std::uint64_t>(n));
      Mask mask = Mask::causal().with_valid_keys(options.valid_keys.value_or(n));
      const auto magnified =
          magnification<double>(x.Q, x.K, map, mask, options.epsilon, options.denominator);
      const double largest = x.V.cwiseAbs().maxCoeff();
      const auto recurrent = linear_attention<double>(x.Q, x.K, x.V, map, options);
      for (const Index chunk : {Index{2}, up_to(rng, 16), n, n + 3}) {
        options.chunk = chunk;
        const auto got = linear_attention<double>(x.Q, x.K, x.V, map, options);
        CHECK_EQ(output_mismatch<double>(got.output, recurrent.output, magnified, largest), "");
        CHECK_CLOSE(got.state.s, recurrent.state.s, kDouble,
                    kDouble * (1 + recurrent.state.s.cwiseAbs().maxCoeff()));
        CHECK_CLOSE(got.state.z, recurrent.state.z, kDouble,
                    kDouble * (1 + recurrent.state.z.cwiseAbs().maxCoeff()));
      }
      // A stabiliser looks at all keys, also at future ones.
      if (!map.streamable()) continue;
      options.causal = false;
      options.chunk = 1;
      for (Index i = 0; i < n; ++i) {
        const Index seen = mask.end(i, n, n);
        options.valid_keys = seen;
        CHECK_EQ(output_mismatch<double>(
                     linear_attention<double>(x.Q.middleRows(i, 1), x.K.topRows(seen),
                                              x.V.topRows(seen), map, options)
                         .output,
                     recurrent.output.row(i), magnified.segment(i, 1), largest),
                 "");
      }
    }
  }
}

TEST_CASE("gradients of a sequence whose n×m weights would not fit") {
  // The 33 000² float32 weights would take 4.06 GiB, more than wasm can address, so this test
  // passes only in O(n·d) memory. The map is the identity and nothing is divided, so the gradients
  // are plain sums.
  const Index n = 33000;
  Matrix<> Q = random(n, 1, 1), K = random(n, 1, 2), V = random(n, 1, 3), dO = random(n, 1, 4);
  LinearAttentionOptions options = causal();
  options.normalize = false;
  const auto g = linear_attention_backward<float>(Q, K, V, dO, {"identity", 1}, options);
  double seen = 0, to_come = 0;
  for (Index i = 0; i < n; ++i) {
    seen += static_cast<double>(K(i, 0)) * static_cast<double>(V(i, 0));
    if (i % 3000 == 0 || i == n - 1) {
      // The sum has up to 33 000 terms in float32, which cancel to about the square root of that.
      CHECK(static_cast<double>(g.dQ(i, 0)) ==
            doctest::Approx(seen * static_cast<double>(dO(i, 0))).epsilon(1e-3).scale(1));
    }
  }
  for (Index j = n - 1; j >= 0; --j) {
    to_come += static_cast<double>(Q(j, 0)) * static_cast<double>(dO(j, 0));
    if (j % 3000 == 0) {
      CHECK(static_cast<double>(g.dK(j, 0)) ==
            doctest::Approx(to_come * static_cast<double>(V(j, 0))).epsilon(1e-3).scale(1));
      CHECK(static_cast<double>(g.dV(j, 0)) ==
            doctest::Approx(to_come * static_cast<double>(K(j, 0))).epsilon(1e-3).scale(1));
    }
  }
}

TEST_CASE("each rule makes its own denominator of the same sums, for all chunk sizes") {
  const Inputs x(6, 6);
  const FeatureMap<double> map("elu_plus_one", 4);
  const Matrix<double> phi_q = map.apply(x.Q), phi_k = map.apply(x.K, Role::kKey);
  Index clamped = 0;
  for (const bool is_causal : {false, true}) {
    Matrix<double> cells = phi_q * phi_k.transpose();
    for (Index i = 0; is_causal && i < 6; ++i) cells.row(i).tail(5 - i).setZero();
    for (const DenominatorRule rule :
         {DenominatorRule::kAdd, DenominatorRule::kClamp, DenominatorRule::kAddToKeySum}) {
      LinearAttentionOptions options;
      options.causal = is_causal;
      options.epsilon = 30;
      options.denominator = rule;
      Matrix<double> wanted = cells * x.V;
      for (Index i = 0; i < 6; ++i) {
        const double sum = cells.row(i).sum();
        clamped += sum < 30;
        if (rule == DenominatorRule::kAdd) wanted.row(i) /= sum + 30;
        if (rule == DenominatorRule::kClamp) wanted.row(i) /= std::max(sum, 30.0);
        if (rule == DenominatorRule::kAddToKeySum) wanted.row(i) /= sum + 30 * phi_q.row(i).sum();
      }
      for (const Index chunk : {1, 4}) {
        options.chunk = chunk;
        CHECK_CLOSE(linear_attention<double>(x.Q, x.K, x.V, map, options).output, wanted, kDouble,
                    kDouble);
      }
    }
  }
  // Some denominators were clamped and some were not.
  CHECK(clamped > 0);
  CHECK(clamped < 36);
}

TEST_CASE("clamping gives a query without matching keys a zero output") {
  const Matrix<double> Q = Matrix<double>::Constant(1, 3, -1), K = Matrix<double>::Ones(2, 3);
  LinearAttentionOptions options;
  options.denominator = DenominatorRule::kClamp;
  const FeatureMap<double> map("relu", 3);
  CHECK(linear_attention<double>(Q, K, K, map, options).output.isZero(0));
  const auto gradients =
      linear_attention_backward<double>(Q, K, K, Matrix<double>::Ones(1, 3), map, options);
  CHECK(gradients.dQ.allFinite());
}

TEST_CASE_TEMPLATE(
    "a query whose sum overflows is NaN in every form, and one that sees no key is 0", T, float,
    double) {
  // φ(q_0)·Σφ(k) is ∞ or −∞, though φ(q_0)·Σφ(k)v is finite: divided by ∞ it would be 0.
  const T most = std::numeric_limits<T>::max();
  const Index n = 20;
  for (const char* id : {"squared_relu", "identity"}) {
    for (const T sign : {T(1), T(-1)}) {
      const bool squared = id[0] == 's';
      if (squared && sign < 0) continue;
      Matrix<T> Q = Matrix<T>::Ones(n, 2), K = Matrix<T>::Ones(n, 2);
      const T large = squared ? std::sqrt(most / 16) : most / 16;
      Q.row(n - 1).setConstant(sign * large);
      const Matrix<T> V = Matrix<T>::Constant(n, 3, T(1e-3));
      const FeatureMap<T> map(id, 2);
      const auto overflowed = [&](const Matrix<T>& made) {
        CHECK(made.row(n - 1).array().isNaN().all());
        CHECK(made.topRows(n - 1).allFinite());
        CHECK(made.topRows(n - 1).cwiseAbs().minCoeff() > 0);
      };
      for (const auto rule :
           {DenominatorRule::kAdd, DenominatorRule::kClamp, DenominatorRule::kAddToKeySum}) {
        LinearAttentionOptions options;
        options.denominator = rule;
        for (const bool keep_state : {true, false}) {
          for (const Index chunk : {1, 4}) {
            for (const bool causal : {true, false}) {
              CAPTURE(id);
              CAPTURE(chunk);
              CAPTURE(causal);
              options.keep_state = keep_state;
              options.chunk = chunk;
              options.causal = causal;
              overflowed(linear_attention<T>(Q, K, V, map, options).output);
            }
          }
        }
        // Token by token, where each token is a call of its own.
        options.causal = options.keep_state = true;
        options.chunk = 1;
        LinearAttentionResult<T> one;
        for (Index i = 0; i < n; ++i) {
          const LinearState<T> before = one.state;
          one = linear_attention<T>(Q.row(i), K.row(i), V.row(i), map, options,
                                    i > 0 ? &before : nullptr);
          CHECK(one.output.hasNaN() == (i == n - 1));
        }
        Matrix<T> keep = Matrix<T>::Ones(n, n);
        keep.row(0).setZero();
        const Matrix<T> A = compute_implicit_attention<T>(Q, K, map, Mask::from_matrix<T>(keep),
                                                          options.epsilon, rule);
        CHECK(A.row(0).isZero(0));
        CHECK(A.row(n - 1).array().isNaN().all());
        CHECK(A.topRows(n - 1).allFinite());
      }
      LinearAttentionOptions none;
      none.valid_keys = 0;
      CHECK(linear_attention<T>(Q, K, V, map, none).output.isZero(0));
    }
  }
}

TEST_CASE("the linear order with the identity map equals Q(KᵀV)") {
  const Inputs x(9, 6);
  CHECK_CLOSE(linear_attention_order<double>(x.Q, x.K, x.V, {"identity", 4}),
              standard_attention_order<double>(x.Q, x.K, x.V).output, kDouble, kDouble);
}

TEST_CASE("associativity holds, in float32 only with an absolute tolerance") {
  const Matrix<> Q = random(100, 64, 1), K = random(100, 64, 2), V = random(100, 64, 3);
  CHECK(verify_associativity(Q, K, V).equal);
  CHECK_FALSE(verify_associativity(Q, K, V, 1e-5, 0).equal);
  const auto wide =
      verify_associativity<double>(Q.cast<double>(), K.cast<double>(), V.cast<double>(), 1e-5, 0);
  CHECK(wide.equal);
  CHECK(wide.max_relative_difference < 1e-7);
  CHECK_CLOSE(wide.k_tv, (K.cast<double>().transpose() * V.cast<double>()).eval(), kDouble, 1e-9);
}

TEST_CASE("products that overflow are not reported as equal") {
  const Matrix<> big = Matrix<>::Constant(2, 2, 1e30F);
  const auto both = verify_associativity(big, big, big);
  CHECK_FALSE(both.equal);
  CHECK(std::isnan(both.max_difference));
  const Matrix<> small = Matrix<>::Constant(1, 1, 1e-20F), large = Matrix<>::Constant(1, 1, 1e20F);
  CHECK_FALSE(verify_associativity(small, large, large).equal);
}

TEST_CASE("arguments that do not fit are refused by name") {
  const Inputs x(5, 6);
  const FeatureMap<double> map("relu", 4);
  CHECK(error_of([&] { linear_attention<double>(x.Q, x.K, x.V, map, causal()); }).argument() ==
        "K");
  LinearAttentionOptions options;
  options.epsilon = -1;
  CHECK(error_of([&] { linear_attention<double>(x.Q, x.K, x.V, map, options); }).argument() ==
        "epsilon");
  options = causal();
  options.chunk = 0;
  CHECK(error_of([&] { linear_attention<double>(x.Q, x.Q, x.Q, map, options); }).argument() ==
        "chunk");
  for (const Index offset : {std::numeric_limits<Index>::max(), Index{2147483643}, Index{-1}}) {
    options = causal();
    options.position.offset = offset;
    CHECK(error_of([&] { linear_attention<double>(x.Q, x.Q, x.Q, map, options); }).argument() ==
          "offset");
  }
  CHECK(error_of([&] { linear_attention_backward<double>(x.Q, x.K, x.V, x.V, map); }).argument() ==
        "dO");
  CHECK(error_of([&] { verify_associativity<double>(x.Q, x.K, x.V, -1, 0); }).argument() == "rtol");
}

TEST_CASE("denominators equal the sums of the comparison, for every map and mask") {
  const Inputs x(70, 9);
  Matrix<double> keep = Matrix<double>::Ones(70, 9);
  keep.row(3).setZero();
  keep(5, 2) = 0;
  const Mask masks[] = {Mask::full(), Mask::causal(), Mask::full().with_valid_keys(4),
                        Mask::from_matrix<double>(keep)};
  for (const auto& map : all_maps(4)) {
    for (const Mask& mask : masks) {
      CAPTURE(name_of(map));
      const Vector<double> got = compute_denominators<double>(x.Q, x.K, map, mask);
      const Position position{0, 70};
      const Matrix<double> phi_k = key_features<double>(x.K, map, mask, position);
      const Matrix<double> scores = map.apply(x.Q, Role::kQuery, position) * phi_k.transpose();
      for (Index i = 0; i < 70; ++i) {
        double sum = 0;
        for (Index j = 0; j < 9; ++j) sum += mask.keeps(i, j, 70, 9) ? scores(i, j) : 0;
        CHECK(std::abs(got(i) - sum) <= 1e-12 * (1 + scores.row(i).cwiseAbs().sum()));
      }
    }
  }
  CHECK(error_of([&] { compute_denominators<double>(x.Q, x.V, {"relu", 4}); }).argument() == "K");
}

TEST_CASE("linear attention is the same in steps of any size, for every map and option") {
  Rng rng(8);
  for (const bool is_causal : {false, true}) {
    const Inputs x(23, is_causal ? 23 : 17);
    for (const auto& map : all_maps(4)) {
      CAPTURE(name_of(map));
      LinearAttentionOptions options;
      options.causal = is_causal;
      options.normalize = rng.below(4) > 0;
      options.epsilon = rng.below(2) > 0 ? 1e-6 : 0.1;
      options.denominator = static_cast<DenominatorRule>(rng.below(3));
      options.valid_keys = static_cast<Index>(rng.below(18));
      options.position = {3, 40};
      const auto want = linear_attention<double>(x.Q, x.K, x.V, map, options);
      for (const Index rows : {1, 5, 16, 64}) {
        CAPTURE(rows);
        LinearAttentionRun<double> work(x.Q, x.K, x.V, map, options);
        CHECK(work.progress() == 0);
        double before = 0;
        while (!work.step(rows)) {
          CHECK(work.progress() > before);
          before = work.progress();
        }
        CHECK(work.progress() == 1);
        CHECK(work.step(1));
        CHECK_CLOSE(work.result().output, want.output, 1e-7, 1e-9);
        CHECK_CLOSE(work.result().state.s, want.state.s, 1e-12, 1e-12);
        CHECK_CLOSE(work.result().state.z, want.state.z, 1e-12, 1e-12);
      }
    }
  }
}

TEST_CASE("steps that leave no state carry it from one to the next") {
  // More rows than a call of the page works on at once, in float32, where the kernels run.
  const Index n = 2100;
  const Matrix<> Q = random<float>(n, 4, 1), K = random<float>(n, 4, 2), V = random<float>(n, 3, 3);
  for (const bool is_causal : {false, true}) {
    CAPTURE(is_causal);
    LinearAttentionOptions options;
    options.causal = is_causal;
    const FeatureMap<> map("elu_plus_one", 4);
    const LinearAttentionResult<> kept = linear_attention<float>(Q, K, V, map, options);
    options.keep_state = false;
    LinearAttentionRun<float> work(Q, K, V, map, options);
    while (!work.step(1024)) CHECK(work.result().state.s.size() > 0);
    // Sums of 2,100 terms in another order.
    CHECK_CLOSE(work.result().output, kept.output, 1e-5, 1e-5);
    CHECK(work.result().state.s.size() == 0);
    CHECK(work.result().state.z.size() == 0);
  }
}

TEST_CASE("steps continue from a state, and refuse at once what the whole call would refuse") {
  const Inputs x(20, 20);
  const FeatureMap<double> map("elu_plus_one", 4);
  LinearAttentionOptions options = causal();
  const auto half = [&](const Matrix<double>& X, bool second) {
    return Matrix<double>(second ? X.bottomRows(10) : X.topRows(10));
  };
  const auto before =
      linear_attention<double>(half(x.Q, false), half(x.K, false), half(x.V, false), map, options);
  LinearAttentionRun<double> work(half(x.Q, true), half(x.K, true), half(x.V, true), map, options,
                                  before.state);
  while (!work.step(3)) {
  }
  const auto all = linear_attention<double>(x.Q, x.K, x.V, map, options);
  CHECK_CLOSE(work.result().output, all.output.bottomRows(10), 1e-12, 1e-12);
  CHECK_CLOSE(work.result().state.s, all.state.s, 1e-12, 1e-12);

  using Run = LinearAttentionRun<double>;
  const LinearAttentionOptions full;
  CHECK(error_of([&] { Run(x.Q, x.K, x.V, map, full, before.state); }).argument() == "state");
  CHECK(error_of([&] { Run(x.Q, x.V, x.V, map); }).argument() == "K");
  CHECK(error_of([&] { Run(x.V, x.V, x.V, map); }).argument() == "Q");
  options.position = {5, 10};
  CHECK(error_of([&] { Run(x.Q, x.K, x.V, map, options); }).argument() == "length");
  options = full;
  options.epsilon = -1;
  CHECK(error_of([&] { Run(x.Q, x.K, x.V, map, options); }).argument() == "epsilon");
}

TEST_SUITE_END();
