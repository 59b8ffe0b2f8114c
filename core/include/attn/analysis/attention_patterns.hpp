#pragma once
// What a picture of attention weights shows: how sharp, how near, on whom; and a name for the head.

#include <optional>
#include <string_view>
#include <vector>

#include "attn/attention/mask.hpp"
#include "attn/attention/pattern.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

struct AttentionPatternOptions {
  /// Which keys each query could have looked at. Without it the zeros of a causal picture pass for
  /// a choice.
  Mask mask = Mask::full();
  /// Where queries stand among the keys when n ≠ m. Left out: at the top left for
  /// `Mask::causal()`, else at the bottom right.
  std::optional<Alignment> alignment;
  /// Keys up to this far from the query's own position are local.
  Index window = 2;
  /// A weight below this counts as nothing. Over more than 1/threshold keys, equal weights do too.
  double sparsity_threshold = 0.01;
  /// Also rank and singular values, where min(n, m) ≤ `kMaxRankSize`.
  bool rank = true;
  /// Left out: `rank_tolerance` of the type.
  std::optional<double> rank_tolerance;
};

/// Beyond this the singular values would take over half a second.
inline constexpr Index kMaxRankSize = 512;

/// One entry a query (a row); NaN where it sees no key.
struct AttentionRows {
  /// Largest weight, and which key has it (−1 where there is none).
  std::vector<double> max;
  std::vector<Index> top_key;
  /// Nats, and e^entropy: how many keys the query effectively looks at.
  std::vector<double> entropy, effective_keys;
  /// entropy / ln(visible keys): 1 for equal weights. NaN also where only one key is visible.
  std::vector<double> uniformity;
  /// Weight on the query's own position, on |position − key| ≤ window, and Σ weight·|position −
  /// key|.
  std::vector<double> diagonal, local, distance;
  std::vector<Index> visible_keys;
};

/// One entry a key (a column). A key that many queries look at, one that broadcasts, is a vertical
/// line; rows sum to 1, so a horizontal line is only one query that looks at all keys alike, each
/// with the dim weight 1/m.
struct AttentionColumns {
  /// Weight received from all queries together.
  std::vector<double> received;
  /// What it would receive if every query shared its weight equally among the keys it sees. Under a
  /// causal mask early keys get more by this alone.
  std::vector<double> received_if_equal;
  /// Queries that see it.
  std::vector<Index> seen_by;
};

/// Statistics of an n×m picture. Means are over the queries that see a key.
struct AttentionPatterns {
  /// Queries that see no key (or whose weights are all 0): counted in nothing else.
  Index empty_rows = 0;
  /// Queries that see two keys or more, so that they choose at all.
  Index free_rows = 0;

  /// Largest weight of all, and the mean of the rows' largest.
  double max_attention = 0, mean_max = 0;
  double mean_entropy = 0, mean_effective_keys = 0;
  /// Share of all weight on the diagonal, within the window, outside it; and the ratio of the last
  /// two (∞ where nothing is outside).
  double diagonal_mass = 0, local_mass = 0, global_mass = 0, local_vs_global = 0;
  double mean_distance = 0;
  /// The same for equal weights over the keys each query sees: what to compare with.
  double diagonal_mass_if_equal = 0, local_mass_if_equal = 0, mean_distance_if_equal = 0;
  /// Share of the visible cells with a weight below the threshold.
  double sparsity = 0;

  // What `name_head` reads. Means over the free queries that see the key in question, 1 for a head
  // that does nothing else; NaN where there is none.

  /// Weight on the key before and after the query's position, and on it.
  double previous_token_score = 0, next_token_score = 0, self_score = 0;
  /// Weight on key 0, of queries that do not stand there.
  double first_token_score = 0;
  /// Mean of the rows' uniformity.
  double uniformity_score = 0;
  /// The key that the free queries give most, and the share of their weight it gets.
  Index top_key = -1;
  double top_key_share = 0;

  /// Left out where it was not asked for or the picture is too large.
  std::optional<Index> rank;
  std::vector<double> singular_values;

  AttentionRows rows;
  AttentionColumns columns;
};

/// Statistics of attention weights (n×m). Rows are divided by their sum first, so that dropout or
/// an ε in a denominator does not count as sharpness.
///
/// O(n·m), with rank 4·n·m·min(n, m).
/// @throws ShapeError for no rows or columns or a mask of another shape; ValueError for a weight
/// that is negative, not finite, or not 0 where the mask blocks, and for options out of range.
/// Implicit attention of a map that can be negative is no distribution and has no entropy.
template <typename T = float>
AttentionPatterns analyze_attention_patterns(In<T> weights,
                                             const AttentionPatternOptions& options = {});

enum class HeadKind {
  kPreviousToken,  ///< a line below the diagonal
  kNextToken,      ///< a line above it
  kDiagonal,       ///< every token looks at itself
  kFirstToken,     ///< a vertical line at key 0: an attention sink
  kOneKey,         ///< a vertical line elsewhere
  kUniform,        ///< equal weights
  kLocal,          ///< a band around the diagonal
  kBroad,          ///< most keys get something
  kMixed,          ///< none of these
  kUndecided,      ///< no query sees two keys
};

struct HeadThresholds {
  /// Of the scores for one key (previous, next, itself, first, one key): more than half the weight.
  double target = 0.5;
  /// Of the uniformity score.
  double uniform = 0.95, broad = 0.75;
  /// Of the local mass, and by how much it must exceed that of equal weights.
  double local = 0.8, local_gain = 1.5;
};

struct HeadName {
  HeadKind kind = HeadKind::kUndecided;
  /// Stable, for files and colours; and for people.
  std::string_view id, label;
  /// The score that decided.
  double score = 0;
};

/// A name for a head by what it does on one text, in the spirit of Clark et al. 2019
/// (arXiv:1906.04341). In this order: the largest score for one key, if it reaches `target` (the
/// first named of equal ones); uniform; local; broad; mixed. The thresholds are conventions of this
/// library. O(1).
/// @throws ValueError for a threshold that is not ≥ 0.
HeadName name_head(const AttentionPatterns& patterns, const HeadThresholds& thresholds = {});

}  // namespace attn
