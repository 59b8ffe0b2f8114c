// Tests the paths from the public functions to the float32 kernels: the memory that they take, and
// which calls take which path.

#include "simd/fused.hpp"

#include <limits>

#include "allocation_watch.hpp"
#include "attn/attention/attention.hpp"
#include "attn/attention/flash_attention.hpp"
#include "attn/attention/multi_head.hpp"
#include "attn/cost/complexity.hpp"
#include "attn/cost/operation_count.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "simd/simd.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("fused");

namespace {

struct Sequence {
  Matrix<> Q, K, V, dO;
};

Sequence drawn(Index n, Index m, Index d, Index d_v) {
  Rng rng(7, 3);
  return {rng.gaussian_matrix<float>(n, d), rng.gaussian_matrix<float>(m, d),
          rng.gaussian_matrix<float>(m, d_v), rng.gaussian_matrix<float>(n, d_v)};
}

/// The number of calls of malloc and operator new in `call`.
template <typename Call>
std::uint64_t allocations_in(Call call) {
  const AllocationWatch watch(AllocationWatch::Scope::kAll);
  call();
  return watch.mallocs() + watch.news();
}

/// Checks that only the first call of a shape allocates.
template <typename Call>
void check_steady(Call call) {
  const std::uint64_t first = allocations_in(call);
  for (int again = 0; again < 3; ++again) CHECK(allocations_in(call) == 0);
  if (AllocationWatch::sees()) CHECK(first > 0);
}

}  // namespace

TEST_CASE("a call like the one before allocates nothing") {
  for (const Index n : {2, 33, 300}) {
    CAPTURE(n);
    const Sequence x = drawn(n, n, 24, 20);
    for (const Mask& mask : {Mask::full(), Mask::causal()}) {
      AttentionOptions<> options;
      options.mask = mask;
      AttentionResult<> result;
      check_steady([&] { attention<float>(x.Q, x.K, x.V, options, result); });
      FlashOptions<> flash;
      flash.mask = mask;
      FlashResult<> forward;
      check_steady([&] { flash_attention<float>(x.Q, x.K, x.V, flash, {}, forward); });
      CHECK_CLOSE(forward.output, result.output, 0, 1e-6);
      FlashGradients<> gradients;
      check_steady([&] {
        flash_attention_backward<float>(x.Q, x.K, x.V, x.dO, forward, flash, {}, gradients);
      });
    }
    for (const char* const id : {"elu_plus_one", "relu", "squared_relu", "square", "identity",
                                 "taylor_compact", "softmax_kernel"}) {
      CAPTURE(id);
      // Two tokens go through a matrix of random features.
      if (n == 2 && id == std::string_view("softmax_kernel")) continue;
      const FeatureMap<> map(id, 24);
      for (const bool causal : {false, true}) {
        LinearAttentionOptions options;
        options.causal = causal;
        LinearAttentionResult<> result;
        check_steady(
            [&] { linear_attention<float>(x.Q, x.K, x.V, map, options, nullptr, result); });
      }
    }
  }
}

TEST_CASE("a result that is used again holds the new answer, also of another shape") {
  AttentionResult<> result;
  FlashResult<> flash;
  FlashGradients<> gradients;
  LinearAttentionResult<> linear;
  const FeatureMap<> map("elu_plus_one", 5);
  for (const Index n : {9, 30, 4, 1}) {
    CAPTURE(n);
    const Sequence x = drawn(n, n, 5, 3);
    attention<float>(x.Q, x.K, x.V, {}, result);
    const AttentionResult<> fresh = attention<float>(x.Q, x.K, x.V);
    CHECK(result.output == fresh.output);
    CHECK(result.weights == fresh.weights);
    CHECK(result.log_sum_exp == fresh.log_sum_exp);
    FlashOptions<> options;
    options.trace = n == 9;
    flash_attention<float>(x.Q, x.K, x.V, options, {}, flash);
    CHECK(flash.output == flash_attention<float>(x.Q, x.K, x.V, options).output);
    CHECK((flash.trace.running_max.size() > 0) == options.trace);
    options.d_bias = n == 9;
    flash_attention_backward<float>(x.Q, x.K, x.V, x.dO, flash, options, {}, gradients);
    const FlashGradients<> new_gradients =
        flash_attention_backward<float>(x.Q, x.K, x.V, x.dO, flash, options);
    CHECK(gradients.dK == new_gradients.dK);
    CHECK(gradients.d_bias.size() == new_gradients.d_bias.size());
    LinearAttentionOptions causal;
    causal.causal = true;
    linear_attention<float>(x.Q, x.K, x.V, map, causal, nullptr, linear);
    const LinearAttentionResult<> fresh_linear =
        linear_attention<float>(x.Q, x.K, x.V, map, causal);
    CHECK(linear.output == fresh_linear.output);
    CHECK(linear.state.s == fresh_linear.state.s);
  }
}

TEST_CASE("the arena grows to the size that the cost model states") {
  for (const std::string_view id :
       {"fused", "fused_causal", "fused_weights", "fused_backward", "fused_causal_backward",
        "fused_linear", "fused_linear_causal"}) {
    CAPTURE(id);
    CostShape shape;
    shape.n = 700;
    shape.d_k = shape.d_v = 96;
    const Cost cost = cost_of(id, shape);
    simd::arena().clear();
    const std::uint64_t least = simd::arena().bytes();
    const Cost counted = counted_cost<float>(id, shape);
    CHECK(counted.peak_bytes == cost.peak_bytes);
    // The call also takes memory for log-sum-exps, weights or the state.
    std::uint64_t others = shape.n;
    if (id == "fused_weights") others += shape.n * shape.n;
    if (id.starts_with("fused_linear")) others = cost.state_bytes / sizeof(float);
    const std::uint64_t workspace = cost.workspace_bytes - others * sizeof(float);
    CHECK(simd::arena().bytes() == std::max(least, workspace));
  }
  simd::arena().clear();
}

TEST_CASE("the kernel agrees with the definition, which runs while a meter counts") {
  for (const Index n : {1, 3, 17, 130}) {
    CAPTURE(n);
    const Sequence x = drawn(n, n, 16, 12);
    KeyWindow window;
    window.left = 5;
    window.right = 2;
    Matrix<> holes = random(n, n, 4);
    holes = (holes.array() > 0).cast<float>();
    for (const Mask& mask :
         {Mask::full(), Mask::causal(), Mask::full().with_valid_keys(n / 2), Mask::window(window),
          Mask::window(window).with_valid_keys(n / 2), Mask::causal().within(window, n, n),
          Mask::from_matrix<float>(holes), Mask::from_matrix<float>(holes).within(window, n, n),
          Mask::from_matrix<float>(Matrix<>::Zero(n, n))}) {
      AttentionOptions<> options;
      options.mask = mask;
      const AttentionResult<> fast = attention<float>(x.Q, x.K, x.V, options);
      const OperationMeter meter;
      const AttentionResult<> defined = attention<float>(x.Q, x.K, x.V, options);
      CHECK(meter.count().multiply_adds > 0);
      CHECK_CLOSE(fast.log_sum_exp, defined.log_sum_exp, 1e-6, 1e-6);
      // Weights are at most 1 and V is about 3; the tolerance is a few ulps of that.
      CHECK_CLOSE(fast.weights, defined.weights, 0, 1e-6);
      CHECK_CLOSE(fast.output, defined.output, 0, 2e-6);
    }
  }
}

TEST_CASE("random features are made 64 tokens at a time, and agree with the definition") {
  const Index n = 300, d = 24;
  const Sequence x = drawn(n, n, d, 20);
  FeatureMapOptions<> drawn_features;
  drawn_features.parameters = {{"features", 200}};
  const FeatureMap<> map("softmax_kernel", d, drawn_features);
  for (const bool causal : {false, true}) {
    CAPTURE(causal);
    LinearAttentionOptions options;
    options.causal = causal;
    LinearAttentionResult<> fast;
    simd::arena().clear();
    {
      const AllocationWatch watch(AllocationWatch::Scope::kAll);
      fast = linear_attention<float>(x.Q, x.K, x.V, map, options);
      // φ(Q) and φ(K) would be 2·n·D.
      CHECK(watch.malloc_peak() + watch.new_peak() < 2 * 300 * 200 * sizeof(float));
    }
    const OperationMeter meter;
    const LinearAttentionResult<> defined = linear_attention<float>(x.Q, x.K, x.V, map, options);
    // An exponent of some 10 is rounded to 1e-6, and so are the features, which add up.
    CHECK_CLOSE(fast.output, defined.output, 0, 1e-5);
    CHECK_CLOSE(fast.state.s, defined.state.s, 1e-5, 1e-4);
    CHECK_CLOSE(fast.state.z, defined.state.z, 1e-5, 0);
  }
}

TEST_CASE("without a state short texts take the weights of all pairs, with the same outputs") {
  LinearAttentionOptions without;
  without.keep_state = false;
  for (const char* const id : {"taylor_compact", "elu_plus_one", "taylor", "softmax_kernel"}) {
    CAPTURE(id);
    for (const Index n : {5, 33, 300}) {
      const Sequence x = drawn(n, n, 16, 24);
      const FeatureMap<> map(id, 16);
      const LinearAttentionResult<> kept = linear_attention<float>(x.Q, x.K, x.V, map);
      const LinearAttentionResult<> short_way =
          linear_attention<float>(x.Q, x.K, x.V, map, without);
      // Two orders of the same sums.
      CHECK_CLOSE(short_way.output, kept.output, 0, 1e-5);
      CHECK(short_way.state.s.size() == 0);
      CHECK(short_way.state.z.size() == 0);
    }
  }
  // 33 tokens: 33·33·(16 + 24) multiply-adds instead of 2·33·153·24.
  const Sequence x = drawn(33, 33, 16, 24);
  const auto map = internal::fused_map<float>(FeatureMap<>("taylor_compact", 16));
  REQUIRE(map.has_value());
  LinearAttentionResult<> result;
  const OperationMeter meter;
  internal::fused_linear_attention<float>(x.Q, x.K, x.V, *map, 153, without, result);
  CHECK(meter.count().multiply_adds == 33U * 33 * (16 + 1 + 24 + 1));
}

TEST_CASE("a window takes memory and work by its width, not n·m") {
  const Index n = 4096, d = 4;
  const Sequence x = drawn(n, n, d, d);
  FlashOptions<> options;
  options.mask = Mask::window({7, 8});
  FlashResult<> forward;
  FlashGradients<> gradients;
  const auto both = [&] {
    forward = flash_attention<float>(x.Q, x.K, x.V, options);
    gradients = flash_attention_backward<float>(x.Q, x.K, x.V, x.dO, forward, options);
  };
  simd::arena().clear();
  {
    const AllocationWatch watch(AllocationWatch::Scope::kAll);
    both();
    CHECK(watch.malloc_peak() + watch.new_peak() < static_cast<std::uint64_t>(n * n));
  }
  const Matrix<> output = forward.output, dK = gradients.dK;
  const OperationMeter meter;
  both();
  CHECK(meter.peak_bytes() < static_cast<std::uint64_t>(n * n));
  // All cells together would take n²·(4·d + 3·d_v).
  CHECK(meter.count().multiply_adds < static_cast<std::uint64_t>(2 * n * n));
  CHECK_CLOSE(output, forward.output, 0, 2e-6);
  CHECK_CLOSE(dK, gradients.dK, 0, 1e-5);
}

TEST_CASE("a bias leaves the softmax to the kernel, which agrees with the definition") {
  const Sequence x = drawn(40, 40, 16, 12);
  AttentionOptions<> options;
  options.bias = random(40, 40, 5);
  options.bias.edit()(3, 4) = -std::numeric_limits<float>::infinity();
  options.bias.edit().row(7).setConstant(-std::numeric_limits<float>::infinity());
  Matrix<> holes = (random(40, 40, 4).array() > 0).cast<float>();
  for (const Mask& mask : {Mask::full(), Mask::causal(), Mask::causal().with_valid_keys(11),
                           Mask::full().with_valid_keys(0), Mask::from_matrix<float>(holes)}) {
    options.mask = mask;
    const AttentionResult<> fast = attention<float>(x.Q, x.K, x.V, options);
    const OperationMeter meter;
    const AttentionResult<> defined = attention<float>(x.Q, x.K, x.V, options);
    CHECK_CLOSE(fast.log_sum_exp, defined.log_sum_exp, 1e-6, 1e-6);
    CHECK_CLOSE(fast.weights, defined.weights, 0, 1e-6);
    CHECK(fast.weights.row(7).isZero(0));
    CHECK(fast.weights(3, 4) == 0);
  }
}

TEST_CASE("heads that share keys and values go through the kernel at once") {
  for (const Index n : {2, 21}) {
    CAPTURE(n);
    const Index m = 33, heads = 6, kv_heads = 2, d = 5, d_v = 4;
    Sequence x = drawn(n, m, heads * d, kv_heads * d_v);
    x.K = random(m, kv_heads * d, 2);
    for (const Mask& mask : {Mask::full(), Mask::causal_bottom_right()}) {
      HeadsOptions<> options;
      options.mask = mask;
      const HeadsResult<> fast =
          grouped_query_attention<float>(x.Q, x.K, x.V, heads, kv_heads, options);
      // A pruned head makes its group run head by head.
      options.keep_heads = {1, 1, 1, 1, 0, 1};
      const HeadsResult<> pruned =
          grouped_query_attention<float>(x.Q, x.K, x.V, heads, kv_heads, options);
      CHECK(pruned.output.middleCols(4 * d_v, d_v).isZero(0));
      const OperationMeter meter;
      options.keep_heads = {};
      const HeadsResult<> defined =
          grouped_query_attention<float>(x.Q, x.K, x.V, heads, kv_heads, options);
      CHECK_CLOSE(fast.output, defined.output, 0, 2e-6);
      CHECK_CLOSE(fast.log_sum_exp, defined.log_sum_exp, 1e-6, 1e-6);
      REQUIRE(fast.weights.size() == 6);
      for (std::size_t i = 0; i < 6; ++i) {
        CHECK_CLOSE(fast.weights[i], defined.weights[i], 0, 1e-6);
      }
      CHECK_CLOSE(pruned.output.rightCols(d_v), defined.output.rightCols(d_v), 0, 2e-6);
    }
  }
}

TEST_CASE("gradients of heads go tile by tile, agree with the definition and make no n×m matrix") {
  const Index n = 300, heads = 4, d = 5, d_v = 6;
  for (const Index kv_heads : {1, 2, 4}) {
    CAPTURE(kv_heads);
    Sequence x = drawn(n, n, heads * d, kv_heads * d_v);
    x.K = random(n, kv_heads * d, 2);
    x.dO = random(n, heads * d_v, 3);
    for (const bool pruned : {false, true}) {
      HeadsOptions<> options;
      options.window.right = 0;
      if (pruned) options.keep_heads = {1, 0, 1, 1};
      const auto gradients = [&] {
        return grouped_query_attention_backward<float>(x.Q, x.K, x.V, x.dO, heads, kv_heads,
                                                       options);
      };
      simd::arena().clear();
      HeadsGradients<> fast;
      {
        const AllocationWatch watch(AllocationWatch::Scope::kAll);
        fast = gradients();
        CHECK(watch.malloc_peak() + watch.new_peak() <
              static_cast<std::uint64_t>(n * n) * sizeof(float));
      }
      const OperationMeter meter;
      const HeadsGradients<> defined = gradients();
      CHECK_CLOSE(fast.dQ, defined.dQ, 1e-5, 1e-5);
      CHECK_CLOSE(fast.dK, defined.dK, 1e-5, 1e-5);
      CHECK_CLOSE(fast.dV, defined.dV, 1e-5, 1e-5);
      CHECK(fast.d_bias.size() == 0);
    }
  }
}

TEST_CASE("gradients are right at any logits: no weight comes out above 1") {
  const Sequence drawn_once = drawn(40, 40, 16, 12);
  for (const float sharpness : {1.0F, 30.0F, 1e3F, 1e6F, 1e9F, 1e12F}) {
    CAPTURE(sharpness);
    Sequence x = drawn_once;
    x.Q *= sharpness;
    const FlashResult<> forward = flash_attention<float>(x.Q, x.K, x.V);
    const FlashGradients<> fast = flash_attention_backward<float>(x.Q, x.K, x.V, x.dO, forward);
    const OperationMeter meter;
    const FlashGradients<> defined = flash_attention_backward<float>(x.Q, x.K, x.V, x.dO, forward);
    // In both, P errs by ε·|lse| of itself. lse is at most 1000 where the kernel runs, and beyond
    // that both are the same code.
    const double tolerance = sharpness < 100 ? 1e-7 * (10 + 10 * sharpness) : 0;
    CHECK_CLOSE(fast.dV, defined.dV, 0, 10 * tolerance);
    CHECK_CLOSE(fast.dQ, defined.dQ, 0, 10 * tolerance);
    CHECK_CLOSE(fast.dK, defined.dK, 0, 10 * tolerance * sharpness);
  }
}

TEST_CASE("inputs that only the kernel would overflow on are computed by the definition") {
  SUBCASE("a query times the scale") {
    Sequence x = drawn(8, 8, 4, 4);
    AttentionOptions<> options;
    options.scale = 1e4;
    x.Q *= 1e35F;
    x.K *= 1e-35F;
    // The definition overflows too, and reports it.
    CHECK_THROWS_AS(attention<float>(x.Q, x.K, x.V, options), ValueError);
    x.K.setZero();
    CHECK_THROWS_AS(attention<float>(x.Q, x.K, x.V, options), ValueError);
  }
  SUBCASE("the scale in units of 2") {
    Sequence x = drawn(8, 8, 1, 4);
    AttentionOptions<> options;
    options.scale = 3e38;
    x.Q *= 1e-3F;
    x.K *= 1e-3F;
    CHECK(attention<float>(x.Q, x.K, x.V, options).output.allFinite());
  }
  SUBCASE("sums of values before the division") {
    for (const Index n : {2, 8}) {
      Sequence x = drawn(n, 300, 4, 4);
      x.V.setConstant(3e37F);
      // The 300 weights sum to 1 with an error of up to an ulp each.
      CHECK_CLOSE(attention<float>(x.Q, x.K, x.V).output, x.V.topRows(n), 3e-5, 0);
    }
  }
  SUBCASE("the reciprocal of a denominator") {
    for (const bool causal : {false, true}) {
      LinearAttentionOptions options;
      options.epsilon = 0;
      options.causal = causal;
      const Matrix<> Q = Matrix<>::Constant(6, 4, -45), V = Matrix<>::Constant(6, 3, 2);
      const FeatureMap<> map("elu_plus_one", 4);
      // Sums of e⁻⁹⁰ are denormal, so only a few bits remain.
      CHECK_CLOSE(linear_attention<float>(Q, Q, V, map, options).output, V, 0.01, 0);
    }
  }
}

TEST_CASE("scores that overflow are refused by kernel and definition alike") {
  Sequence x = drawn(8, 8, 4, 4);
  x.Q *= 1e25F;
  x.K *= 1e25F;
  CHECK_THROWS_AS(attention<float>(x.Q, x.K, x.V), ValueError);
  CHECK_THROWS_AS(flash_attention<float>(x.Q, x.K, x.V), ValueError);
}

TEST_SUITE_END();
