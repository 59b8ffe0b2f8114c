#include "attn/linear_attention.hpp"

#include "attn/attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("linear_attention");

namespace {

struct Inputs {
  Matrix<double> Q, K, V, dO;

  Inputs(Index n, Index m, Index d_k = 4, Index d_v = 3)
      : Q(random<double>(n, d_k, 1)),
        K(random<double>(m, d_k, 2)),
        V(random<double>(m, d_v, 3)),
        dO(random<double>(n, d_v, 4)) {}
};

FeatureMap<double> small(const FeatureMapInfo& info, Index d_k = 4) {
  FeatureMapOptions<double> options;
  if (info.random) options.parameters = {{"features", 6}};
  return {info.id, d_k, options};
}

LinearAttentionOptions causal() {
  LinearAttentionOptions options;
  options.causal = true;
  return options;
}

}  // namespace

TEST_CASE("linear attention is its implicit attention matrix times V, for every map") {
  for (const FeatureMapInfo& info : feature_maps()) {
    // Identity: sums that nearly cancel divide rounding noise by themselves.
    if (info.id == "identity") continue;
    CAPTURE(info.id);
    const FeatureMap<double> map = small(info);
    const Inputs x(7, 7);
    const auto full = compute_implicit_attention<double>(x.Q, x.K, map);
    // Denominators of random features can be small: a few digits of 1e-12 are lost.
    CHECK_CLOSE(linear_attention<double>(x.Q, x.K, x.V, map).output, (full * x.V).eval(), 1e-9,
                1e-9);
    const auto masked = compute_implicit_attention<double>(x.Q, x.K, map, Mask::causal());
    CHECK_CLOSE(linear_attention<double>(x.Q, x.K, x.V, map, causal()).output,
                (masked * x.V).eval(), 1e-9, 1e-9);
  }
}

TEST_CASE("rows of implicit attention sum to one, and blocked cells are zero") {
  const Inputs x(9, 9);
  const FeatureMap<double> map("elu_plus_one", 4);
  const auto A = compute_implicit_attention<double>(x.Q, x.K, map, Mask::causal(), 0);
  for (Index i = 0; i < 9; ++i) {
    CHECK(A.row(i).sum() == doctest::Approx(1));
    for (Index j = i + 1; j < 9; ++j) CHECK(A(i, j) == 0.0);
  }
  const auto none = compute_implicit_attention<double>(
      x.Q, x.K, map, Mask::from_matrix<double>(Matrix<double>::Zero(9, 9)), 0);
  CHECK(none.isZero(0));
}

TEST_CASE_TEMPLATE("chunks of any size compute what the recurrence computes", T, float, double) {
  const Index n = 29;
  const Matrix<T> Q = random<T>(n, 4, 1), K = random<T>(n, 4, 2), V = random<T>(n, 3, 3);
  const FeatureMap<T> map("elu_plus_one", 4);
  const auto recurrent = linear_attention<T>(Q, K, V, map, causal());
  for (const Index chunk : {2, 4, 7, 29, 64}) {
    LinearAttentionOptions options = causal();
    options.chunk = chunk;
    const auto got = linear_attention<T>(Q, K, V, map, options);
    CHECK_CLOSE(got.output, recurrent.output, tolerance<T>(), tolerance<T>());
    CHECK_CLOSE(got.state.s, recurrent.state.s, tolerance<T>(), tolerance<T>());
  }
}

TEST_CASE("a sequence can be stopped and taken up again from its state") {
  const Inputs x(11, 11);
  const FeatureMap<double> map("elu_plus_one", 4);
  const auto whole = linear_attention<double>(x.Q, x.K, x.V, map, causal());
  const auto first =
      linear_attention<double>(x.Q.topRows(5), x.K.topRows(5), x.V.topRows(5), map, causal());
  const auto rest = linear_attention<double>(x.Q.bottomRows(6), x.K.bottomRows(6),
                                             x.V.bottomRows(6), map, causal(), &first.state);
  CHECK_CLOSE(first.output, whole.output.topRows(5), kDouble, kDouble);
  CHECK_CLOSE(rest.output, whole.output.bottomRows(6), kDouble, kDouble);
  CHECK_CLOSE(rest.state.z, whole.state.z, kDouble, kDouble);
}

TEST_CASE("a state is refused where it would be wrong") {
  const Inputs x(5, 5);
  const auto state = LinearState<double>::zero(8, 3);
  const FeatureMap<double> positional("cosformer", 4), plain("relu", 4);
  CHECK(error_of([&] {
          linear_attention<double>(x.Q, x.K, x.V, positional, causal(), &state);
        }).argument() == "state");
  CHECK(error_of([&] {
          linear_attention<double>(x.Q, x.K, x.V, plain, causal(), &state);
        }).argument() == "state.s");
  CHECK(error_of([&] { linear_attention<double>(x.Q, x.K, x.V, plain, {}, &state); }).argument() ==
        "state");
}

TEST_CASE("padded keys count for nothing, whatever they hold and whatever the map") {
  const Inputs x(4, 9);
  Matrix<double> other = x.K;
  other.bottomRows(3) *= 5;
  LinearAttentionOptions options;
  options.valid_keys = 6;
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    FeatureMapOptions<double> given;
    if (info.id == "softmax_kernel") given.parameters = {{"stabilize", 1}};
    const FeatureMap<double> map(info.id, 4, given);
    const auto padded = linear_attention<double>(x.Q, x.K, x.V, map, options).output;
    CHECK_CLOSE(linear_attention<double>(x.Q, other, x.V, map, options).output, padded, 0, 0);
    const auto gradients = linear_attention_backward<double>(x.Q, x.K, x.V, x.dO, map, options);
    CHECK(gradients.dK.bottomRows(3).isZero(0));
    CHECK(gradients.dV.bottomRows(3).isZero(0));
  }
  const FeatureMap<double> map("elu_plus_one", 4);
  CHECK_CLOSE(linear_attention<double>(x.Q, x.K, x.V, map, options).output,
              linear_attention<double>(x.Q, x.K.topRows(6), x.V.topRows(6), map).output, kDouble,
              kDouble);
  options.valid_keys = 10;
  CHECK(error_of([&] { linear_attention<double>(x.Q, x.K, x.V, map, options); }).argument() ==
        "valid_keys");
}

TEST_CASE("gradients are the derivatives of the output, in every mode") {
  const auto check = [](const FeatureMap<double>& map, const Inputs& x,
                        const LinearAttentionOptions& options) {
    const auto got = linear_attention_backward<double>(x.Q, x.K, x.V, x.dO, map, options);
    const auto loss = [&](const Inputs& at) {
      return linear_attention<double>(at.Q, at.K, at.V, map, options)
          .output.cwiseProduct(x.dO)
          .sum();
    };
    const auto numeric = [&](Matrix<double> Inputs::*part) {
      Matrix<double> slope((x.*part).rows(), (x.*part).cols());
      for (Index i = 0; i < slope.size(); ++i) {
        Inputs up = x, down = x;
        (up.*part).data()[i] += 1e-6;
        (down.*part).data()[i] -= 1e-6;
        slope.data()[i] = (loss(up) - loss(down)) / 2e-6;
      }
      return slope;
    };
    // Central differences with h = 1e-6: h² from the third derivative, 1e-16/h from rounding, both
    // times derivatives of quotients that reach 1e3.
    CHECK_CLOSE(got.dQ, numeric(&Inputs::Q), 1e-5, 1e-6);
    CHECK_CLOSE(got.dK, numeric(&Inputs::K), 1e-5, 1e-6);
    CHECK_CLOSE(got.dV, numeric(&Inputs::V), 1e-5, 1e-6);
  };
  for (const FeatureMapInfo& info : feature_maps()) {
    if (info.id == "identity") continue;
    CAPTURE(info.id);
    check(small(info), Inputs(5, 5), causal());
    check(small(info), Inputs(3, 6), {});
  }
  LinearAttentionOptions options;
  options.normalize = false;
  check({"identity", 4}, Inputs(3, 6), options);
  options.causal = true;
  check({"identity", 4}, Inputs(5, 5), options);
  options.valid_keys = 3;
  check({"elu_plus_one", 4}, Inputs(5, 5), options);

  for (const DenominatorRule rule : {DenominatorRule::kClamp, DenominatorRule::kAddToKeySum}) {
    LinearAttentionOptions ruled;
    ruled.denominator = rule;
    // Between the smallest and the largest φ(q)·z of these inputs, so that some rows are clamped.
    ruled.epsilon = 30;
    check({"elu_plus_one", 4}, Inputs(5, 6), ruled);
    ruled.causal = true;
    check({"elu_plus_one", 4}, Inputs(6, 6), ruled);
  }
}

TEST_CASE("each rule makes its own denominator of the same sums, whatever the chunks") {
  const Inputs x(6, 6);
  const FeatureMap<double> map("elu_plus_one", 4);
  const Matrix<double> phi_q = map.apply(x.Q), phi_k = map.apply(x.K, Role::kKey);
  Index clamped = 0;
  for (const bool is_causal : {false, true}) {
    Matrix<double> cells = phi_q * phi_k.transpose();
    for (Index i = 0; is_causal && i < 6; ++i) cells.row(i).tail(5 - i).setZero();
    for (const DenominatorRule rule :
         {DenominatorRule::kAdd, DenominatorRule::kClamp, DenominatorRule::kAddToKeySum}) {
      LinearAttentionOptions options;
      options.causal = is_causal;
      options.epsilon = 30;
      options.denominator = rule;
      Matrix<double> wanted = cells * x.V;
      for (Index i = 0; i < 6; ++i) {
        const double sum = cells.row(i).sum();
        clamped += sum < 30;
        if (rule == DenominatorRule::kAdd) wanted.row(i) /= sum + 30;
        if (rule == DenominatorRule::kClamp) wanted.row(i) /= std::max(sum, 30.0);
        if (rule == DenominatorRule::kAddToKeySum) wanted.row(i) /= sum + 30 * phi_q.row(i).sum();
      }
      for (const Index chunk : {1, 4}) {
        options.chunk = chunk;
        CHECK_CLOSE(linear_attention<double>(x.Q, x.K, x.V, map, options).output, wanted, kDouble,
                    kDouble);
      }
    }
  }
  // Both sides of the clamp happened.
  CHECK(clamped > 0);
  CHECK(clamped < 36);
}

TEST_CASE("clamping leaves a query without matching keys at zero instead of dividing by it") {
  const Matrix<double> Q = Matrix<double>::Constant(1, 3, -1), K = Matrix<double>::Ones(2, 3);
  LinearAttentionOptions options;
  options.denominator = DenominatorRule::kClamp;
  const FeatureMap<double> map("relu", 3);
  CHECK(linear_attention<double>(Q, K, K, map, options).output.isZero(0));
  const auto gradients =
      linear_attention_backward<double>(Q, K, K, Matrix<double>::Ones(1, 3), map, options);
  CHECK(gradients.dQ.allFinite());
}

TEST_CASE("the linear order of the identity map is Q(KᵀV)") {
  const Inputs x(9, 6);
  CHECK_CLOSE(linear_attention_order<double>(x.Q, x.K, x.V, {"identity", 4}),
              standard_attention_order<double>(x.Q, x.K, x.V).output, kDouble, kDouble);
}

TEST_CASE("associativity holds, in float32 only with an absolute tolerance") {
  const Matrix<> Q = random(100, 64, 1), K = random(100, 64, 2), V = random(100, 64, 3);
  CHECK(verify_associativity(Q, K, V).equal);
  CHECK_FALSE(verify_associativity(Q, K, V, 1e-5, 0).equal);
  const auto wide =
      verify_associativity<double>(Q.cast<double>(), K.cast<double>(), V.cast<double>(), 1e-5, 0);
  CHECK(wide.equal);
  CHECK(wide.max_relative_difference < 1e-7);
  CHECK_CLOSE(wide.k_t_v, (K.cast<double>().transpose() * V.cast<double>()).eval(), kDouble, 1e-9);
}

TEST_CASE("products that overflow are not called equal") {
  const Matrix<> big = Matrix<>::Constant(2, 2, 1e30F);
  const auto both = verify_associativity(big, big, big);
  CHECK_FALSE(both.equal);
  CHECK(std::isnan(both.max_difference));
  const Matrix<> small = Matrix<>::Constant(1, 1, 1e-20F), large = Matrix<>::Constant(1, 1, 1e20F);
  CHECK_FALSE(verify_associativity(small, large, large).equal);
}

TEST_CASE("what does not fit is refused by name") {
  const Inputs x(5, 6);
  const FeatureMap<double> map("relu", 4);
  CHECK(error_of([&] { linear_attention<double>(x.Q, x.K, x.V, map, causal()); }).argument() ==
        "K");
  LinearAttentionOptions options;
  options.epsilon = -1;
  CHECK(error_of([&] { linear_attention<double>(x.Q, x.K, x.V, map, options); }).argument() ==
        "epsilon");
  options = causal();
  options.chunk = 0;
  CHECK(error_of([&] { linear_attention<double>(x.Q, x.Q, x.Q, map, options); }).argument() ==
        "chunk");
  CHECK(error_of([&] { linear_attention_backward<double>(x.Q, x.K, x.V, x.V, map); }).argument() ==
        "dO");
  CHECK(error_of([&] { verify_associativity<double>(x.Q, x.K, x.V, -1, 0); }).argument() == "rtol");
}

TEST_SUITE_END();
