#pragma once
// What may see what.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "attn/tensor.hpp"

namespace attn {

/// Which keys each query sees. A mask knows no shape until it is asked about one, except one made
/// from a matrix; so one `Mask::causal()` serves every length.
class Mask {
 public:
  enum class Kind { kFull, kCausal, kCausalBottomRight, kMatrix, kPadding };

  /// Every query sees every key.
  static Mask full() { return Mask(Kind::kFull); }
  /// Query i sees keys j ≤ i (aligned at the top left when n ≠ m).
  static Mask causal() { return Mask(Kind::kCausal); }
  /// Query i sees keys j ≤ i + m − n: the last query sees every key, as in decoding with a cache.
  /// With n > m the first n − m queries see nothing.
  static Mask causal_bottom_right() { return Mask(Kind::kCausalBottomRight); }
  /// Cell (i, j) is kept where `keep(i, j)` is not 0.
  /// @throws ValueError for an entry that is not finite.
  template <typename T = float>
  static Mask from_matrix(In<T> keep);
  /// The same, but keys from `valid` on are padding that no query sees.
  /// @throws ValueError when `valid` is negative.
  Mask with_valid_keys(Index valid) const;

  Kind kind() const { return kind_; }
  /// n×m, row by row, 0 where a cell is not kept; nullptr unless the mask came from a matrix.
  const std::uint8_t* cells() const { return keep_.empty() ? nullptr : keep_.data(); }
  /// The diagonals that a mask from a matrix keeps anything on: cells with j − i from `first` to
  /// `last`. `whole`: it keeps every cell of them. Keeping nothing, last < first.
  struct Band {
    Index first = 0, last = -1;
    bool whole = true;
  };
  const Band& band() const { return band_; }
  /// Rows are prefixes: query i sees keys 0 … end − 1 and no others.
  bool is_prefix() const { return kind_ != Kind::kMatrix; }
  // The three below expect n and m that `require_fits` accepts.

  /// How many of m keys are not padding.
  Index valid_keys(Index m) const { return std::min(m, valid_keys_); }
  /// One past the last key that query i of n may see among m keys; for a mask from a matrix, one
  /// past the last that is not padding.
  Index end(Index i, Index n, Index m) const;
  /// Whether query i sees key j.
  bool keeps(Index i, Index j, Index n, Index m) const {
    return j < end(i, n, m) &&
           (kind_ != Kind::kMatrix || keep_[static_cast<std::size_t>(i * m + j)]);
  }
  /// How many keys query i sees. O(1) for prefixes, else O(m).
  Index count(Index i, Index n, Index m) const;
  /// @throws ShapeError when the mask came from a matrix that is not n×m; ValueError when it was
  /// given more valid keys than m.
  void require_fits(Index n, Index m) const;

 private:
  explicit Mask(Kind kind) : kind_(kind) {}
  void find_band();

  Kind kind_;
  Index rows_ = 0, cols_ = 0;
  Index valid_keys_ = std::numeric_limits<Index>::max();
  std::vector<std::uint8_t> keep_;
  Band band_;
};

}  // namespace attn
