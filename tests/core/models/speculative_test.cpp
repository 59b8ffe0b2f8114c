#include "attn/models/speculative.hpp"

#include <numeric>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("speculative");

namespace {

/// Rows of probabilities, of which some are 0.
Matrix<double> speculative_table(Index rows, Index vocabulary, std::uint64_t seed) {
  Matrix<double> made = random<double>(rows, vocabulary, seed).array().exp();
  for (Index i = 0; i < rows; ++i) {
    if (vocabulary > 2) made(i, i % vocabulary) = 0;
    made.row(i) /= made.row(i).sum();
  }
  return made;
}

TokenTest token_test(const Matrix<double>& counts, const Matrix<double>& p) {
  return chi_squared({counts.data(), static_cast<std::size_t>(counts.size())},
                     {p.data(), static_cast<std::size_t>(p.size())});
}

LanguageModel<double> speculative_model(std::uint64_t seed, double size, Index vocabulary = 5) {
  LanguageModelOptions options;
  options.vocabulary = vocabulary;
  options.d_model = 8;
  options.layers = 1;
  options.length = 24;
  LanguageModel<double> model(options, seed);
  model.parameters() *= size;
  return model;
}

const std::vector<std::int32_t> kPrompt{1, 0, 3};

}  // namespace

TEST_CASE("a draft and its replacement together have the target's distribution") {
  for (const Index vocabulary : {1, 2, 5, 40}) {
    const Matrix<double> p = speculative_table(1, vocabulary, 1),
                         q = speculative_table(1, vocabulary, 2);
    const auto made = speculative_pair<double>(p.row(0).transpose(), q.row(0).transpose());
    double distance = 0;
    for (Index x = 0; x < vocabulary; ++x) {
      distance += 0.5 * std::abs(p(0, x) - q(0, x));
      const double drafted = q(0, x) > 0 ? q(0, x) * made.accept(x) : 0;
      const double replaced = made.alpha < 1 ? (1 - made.alpha) * made.residual(x) : 0;
      CHECK(drafted + replaced == doctest::Approx(p(0, x)).epsilon(1e-12));
    }
    CHECK(made.alpha == doctest::Approx(1 - distance).epsilon(1e-12));
  }
}

TEST_CASE("the formula is the closed one, and says when drafting loses") {
  const std::vector<double> alphas{0, 0.5, 0.8, 1}, costs{0.05, 0.2};
  const auto gain = speculative_gain(alphas, {0, 1, 4, 5, 8}, costs);
  for (Index g = 0; g < 5; ++g) {
    const Index gamma = std::vector<Index>{0, 1, 4, 5, 8}[static_cast<std::size_t>(g)];
    CHECK(gain.expected_tokens(0, g) == 1);
    CHECK(gain.expected_tokens(2, g) ==
          doctest::Approx((1 - std::pow(0.8, gamma + 1)) / (1 - 0.8)).epsilon(1e-12));
    CHECK(gain.expected_tokens(3, g) == static_cast<double>(gamma + 1));
  }
  CHECK(gain.speedup[1](1, 3) == doctest::Approx(0.984).epsilon(1e-3));
  CHECK(gain.best_gamma(0, 0) == 0);
  CHECK(gain.best_gamma(2, 1) == 4);
  CHECK(gain.best_gamma(2, 0) == 8);
}

TEST_CASE("every run of tables ends as the distributions say, over all draws of a grid") {
  // All combinations of 24 numbers for each place of one draft: a run's first token is then spread
  // as P says, up to the grid.
  const Matrix<double> P = speculative_table(3, 3, 5), Q = speculative_table(3, 3, 6);
  const Index steps = 24;
  Matrix<double> u(steps * steps * steps, 3);
  for (Index i = 0; i < u.rows(); ++i) {
    const auto place = [&](Index k) { return (static_cast<double>(k % steps) + 0.5) / steps; };
    u.row(i) << place(i), place(i / steps), place(i / steps / steps);
  }
  std::vector<double> seen(3, 0);
  double tokens = 0;
  for (Index i = 0; i < u.rows(); ++i) {
    const auto made = speculative_chain<double>(P, Q, 1, 1, u.row(i));
    seen[static_cast<std::size_t>(made.text[0])] += 1.0 / static_cast<double>(u.rows());
    tokens += static_cast<double>(made.text.size()) / static_cast<double>(u.rows());
    if (i == 0) {
      CHECK(made.expected_tokens_first_run == doctest::Approx(1 + made.alpha(1)).epsilon(1e-12));
    }
  }
  for (Index x = 0; x < 3; ++x) {
    CHECK(std::abs(seen[static_cast<std::size_t>(x)] - P(1, x)) < 2.0 / steps);
  }
  CHECK(std::abs(tokens - (1 + P.row(1).cwiseMin(Q.row(1)).sum())) < 1.0 / steps);
}

TEST_CASE("greedy text is that of the target, token by token, whatever the draft says") {
  const auto target = speculative_model(1, 4);
  SpeculativeOptions options;
  options.sampling.temperature = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto draft = speculative_model(seed, 4);
    for (const Index gamma : {0, 1, 3, 7}) {
      options.gamma = gamma;
      Rng rng(9), plain(9);
      const auto made = speculative_generate<double>(target, draft, kPrompt, 20, options, rng);
      CHECK(made.tokens == target.generate(kPrompt, 20, options.sampling, plain));
      CHECK(std::accumulate(made.tokens_of_runs.begin(), made.tokens_of_runs.end(), 0) == 20);
      CHECK(made.decided >= made.accepted);
      // The same model agrees with itself at every place.
      if (seed == 1) CHECK(made.accepted == made.decided);
      if (seed == 1) CHECK(made.alpha == (gamma == 0 ? 0 : 1));
    }
  }
}

TEST_CASE("a drawn text has the target's distribution: chi-squared over two tokens") {
  const Index vocabulary = 3;
  const auto target = speculative_model(4, 6, vocabulary),
             draft = speculative_model(5, 6, vocabulary);
  SpeculativeOptions options;
  options.gamma = 2;
  const std::vector<std::int32_t> prompt{2, 0};
  // The probability of each pair of tokens, from the target itself.
  Matrix<double> wanted(vocabulary, vocabulary);
  for (std::int32_t a = 0; a < vocabulary; ++a) {
    auto state = target.start();
    target.step(state, 2);
    const Vector<double> first = token_probabilities<double>(target.step(state, 0), {});
    const Vector<double> second = token_probabilities<double>(target.step(state, a), {});
    for (Index b = 0; b < vocabulary; ++b) wanted(a, b) = first(a) * second(b);
  }
  Matrix<double> seen = Matrix<double>::Zero(vocabulary, vocabulary);
  const Index draws = 4000;
  Rng rng(12);
  Index refused = 0;
  for (Index i = 0; i < draws; ++i) {
    const auto made = speculative_generate<double>(target, draft, prompt, 3, options, rng);
    seen(made.tokens[0], made.tokens[1]) += 1;
    refused += made.decided - made.accepted;
    REQUIRE(made.refused.size() == made.tokens_of_runs.size());
    Index named = 0, last = 0;
    for (std::size_t run = 0; run < made.refused.size(); ++run) {
      last += made.tokens_of_runs[run];
      if (made.refused[run] < 0) continue;
      ++named;
      // What stands in the place of a refused draft is what the target would rather say.
      CHECK(made.refused[run] < vocabulary);
    }
    CHECK(named == made.decided - made.accepted);
    CHECK(last == 3);
  }
  CHECK(refused > draws / 20);
  CHECK(token_test(seen, wanted).chance > 1e-3);
}

TEST_CASE("drawn tokens are tested against their probabilities") {
  Vector<double> counts(3), p(3);
  counts << 44, 56, 0;
  p << 0.5, 0.5, 0;
  const TokenTest made = token_test(counts, p);
  CHECK(made.statistic == doctest::Approx(2 * 36 / 50.0));
  CHECK(made.freedom == 1);
  // One degree of freedom is a squared normal: P = erfc(√(χ²/2)).
  CHECK(made.chance == doctest::Approx(std::erfc(std::sqrt(0.72))));
  CHECK(made.own_cells == std::vector<std::int32_t>{0, 1});
  // What cannot come, and came.
  counts(2) = 1;
  CHECK(token_test(counts, p).chance == 0);
  // Two degrees: P = e^(−χ²/2), by the series at a small value and the fraction at a large one.
  p << 0.25, 0.25, 0.5;
  for (const double off : {1.0, 5.0, 30.0}) {
    counts << 50 + off, 50 - off, 100;
    const TokenTest two = token_test(counts, p);
    CHECK(two.freedom == 2);
    CHECK(two.own_cells.front() == 2);
    CHECK(two.chance == doctest::Approx(std::exp(-two.statistic / 2)).epsilon(1e-10));
  }
}

TEST_CASE("tokens that are hardly expected share a cell") {
  // 100 draws: 60, 36, 3 and 1 are expected. Three and one make less than five, so 36 joins them.
  Vector<double> counts(4), p(4);
  counts << 60, 30, 10, 0;
  p << 0.60, 0.36, 0.03, 0.01;
  const TokenTest made = token_test(counts, p);
  CHECK(made.own_cells == std::vector<std::int32_t>{0});
  CHECK(made.freedom == 1);
  CHECK(made.statistic == doctest::Approx(0).epsilon(1e-12));
  // A thousand: each has ten or more.
  CHECK(token_test(10 * counts, p).freedom == 3);
  CHECK(token_test(Vector<double>::Ones(1), Vector<double>::Ones(1)).chance == 1);
}

TEST_CASE("the statistic of true draws passes any level as often as its chance says") {
  Rng rng(5);
  const Matrix<double> table = speculative_table(1, 6, 3);
  const Vector<double> p = table.row(0).transpose();
  const int trials = 400;
  int below = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Vector<double> counts = Vector<double>::Zero(6);
    for (int i = 0; i < 500; ++i) {
      double u = rng.uniform();
      Index x = 0;
      while (x < 5 && u >= p(x)) u -= p(x++);
      counts(x) += 1;
    }
    below += token_test(counts, p).chance < 0.25;
  }
  // 100 are expected, with a deviation of √(400·¼·¾) = 8.7: four of them.
  CHECK(below > 65);
  CHECK(below < 135);
}

TEST_CASE("wrong arguments are named") {
  const Matrix<double> P = speculative_table(3, 3, 1);
  const auto row = [&](double factor) { return Vector<double>(P.row(0).transpose() * factor); };
  CHECK(error_of([&] { speculative_pair<double>(row(1), row(2)); }).argument() == "q");
  CHECK(error_of([&] { speculative_pair<double>(row(-1), row(1)); }).argument() == "p");
  CHECK(error_of([&] { speculative_pair<double>(row(1), row(1).head(2)); }).code() == "shape");
  CHECK(error_of([] { speculative_gain(std::vector{1.5}, {1}, {}); }).argument() == "alphas");
  CHECK(error_of([] { speculative_gain(std::vector{0.5}, {-1}, {}); }).argument() == "gammas");
  CHECK(error_of([] { speculative_gain(std::vector{0.5}, {1}, std::vector{-1.0}); }).argument() ==
        "costs");
  const auto test = [](const Vector<double>& counts, const Vector<double>& p) {
    return error_of([&] { token_test(counts, p); });
  };
  CHECK(test({}, {}).argument() == "counts");
  CHECK(test(Vector<double>::Zero(3), row(1)).argument() == "counts");
  CHECK(test(-row(1), row(1)).argument() == "counts");
  CHECK(test(row(1), row(2)).argument() == "probabilities");
  CHECK(test(row(1).head(2), row(1)).code() == "shape");
  const Matrix<double> u = Matrix<double>::Constant(2, 5, 0.5);
  CHECK(error_of([&] { speculative_chain<double>(P, P, 3, 2, u); }).argument() == "start");
  CHECK(error_of([&] { speculative_chain<double>(P, P, 0, 1, u); }).argument() == "u");
  CHECK(error_of([&] { speculative_chain<double>(P, P, 0, 2, 2 * u); }).argument() == "u");
  CHECK(error_of([&] { speculative_chain<double>(P, P * 2, 0, 2, u); }).argument() == "Q");
  const auto model = speculative_model(1, 1), other = speculative_model(1, 1, 6);
  Rng rng(1);
  const auto run = [&](const LanguageModel<double>& draft, std::span<const std::int32_t> prompt,
                       Index count, Index gamma) {
    return error_of([&] {
      speculative_generate<double>(model, draft, prompt, count, {gamma, {}}, rng);
    });
  };
  CHECK(run(other, kPrompt, 2, 1).argument() == "draft");
  CHECK(run(model, {}, 2, 1).argument() == "prompt");
  CHECK(run(model, kPrompt, -1, 1).argument() == "count");
  CHECK(run(model, kPrompt, 2, -1).argument() == "gamma");
}

TEST_SUITE_END();
