#include "attn/attention/softmax.hpp"

#include <limits>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("softmax");

namespace {

Vector<double> random_logits(Index n, std::uint64_t seed) {
  return random<double>(n, 1, seed).col(0) * 3;
}

}  // namespace

TEST_CASE("weights, log-sum-exp and shift invariance over many lengths") {
  for (Index n = 1; n <= 200; ++n) {
    const Vector<double> x = random_logits(n, static_cast<std::uint64_t>(n));
    const auto got = softmax<double>(x);
    double sum = 0;
    for (Index i = 0; i < n; ++i) sum += std::exp(x(i));
    CHECK(got.log_sum_exp == doctest::Approx(std::log(sum)).epsilon(1e-12));
    CHECK_CLOSE(got.weights, (x.array().exp() / sum).matrix().eval(), kDouble, kDouble);
    const Vector<double> shifted = x.array() + 1e4;
    // Adding 1e4 itself rounds the logits to 2e-12.
    CHECK_CLOSE(softmax<double>(shifted).weights, got.weights, 1e-11, 1e-12);
  }
}

TEST_CASE("-inf blocks an entry; all blocked gives zeros, not NaN") {
  Vector<> x(3);
  x << 1, -std::numeric_limits<float>::infinity(), 1;
  const auto got = softmax(x);
  CHECK(got.weights(1) == 0.0F);
  CHECK(got.weights(0) == 0.5F);
  const auto none = softmax<double>(Vector<double>::Constant(4, -kInfinity));
  CHECK(none.weights.isZero(0));
  CHECK(none.log_sum_exp == -kInfinity);
  CHECK(softmax_jacobian<double>(none.weights).isZero(0));
  CHECK(softmax_jacobian_norm<double>(none.weights) == 0.0);
  CHECK(entropy<double>(none.weights) == 0.0);
}

TEST_CASE("the Jacobian is the derivative, is symmetric, and its rows sum to zero") {
  for (Index n = 1; n <= 40; ++n) {
    const Vector<double> x = random_logits(n, static_cast<std::uint64_t>(100 + n));
    const Matrix<double> J = softmax_jacobian<double>(softmax<double>(x).weights);
    Matrix<double> numeric(n, n);
    for (Index j = 0; j < n; ++j) {
      Vector<double> up = x, down = x;
      up(j) += 1e-6;
      down(j) -= 1e-6;
      numeric.col(j) = (softmax<double>(up).weights - softmax<double>(down).weights) / 2e-6;
    }
    // Central differences have 1e-12 of truncation and 1e-16/1e-6 of rounding.
    CHECK_CLOSE(J, numeric, 1e-7, 1e-9);
    CHECK_CLOSE(J, J.transpose().eval(), 0, 0);
    CHECK(J.rowwise().sum().cwiseAbs().maxCoeff() < 1e-15);
  }
}

TEST_CASE_TEMPLATE("the norm computed in O(n) equals the norm of the matrix", T, float, double) {
  for (Index n = 1; n <= 100; ++n) {
    const Vector<T> x = random_logits(n, static_cast<std::uint64_t>(200 + n)).template cast<T>();
    const Vector<T> p = softmax<T>(x).weights;
    const double wanted = softmax_jacobian<T>(p).template cast<double>().norm();
    // The matrix itself is rounded to T, but the norm is not.
    CHECK(softmax_jacobian_norm<T>(p) == doctest::Approx(wanted).epsilon(tolerance<T>()));
    CHECK(softmax_jacobian_norm<T>(p) <= 0.5);
  }
  CHECK(softmax_jacobian_norm<T>(Vector<T>::Constant(2, T(0.5))) == 0.5);
  CHECK(softmax_jacobian_norm<T>(Vector<T>::Constant(8, T(0.125))) ==
        doctest::Approx(std::sqrt(7.0) / 8));
}

TEST_CASE("the norm of a saturated row keeps the digits that 1 - p has lost") {
  // p = (1, e) with e far below the ulp of 1: J = e·(1, −1; −1, 1), whose norm is 2e.
  for (const double e : {1e-6, 1e-12, 1e-20}) {
    Vector<> p(2);
    p << 1.0F, static_cast<float>(e);
    CHECK(softmax_jacobian_norm(p) == doctest::Approx(2 * e).epsilon(1e-5));
    CHECK(softmax_jacobian(p)(0, 0) == doctest::Approx(e).epsilon(1e-5));
  }
  Vector<> p(3);
  p << 0, 1, 0;
  CHECK(softmax_jacobian_norm(p) == 0.0);
}

TEST_CASE("entropy is ln n for equal weights, 0 for one key, and never negative") {
  for (Index n = 1; n <= 64; ++n) {
    const Vector<double> p = Vector<double>::Constant(n, 1.0 / static_cast<double>(n));
    CHECK(entropy<double>(p) == doctest::Approx(std::log(static_cast<double>(n))).epsilon(1e-13));
  }
  Vector<> one(3);
  one << 0, std::nextafter(1.0F, 2.0F), 0;
  CHECK(entropy(one) == 0.0);
  Vector<double> p(3);
  p << 0.5, 0.5, 0;
  CHECK(entropy<double>(p) == doctest::Approx(std::log(2.0)));
}

TEST_CASE("a row of a matrix is accepted without copying it") {
  const Matrix<double> X = random<double>(4, 6, 5);
  const Vector<double> copy = X.row(2).transpose();
  CHECK_CLOSE(softmax<double>(X.row(2).transpose()).weights, softmax<double>(copy).weights, 0, 0);
}

TEST_CASE("inputs that are not logits or not weights are refused") {
  Vector<double> x(2);
  CHECK(error_of([] { softmax<double>(Vector<double>()); }).argument() == "x");
  x << 0, kInfinity;
  CHECK(error_of([&] { softmax<double>(x); }).code() == "value");
  x << 0, std::nan("");
  CHECK(error_of([&] { softmax<double>(x); }).seen().text() == "nan at entry 1");
  x << 0.5, 0.4;
  CHECK(error_of([&] { entropy<double>(x); }).seen().text() == "a sum of 0.9");
  x << 1.5, -0.5;
  CHECK(error_of([&] { softmax_jacobian<double>(x); }).seen().text() == "-0.5 at entry 1");
  CHECK(error_of([&] { softmax_jacobian_norm<double>(x); }).argument() == "p");
}

TEST_SUITE_END();
