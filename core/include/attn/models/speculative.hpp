#pragma once
// Speculative decoding: a small model drafts tokens, a large one accepts or refuses them, and the
// text has the distribution of the large one alone. Leviathan, Kalman and Matias 2023,
// arXiv:2211.17192, algorithm 1.

#include <cstdint>
#include <span>
#include <vector>

#include "attn/base/rng.hpp"
#include "attn/base/tensor.hpp"
#include "attn/models/language_model.hpp"

namespace attn {

/// The most tokens that are drafted at once.
inline constexpr Index kMostDrafts = 4096;

/// What becomes of one draft.
template <typename T = float>
struct SpeculativePair {
  /// α = Σ min(p, q): how often a draft is accepted, which is 1 less the total variation of p and q
  /// (definition 3.1, theorem 3.5).
  double alpha = 0;
  /// min(1, p(x)/q(x)) for each token x; NaN where q(x) = 0, which is never drafted.
  Vector<T> accept;
  /// What a refused draft is replaced from: max(0, p − q), normalised. All NaN where p = q, since
  /// nothing is refused.
  Vector<T> residual;
};

/// p: the target's probabilities of the next token, q: the draft's. q(x)·accept(x) +
/// (1 − α)·residual(x) = p(x). O(size).
/// @throws ShapeError unless both have the same number of entries, at least one; ValueError unless
/// they are at least 0 and sum to 1 (within 10⁻³).
template <typename T = float>
SpeculativePair<T> speculative_pair(InVector<T> p, InVector<T> q);

/// What is gained by drafting, for every combination of three lists.
struct SpeculativeGain {
  /// alphas×gammas: tokens of a run of the target, (1 − α^(γ+1))/(1 − α) = 1 + α + … + α^γ
  /// (equation 1). The drafts that are accepted and the token that always follows.
  Matrix<double> expected_tokens;
  /// For each alpha costs×gammas: that over γ·cost + 1 (theorem 3.8). Below 1 it is a loss.
  std::vector<Matrix<double>> speedup;
  /// alphas×costs: the γ of the list with the largest speedup, the first of equal ones.
  Matrix<double> best_gamma;
};

/// alphas: probabilities that a draft is accepted, assumed to be the same at every place and
/// independent. gammas: drafts a run, whole numbers. costs: a step of the draft over a run of the
/// target. O(alphas·costs·gammas).
/// @throws ShapeError for an empty list of alphas or gammas; ValueError for an alpha outside 0 … 1,
/// a gamma outside 0 … kMostDrafts, or a cost below 0 or not finite.
SpeculativeGain speculative_gain(std::span<const double> alphas, const std::vector<Index>& gammas,
                                 std::span<const double> costs);

/// Runs of two models that are tables, so that every draw can be followed. −1 stands for no token.
template <typename T = float>
struct SpeculativeChain {
  /// vocabulary: how often a draft is accepted after each token.
  Vector<T> alpha;
  /// runs×γ: what was drafted.
  Matrix<T> drafts;
  /// How many drafts of each run were accepted.
  std::vector<std::int32_t> accepted;
  /// runs×(γ + 1): the tokens of each run.
  Matrix<T> tokens;
  /// All tokens in order.
  std::vector<std::int32_t> text;
  /// The exact mean number of tokens of the first run. α differs from token to token, so that
  /// equation 1 does not hold.
  double expected_tokens_first_run = 0;
};

/// P, Q vocabulary×vocabulary: row a has the probabilities of the token after a, in the target and
/// in the draft. `start` is the last token of the prompt. Run t uses row t of u, runs×(2γ + 1)
/// numbers from [0, 1) in fixed places: u₀ … u_{γ−1} draw the drafts; u_{γ+i} accepts draft i where
/// it is at most min(1, P/Q); u_{2γ} draws the last token, from the residual at the first refusal,
/// else from P. A draw takes the first token whose running sum exceeds its number. One-hot rows are
/// greedy decoding. O(runs·γ·vocabulary + γ·vocabulary²).
/// @throws ShapeError, ValueError (also for a start outside the vocabulary)
template <typename T = float>
SpeculativeChain<T> speculative_chain(In<T> P, In<T> Q, Index start, Index gamma, In<T> u);

/// The probabilities that `choose_token` draws from, which sum to 1. Greedy: 1 for the first of the
/// largest logits.
/// @throws as `choose_token`
template <typename T = float>
Vector<double> token_probabilities(InVector<T> logits, const SamplingOptions& sampling);

struct SpeculativeOptions {
  /// How many tokens are drafted for each run of the target.
  Index gamma = 4;
  SamplingOptions sampling = {};
};

/// A text, and what it took.
struct SpeculativeText {
  std::vector<std::int32_t> tokens;
  /// How many of the tokens each run of the target gave.
  std::vector<std::int32_t> tokens_of_runs;
  /// The draft that each run refused, in whose place its last token stands; −1 where it refused
  /// none.
  std::vector<std::int32_t> refused;
  /// Drafts that the target looked at, and those that it accepted.
  Index decided = 0, accepted = 0;
  /// Steps of the draft; rows that the target computed, and those that it would compute if a run
  /// took all its drafts at once: γ + 1 a run.
  Index draft_steps = 0, target_rows = 0, target_rows_at_once = 0;
  /// The mean of Σ min(p, q) over the drafts that were looked at.
  double alpha = 0;
  /// Tokens of a run as measured, and by equation 1 from `alpha`, which assumes places that do not
  /// depend on each other.
  double tokens_a_run = 0, expected_tokens = 0;
};

/// `count` tokens after the prompt with the distribution that `target` gives by itself under the
/// same sampling; with temperature 0 the very tokens of `target.generate`. The rows of a run are
/// computed one after the other, up to the first refusal, so the time of one run here is not that
/// of a machine that computes them at once: `tokens_a_run` is what carries over. The last run
/// drafts no more than what is left.
/// @throws ValueError for models with other vocabularies or that see later tokens, an empty prompt,
/// a count below 0, or a gamma outside 0 … kMostDrafts; otherwise as `LanguageModel::step`.
template <typename T = float>
SpeculativeText speculative_generate(const LanguageModel<T>& target, const LanguageModel<T>& draft,
                                     std::span<const std::int32_t> prompt, Index count,
                                     const SpeculativeOptions& options, Rng& rng);

/// Pearson's test of drawn tokens against the probabilities that they should have.
struct TokenTest {
  /// Σ (count − N·p)²/(N·p) over the cells, and how many of them are free: cells − 1.
  double statistic = 0;
  Index freedom = 0;
  /// How often draws from `probabilities` give a statistic at least as large: 1 for one cell.
  double chance = 1;
  /// The tokens with a cell of their own, the likeliest first. All others share one more.
  std::vector<std::int32_t> own_cells;
};

/// Tokens of which fewer than five are expected share a cell (Cochran 1954), for which χ² is a
/// law; where that cell expects fewer than five, the least likely of the others joins it.
/// counts: how often each token came, N in all. O(V·log V).
/// @throws ShapeError unless both have as many entries, at least one; ValueError for counts that
/// are below 0, not finite or all 0, and unless the probabilities are at least 0 and sum to 1
/// (within 10⁻³).
TokenTest chi_squared(std::span<const double> counts, std::span<const double> probabilities);

}  // namespace attn
