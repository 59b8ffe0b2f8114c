#include "attn/heads/head_circuits.hpp"

#include <Eigen/LU>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("head circuits");

TEST_CASE("under uniform weights every key has its own norm over their number") {
  const Index n = 5, D = 6, heads = 2, d_v = 3;
  const std::vector<Matrix<double>> even(heads, Matrix<double>::Constant(n, n, 1. / n));
  const Matrix<double> X = random<double>(n, D, 1), Wv = random<double>(heads * d_v, D, 2),
                       Wo = random<double>(4, heads * d_v, 3);
  const auto made = norm_weighted_attention<double>(even, X, Wv, Wo);
  for (Index h = 0; h < heads; ++h) {
    for (Index i = 0; i < n; ++i) {
      CHECK_CLOSE(made.norm[static_cast<std::size_t>(h)].row(i), made.value_norm.row(h) / n, 1e-12,
                  0);
    }
  }
  const Matrix<double> out =
      Matrix<double>::Constant(n, n, 1. / n) * X * Wv.transpose() * Wo.transpose();
  CHECK_CLOSE(made.output, out, 1e-10, 1e-12);
  // The norm of a sum is at most the sum of the norms.
  CHECK((made.norm[0] + made.norm[1] - made.norm_sum).minCoeff() > -1e-12);
}

TEST_CASE("Gaussian queries and keys have the stated mean and deviation of symmetry") {
  const Index D = 32, d = 8, heads = 500;
  const QkSymmetry made = qk_symmetry<double>(random<double>(heads * d, D, 5),
                                              random<double>(heads * d, D, 6), heads, heads);
  double mean = 0, square = 0;
  for (const double s : made.symmetry) {
    mean += s / heads;
    square += s * s / heads;
  }
  const double deviation = std::sqrt(square - mean * mean);
  // Four standard errors of a mean of 500, and a tenth of the deviation, which is an approximation.
  CHECK(close(mean, made.random_mean, 0, 4 * made.random_deviation / std::sqrt(500.)));
  CHECK(close(deviation, made.random_deviation, 0.15, 0));
}

TEST_CASE("a head whose output is what it attended to copies, its negative does not") {
  const Index V = 20, D = 12, d_v = 12;
  const Matrix<double> E = random<double>(V, D, 1), W = random<double>(d_v, D, 2);
  const Matrix<double> back = W.inverse();
  Matrix<double> Wv(2 * d_v, D), Wo(D, 2 * d_v);
  Wv << W, W;
  Wo << back, -back;
  const auto made = copying_scores<double>(E, Wv, Wo, E, 2, 2);
  CHECK(made[0].share >= 0.9);
  CHECK(made[0].lift > 2);
  CHECK(made[0].share_elsewhere < 0.2);
  CHECK(std::abs(made[0].lift_elsewhere) < 0.5);
  CHECK(made[1].share == 0);
  CHECK(made[1].lift < -2);
  CHECK(made[0].chance == 1. / V);
  // Both heads read one value head.
  const auto shared = copying_scores<double>(E, W, Wo, E, 2, 1);
  CHECK(shared[0].share == made[0].share);
  CHECK(shared[1].lift == made[1].lift);
}

TEST_CASE("keys that hold what the earlier head moved make an induction circuit") {
  const Index V = 20, D = 12;
  const Matrix<double> E = random<double>(V, D, 1), W = random<double>(D, D, 2),
                       eye = Matrix<double>::Identity(D, D);
  const Matrix<double> back = W.inverse();
  const CircuitScore whole = induction_circuit<double>(E, eye, eye, W, back);
  CHECK(whole.share >= 0.9);
  CHECK(whole.lift > 2);
  // Another earlier head moves something else.
  const CircuitScore other = induction_circuit<double>(E, eye, eye, W, random<double>(D, D, 9));
  CHECK(other.share < 0.35);
  CHECK(std::abs(other.lift) < 1);
  // Weights that say nothing name no token.
  const CircuitScore nothing =
      induction_circuit<double>(E, eye, Matrix<double>::Zero(D, D), W, back);
  CHECK(nothing.share == 0);
  CHECK(nothing.lift == 0);
}

TEST_CASE("weights that do not fit are refused by name") {
  const Matrix<double> E = random<double>(7, 4, 1), W = random<double>(4, 4, 2),
                       narrow = random<double>(4, 3, 3), odd = random<double>(3, 4, 4);
  CHECK(error_of([&] { qk_symmetry<double>(W, narrow, 2, 2); }).argument() == "Wk");
  CHECK(error_of([&] { qk_symmetry<double>(odd, W, 2, 2); }).argument() == "Wq");
  CHECK(error_of([&] { qk_symmetry<double>(W, W, 2, 0); }).argument() == "kv_heads");
  CHECK(error_of([&] { qk_symmetry<double>(W, W, 0, 1); }).argument() == "heads");
  CHECK(error_of([&] { copying_scores<double>(E, narrow, W, E, 1, 1); }).argument() == "Wv");
  CHECK(error_of([&] { copying_scores<double>(E, W, narrow, E, 1, 1); }).argument() == "Wo");
  CHECK(error_of([&] { copying_scores<double>(E, W, W, W, 1, 1); }).argument() == "U");
  CHECK(error_of([&] { induction_circuit<double>(E, W, odd, W, W); }).argument() == "Wk");
  CHECK(error_of([&] { induction_circuit<double>(E, W, W, odd, W); }).argument() == "Wo");
  const std::vector<Matrix<double>> A{Matrix<double>::Identity(7, 7)};
  CHECK(error_of([&] { norm_weighted_attention<double>(A, W, W, W); }).argument() == "X");
  CHECK(error_of([&] { norm_weighted_attention<double>(A, E, W, odd.transpose()); }).argument() ==
        "Wo");
  CHECK(error_of([&] {
          norm_weighted_attention<double>(A, E, W, W, Vector<double>::Zero(3));
        }).argument() == "bv");
  Matrix<double> broken = W;
  broken(1, 1) = kInfinity;
  CHECK(error_of([&] { qk_symmetry<double>(W, broken, 2, 2); }).code() == "value");
}

TEST_SUITE_END();
