#include "measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "attn/heads/head_scores.hpp"
#include "attn/nn/cross_entropy.hpp"
#include "batches.hpp"

namespace attn::train {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaskSeed = 97, kProbeSeed = 98;

/// Pieces of a section, all of the model's length.
std::vector<std::span<const std::int32_t>> pieces_of(const std::vector<std::int32_t>& section,
                                                     std::size_t length) {
  std::vector<std::span<const std::int32_t>> made;
  for (std::size_t at = 0; at + length < section.size(); at += length) {
    // One token more than the length: the last target.
    made.push_back(std::span(section).subspan(at, length + 1));
  }
  return made;
}

/// A section as a task: its pieces one after the other.
class PieceTask final : public Task {
 public:
  PieceTask(std::span<const std::int32_t> piece, Index vocabulary)
      : piece_(piece), vocabulary_(vocabulary) {}
  Index vocabulary() const override { return vocabulary_; }
  Index length() const override { return static_cast<Index>(piece_.size()) - 1; }
  TaskBounds bounds() const override { return {}; }
  void draw_into(Index, Rng&, TaskBatch& made, DrawMemory&) const override {
    made = {1, length(), {piece_.begin(), piece_.end() - 1}, {piece_.begin() + 1, piece_.end()}};
  }

 private:
  std::span<const std::int32_t> piece_;
  Index vocabulary_;
};

std::vector<Matrix<float>> all_weights(const LanguageModel<float>& model,
                                       std::span<const std::int32_t> tokens) {
  std::vector<Matrix<float>> made;
  for (Index layer = 0; layer < model.layers(); ++layer) {
    const Index heads = model.block(layer).mixer().weight_count();
    for (Index head = 0; head < heads; ++head) made.push_back(model.weights(tokens, layer, head));
  }
  return made;
}

TaskBatch repeats_of(const LanguageModel<float>& model, Index vocabulary, Index kinds,
                     Index count) {
  const Index length = model.options().length;
  const RepeatTask task(vocabulary, length, kinds, std::min(length / 4, kinds / 2),
                        std::min(length / 2, kinds));
  Rng rng(kProbeSeed, 0);
  return task.draw(count, rng);
}

std::span<const std::int32_t> sequence(const TaskBatch& batch, Index which) {
  return std::span(batch.tokens)
      .subspan(static_cast<std::size_t>(which * batch.length),
               static_cast<std::size_t>(batch.length));
}

constexpr std::array kScores = {
    std::pair{"previousToken", &HeadScores::previous_token},
    std::pair{"currentToken", &HeadScores::current_token},
    std::pair{"firstToken", &HeadScores::first_token},
    std::pair{"duplicateToken", &HeadScores::duplicate_token},
    std::pair{"induction", &HeadScores::induction},
    std::pair{"matchMass", &HeadScores::match_mass},
    std::pair{"entropy", &HeadScores::entropy},
    std::pair{"meanDistance", &HeadScores::mean_distance},
    std::pair{"confidence", &HeadScores::confidence},
};
constexpr std::array kMatched = {
    std::pair{"previousToken", &MatchedScores::previous_token},
    std::pair{"currentToken", &MatchedScores::current_token},
    std::pair{"firstToken", &MatchedScores::first_token},
    std::pair{"duplicateToken", &MatchedScores::duplicate_token},
    std::pair{"induction", &MatchedScores::induction},
    std::pair{"matchMass", &MatchedScores::match_mass},
};
constexpr std::array kShuffled = {
    std::pair{"duplicateToken", &TokenScores::duplicate_token},
    std::pair{"induction", &TokenScores::induction},
    std::pair{"matchMass", &TokenScores::match_mass},
};
constexpr std::array kRoles = {"none",       "previousToken",  "currentToken",
                               "firstToken", "duplicateToken", "induction"};

/// Means over texts of numbers that some texts do not have; six digits say enough.
class Mean {
 public:
  void add(double x) {
    if (std::isnan(x)) return;
    sum_ += x;
    ++count_;
  }
  json value() const {
    if (count_ == 0) return nullptr;
    return std::round(sum_ / count_ * 1e6) / 1e6;
  }

 private:
  double sum_ = 0;
  int count_ = 0;
};

json rounded(double x) {
  Mean one;
  one.add(x);
  return one.value();
}

/// The means over texts of one member of what `of` gives for each.
template <typename Members, typename Value>
json means(const Members& members, std::size_t texts, Value value) {
  json made;
  for (const auto& [name, member] : members) {
    Mean mean;
    for (std::size_t t = 0; t < texts; ++t) mean.add(value(t, member));
    made[name] = mean.value();
  }
  return made;
}

json scores_on(const std::vector<HeadText<float>>& texts, const HeadScoreOptions& options,
               Index heads_a_layer) {
  std::vector<HeadScoresResult> all;
  for (const HeadText<float>& text : texts) {
    all.push_back(head_scores<float>(text.weights, text.tokens, options));
  }
  json made;
  made["uniform"] = means(kScores, all.size(),
                          [&](std::size_t t, auto member) { return all[t].uniform.*member; });
  for (std::size_t h = 0; h < all.front().heads.size(); ++h) {
    const auto head = [&](std::size_t t) -> const ScoredHead& { return all[t].heads[h]; };
    json one;
    one["layer"] = static_cast<Index>(h) / heads_a_layer;
    one["head"] = static_cast<Index>(h) % heads_a_layer;
    one["scores"] = means(kScores, all.size(),
                          [&](std::size_t t, auto member) { return head(t).scores.*member; });
    one["elsewhere"] = means(kMatched, all.size(), [&](std::size_t t, auto member) {
      return (head(t).matched.*member).elsewhere;
    });
    one["shuffled"] = means(kShuffled, all.size(), [&](std::size_t t, auto member) {
      return head(t).shuffled_mean.*member;
    });
    made["heads"].push_back(std::move(one));
  }
  return made;
}

json evidence(const HeadEvidence& of) {
  return {{"score", rounded(of.score)}, {"gain", rounded(of.gain)}};
}

}  // namespace

json held_out_losses(const LanguageModel<float>& model, const Texts& texts, Aim aim) {
  const auto length = static_cast<std::size_t>(model.options().length);
  Rng rng(kMaskSeed, 0);
  json made;
  double all_nats = 0;
  double all_tokens = 0, all_characters = 0;
  for (const Texts::HeldOut& text : texts.held_out) {
    double nats = 0, tokens = 0, characters = 0;
    for (const std::vector<std::int32_t>& section : text.sections) {
      for (const auto piece : pieces_of(section, length)) {
        auto task = std::make_shared<PieceTask>(piece, texts.tokenizer.vocabulary());
        const TaskBatch batch =
            aim == Aim::kMasked ? MaskedText(task).draw(1, rng) : task->draw(1, rng);
        for (const double loss : model.losses(batch.tokens, batch.targets, 1)) nats += loss;
        for (const std::int32_t target : batch.targets) {
          if (target == kIgnoredTarget) continue;
          ++tokens;
          characters += static_cast<double>(characters_in(texts.tokenizer.text_of(target)));
        }
      }
    }
    made["texts"][text.title] = {{"natsPerToken", rounded(nats / tokens)}, {"tokens", tokens}};
    if (aim == Aim::kNext) {
      made["texts"][text.title]["natsPerCharacter"] = rounded(nats / characters);
    }
    all_nats += nats;
    all_tokens += tokens;
    all_characters += characters;
  }
  made["natsPerToken"] = rounded(all_nats / all_tokens);
  if (aim == Aim::kNext) made["natsPerCharacter"] = rounded(all_nats / all_characters);
  return made;
}

json repeat_probe(const LanguageModel<float>& model, Index vocabulary, Index kinds) {
  const TaskBatch batch = repeats_of(model, vocabulary, kinds, 8);
  const BatchResult result = model.evaluate(batch.tokens, batch.targets, batch.batch);
  std::vector<Mean> induction, match, previous;
  for (Index s = 0; s < batch.batch; ++s) {
    const auto tokens = sequence(batch, s);
    const std::vector<Matrix<float>> weights = all_weights(model, tokens);
    induction.resize(weights.size());
    match.resize(weights.size());
    previous.resize(weights.size());
    const HeadScoresResult scores = head_scores<float>(weights, tokens, {.shuffles = 0});
    for (std::size_t h = 0; h < weights.size(); ++h) {
      induction[h].add(scores.heads[h].scores.induction);
      match[h].add(scores.heads[h].scores.match_mass);
      previous[h].add(scores.heads[h].scores.previous_token);
    }
  }
  const auto largest = [](const std::vector<Mean>& of) {
    double most = 0;
    for (const Mean& mean : of) most = std::max(most, mean.value().get<double>());
    return most;
  };
  return {{"loss", rounded(result.loss)},
          {"accuracy", rounded(result.accuracy)},
          {"largestInduction", largest(induction)},
          {"largestMatchMass", largest(match)},
          {"largestPreviousToken", largest(previous)}};
}

json heads_of(const LanguageModel<float>& model, const Texts& texts) {
  constexpr std::size_t kPieces = 12;
  const auto length = static_cast<std::size_t>(model.options().length);
  const Index heads = model.block(0).mixer().weight_count();
  HeadNameOptions options;
  if (model.options().sees == SeenTokens::kAll) options.scores.mask = Mask::full();
  // Sections take turns: those of odd places choose the names, the others decide.
  std::vector<HeadText<float>> halves[2];
  for (std::size_t i = 0, found = 1; found > 0; ++i) {
    found = 0;
    for (const Texts::HeldOut& text : texts.held_out) {
      if (i >= text.sections.size()) continue;
      ++found;
      std::vector<HeadText<float>>& half = halves[i % 2];
      const std::vector<std::int32_t>& section = text.sections[i];
      if (section.size() < length || half.size() >= kPieces) continue;
      const std::vector<std::int32_t> tokens(section.begin(),
                                             section.begin() + static_cast<std::ptrdiff_t>(length));
      half.push_back({all_weights(model, tokens), tokens});
    }
  }
  std::vector<HeadText<float>> repeats;
  const TaskBatch batch =
      repeats_of(model, texts.tokenizer.vocabulary(), texts.tokenizer.vocabulary(), kPieces);
  for (Index s = 0; s < batch.batch; ++s) {
    const auto tokens = sequence(batch, s);
    repeats.push_back({all_weights(model, tokens), {tokens.begin(), tokens.end()}});
  }
  json made;
  made["pieces"] = {{"choosing", halves[0].size()}, {"deciding", halves[1].size()}};
  made["tokensOfAPiece"] = length;
  made["text"] = scores_on(halves[1], options.scores, heads);
  made["repeats"] = scores_on(repeats, options.scores, heads);
  const std::vector<NamedHead> names = name_heads<float>(halves[0], halves[1], options);
  for (std::size_t h = 0; h < names.size(); ++h) {
    made["names"].push_back({{"layer", static_cast<Index>(h) / heads},
                             {"head", static_cast<Index>(h) % heads},
                             {"name", kRoles[static_cast<std::size_t>(names[h].role)]},
                             {"candidate", kRoles[static_cast<std::size_t>(names[h].candidate)]},
                             {"chosen", evidence(names[h].chosen)},
                             {"heldOut", evidence(names[h].held_out)}});
  }
  return made;
}

}  // namespace attn::train
