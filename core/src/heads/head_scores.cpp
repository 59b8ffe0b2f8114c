#include "attn/heads/head_scores.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "attn/base/rng.hpp"
#include "heads/shared.hpp"

namespace attn {
namespace {

using internal::kUndefined;
using internal::RunningMean;

/// The three relations of tokens, in the order of `TokenScores`.
enum Relation { kDuplicate, kInduction, kMatch };
constexpr std::array kRelations{kDuplicate, kInduction, kMatch};

/// Which cells stand for a relation, for one order of the tokens.
struct Targets {
  /// E(i) of each row, in increasing order.
  std::vector<std::vector<Index>> copies;

  explicit Targets(std::span<const std::int32_t> tokens) : copies(tokens.size()) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (tokens[j] == tokens[i]) copies[i].push_back(static_cast<Index>(j));
      }
    }
  }

  Index rows() const {
    return std::count_if(copies.begin(), copies.end(),
                         [](const auto& one) { return !one.empty(); });
  }

  /// Calls `use(j)` for the keys of row i that the relation names.
  template <typename Use>
  void each(Relation relation, std::size_t i, Use use) const {
    if (copies[i].empty()) return;
    if (relation == kInduction) return use(copies[i].back() + 1);
    for (const Index j : copies[i]) use(relation == kDuplicate ? j : j + 1);
  }
};

template <typename T>
std::vector<char> filled_rows(const Matrix<T>& A) {
  std::vector<char> filled(static_cast<std::size_t>(A.rows()));
  for (Index i = 0; i < A.rows(); ++i) {
    filled[static_cast<std::size_t>(i)] = (A.row(i).array() != T(0)).any();
  }
  return filled;
}

double& of(TokenScores& scores, Relation relation) {
  return relation == kDuplicate   ? scores.duplicate_token
         : relation == kInduction ? scores.induction
                                  : scores.match_mass;
}

template <typename T>
TokenScores token_scores(const Matrix<T>& A, const std::vector<char>& filled,
                         const Targets& targets) {
  TokenScores made;
  for (const Relation relation : kRelations) {
    RunningMean mean;
    for (std::size_t i = 0; i < filled.size(); ++i) {
      if (!filled[i] || targets.copies[i].empty()) continue;
      double sum = 0;
      targets.each(relation, i,
                   [&](Index j) { sum += static_cast<double>(A(static_cast<Index>(i), j)); });
      mean.add(sum);
    }
    of(made, relation) = mean.value();
  }
  return made;
}

template <typename T>
HeadScores scores_of(const Matrix<T>& A, const std::vector<char>& filled, const Targets& targets) {
  RunningMean previous, current, first, entropy, confidence;
  double all = 0, far = 0;
  for (Index i = 0; i < A.rows(); ++i) {
    if (!filled[static_cast<std::size_t>(i)]) continue;
    if (i > 0) {
      previous.add(static_cast<double>(A(i, i - 1)));
      first.add(static_cast<double>(A(i, 0)));
    }
    current.add(static_cast<double>(A(i, i)));
    double nats = 0, largest = 0;
    for (Index j = 0; j < A.cols(); ++j) {
      const double w = static_cast<double>(A(i, j));
      if (w > 0) nats -= w * std::log(w);
      largest = std::max(largest, w);
      all += w;
      far += w * static_cast<double>(std::abs(i - j));
    }
    entropy.add(nats);
    confidence.add(largest);
  }
  const TokenScores tokens = token_scores(A, filled, targets);
  return {previous.value(),  current.value(),   first.value(),   tokens.duplicate_token,
          tokens.induction,  tokens.match_mass, entropy.value(), all > 0 ? far / all : kUndefined,
          confidence.value()};
}

/// A relation that is a place: the other keys that the row sees.
template <typename T, typename Target>
MatchedScore beside_others(const Matrix<T>& A, const std::vector<char>& filled, const Mask& mask,
                           Target target) {
  const Index n = A.rows();
  RunningMean score, elsewhere;
  for (Index i = 0; i < n; ++i) {
    const std::optional<Index> key = target(i);
    if (!filled[static_cast<std::size_t>(i)] || !key) continue;
    double others = 0;
    Index count = 0;
    mask.keys(i, n, n).for_each([&](Index j) {
      if (j == *key) return;
      others += static_cast<double>(A(i, j));
      ++count;
    });
    if (count == 0) continue;
    score.add(static_cast<double>(A(i, *key)));
    elsewhere.add(others / static_cast<double>(count));
  }
  return {score.value(), elsewhere.value(), score.count()};
}

/// A relation of tokens: the cells of the same distance that it does not name.
template <typename T>
MatchedScore beside_distance(const Matrix<T>& A, const std::vector<char>& filled, const Mask& mask,
                             const Targets& targets, Relation relation) {
  const Index n = A.rows();
  std::vector<RunningMean> at(static_cast<std::size_t>(n));
  std::vector<char> named(static_cast<std::size_t>(n));
  // Where the last copy counts, the other copies are no cells without a match either.
  const Relation wide = relation == kInduction ? kMatch : relation;
  for (Index i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (!filled[row]) continue;
    std::fill(named.begin(), named.end(), 0);
    targets.each(wide, row, [&](Index j) { named[static_cast<std::size_t>(j)] = 1; });
    mask.keys(i, n, n).for_each([&](Index j) {
      if (j > i || named[static_cast<std::size_t>(j)]) return;
      at[static_cast<std::size_t>(i - j)].add(static_cast<double>(A(i, j)));
    });
  }
  RunningMean score, elsewhere;
  for (Index i = 0; i < n; ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (!filled[row]) continue;
    double found = 0, equal = 0;
    bool any = false;
    targets.each(relation, row, [&](Index j) {
      const RunningMean& others = at[static_cast<std::size_t>(i - j)];
      if (others.count() == 0) return;
      any = true;
      found += static_cast<double>(A(i, j));
      equal += others.value();
    });
    if (!any) continue;
    score.add(found);
    elsewhere.add(equal);
  }
  return {score.value(), elsewhere.value(), score.count()};
}

template <typename T>
MatchedScores matched_of(const Matrix<T>& A, const std::vector<char>& filled, const Mask& mask,
                         const Targets& targets) {
  const auto back = [](Index i) { return i > 0 ? std::optional(i - 1) : std::nullopt; };
  const auto itself = [](Index i) { return std::optional(i); };
  const auto first = [](Index i) { return i > 0 ? std::optional<Index>(0) : std::nullopt; };
  return {beside_others(A, filled, mask, back),
          beside_others(A, filled, mask, itself),
          beside_others(A, filled, mask, first),
          beside_distance(A, filled, mask, targets, kDuplicate),
          beside_distance(A, filled, mask, targets, kInduction),
          beside_distance(A, filled, mask, targets, kMatch)};
}

/// The tokens in `count` random orders.
std::vector<Targets> shuffled_targets(std::span<const std::int32_t> tokens,
                                      const HeadScoreOptions& options) {
  Rng rng(options.seed);
  std::vector<Targets> made;
  std::vector<std::int32_t> order(tokens.begin(), tokens.end());
  for (Index s = 0; s < options.shuffles; ++s) {
    for (std::size_t left = order.size(); left > 1; --left) {
      std::swap(order[left - 1], order[static_cast<std::size_t>(rng.below(left))]);
    }
    made.emplace_back(order);
  }
  return made;
}

template <typename T>
void add_shuffled(const Matrix<T>& A, const std::vector<char>& filled,
                  const std::vector<Targets>& shuffles, ScoredHead& head) {
  std::array<RunningMean, kRelations.size()> means;
  for (const Targets& targets : shuffles) {
    TokenScores scores = token_scores(A, filled, targets);
    for (const Relation relation : kRelations) {
      const double score = of(scores, relation);
      if (std::isnan(score)) continue;
      means[relation].add(score);
      double& largest = of(head.shuffled_largest, relation);
      if (!(largest >= score)) largest = score;
    }
  }
  for (const Relation relation : kRelations) {
    of(head.shuffled_mean, relation) = means[relation].value();
  }
}

// --- Names ---------------------------------------------------------------------------------------

constexpr std::size_t kRoles = static_cast<std::size_t>(HeadRole::kInduction);

/// Score and gain of each role but kNone, on one text.
std::array<HeadEvidence, kRoles> evidence_of(const ScoredHead& head, const HeadScores& uniform) {
  // The least of the gains; NaN where one of them is.
  const auto gained = [](double score, double equal, const MatchedScore& matched, double shuffled) {
    double least = score - equal;
    for (const double gain : {matched.score - matched.elsewhere, score - shuffled}) {
      if (!(least <= gain)) least = gain;
    }
    return HeadEvidence{score, std::isnan(matched.score) ? kUndefined : least};
  };
  const HeadScores& s = head.scores;
  const MatchedScores& m = head.matched;
  // A shuffle moves no place, and a text of which no order has an equal token has no relation.
  const auto floor = [](double shuffled) { return std::isnan(shuffled) ? 0 : shuffled; };
  return {
      gained(s.previous_token, uniform.previous_token, m.previous_token, 0),
      gained(s.current_token, uniform.current_token, m.current_token, 0),
      gained(s.first_token, uniform.first_token, m.first_token, 0),
      gained(s.duplicate_token, uniform.duplicate_token, m.duplicate_token,
             floor(head.shuffled_largest.duplicate_token)),
      gained(s.induction, uniform.induction, m.induction, floor(head.shuffled_largest.induction))};
}

/// For each head and role the mean evidence over the texts.
template <typename T>
std::vector<std::array<HeadEvidence, kRoles>> evidence_over(const char* argument,
                                                            std::span<const HeadText<T>> texts,
                                                            std::size_t heads,
                                                            const HeadScoreOptions& options) {
  std::vector<std::array<RunningMean, kRoles>> scores(heads), gains(heads);
  for (const HeadText<T>& text : texts) {
    if (text.weights.size() != heads) {
      throw ShapeError(argument, phrase::heads_seen(text.weights.size()),
                       phrase::as_many_heads(heads));
    }
    const HeadScoresResult made = head_scores<T>(text.weights, text.tokens, options);
    for (std::size_t h = 0; h < heads; ++h) {
      const auto evidence = evidence_of(made.heads[h], made.uniform);
      for (std::size_t role = 0; role < kRoles; ++role) {
        if (std::isnan(evidence[role].gain)) continue;
        scores[h][role].add(evidence[role].score);
        gains[h][role].add(evidence[role].gain);
      }
    }
  }
  std::vector<std::array<HeadEvidence, kRoles>> means(heads);
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t role = 0; role < kRoles; ++role) {
      means[h][role] = {scores[h][role].value(), gains[h][role].value()};
    }
  }
  return means;
}

}  // namespace

template <typename T>
HeadScoresResult head_scores(std::span<const Matrix<T>> weights,
                             std::span<const std::int32_t> tokens,
                             const HeadScoreOptions& options) {
  internal::require_square_weights<T>("weights", weights);
  const Index n = weights[0].rows();
  if (static_cast<Index>(tokens.size()) != n) {
    throw ShapeError("tokens", phrase::tokens_seen(tokens.size()),
                     phrase::count_because(n, phrase::token_each_row));
  }
  if (options.shuffles < 0 || options.shuffles > kMaxShuffles) {
    throw ValueError("shuffles", phrase::number(options.shuffles), phrase::range(0, kMaxShuffles));
  }
  options.mask.require_fits(n, n);
  const Targets targets(tokens);
  const std::vector<Targets> shuffles = shuffled_targets(tokens, options);
  HeadScoresResult made;
  made.repeats = targets.rows();
  // In float64, whatever the weights are: a third is no float32.
  const auto uniform = internal::uniform_weights<double>(n, n, options.mask);
  made.uniform = scores_of(uniform, filled_rows(uniform), targets);
  for (const Matrix<T>& A : weights) {
    const std::vector<char> filled = filled_rows(A);
    ScoredHead head;
    head.scores = scores_of(A, filled, targets);
    head.matched = matched_of(A, filled, options.mask, targets);
    add_shuffled(A, filled, shuffles, head);
    made.heads.push_back(head);
  }
  return made;
}

template <typename T>
HeadVariability head_variability(std::span<const std::vector<Matrix<T>>> texts, Index first_tokens,
                                 const Mask& mask) {
  if (texts.size() < 2) {
    throw ShapeError("texts", phrase::number(texts.size()), phrase::at_least_two_texts);
  }
  if (first_tokens < 1) {
    throw ValueError("first_tokens", phrase::number(first_tokens), phrase::at_least(1));
  }
  const std::size_t heads = texts[0].size();
  for (const std::vector<Matrix<T>>& text : texts) {
    internal::require_square_weights<T>("texts", text);
    if (text.size() != heads) {
      throw ShapeError("texts", phrase::heads_seen(text.size()), phrase::as_many_heads(heads));
    }
    if (text[0].rows() < first_tokens) {
      throw ShapeError("texts", phrase::shape(text[0].rows(), text[0].cols()),
                       phrase::at_least(first_tokens));
    }
  }
  const Index N = first_tokens;
  const double count = static_cast<double>(texts.size());
  HeadVariability made;
  for (std::size_t h = 0; h < heads; ++h) {
    Matrix<double> mean = Matrix<double>::Zero(N, N);
    for (const auto& text : texts) {
      mean += text[h].topLeftCorner(N, N).template cast<double>() / count;
    }
    double apart = 0, all = 0;
    for (const auto& text : texts) {
      const Matrix<double> A = text[h].topLeftCorner(N, N).template cast<double>();
      apart += (A - mean).cwiseAbs().sum();
      all += A.sum();
    }
    made.variability.push_back(all > 0 ? apart / (2 * all) : kUndefined);
  }
  // The sum of distances to the mean is convex in the rows, so that it is largest where each is one
  // key; of c_k texts with key k a row then gives 1 − Σ(c_k/T)², most where they are even.
  mask.require_fits(N, N);
  RunningMean largest;
  for (Index i = 0; i < N; ++i) {
    const Index seen = mask.count(i, N, N), keys = std::min(seen, static_cast<Index>(texts.size()));
    if (keys == 0) continue;
    const Index each = static_cast<Index>(texts.size()) / keys,
                more = static_cast<Index>(texts.size()) % keys;
    const double low = static_cast<double>(each) / count,
                 high = static_cast<double>(each + 1) / count;
    largest.add(1 - static_cast<double>(keys - more) * low * low -
                static_cast<double>(more) * high * high);
  }
  made.largest = largest.value();
  return made;
}

template <typename T>
std::vector<NamedHead> name_heads(std::span<const HeadText<T>> choosing,
                                  std::span<const HeadText<T>> held_out,
                                  const HeadNameOptions& options) {
  if (choosing.empty()) throw ShapeError("choosing", phrase::none, phrase::at_least_one_text);
  if (held_out.empty()) throw ShapeError("held_out", phrase::none, phrase::at_least_one_text);
  if (!(options.least_gain >= 0)) {
    throw ValueError("least_gain", phrase::number(options.least_gain),
                     phrase::number_of_at_least(0));
  }
  const std::size_t heads = choosing[0].weights.size();
  const auto first = evidence_over<T>("choosing", choosing, heads, options.scores);
  const auto second = evidence_over<T>("held_out", held_out, heads, options.scores);
  std::vector<NamedHead> named(heads);
  for (std::size_t h = 0; h < heads; ++h) {
    // NaN loses every comparison.
    std::size_t best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t role = 0; role < kRoles; ++role) {
      if (!(first[h][role].gain > most)) continue;
      most = first[h][role].gain;
      best = role;
    }
    named[h].chosen = first[h][best];
    named[h].held_out = second[h][best];
    if (!(most >= options.least_gain)) continue;
    named[h].candidate = static_cast<HeadRole>(best + 1);
    if (second[h][best].gain >= options.least_gain) named[h].role = named[h].candidate;
  }
  return named;
}

#define ATTN_INSTANTIATE(T)                                                                    \
  template HeadScoresResult head_scores<T>(                                                    \
      std::span<const Matrix<T>>, std::span<const std::int32_t>, const HeadScoreOptions&);     \
  template HeadVariability head_variability<T>(std::span<const std::vector<Matrix<T>>>, Index, \
                                               const Mask&);                                   \
  template std::vector<NamedHead> name_heads<T>(                                               \
      std::span<const HeadText<T>>, std::span<const HeadText<T>>, const HeadNameOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
