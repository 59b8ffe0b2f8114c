#include "attn/cost/trial.hpp"

#include <algorithm>

#include "allocation_watch.hpp"
#include "attn/attention/attention.hpp"
#include "attn/base/inputs.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("trial");

TEST_CASE(
    "every mechanism that can be timed runs again and again, the kernels without taking memory") {
  const auto ids = timed_mechanisms();
  CHECK(std::find(ids.begin(), ids.end(), "fused") != ids.end());
  for (const std::string_view id : ids) {
    CAPTURE(id);
    TrialOptions options;
    options.n = 40;
    options.d_k = 8;
    options.d_v = 5;
    Trial trial = make_trial(id, options);
    const float first = trial.call(), second = trial.call();
    const AllocationWatch watch(AllocationWatch::Scope::kAll);
    const float third = trial.call();
    const std::uint64_t taken = watch.mallocs() + watch.news();
    // Features that no kernel computes are computed beforehand, into memory of their own.
    if (id.starts_with("fused")) CHECK(taken == 0);
    CHECK(std::isfinite(first));
    CHECK(second == first);
    CHECK(third == first);
    CHECK((trial.multiply_adds > 0) == (id == "multiply_add_peak"));
    if (id != "multiply_add_peak") CHECK(trial.n == 40);
  }
}

TEST_CASE("a trial returns the last number of its result, and its options reach the call") {
  TrialOptions options;
  options.n = 12;
  options.d_k = 6;
  options.d_v = 3;
  options.seed = 4;
  options.factor = 2;
  Qkv<float> x = gaussian_qkv<float>(12, 6, 3, 4);
  x.Q *= 2;
  CHECK_CLOSE(Matrix<>::Constant(1, 1, make_trial("fused_weights", options).call()),
              attention(x.Q, x.K, x.V).output.bottomRightCorner(1, 1), kFloat, kFloat);
  options.map = FeatureMap<float>("relu", 6);
  options.causal = true;
  options.normalize = false;
  LinearAttentionOptions how;
  how.causal = true;
  how.normalize = false;
  CHECK_CLOSE(
      Matrix<>::Constant(1, 1, make_trial("linear", options).call()),
      linear_attention<float>(x.Q, x.K, x.V, *options.map, how).output.bottomRightCorner(1, 1),
      kFloat, kFloat);
}

TEST_CASE("an unknown mechanism is refused by name, with the list of those that can be timed") {
  const Error error = error_of([] { make_trial("big_bird"); });
  CHECK(error.argument() == "mechanism");
  CHECK(error.wanted().text().find("fused_weights") != std::string::npos);
  CHECK(error_of([] { make_trial("fused", {.n = 0}); }).argument() == "n");
}

TEST_SUITE_END();
