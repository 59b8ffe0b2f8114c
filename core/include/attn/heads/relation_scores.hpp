#pragma once
// Whether a head follows a relation of words, a grammatical one for instance, or only a distance.

#include <limits>
#include <span>
#include <vector>

#include "attn/attention/mask.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// The heads' weights on one text, and the cells for which a relation holds.
template <typename T = float>
struct RelationText {
  /// One n×n matrix a head, rows = queries.
  std::vector<Matrix<T>> weights;
  /// n×n: not 0 where query i and key j have the relation.
  Matrix<T> relation;
};

/// What one head gives to a relation.
struct RelationScore {
  /// The mean over rows with such cells of the weight on them.
  double score = std::numeric_limits<double>::quiet_NaN();
  /// The mean over the same rows of what the head gives at the same distances where the relation
  /// does not hold: a head that only looks so many tokens back has score = elsewhere.
  double elsewhere = std::numeric_limits<double>::quiet_NaN();
  /// The same for a head that spreads each row evenly over what it may see.
  double uniform = std::numeric_limits<double>::quiet_NaN();
  /// The relative position at which most rows have their largest weight (j − i), and the share of
  /// these rows. A head is called positional from .9 on (Voita et al. 2019, arXiv:1905.09418).
  Index offset = 0;
  double offset_share = 0;
  /// How many rows have the relation and count.
  Index rows = 0;
};

/// One entry a head, over all texts. Cells at distances where the relation always or never holds
/// cannot be compared: a row counts if all of its cells can. Rows that see one key only are left
/// out of `offset_share`. The test of Clark et al. 2019 (arXiv:1906.04341, section 4.2) against the
/// best fixed offset, with the head's own weight at equal distance as the baseline. O(texts·h·n²).
/// @throws ShapeError for no texts, another number of heads, or matrices that are not n×n;
/// ValueError for weights that are negative or not finite.
template <typename T = float>
std::vector<RelationScore> relation_scores(std::span<const RelationText<T>> texts,
                                           const Mask& mask = Mask::causal());

}  // namespace attn
