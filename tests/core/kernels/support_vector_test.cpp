#include "attn/kernels/support_vector.hpp"

#include <limits>

#include "attn/kernels/kernel.hpp"
#include "attn/kernels/kernel_ridge.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

template <typename T>
Vector<T> labels(const Matrix<T>& X, std::uint64_t seed, double noise) {
  Rng rng(seed, 5);
  Vector<T> y(X.rows());
  for (Index i = 0; i < y.size(); ++i) {
    const double side = static_cast<double>(X(i, 0) * X(i, 1)) + noise * rng.gaussian();
    y(i) = side > 0 ? T(1) : T(-1);
  }
  y(0) = 1;
  y(1) = -1;
  return y;
}

template <typename T>
SupportVectorClassification<T> classify(const Matrix<T>& gram, const Vector<T>& y, double C,
                                        double tolerance) {
  SupportVectorOptions options;
  options.C = C;
  options.tolerance = tolerance;
  SupportVectorClassifier<T> machine(gram, y, options);
  double before = 0;
  while (!machine.step(7)) {
    CHECK(machine.progress() >= before);
    before = machine.progress();
  }
  CHECK(machine.progress() == 1);
  return machine.result();
}

/// The largest violation of the conditions, from the decision alone: y·f ≥ 1 where α = 0, ≤ 1 where
/// α = C, = 1 between.
double violation(const SupportVectorClassification<double>& made, const Vector<double>& y,
                 double C) {
  double worst = 0;
  for (Index i = 0; i < y.size(); ++i) {
    const double ahead = y(i) * made.decision(i) - 1;
    if (made.alpha(i) < C) worst = std::max(worst, -ahead);
    if (made.alpha(i) > 0) worst = std::max(worst, ahead);
  }
  return worst;
}

}  // namespace

TEST_SUITE_BEGIN("support vectors");

TEST_CASE("200 random problems: the two objectives meet to 1e-6, the conditions hold") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Index n = 5 + static_cast<Index>(seed % 40);
    const double C = std::pow(10.0, static_cast<double>(seed % 5) - 2);
    Matrix<double> X = random<double>(n, 2, seed);
    // Every third problem has points that occur twice, every other of them with both labels.
    if (seed % 3 == 0) X.row(n - 1) = X.row(0);
    const char* names[] = {"rbf", "linear", "polynomial"};
    const Matrix<double> gram = Kernel<double>(names[seed % 3]).gram(X);
    const Vector<double> y = labels(X, seed, 0.4);
    const auto made = classify<double>(gram, y, C, 1e-9);
    CHECK(made.converged);
    CHECK(made.gap <= 1e-9);
    CHECK(made.negative_curvature == 0);
    // Weak duality: every other solution of the dual is at most the primal objective.
    const double scale = std::max(1.0, std::abs(made.primal_objective));
    CHECK(made.primal_objective - made.dual_objective >= -1e-9 * scale);
    CHECK(made.primal_objective - made.dual_objective <= 1e-6 * scale);
    CHECK(violation(made, y, C) <= 2e-9);
    CHECK(std::abs(made.coefficients.sum()) <= 1e-9 * C * static_cast<double>(n));
    CHECK_CLOSE(made.coefficients, made.alpha.cwiseProduct(y).eval(), 0, 1e-12 * C);
    CHECK_CLOSE(kernel_expansion<double>(gram, made.coefficients, made.bias), made.decision, 1e-9,
                1e-9 * std::max(1.0, C));
  }
}

TEST_CASE("a loose tolerance is kept: the gap of the conditions is at most it") {
  const Matrix<double> X = random<double>(120, 2, 3);
  const Vector<double> y = labels(X, 3, 0.3);
  const Matrix<double> gram = Kernel<double>("rbf").gram(X);
  const auto made = classify<double>(gram, y, 10, 1e-3);
  CHECK(made.gap <= 1e-3);
  CHECK(violation(made, y, 10) <= 1e-3);
  const auto single = classify<float>(gram.cast<float>(), y.cast<float>(), 10, 1e-3);
  CHECK(std::abs(single.dual_objective - made.dual_objective) < 1e-3 * made.dual_objective);
}

TEST_CASE("many points: those that are left out on the way decide nothing") {
  // The fewest points of which some are left out, and some to spare.
  const Index n = 300;
  const Matrix<double> X = random<double>(n, 2, 4);
  const Vector<double> y = labels(X, 4, 0.3);
  const Matrix<double> gram = Kernel<double>("rbf").gram(X);
  SupportVectorOptions options;
  options.C = 30;
  options.tolerance = 1e-6;
  options.trace = true;
  SupportVectorClassifier<double> machine(gram, y, options);
  Vector<double> alpha = Vector<double>::Zero(n);
  std::size_t seen = 0;
  const auto follow = [&](const std::vector<SmoStep>& trace) {
    for (; seen < trace.size(); ++seen) {
      const SmoStep& step = trace[seen];
      CHECK(alpha(step.i) == step.i_before);
      CHECK(alpha(step.j) == step.j_before);
      CHECK(step.gain > 0);
      alpha(step.i) = step.i_after;
      alpha(step.j) = step.j_after;
    }
  };
  double dual = 0;
  Index looks = 0;
  for (bool done = false; !done; ++looks) {
    done = machine.step(350);
    // Whatever takes part at the moment, a result is about all points.
    const auto made = machine.result();
    REQUIRE(static_cast<Index>(made.trace.size()) == made.steps);
    follow(made.trace);
    CHECK_CLOSE(alpha, made.alpha, 0, 0);
    CHECK_CLOSE((gram * made.coefficients).array() + made.bias, made.decision.array(), 1e-9, 1e-8);
    CHECK(made.primal_objective >= made.dual_objective);
    CHECK(made.dual_objective >= dual * (1 - 1e-12));
    dual = made.dual_objective;
    if (!done) CHECK(made.gap > options.tolerance);
  }
  CHECK(looks > 5);
  const auto made = machine.result();
  CHECK(made.converged);
  CHECK(made.gap <= options.tolerance);
  CHECK(violation(made, y, 30) <= 2e-6);
  CHECK(made.primal_objective - made.dual_objective <= 1e-6 * made.primal_objective);
  // Looking changes nothing.
  SupportVectorClassifier<double> unseen(gram, y, options);
  while (!unseen.step(1'000'000)) continue;
  CHECK(unseen.result().steps == made.steps);
  CHECK_CLOSE(unseen.result().alpha, made.alpha, 0, 0);
  options.max_steps = made.steps / 2;
  SupportVectorClassifier<double> half(gram, y, options);
  CHECK(half.step(1'000'000));
  CHECK(half.result().steps == options.max_steps);
  CHECK(!half.result().converged);

  const Vector<double> values = (2 * X.col(0).array()).sin() + 0.2 * y.array();
  options.C = 1;
  options.max_steps = 10'000'000;
  SupportVectorRegressor<double> tube(gram, values, 0.2, options);
  while (!tube.step(1000)) continue;
  const auto fitted = tube.result();
  CHECK(fitted.gap <= options.tolerance);
  CHECK(fitted.primal_objective - fitted.dual_objective <= 1e-6 * fitted.primal_objective);
  CHECK(fitted.alpha.cwiseProduct(fitted.alpha_star).cwiseAbs().maxCoeff() == 0);
  CHECK_CLOSE((gram * fitted.coefficients).array() + fitted.bias, fitted.decision.array(), 1e-9,
              1e-8);
}

TEST_CASE("XOR: all four points carry the surface, by symmetry with one α") {
  Matrix<double> X(4, 2);
  X << 0, 0, 1, 1, 0, 1, 1, 0;
  Vector<double> y(4);
  y << 1, 1, -1, -1;
  const auto made = classify<double>(Kernel<double>("rbf", {{"gamma", 1}}).gram(X), y, 10, 1e-10);
  CHECK(made.support_vectors == 4);
  CHECK(made.accuracy == 1);
  // 1 = α(1 + e^{−2} − 2e^{−1})
  const double alpha = 1 / (1 + std::exp(-2.0) - 2 * std::exp(-1.0));
  CHECK_CLOSE(made.alpha, Vector<double>::Constant(4, alpha), 1e-8, 0);
  CHECK(std::abs(made.bias) < 1e-9);
  // No line separates them, and the linear kernel says so: all at the bound.
  const auto flat = classify<double>(Kernel<double>("linear").gram(X), y, 1, 1e-9);
  CHECK(flat.accuracy <= 0.75);
}

TEST_CASE("the trace is what happened: α within its bounds, every step gains, the gains add up") {
  const Matrix<double> X = random<double>(30, 2, 8);
  const Vector<double> y = labels(X, 8, 0.5);
  SupportVectorOptions options;
  options.C = 2;
  options.trace = true;
  SupportVectorClassifier<double> machine(Kernel<double>("rbf").gram(X), y, options);
  while (!machine.step(1)) continue;
  const auto made = machine.result();
  REQUIRE(static_cast<Index>(made.trace.size()) == made.steps);
  Vector<double> alpha = Vector<double>::Zero(30);
  double objective = 0;
  for (const SmoStep& step : made.trace) {
    CHECK(step.i != step.j);
    CHECK(step.gain > 0);
    CHECK(step.gap > options.tolerance);
    CHECK(alpha(step.i) == step.i_before);
    CHECK(alpha(step.j) == step.j_before);
    alpha(step.i) = step.i_after;
    alpha(step.j) = step.j_after;
    CHECK(alpha.minCoeff() >= 0);
    CHECK(alpha.maxCoeff() <= 2);
    objective += step.gain;
  }
  CHECK_CLOSE(alpha, made.alpha, 0, 0);
  CHECK(std::abs(objective - made.dual_objective) < 1e-9);
  options.max_steps = 3;
  SupportVectorClassifier<double> short_one(Kernel<double>("rbf").gram(X), y, options);
  CHECK(short_one.step(100));
  CHECK(short_one.result().steps == 3);
  CHECK(!short_one.result().converged);
}

TEST_CASE("an indefinite matrix ends at a stationary point, and is counted") {
  const Matrix<double> X = random<double>(40, 2, 1);
  const Vector<double> y = labels(X, 1, 0.5);
  const Matrix<double> gram = Kernel<double>("sigmoid", {{"gamma", 1}, {"coef0", 1}}).gram(X);
  const auto made = classify<double>(-gram, y, 1, 1e-6);
  CHECK(made.negative_curvature > 0);
  CHECK(made.converged);
  CHECK(violation(made, y, 1) <= 1e-5);
}

TEST_CASE("regression: the tube holds what is inside it, the objectives meet") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const Index n = 30;
    const Matrix<double> X = random<double>(n, 1, seed);
    const Vector<double> y =
        (2 * X.array()).sin().matrix() + 0.2 * random<double>(n, 1, seed + 100);
    const Matrix<double> gram = Kernel<double>("rbf", {{"gamma", 2}}).gram(X);
    SupportVectorOptions options;
    options.C = seed % 2 == 0 ? 1 : 20;
    options.tolerance = 1e-9;
    const double epsilon = seed % 4 == 0 ? 0 : 0.1;
    SupportVectorRegressor<double> machine(gram, y, epsilon, options);
    while (!machine.step(50)) continue;
    const auto made = machine.result();
    CHECK(made.converged);
    CHECK(std::abs(made.primal_objective - made.dual_objective) <=
          1e-6 * std::max(1.0, made.primal_objective));
    CHECK_CLOSE(made.coefficients, (made.alpha - made.alpha_star).eval(), 0, 1e-12);
    if (epsilon > 0) CHECK(made.alpha.cwiseProduct(made.alpha_star).cwiseAbs().maxCoeff() == 0);
    for (Index i = 0; i < n; ++i) {
      const double error = std::abs(made.decision(i) - y(i));
      if (made.coefficients(i) == 0) CHECK(error <= epsilon + 1e-8);
      if (std::abs(made.coefficients(i)) < options.C && made.coefficients(i) != 0) {
        CHECK(std::abs(error - epsilon) <= 1e-8);
      }
    }
  }
}

TEST_CASE("support vector machines refuse bad input by name") {
  const Matrix<> gram = Matrix<>::Identity(3, 3);
  Vector<> y(3);
  y << 1, -1, 1;
  const auto classifier = [&](const Matrix<>& K, const Vector<>& labels_given, double C,
                              double tolerance) {
    return error_of([&] {
      SupportVectorOptions options;
      options.C = C;
      options.tolerance = tolerance;
      SupportVectorClassifier<float> machine(K, labels_given, options);
    });
  };
  CHECK(classifier(Matrix<>(0, 0), Vector<>(0), 1, 1e-3).argument() == "gram");
  CHECK(classifier(Matrix<>::Zero(2, 3), y, 1, 1e-3).argument() == "gram");
  CHECK(classifier(gram, Vector<>::Ones(2), 1, 1e-3).argument() == "y");
  const Error one = classifier(gram, Vector<>::Ones(3), 1, 1e-3);
  CHECK(one.argument() == "y");
  CHECK(one.seen().text() == "only the label 1");
  CHECK(classifier(gram, Vector<>::Constant(3, 2.0F), 1, 1e-3).wanted().id() == "signed_labels");
  CHECK(classifier(gram, y, 0, 1e-3).argument() == "C");
  CHECK(classifier(gram, y, NAN, 1e-3).argument() == "C");
  CHECK(classifier(gram, y, 1, 0).argument() == "tolerance");
  Matrix<> bad = gram;
  bad(0, 1) = NAN;
  CHECK(classifier(bad, y, 1, 1e-3).argument() == "gram");
  bad(0, 1) = 1;
  CHECK(classifier(bad, y, 1, 1e-3).wanted().id() == "symmetric");
  y(1) = NAN;
  CHECK(classifier(gram, y, 1, 1e-3).argument() == "y");
  CHECK(error_of([&] { SupportVectorRegressor<float> machine(gram, y, 0.1); }).argument() == "y");
  y(1) = -1;
  CHECK(error_of([&] { SupportVectorRegressor<float> machine(gram, y, -1); }).argument() ==
        "epsilon");
}

TEST_CASE("the scale of γ is 1 over the width and the variance, and undoes another unit") {
  const Matrix<double> corners{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}};
  CHECK(scale_gamma<double>(corners) == doctest::Approx(0.5));
  const Matrix<double> X = random<double>(30, 3, 9);
  const Matrix<double> other = 7.0 * X;
  CHECK(scale_gamma<double>(other) * 49 == doctest::Approx(scale_gamma<double>(X)));
  const Matrix<float> same = Matrix<float>::Ones(3, 2);
  CHECK(scale_gamma<float>(same) == std::numeric_limits<double>::infinity());
}

TEST_SUITE_END();
