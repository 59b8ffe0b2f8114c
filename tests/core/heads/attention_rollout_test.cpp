#include "attn/heads/attention_rollout.hpp"

#include "attn/attention/attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

std::vector<std::vector<Matrix<double>>> drawn_layers(Index layers, Index n, std::uint64_t seed) {
  std::vector<std::vector<Matrix<double>>> made;
  for (Index l = 0; l < layers; ++l) {
    auto& heads = made.emplace_back();
    for (Index h = 0; h < 2; ++h) {
      Matrix<double> P = 2 * random<double>(n, n, seed + static_cast<std::uint64_t>(10 * l + h));
      masked_softmax_rows<double>(P, Mask::causal(), 0, n);
      heads.push_back(P);
    }
  }
  return made;
}

}  // namespace

TEST_SUITE_BEGIN("attention rollout");

TEST_CASE("rows of a rollout sum to 1, and no flow is less than its share") {
  const Index n = 7;
  const auto layers = drawn_layers(3, n, 3);
  const auto made = attention_rollout<double>(layers);
  CHECK(made.rollout.size() == 3);
  for (const auto& list : {made.rollout, made.uniform}) {
    for (const Matrix<double>& one : list) {
      CHECK_CLOSE(one.rowwise().sum(), Matrix<double>::Ones(n, 1), 1e-12, 0);
    }
  }
  AttentionFlow<double> flow(layers);
  CHECK(flow.progress() == 0);
  CHECK_FALSE(flow.step(n));
  CHECK(flow.progress() == 0.5);
  CHECK(flow.step(n));
  // What the product sends from i to j never fills an edge, so that it is a flow.
  CHECK((flow.result().flow - made.rollout.back()).minCoeff() > -1e-12);
  CHECK_CLOSE(flow.result().flow_rows.rowwise().sum(), Matrix<double>::Ones(n, 1), 1e-12, 0);
}

TEST_CASE("uniform attention is beside itself, and moves to token 0 without having learned") {
  const Index n = 8;
  Matrix<double> A = Matrix<double>::Zero(n, n);
  for (Index i = 0; i < n; ++i) A.row(i).head(i + 1).setConstant(1 / static_cast<double>(i + 1));
  const std::vector<std::vector<Matrix<double>>> layers(6, {A});
  const auto made = attention_rollout<double>(layers);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    CHECK_CLOSE(made.rollout[l], made.uniform[l], 1e-12, 0);
    if (l > 0) CHECK(made.rollout[l](n - 1, 0) > made.rollout[l - 1](n - 1, 0));
  }
  AttentionFlow<double> flow(layers);
  flow.step(2 * n);
  CHECK_CLOSE(flow.result().flow_rows, flow.result().uniform_rows, 1e-12, 0);
}

TEST_CASE("the residual stream alone keeps every position") {
  const Index n = 5;
  RolloutOptions options;
  options.residual = 1;
  const auto made = attention_rollout<double>(drawn_layers(3, n, 1), options);
  CHECK_CLOSE(made.rollout.back(), Matrix<double>::Identity(n, n), 1e-12, 1e-15);
}

TEST_CASE("layers that do not fit, and flows that would take too long, are refused by name") {
  auto layers = drawn_layers(2, 4, 1);
  layers[1][1] = Matrix<double>::Zero(3, 3);
  CHECK(error_of([&] { attention_rollout<double>(layers); }).argument() == "layers");
  CHECK(error_of([&] { attention_rollout<double>({}); }).argument() == "layers");
  RolloutOptions options;
  options.residual = 1.5;
  const auto good = drawn_layers(1, 4, 1);
  CHECK(error_of([&] { attention_rollout<double>(good, options); }).argument() == "residual");
  const std::vector<std::vector<Matrix<double>>> large{{Matrix<double>::Identity(200, 200)}};
  CHECK(error_of([&] { AttentionFlow<double> flow(large); }).code() == "capacity");
}

TEST_SUITE_END();
