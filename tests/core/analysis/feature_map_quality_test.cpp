#include "attn/analysis/feature_map_quality.hpp"

#include "attn/analysis/singular_values.hpp"
#include "attn/attention/softmax.hpp"
#include "attn/base/inputs.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

FeatureMapQualityOptions quality_under(const Mask& mask) {
  FeatureMapQualityOptions options;
  options.compare.mask = mask;
  return options;
}

/// Queries and keys have one column each, and φ is the identity, so that each s = q·k is written
/// directly in the test.
FeatureMapQuality of_column(const std::vector<double>& keys, double epsilon, double near_zero) {
  Matrix<double> K(static_cast<Index>(keys.size()), 1);
  for (Index j = 0; j < K.rows(); ++j) K(j, 0) = keys[static_cast<std::size_t>(j)];
  FeatureMapQualityOptions options;
  options.compare.epsilon = epsilon;
  options.near_zero = near_zero;
  return analyze_feature_map_quality<double>(Matrix<double>::Ones(1, 1), K, K, {"identity", 1},
                                             options);
}

}  // namespace

TEST_SUITE_BEGIN("feature map quality");

TEST_CASE("weights and outputs: every number equals its definition, for every map") {
  for (const FeatureMapInfo& info : feature_maps()) {
    for (const Mask& mask : {Mask::full(), Mask::causal(), Mask::causal_bottom_right()}) {
      CAPTURE(info.id);
      const Index n = 9, m = 7, d = 4;
      const Matrix<double> Q = random<double>(n, d, 1), K = random<double>(m, d, 2),
                           V = random<double>(m, 3, 3);
      const FeatureMap<double> map(info.id, d);
      const auto got = analyze_feature_map_quality<double>(Q, K, V, map, quality_under(mask));
      CompareOptions how;
      how.mask = mask;
      const auto pictures = compare_to_softmax<double>(Q, K, V, map, how);
      const auto &P = pictures.softmax, &A = pictures.implicit;
      const auto same = [](double a, double b) {
        return a == b || (std::isnan(a) && std::isnan(b));
      };
      CHECK(same(got.mse, pictures.mse));
      CHECK(same(got.correlation, pictures.correlation));
      CHECK(same(got.output_error, pictures.output_error));
      CHECK(got.uniform_mse == pictures.uniform_mse);
      CHECK(got.mse_bound == pictures.mse_bound);
      CHECK(got.feature_dimension == map.dimension());
      const Matrix<double> PV = P * V, AV = A * V;
      CHECK(got.output_cosine ==
            doctest::Approx(PV.cwiseProduct(AV).sum() / PV.norm() / AV.norm()).epsilon(1e-9));

      double kl = 0, uniform = 0, rows = 0, defined = 0, negative = 0, zero = 0, cancelled = 0,
             small = 0;
      const Matrix<double> phi_q = map.apply(Q, Role::kQuery, {0, n}),
                           phi_k = map.apply(K, Role::kKey, {0, n});
      for (Index i = 0; i < n; ++i) {
        const Index visible = mask.count(i, n, m);
        if (visible == 0) continue;
        ++rows;
        uniform += std::log(static_cast<double>(visible)) - entropy<double>(P.row(i).transpose());
        bool sound = true;
        double gap = 0, sum = 0, sizes = 0;
        for (Index j = 0; j < visible; ++j) {
          const double s = phi_q.row(i).dot(phi_k.row(j));
          sum += s;
          sizes += std::abs(s);
        }
        for (Index j = 0; j < visible; ++j) {
          const double a = A(i, j) / A.row(i).sum();
          sound = sound && A(i, j) > 0;
          gap += P(i, j) * std::log(P(i, j) / a);
        }
        negative += sum < 0;
        zero += sum == 0;
        cancelled += sum != 0 && std::abs(sum) < 0.01 * sizes;
        small += sum != 0 && 1e-6 > 0.01 * std::abs(sum);
        if (!sound || !(A.row(i).sum() > 0)) continue;
        ++defined;
        kl += gap;
      }
      CHECK(got.uniform_kl == doctest::Approx(uniform / rows));
      CHECK(got.kl_undefined == doctest::Approx(1 - defined / rows));
      CHECK(got.negative_denominators == doctest::Approx(negative / rows));
      CHECK(got.zero_denominators == doctest::Approx(zero / rows));
      CHECK(got.cancelled_denominators == doctest::Approx(cancelled / rows));
      CHECK(got.epsilon_denominators == doctest::Approx(small / rows));
      CHECK(got.non_finite_denominators == 0);
      if (defined > 0) {
        CHECK(got.kl == doctest::Approx(kl / defined).epsilon(1e-8));
        CHECK(got.kl >= 0);
      } else {
        CHECK(std::isnan(got.kl));
      }
      double below = 0;
      for (Index c = 0; c < A.size(); ++c) below += A.data()[c] < 0;
      CHECK(got.negative_weights ==
            doctest::Approx(below / static_cast<double>(pictures.kept_cells)));
      const auto values = singular_values<double>(phi_k);
      CHECK(got.feature_rank == numerical_rank<double>(phi_k));
      if (values.back() > 1e-9 * values.front()) {
        CHECK(*got.condition == doctest::Approx(values.front() / values.back()));
      } else {
        CHECK(*got.condition >= 1e9);
      }
      const Matrix<double> gram = phi_k * phi_k.transpose();
      CHECK(*got.effective_rank ==
            doctest::Approx(gram.trace() * gram.trace() / gram.squaredNorm()));
    }
  }
}

TEST_CASE("a map that approximates softmax well has almost no divergence and the same output") {
  // 1 + s + s²/2 differs from eˢ by s³/6, and s is about 1e-4 here.
  const Matrix<double> Q = 0.01 * random<double>(20, 4, 1), K = 0.01 * random<double>(20, 4, 2),
                       V = random<double>(20, 5, 3);
  const auto got = analyze_feature_map_quality<double>(Q, K, V, {"taylor", 4});
  // The bound is the rounding of a sum of 20 terms.
  CHECK(got.kl < 1e-15);
  CHECK(got.kl >= 0);
  CHECK(got.uniform_kl > 1e-10);
  CHECK(got.kl_undefined == 0);
  CHECK(got.output_cosine == doctest::Approx(1));
  CHECK(got.output_error < 1e-6);
}

TEST_CASE("KL compares the normalised weights, so ε in the denominator does not change it") {
  const Matrix<double> Q = 1e-3 * random<double>(8, 4, 1).cwiseAbs(),
                       K = random<double>(8, 4, 2).cwiseAbs(), V = random<double>(8, 2, 3);
  FeatureMapQualityOptions exact;
  exact.compare.epsilon = 0;
  const FeatureMap<double> map("squared_relu", 4);
  const auto with = analyze_feature_map_quality<double>(Q, K, V, map);
  const auto without = analyze_feature_map_quality<double>(Q, K, V, map, exact);
  CHECK(with.kl == doctest::Approx(without.kl));
  CHECK(with.epsilon_denominators > 0.5);
  CHECK(without.epsilon_denominators == 0);
  CHECK(with.output_error != doctest::Approx(without.output_error));
}

TEST_CASE("a row's divergence is undefined when a weight is 0 where softmax has weight") {
  const auto x = gaussian_qkv<double>(60, 4, 3, 1);
  const auto got = analyze_feature_map_quality<double>(x.Q, x.K, x.V, {"relu", 4});
  const Matrix<double> A = compute_implicit_attention<double>(x.Q, x.K, {"relu", 4});
  double touched = 0;
  for (Index i = 0; i < 60; ++i) touched += A.row(i).minCoeff() <= 0;
  // At d = 4 a third of all products is 0, so hardly any row has none.
  CHECK(got.kl_undefined == doctest::Approx(touched / 60));
  CHECK(got.kl_undefined > 0.9);
  // Negative weights are not a distribution either.
  const auto signs = analyze_feature_map_quality<double>(x.Q, x.K, x.V, {"identity", 4});
  CHECK(signs.kl_undefined == 1);
  CHECK(std::isnan(signs.kl));
  CHECK(signs.negative_weights > 0.3);
}

TEST_CASE("denominators are counted that are negative, zero, cancelled or hidden by ε") {
  CHECK(of_column({1, -2}, 1e-6, 0.01).negative_denominators == 1);
  CHECK(of_column({1, -1}, 1e-6, 0.01).zero_denominators == 1);
  CHECK(of_column({1, -1}, 1e-6, 0.01).cancelled_denominators == 0);
  // |Σs|/Σ|s| is 0.01/1.99.
  CHECK(of_column({1, -0.99}, 1e-6, 0.0051).cancelled_denominators == 1);
  CHECK(of_column({1, -0.99}, 1e-6, 0.005).cancelled_denominators == 0);
  CHECK(of_column({-1, 0.99}, 1e-6, 0.0051).cancelled_denominators == 1);
  CHECK(of_column({-1, 0.99}, 1e-6, 0.0051).negative_denominators == 1);
  CHECK(of_column({1, 3}, 1e-6, 0.01).cancelled_denominators == 0);
  CHECK(of_column({1e-5, 1e-5}, 1e-6, 0.01).epsilon_denominators == 1);
  CHECK(of_column({1e-5, 1e-5}, 1e-6, 0.06).epsilon_denominators == 0);
  CHECK(of_column({1, 1}, 1e-6, 0.01).epsilon_denominators == 0);
}

TEST_CASE("underflow: a positive map whose features are 0 or subnormal in float32") {
  Matrix<> x = Matrix<>::Zero(4, 2);
  // e^−95 is subnormal in float32, and e^−110 is 0.
  x(0, 0) = -95;
  x(1, 0) = -110;
  const Matrix<> V = random(4, 2, 1);
  FeatureMapQualityOptions options;
  options.compare.scale = 1e-3;
  const auto got = analyze_feature_map_quality(x, x, V, FeatureMap<>("elu_plus_one", 2), options);
  // The core's exp in float32 makes no subnormal numbers, but a square does.
  CHECK(got.subnormal_features == 0);
  CHECK(got.zero_features == 2.0 / 8);
  CHECK(got.underflow == 2.0 / 8);
  Matrix<> small = Matrix<>::Ones(4, 2);
  small(0, 0) = 1e-20F;
  CHECK(analyze_feature_map_quality(small, small, V, FeatureMap<>("square", 2), options)
            .subnormal_features == 1.0 / 8);
  const auto wide = analyze_feature_map_quality<double>(
      x.cast<double>(), x.cast<double>(), V.cast<double>(), {"elu_plus_one", 2}, options);
  CHECK(wide.underflow == 0);
  // The zeros of ReLU are intended and are not underflow.
  const auto relu = analyze_feature_map_quality(x, x, V, FeatureMap<>("relu", 2), options);
  CHECK(std::isnan(relu.underflow));
  CHECK(relu.zero_features == 1);
}

TEST_CASE("dead queries, keys and features") {
  Matrix<> Q = random(5, 3, 1).cwiseAbs(), K = random(4, 3, 2).cwiseAbs();
  const Matrix<> V = random(4, 2, 3);
  const FeatureMap<> map("relu", 3);
  const auto alive = analyze_feature_map_quality(Q, K, V, map);
  CHECK(alive.dead_queries == 0);
  CHECK(alive.dead_keys == 0);
  CHECK(alive.dead_features == 0);
  Q.row(2).setConstant(-1);
  K.row(0).setConstant(-1);
  K.row(3).setConstant(-1);
  K.col(1).setConstant(-1);
  const auto got = analyze_feature_map_quality(Q, K, V, map);
  CHECK(got.dead_queries == 1.0 / 5);
  CHECK(got.dead_keys == 2.0 / 4);
  CHECK(got.dead_features == doctest::Approx(1.0 / 3));
  CHECK(got.zero_denominators == 1.0 / 5);
  const Matrix<> none = Matrix<>::Constant(4, 3, -1);
  const auto dead = analyze_feature_map_quality(none, none, V, map);
  CHECK(dead.dead_features == 1);
  CHECK(dead.feature_rank == 0);
  CHECK(std::isinf(*dead.condition));
  CHECK(dead.effective_rank == 0);
}

TEST_CASE("the spectrum separates keys with different features from keys with equal ones") {
  const Matrix<double> V = random<double>(4, 2, 3);
  const auto of = [&](const Matrix<double>& K) {
    return analyze_feature_map_quality<double>(K, K, V, {"identity", 4});
  };
  const auto apart = of(Matrix<double>::Identity(4, 4));
  CHECK(*apart.condition == doctest::Approx(1));
  CHECK(*apart.effective_rank == doctest::Approx(4));
  Matrix<double> K = Matrix<double>::Identity(4, 4);
  K(3, 3) = 1e-3;
  CHECK(*of(K).condition == doctest::Approx(1e3));
  K.row(3) = K.row(2);
  CHECK(of(K).feature_rank == 3);
  CHECK(*of(K).condition > 1e14);
  // A part that all keys share makes one large value: e^x of small x is nearly 1 everywhere.
  const auto alike = analyze_feature_map_quality<double>(0.1 * V, 0.1 * V, V, {"exp", 2});
  CHECK(*alike.effective_rank < 1.1);
}

TEST_CASE("the spectrum is left out when it is not asked for or would take too long") {
  const Matrix<> Q = random(4, 3, 1);
  FeatureMapQualityOptions options;
  options.spectrum = false;
  const auto none = analyze_feature_map_quality(Q, Q, Q, FeatureMap<>("relu", 3), options);
  CHECK_FALSE(none.condition.has_value());
  CHECK_FALSE(none.feature_rank.has_value());
  const auto large = analyze_feature_map_quality(random(1, 24, 1), random(600, 24, 2),
                                                 random(600, 2, 2), FeatureMap<>("taylor", 24));
  CHECK_FALSE(large.condition.has_value());
}

TEST_CASE("features that overflow are counted, and the other numbers are NaN") {
  const Matrix<> Q = 100 * random(6, 4, 1), K = 100 * random(6, 4, 2), V = random(6, 4, 3);
  const auto got = analyze_feature_map_quality(Q, K, V, FeatureMap<>("exp", 4));
  CHECK(got.non_finite_features > 0.1);
  CHECK(got.non_finite_denominators > 0);
  CHECK(got.kl_undefined > 0);
  CHECK(std::isnan(got.mse));
  CHECK_FALSE(got.condition.has_value());
}

TEST_CASE("steps of any size give the same result, and progress grows to one") {
  const Matrix<> Q = random(33, 8, 1), K = random(33, 8, 2), V = random(33, 8, 3);
  const FeatureMap<> map("relu", 8);
  const auto whole = analyze_feature_map_quality(Q, K, V, map);
  for (const Index rows : {1, 5, 32, 100}) {
    FeatureMapQualityAnalysis<> work(Q, K, V, map);
    double last = -1;
    do {
      CHECK(work.progress() > last);
      last = work.progress();
    } while (!work.step(rows));
    CHECK(work.progress() == 1);
    CHECK(work.step(rows));
    CHECK(work.result().kl_undefined == whole.kl_undefined);
    CHECK(std::abs(work.result().mse - whole.mse) < 1e-5 * whole.mse);
    CHECK(work.result().output_cosine == doctest::Approx(whole.output_cosine).epsilon(1e-5));
    CHECK(work.result().condition == whole.condition);
    CHECK(work.comparison().implicit.rows() == 33);
  }
}

TEST_CASE("queries that see no key are left out of every share") {
  const Matrix<double> Q = random<double>(9, 4, 1), K = random<double>(6, 4, 2),
                       V = random<double>(6, 4, 3);
  const auto got = analyze_feature_map_quality<double>(Q, K, V, {"identity", 4},
                                                       quality_under(Mask::causal_bottom_right()));
  const auto alone = analyze_feature_map_quality<double>(Q.bottomRows(6), K, V, {"identity", 4},
                                                         quality_under(Mask::causal()));
  CHECK(got.negative_denominators == alone.negative_denominators);
  CHECK(got.kl_undefined == alone.kl_undefined);
  CHECK(got.uniform_kl == doctest::Approx(alone.uniform_kl));
  CHECK(got.zero_denominators == 0);
}

TEST_CASE("arguments that do not fit are refused by name") {
  const Matrix<double> x = random<double>(5, 4, 1);
  FeatureMapQualityOptions options;
  options.near_zero = 1;
  CHECK(error_of([&] {
          analyze_feature_map_quality<double>(x, x, x, {"relu", 4}, options);
        }).argument() == "near_zero");
  options = {};
  options.compare.epsilon = -1;
  CHECK(error_of([&] {
          analyze_feature_map_quality<double>(x, x, x, {"relu", 4}, options);
        }).argument() == "epsilon");
  CHECK(error_of([&] {
          analyze_feature_map_quality<double>(x, x, x, {"relu", 5});
        }).argument() == "x");
}

TEST_CASE("the smallest and largest feature and the smallest weight are reported exactly") {
  const Index n = 9, m = 7;
  const Matrix<double> Q = random<double>(n, 4, 1), K = random<double>(m, 4, 2),
                       V = random<double>(m, 3, 3);
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    const FeatureMap<double> map(info.id, 4);
    const auto got = analyze_feature_map_quality<double>(Q, K, V, map);
    const Position position{0, n};
    const Matrix<double> phi_q = map.apply(Q, Role::kQuery, position),
                         phi_k = map.apply(K, Role::kKey, position);
    CHECK(got.min_feature == std::min(phi_q.minCoeff(), phi_k.minCoeff()));
    CHECK(got.max_feature == std::max(phi_q.maxCoeff(), phi_k.maxCoeff()));
    CHECK(got.min_weight == compare_to_softmax<double>(Q, K, V, map).implicit.minCoeff());
    if (info.positivity == Positivity::kPositive) CHECK(got.min_feature > 0);
    if (info.positivity == Positivity::kNonNegative) CHECK(got.min_feature >= 0);
  }
  // An entry that is not finite is not an extreme; without finite entries there is no extreme.
  Matrix<> large = Matrix<>::Constant(2, 1, 200);
  large(1, 0) = 1;
  const Matrix<> small = Matrix<>::Ones(2, 1);
  const auto some = analyze_feature_map_quality<float>(large, small, small, {"exp", 1});
  CHECK(some.max_feature == std::exp(1.0F));
  large(1, 0) = 200;
  const auto none = analyze_feature_map_quality<float>(large, large, small, {"exp", 1});
  CHECK(std::isnan(none.min_feature));
  CHECK(std::isnan(none.max_feature));
  CHECK(std::isnan(none.min_weight));
}

TEST_SUITE_END();
