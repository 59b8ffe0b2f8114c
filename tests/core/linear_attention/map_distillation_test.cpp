#include "attn/linear_attention/map_distillation.hpp"

#include "attn/attention/attention.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("map distillation");

namespace {

std::vector<Qkv<double>> texts_of(Index d, double size) {
  std::vector<Qkv<double>> all;
  for (std::uint64_t i = 0; i < 2; ++i) {
    const Index n = 7 + static_cast<Index>(i);
    all.push_back({size * random<double>(n, d, 10 * i + 1), size * random<double>(n, d, 10 * i + 2),
                   Matrix<double>()});
  }
  return all;
}

}  // namespace

TEST_CASE("the loss is the cross-entropy of the weights, and its gradients are slopes") {
  const Index d = 4;
  const auto texts = texts_of(d, 1.3);
  for (const char* id : {"hedgehog", "hedgehog_exp", "hedgehog_joint", "elu_plus_one"}) {
    for (const bool causal : {true, false}) {
      CAPTURE(id);
      const FeatureMap<double> map(id, d);
      const Mask mask = causal ? Mask::causal() : Mask::full();
      Matrix<double> Wq = Matrix<double>::Identity(d, d) + 0.3 * random<double>(d, d, 30),
                     Wk = Matrix<double>::Identity(d, d) + 0.3 * random<double>(d, d, 31);
      const auto made = map_distillation_loss<double>(texts, Wq, Wk, map, mask);
      double loss = 0, floor = 0;
      Index rows = 0;
      for (const Qkv<double>& one : texts) {
        AttentionOptions<double> how;
        how.mask = mask;
        const Matrix<double> A = attention<double>(one.Q, one.K, one.K, how).weights;
        const Matrix<double> other = compute_implicit_attention<double>(
            one.Q * Wq.transpose(), one.K * Wk.transpose(), map, mask);
        for (Index i = 0; i < A.rows(); ++i) {
          for (Index j = 0; j < A.cols(); ++j) {
            if (A(i, j) == 0) continue;
            loss -= A(i, j) * std::log(other(i, j));
            floor -= A(i, j) * std::log(A(i, j));
          }
        }
        rows += A.rows();
      }
      CHECK(made.loss == doctest::Approx(loss / static_cast<double>(rows)));
      CHECK(made.floor == doctest::Approx(floor / static_cast<double>(rows)));
      CHECK(made.loss >= made.floor);
      const auto now = [&] { return map_distillation_loss<double>(texts, Wq, Wk, map, mask).loss; };
      CHECK_CLOSE(made.d_Wq, central_differences(Wq, now), 1e-6, 1e-8);
      CHECK_CLOSE(made.d_Wk, central_differences(Wk, now), 1e-6, 1e-8);
    }
  }
}

TEST_CASE("training brings the map's weights near those of softmax") {
  const auto texts = texts_of(4, 1.5);
  MapDistillation<double> distillation(texts, Mask::causal(), {.steps = 150});
  Index rounds = 0;
  while (!distillation.step(20)) ++rounds;
  CHECK(rounds == 7);
  CHECK(distillation.progress() == 1);
  const auto& made = distillation.result();
  CHECK(made.loss.size() == 151);
  CHECK(made.loss.back() >= made.floor);
  // Most of the divergence is gone.
  CHECK(made.loss.back() - made.floor < 0.4 * (made.loss.front() - made.floor));
  const FeatureMap<double> map("hedgehog", 4);
  const Matrix<double> eye = Matrix<double>::Identity(4, 4);
  CHECK(made.loss.front() ==
        map_distillation_loss<double>(texts, eye, eye, map, Mask::causal()).loss);
  CHECK(made.loss.back() ==
        map_distillation_loss<double>(texts, made.Wq, made.Wk, map, Mask::causal()).loss);
  // The same bits again, in other pieces.
  MapDistillation<double> again(texts, Mask::causal(), {.steps = 150});
  again.step(1000);
  CHECK(again.result().Wq == made.Wq);
}

TEST_CASE("maps and texts that do not fit are refused by name") {
  const auto texts = texts_of(4, 1);
  const Matrix<double> eye = Matrix<double>::Identity(4, 4), small = Matrix<double>::Identity(3, 3);
  const FeatureMap<double> map("hedgehog", 4), relu("relu", 4), other("hedgehog", 5);
  const auto refused = [&](const Matrix<double>& Wq, const Matrix<double>& Wk,
                           const FeatureMap<double>& how) {
    return error_of([&] { map_distillation_loss<double>(texts, Wq, Wk, how, Mask::full()); });
  };
  CHECK(refused(small, eye, map).argument() == "Wq");
  CHECK(refused(eye, small, map).argument() == "Wk");
  CHECK(refused(eye, eye, relu).argument() == "feature_map");
  CHECK(refused(Matrix<double>::Identity(5, 5), Matrix<double>::Identity(5, 5), other).argument() ==
        "Q");
  const auto argument = [](auto call) { return error_of(call).argument(); };
  CHECK(argument([&] { MapDistillation<double>({}, Mask::full()); }) == "texts");
  CHECK(argument([&] { MapDistillation<double>(texts, Mask::full(), {.steps = 0}); }) == "steps");
  CHECK(argument([&] {
          MapDistillation<double>(texts, Mask::full(), {.feature_map = "identity"});
        }) == "feature_map");
}

TEST_SUITE_END();
