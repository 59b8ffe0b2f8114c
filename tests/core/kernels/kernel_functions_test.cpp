// Definiteness, functions of the RKHS, features and smoothing.

#include <set>

#include "attn/kernels/definiteness.hpp"
#include "attn/kernels/kernel_features.hpp"
#include "attn/kernels/lift.hpp"
#include "attn/kernels/rkhs.hpp"
#include "attn/kernels/smoother.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

const Kernel<double>& rbf() {
  static const Kernel<double> kRbf("rbf", {{"gamma", 0.5}});
  return kRbf;
}

double mean(const std::vector<double>& x) {
  double sum = 0;
  for (const double one : x) sum += one;
  return sum / static_cast<double>(x.size());
}

}  // namespace

TEST_SUITE_BEGIN("kernels");

TEST_CASE("a witness has a negative form, and there is one exactly if an eigenvalue is negative") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Matrix<double> X = random<double>(6, 2, seed);
    for (const char* id : {"rbf", "sigmoid", "elu_dot", "linear"}) {
      const Matrix<double> K = Kernel<double>(id).gram(X);
      const DefinitenessReport report = check_definiteness<double>(K);
      REQUIRE(report.eigenvalues.size() == 6);
      CHECK(report.witness.empty() == report.positive_semidefinite);
      double trace = 0;
      for (const double value : report.eigenvalues) trace += value;
      CHECK(trace == doctest::Approx(K.trace()));
      if (report.witness.empty()) continue;
      const Vector<double> alpha = Eigen::Map<const Vector<double>>(report.witness.data(), 6);
      CHECK(quadratic_form<double>(K, alpha) < 0);
      CHECK(report.form == doctest::Approx(report.eigenvalues[0]));
      CHECK(alpha.norm() == doctest::Approx(1));
    }
  }
  CHECK_THROWS_AS(check_definiteness<double>(random<double>(3, 3, 1)), ValueError);
  CHECK_THROWS_AS(check_definiteness<double>(random<double>(3, 2, 1)), ShapeError);
}

TEST_CASE("the search finds points that no kernel could have, and none for a kernel") {
  for (const auto& expected : {std::pair{"sigmoid", true}, std::pair{"elu_dot", true},
                               std::pair{"rbf", false}, std::pair{"polynomial", false}}) {
    const char* const id = expected.first;
    const bool found = expected.second;
    CAPTURE(id);
    WitnessSearch search(Kernel<double>(id), false, {.points = 4, .d = 1, .tries = 400});
    while (!search.step(7)) continue;
    const WitnessSearchResult result = search.result();
    CHECK(result.tried == 400);
    CHECK(result.points.cwiseAbs().maxCoeff() <= 3);
    CHECK(result.report.positive_semidefinite == !found);
  }
  CHECK_THROWS_AS(WitnessSearch(rbf(), false, {.points = 1}), ValueError);
}

TEST_CASE("the reproducing property, and a projection that keeps values and loses norm") {
  const RkhsFunction<double> f{random<double>(7, 2, 1), random<double>(7, 1, 2)};
  const Matrix<double> Z = random<double>(4, 2, 3);
  const Vector<double> values = rkhs_values<double>(rbf(), f, Z);
  for (Index j = 0; j < 4; ++j) {
    const RkhsFunction<double> bump{Z.row(j), Vector<double>::Ones(1)};
    CHECK(rkhs_inner_product<double>(rbf(), f, bump) == doctest::Approx(values(j)));
  }
  CHECK(rkhs_squared_norm<double>(rbf(), f) ==
        doctest::Approx(rkhs_inner_product<double>(rbf(), f, f)));

  const RkhsProjection<double> made = rkhs_projection<double>(rbf(), f, Z);
  CHECK(made.rank == 4);
  CHECK_CLOSE(rkhs_values<double>(rbf(), made.inside, Z), values, 1e-9, 1e-9);
  CHECK(made.outside_squared_norm > 0);
  // Pythagoras, with the part outside as a function of its own.
  RkhsFunction<double> outside{Matrix<double>(11, 2), Vector<double>(11)};
  outside.points << f.points, Z;
  outside.alpha << f.alpha, -made.inside.alpha;
  CHECK(rkhs_squared_norm<double>(rbf(), outside) == doctest::Approx(made.outside_squared_norm));
  CHECK(rkhs_inner_product<double>(rbf(), outside, made.inside) ==
        doctest::Approx(0).epsilon(1e-9));
  CHECK_CLOSE(rkhs_interpolation<double>(rbf(), Z, values).alpha, made.inside.alpha, 1e-6, 1e-8);

  Matrix<double> twice(5, 2);
  twice << Z, Z.row(0);
  const RkhsProjection<double> repeated = rkhs_projection<double>(rbf(), f, twice);
  CHECK(repeated.rank == 4);
  CHECK(repeated.inside_squared_norm == doctest::Approx(made.inside_squared_norm));
  CHECK_THROWS_AS(rkhs_values<double>(rbf(), {f.points, Vector<double>::Ones(3)}, Z), ShapeError);
}

TEST_CASE(
    "the mean discrepancy is 0 in the mean for one distribution and its definition otherwise") {
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    sum += maximum_mean_discrepancy<double>(rbf(), random<double>(12, 2, seed),
                                            random<double>(9, 2, 1000 + seed))
               .unbiased;
  }
  CHECK(std::abs(sum / 200) < 0.01);
  const Matrix<double> X = random<double>(12, 2, 5);
  const Matrix<double> Y = random<double>(9, 2, 6).array() + 1.5;
  const auto apart = maximum_mean_discrepancy<double>(rbf(), X, Y);
  CHECK(apart.biased == doctest::Approx(rkhs_squared_norm<double>(rbf(), apart.witness)));
  CHECK(apart.unbiased > 0.1);
  CHECK(std::isnan(maximum_mean_discrepancy<double>(rbf(), X.topRows(1), Y).unbiased));
  // ⟨f, μ⟩ is the mean of f.
  const RkhsFunction<double> f{Y, random<double>(9, 1, 7)};
  CHECK(rkhs_inner_product<double>(rbf(), f, mean_embedding<double>(X)) ==
        doctest::Approx(rkhs_values<double>(rbf(), f, X).mean()));
}

TEST_CASE("random Fourier features are unbiased, with the variance of the formula") {
  const Matrix<double> X = random<double>(4, 3, 1);
  struct Way {
    const char* id;
    KernelParameters parameters;
    FourierForm form;
  };
  for (const Way& way :
       {Way{"rbf", {{"gamma", 0.5}}, FourierForm::kOffset},
        Way{"rbf", {{"gamma", 0.5}}, FourierForm::kPaired},
        Way{"rbf", {{"gamma", 0.5}}, FourierForm::kOrthogonal},
        Way{"laplacian", {{"gamma", 0.5}}, FourierForm::kOffset},
        Way{"matern_12", {}, FourierForm::kPaired}, Way{"matern_32", {}, FourierForm::kPaired},
        Way{"matern_52", {{"length", 2}}, FourierForm::kOffset}}) {
    CAPTURE(way.id);
    const Kernel<double> kernel(way.id, way.parameters);
    constexpr Index kDraws = 400, kFeatures = 60;
    Matrix<double> sum = Matrix<double>::Zero(4, 4), squares = sum;
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
      const Matrix<double> Z = fourier_features<double>(
          X, draw_frequencies<double>(way.id, way.parameters, 3, kFeatures, way.form, seed));
      REQUIRE(Z.cols() == kFeatures);
      const Matrix<double> K = Z * Z.transpose();
      sum += K;
      squares += K.cwiseAbs2();
    }
    const Matrix<double> average = sum / kDraws, exact = kernel.gram(X);
    // A feature has a variance of at most 2; this is five standard errors of the mean.
    CHECK((average - exact).cwiseAbs().maxCoeff() < 5 * std::sqrt(2.0 / (kDraws * kFeatures)));
    if (way.form == FourierForm::kOrthogonal) continue;
    const bool paired = way.form == FourierForm::kPaired;
    const FourierVariance<double> theory = fourier_variance<double>(kernel, X);
    const Matrix<double> wanted = paired ? Matrix<double>(theory.paired / (kFeatures / 2))
                                         : Matrix<double>(theory.offset / kFeatures);
    // The variance of a variance over 400 draws: some 7 %, of at most 6 different pairs.
    CHECK_CLOSE(squares / kDraws - average.cwiseAbs2(), wanted, 0.35, 1e-4);
  }
  CHECK_THROWS_AS(draw_frequencies<double>("linear", {}, 3, 8, FourierForm::kOffset, 1),
                  ValueError);
  CHECK_THROWS_AS(draw_frequencies<double>("rbf", {}, 3, 7, FourierForm::kPaired, 1), ValueError);
  CHECK_THROWS_AS(draw_frequencies<double>("laplacian", {}, 3, 8, FourierForm::kOrthogonal, 1),
                  ValueError);
  CHECK_THROWS_AS(fourier_variance<double>(Kernel<double>("linear"), X), ValueError);
}

TEST_CASE(
    "Nyström features are exact at landmarks, and no features of their rank do better than the "
    "best") {
  const Matrix<double> X = random<double>(30, 2, 1);
  const Matrix<double> K = rbf().gram(X);
  const LeverageReport report = leverage_scores<double>(rbf(), X, 0.1);
  CHECK(mean(report.scores) * 30 == doctest::Approx(report.effective_dimension));
  CHECK(report.best_errors.front() == 1);
  CHECK(report.best_errors.back() == 0);
  for (const Index count : {1, 5, 12, 30}) {
    const std::vector<Index> rows = draw_landmarks(30, count, 3);
    CHECK(std::set<Index>(rows.begin(), rows.end()).size() == static_cast<std::size_t>(count));
    Matrix<double> landmarks(count, 2);
    for (Index i = 0; i < count; ++i) landmarks.row(i) = X.row(rows[static_cast<std::size_t>(i)]);
    const Matrix<double> Z = nystroem_features<double>(rbf(), X, landmarks);
    const Matrix<double> made = Z * Z.transpose();
    for (const Index row : rows) CHECK_CLOSE(made.row(row), K.row(row), 1e-5, 1e-5);
    const double error = (made - K).norm() / K.norm();
    CHECK(error + 1e-9 >= report.best_errors[static_cast<std::size_t>(count)]);
  }
  Matrix<double> equal(2, 2);
  equal << X.row(0), X.row(0);
  CHECK(nystroem_features<double>(rbf(), X, equal).allFinite());
  CHECK_THROWS_AS(leverage_scores<double>(rbf(), X, 0), ValueError);
  CHECK_THROWS_AS(draw_landmarks(3, 4, 1), ValueError);
}

TEST_CASE("more features are a better approximation, each at its stated cost") {
  ApproximationExperiment experiment(
      random(60, 2, 1), random(60, 1, 2),
      {.parameters = {{"gamma", 0.5}}, .features = {8, 128}, .draws = 8});
  while (!experiment.step(3)) continue;
  CHECK(experiment.progress() == 1);
  const ApproximationResult result = experiment.result();
  // 128 landmarks are more than there are points.
  REQUIRE(result.points.size() == 7);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(result.points[i].gram_errors.size() == 8);
    CHECK(mean(result.points[i + 4].gram_errors) < 0.5 * mean(result.points[i].gram_errors));
    CHECK(mean(result.points[i].gram_errors) > result.best_gram_errors[0]);
    CHECK(result.points[i].gram_error.mean == mean(result.points[i].gram_errors));
    CHECK(result.points[i].smoothing_error.mean == mean(result.points[i].smoothing_errors));
  }
  CHECK(result.points[0].feature_multiply_adds == 60 * 2 * 8);
  CHECK(result.points[0].smoothing_multiply_adds == 2 * 60 * 8 * 2);
  CHECK(result.implicit_smoothing == 60 * 60 * 2);
  const KernelTrickCosts costs = kernel_trick_costs(60, 2, 1, 8);
  CHECK(costs.implicit_smoothing == result.implicit_gram + result.implicit_smoothing);
  CHECK(costs.explicit_smoothing ==
        result.points[0].feature_multiply_adds + result.points[0].smoothing_multiply_adds);
  CHECK(costs.implicit_ridge == result.implicit_gram + result.implicit_ridge);
}

TEST_CASE("smoothing with features, sums over the keys first, is smoothing with their products") {
  const Matrix<double> Q = random<double>(7, 5, 1).cwiseAbs(),
                       K = random<double>(9, 5, 2).cwiseAbs();
  const Matrix<double> V = random<double>(9, 2, 3);
  const Matrix<double> weights = Q * K.transpose();
  const Matrix<double> wanted = weights.rowwise().sum().cwiseInverse().asDiagonal() * (weights * V);
  CHECK_CLOSE(feature_smoothing<double>(Q, K, V), wanted, 1e-12, 1e-12);
  CHECK(error_of([&] { feature_smoothing<double>(Q, random<double>(9, 4, 1), V); }).argument() ==
        "keys");
  CHECK(error_of([&] { feature_smoothing<double>(Q, K, random<double>(8, 2, 1)); }).argument() ==
        "V");
}

TEST_CASE("the variance of D features at a distance is that of the formula for pairs") {
  const Kernel<double> rbf("rbf", {{"gamma", 0.7}});
  Vector<double> distances(3);
  distances << 0, 0.5, 2;
  const auto made = feature_variance<double>(rbf, distances, 8);
  Matrix<double> X(4, 1);
  X << 0, 0, 0.5, 2;
  const auto pairs = fourier_variance<double>(rbf, X);
  for (Index i = 0; i < 3; ++i) {
    CHECK(made.kernel(i) == doctest::Approx(std::exp(-0.7 * distances(i) * distances(i))));
    CHECK(made.offset(i) == doctest::Approx(pairs.offset(0, i + 1) / 8));
    CHECK(std::abs(made.paired(i) - pairs.paired(0, i + 1) / 4) < 1e-15);
  }
  CHECK(error_of([&] {
          feature_variance<double>(Kernel<double>("linear"), distances, 8);
        }).argument() == "kernel");
  CHECK(error_of([&] { feature_variance<double>(rbf, distances, 0); }).argument() == "D");
}

TEST_CASE("smoothing with the exponential kernel is softmax attention") {
  const Matrix<double> Q = random<double>(5, 3, 1), K = random<double>(7, 3, 2),
                       V = random<double>(7, 2, 3);
  const auto exponential = compare_smoother_with_attention<double>("exponential", {}, Q, K, V);
  CHECK(exponential.difference < 1e-14);
  CHECK_CLOSE(exponential.smoother.output, exponential.attention_output, 1e-12, 1e-12);
  const auto gaussian = compare_smoother_with_attention<double>("rbf", {{"gamma", 0.7}}, Q, K, V);
  CHECK(gaussian.difference > 0.01);
  CHECK(gaussian.biased_difference < 1e-14);
  Matrix<double> equal = K;
  equal.rowwise().normalize();
  const auto on_sphere =
      compare_smoother_with_attention<double>("rbf", {{"gamma", 0.7}}, Q, equal, V);
  CHECK(on_sphere.difference < 1e-14);
  CHECK(on_sphere.scale == 1.4);
  CHECK_THROWS_AS(compare_smoother_with_attention<double>("linear", {}, Q, K, V), ValueError);
  // Far from every key all weights underflow.
  const Matrix<double> far = Matrix<double>::Constant(1, 3, 1e3);
  const auto nothing = nadaraya_watson<double>(rbf(), far, K, V);
  CHECK(nothing.weights.isZero(0));
  CHECK(nothing.output.isZero(0));
  CHECK(nadaraya_watson<float>(Kernel<float>("rbf"), far.cast<float>(), K.cast<float>(),
                               V.cast<float>())
            .weights.isZero(0));
}

TEST_CASE("a projected kernel is symmetric only where queries and keys have one projection") {
  const Matrix<double> X = random<double>(8, 4, 1), Wq = random<double>(3, 4, 2),
                       Wk = random<double>(3, 4, 3);
  const auto same = projected_kernel<double>(X, Wq, Wq),
             different = projected_kernel<double>(X, Wq, Wk);
  CHECK(same.asymmetry < 1e-14);
  CHECK(same.smallest_share > -1e-9);
  CHECK(different.asymmetry > 0.1);
  CHECK(different.smallest_share < 0);
}

TEST_CASE("random projections: one gives a kernel, two do not") {
  const auto one = random_projected_kernel<double>(6, 8, true, 3);
  CHECK(one.asymmetry < 1e-12);
  CHECK(one.smallest_share > -1e-9);
  CHECK(one.values.rows() == 6);
  CHECK(random_projected_kernel<double>(6, 8, false, 3).asymmetry > 0.05);
  CHECK(error_of([] { random_projected_kernel<float>(0, 8, true, 3); }).argument() == "n");
}

TEST_CASE("a fitted smoother: its gradient is that of its loss, and what may not change does not") {
  std::vector<double> x, y;
  for (int i = 0; i < 12; ++i) {
    x.push_back(0.5 * i);
    y.push_back(std::sin(x.back()) + 0.1 * (i % 3));
  }
  const SmootherFit fit(x, y, {.gamma = 2});
  Vector<double> at(25), gradient, unused;
  at << 0.3, random<double>(24, 1, 4);
  fit.loss(at, gradient);
  CHECK_CLOSE(gradient, central_differences(at, [&] { return fit.loss(at, unused); }), 1e-6, 1e-7);

  double before = std::numeric_limits<double>::infinity();
  for (const SmootherLearns learns : {SmootherLearns{false, false, false},
                                      {true, false, false},
                                      {true, true, false},
                                      {true, true, true}}) {
    SmootherFit run(x, y, {.learns = learns, .gamma = 2, .steps = 300});
    while (!run.step(50)) continue;
    const SmootherFitResult result = run.result();
    CHECK(result.losses.size() == 301);
    CHECK((result.keys == x) == !learns.keys);
    CHECK((result.values == y) == !learns.values);
    CHECK(result.losses.back() < before);
    before = result.losses.back();
  }
  CHECK_THROWS_AS(SmootherFit({1}, {1}, {}), ShapeError);
}

TEST_CASE("lifted rings are separated by a plane, which is a circle below") {
  const Rings<double> rings = draw_rings<double>(60, 0.05, 1);
  const Lift<double> lift = lift_to_paraboloid<double>(rings.points, {});
  for (std::size_t i = 0; i < 60; ++i) {
    CHECK(lift.sides[i] * rings.labels[i] > 0);
    const double distance = (rings.points.row(static_cast<Index>(i))).norm();
    CHECK((lift.sides[i] > 0) == (distance > lift.radius));
  }
  CHECK(lift.kernel_difference < 1e-12);
  const Lift<double> tilted = lift_to_paraboloid<double>(rings.points, {1, -2, 1});
  CHECK(tilted.center_x == -0.5);
  CHECK(tilted.center_y == 1);
  CHECK(tilted.radius == doctest::Approx(1.5));
  CHECK(std::isnan(lift_to_paraboloid<double>(rings.points, {0, 0, -1}).radius));
}

TEST_SUITE_END();
