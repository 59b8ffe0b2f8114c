#pragma once
// Attention weights made to order: the lines and blocks by which pictures of heads are read.

#include <cstdint>

#include "attn/analysis/attention_patterns.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// What is added to the scores of n tokens before the softmax of each row. All scores begin as
/// noise·N(0, 1).
struct HeadPictureOptions {
  Index n = 12;
  /// Added where j = i + offset: a diagonal line.
  double diagonal = 0;
  Index offset = 0;
  /// Added where j = key: a vertical line.
  double vertical = 0;
  Index key = 0;
  /// Added where ⌊i/block_size⌋ = ⌊j/block_size⌋: blocks along the diagonal.
  double block = 0;
  Index block_size = 4;
  /// Added to every score of row `query`. The softmax of a row does not change when the same number
  /// is added to all its scores, so this changes nothing.
  double horizontal = 0;
  Index query = 0;
  /// Whether all scores of row `query` are made equal, so that its weights are 1/(visible keys).
  bool even_row = false;
  double noise = 0.5;
  std::uint64_t seed = 0;
  bool causal = false;
};

/// The largest n of a picture.
inline constexpr Index kMaxPictureTokens = 128;

/// n×n weights: the softmax of each row of the scores above. O(n²).
/// @throws ValueError for n outside 1 … `kMaxPictureTokens`, a key, query or offset that is no
/// place of the picture, a block_size < 1, or a number that is not finite.
template <typename T = float>
Matrix<T> head_picture(const HeadPictureOptions& options);

/// One picture of a round: drawn from a seed, and named by what is measured.
template <typename T = float>
struct HeadQuizPicture {
  HeadPictureOptions options;
  Matrix<T> weights;
  AttentionPatterns patterns;
  /// `name_head` of the patterns: the right answer.
  HeadName head;
};

/// Picture `index` of the round with that seed. Its recipe is drawn so that every kind occurs; the
/// name is measured and not the recipe's. O(n²).
/// @throws ValueError for a negative index.
template <typename T = float>
HeadQuizPicture<T> head_quiz_picture(std::uint64_t seed, Index index);

}  // namespace attn
