#include "attn/nn/linear.hpp"

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("linear");

TEST_CASE_TEMPLATE("a linear layer is the sums that it stands for", T, float, double) {
  for (const Index n : {1, 5, 17}) {
    const Matrix<T> X = random<T>(n, 7, 1), W = random<T>(6, 7, 2);
    const Vector<T> bias = random<T>(6, 1, 3);
    Matrix<T> wanted(n, 6);
    for (Index i = 0; i < n; ++i) {
      for (Index o = 0; o < 6; ++o) {
        double sum = static_cast<double>(bias(o));
        for (Index c = 0; c < 7; ++c) {
          sum += static_cast<double>(X(i, c)) * static_cast<double>(W(o, c));
        }
        wanted(i, o) = static_cast<T>(sum);
      }
    }
    CHECK_CLOSE(linear<T>(X, W, bias), wanted, tolerance<T>(), tolerance<T>());
    wanted.rowwise() -= bias.transpose();
    CHECK_CLOSE(linear<T>(X, W), wanted, tolerance<T>(), tolerance<T>());
  }
}

TEST_CASE("a linear layer has the gradients that its differences have") {
  Matrix<double> X = random<double>(3, 5, 1), W = random<double>(4, 5, 2);
  Vector<double> bias = random<double>(4, 1, 3);
  const Matrix<double> dY = random<double>(3, 4, 4);
  const auto loss = [&] { return linear<double>(X, W, bias).cwiseProduct(dY).sum(); };
  const auto back = linear_backward<double>(X, W, bias, dY);
  CHECK_CLOSE(back.dX, central_differences(X, loss), 1e-7, 1e-7);
  CHECK_CLOSE(back.dW, central_differences(W, loss), 1e-7, 1e-7);
  CHECK_CLOSE(back.d_bias, central_differences(bias, loss), 1e-7, 1e-7);
  CHECK(error_of([&] { linear<double>(X, W.leftCols(4)); }).argument() == "W");
  CHECK(error_of([&] { linear<double>(X, W, Vector<double>::Ones(3)); }).argument() == "bias");
  CHECK(error_of([&] { linear_backward<double>(X, W, bias, dY.leftCols(3)); }).argument() == "dY");
}

TEST_SUITE_END();
