#include "attn/mixers/matrix_state.hpp"

#include <string>
#include <vector>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("matrix_state");

namespace {

struct Kind {
  const char* name;
  StateWrite write;
  /// 0: nothing decays, 1: a number a token, 2: one a token and key dimension.
  int decay;
  bool beta;
};

constexpr Kind kKinds[] = {{"linear", StateWrite::kAdd, 0, false},
                           {"scalar decay", StateWrite::kAdd, 1, false},
                           {"gated linear attention", StateWrite::kAdd, 2, false},
                           {"delta rule", StateWrite::kDelta, 0, true},
                           {"delta rule without beta", StateWrite::kDelta, 0, false},
                           {"gated delta rule", StateWrite::kDelta, 1, true},
                           {"delta rule gated by key dimension", StateWrite::kDelta, 2, true}};

template <typename T>
struct Inputs {
  Matrix<T> Q, K, V;
  MatrixStateGates<T> gates;
};

template <typename T>
Inputs<T> inputs(const Kind& kind, Index n, Index d_k, Index d_v, double strength,
                 std::uint64_t seed) {
  Inputs<T> made{
      random<T>(n, d_k, seed), random<T>(n, d_k, seed + 1), random<T>(n, d_v, seed + 2), {}};
  if (kind.decay > 0) {
    made.gates.log_decay = Matrix<T>(static_cast<T>(-strength) *
                                     random<T>(n, kind.decay == 1 ? 1 : d_k, seed + 3).cwiseAbs());
  }
  if (kind.beta) made.gates.beta = Matrix<T>(random<T>(n, 1, seed + 4).cwiseAbs().cwiseMin(T{2}));
  return made;
}

/// The recurrence as the header's table has it, in float64 and token by token.
MatrixStateResult<double> by_definition(const Inputs<double>& x, const MatrixStateOptions& options,
                                        Matrix<double> S) {
  const Index n = x.Q.rows(), d_k = x.Q.cols();
  const double scale = options.scale.value_or(1 / std::sqrt(static_cast<double>(d_k)));
  MatrixStateResult<double> made{Matrix<double>(n, x.V.cols()), {}};
  for (Index t = 0; t < n; ++t) {
    Matrix<double> q = x.Q.row(t), k = x.K.row(t);
    if (options.l2_normalize) {
      q /= std::sqrt(q.squaredNorm() + kL2NormEpsilon);
      k /= std::sqrt(k.squaredNorm() + kL2NormEpsilon);
    }
    for (Index c = 0; c < d_k && x.gates.log_decay.size() > 0; ++c) {
      S.row(c) *= std::exp(x.gates.log_decay(t, x.gates.log_decay->cols() == 1 ? 0 : c));
    }
    Matrix<double> write = x.V.row(t);
    if (options.write == StateWrite::kDelta) {
      write = (x.gates.beta.size() > 0 ? x.gates.beta(t, 0) : 1.0) * (write - k * S);
    }
    S += k.transpose() * write;
    made.output.row(t) = scale * q * S;
  }
  made.state = S;
  return made;
}

}  // namespace

TEST_CASE_TEMPLATE("every chunk and the matrix give what the recurrence gives", T, float, double) {
  for (const Kind& kind : kKinds) {
    CAPTURE(kind.name);
    for (const double strength : {0.1, 5.0, 300.0}) {
      CAPTURE(strength);
      const Index n = 13, d_k = 5, d_v = 3;
      const Inputs<T> x = inputs<T>(kind, n, d_k, d_v, strength, 11);
      Inputs<double> exact{x.Q.template cast<double>(),
                           x.K.template cast<double>(),
                           x.V.template cast<double>(),
                           {}};
      exact.gates.log_decay = x.gates.log_decay->template cast<double>().eval();
      exact.gates.beta = x.gates.beta->template cast<double>().eval();
      MatrixStateOptions options;
      options.write = kind.write;
      // Keys of length 1 keep what the delta rule takes off below what is there.
      options.l2_normalize = true;
      const Matrix<T> initial = random<T>(d_k, d_v, 9);
      const auto wanted = by_definition(exact, options, initial.template cast<double>());
      const auto from_zeros = by_definition(exact, options, Matrix<double>::Zero(d_k, d_v));
      for (const Index chunk : {1, 2, 4, 5, 13, 100}) {
        CAPTURE(chunk);
        options.chunk = chunk;
        const auto got = matrix_state<T>(x.Q, x.K, x.V, x.gates, options, &initial);
        CHECK_CLOSE(got.output, wanted.output, tolerance<T>(), tolerance<T>());
        CHECK_CLOSE(got.state, wanted.state, tolerance<T>(), tolerance<T>());
      }
      const Matrix<T> A = matrix_state_weights<T>(x.Q, x.K, x.gates, options);
      CHECK_CLOSE((A * x.V).eval(), from_zeros.output, tolerance<T>(), tolerance<T>());
      const Matrix<T> later = A.template triangularView<Eigen::StrictlyUpper>();
      CHECK(later.isZero(0));
    }
  }
}

TEST_CASE("a sequence goes on from the state of its beginning") {
  for (const Kind& kind : kKinds) {
    CAPTURE(kind.name);
    const Inputs<double> x = inputs<double>(kind, 9, 4, 6, 0.5, 3);
    MatrixStateOptions options;
    options.write = kind.write;
    options.l2_normalize = true;
    const auto whole = matrix_state<double>(x.Q, x.K, x.V, x.gates, options);
    const auto part = [&](Index first, Index size, const Matrix<double>* from) {
      MatrixStateGates<double> gates;
      if (x.gates.log_decay.size() > 0)
        gates.log_decay = x.gates.log_decay->middleRows(first, size);
      if (x.gates.beta.size() > 0) gates.beta = x.gates.beta->middleRows(first, size);
      return matrix_state<double>(x.Q.middleRows(first, size), x.K.middleRows(first, size),
                                  x.V.middleRows(first, size), gates, options, from);
    };
    const auto start = part(0, 4, nullptr), rest = part(4, 5, &start.state);
    CHECK_CLOSE(rest.output, whole.output.bottomRows(5).eval(), kDouble, kDouble);
    CHECK_CLOSE(rest.state, whole.state, kDouble, kDouble);
  }
}

TEST_CASE("gradients are the slopes of the loss") {
  for (const Kind& kind : kKinds) {
    for (const bool normalized : {false, true}) {
      CAPTURE(kind.name);
      CAPTURE(normalized);
      Inputs<double> x = inputs<double>(kind, 5, 3, 2, 0.4, 21);
      x.K *= 0.5;
      Matrix<double> initial = random<double>(3, 2, 5);
      const Matrix<double> dO = random<double>(5, 2, 6), dS = random<double>(3, 2, 7);
      MatrixStateOptions options;
      options.write = kind.write;
      options.l2_normalize = normalized;
      const auto loss = [&] {
        const auto made = matrix_state<double>(x.Q, x.K, x.V, x.gates, options, &initial);
        return made.output.cwiseProduct(dO).sum() + made.state.cwiseProduct(dS).sum();
      };
      // Central differences with a step of 1e-5 are off by some 1e-9 here.
      const double off = 1e-7;
      const auto dQ = central_differences(x.Q, loss), dK = central_differences(x.K, loss),
                 dV = central_differences(x.V, loss),
                 d_initial = central_differences(initial, loss);
      Matrix<double> d_decay, d_beta;
      if (kind.decay > 0) d_decay = central_differences(x.gates.log_decay.edit(), loss);
      if (kind.beta) d_beta = central_differences(x.gates.beta.edit(), loss);
      for (const Index chunk : {1, 2, 5}) {
        CAPTURE(chunk);
        options.chunk = chunk;
        const auto got =
            matrix_state_backward<double>(x.Q, x.K, x.V, dO, x.gates, options, &initial, &dS);
        CHECK_CLOSE(got.dQ, dQ, off, off);
        CHECK_CLOSE(got.dK, dK, off, off);
        CHECK_CLOSE(got.dV, dV, off, off);
        CHECK_CLOSE(got.d_initial, d_initial, off, off);
        CHECK_CLOSE(got.d_log_decay, d_decay, off, off);
        CHECK_CLOSE(got.d_beta, d_beta, off, off);
      }
    }
  }
}

TEST_CASE("the delta rule overwrites what a sum can only add to") {
  // Two values under one key, and between them another key.
  Matrix<float> K(3, 2), V(3, 1);
  K << 1, 0, 0, 1, 1, 0;
  V << 5, 7, 9;
  MatrixStateOptions options;
  options.scale = 1;
  CHECK(matrix_state<float>(K, K, V, {}, options).output(2, 0) == 14);
  options.write = StateWrite::kDelta;
  const auto delta = matrix_state<float>(K, K, V, {}, options);
  CHECK(delta.output(2, 0) == 9);
  CHECK(delta.state(1, 0) == 7);
}

TEST_CASE("refuses what does not fit, by name") {
  const Matrix<float> X = random<float>(4, 3, 1);
  const auto refusal = [&](auto change) -> std::string {
    Matrix<float> Q = X, K = X, V = X, initial = Matrix<float>::Zero(3, 3);
    MatrixStateGates<float> gates;
    MatrixStateOptions options;
    change(Q, K, V, initial, gates, options);
    try {
      matrix_state<float>(Q, K, V, gates, options, &initial);
    } catch (const Error& error) {
      return error.argument();
    }
    return "nothing";
  };
  const auto with = [&](auto change) { return refusal(change); };
  CHECK(with([](auto&, auto&, auto&, auto&, auto&, auto&) {}) == "nothing");
  CHECK(with([](auto&, auto& K, auto&, auto&, auto&, auto&) { K.resize(4, 2), K.setZero(); }) ==
        "K");
  CHECK(with([](auto& Q, auto&, auto&, auto&, auto&, auto&) { Q(1, 2) = NAN; }) == "Q");
  CHECK(with([](auto&, auto&, auto&, auto& S, auto&, auto&) { S.resize(2, 3), S.setZero(); }) ==
        "initial");
  CHECK(with([](auto&, auto&, auto&, auto&, auto& gates, auto&) {
          gates.log_decay = Matrix<float>::Ones(4, 1);
        }) == "log_decay");
  CHECK(with([](auto&, auto&, auto&, auto&, auto& gates, auto&) {
          gates.log_decay = Matrix<float>::Zero(4, 2);
        }) == "log_decay");
  CHECK(with([](auto&, auto&, auto&, auto&, auto& gates, auto&) {
          gates.beta = Matrix<float>::Ones(4, 1);
        }) == "beta");
  CHECK(with([](auto&, auto&, auto&, auto&, auto&, auto& options) { options.chunk = 0; }) ==
        "chunk");
  CHECK(with([](auto&, auto&, auto&, auto&, auto&, auto& options) { options.scale = INFINITY; }) ==
        "scale");
}

TEST_CASE("heads of retention and of lightning attention decay as published") {
  CHECK(retention_log_decay(0) == doctest::Approx(std::log(1 - 1.0 / 32)));
  CHECK(lightning_log_decay(0, 8, 3, 12) == 0);
  CHECK(lightning_log_decay(7, 8, 0, 12) == doctest::Approx(-7));
  CHECK_THROWS_AS(retention_log_decay(-1), ValueError);
  CHECK_THROWS_AS(lightning_log_decay(8, 8, 0, 12), ValueError);
  CHECK_THROWS_AS(lightning_log_decay(0, 8, 13, 12), ValueError);
}

TEST_SUITE_END();
