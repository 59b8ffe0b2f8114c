#include "attn/mixers/convolution.hpp"

#include "attn/cost/operation_count.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("convolution");

/// Central differences with a step of 1e-5 are off by some 1e-9 here.
constexpr double kConvolutionOff = 1e-7;

TEST_CASE_TEMPLATE("spectra give what the sums give, at sizes that are no powers of two", T, float,
                   double) {
  for (const Index n : {1, 2, 3, 7, 8, 13, 33}) {
    CAPTURE(n);
    const Index d = 3;
    const Matrix<T> X = random<T>(n, d, 1), filter = random<T>(n + 2, d, 2),
                    dO = random<T>(n, d, 3);
    const Vector<T> through = random<T>(d, 1, 4);
    const auto form = [&](ConvolutionForm f) { return long_convolution<T>(X, filter, through, f); };
    CHECK_CLOSE(form(ConvolutionForm::kFft), form(ConvolutionForm::kDirect), tolerance<T>(),
                tolerance<T>());
    const auto back = [&](ConvolutionForm f) {
      return long_convolution_backward<T>(X, filter, through, dO, f);
    };
    const auto fft = back(ConvolutionForm::kFft), direct = back(ConvolutionForm::kDirect);
    CHECK_CLOSE(fft.dX, direct.dX, tolerance<T>(), tolerance<T>());
    CHECK_CLOSE(fft.d_filter, direct.d_filter, tolerance<T>(), tolerance<T>());
    CHECK_CLOSE(fft.d_through, direct.d_through, tolerance<T>(), tolerance<T>());
    for (Index c = 0; c < d; ++c) {
      const Matrix<T> M = toeplitz_weights<T>(filter.col(c), n, static_cast<double>(through(c)));
      CHECK_CLOSE((M * X.col(c)).eval(), form(ConvolutionForm::kDirect).col(c).eval(),
                  tolerance<T>(), tolerance<T>());
    }
  }
}

TEST_CASE("long convolutions have the gradients that their differences have") {
  Matrix<double> X = random<double>(5, 2, 1), filter = random<double>(7, 2, 2);
  Vector<double> through = random<double>(2, 1, 3);
  const Matrix<double> dO = random<double>(5, 2, 4);
  const auto loss = [&] {
    return long_convolution<double>(X, filter, through).cwiseProduct(dO).sum();
  };
  const auto back = long_convolution_backward<double>(X, filter, through, dO);
  CHECK_CLOSE(back.dX, central_differences(X, loss), kConvolutionOff, kConvolutionOff);
  CHECK_CLOSE(back.d_filter, central_differences(filter, loss), kConvolutionOff, kConvolutionOff);
  CHECK_CLOSE(back.d_through, central_differences(through, loss), kConvolutionOff, kConvolutionOff);
}

TEST_CASE("a short convolution goes on from its state, and has the gradients of its differences") {
  for (const Index k : {1, 3, 4, 9}) {
    CAPTURE(k);
    Matrix<double> X = random<double>(7, 3, 1), taps = random<double>(3, k, 2);
    Vector<double> bias = random<double>(3, 1, 3);
    const auto whole = short_convolution<double>(X, taps, bias);
    const auto start = short_convolution<double>(X.topRows(2), taps, bias);
    const auto rest = short_convolution<double>(X.bottomRows(5), taps, bias, &start.state);
    CHECK_CLOSE(rest.output, whole.output.bottomRows(5).eval(), kDouble, kDouble);
    CHECK_CLOSE(rest.state, whole.state, 0, 0);
    // It is the long convolution whose taps come from the end.
    Matrix<double> filter = Matrix<double>::Zero(std::max<Index>(7, k), 3);
    for (Index j = 0; j < k; ++j) filter.row(k - 1 - j) = taps.col(j).transpose();
    Matrix<double> same =
        long_convolution<double>(X, filter, Vector<double>(), ConvolutionForm::kDirect);
    same.rowwise() += bias.transpose();
    CHECK_CLOSE(whole.output, same, kDouble, kDouble);
    const Matrix<double> dO = random<double>(7, 3, 4);
    const auto loss = [&] {
      return short_convolution<double>(X, taps, bias).output.cwiseProduct(dO).sum();
    };
    const auto back = short_convolution_backward<double>(X, taps, bias, dO);
    CHECK_CLOSE(back.dX, central_differences(X, loss), kConvolutionOff, kConvolutionOff);
    CHECK_CLOSE(back.d_taps, central_differences(taps, loss), kConvolutionOff, kConvolutionOff);
    CHECK_CLOSE(back.d_bias, central_differences(bias, loss), kConvolutionOff, kConvolutionOff);
  }
}

TEST_CASE("the work of a long convolution grows as n log n") {
  const auto counted = [](Index n, ConvolutionForm form) {
    const Matrix<float> X = random<float>(n, 2, 1);
    OperationMeter meter;
    long_convolution<float>(X, X, Vector<float>(), form);
    return meter.count().multiply_adds;
  };
  CHECK(counted(100, ConvolutionForm::kDirect) == 2 * 100 * 101 / 2);
  for (const Index n : {16, 100}) {
    const Index size = long_convolution_transform(n);
    CHECK(size >= 2 * n);
    // Three transforms and a product of spectra for each channel.
    CHECK(counted(n, ConvolutionForm::kFft) ==
          2 * (3 * fft_multiply_adds(size) + 4 * static_cast<std::uint64_t>(size / 2 + 1)));
  }
  CHECK(fft_multiply_adds(1024) == 4 * 512 * 10);
}

TEST_CASE("refuses what does not fit, by name") {
  const Matrix<float> X = random<float>(4, 3, 1);
  const Vector<float> none;
  CHECK(error_of([&] { long_convolution<float>(X, X.topRows(3), none); }).argument() == "filter");
  CHECK(error_of([&] { long_convolution<float>(X, X, Vector<float>::Ones(2)); }).argument() ==
        "through");
  CHECK(error_of([&] { short_convolution<float>(X, X, none); }).argument() == "taps");
  const Matrix<float> before = X.topRows(1);
  CHECK(error_of([&] {
          short_convolution<float>(X, Matrix<float>::Ones(3, 4), none, &before);
        }).argument() == "before");
  CHECK_THROWS_AS(toeplitz_weights<float>(none, 0), ValueError);
}

TEST_SUITE_END();
