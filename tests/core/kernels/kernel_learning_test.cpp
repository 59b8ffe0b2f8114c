// Ridge regression, descent in function space and Gaussian processes.

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <numbers>

#include "attn/kernels/deep_kernel.hpp"
#include "attn/kernels/functional_descent.hpp"
#include "attn/kernels/gaussian_process.hpp"
#include "attn/kernels/kernel.hpp"
#include "attn/kernels/kernel_ridge.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

Matrix<double> rbf(const Matrix<double>& X, double gamma) {
  return Kernel<double>("rbf", {{"gamma", gamma}}).gram(X);
}

template <typename T>
FunctionalDescentResult<T> descend(const Matrix<T>& gram, const Vector<T>& y,
                                   const FunctionalDescentOptions& options,
                                   const Vector<T>& start = {}) {
  FunctionalDescent<T> descent(gram, y, options, start);
  while (!descent.step(7)) continue;
  CHECK(descent.progress() == 1);
  return descent.result();
}

/// The mean loss and the penalty of coefficients, written once more.
double objective(PointLoss loss, const Matrix<double>& K, const Vector<double>& y,
                 const Vector<double>& alpha, double lambda) {
  const Vector<double> f = K * alpha;
  double sum = 0;
  for (Index i = 0; i < y.size(); ++i) {
    const double error = f(i) - y(i), margin = y(i) * f(i);
    if (loss == PointLoss::kSquared) sum += error * error;
    if (loss == PointLoss::kAbsolute) sum += std::abs(error);
    if (loss == PointLoss::kHinge) sum += std::max(0.0, 1 - margin);
    if (loss == PointLoss::kLogistic) sum += std::log(1 + std::exp(-margin));
  }
  return sum / static_cast<double>(y.size()) + lambda * alpha.dot(f);
}

}  // namespace

TEST_SUITE_BEGIN("kernel learning");

TEST_CASE("ridge: the gradient of its objective is 0, both scalings, duplicates too") {
  for (const Index n : {1, 2, 17, 60}) {
    CAPTURE(n);
    Matrix<double> X = random<double>(n, 2, 4);
    X.row(n - 1) = X.row(0);
    const Matrix<double> K = rbf(X, 0.7);
    const Vector<double> y = random<double>(n, 1, 5);
    for (const double lambda : {1e-6, 0.1, 100.0}) {
      const auto sum = kernel_ridge<double>(K, y, lambda, RidgeScaling::kSum);
      CHECK_CLOSE((K * sum.alpha + lambda * sum.alpha).eval(), y, 0, 1e-9);
      CHECK_CLOSE(sum.fitted, (K * sum.alpha).eval(), 0, 1e-9);
      // Points that occur twice with two values have α of ±y/λ, whose squares cancel.
      CHECK(std::abs(sum.norm_squared - sum.alpha.dot(K * sum.alpha)) <=
            1e-9 + 1e-15 * static_cast<double>(n) * sum.alpha.squaredNorm());
      const auto mean = kernel_ridge<double>(K, y, lambda / static_cast<double>(n));
      CHECK_CLOSE(mean.alpha, sum.alpha, 1e-9, 1e-12);
      CHECK(std::abs(sum.objective - static_cast<double>(n) * mean.objective) <=
            1e-9 * (1 + sum.objective));
      CHECK(std::abs(mean.objective - objective(PointLoss::kSquared, K, y, mean.alpha,
                                                lambda / static_cast<double>(n))) <= 1e-9);
      const auto narrow = kernel_ridge<float>(K.cast<float>(), y.cast<float>(), lambda);
      if (lambda > 0.01) {
        const auto wide = kernel_ridge<double>(K, y, lambda);
        CHECK_CLOSE(narrow.fitted, wide.fitted, 1e-4, 1e-4);
      }
    }
  }
}

TEST_CASE(
    "ridge of many points: float32 with refinement is as exact as float64, or gives way to it") {
  for (const Index n : {128, 129, 200, 333}) {
    CAPTURE(n);
    const Matrix<double> K = rbf(random<double>(n, 2, 4), 0.7);
    const Vector<double> y = random<double>(n, 1, 5);
    // With the smallest λ the factor in float32 fails, and the last digits of α are not determined.
    for (const double lambda : {1.0, 1e-3, 1e-9}) {
      CAPTURE(lambda);
      const auto made = kernel_ridge<double>(K, y, lambda, RidgeScaling::kSum);
      const Vector<double> residual = K * made.alpha + lambda * made.alpha - y;
      CHECK(residual.norm() <= 1e-10 * y.norm() + 1e-14 * made.alpha.norm());
      const auto single =
          kernel_ridge<float>(K.cast<float>(), y.cast<float>(), lambda + 1e-3, RidgeScaling::kSum);
      const auto want = kernel_ridge<double>(K, y, lambda + 1e-3, RidgeScaling::kSum);
      CHECK_CLOSE(single.fitted, want.fitted, 0, 1e-2);
    }
  }
}

TEST_CASE("200 random problems: ridge and processes are what solving in float64 makes of them") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    // Every fortieth is large enough for the factor in float32.
    const Index n = seed % 40 == 0 ? 130 + static_cast<Index>(seed / 10) : 1 + (seed % 40);
    const double lambda = std::pow(10.0, static_cast<double>(seed % 4) - 3);
    Matrix<double> X = random<float>(n, 2, seed).cast<double>();
    if (seed % 3 == 0) X.row(n - 1) = X.row(0);
    const Vector<double> y = random<float>(n, 1, seed + 300).cast<double>();
    // The kernel's own rounding to float32 is another matter: both precisions solve with one
    // matrix.
    const Matrix<float> gram = rbf(X, 0.5).cast<float>();
    const Matrix<double> K = gram.cast<double>(),
                         shifted = K + lambda * Matrix<double>::Identity(n, n);
    const Eigen::FullPivLU<Eigen::MatrixXd> solver(shifted);
    const Vector<double> alpha = solver.solve(y), fitted = K * alpha;
    // The error of α is what is left of y, 1e-11 of it, divided by the smallest eigenvalue.
    const double most = alpha.cwiseAbs().maxCoeff(), left = 1e-10 * y.norm() / lambda;
    const auto wide = kernel_ridge<double>(K, y, lambda, RidgeScaling::kSum);
    CHECK_CLOSE(wide.alpha, alpha, 0, left);
    CHECK_CLOSE(wide.fitted, fitted, 0, left);
    const auto narrow = kernel_ridge<float>(gram, y.cast<float>(), lambda, RidgeScaling::kSum);
    CHECK_CLOSE(narrow.alpha.cast<double>().eval(), alpha, 0, left + 1e-6 * most);
    CHECK_CLOSE(narrow.fitted.cast<double>().eval(), fitted, 0, left + 1e-6 * (1 + y.norm()));
    CHECK(std::abs(narrow.norm_squared - alpha.dot(fitted)) <= left * most + 1e-6 * most);

    const RbfProcessParameters at{1, 1, lambda};
    const Matrix<double> Z = random<float>(3, 2, seed + 600).cast<double>(), exact = rbf(X, 0.5),
                         cross = Kernel<double>("rbf", {{"gamma", 0.5}}).gram(Z, X);
    const Eigen::FullPivLU<Eigen::MatrixXd> process(exact +
                                                    lambda * Matrix<double>::Identity(n, n));
    const Vector<double> weights = process.solve(y), mean = cross * weights;
    const Matrix<double> covariance =
        rbf(Z, 0.5) - cross * process.solve(Eigen::MatrixXd(cross.transpose()));
    // The determinant itself would underflow.
    const double half_log = 0.5 * process.matrixLU().diagonal().array().abs().log().sum();
    const double likelihood = -0.5 * y.dot(weights) - half_log -
                              0.5 * static_cast<double>(n) * std::log(2 * std::numbers::pi);
    const auto check = [&]<typename T>(T, double tolerance) {
      const auto made = rbf_process<T>(X.cast<T>(), y.cast<T>(), Z.cast<T>(), at);
      CHECK_CLOSE(made.mean.template cast<double>().eval(), mean, tolerance, tolerance);
      CHECK_CLOSE(made.covariance.template cast<double>().eval(), covariance, 0, tolerance);
      CHECK(std::abs(made.log_marginal_likelihood - likelihood) <=
            1e-8 * (1 + std::abs(likelihood)));
    };
    check(double{}, 1e-8);
    check(float{}, 1e-6);
  }
}

TEST_CASE("ridge refuses bad input by name") {
  const Matrix<> K = Matrix<>::Identity(3, 3);
  const Vector<> y = Vector<>::Ones(3);
  for (const double lambda : {0.0, -1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    CHECK(error_of([&] { kernel_ridge<float>(K, y, lambda); }).argument() == "lambda");
  }
  CHECK(error_of([&] { kernel_ridge<float>(Matrix<>(0, 0), Vector<>(0), 1); }).argument() ==
        "gram");
  CHECK(error_of([&] { kernel_ridge<float>(K, Vector<>::Ones(2), 1); }).argument() == "y");
  CHECK(error_of([&] { kernel_ridge<float>(K, Vector<>::Constant(3, NAN), 1); }).argument() == "y");
  CHECK(error_of([&] { kernel_ridge<float>(-2 * K, y, 1, RidgeScaling::kSum); }).seen().id() ==
        "not_positive_definite");
  CHECK(error_of([&] { kernel_expansion<float>(K, Vector<>::Ones(2)); }).argument() == "cross");
}

TEST_CASE_TEMPLATE("what rounding makes of a Gram matrix is refused with a noise that works", T,
                   float, double) {
  // Near points: the smallest eigenvalues of the kernel are far below what T can represent.
  for (const Index n : {5, 40, 150}) {
    CAPTURE(n);
    Matrix<T> X(n, 1);
    for (Index i = 0; i < n; ++i) X(i, 0) = static_cast<T>(i) / static_cast<T>(n);
    const Matrix<T> K = Kernel<T>("rbf", {{"gamma", n < 10 ? 1e-3 : 1.0}}).gram(X);
    const Vector<T> y = random<T>(n, 1, 40);
    const auto advice = [&](auto&& refused, const char* argument) {
      const Error error = error_of(refused);
      CHECK(error.argument() == argument);
      CHECK(error.wanted().id() == "least_against_rounding");
      CHECK(error.wanted().text().find(std::is_same_v<T, float> ? "float32" : "float64") !=
            std::string::npos);
      // As it is printed.
      return std::stod(number_text(std::get<double>(error.wanted().parameters().at(0).held())));
    };
    const double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
    const double tiny = 1e-4 * epsilon, much = 100 * static_cast<double>(n) * epsilon;
    const auto process = [&](double noise) { GaussianProcess<T>(K, y, noise); };
    const double noise = advice([&] { process(tiny); }, "noise_variance");
    CHECK_NOTHROW(process(noise));
    CHECK_THROWS_AS(process(noise / 3), ValueError);
    CHECK(noise < much);
    for (const RidgeScaling scaling : {RidgeScaling::kMean, RidgeScaling::kSum}) {
      const auto ridge = [&](double lambda) { kernel_ridge<T>(K, y, lambda, scaling); };
      const double count = scaling == RidgeScaling::kMean ? static_cast<double>(n) : 1;
      const double lambda = advice([&] { ridge(tiny / count); }, "lambda");
      CHECK_NOTHROW(ridge(lambda));
      CHECK_THROWS_AS(ridge(lambda / 3), ValueError);
      CHECK(count * lambda < much);
    }
  }
}

TEST_CASE("a matrix that is no kernel's is refused as that, whatever the noise") {
  Matrix<> K(3, 3);
  K << 1, 0.9F, -0.9F, 0.9F, 1, 0.9F, -0.9F, 0.9F, 1;
  const Vector<> y = Vector<>::Ones(3);
  for (const double noise : {1e-9, 0.1, 0.7}) {
    const Error error = error_of([&] { GaussianProcess<float>(K, y, noise); });
    CHECK(error.argument() == "gram");
    CHECK(error.seen().id() == "not_positive_definite");
    // Its smallest eigenvalue is 1 − 1.8.
    CHECK(std::get<double>(error.wanted().parameters().at(0).held()) == 1);
  }
  CHECK_NOTHROW(GaussianProcess<float>(K, y, 1));
  CHECK_NOTHROW(GaussianProcess<float>(K, y, 0.801));
}

TEST_CASE("descent with other centres takes near points in float32") {
  const Index n = 40;
  Matrix<> X(n + 2, 1);
  for (Index i = 0; i < n + 2; ++i) X(i, 0) = static_cast<float>(i) / static_cast<float>(n);
  const Matrix<> K = Kernel<>("rbf", {{"gamma", 1}}).gram(X);
  const Vector<> y = random<float>(n, 1, 41);
  CHECK_NOTHROW(FunctionalDescent<float>(K, y, FunctionalDescentOptions(), Vector<>()));
}

TEST_CASE("descent with the squared loss ends where ridge regression is") {
  const Matrix<double> X = random<double>(12, 1, 2), K = rbf(X, 1);
  const Vector<double> y = random<double>(12, 1, 3);
  FunctionalDescentOptions options;
  options.lambda = 0.05;
  options.steps = 3000;
  options.history_every = 1000;
  const auto probe = descend<double>(K, y, {.steps = 1});
  options.learning_rate = 0.9 * descend<double>(K, y, options).largest_rate;
  const auto made = descend<double>(K, y, options);
  const auto closed = kernel_ridge<double>(K, y, options.lambda);
  CHECK_CLOSE(made.alpha, closed.alpha, 0, 1e-8);
  CHECK(std::abs(made.curve.back().objective - closed.objective) < 1e-10);
  REQUIRE(made.curve.size() == 3001);
  CHECK(made.history.rows() == 4);
  CHECK(made.history.row(0).norm() == 0);
  CHECK_CLOSE(made.history.row(3).transpose().eval(), made.alpha, 0, 0);
  // Beyond its largest rate it does not settle.
  options.learning_rate = 1.1 * made.largest_rate;
  const auto wild = descend<double>(K, y, options);
  CHECK(wild.curve.back().objective > wild.curve.front().objective);
  CHECK(wild.alpha.allFinite());
  CHECK(probe.curve.size() == 2);
}

TEST_CASE("a step is the gradient in function space: slopes in α, multiplied by K") {
  const Index n = 9;
  const Matrix<double> X = random<double>(n, 2, 6), K = rbf(X, 0.5);
  const Vector<double> y = random<double>(n, 1, 7).cwiseSign();
  for (const PointLoss loss :
       {PointLoss::kSquared, PointLoss::kLogistic, PointLoss::kHinge, PointLoss::kAbsolute}) {
    CAPTURE(static_cast<int>(loss));
    Vector<double> start = 0.3 * random<double>(n, 1, 8);
    FunctionalDescentOptions options{loss, 0.2, 1e-3, 1};
    const auto made = descend<double>(K, y, options, start);
    const Vector<double> change = (start - made.alpha) / 1e-3;
    Vector<double> at = start;
    const Vector<double> slopes =
        central_differences(at, [&] { return objective(loss, K, y, at, 0.2); });
    CHECK_CLOSE((K * change).eval(), slopes, 1e-6, 1e-8);
    CHECK(std::abs(made.curve[0].objective - objective(loss, K, y, start, 0.2)) < 1e-12);
    options.steps = 400;
    options.learning_rate = 0.02;
    const auto long_one = descend<double>(K, y, options, start);
    CHECK(long_one.curve.back().objective < long_one.curve.front().objective);
  }
}

TEST_CASE("what is orthogonal to the span of the data only costs, and only shrinks") {
  Matrix<double> X = random<double>(8, 1, 9);
  const Matrix<double> K = rbf(X, 1);
  const Vector<double> y = random<double>(6, 1, 10);
  Vector<double> start = Vector<double>::Zero(8);
  start.tail(2) << 1, -2;
  FunctionalDescentOptions options;
  options.lambda = 0.1;
  options.learning_rate = 0.2;
  options.steps = 50;
  const auto made = descend<double>(K, y, options, start);
  // f's norm without its projection on the span of the first six bumps, by its definition.
  const Matrix<double> inside = K.topLeftCorner(6, 6);
  const Vector<double> at_data = K.topRows(6) * start;
  const double parallel = at_data.dot(inside.ldlt().solve(at_data));
  const double whole = start.dot(K * start);
  CHECK(std::abs(made.curve[0].orthogonal_squared - (whole - parallel)) < 1e-6);
  CHECK(made.curve[0].orthogonal_squared > 1e-3);
  for (std::size_t s = 1; s < made.curve.size(); ++s) {
    const double want = made.curve[s - 1].orthogonal_squared * std::pow(1 - 0.2 * 0.2, 2);
    CHECK(std::abs(made.curve[s].orthogonal_squared - want) <= 1e-9);
  }
  // Without it, the descent never leaves the span: it has no coefficients elsewhere.
  const auto plain = descend<double>(K, y, options);
  CHECK(plain.alpha.tail(2).norm() == 0);
  CHECK(plain.curve.back().orthogonal_squared == 0);
}

TEST_CASE("descent refuses bad input by name") {
  const Matrix<> K = Matrix<>::Identity(3, 3);
  const Vector<> y = Vector<>::Constant(3, 0.5F);
  const auto refuses = [&](std::string_view argument, auto change) {
    FunctionalDescentOptions options;
    change(options);
    CHECK(error_of([&] {
            FunctionalDescent<float> descent(K, y, options, Vector<>());
          }).argument() == argument);
  };
  refuses("lambda", [](auto& o) { o.lambda = -1; });
  refuses("learning_rate", [](auto& o) { o.learning_rate = 0; });
  refuses("steps", [](auto& o) { o.steps = 0; });
  refuses("y", [](auto& o) { o.loss = PointLoss::kHinge; });
  refuses("y", [](auto& o) { o.loss = PointLoss::kLogistic; });
  const auto given = [](const Matrix<>& gram, const Vector<>& targets) {
    return error_of([&] { FunctionalDescent<float> descent(gram, targets, {}, Vector<>()); })
        .argument();
  };
  CHECK(given(Matrix<>(0, 0), Vector<>(0)) == "gram");
  CHECK(given(K, Vector<>(0)) == "y");
  CHECK(given(K, Vector<>::Constant(3, NAN)) == "y");
  CHECK(given(Matrix<>::Constant(3, 3, NAN), y) == "gram");
}

TEST_CASE("a Gaussian process: ridge's mean, the likelihood by its definition, slopes") {
  const Index n = 14;
  const Matrix<double> X = random<double>(n, 2, 11), Z = random<double>(5, 2, 12);
  const Vector<double> y = random<double>(n, 1, 13);
  RbfProcessParameters at{1.3, 0.9, 0.07};
  const double gamma = 0.5 / (0.9 * 0.9);
  const Kernel<double> kernel = Kernel<double>("rbf", {{"gamma", gamma}}).scaled(1.3);
  const Matrix<double> K = kernel.gram(X), cross = kernel.gram(Z, X);
  const auto made = rbf_process<double>(X, y, Z, at);
  const auto ridge = kernel_ridge<double>(K, y, 0.07, RidgeScaling::kSum);
  CHECK_CLOSE(made.mean, kernel_expansion<double>(cross, ridge.alpha), 1e-9, 1e-9);
  const Matrix<double> noisy = K + 0.07 * Matrix<double>::Identity(n, n);
  const double want = -0.5 * y.dot(noisy.inverse() * y) - 0.5 * std::log(noisy.determinant()) -
                      0.5 * static_cast<double>(n) * std::log(2 * std::numbers::pi);
  CHECK(std::abs(made.log_marginal_likelihood - want) < 1e-8);
  CHECK_CLOSE(made.covariance,
              (kernel.gram(Z) - cross * noisy.inverse() * cross.transpose()).eval(), 1e-8, 1e-8);
  Vector<double> logs(3);
  logs << std::log(1.3), std::log(0.9), std::log(0.07);
  const Vector<double> slopes = central_differences(logs, [&] {
    return rbf_process<double>(X, y, Z, {std::exp(logs(0)), std::exp(logs(1)), std::exp(logs(2))})
        .log_marginal_likelihood;
  });
  CHECK_CLOSE((Eigen::Map<const Vector<double>>(made.d_log.data(), 3).eval()), slopes, 1e-6, 1e-6);
  // At a point of the data the variance is below that of the noise.
  const auto there = rbf_process<double>(X, y, X, at);
  CHECK(there.variance.maxCoeff() < 0.07);
  const GaussianProcess<double> process(K, y, 0.07);
  CHECK_CLOSE(process.variance(cross, Vector<double>::Constant(5, 1.3)), made.variance, 1e-9,
              1e-12);
  CHECK(error_of([&] { rbf_process<double>(X, y, Z, {1, 0, 1}); }).argument() == "length");
  CHECK(error_of([&] { rbf_process<double>(X, y, Z, {1, 1, 0}); }).argument() == "noise_variance");
}

TEST_CASE("a Gaussian process refuses bad input by name, and takes points that occur twice") {
  const Matrix<> X = random<float>(4, 2, 30), Z = random<float>(3, 2, 31);
  const Vector<> y = random<float>(4, 1, 32);
  const auto refused = [](const Matrix<>& points, const Vector<>& values, const Matrix<>& others,
                          const RbfProcessParameters& at = {}) {
    return error_of([&] { rbf_process<float>(points, values, others, at); }).argument();
  };
  CHECK(refused(Matrix<>(0, 2), Vector<>(0), Z) == "X");
  CHECK(refused(X, Vector<>(0), Z) == "y");
  CHECK(refused(X, y, Matrix<>(3, 1)) == "Z");
  CHECK(refused(Matrix<>::Constant(4, 2, NAN), y, Z) == "X");
  CHECK(refused(X, Vector<>::Constant(4, NAN), Z) == "y");
  CHECK(refused(X, y, Matrix<>::Constant(3, 2, NAN)) == "Z");
  CHECK(refused(X, y, Z, {-1, 1, 1}) == "signal_variance");
  CHECK(refused(X, y, Z, {1, 1, -0.1}) == "noise_variance");
  CHECK(refused(X, y, Z, {1, 1, NAN}) == "noise_variance");
  // One place with two values: the mean there is that of one value, their mean, with half the
  // noise.
  Matrix<> twice(2, 2), once = Matrix<>::Constant(1, 2, 0.5F);
  twice << once, once;
  Vector<> two(2), one(1);
  two << 1, 3;
  one << 2;
  const auto both = rbf_process<float>(twice, two, Z, {1, 1, 0.2});
  const auto single = rbf_process<float>(once, one, Z, {1, 1, 0.1});
  CHECK_CLOSE(both.mean, single.mean, 1e-6, 1e-6);
  CHECK_CLOSE(both.variance, single.variance, 1e-6, 1e-6);
  const Matrix<> indefinite = -2 * Matrix<>::Identity(4, 4);
  CHECK(error_of([&] { GaussianProcess<float> process(indefinite, y, 1); }).seen().id() ==
        "not_positive_definite");
}

TEST_CASE("the slopes of a deep kernel's likelihood are those of differences") {
  const Matrix<double> X = random<double>(9, 2, 14), Z = random<double>(3, 2, 15);
  const Vector<double> y = random<double>(9, 1, 16);
  FeedForwardWeights<double> weights;
  weights.up = random<double>(4, 2, 17);
  weights.down = random<double>(3, 4, 18);
  weights.up_bias = random<double>(4, 1, 19);
  weights.down_bias = random<double>(3, 1, 20);
  const RbfProcessParameters at{1.1, 0.8, 0.1};
  const auto likelihood = [&] {
    return deep_kernel_process<double>(X, y, Z, weights, at).log_marginal_likelihood;
  };
  const auto made = deep_kernel_process<double>(X, y, Z, weights, at);
  CHECK(worst_slope(made.d_weights.up, weights.up, likelihood) < 1e-6);
  CHECK(worst_slope(made.d_weights.down, weights.down, likelihood) < 1e-6);
  CHECK(worst_slope(made.d_weights.up_bias, weights.up_bias, likelihood) < 1e-6);
  // A shift of all features changes no distance.
  CHECK(made.d_weights.down_bias.norm() < 1e-8);
}

TEST_CASE("training a deep kernel raises its likelihood; without a network it is a plain process") {
  Matrix<double> X = Matrix<double>::Zero(24, 1), other = random<double>(30, 1, 21);
  for (Index i = 0; i < 24; ++i) X(i, 0) = -1.5 + 0.125 * static_cast<double>(i);
  const auto step = [](const Matrix<double>& x) -> Vector<double> {
    return (x.array() > 0).select(Matrix<double>::Ones(x.rows(), 1), -1).col(0);
  };
  DeepKernelOptions options;
  options.steps = 60;
  const auto train = [&](Index hidden) {
    options.hidden = hidden;
    DeepKernelTraining<double> training(X, step(X), other, step(other), other, options);
    while (!training.step(7)) continue;
    CHECK(training.progress() == 1);
    return training.result();
  };
  const auto plain = train(0), deep = train(16);
  REQUIRE(plain.curve.size() == 61);
  for (const auto* made : {&plain, &deep}) {
    CHECK(made->curve.back().log_marginal_likelihood >
          made->curve.front().log_marginal_likelihood + 0.1);
    CHECK(std::abs((made->mean - step(other)).norm() / std::sqrt(30.0) -
                   made->curve.back().test_error) < 1e-6);
    CHECK_CLOSE(Matrix<double>(made->deviation.cwiseAbs2()), Matrix<double>(made->variance), 1e-9,
                1e-12);
  }
  CHECK(plain.parameter_count == 3);
  CHECK(deep.parameter_count == 16 + 16 + 32 + 2 + 3);
  // A jump is far from stationary: features that jump themselves explain it better.
  CHECK(deep.curve.back().log_marginal_likelihood > plain.curve.back().log_marginal_likelihood);
  CHECK(error_of([&] {
          DeepKernelOptions bad;
          bad.features = 0;
          DeepKernelTraining<double>(X, step(X), other, step(other), other, bad);
        }).argument() == "features");
}

TEST_SUITE_END();
