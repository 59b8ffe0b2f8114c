// Parameters with their names, embeddings and feed-forward networks.

#include "attn/nn/embedding.hpp"
#include "attn/nn/feed_forward.hpp"
#include "attn/nn/parameters.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("nn_layers");

TEST_CASE("parameters keep their places, and begin the same whatever comes after them") {
  ParameterTable table;
  table.add_matrix("weight", 200, 100, Initializer::kXavierUniform);
  table.add_vector("gain", 3, Initializer::kOnes);
  ParameterTable whole;
  whole.append(table, "a.");
  whole.append(table, "b.");
  CHECK(whole.size() == 2 * 20003);
  CHECK(whole.at("b.gain").offset == 40003);
  CHECK_THROWS_AS(whole.append(table, "a."), ValueError);
  CHECK_THROWS_AS(whole.at("c"), ValueError);
  Vector<double> few(table.size()), many(whole.size());
  initialize<double>(table, 3, few);
  initialize<double>(whole, 3, many);
  CHECK(few == many.head(table.size()));
  const auto weight = view<double>(table.at("weight"), few);
  CHECK(weight.cwiseAbs().maxCoeff() <= std::sqrt(6.0 / 300));
  CHECK(weight.squaredNorm() / 20000 == doctest::Approx(2.0 / 300).epsilon(0.03));
  const Vector<double> decays = decay_mask<double>(table);
  CHECK(decays(0) == 1);
  CHECK(decays(20001) == 0);
  for (const std::string_view name : initializer_names()) {
    CAPTURE(name);
    ParameterTable one;
    one.add_matrix("x", 4, 5, initializer_named(name));
    Vector<float> begun(20);
    initialize<float>(one, 1, begun);
    CHECK(begun.allFinite());
  }
  CHECK_THROWS_AS(initializer_named("he"), ValueError);
}

TEST_CASE("steps of Mamba begin between 1e-3 and 0.1") {
  ParameterTable table;
  table.add_vector("bias", 500, Initializer::kInverseSoftplusStep);
  Vector<double> bias(500);
  initialize<double>(table, 1, bias);
  const Vector<double> step = (1 + bias.array().exp()).log();
  CHECK(step.minCoeff() >= 0.99e-3);
  CHECK(step.maxCoeff() <= 0.101);
  CHECK(step.maxCoeff() > 20 * step.minCoeff());
}

TEST_CASE("an embedding picks rows, and its gradient adds over a token's places") {
  Matrix<double> table = random<double>(5, 3, 1);
  const std::vector<std::int32_t> tokens{2, 0, 2, 4};
  const Matrix<double> dO = random<double>(4, 3, 2);
  CHECK(embed<double>(tokens, table).row(2) == table.row(2));
  const auto loss = [&] { return embed<double>(tokens, table).cwiseProduct(dO).sum(); };
  Matrix<double> d_table = Matrix<double>::Zero(5, 3);
  embed_backward<double>(tokens, dO, d_table);
  CHECK_CLOSE(d_table, central_differences(table, loss), 1e-7, 1e-7);
  const std::vector<std::int32_t> outside{1, 5};
  CHECK(error_of([&] { embed<double>(outside, table); }).argument() == "tokens");
  CHECK_THROWS_AS(embed<double>({}, table), ShapeError);
}

TEST_CASE("feed-forward networks have the gradients that their differences have") {
  for (const bool gated : {false, true}) {
    for (const Activation f : {Activation::kGelu, Activation::kSilu, Activation::kTanh}) {
      CAPTURE(gated);
      Matrix<double> X = random<double>(3, 5, 1);
      FeedForwardWeights<double> w{
          random<double>(7, 5, 2), gated ? random<double>(7, 5, 3) : Matrix<double>(),
          random<double>(5, 7, 4), random<double>(7, 1, 5), random<double>(5, 1, 6)};
      const Matrix<double> dO = random<double>(3, 5, 7);
      const auto loss = [&] { return feed_forward<double>(X, w, f).cwiseProduct(dO).sum(); };
      const auto back = feed_forward_backward<double>(X, w, dO, f);
      CHECK_CLOSE(back.dX, central_differences(X, loss), 1e-6, 1e-6);
      CHECK_CLOSE(back.d_weights.up, central_differences(w.up, loss), 1e-6, 1e-6);
      CHECK_CLOSE(back.d_weights.gate, central_differences(w.gate, loss), 1e-6, 1e-6);
      CHECK_CLOSE(back.d_weights.down, central_differences(w.down, loss), 1e-6, 1e-6);
      CHECK_CLOSE(back.d_weights.up_bias, central_differences(w.up_bias, loss), 1e-6, 1e-6);
      CHECK_CLOSE(back.d_weights.down_bias, central_differences(w.down_bias, loss), 1e-6, 1e-6);
    }
  }
}

TEST_SUITE_END();
