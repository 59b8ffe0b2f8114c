#include "attn/mixers/positions.hpp"

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("positions");

TEST_CASE_TEMPLATE("turning keeps lengths, and scores know distances only", T, float, double) {
  for (const RotaryPairs pairs : {RotaryPairs::kHalves, RotaryPairs::kInterleaved}) {
    const RotaryOptions options{.pairs = pairs};
    const Matrix<T> x = random<T>(2, 6, 1);
    Matrix<T> norms = rotate<T>(x, 5, options).rowwise().norm();
    CHECK_CLOSE(norms, x.rowwise().norm().eval(), tolerance<T>(), 0);
    const auto score = [&](Index shift) {
      const Matrix<T> q = rotate<T>(x.topRows(1), 9 + shift, options);
      const Matrix<T> k = rotate<T>(x.bottomRows(1), 4 + shift, options);
      return static_cast<double>(q.row(0).dot(k.row(0)));
    };
    // Angles are exact; what a float32 loses is in the products.
    CHECK(score(100) == doctest::Approx(score(0)).epsilon(tolerance<T>() * 10));
    CHECK(std::abs(score(0)) > 1e-3);
  }
}

TEST_CASE("going back turns back, and leaves what is not turned") {
  const RotaryOptions options{.pairs = RotaryPairs::kInterleaved, .width = 4};
  const Matrix<double> x = random<double>(3, 7, 2);
  const Matrix<double> turned = rotate<double>(x, 11, options);
  CHECK_CLOSE(turned.rightCols(3).eval(), x.rightCols(3).eval(), 0, 0);
  CHECK((turned.leftCols(4) - x.leftCols(4)).norm() > 0.1);
  CHECK_CLOSE(rotate_backward<double>(turned, 11, options), x, kDouble, kDouble);
}

TEST_CASE("slopes of heads that are no power of two are not in order") {
  const Vector<double> slopes = alibi_slopes<double>(12);
  CHECK(slopes(0) == 0.5);
  CHECK(slopes(7) == std::exp2(-8));
  CHECK(slopes(8) == doctest::Approx(std::exp2(-0.5)));
  CHECK(slopes(8) > slopes(7));
  const Matrix<double> bias = alibi_bias<double>(3, 0.5);
  CHECK(bias(2, 0) == -1);
  CHECK(bias(0, 2) == 0);
}

TEST_CASE("the two sinusoidal codes are different numbers") {
  const Matrix<double> paper = sinusoidal_positions<double>(4, 6);
  const Matrix<double> halves = sinusoidal_positions<double>(4, 7, SinusoidalLayout::kHalves);
  CHECK(paper(2, 1) == doctest::Approx(std::cos(2.0)));
  CHECK(halves(2, 3) == doctest::Approx(std::cos(2.0)));
  CHECK(halves(2, 2) == doctest::Approx(std::sin(2 / 10000.0)));
  CHECK(paper(2, 4) != doctest::Approx(halves(2, 2)));
  CHECK(halves.col(6).isZero(0));
}

TEST_CASE("refuses what does not fit") {
  const Matrix<float> x = Matrix<float>::Ones(2, 5);
  CHECK_THROWS_AS(rotate<float>(x), ValueError);
  CHECK_THROWS_AS(rotate<float>(x, 0, {.width = 6}), ValueError);
  CHECK_THROWS_AS(rotate<float>(x, -1, {.width = 4}), ValueError);
  CHECK_THROWS_AS(rotate<float>(x, 0, {.width = 4, .base = 0}), ValueError);
  CHECK_THROWS_AS(rotate<float>(Matrix<float>(0, 4)), ShapeError);
  CHECK_THROWS_AS(alibi_slopes<float>(0), ValueError);
  CHECK_THROWS_AS(sinusoidal_positions<float>(0, 4), ValueError);
}

TEST_SUITE_END();
