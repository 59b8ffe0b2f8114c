#include "attn/models/influence.hpp"

#include "attn/attention/pattern_reach.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("influence");

TEST_CASE("a token influences exactly the places that the pattern of the layers lets it reach") {
  const Index n = 14;
  const std::vector<std::int32_t> text{0, 3, 1, 4, 2, 2, 0, 1, 3, 4, 1, 0, 2, 3};
  for (const Index layers : {1, 2, 3}) {
    for (const double sinks : {0.0, 1.0}) {
      LanguageModelOptions options;
      options.vocabulary = 5;
      options.d_model = 8;
      options.layers = layers;
      options.length = n;
      options.mixers[0].id = "sliding_window";
      options.mixers[0].parameters = {{"window", 3}, {"sinks", sinks}};
      // As it begins: large parameters make the model so sure that nothing changes what it says.
      const LanguageModel<double> model(options, 3);
      Rng rng(1);
      const Matrix<double> made = token_influence<double>(model, text, 2, rng);
      Matrix<double> kept = Pattern::local(n, 3).to_matrix<double>();
      if (sinks > 0) kept.col(0).setOnes();
      const auto reach = pattern_reach(Pattern::from_matrix<double>(kept), true, layers);
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
          const float hops = reach.hops(i, j);
          const bool reached = hops >= 0 && hops <= static_cast<float>(layers);
          CAPTURE(i);
          CAPTURE(j);
          CHECK((made(i, j) > 1e-6) == reached);
          CHECK((made(i, j) == 0) == !reached);
          CHECK(made(i, j) <= 1);
        }
      }
    }
  }
}

TEST_CASE("wrong arguments are named, and the text is not changed by drawing its own token") {
  LanguageModelOptions options;
  options.vocabulary = 2;
  options.d_model = 4;
  options.layers = 1;
  const LanguageModel<double> model(options, 1);
  const std::vector<std::int32_t> text{0, 1, 0};
  Rng rng(1), again(2);
  // With two tokens there is one other, whatever is drawn.
  const Matrix<double> one = token_influence<double>(model, text, 1, rng);
  CHECK_CLOSE(one, token_influence<double>(model, text, 3, again), 1e-12, 1e-15);
  CHECK(one.diagonal().minCoeff() > 0);
  CHECK(error_of([&] { token_influence<double>(model, text, 0, rng); }).argument() == "draws");
  options.vocabulary = 1;
  const LanguageModel<double> single(options, 1);
  const std::vector<std::int32_t> zeros{0, 0};
  CHECK(error_of([&] { token_influence<double>(single, zeros, 1, rng); }).argument() == "model");
}

TEST_SUITE_END();
