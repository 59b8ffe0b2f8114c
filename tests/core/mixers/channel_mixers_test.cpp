// The mixers whose channels do not mix: RWKV-4 and Mamba. What the official code makes of them is
// in the golden topics rwkv_wkv and mamba_selective_scan.

#include "attn/mixers/matrix_state.hpp"
#include "attn/mixers/selective_scan.hpp"
#include "attn/mixers/wkv.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("channel_mixers");

/// Central differences with a step of 1e-5 are off by some 1e-9 here.
constexpr double kChannelsOff = 1e-7;

TEST_CASE("wkv is the weighted mean of its definition, also for keys whose e^k overflows") {
  const Index n = 6, d = 2;
  const Matrix<double> K = random<double>(n, d, 1), V = random<double>(n, d, 2);
  const Vector<double> decay = random<double>(d, 1, 3), u = random<double>(d, 1, 4);
  Matrix<double> wanted(n, d);
  for (Index c = 0; c < d; ++c) {
    for (Index t = 0; t < n; ++t) {
      double above = std::exp(u(c) + K(t, c)) * V(t, c), below = std::exp(u(c) + K(t, c));
      for (Index i = 0; i < t; ++i) {
        const double weight =
            std::exp(-static_cast<double>(t - 1 - i) * std::exp(decay(c)) + K(i, c));
        above += weight * V(i, c);
        below += weight;
      }
      wanted(t, c) = above / below;
    }
  }
  CHECK_CLOSE(wkv<double>(K, V, decay, u).output, wanted, kDouble, kDouble);
  // A factor in all keys is taken out again.
  const Matrix<double> large = K.array() + 5000;
  CHECK_CLOSE(wkv<double>(large, V, decay, u).output, wanted, 1e-9, 1e-9);
}

TEST_CASE("wkv goes on from its state, and has the gradients that its differences have") {
  Matrix<double> K = random<double>(7, 3, 5), V = random<double>(7, 3, 6);
  Vector<double> decay = random<double>(3, 1, 7), u = random<double>(3, 1, 8);
  const auto whole = wkv<double>(K, V, decay, u);
  const auto start = wkv<double>(K.topRows(3), V.topRows(3), decay, u);
  const auto rest = wkv<double>(K.bottomRows(4), V.bottomRows(4), decay, u, &start.state);
  CHECK_CLOSE(rest.output, whole.output.bottomRows(4).eval(), kDouble, kDouble);
  const Matrix<double> dO = random<double>(7, 3, 9);
  const auto loss = [&] { return wkv<double>(K, V, decay, u).output.cwiseProduct(dO).sum(); };
  const auto back = wkv_backward<double>(K, V, decay, u, dO);
  CHECK_CLOSE(back.dK, central_differences(K, loss), kChannelsOff, kChannelsOff);
  CHECK_CLOSE(back.dV, central_differences(V, loss), kChannelsOff, kChannelsOff);
  CHECK_CLOSE(back.d_time_decay, central_differences(decay, loss), kChannelsOff, kChannelsOff);
  CHECK_CLOSE(back.du, central_differences(u, loss), kChannelsOff, kChannelsOff);
  CHECK_THROWS_AS(wkv<double>(K, V, decay, Vector<double>::Zero(2)), ShapeError);
}

TEST_CASE("a selective scan has the gradients that its differences have, and its matrix") {
  const Index n = 5, d = 3, N = 2;
  SelectiveScanInputs<double> x;
  x.u = random<double>(n, d, 1);
  x.delta = random<double>(n, d, 2);
  x.A = -random<double>(d, N, 3).cwiseAbs();
  x.B = random<double>(n, N, 4);
  x.C = random<double>(n, N, 5);
  x.D = random<double>(d, 1, 6);
  x.z = random<double>(n, d, 7);
  x.delta_bias = random<double>(d, 1, 8);
  const Matrix<double> dO = random<double>(n, d, 9);
  const auto loss = [&] { return selective_scan<double>(x).output.cwiseProduct(dO).sum(); };
  const auto back = selective_scan_backward<double>(x, dO);
  CHECK_CLOSE(back.u, central_differences(x.u, loss), kChannelsOff, kChannelsOff);
  CHECK_CLOSE(back.delta, central_differences(x.delta, loss), kChannelsOff, kChannelsOff);
  CHECK_CLOSE(back.A, central_differences(x.A, loss), kChannelsOff, kChannelsOff);
  CHECK_CLOSE(back.B, central_differences(x.B, loss), kChannelsOff, kChannelsOff);
  CHECK_CLOSE(back.C, central_differences(x.C, loss), kChannelsOff, kChannelsOff);
  CHECK_CLOSE(back.D, central_differences(x.D, loss), kChannelsOff, kChannelsOff);
  CHECK_CLOSE(back.z, central_differences(x.z, loss), kChannelsOff, kChannelsOff);
  CHECK_CLOSE(back.delta_bias, central_differences(x.delta_bias, loss), kChannelsOff, kChannelsOff);

  SelectiveScanInputs<double> plain = x;
  plain.D.resize(0);
  plain.z.resize(0, 0);
  const Matrix<double> y = selective_scan<double>(plain).output;
  for (Index c = 0; c < d; ++c) {
    const Matrix<double> M = selective_scan_weights<double>(plain, c);
    CHECK_CLOSE((M * x.u.col(c)).eval(), y.col(c).eval(), kDouble, kDouble);
  }
  SelectiveScanInputs<double> wrong = x;
  wrong.B.resize(n, N + 1);
  CHECK_THROWS_AS(selective_scan<double>(wrong), ShapeError);
  CHECK_THROWS_AS(selective_scan_weights<double>(x, d), ValueError);
}

TEST_CASE("with one rate for all of a head's channels the scan is the matrix recurrence") {
  const Index n = 6, d = 4, N = 3;
  SelectiveScanInputs<double> x;
  x.u = random<double>(n, d, 1);
  const Matrix<double> step = random<double>(n, 1, 2).cwiseAbs();
  x.delta = step.replicate(1, d);
  x.A = Matrix<double>::Constant(d, N, -0.7);
  x.B = random<double>(n, N, 4);
  x.C = random<double>(n, N, 5);
  MatrixStateGates<double> gates;
  gates.log_decay = Matrix<double>(-0.7 * step);
  MatrixStateOptions options;
  options.scale = 1;
  options.chunk = 4;
  const Matrix<double> V = x.u.cwiseProduct(x.delta);
  const auto state = matrix_state<double>(x.C, x.B, V, gates, options);
  const auto scan = selective_scan<double>(x, false);
  CHECK_CLOSE(scan.output, state.output, kDouble, kDouble);
  CHECK_CLOSE(scan.state, state.state.transpose().eval(), kDouble, kDouble);
}

TEST_SUITE_END();
