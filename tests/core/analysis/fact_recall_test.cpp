#include "attn/analysis/fact_recall.hpp"

#include <cmath>

#include "attn/attention/attention.hpp"
#include "attn/base/inputs.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

template <typename T = float>
FactRecallResult<T> recall(std::optional<FeatureMap<T>> map, const FactRecallOptions& options) {
  FactRecall<T> work(std::move(map), options);
  double before = -1;
  while (!work.step(1)) {
    CHECK(work.progress() > before);
    before = work.progress();
  }
  CHECK(work.progress() == 1);
  return work.result();
}

/// The tokens that the header describes.
Qkv<double> tokens(const FactRecallOptions& options, std::uint64_t seed) {
  Qkv<double> x = gaussian_qkv<double>(options.n + 1, options.d_k, options.d_v, seed);
  x.K *= options.key_scale;
  for (Index i = 0; i < x.V.size(); ++i) x.V.data()[i] = x.V.data()[i] < 0 ? -1 : 1;
  return x;
}

}  // namespace

TEST_SUITE_BEGIN("fact recall");

TEST_CASE("the answers are those of attention over the tokens so far") {
  FactRecallOptions options;
  options.n = 300;  // more than the features that are made at a time
  options.d_k = 4;
  options.d_v = 3;
  options.key_scale = 1.5;
  options.draws = 3;
  options.seed = 5;
  const FeatureMap<double> maps[] = {{"elu_plus_one", 4}, {"taylor_compact", 4}};
  for (int which = -1; which < 2; ++which) {
    CAPTURE(which);
    const auto map = which < 0 ? std::nullopt : std::optional(maps[which]);
    const FactRecallResult<double> found = recall<double>(map, options);
    REQUIRE(found.tokens == std::vector<Index>{0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300});
    REQUIRE(found.answers.rows() == 301);
    REQUIRE(found.weights.size() == 301);
    std::vector<double> right(found.tokens.size());
    for (Index draw = 0; draw < options.draws; ++draw) {
      const Qkv<double> x = tokens(options, 5 + static_cast<std::uint64_t>(draw));
      const Matrix<double> q = x.K.topRows(1);
      for (Index t = 0; t <= options.n; ++t) {
        const Matrix<double> K = x.K.topRows(t + 1), V = x.V.topRows(t + 1);
        Matrix<double> output;
        double weight = 0;
        if (map) {
          output = linear_attention<double>(q, K, V, *map).output;
          weight = compute_implicit_attention<double>(q, K, *map)(0, 0);
        } else {
          const AttentionResult<double> exact = attention<double>(q, K, V);
          output = exact.output;
          weight = exact.weights(0, 0);
        }
        if (draw == 0) {
          CHECK((found.answers.row(t) - output).cwiseAbs().maxCoeff() < 1e-10);
          CHECK(std::abs(found.weights[static_cast<std::size_t>(t)] - weight) < 1e-10);
        }
        for (std::size_t at = 0; at < found.tokens.size(); ++at) {
          if (found.tokens[at] != t) continue;
          right[at] += (output.cwiseProduct(x.V.topRows(1)).array() > 0).cast<double>().sum();
        }
      }
      if (draw == 0) CHECK(found.fact == x.V.topRows(1));
    }
    for (std::size_t at = 0; at < right.size(); ++at) {
      CHECK(std::abs(found.right[at] - right[at] / 9) < 1e-12);
      CHECK(found.weight[at].low <= found.weight[at].median);
      CHECK(found.weight[at].median <= found.weight[at].high);
      const double t = static_cast<double>(found.tokens[at]);
      CHECK(found.numbers[at] == (map ? static_cast<double>(map->dimension()) * 4 : (t + 1) * 7));
    }
  }
}

TEST_CASE("softmax keeps a fact that ELU + 1 loses, and more features buy it back") {
  FactRecallOptions options;
  options.n = 512;
  const auto weight = [&](std::optional<FeatureMap<float>> map) {
    return recall<float>(std::move(map), options).weight.back().median;
  };
  const double softmax = weight(std::nullopt);
  const double elu = weight(FeatureMap<float>("elu_plus_one", options.d_k));
  const double taylor = weight(FeatureMap<float>("taylor_compact", options.d_k));
  const auto random = [&](double m) {
    FeatureMapOptions<float> how;
    how.parameters = {{"features", m}, {"stabilize", 0}};
    return weight(FeatureMap<float>("softmax_kernel", options.d_k, how));
  };
  CAPTURE(softmax);
  CAPTURE(elu);
  CAPTURE(taylor);
  CHECK(softmax > 0.5);
  // Nearly the weight 1/513 of every token.
  CHECK(elu < 4.0 / 513);
  CHECK(taylor > 5 * elu);
  const double few = random(16), many = random(1024);
  CAPTURE(few);
  CAPTURE(many);
  CHECK(many > 2 * few);
}

TEST_CASE("a draw has a projection of its own, and the first is the one of the seed") {
  FactRecallOptions options;
  options.n = 8;
  options.d_k = 4;
  options.draws = 2;
  options.seed = 3;
  FeatureMapOptions<float> how;
  how.parameters = {{"features", 8}, {"stabilize", 0}};
  const auto both = recall<float>(FeatureMap<float>("softmax_kernel", 4, how), options);
  how.seed = 3;
  options.draws = 1;
  const auto first = recall<float>(FeatureMap<float>("softmax_kernel", 4, how), options);
  CHECK(both.weights == first.weights);
  options.seed = 4;
  const auto second = recall<float>(FeatureMap<float>("softmax_kernel", 4, how), options);
  const double low = std::min(first.weight[4].median, second.weight[4].median);
  const double high = std::max(first.weight[4].median, second.weight[4].median);
  CHECK(both.weight[4].median == doctest::Approx((low + high) / 2));
}

TEST_CASE("wrong sizes, scales and maps are refused by name") {
  const auto refused = [](FactRecallOptions options, std::optional<FeatureMap<float>> map = {}) {
    FactRecall<float> work(std::move(map), options);
  };
  FactRecallOptions options;
  options.n = 0;
  CHECK_THROWS_AS(refused(options), ValueError);
  options = {};
  options.d_v = kMaxRecallWidth + 1;
  CHECK_THROWS_AS(refused(options), ValueError);
  options = {};
  options.draws = 0;
  CHECK_THROWS_AS(refused(options), ValueError);
  options = {};
  options.key_scale = 0;
  CHECK_THROWS_AS(refused(options), ValueError);
  options = {};
  CHECK_THROWS_AS(refused(options, FeatureMap<float>("relu", 8)), ShapeError);
  // cosFormer needs to know the length of the whole sequence.
  CHECK_THROWS_AS(refused(options, FeatureMap<float>("cosformer", 16)), ValueError);
}

TEST_SUITE_END();
