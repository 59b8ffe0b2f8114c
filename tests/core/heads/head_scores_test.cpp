#include "attn/heads/head_scores.hpp"

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// `period` random tokens of 40, again and again.
std::vector<std::int32_t> repeated(Index n, Index period, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::int32_t> tokens;
  for (Index i = 0; i < n; ++i) {
    tokens.push_back(i < period ? static_cast<std::int32_t>(rng.below(40))
                                : tokens[static_cast<std::size_t>(i - period)]);
  }
  return tokens;
}

/// Tokens of few kinds, so that they come again at all distances.
std::vector<std::int32_t> text_of(Index n, std::uint64_t kinds, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::int32_t> tokens;
  for (Index i = 0; i < n; ++i) tokens.push_back(static_cast<std::int32_t>(rng.below(kinds)));
  return tokens;
}

/// A causal head with `share` of each row on the key that `target` names, the rest spread evenly; a
/// target below 0 is none.
template <typename Target>
Matrix<double> looking(Index n, double share, Target target) {
  Matrix<double> A = Matrix<double>::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    const Index key = target(i);
    const double own = key < 0 ? 0 : share;
    A.row(i).head(i + 1).setConstant((1 - own) / static_cast<double>(i + 1));
    if (key >= 0) A(i, key) += own;
  }
  return A;
}

/// The token after the last earlier copy, −1 where there is none.
Index behind_last_copy(const std::vector<std::int32_t>& tokens, Index i) {
  for (Index j = i - 1; j >= 0; --j) {
    if (tokens[static_cast<std::size_t>(j)] == tokens[static_cast<std::size_t>(i)]) return j + 1;
  }
  return -1;
}

/// Three heads: one of induction, one that looks `back` tokens back, one that is uniform.
HeadText<double> three_heads(Index n, Index period, Index back, std::uint64_t seed) {
  HeadText<double> text;
  text.tokens = repeated(n, period, seed);
  text.weights = {looking(n, 0.8, [&](Index i) { return behind_last_copy(text.tokens, i); }),
                  looking(n, 0.8, [&](Index i) { return i - back; }),
                  looking(n, 0, [](Index) { return Index(-1); })};
  return text;
}

double harmonic(Index n) {
  double sum = 0;
  for (Index i = 1; i <= n; ++i) sum += 1 / static_cast<double>(i);
  return sum;
}

}  // namespace

TEST_SUITE_BEGIN("head scores");

TEST_CASE("uniform causal attention has the scores of the closed forms, and every head beside it") {
  const Index n = 64;
  const std::vector<Matrix<double>> heads{looking(n, 0, [](Index) { return Index(-1); })};
  const HeadScoresResult made = head_scores<double>(heads, repeated(n, 20, 1));
  const double expected = (harmonic(n) - 1) / static_cast<double>(n - 1);
  CHECK(close(made.uniform.previous_token, expected, 1e-12, 0));
  CHECK(close(made.uniform.first_token, expected, 1e-12, 0));
  CHECK(close(made.uniform.current_token, harmonic(n) / static_cast<double>(n), 1e-12, 0));
  CHECK(close(made.heads[0].scores.induction, made.uniform.induction, 1e-12, 0));
  CHECK(close(made.heads[0].scores.entropy, made.uniform.entropy, 1e-12, 0));
  CHECK(close(made.heads[0].scores.mean_distance, made.uniform.mean_distance, 1e-12, 0));
  CHECK(made.repeats >= 44);
}

TEST_CASE("a head that spreads evenly over all tokens has no score above its matched baseline") {
  const Index n = 24;
  HeadScoreOptions options;
  options.mask = Mask::full();
  const std::vector<Matrix<double>> heads{
      Matrix<double>::Constant(n, n, 1 / static_cast<double>(n))};
  const MatchedScores matched =
      head_scores<double>(heads, text_of(n, 6, 4), options).heads[0].matched;
  for (const MatchedScore& one :
       {matched.previous_token, matched.current_token, matched.first_token, matched.duplicate_token,
        matched.induction, matched.match_mass}) {
    CHECK(one.rows > 0);
    CHECK(close(one.score, one.elsewhere, 1e-12, 0));
  }
}

TEST_CASE("a head of a fixed distance scores as an induction head, but not above its baseline") {
  const Index n = 60, period = 12;
  const HeadText<double> text = three_heads(n, period, period - 1, 2);
  const HeadScoresResult made = head_scores<double>(text.weights, text.tokens);
  const ScoredHead &induction = made.heads[0], &distance = made.heads[1];
  CHECK(induction.scores.induction > 0.8);
  // Some tokens stand in the period twice, and their last copy is nearer.
  CHECK(distance.scores.induction > 0.6);
  CHECK(induction.matched.induction.score - induction.matched.induction.elsewhere > 0.6);
  CHECK(std::abs(distance.matched.induction.score - distance.matched.induction.elsewhere) < 0.1);
  // Other orders of the tokens have other targets.
  CHECK(induction.shuffled_largest.induction < 0.4);
  CHECK(induction.shuffled_mean.induction <= induction.shuffled_largest.induction);
}

TEST_CASE("shuffles depend on the seed alone, and none leaves their scores undefined") {
  const HeadText<double> text = three_heads(40, 11, 3, 5);
  HeadScoreOptions options;
  const auto mean = [&] {
    return head_scores<double>(text.weights, text.tokens, options).heads[0].shuffled_mean.induction;
  };
  const double first = mean();
  CHECK(mean() == first);
  options.seed = 1;
  CHECK(mean() != first);
  options.shuffles = 0;
  CHECK(std::isnan(mean()));
}

TEST_CASE("rows that see nothing are in no mean") {
  const Index n = 30;
  HeadText<double> text = three_heads(n, 9, 2, 3);
  Matrix<double> shorter = text.weights[0].topLeftCorner(n - 4, n - 4);
  text.weights[0].bottomRows(4).setZero();
  const std::vector<std::int32_t> front(text.tokens.begin(), text.tokens.end() - 4);
  HeadScoreOptions options;
  options.shuffles = 0;
  const auto padded = head_scores<double>(text.weights, text.tokens, options).heads[0];
  const auto cut =
      head_scores<double>(std::vector<Matrix<double>>{shorter}, front, options).heads[0];
  CHECK(close(padded.scores.induction, cut.scores.induction, 1e-12, 0));
  CHECK(close(padded.scores.entropy, cut.scores.entropy, 1e-12, 0));
  CHECK(close(padded.matched.induction.elsewhere, cut.matched.induction.elsewhere, 1e-12, 0));
}

TEST_CASE("a name holds only where the score beats its baselines on other texts too") {
  const Index n = 60;
  const std::vector<HeadText<double>> choosing{three_heads(n, 12, 1, 7), three_heads(n, 17, 1, 8)};
  const std::vector<HeadText<double>> held_out{three_heads(n, 14, 1, 9)};
  const auto named = name_heads<double>(choosing, held_out);
  CHECK(named[0].role == HeadRole::kInduction);
  CHECK(named[0].held_out.gain > 0.4);
  CHECK(named[1].role == HeadRole::kPreviousToken);
  CHECK(named[2].role == HeadRole::kNone);
  CHECK(named[2].candidate == HeadRole::kNone);

  // It looked one token back on the first texts, and does not on the others.
  const std::vector<HeadText<double>> elsewhere{three_heads(n, 14, 5, 9)};
  const auto failed = name_heads<double>(choosing, elsewhere);
  CHECK(failed[1].candidate == HeadRole::kPreviousToken);
  CHECK(failed[1].role == HeadRole::kNone);
  CHECK(failed[1].held_out.gain < 0.1);
}

TEST_CASE("variability is 0 for a head of positions and at most its bound") {
  const Index n = 8;
  const auto text = [&](Index key) {
    return std::vector<Matrix<double>>{looking(n, 1, [](Index i) { return i > 0 ? i - 1 : 0; }),
                                       looking(n, 1, [&](Index i) { return std::min(i, key); })};
  };
  const std::vector<std::vector<Matrix<double>>> texts{text(0), text(1), text(2)};
  const HeadVariability made = head_variability<double>(texts, 6);
  CHECK(made.variability[0] == 0);
  // Keys 0, 1 and 2 of three texts: rows 0, 1 and from 2 on reach their bounds 0, 4/9 and 2/3.
  CHECK(close(made.largest, (0 + 4. / 9 + 4 * 2. / 3) / 6, 1e-12, 0));
  CHECK(close(made.variability[1], made.largest, 1e-12, 0));
}

TEST_CASE("what does not fit is refused by its name") {
  const HeadText<double> text = three_heads(10, 4, 1, 1);
  const std::vector<HeadText<double>> texts{text};
  const auto scored = [&](auto change) {
    return error_of([&] {
      HeadText<double> other = text;
      HeadScoreOptions options;
      change(other, options);
      head_scores<double>(other.weights, other.tokens, options);
    });
  };
  CHECK(scored([](auto& t, auto&) { t.weights.clear(); }).argument() == "weights");
  CHECK(scored([](auto& t, auto&) { t.weights[1] = Matrix<double>::Zero(9, 9); }).code() ==
        "shape");
  CHECK(scored([](auto& t, auto&) { t.weights[1](2, 1) = -1; }).code() == "value");
  CHECK(scored([](auto& t, auto&) { t.weights[1](2, 1) = kInfinity; }).argument() == "weights");
  CHECK(scored([](auto& t, auto&) { t.tokens.pop_back(); }).argument() == "tokens");
  CHECK(scored([](auto&, auto& o) { o.shuffles = -1; }).argument() == "shuffles");
  CHECK(error_of([&] { name_heads<double>({}, texts); }).argument() == "choosing");
  CHECK(error_of([&] { name_heads<double>(texts, {}); }).argument() == "held_out");
  CHECK(error_of([&] {
          std::vector<HeadText<double>> fewer{text};
          fewer[0].weights.pop_back();
          name_heads<double>(texts, fewer);
        }).argument() == "held_out");
  CHECK(error_of([&] { name_heads<double>(texts, texts, {{}, -1}); }).argument() == "least_gain");
  const std::vector<std::vector<Matrix<double>>> one{text.weights}, two{text.weights, text.weights};
  CHECK(error_of([&] { head_variability<double>(one, 3); }).argument() == "texts");
  CHECK(error_of([&] { head_variability<double>(two, 11); }).argument() == "texts");
  CHECK(error_of([&] { head_variability<double>(two, 0); }).argument() == "first_tokens");
}

TEST_SUITE_END();
