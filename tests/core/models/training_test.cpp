// Tasks, tokens and training.

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "attn/heads/head_scores.hpp"
#include "attn/models/tasks.hpp"
#include "attn/models/tokenizer.hpp"
#include "attn/models/trainer.hpp"
#include "simd/simd.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("training");

TEST_CASE(
    "a Markov chain has the entropy rate of its definition, and its batches have its shares") {
  // Two states that change with probabilities a and b: π = (b, a)/(a + b).
  const double a = 0.2, b = 0.5;
  const auto binary = [](double p) { return -p * std::log(p) - (1 - p) * std::log(1 - p); };
  const MarkovTask two(Matrix<double>{{1 - a, a}, {b, 1 - b}}, 50);
  CHECK(two.stationary()(0) == doctest::Approx(b / (a + b)));
  CHECK(two.entropy_rate() == doctest::Approx((b * binary(a) + a * binary(b)) / (a + b)));
  CHECK(two.bounds().best_accuracy == doctest::Approx((b * (1 - a) + a * 0.5) / (a + b)));
  const MarkovTask uniform(16, 8, 3, 0);
  CHECK(uniform.entropy_rate() == doctest::Approx(std::log(16)));
  CHECK(uniform.bounds().chance_loss == doctest::Approx(std::log(16)));
  Rng rng(1);
  const TaskBatch batch = two.draw(200, rng);
  double changes = 0, from_zero = 0;
  for (std::size_t t = 0; t < batch.tokens.size(); ++t) {
    if (t % 50 != 49) CHECK(batch.targets[t] == batch.tokens[t + 1]);
    if (batch.tokens[t] != 0) continue;
    ++from_zero;
    changes += batch.targets[t];
  }
  CHECK(changes / from_zero == doctest::Approx(a).epsilon(0.06));
  CHECK_THROWS_AS(MarkovTask(Matrix<double>{{0.5, 0.4}, {0.5, 0.5}}, 3), ValueError);
  CHECK_THROWS_AS(MarkovTask(1, 3, 0), ValueError);
}

TEST_CASE("transitions are counted within texts, not from one to the next") {
  const std::vector<std::int32_t> texts{0, 1, 0, 1, 1, 0};
  const Matrix<double> shares = transition_shares(texts, 3, 3);
  // 0→1, 1→0 | 1→1, 1→0
  CHECK(shares(0, 1) == 1);
  CHECK(shares(1, 0) == doctest::Approx(2.0 / 3));
  CHECK(shares(1, 1) == doctest::Approx(1.0 / 3));
  CHECK(std::isnan(shares(2, 0)));
  // Of a long text of the chain itself they are its probabilities.
  const MarkovTask chain(Matrix<double>{{0.25, 0.75}, {0.5, 0.5}}, 4000);
  Rng rng(7);
  const Matrix<double> counted = transition_shares(chain.draw(5, rng).tokens, 4000, 2);
  CHECK((counted - chain.transitions()).cwiseAbs().maxCoeff() < 0.02);
  CHECK(error_of([&] { transition_shares(texts, 4, 3); }).argument() == "tokens");
  CHECK(error_of([&] { transition_shares(texts, 3, 1); }).argument() == "vocabulary");
  CHECK_THROWS_AS(transition_shares(std::vector<std::int32_t>{0, 5}, 2, 3), ValueError);
}

TEST_CASE("recall asks for every key once, at an even place, where its value is the answer") {
  for (const bool random : {false, true}) {
    const RecallTask task(
        {.vocabulary = 30, .length = 20, .pairs = 3, .random_non_queries = random});
    Rng rng(2);
    const TaskBatch batch = task.draw(50, rng);
    for (std::size_t first = 0; first < batch.tokens.size(); first += 20) {
      const auto tokens = std::span(batch.tokens).subspan(first, 20);
      const auto answers = recall_answers(tokens, 3);
      std::set<std::int32_t> asked;
      for (std::size_t t = 0; t < 20; ++t) {
        if (t < 6) CHECK((t % 2 == 0 ? tokens[t] >= 1 && tokens[t] < 15 : tokens[t] >= 15));
        const std::int32_t target = batch.targets[first + t];
        if (target == kIgnoredTarget) continue;
        CHECK(t >= 6);
        CHECK(t % 2 == 0);
        CHECK(target == answers[t]);
        asked.insert(tokens[t]);
      }
      CHECK(asked.size() == 3);
    }
  }
  CHECK_THROWS_AS(RecallTask({.vocabulary = 30, .length = 21, .pairs = 3}), ValueError);
  CHECK_THROWS_AS(RecallTask({.vocabulary = 30, .length = 10, .pairs = 3}), ValueError);
  CHECK_THROWS_AS(RecallTask({.vocabulary = 6, .length = 40, .pairs = 3}), ValueError);
  CHECK(RecallTask(RecallOptions{}).bounds().chance_accuracy == 1.0 / 64);
}

TEST_CASE("copying asks for what stands before the separator; a text for its next token") {
  const CopyTask copy(5, 3);
  Rng rng(3);
  const TaskBatch batch = copy.draw(4, rng);
  for (std::size_t first = 0; first < batch.tokens.size(); first += 6) {
    CHECK(batch.tokens[first + 3] == 4);
    for (std::size_t t = 0; t < 3; ++t) {
      CHECK(batch.targets[first + t] == kIgnoredTarget);
      CHECK(batch.targets[first + 3 + t] == batch.tokens[first + t]);
      if (t > 0) CHECK(batch.tokens[first + 3 + t] == batch.tokens[first + t - 1]);
    }
  }
  const CopyTask reversed(5, 3, true);
  const TaskBatch lists = reversed.draw(4, rng);
  for (std::size_t first = 0; first < lists.tokens.size(); first += 6) {
    for (std::size_t t = 0; t < 3; ++t) {
      CHECK(lists.targets[first + 3 + t] == lists.tokens[first + 2 - t]);
      if (t > 0) CHECK(lists.tokens[first + 3 + t] == lists.targets[first + 2 + t]);
    }
  }
  const TextTask text({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 10, 3, 4, 6);
  for (int i = 0; i < 20; ++i) {
    const TaskBatch piece = text.draw(1, rng);
    CHECK(piece.tokens[0] >= 4);
    CHECK(piece.targets[2] == piece.tokens[0] + 3);
  }
  CHECK(text.unigram_entropy() == doctest::Approx(std::log(6)));
  CHECK(std::isnan(text.bounds().floor_loss));
  CHECK_THROWS_AS(TextTask({0, 1, 2}, 3, 3, 0, 3), ValueError);
  CHECK_THROWS_AS(TextTask({0, 9, 2, 1}, 3, 1, 0, 4), ValueError);
}

TEST_CASE("a chosen task is the one that its kind names; a text's end is kept for evaluation") {
  Rng rng(4);
  TaskOptions options;
  options.kind = TaskKind::kReverse;
  options.vocabulary = 6;
  options.length = 8;
  CHECK(make_tasks(options).training->length() == 8);
  options.length = 7;
  CHECK(error_of([&] { make_tasks(options); }).argument() == "length");
  options.kind = TaskKind::kText;
  options.vocabulary = 10;
  options.length = 2;
  options.text = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  options.held_out = 0.4;
  const TaskPair text = make_tasks(options);
  for (int i = 0; i < 20; ++i) {
    for (const std::int32_t token : text.training->draw(1, rng).targets) CHECK(token < 6);
    for (const std::int32_t token : text.evaluation->draw(1, rng).tokens) CHECK(token >= 6);
  }
  options.held_out = 1;
  CHECK(error_of([&] { make_tasks(options); }).argument() == "held_out");
  const MarkovTask chain(Matrix<double>{{0.25, 0.75}, {0.5, 0.5}}, 4);
  CHECK(chain.loss(std::vector<std::int32_t>{0, 1, 0}) ==
        doctest::Approx(-(std::log(0.75) + std::log(0.5)) / 2));
  CHECK_THROWS_AS(chain.loss(std::vector<std::int32_t>{0, 2}), ValueError);
}

TEST_CASE(
    "a period is drawn for each sequence, its tokens differ, and what was there is asked for") {
  const PeriodTask task(9, 20, {3, 6});
  Rng rng(5), again(5);
  const TaskBatch batch = task.draw(400, rng), same = task.draw(400, again);
  CHECK(batch.tokens == same.tokens);
  CHECK(batch.targets == same.targets);
  CHECK(task.draw(400, rng).tokens != batch.tokens);
  std::vector<int> periods(7), first_tokens(9);
  for (std::size_t first = 0; first < batch.tokens.size(); first += 20) {
    const auto tokens = std::span(batch.tokens).subspan(first, 20);
    std::set<std::int32_t> seen;
    std::size_t period = 0;
    while (seen.insert(tokens[period]).second) ++period;
    CHECK(*seen.begin() >= 0);
    CHECK(*seen.rbegin() < 9);
    ++periods.at(period);
    ++first_tokens.at(static_cast<std::size_t>(tokens[0]));
    for (std::size_t t = 0; t < 20; ++t) {
      if (t >= period) CHECK(tokens[t] == tokens[t - period]);
      const std::int32_t wanted = t < period ? kIgnoredTarget : tokens[t + 1 - period];
      CHECK(batch.targets[first + t] == wanted);
    }
  }
  // Of 400 draws 100 and 44: five standard deviations are 43 and 32.
  for (std::size_t p = 3; p <= 6; ++p) CHECK(std::abs(periods[p] - 100) < 43);
  for (const int count : first_tokens) CHECK(std::abs(count - 44) < 32);

  CHECK(task.bounds().chance_loss == doctest::Approx(std::log(9)));
  CHECK(task.bounds().chance_accuracy == 1.0 / 9);
  CHECK(task.bounds().floor_loss == 0);
  // Periods 2 and 3 in six tokens. At place 2 only 2 counts, and the token before is right; at 3
  // and 4 one of two periods can be met; at 5 the first token is right for both.
  CHECK(PeriodTask(9, 6, {2, 3}).bounds().position_accuracy == 5.0 / 7);
  CHECK(PeriodTask(9, 20, {5, 5}).bounds().position_accuracy == 1);

  CHECK(error_of([] { PeriodTask(1, 20, {2, 2}); }).argument() == "vocabulary");
  CHECK(error_of([] { PeriodTask(9, 2, {2, 2}); }).argument() == "length");
  CHECK(error_of([] { PeriodTask(9, 20, {2, 10}); }).argument() == "longest");
  CHECK(error_of([] { PeriodTask(30, 20, {2, 20}); }).argument() == "longest");
  CHECK(error_of([] { PeriodTask(9, 20, {1, 4}); }).argument() == "shortest");
  CHECK(error_of([] { PeriodTask(9, 20, {5, 4}); }).argument() == "shortest");
}

TEST_CASE("a piece of random tokens comes again at a distance that is drawn") {
  const SegmentTask task(50, 24, 5, {7, 12});
  Rng rng(6), again(6);
  const TaskBatch batch = task.draw(600, rng);
  CHECK(batch.tokens == task.draw(600, again).tokens);
  std::vector<int> distances(13);
  std::set<std::size_t> places;
  std::vector<int> counts(50);
  for (std::size_t first = 0; first < batch.tokens.size(); first += 24) {
    const auto tokens = std::span(batch.tokens).subspan(first, 24);
    const auto targets = std::span(batch.targets).subspan(first, 24);
    std::size_t from = 0;
    while (targets[from] == kIgnoredTarget) ++from;
    for (std::size_t t = 0; t < 24; ++t) {
      CHECK((targets[t] != kIgnoredTarget) == (t >= from && t < from + 4));
      if (targets[t] != kIgnoredTarget) CHECK(targets[t] == tokens[t + 1]);
      ++counts.at(static_cast<std::size_t>(tokens[t]));
    }
    // One distance only, where the tokens leave no other reading.
    std::vector<std::size_t> fitting;
    for (std::size_t d = 7; d <= 12 && d <= from; ++d) {
      bool fits = true;
      for (std::size_t t = from; t < from + 5; ++t) fits = fits && tokens[t] == tokens[t - d];
      if (fits) fitting.push_back(d);
    }
    CHECK(!fitting.empty());
    if (fitting.size() != 1) continue;
    ++distances.at(fitting[0]);
    if (fitting[0] == 7) places.insert(from - 7);
  }
  for (std::size_t d = 7; d <= 12; ++d) CHECK(std::abs(distances[d] - 100) < 46);
  // A copy 7 tokens behind its piece may begin anywhere from 7 to 19.
  CHECK(places.size() == 13);
  CHECK(*places.rbegin() == 12);
  // 288 of each in 14,400 independent tokens; five standard deviations of pairs are 120.
  for (const int count : counts) CHECK(std::abs(count - 288) < 120);

  CHECK(task.bounds().chance_accuracy == 1.0 / 50);
  CHECK(std::isnan(task.bounds().floor_loss));
  // Two tokens of six come again 2, 3 or 4 places later. Place 2 is asked for in 1 of 3 copies at
  // distance 2, place 3 in 1 of 3 and 1 of 2, place 4 in 1 of 3, 1 of 2 and every one.
  const double likeliest = (1.0 / 3 + 1.0 / 2 + 1) / 3;
  CHECK(SegmentTask(10, 6, 2, {2, 4}).bounds().position_accuracy ==
        doctest::Approx(likeliest + (1 - likeliest) / 10));
  CHECK(SegmentTask(10, 6, 2, {3, 3}).bounds().position_accuracy == 1);

  CHECK(error_of([] { SegmentTask(1, 24, 5, {7, 9}); }).argument() == "vocabulary");
  CHECK(error_of([] { SegmentTask(50, 3, 2, {2, 2}); }).argument() == "length");
  CHECK(error_of([] { SegmentTask(50, 24, 1, {7, 9}); }).argument() == "piece");
  CHECK(error_of([] { SegmentTask(50, 24, 13, {13, 13}); }).argument() == "piece");
  CHECK(error_of([] { SegmentTask(50, 24, 5, {4, 9}); }).argument() == "shortest");
  CHECK(error_of([] { SegmentTask(50, 24, 5, {7, 20}); }).argument() == "longest");
}

TEST_CASE("hidden tokens are 15 % of the places, of which 8 in 10 are masked and 1 in 10 changed") {
  const auto source = std::make_shared<MarkovTask>(20, 40, 1);
  const MaskedTask task(source);
  CHECK(task.vocabulary() == 21);
  CHECK(task.mask_token() == 20);
  CHECK(task.chosen() == 6);
  Rng rng(7), again(7), plain(7);
  const TaskBatch batch = task.draw(1000, rng);
  CHECK(batch.tokens == task.draw(1000, again).tokens);
  const TaskBatch tokens = source->draw(1000, plain);
  double masked = 0, changed = 0, kept = 0;
  std::vector<int> places(40);
  for (std::size_t first = 0; first < batch.tokens.size(); first += 40) {
    int chosen = 0;
    for (std::size_t t = 0; t < 40; ++t) {
      const std::int32_t token = batch.tokens[first + t], was = tokens.tokens[first + t];
      if (batch.targets[first + t] == kIgnoredTarget) {
        CHECK(token == was);
        continue;
      }
      CHECK(batch.targets[first + t] == was);
      ++chosen;
      ++places[t];
      (token == 20 ? masked : token == was ? kept : changed) += 1;
    }
    CHECK(chosen == 6);
  }
  // 6,000 choices: 4,800, and 600 random tokens, of which one in 20 is the one that was there.
  CHECK(std::abs(masked - 4800) < 155);
  CHECK(std::abs(changed - 570) < 113);
  CHECK(std::abs(kept - 630) < 119);
  for (const int count : places) CHECK(std::abs(count - 150) < 57);
  CHECK(task.bounds().chance_loss == doctest::Approx(std::log(20)));
  CHECK(std::isnan(task.bounds().floor_loss));
  CHECK(MaskedTask(std::make_shared<MarkovTask>(20, 2, 1)).chosen() == 1);
  for (const double share : {0.0, -0.1, 0.91, std::nan("")}) {
    CHECK(error_of([&] { MaskedTask(source, share); }).argument() == "masked");
  }
}

TEST_CASE("other periods and distances are held out, and any task can be masked") {
  const auto period_of = [](const TaskBatch& batch) {
    std::size_t t = 0;
    while (batch.targets[t] == kIgnoredTarget) ++t;
    return static_cast<Index>(t);
  };
  Rng rng(8);
  TaskOptions options;
  options.kind = TaskKind::kPeriod;
  options.vocabulary = 40;
  options.length = 48;
  const auto drawn = [&](const Task& task) {
    std::set<Index> all;
    for (int i = 0; i < 600; ++i) all.insert(period_of(task.draw(1, rng)));
    return std::vector<Index>{*all.begin(), *all.rbegin(), static_cast<Index>(all.size())};
  };
  const auto ends = [&](const TaskOptions& how) {
    const TaskPair tasks = make_tasks(how);
    return std::pair{drawn(*tasks.training), drawn(*tasks.evaluation)};
  };
  CHECK(ends(options) == std::pair{std::vector<Index>{8, 24, 17}, std::vector<Index>{25, 32, 8}});
  options.shortest = options.longest = 16;
  CHECK(ends(options) == std::pair{std::vector<Index>{16, 16, 1}, std::vector<Index>{17, 32, 16}});
  options.held_out_shortest = 5;
  options.held_out_longest = 7;
  CHECK(ends(options) == std::pair{std::vector<Index>{16, 16, 1}, std::vector<Index>{5, 7, 3}});
  options.held_out_longest = 41;
  CHECK(error_of([&] { make_tasks(options); }).argument() == "held_out_longest");
  options.held_out_shortest = options.held_out_longest = 0;
  options.longest = 40;
  CHECK(error_of([&] { make_tasks(options); }).argument() == "longest");
  options.vocabulary = 2;
  CHECK(error_of([&] { make_tasks(options); }).argument() == "vocabulary");

  options = {};
  options.kind = TaskKind::kSegment;
  options.vocabulary = 100000;
  options.length = 48;
  // The first place that is asked for is at least as far back as the copy.
  const auto distances = [&](const Task& task) {
    std::set<Index> all;
    for (int i = 0; i < 600; ++i) {
      const TaskBatch batch = task.draw(1, rng);
      const auto at = batch.tokens.begin() + period_of(batch);
      all.insert(static_cast<Index>(at - std::find(batch.tokens.begin(), at, *at)));
    }
    return std::vector<Index>{*all.begin(), *all.rbegin(), static_cast<Index>(all.size())};
  };
  const TaskPair segments = make_tasks(options);
  CHECK(distances(*segments.training) == std::vector<Index>{16, 27, 12});
  CHECK(distances(*segments.evaluation) == std::vector<Index>{28, 32, 5});
  options.piece = 30;
  CHECK(error_of([&] { make_tasks(options); }).argument() == "piece");
  options.piece = 24;
  CHECK(error_of([&] { make_tasks(options); }).argument() == "longest");

  options = {};
  options.kind = TaskKind::kText;
  options.vocabulary = 10;
  options.length = 2;
  options.text = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  options.held_out = 0.4;
  options.masked = 0.5;
  const TaskPair text = make_tasks(options);
  CHECK(text.training->vocabulary() == 11);
  for (int i = 0; i < 20; ++i) {
    const TaskBatch batch = text.evaluation->draw(1, rng);
    CHECK(batch.targets[0] + batch.targets[1] + 100 >= 6);
    CHECK(std::min(batch.targets[0], batch.targets[1]) == kIgnoredTarget);
  }
  options.masked = 1;
  CHECK(error_of([&] { make_tasks(options); }).argument() == "masked");
  // Both sides of a task that holds nothing out are one.
  options.kind = TaskKind::kMarkov;
  options.masked = 0.15;
  const TaskPair chain = make_tasks(options);
  CHECK(chain.training == chain.evaluation);
}

TEST_CASE("byte pairs are merged by frequency and come back as the text") {
  const std::string text = "low lower lowest, wide wider widest";
  const Tokenizer characters(text);
  CHECK(characters.encode(text).size() == text.size());
  const Tokenizer pairs(text, 6);
  CHECK(pairs.merges().size() == 6);
  CHECK(pairs.decode(pairs.encode(text)) == text);
  CHECK(pairs.encode(text).size() < text.size());
  // "lo", "wi" and " w", " l": what occurs three times; "lo" has the smallest numbers of those.
  for (Index i = 0; i < pairs.vocabulary(); ++i) {
    const std::string& one = pairs.text_of(static_cast<std::int32_t>(i));
    CHECK(one.find(' ', 1) == std::string::npos);
  }
  const std::string umlauts = "Üben üben";
  CHECK(Tokenizer(umlauts).encode(umlauts).size() == 9);
  const std::string broken = "a\xc3";
  CHECK(Tokenizer(broken).decode(Tokenizer(broken).encode(broken)) == broken);
  CHECK(error_of([&] { pairs.encode("low q"); }).argument() == "text");
  CHECK_THROWS_AS(Tokenizer(""), ValueError);
  CHECK_THROWS_AS(pairs.text_of(-1), ValueError);
}

TEST_CASE("merges are those of a search through the whole text, word by word or not") {
  // As algorithm 1 of Sennrich et al. has it: every pair of neighbours is counted, in the text as
  // it is.
  const std::string text =
      "aaa aa aaaa banana bandana  ban\nana aa\taaa na nana an and a banana aaa";
  const Tokenizer made(text, 12);
  const Tokenizer characters(text);
  std::vector<std::int32_t> tokens = characters.encode(text);
  for (std::size_t i = 0; i < made.merges().size(); ++i) {
    std::map<std::pair<std::int32_t, std::int32_t>, int> counts;
    for (std::size_t t = 0; t + 1 < tokens.size(); ++t) {
      const char first = made.text_of(tokens[t + 1])[0];
      if (first != ' ' && first != '\n' && first != '\t') ++counts[{tokens[t], tokens[t + 1]}];
    }
    // The first of the most frequent.
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, auto& b) { return a.second < b.second; });
    CHECK(made.merges()[i] == most->first);
    const auto token = static_cast<std::int32_t>(characters.vocabulary() + static_cast<Index>(i));
    std::vector<std::int32_t> merged;
    for (std::size_t t = 0; t < tokens.size(); ++t) {
      const bool found = t + 1 < tokens.size() && tokens[t] == most->first.first &&
                         tokens[t + 1] == most->first.second;
      merged.push_back(found ? token : tokens[t]);
      if (found) ++t;
    }
    tokens = merged;
  }
  // No pair is left that occurs twice.
  CHECK(made.merges().size() == 10);
  CHECK(made.encode(text) == tokens);
}

TEST_CASE("a tokenizer is made again of its characters and merges, and of nothing else") {
  const std::string text = "low lower lowest — new newer";
  const Tokenizer made(text, 6);
  const Tokenizer again(made.characters(), made.merges());
  CHECK(again.vocabulary() == made.vocabulary());
  CHECK(again.encode(text) == made.encode(text));
  CHECK(again.decode(again.encode("new — lower")) == "new — lower");
  using Pairs = std::vector<std::pair<std::int32_t, std::int32_t>>;
  const auto refusal = [](const std::string& characters, const Pairs& merges) {
    return error_of([&] { Tokenizer(characters, merges); }).argument();
  };
  CHECK(refusal("", {}) == "characters");
  CHECK(refusal("ba", {}) == "characters");
  CHECK(refusal("aa", {}) == "characters");
  CHECK(refusal("ab", {{0, 2}}) == "merges");
  CHECK(refusal("ab", {{-1, 1}}) == "merges");
  // White space begins a word.
  CHECK(refusal(" a", {{1, 0}}) == "merges");
  CHECK(refusal(" a", {{0, 1}, {1, 2}}) == "merges");
  CHECK(refusal("ab", Pairs(4097, {0, 1})) == "merges");
  CHECK(Tokenizer("ab", {{0, 1}, {2, 2}}).text_of(3) == "abab");
}

namespace {

TrainerOptions small_run() {
  TrainerOptions options;
  options.model.vocabulary = 5;
  options.model.d_model = 8;
  options.model.layers = 1;
  options.model.length = 6;
  options.model.mixers[0].heads = 2;
  options.model.feed_forward = 8;
  options.steps = 12;
  options.batch = 6;
  options.optimizer.learning_rate = 0.01;
  options.warm_up = 2;
  options.clip = 1;
  options.seed = 7;
  return options;
}

template <typename T>
void run(Trainer<T>& trainer) {
  while (!trainer.step()) {
  }
}

bool same(const std::vector<TrainingPoint>& a, const std::vector<TrainingPoint>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].loss != b[i].loss || a[i].gradient_norm != b[i].gradient_norm) return false;
  }
  return true;
}

}  // namespace

TEST_CASE_TEMPLATE("a run is the same bit for bit, also when it is left and gone on with", T, float,
                   double) {
  const auto task = std::make_shared<MarkovTask>(5, 6, 1);
  for (const char* id : {"softmax", "gated_delta_rule", "mamba"}) {
    CAPTURE(id);
    for (const Index slice : {0, 4}) {
      TrainerOptions options = small_run();
      options.model.mixers[0].id = id;
      options.slice = slice;
      Trainer<T> once(options, task), twice(options, task), part(options, task),
          rest(options, task);
      run(once);
      run(twice);
      CHECK(same(once.curve(), twice.curve()));
      CHECK(once.model().parameters() == twice.model().parameters());
      while (part.finished() < 5) part.step();
      // A step under way is begun again.
      if (slice > 0) part.step();
      rest.restore(snapshot_from_bytes<T>(to_bytes<T>(part.snapshot(), "a note")));
      CHECK(rest.finished() == 5);
      run(rest);
      CHECK(same(once.curve(), rest.curve()));
      CHECK(once.model().parameters() == rest.model().parameters());
      CHECK(once.evaluate(2).loss == rest.evaluate(2).loss);
      CHECK(once.progress() == 1);
      options.seed = 8;
      Trainer<T> other(options, task);
      run(other);
      CHECK(!same(once.curve(), other.curve()));
    }
  }
}

TEST_CASE("a run has these bits natively and with plain SIMD") {
  // Both programs hold this test, so each is compared with what the other gives: four lanes, one
  // order of every sum, no product and sum rounded as one. The numbers were read from the module of
  // the page. What wider vectors sum in another order is not asked for.
  const simd::Kernels& before = simd::kernels();
  simd::use_kernels(*simd::kernel_sets().front());
  struct Wanted {
    std::vector<std::string> mixers;
    double loss, gradient_norm;
  };
  const auto task = std::make_shared<MarkovTask>(16, 32, 0, 2.0);
  for (const Wanted& wanted :
       {Wanted{{"softmax", "softmax"}, 2.3205126558314078, 0.55013116910530002},
        Wanted{{"linear", "gated_delta_rule"}, 2.2715708460091264, 0.56048286543801107}}) {
    CAPTURE(wanted.mixers[0]);
    TrainerOptions options;
    options.model.vocabulary = 16;
    options.model.length = 32;
    options.model.feed_forward = 128;
    options.model.mixers.resize(2);
    for (std::size_t i = 0; i < 2; ++i) {
      options.model.mixers[i].id = wanted.mixers[i];
      options.model.mixers[i].heads = 2;
      options.model.mixers[i].feature_map = "taylor";
    }
    options.steps = 20;
    options.batch = 8;
    options.optimizer.learning_rate = 0.01;
    options.optimizer.weight_decay = 0.01;
    options.warm_up = 2;
    options.clip = 1;
    options.seed = 5;
    Trainer<float> trainer(options, task);
    run(trainer);
    CHECK(trainer.curve().back().loss == wanted.loss);
    CHECK(trainer.curve().back().gradient_norm == wanted.gradient_norm);
  }
  simd::use_kernels(before);
}

TEST_CASE("slices of a batch add up to its gradient") {
  const auto task = std::make_shared<RecallTask>(
      RecallOptions{.vocabulary = 12, .length = 12, .pairs = 3, .random_non_queries = true});
  TrainerOptions options = small_run();
  options.model.vocabulary = 12;
  options.model.length = 12;
  Trainer<double> whole(options, task);
  options.slice = 4;
  Trainer<double> parts(options, task);
  whole.step();
  parts.step();
  CHECK(parts.finished() == 0);
  CHECK(parts.progress() > 0);
  parts.step();
  CHECK(parts.finished() == 1);
  CHECK_CLOSE(parts.gradients(), whole.gradients(), 1e-10, 1e-14);
  CHECK(parts.curve()[0].loss == doctest::Approx(whole.curve()[0].loss));
  CHECK(whole.curve()[0].tokens == 72);
}

// A clock that is read, and does not run: what it says next is so much later.
double clock_now = 0, clock_step = 0;
double read_clock() {
  clock_now += clock_step;
  return clock_now;
}

TEST_CASE("a training advances by a clock, which decides where it pauses and nothing else") {
  const auto task = std::make_shared<CopyTask>(5, 3);
  TrainerOptions options = small_run();
  options.slice = 3;
  Trainer<double> once(options, task), trainer(options, task);
  run(once);

  // Two parts make a step. Of 3 ms each, seven are the first that take 20 ms or more.
  clock_step = 3;
  const TrainingSlice first = trainer.advance(20, {}, read_clock);
  CHECK(first.milliseconds == 21);
  CHECK(first.finished == 3);
  CHECK(first.points.size() == 3);
  CHECK(first.steps == 12);
  CHECK_FALSE(first.done);
  CHECK(first.progress == doctest::Approx(3.5 / 12));
  // 3.5 steps of 6 sequences of the task's length.
  CHECK(first.tokens_per_second ==
        doctest::Approx(3.5 * 6 * static_cast<double>(task->length()) / 0.021));

  // No time at all is one part, which here ends a step; only its point is new.
  const TrainingSlice second = trainer.advance(0, {}, read_clock);
  CHECK(second.milliseconds == 3);
  CHECK(second.points.size() == 1);
  CHECK(second.points[0].step == 3);

  const TrainingSlice third = trainer.advance(1000, 6, read_clock);
  CHECK(third.finished == 6);
  CHECK(third.milliseconds == 12);
  CHECK_FALSE(third.done);
  const TrainingSlice nothing = trainer.advance(1000, 6, read_clock);
  CHECK(nothing.points.empty());
  CHECK(nothing.milliseconds == 0);
  CHECK(nothing.tokens_per_second == 0);

  // On a clock that stands still it trains to the end, and the speed is not known.
  clock_step = 0;
  const TrainingSlice last = trainer.advance(1, 100, read_clock);
  CHECK(last.done);
  CHECK(last.finished == 12);
  CHECK(last.points.size() == 6);
  CHECK(last.progress == 1);
  CHECK(last.tokens_per_second == 0);
  CHECK(trainer.advance(1000, {}, read_clock).done);
  CHECK(same(once.curve(), trainer.curve()));
  CHECK(once.model().parameters() == trainer.model().parameters());

  for (const double milliseconds : {-1.0, kMaxSliceMilliseconds + 1.0, std::nan("")}) {
    CHECK(test::error_of([&] { trainer.advance(milliseconds, {}, read_clock); }).argument() ==
          "milliseconds");
  }
  CHECK(test::error_of([&] { trainer.advance(1, -1, read_clock); }).argument() == "until");
}

TEST_CASE("a causal model learns a chain down to its entropy rate and no further") {
  const auto task = std::make_shared<MarkovTask>(6, 12, 2);
  TrainerOptions options = small_run();
  options.model.vocabulary = 6;
  options.model.length = 12;
  options.model.d_model = 16;
  options.model.feed_forward = 0;
  options.steps = 250;
  options.batch = 32;
  options.optimizer.learning_rate = 0.02;
  Trainer<float> trainer(options, task);
  CHECK_THROWS_AS(trainer.evaluate(0), ValueError);
  CHECK_THROWS_AS(trainer.evaluate(kMaxEvaluationBatches + 1), ValueError);
  const double before = trainer.evaluate(4).loss;
  run(trainer);
  const BatchResult after = trainer.evaluate(20);
  const TaskBounds bounds = task->bounds();
  CHECK(before > bounds.floor_loss + 0.3);
  CHECK(after.loss < bounds.floor_loss + 0.05);
  // What is drawn scatters about the rate.
  CHECK(after.loss > bounds.floor_loss - 0.03);
}

TEST_CASE("recall without training is that of the design's table") {
  // 20 seeds of 16 pairs: 1.0 for softmax, .99 for Taylor, .53 for ReLU, .29 for ELU + 1.
  const auto share = [](const char* map, Index pairs) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      sum += recall_share(map, {.pairs = pairs}, seed) / 20;
    }
    return sum;
  };
  CHECK(share("", 16) > 0.99);
  CHECK(share("taylor", 16) == doctest::Approx(0.99).epsilon(0.03));
  CHECK(share("taylor", 64) == doctest::Approx(0.91).epsilon(0.05));
  CHECK(share("relu", 16) == doctest::Approx(0.53).epsilon(0.12));
  CHECK(share("elu_plus_one", 16) == doctest::Approx(0.29).epsilon(0.2));
  CHECK_THROWS_AS(recall_share("none", {}, 0), ValueError);
  CHECK_THROWS_AS(recall_share("", {.pairs = 0}, 0), ValueError);
}

TEST_CASE("a trainer refuses what does not fit, by name") {
  const auto task = std::make_shared<MarkovTask>(5, 6, 1);
  const auto refusal = [&](auto change) {
    TrainerOptions options = small_run();
    change(options);
    return error_of([&] { Trainer<float>(options, task); }).argument();
  };
  CHECK(refusal([](auto& o) { o.steps = 0; }) == "steps");
  CHECK(refusal([](auto& o) { o.batch = 0; }) == "batch");
  CHECK(refusal([](auto& o) { o.model.vocabulary = 4; }) == "vocabulary");
  CHECK(refusal([](auto& o) { o.model.length = 5; }) == "length");
  CHECK(refusal([](auto& o) { o.warm_up = 13; }) == "warm_up");
  CHECK(refusal([](auto& o) { o.clip = -1; }) == "clip");
  Trainer<float> trainer(small_run(), task);
  TrainerSnapshot<float> wrong = trainer.snapshot();
  wrong.parameters.conservativeResize(3);
  CHECK_THROWS_AS(trainer.restore(wrong), ShapeError);
}

TEST_CASE("a mask keeps a model above the entropy rate; without one it cheats and cannot go on") {
  // A small form of the run that `npm run bench:train` does in full.
  const auto task = std::make_shared<MarkovTask>(8, 12, 2, 2.0);
  const auto trained = [&](SeenTokens sees) {
    TrainerOptions options;
    options.model.vocabulary = 8;
    options.model.d_model = 16;
    options.model.layers = 2;
    options.model.length = 12;
    options.model.sees = sees;
    options.model.mixers[0].heads = 2;
    options.steps = 250;
    options.batch = 16;
    options.optimizer.learning_rate = 0.01;
    Trainer<float> trainer(options, task);
    run(trainer);
    Rng rng(99);
    const TaskBatch batch = task->draw(64, rng);
    const std::vector<double> prefix =
        trainer.model().prefix_losses(batch.tokens, batch.targets, batch.batch);
    double sum = 0;
    for (const double one : prefix) sum += one;
    return std::pair{trainer.evaluate(8).loss, sum / static_cast<double>(prefix.size())};
  };
  const double rate = task->entropy_rate(), uniform = std::log(8.0);
  const auto [causal, causal_prefix] = trained(SeenTokens::kEarlier);
  CHECK(causal > rate - 0.05);
  CHECK(causal < rate + 0.1);
  CHECK(causal_prefix < rate + 0.15);
  const auto [cheating, alone] = trained(SeenTokens::kAll);
  CHECK(cheating < rate / 2);
  CHECK(alone > uniform);
}

TEST_SUITE_END();
