#pragma once
// What may see what.

#include <cstdint>
#include <string_view>
#include <vector>

#include "attn/tensor.hpp"

namespace attn {

/// Which keys each query sees. A mask knows no shape until it is asked about one, except one made
/// from a matrix; so one `Mask::causal()` serves every length.
class Mask {
 public:
  enum class Kind { kFull, kCausal, kCausalBottomRight, kMatrix };

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

  Kind kind() const { return kind_; }
  /// Rows are prefixes: query i sees keys 0 … end − 1 and no others.
  bool is_prefix() const { return kind_ != Kind::kMatrix; }
  // The three below expect n and m that `require_fits` accepts.

  /// One past the last key that query i of n may see among m keys; for a mask from a matrix, m.
  Index end(Index i, Index n, Index m) const;
  /// Whether query i sees key j.
  bool keeps(Index i, Index j, Index n, Index m) const {
    return j < end(i, n, m) &&
           (kind_ != Kind::kMatrix || keep_[static_cast<std::size_t>(i * m + j)]);
  }
  /// How many keys query i sees. O(1) for prefixes, else O(m).
  Index count(Index i, Index n, Index m) const;
  /// @throws ShapeError when the mask came from a matrix that is not n×m.
  void require_fits(Index n, Index m) const;

 private:
  explicit Mask(Kind kind) : kind_(kind) {}

  Kind kind_;
  Index rows_ = 0, cols_ = 0;
  std::vector<std::uint8_t> keep_;
};

}  // namespace attn
