#include "attn/analysis/singular_values.hpp"

#include <algorithm>
#include <functional>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// An n×m matrix with the singular values `wanted`, made with orthonormal columns on either side by
/// Gram–Schmidt.
Matrix<double> with_values(Index n, Index m, const std::vector<double>& wanted,
                           std::uint64_t seed) {
  const auto k = static_cast<Index>(wanted.size());
  const auto orthonormal = [&](Index size, std::uint64_t from) {
    Matrix<double> basis = random<double>(k, size, from);
    for (Index r = 0; r < k; ++r) {
      for (int pass = 0; pass < 2; ++pass) {
        for (Index p = 0; p < r; ++p) basis.row(r) -= basis.row(r).dot(basis.row(p)) * basis.row(p);
      }
      basis.row(r).normalize();
    }
    return basis;
  };
  const Matrix<double> U = orthonormal(n, seed), V = orthonormal(m, seed + 1000);
  Matrix<double> x = Matrix<double>::Zero(n, m);
  for (Index r = 0; r < k; ++r) {
    x += wanted[static_cast<std::size_t>(r)] * U.row(r).transpose() * V.row(r);
  }
  return x;
}

}  // namespace

TEST_SUITE_BEGIN("singular values");

TEST_CASE("a matrix made from singular values has them, at 200 drawn shapes") {
  Rng rng(5);
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const Index n = 1 + static_cast<Index>(rng.below(14)),
                m = 1 + static_cast<Index>(rng.below(14));
    const auto k = static_cast<std::size_t>(std::min(n, m));
    std::vector<double> wanted(k);
    // The wanted values vary from equal to far apart, and some are zero.
    for (double& value : wanted) {
      value = trial % 4 == 0 ? 2 : std::pow(10.0, -6 * rng.uniform());
      if (trial % 4 == 3 && rng.uniform() < 0.3) value = 0;
    }
    std::sort(wanted.rbegin(), wanted.rend());
    const auto got = singular_values<double>(with_values(n, m, wanted, trial));
    REQUIRE(got.size() == k);
    for (std::size_t i = 0; i < k; ++i) {
      // Making the matrix and decomposing it each err by some dozen ε of the largest value.
      CHECK(std::abs(got[i] - wanted[i]) <= 1e-14 * wanted[0]);
    }
  }
}

TEST_CASE(
    "singular values equal those of the transpose, and their squares sum to the squared norm") {
  const Matrix<> x = random(40, 17, 3);
  const auto got = singular_values(x), turned = singular_values(x.transpose().eval());
  double squares = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    CHECK(got[i] == doctest::Approx(turned[i]).epsilon(1e-13));
    if (i > 0) CHECK(got[i] <= got[i - 1]);
    squares += got[i] * got[i];
  }
  CHECK(squares == doctest::Approx(x.cast<double>().squaredNorm()).epsilon(1e-13));
}

TEST_CASE("singular values of the 2×2 golden-ratio matrix, a row, a column and an empty matrix") {
  Matrix<double> x(2, 2);
  x << 1, 1, 0, 1;
  const auto got = singular_values<double>(x);
  CHECK(got[0] == doctest::Approx((std::sqrt(5.0) + 1) / 2).epsilon(1e-15));
  CHECK(got[1] == doctest::Approx((std::sqrt(5.0) - 1) / 2).epsilon(1e-15));
  const Matrix<double> row = random<double>(1, 7, 1);
  CHECK(singular_values<double>(row)[0] == doctest::Approx(row.norm()).epsilon(1e-15));
  CHECK(singular_values<double>(row.transpose().eval())[0] ==
        doctest::Approx(row.norm()).epsilon(1e-15));
  CHECK(singular_values<double>(Matrix<double>(0, 3)).empty());
  CHECK(singular_values<double>(Matrix<double>::Zero(3, 2)) == std::vector<double>{0, 0});
}

TEST_CASE("singular values are right for numbers whose squares overflow float64") {
  const Matrix<double> x = random<double>(6, 5, 2);
  const auto wanted = singular_values<double>(x);
  for (const double factor : {1e300, 1e-300}) {
    const auto got = singular_values<double>((factor * x).eval());
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(got[i] / factor == doctest::Approx(wanted[i]).epsilon(1e-13));
    }
  }
}

TEST_CASE("rank counts the values above the tolerance") {
  const Matrix<double> low = random<double>(20, 3, 1) * random<double>(3, 12, 2);
  CHECK(numerical_rank<double>(low) == 3);
  CHECK(numerical_rank<float>(low.cast<float>().eval()) == 3);
  CHECK(numerical_rank<double>(random<double>(9, 30, 1)) == 9);
  CHECK(numerical_rank<double>(Matrix<double>::Zero(4, 4)) == 0);
  const Matrix<double> steps = with_values(8, 8, {1, 1e-2, 1e-4, 1e-6}, 1);
  CHECK(numerical_rank<double>(steps, 1e-3) == 2);
  CHECK(numerical_rank<double>(steps, 1e-5) == 3);
  CHECK(numerical_rank<double>(steps) == 4);
  CHECK(rank_tolerance<float>(3, 8) == doctest::Approx(8 * 0x1p-23));
}

TEST_CASE("matrices with NaN and bad tolerances are refused") {
  Matrix<> x = random(3, 3, 1);
  CHECK(error_of([&] { numerical_rank(x, 1.0); }).argument() == "tolerance");
  CHECK(error_of([&] { numerical_rank(x, -1e-9); }).argument() == "tolerance");
  x(1, 2) = NAN;
  CHECK(error_of([&] { singular_values(x); }).argument() == "x");
}

TEST_CASE("a symmetric matrix made from eigenvalues has them, negative ones too") {
  Rng rng(6);
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const Index n = 1 + static_cast<Index>(rng.below(14));
    std::vector<double> wanted;
    for (Index i = 0; i < n; ++i) wanted.push_back(trial % 3 == 0 ? 1 : 4 * rng.uniform() - 2);
    const std::vector<double> ones(static_cast<std::size_t>(n), 1);
    const Matrix<double> Q = with_values(n, n, ones, trial);
    Vector<double> diagonal(n);
    for (Index i = 0; i < n; ++i) diagonal(i) = wanted[static_cast<std::size_t>(i)];
    const Matrix<double> x = Q * diagonal.asDiagonal() * Q.transpose();
    const auto got = symmetric_eigenvalues<double>(x);
    std::sort(wanted.begin(), wanted.end(), std::greater<>());
    REQUIRE(got.size() == wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(std::abs(got[i] - wanted[i]) < 1e-13);
  }
}

TEST_CASE("eigenvalues of a Gram matrix are squared singular values and sum to the trace") {
  const Matrix<double> x = random<double>(60, 9, 3);
  const Matrix<double> gram = x * x.transpose();
  const auto got = symmetric_eigenvalues<double>(gram);
  const auto values = singular_values<double>(x);
  double trace = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    trace += got[i];
    const double want = i < values.size() ? values[i] * values[i] : 0;
    CHECK(std::abs(got[i] - want) < 1e-12 * got[0]);
    if (i > 0) CHECK(got[i] <= got[i - 1]);
  }
  CHECK(trace == doctest::Approx(gram.trace()).epsilon(1e-13));
}

TEST_CASE("the eigenvalues show that tanh(γx·y + c) is not positive semidefinite") {
  const Matrix<> x = random(30, 2, 1);
  const Matrix<> sigmoid = (x * x.transpose()).unaryExpr([](float s) { return std::tanh(s - 1); });
  const Matrix<> softmax = (x * x.transpose()).array().exp();
  CHECK(symmetric_eigenvalues(sigmoid).back() < -0.1);
  const auto exponential = symmetric_eigenvalues(softmax);
  CHECK(exponential.back() > -1e-5 * exponential.front());
}

TEST_CASE("eigenvalues of a matrix that is not square, symmetric, finite and small are refused") {
  CHECK(symmetric_eigenvalues(Matrix<>::Zero(2, 2)) == std::vector<double>{0, 0});
  Matrix<> x = Matrix<>::Identity(3, 3);
  x(0, 2) = 1e-3F;
  CHECK(error_of([&] { symmetric_eigenvalues(x); }).code() == "value");
  x(2, 0) = 1e-3F;
  CHECK_NOTHROW(symmetric_eigenvalues(x));
  x(1, 1) = NAN;
  CHECK(error_of([&] { symmetric_eigenvalues(x); }).code() == "value");
  CHECK(error_of([&] { symmetric_eigenvalues(Matrix<>::Zero(2, 3)); }).code() == "shape");
  CHECK(error_of([&] { symmetric_eigenvalues(Matrix<>(0, 0)); }).code() == "shape");
  CHECK(error_of([&] { symmetric_eigenvalues(Matrix<>::Zero(513, 513)); }).code() == "capacity");
}

TEST_SUITE_END();
