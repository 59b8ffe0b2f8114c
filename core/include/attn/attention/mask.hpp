#pragma once
// Masks: which query may see which key.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// The window of query i of n among m keys: i + m − n − left ≤ j ≤ i + m − n + right, aligned at
/// the bottom right as in flash-attention. A side that is left out is unlimited. `right` = 0 is
/// causal.
struct KeyWindow {
  std::optional<Index> left, right;
};

/// Which keys each query sees. Only a mask made from a matrix has a shape; every other mask serves
/// all lengths, so one `Mask::causal()` is enough.
class Mask {
 public:
  enum class Kind { kFull, kCausal, kCausalBottomRight, kMatrix, kPadding, kWindow };

  /// Every query sees every key.
  static Mask full() { return Mask(Kind::kFull); }
  /// Query i sees keys j ≤ i (aligned at the top left when n ≠ m).
  static Mask causal() { return Mask(Kind::kCausal); }
  /// Query i sees keys j ≤ i + m − n: the last query sees every key, as in decoding with a cache.
  /// With n > m the first n − m queries see nothing.
  static Mask causal_bottom_right() { return Mask(Kind::kCausalBottomRight, 0); }
  /// Query i sees the keys of its window, a band of diagonals. The mask stores two numbers at any
  /// length.
  /// @throws ValueError for a negative width.
  static Mask window(const KeyWindow& window);
  /// Cell (i, j) is kept where `keep(i, j)` is not 0.
  /// @throws ValueError for an entry that is not finite.
  template <typename T = float>
  static Mask from_matrix(In<T> keep);
  /// Query i of n sees keys j > i + m − n: what a window lets through that begins behind the query
  /// itself. The last query sees no key.
  static Mask after();
  /// The same mask, except that no query sees the keys from `valid` on, which are padding.
  /// @throws ValueError when `valid` is negative.
  Mask with_valid_keys(Index valid) const;
  /// The n×m mask that keeps what both this mask and a window keep. O(1), or n·m for a mask from a
  /// matrix.
  /// @throws as `window`.
  Mask within(const KeyWindow& window, Index n, Index m) const;

  Kind kind() const { return kind_; }
  /// n×m, row by row, 0 where a cell is not kept; nullptr unless the mask came from a matrix.
  const std::uint8_t* cells() const { return keep_.empty() ? nullptr : keep_.data(); }
  /// Whether rows are ranges: query i sees the keys begin … end − 1 and no others.
  bool is_range() const { return kind_ != Kind::kMatrix; }
  /// Whether rows are ranges that begin at key 0.
  bool is_prefix() const { return is_range() && left_ == kNoLimit; }
  // The functions below expect n and m that `require_fits` accepts.

  /// The diagonals on which a mask keeps any cell: those with j − i from `first` to `last`, which
  /// may lie outside n×m. `whole`: every one of their cells is kept, except padding. When nothing
  /// is kept, last < first.
  struct Band {
    Index first = 0, last = -1;
    bool whole = true;
  };
  Band band(Index n, Index m) const;
  /// The number of the m keys that are not padding.
  Index valid_keys(Index m) const { return std::min(m, valid_keys_); }
  /// The first key that query i of n may see among m keys, at most `end`; 0 for a mask from a
  /// matrix. Neither `begin` nor `end` decreases from one query to the next.
  Index begin(Index i, Index n, Index m) const;
  /// One past the last key that query i of n may see among m keys; for a mask from a matrix, one
  /// past the last that is not padding.
  Index end(Index i, Index n, Index m) const;
  /// Whether query i sees key j. Use this for one cell; loops over a row use `keys`.
  bool keeps(Index i, Index j, Index n, Index m) const {
    return j < end(i, n, m) &&
           (is_range() ? j >= begin(i, n, m) : keep_[static_cast<std::size_t>(i * m + j)] != 0);
  }
  /// The keys that one query sees, for loops over a row, so that the mask is asked once for each
  /// row and not for each cell. It points into the mask that made it.
  struct Keys {
    /// No key before `begin` and none from `end` on is visible.
    Index begin = 0, end = 0;
    /// The row of a mask from a matrix, 0 where a key is not visible; nullptr when all keys begin …
    /// end − 1 are visible.
    const std::uint8_t* cells = nullptr;

    bool contains(Index j) const { return j >= begin && j < end && (!cells || cells[j] != 0); }
    /// Calls visit(j) for each visible key, in order.
    template <typename Visit>
    void for_each(Visit visit) const {
      for (Index j = begin; j < end; ++j) {
        if (!cells || cells[j] != 0) visit(j);
      }
    }
    /// Calls visit(j) for each key before `end` that is not visible, in order.
    template <typename Visit>
    void for_each_blocked(Visit visit) const {
      for (Index j = 0; j < begin; ++j) visit(j);
      for (Index j = begin; cells && j < end; ++j) {
        if (cells[j] == 0) visit(j);
      }
    }
  };
  /// The keys of query i of n. O(1).
  Keys keys(Index i, Index n, Index m) const;
  /// The number of keys that query i sees. O(1) for ranges, otherwise O(m).
  Index count(Index i, Index n, Index m) const;
  /// @throws ShapeError when the mask came from a matrix that is not n×m; ValueError when it was
  /// given more valid keys than m.
  void require_fits(Index n, Index m) const;

 private:
  static constexpr Index kNoLimit = std::numeric_limits<Index>::max();

  explicit Mask(Kind kind, Index right = kNoLimit) : kind_(kind), right_(right) {}
  void find_band();

  Kind kind_;
  /// The widths of `KeyWindow`; `within` may make `right_` negative, and `after` has a `left_` of
  /// −1. kCausal is aligned differently and has no widths.
  Index left_ = kNoLimit, right_;
  Index rows_ = 0, cols_ = 0;
  Index valid_keys_ = kNoLimit;
  std::vector<std::uint8_t> keep_;
  Band band_;
};

}  // namespace attn
