#include "attn/mixers/hyena.hpp"

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("hyena");

/// Central differences with a step of 1e-5 are off by some 1e-8 through the sines.
constexpr double kHyenaOff = 1e-6;

namespace {

template <typename T>
HyenaWeights<T> weights_of(Index d, Index order) {
  HyenaWeights<T> w;
  std::uint64_t seed = 10;
  const auto draw = [&](Index rows, Index cols, double size) -> Matrix<T> {
    return static_cast<T>(size) * random<T>(rows, cols, seed++);
  };
  w.in = draw((order + 1) * d, d, 0.6);
  w.in_bias = draw((order + 1) * d, 1, 0.3);
  w.taps = draw((order + 1) * d, 3, 0.5);
  w.taps_bias = draw((order + 1) * d, 1, 0.3);
  w.filter.layers = {draw(4, 5, 0.5), draw(4, 4, 0.5), draw((order - 1) * d, 4, 0.5)};
  w.filter.biases = {draw(4, 1, 0.3), draw(4, 1, 0.3)};
  w.filter.frequency = draw(4, 1, 1).array() + T{2};
  w.through = draw((order - 1) * d, 1, 0.5);
  w.out = draw(d, d, 0.6);
  w.out_bias = draw(d, 1, 0.3);
  return w;
}

constexpr HyenaFilterOptions kFilter{.length = 9, .shift = 0.05};

}  // namespace

TEST_CASE("a layer of order 2 and of order 3 has the gradients that its differences have") {
  for (const Index order : {2, 3}) {
    CAPTURE(order);
    Matrix<double> X = random<double>(7, 3, 1);
    HyenaWeights<double> w = weights_of<double>(3, order);
    const Matrix<double> dO = random<double>(7, 3, 2);
    const auto loss = [&] { return hyena<double>(X, w, kFilter).cwiseProduct(dO).sum(); };
    const auto back = hyena_backward<double>(X, w, kFilter, dO);
    const auto& g = back.d_weights;
    CHECK_CLOSE(back.dX, central_differences(X, loss), kHyenaOff, kHyenaOff);
    CHECK_CLOSE(g.in, central_differences(w.in, loss), kHyenaOff, kHyenaOff);
    CHECK_CLOSE(g.in_bias, central_differences(w.in_bias, loss), kHyenaOff, kHyenaOff);
    CHECK_CLOSE(g.taps, central_differences(w.taps, loss), kHyenaOff, kHyenaOff);
    CHECK_CLOSE(g.taps_bias, central_differences(w.taps_bias, loss), kHyenaOff, kHyenaOff);
    CHECK_CLOSE(g.through, central_differences(w.through, loss), kHyenaOff, kHyenaOff);
    CHECK_CLOSE(g.out, central_differences(w.out, loss), kHyenaOff, kHyenaOff);
    CHECK_CLOSE(g.out_bias, central_differences(w.out_bias, loss), kHyenaOff, kHyenaOff);
    for (std::size_t i = 0; i < w.filter.layers.size(); ++i) {
      CHECK_CLOSE(g.filter.layers[i], central_differences(w.filter.layers[i], loss), kHyenaOff,
                  kHyenaOff);
    }
    for (std::size_t i = 0; i < w.filter.biases.size(); ++i) {
      CHECK_CLOSE(g.filter.biases[i], central_differences(w.filter.biases[i], loss), kHyenaOff,
                  kHyenaOff);
    }
    CHECK_CLOSE(g.filter.frequency, central_differences(w.filter.frequency, loss), kHyenaOff,
                kHyenaOff);
  }
}

TEST_CASE_TEMPLATE("a channel applies its matrix to v, and nothing comes from later tokens", T,
                   float, double) {
  for (const Index order : {2, 3}) {
    CAPTURE(order);
    HyenaWeights<T> w = weights_of<T>(3, order);
    // What leaves the channels is seen when the last projection does nothing.
    w.out.setIdentity();
    w.out_bias.setZero();
    const Matrix<T> X = random<T>(8, 3, 1);
    const Matrix<T> Y = hyena<T>(X, w, kFilter);
    // v alone, from a layer whose other projections are 1.
    HyenaWeights<T> ones = w;
    ones.in.topRows(order * 3).setZero();
    ones.in_bias.head(order * 3).setZero();
    ones.taps_bias.head(order * 3).setOnes();
    ones.filter.layers.back().setZero();
    ones.through.setOnes();
    const Matrix<T> V = hyena<T>(X, ones, kFilter);
    for (Index c = 0; c < 3; ++c) {
      const Matrix<T> M = hyena_weights<T>(X, w, kFilter, c);
      CHECK_CLOSE((M * V.col(c)).eval(), Y.col(c).eval(), 5 * tolerance<T>(), 5 * tolerance<T>());
      const Matrix<T> later = M.template triangularView<Eigen::StrictlyUpper>();
      CHECK(later.isZero(0));
    }
    CHECK_CLOSE(hyena<T>(X.topRows(5), w, kFilter), Y.topRows(5).eval(), 5 * tolerance<T>(),
                5 * tolerance<T>());
  }
}

TEST_CASE("refuses what does not fit, by name") {
  const HyenaWeights<float> fits = weights_of<float>(3, 2);
  const Matrix<float> X = random<float>(7, 3, 1);
  const auto refusal = [&](auto change) {
    HyenaWeights<float> w = fits;
    HyenaFilterOptions options = kFilter;
    change(w, options);
    return error_of([&] { hyena<float>(X, w, options); }).argument();
  };
  CHECK(refusal([](auto& w, auto&) { w.in.conservativeResize(6, 3); }) == "in");
  CHECK(refusal([](auto& w, auto&) { w.through.conservativeResize(2); }) == "through");
  CHECK(refusal([](auto& w, auto&) { w.filter.biases.pop_back(); }) == "filter.biases");
  CHECK(refusal([](auto& w, auto&) { w.filter.layers[1](0, 0) = NAN; }) == "filter.layers");
  CHECK(refusal([](auto&, auto& options) { options.length = 6; }) == "length");
  CHECK_THROWS_AS(hyena_positions<float>(3, 8, 4), ValueError);
  CHECK_THROWS_AS(hyena_weights<float>(X, fits, kFilter, 3), ValueError);
}

TEST_SUITE_END();
