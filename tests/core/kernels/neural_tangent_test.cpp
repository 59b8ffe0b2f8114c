#include "attn/kernels/neural_tangent.hpp"

#include <Eigen/Eigenvalues>

#include "attn/kernels/kernel.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("neural tangent kernel");

TEST_CASE("on the diagonal weight_std = √2 keeps the covariance, and each layer adds one") {
  const Matrix<double> X = random<double>(4, 5, 1);
  for (const Index layers : {0, 1, 2, 5}) {
    const auto made = neural_tangent_kernel<double>(X, X, {.layers = layers});
    const Vector<double> size = 2 * X.rowwise().squaredNorm() / 5;
    CHECK_CLOSE(made.nngp.diagonal().eval(), size, 1e-12, 0);
    CHECK_CLOSE(made.ntk.diagonal().eval(), (static_cast<double>(layers + 1) * size).eval(), 1e-12,
                0);
    const Vector<double> values =
        Eigen::SelfAdjointEigenSolver<Matrix<double>>(made.ntk).eigenvalues();
    CHECK(values(0) > -1e-12);
    CHECK_CLOSE(made.ntk, made.ntk.transpose().eval(), 1e-14, 0);
  }
}

TEST_CASE("the kernel of the registry is the closed form, in both precisions") {
  Matrix<double> X = random<double>(9, 3, 1), Y = random<double>(7, 3, 2);
  X.row(2).setZero();
  Y.row(1) = X.row(0);
  Y.row(2) = -X.row(1);
  for (const Index layers : {0, 1, 3}) {
    for (const double bias : {0.0, 0.4}) {
      CAPTURE(layers);
      const ReluNetworkOptions options{.layers = layers, .weight_std = 1.3, .bias_std = bias};
      const KernelParameters given = {
          {"layers", static_cast<double>(layers)}, {"weight_std", 1.3}, {"bias_std", bias}};
      const Matrix<double> wanted = neural_tangent_kernel<double>(X, Y, options).ntk;
      CHECK_CLOSE(Kernel<double>("ntk", given).gram(X, Y), wanted, 1e-7, 1e-7);
      CHECK_CLOSE(Kernel<float>("ntk", given).gram(X.cast<float>(), Y.cast<float>()).cast<double>(),
                  wanted, 2e-3, 1e-4);
      CHECK_CLOSE(Kernel<double>("ntk", given).gram(X),
                  neural_tangent_kernel<double>(X, X, options).ntk, 1e-7, 1e-7);
    }
  }
}

TEST_CASE("equal, opposite and zero points are no special cases") {
  Matrix<double> X(4, 2);
  X << 1, 2, 1, 2, -1, -2, 0, 0;
  const auto made = neural_tangent_kernel<double>(X, X, {.layers = 1, .scale_inputs = false});
  CHECK(made.ntk.allFinite());
  CHECK(std::abs(made.ntk(0, 1) - made.ntk(0, 0)) < 1e-12);
  // relu of x and of −x are never both above 0.
  CHECK(std::abs(made.nngp(0, 2)) < 1e-12);
  CHECK(made.ntk(0, 3) == 0);
}

TEST_CASE("a finite network's tangent kernel is the product of its gradients") {
  const ReluNetworkOptions options{.layers = 2, .bias_std = 0.3};
  const Matrix<double> X = random<double>(3, 4, 2);
  const ReluNetwork<double> network(4, 6, options, 7);
  const Matrix<double> kernel = network.tangent_kernel(X, X);
  // A step towards a target moves f(z) by rate·Θ(z, x)·(y − f(x)) to first order.
  for (Index i = 0; i < 3; ++i) {
    const Vector<double> before = network(X);
    Vector<double> target(1);
    target << before(i) + 1;
    ReluNetwork<double> moved = network;
    moved.descend(X.row(i), target, 1e-6);
    CHECK_CLOSE(((moved(X) - before) * 1e6).eval(), kernel.col(i).eval(), 1e-3, 1e-4);
  }
}

TEST_CASE("the wider the network, the nearer its kernel to the closed form, as 1/√width") {
  const ReluNetworkOptions options{.layers = 1, .bias_std = 0.1};
  const Matrix<double> X = random<double>(6, 3, 3);
  const Matrix<double> want = neural_tangent_kernel<double>(X, X, options).ntk;
  const auto error = [&](Index width) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const ReluNetwork<double> network(3, width, options, seed);
      sum += (network.tangent_kernel(X, X) - want).squaredNorm();
    }
    return std::sqrt(sum / 8) / want.norm();
  };
  const double narrow = error(32), wide = error(2048);
  CHECK(wide < 0.05);
  CHECK(narrow / wide > 4);
  CHECK(narrow / wide < 16);
}

TEST_CASE("training a wide network is the kernel's descent; a narrow one leaves it") {
  const Matrix<> X = random<float>(8, 2, 4), Z = random<float>(20, 2, 5);
  const Vector<> y = random<float>(8, 1, 6);
  const auto train = [&](Index width) {
    WideTrainingOptions options;
    options.width = width;
    options.steps = 100;
    WideNetworkTraining<float> training(X, y, Z, options);
    while (!training.step(9)) continue;
    CHECK(training.progress() == 1);
    return training.result();
  };
  const auto narrow = train(16), wide = train(4096);
  REQUIRE(wide.curve.size() == 101);
  CHECK(wide.curve.back().kernel_loss < 0.2 * wide.curve.front().kernel_loss);
  CHECK(std::abs(wide.curve.front().kernel_loss - wide.curve.front().network_loss) < 1e-4);
  CHECK(std::abs(wide.curve.back().kernel_loss / wide.curve.back().network_loss - 1) < 0.3);
  CHECK(wide.difference < 0.1);
  CHECK(wide.difference < 0.3 * narrow.difference);
  CHECK(wide.weight_change < narrow.weight_change);
  CHECK(wide.kernel_change < 0.3 * narrow.kernel_change);
  CHECK(wide.weight_count == 4096 * 2 + 4096 + 4096 + 1);
}

TEST_CASE("neural tangent kernels refuse bad input by name") {
  const Matrix<> X = random<float>(2, 3, 1);
  const auto refuses = [&](std::string_view argument, auto change) {
    ReluNetworkOptions options;
    change(options);
    CHECK(error_of([&] { neural_tangent_kernel<float>(X, X, options); }).argument() == argument);
  };
  refuses("layers", [](auto& o) { o.layers = -1; });
  refuses("weight_std", [](auto& o) { o.weight_std = 0; });
  refuses("bias_std", [](auto& o) { o.bias_std = -1; });
  CHECK(error_of([&] { neural_tangent_kernel<float>(Matrix<>(0, 3), X, {}); }).argument() == "X");
  CHECK(error_of([&] { neural_tangent_kernel<float>(X, Matrix<>::Ones(2, 2), {}); }).argument() ==
        "Y");
  CHECK(error_of([&] { ReluNetwork<float>(3, 0, {}, 1); }).argument() == "width");
  CHECK(error_of([&] { ReluNetwork<float>(3, 16384, {.layers = 3}, 1); }).argument() == "width");
}

TEST_SUITE_END();
