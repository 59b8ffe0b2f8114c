#include "attn/kernels/kernel.hpp"

#include <Eigen/Eigenvalues>
#include <functional>
#include <map>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// Points as every kernel takes them: without negative entries.
template <typename T>
Matrix<T> points(Index n, Index d, std::uint64_t seed) {
  return random<T>(n, d, seed).cwiseAbs();
}

double smallest_over_largest(const Matrix<double>& K) {
  const Vector<double> values =
      Eigen::SelfAdjointEigenSolver<Matrix<double>>(K, Eigen::EigenvaluesOnly).eigenvalues();
  return values(0) / values.cwiseAbs().maxCoeff();
}

}  // namespace

TEST_SUITE_BEGIN("kernels");

TEST_CASE("every kernel: its Gram matrix has its values, is symmetric and fits the diagonal") {
  for (const RegisteredKernel& info : kernels()) {
    CAPTURE(info.id);
    for (const Index d : {1, 3, 40}) {
      const Matrix<double> X = points<double>(9, d, 1), Y = points<double>(7, d, 2);
      const Kernel<double> k(info.id);
      const Matrix<double> XX = k.gram(X), XY = k.gram(X, Y);
      CHECK((XX - XX.transpose()).cwiseAbs().maxCoeff() == 0);
      CHECK_CLOSE(XX, k.gram(X, X), 1e-9, 1e-9);
      CHECK_CLOSE(XX.diagonal(), k.diagonal(X), 1e-9, 1e-9);
      for (Index i = 0; i < X.rows(); ++i) {
        for (Index j = 0; j < Y.rows(); ++j) {
          const double alone = k(X.row(i).transpose(), Y.row(j).transpose());
          CHECK(XY(i, j) == doctest::Approx(alone).epsilon(1e-9));
        }
      }
      if (info.stationary) {
        CHECK((k.diagonal(X).array() - k.diagonal(X)(0)).abs().maxCoeff() < 1e-12);
      }
      // float32 has the same values, up to its rounding.
      CHECK_CLOSE(Kernel<float>(info.id).gram(X.cast<float>(), Y.cast<float>()), XY.cast<float>(),
                  2e-4, 2e-5);
    }
  }
}

TEST_CASE("every kernel that is marked as one has no negative eigenvalue, at drawn points") {
  for (const RegisteredKernel& info : kernels()) {
    CAPTURE(info.id);
    bool failed = false;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const Index d = 1 + static_cast<Index>(seed % 4);
      const Matrix<double> X =
          info.non_negative_points ? points<double>(12, d, seed) : random<double>(12, d, seed);
      failed = failed || smallest_over_largest(Kernel<double>(info.id).gram(X)) < -1e-9;
    }
    CHECK(failed == (info.definiteness == Definiteness::kIndefinite));
  }
}

TEST_CASE("combinations of kernels have the values and the definiteness of their parts") {
  const Matrix<double> X = random<double>(6, 2, 3), Y = random<double>(5, 2, 4);
  const Kernel<double> rbf("rbf", {{"gamma", 0.5}}), linear("linear"), sigmoid("sigmoid");
  const Matrix<double> a = rbf.gram(X, Y), b = linear.gram(X, Y);
  CHECK_CLOSE((rbf + linear).gram(X, Y), a + b, 1e-12, 1e-12);
  CHECK_CLOSE((rbf * linear).gram(X, Y), a.cwiseProduct(b), 1e-12, 1e-12);
  CHECK_CLOSE(rbf.scaled(3).gram(X, Y), 3 * a, 1e-12, 1e-12);
  CHECK_CLOSE(linear.exponential().gram(X, Y), b.array().exp().matrix(), 1e-12, 1e-12);
  CHECK_CLOSE(linear.normalized().gram(X, Y), Kernel<double>("cosine").gram(X, Y), 1e-12, 1e-12);
  Matrix<double> A(1, 2);
  A << 2, -1;
  CHECK_CLOSE(linear.of_mapped(A).gram(X, Y), (X * A.transpose()) * (Y * A.transpose()).transpose(),
              1e-12, 1e-12);
  CHECK_THROWS_AS(linear.of_mapped(A).gram(random<double>(3, 4, 1)), ShapeError);

  CHECK((rbf + linear).definiteness() == Definiteness::kPositiveSemidefinite);
  CHECK((rbf * sigmoid).definiteness() == Definiteness::kUnknown);
  CHECK(rbf.scaled(-1).definiteness() == Definiteness::kUnknown);
  CHECK(sigmoid.scaled(0).definiteness() == Definiteness::kPositiveSemidefinite);
  CHECK(Kernel<double>("polynomial", {{"coef0", -1}}).definiteness() == Definiteness::kIndefinite);
  CHECK((linear + rbf).scaled(2).text() == "2·(linear + rbf(gamma = 0.5))");

  KernelChoice choice{.id = "rbf", .parameters = {{"gamma", 0.5}}};
  choice.steps.push_back({.operation = KernelOperation::kPlus, .id = "linear"});
  choice.steps.push_back({.operation = KernelOperation::kScale, .factor = 2});
  CHECK_CLOSE(make_kernel<double>(choice).gram(X, Y), 2 * (a + b), 1e-12, 1e-12);
}

TEST_CASE("float32 distances of near points far from the origin keep their digits") {
  for (const Index d : {2, 40}) {
    Matrix<double> X = random<double>(8, d, 5) * 0.01;
    X.array() += 50;
    const Matrix<float> given = X.cast<float>();
    const double gamma = 1000;
    const Matrix<double> wanted =
        Kernel<double>("rbf", {{"gamma", gamma}}).gram(given.cast<double>());
    CHECK_CLOSE(Kernel<float>("rbf", {{"gamma", gamma}}).gram(given).cast<double>(), wanted, 1e-4,
                1e-6);
  }
}

TEST_CASE("the vectorised tangents, angles and halves of matrices are those of the formulas") {
  // Wide points take another way to their products, and more rows than one band of it.
  for (const Index d : {1, 2, 16, 17}) {
    const Matrix<float> X = 0.7F * random(150, d, 6);
    for (const RegisteredKernel& info : kernels()) {
      if (info.non_negative_points) continue;
      CAPTURE(info.id);
      const Matrix<double> wide = Kernel<double>(info.id).gram(X.cast<double>());
      // The neural tangent kernel is linear in the angle, of which float32 tells the last 1.4e-3
      // before 0 or π no more: 4.4e-4·‖x‖‖y‖. All others depend on its square there.
      const bool by_angle = info.id == "ntk";
      CHECK_CLOSE(Kernel<float>(info.id).gram(X).cast<double>(), wide, by_angle ? 3e-4 : 2e-5,
                  by_angle ? 3e-3 : 2e-5);
      CHECK_CLOSE(wide, Kernel<double>(info.id).gram(X.cast<double>(), X.cast<double>()), 1e-7,
                  1e-7);
    }
  }
  // tanh from where its series serves to where it is 1.
  Matrix<float> x(1, 1), y(200, 1);
  x(0, 0) = 1;
  for (Index i = 0; i < 200; ++i) {
    y(i, 0) = (i % 2 == 0 ? 1.0F : -1.0F) * std::pow(10.0F, -6 + 0.04F * static_cast<float>(i));
  }
  const Matrix<float> tanh = Kernel<float>("sigmoid", {{"gamma", 1}, {"coef0", 0}}).gram(y, x);
  for (Index i = 0; i < 200; ++i) {
    const double wanted = std::tanh(static_cast<double>(y(i, 0)));
    CHECK(attn::test::close(static_cast<double>(tanh(i, 0)), wanted, 4e-7, 0));
  }
}

TEST_CASE("points that a kernel does not take are refused by name") {
  const Kernel<float> rbf("rbf");
  Matrix<float> X = random(3, 2, 1);
  CHECK_THROWS_AS(rbf.gram(Matrix<float>(0, 2)), ShapeError);
  CHECK_THROWS_AS(rbf.gram(X, random(3, 1, 1)), ShapeError);
  CHECK_THROWS_AS(rbf.gram(Matrix<float>::Zero(kMaxGramRows + 1, 1)), CapacityError);
  X(1, 1) = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(rbf.gram(X), ValueError);
  CHECK_THROWS_AS(Kernel<float>("chi_squared").gram(-points<float>(3, 2, 1)), ValueError);
  CHECK_THROWS_AS(Kernel<float>("exponential").gram(100 * random(3, 2, 1)), ValueError);
  CHECK_THROWS_AS(Kernel<float>("nothing"), ValueError);
  CHECK_THROWS_AS(Kernel<float>("rbf", {{"gamma", -1}}), ValueError);
  CHECK_THROWS_AS(Kernel<float>("polynomial", {{"degree", 1.5}}), ValueError);
}

TEST_SUITE_END();
