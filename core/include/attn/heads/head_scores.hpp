#pragma once
// What a head does on a text, as numbers, each beside what it would be by chance; and names for
// heads that pass on text that was not used to choose the name.
//
// Letters: n tokens, h heads, A the n×n weights of one head on one text, rows = queries. E(i) are
// the places j < i with tokens[j] = tokens[i].

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "attn/attention/mask.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// Scores of one head on one text. Rows of weights that are all 0 are left out of every mean; NaN
/// where no row is left. Shares are 0 … 1.
struct HeadScores {
  /// The mean over rows i ≥ 1 of A[i, i−1].
  double previous_token = std::numeric_limits<double>::quiet_NaN();
  /// The mean over rows of A[i, i].
  double current_token = std::numeric_limits<double>::quiet_NaN();
  /// The mean over rows i ≥ 1 of A[i, 0]. Row 0 of a causal head has no other key.
  double first_token = std::numeric_limits<double>::quiet_NaN();
  /// The mean over rows with earlier copies of Σ_{j ∈ E(i)} A[i, j].
  double duplicate_token = std::numeric_limits<double>::quiet_NaN();
  /// The mean over these rows of the weight on the token after the last copy, A[i, max E(i) + 1],
  /// which is token i itself where it stands behind its equal.
  double induction = std::numeric_limits<double>::quiet_NaN();
  /// The same for all copies: Σ_{j ∈ E(i)} A[i, j+1].
  double match_mass = std::numeric_limits<double>::quiet_NaN();
  /// The mean entropy of a row, −Σ A ln A, in nats.
  double entropy = std::numeric_limits<double>::quiet_NaN();
  /// Σ A·|i − j| / Σ A, in tokens.
  double mean_distance = std::numeric_limits<double>::quiet_NaN();
  /// The mean of the rows' largest weights.
  double confidence = std::numeric_limits<double>::quiet_NaN();
};

/// A score beside the weight that the head gives to comparable cells where the relation does not
/// hold. Only rows that have comparable cells count, so that `score` may differ from the score over
/// all rows.
struct MatchedScore {
  double score = std::numeric_limits<double>::quiet_NaN();
  double elsewhere = std::numeric_limits<double>::quiet_NaN();
  /// How many rows count.
  Index rows = 0;
};

/// For relations that are a place (previous, current, first token) the comparable cells are the
/// other keys that the same row sees: `elsewhere` is the mean weight of one of them. For relations
/// of tokens they are the cells at the same distance in all rows where the relation does not hold,
/// so that a head that only looks so many tokens back has score = elsewhere. Text that repeats with
/// one period has few such cells or none: it cannot tell the two apart.
struct MatchedScores {
  MatchedScore previous_token, current_token, first_token, duplicate_token, induction, match_mass;
};

/// The scores that depend on which tokens are equal.
struct TokenScores {
  double duplicate_token = std::numeric_limits<double>::quiet_NaN();
  double induction = std::numeric_limits<double>::quiet_NaN();
  double match_mass = std::numeric_limits<double>::quiet_NaN();
};

struct ScoredHead {
  HeadScores scores;
  MatchedScores matched;
  /// The same weights scored with the tokens in random order: the mean over the shuffles, and the
  /// largest. NaN without shuffles.
  TokenScores shuffled_mean, shuffled_largest;
};

struct HeadScoreOptions {
  /// What each query may see; it decides what a uniform head does.
  Mask mask = Mask::causal();
  /// How often the tokens are shuffled, 0 … `kMaxShuffles`, all heads in the same orders.
  Index shuffles = 20;
  std::uint64_t seed = 0;
};

inline constexpr Index kMaxShuffles = 1000;

struct HeadScoresResult {
  /// One entry a head.
  std::vector<ScoredHead> heads;
  /// The scores of a head that spreads each row evenly over what it may see, on the same tokens.
  HeadScores uniform;
  /// The number of rows that have an earlier copy of their token.
  Index repeats = 0;
};

/// Scores of h heads on one text of n tokens. Previous, duplicate and induction heads as in
/// TransformerLens (head_detector.py), but over rows that have a target, so that a perfect head
/// scores 1; confidence by Voita et al. 2019 (arXiv:1905.09418, section 4), entropy and distance by
/// Vig & Belinkov 2019 (arXiv:1906.04284, section 4), match mass as the prefix-matching score of
/// Olsson et al. 2022 (arXiv:2209.11895). O(h·n²·(1 + shuffles)).
/// @throws ShapeError for no head, weights that are not n×n, or another number of tokens;
/// ValueError for weights that are negative or not finite, or options out of range.
template <typename T = float>
HeadScoresResult head_scores(std::span<const Matrix<T>> weights,
                             std::span<const std::int32_t> tokens,
                             const HeadScoreOptions& options = {});

struct HeadVariability {
  /// One entry a head: 0 for weights that are the same whatever the text says.
  std::vector<double> variability;
  /// The most that so many texts can give: in each row one key each, as many different ones as the
  /// row sees. Equal weights have 0, as any head of positions has.
  double largest = 0;
};

/// How much the weights depend on the content: Σ|A_t − M| / (2·Σ A_t) over T texts t and the first
/// N rows and columns, with the mean M over the texts (Vig & Belinkov 2019, arXiv:1906.04284,
/// section 4.2). `texts` has the h heads of each text. O(T·h·N²).
/// @throws ShapeError for fewer than two texts, texts with other numbers of heads, or weights that
/// are not square or have fewer than N rows; ValueError for N < 1 or weights that are negative or
/// not finite.
template <typename T = float>
HeadVariability head_variability(std::span<const std::vector<Matrix<T>>> texts, Index first_tokens,
                                 const Mask& mask = Mask::causal());

// --- Names ---------------------------------------------------------------------------------------

enum class HeadRole {
  kNone,  ///< no score beats its baseline
  kPreviousToken,
  kCurrentToken,
  kFirstToken,
  kDuplicateToken,
  kInduction,
};

/// The heads' weights on one text, and its tokens.
template <typename T = float>
struct HeadText {
  /// One n×n matrix a head.
  std::vector<Matrix<T>> weights;
  std::vector<std::int32_t> tokens;
};

/// A score, and by how much it exceeds the largest of its baselines: uniform attention, comparable
/// cells (as `score` − `elsewhere` of `MatchedScore`), and, for relations of tokens, the largest of
/// the shuffles. Means over texts; NaN where no text has such rows.
struct HeadEvidence {
  double score = std::numeric_limits<double>::quiet_NaN();
  double gain = std::numeric_limits<double>::quiet_NaN();
};

struct NamedHead {
  /// The name, kNone unless the candidate also passed on the other texts.
  HeadRole role = HeadRole::kNone;
  /// What gained most on the texts for choosing; kNone where nothing gained enough.
  HeadRole candidate = HeadRole::kNone;
  /// The candidate's evidence on the texts for choosing, and on those held out.
  HeadEvidence chosen, held_out;
};

struct HeadNameOptions {
  HeadScoreOptions scores;
  /// The least gain over the baselines, on both sets of texts. A convention of this library.
  double least_gain = 0.1;
};

/// Names heads by two sets of texts: the first chooses a candidate for each head, the second
/// decides whether it holds. Of many heads and relations some always look like something, so what
/// was chosen on a text proves nothing on that text. "No name" is an answer. O(texts)
/// `head_scores`.
/// @throws as `head_scores`; ShapeError for no texts or another number of heads; ValueError unless
/// least_gain ≥ 0.
template <typename T = float>
std::vector<NamedHead> name_heads(std::span<const HeadText<T>> choosing,
                                  std::span<const HeadText<T>> held_out,
                                  const HeadNameOptions& options = {});

}  // namespace attn
