#pragma once
// Statistics of attention weights: how sharp they are, how near to the query, and on which keys;
// and a name for the head.

#include <optional>
#include <string_view>
#include <vector>

#include "attn/attention/mask.hpp"
#include "attn/attention/pattern.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

struct AttentionPatternOptions {
  /// Which keys each query could have looked at. Without the mask, the zeros of a causal matrix
  /// count as a choice of the head.
  Mask mask = Mask::full();
  /// The position of the queries among the keys when n ≠ m. Left out: at the top left for
  /// `Mask::causal()`, otherwise at the bottom right.
  std::optional<Alignment> alignment;
  /// Keys up to this far from the query's own position are local.
  Index window = 2;
  /// Weights below this are counted as nothing. Over more than 1/threshold keys, equal weights are
  /// below it too.
  double sparsity_threshold = 0.01;
  /// Whether rank and singular values are computed, which needs min(n, m) ≤ `kMaxRankSize`.
  bool rank = true;
  /// The tolerance of the rank. Left out: `rank_tolerance` of the type.
  std::optional<double> rank_tolerance;
};

/// The largest min(n, m) for singular values; larger matrices would take over half a second.
inline constexpr Index kMaxRankSize = 512;

/// One entry for each query (row); NaN where the query sees no key.
struct AttentionRows {
  /// The largest weight, and the key that has it (−1 where the query sees none).
  std::vector<double> max;
  std::vector<Index> top_key;
  /// The entropy in nats, and e^entropy, the number of keys that the query effectively looks at.
  std::vector<double> entropy, effective_keys;
  /// entropy / ln(visible keys): 1 for equal weights. NaN also where only one key is visible.
  std::vector<double> uniformity;
  /// The weight on the query's own position, the weight on keys with |position − key| ≤ window, and
  /// the mean distance Σ weight·|position − key|.
  std::vector<double> diagonal, local, distance;
  std::vector<Index> visible_keys;
};

/// One entry for each key (column). A key that many queries look at is a bright vertical line. Rows
/// sum to 1, so a horizontal line is only one query that looks at all keys equally, each with the
/// small weight 1/m.
struct AttentionColumns {
  /// The weight that the key receives from all queries together.
  std::vector<double> received;
  /// The weight that the key would receive if every query divided its weight equally among the keys
  /// that it sees. Under a causal mask early keys receive more for this reason alone.
  std::vector<double> received_if_equal;
  /// The number of queries that see the key.
  std::vector<Index> seen_by;
};

/// Statistics of n×m attention weights. Means are over the queries that see a key.
struct AttentionPatterns {
  /// The number of queries that see no key, or whose weights are all 0. They are counted in nothing
  /// else.
  Index empty_rows = 0;
  /// The number of queries that see two keys or more, so that they have a choice.
  Index free_rows = 0;

  /// The largest weight of all, and the mean of the rows' largest weights.
  double max_attention = 0, mean_max = 0;
  double mean_entropy = 0, mean_effective_keys = 0;
  /// The share of all weight on the diagonal, within the window and outside the window; and the
  /// ratio of the last two (∞ where no weight is outside).
  double diagonal_mass = 0, local_mass = 0, global_mass = 0, local_vs_global = 0;
  double mean_distance = 0;
  /// The same numbers for equal weights over the keys that each query sees, for comparison.
  double diagonal_mass_if_equal = 0, local_mass_if_equal = 0, mean_distance_if_equal = 0;
  /// The share of the visible cells whose weight is below the threshold.
  double sparsity = 0;

  // `name_head` reads these scores. They are means over the free queries that see the key in
  // question. A score is 1 for a head that does nothing else, and NaN where no query counts.

  /// The weight on the key before the query's position, on the key after it, and on the position
  /// itself.
  double previous_token_score = 0, next_token_score = 0, self_score = 0;
  /// The weight on key 0, for queries at other positions.
  double first_token_score = 0;
  /// The mean of the rows' uniformity.
  double uniformity_score = 0;
  /// The key that the free queries give most weight, and its share of their weight.
  Index top_key = -1;
  double top_key_share = 0;

  /// The rank; empty where it was not asked for or the matrix is too large.
  std::optional<Index> rank;
  std::vector<double> singular_values;

  AttentionRows rows;
  AttentionColumns columns;
};

/// Statistics of attention weights (n×m). Rows are first divided by their sum, so that dropout or
/// an ε in a denominator does not change the numbers.
///
/// O(n·m), with rank 4·n·m·min(n, m).
/// @throws ShapeError for no rows or columns or a mask of another shape; ValueError for a weight
/// that is negative, not finite, or not 0 where the mask blocks, and for options out of range.
/// Implicit attention of a map that can be negative is not a distribution and has no entropy.
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
  /// The score that one key (previous, next, itself, first, one key) must reach: more than half the
  /// weight.
  double target = 0.5;
  /// The uniformity scores from which a head is called uniform, and broad.
  double uniform = 0.95, broad = 0.75;
  /// The local mass from which a head is called local, and the factor by which the mass must exceed
  /// that of equal weights.
  double local = 0.8, local_gain = 1.5;
};

struct HeadName {
  HeadKind kind = HeadKind::kUndecided;
  /// A stable id for files and colours, and a label for people.
  std::string_view id, label;
  /// The score that decided the name.
  double score = 0;
};

/// Names a head by its weights on one text, in the spirit of Clark et al. 2019 (arXiv:1906.04341).
/// The first that applies is taken: the largest score for one key, if it reaches `target` (the
/// first of equal scores); uniform; local; broad; mixed. The thresholds are conventions of this
/// library. O(1).
/// @throws ValueError for a threshold that is not ≥ 0.
HeadName name_head(const AttentionPatterns& patterns, const HeadThresholds& thresholds = {});

}  // namespace attn
