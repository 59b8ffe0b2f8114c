#pragma once
// Whole numbers of few bits in the place of weights, keys and values: symmetric or with a zero
// point, with a scale for each row, column or group; and attention over a cache of such numbers
// whose newest tokens are exact. Liu et al. 2024, KIVI, arXiv:2402.02750, sections 3 and 4;
// Dettmers et al. 2022, arXiv:2208.07339, section 2 (absmax).

#include <cstdint>
#include <optional>
#include <vector>

#include "attn/attention/precision.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// Along what the numbers of one scale lie.
enum class QuantizationAxis {
  kRow,     ///< within a row: a token of a cache, an output of a weight matrix
  kColumn,  ///< within a column: a channel of a cache, an input of a weight matrix
};

struct QuantizationOptions {
  /// 2 … 8 bits a number.
  Index bits = 8;
  /// Whether a group has a smallest number of its own (codes 0 … 2^bits − 1) in place of being
  /// symmetric about 0 (codes ±(2^(bits−1) − 1)).
  bool zero_point = false;
  QuantizationAxis axis = QuantizationAxis::kRow;
  /// How many consecutive numbers of a row or column share a scale; it must divide their count. 0:
  /// all of them.
  Index group = 0;
};

/// Codes with what they stand for: x ≈ code·scale + minimum.
template <typename T = float>
struct Quantized {
  QuantizationOptions options;
  /// Codes from 0 on, packed 8/bits to a byte (whole bytes for 3, 5, 6 and 7 bits), row by row;
  /// symmetric ones have 2^(bits−1) − 1 added.
  std::vector<std::uint8_t> packed;
  Index rows = 0, cols = 0;
  /// One for each group: n×(d/group) for rows, (n/group)×d for columns. 0 for a group of equal
  /// numbers (symmetric: of zeros), which is exact.
  Matrix<T> scales;
  /// The smallest number of each group; empty when symmetric.
  Matrix<T> minima;

  /// The code of a cell, negative ones included. O(1).
  Index code(Index i, Index j) const;
  /// n×d of whole numbers.
  Matrix<T> codes() const;
  /// What the codes stand for. O(size).
  Matrix<T> dequantized() const;
  /// The packed codes, and sizeof(T) for each scale and minimum.
  std::size_t bytes() const;
};

/// Rounds to the nearest code, ties to the even one. Symmetric: scale = max|x|/(2^(bits−1) − 1),
/// |x − scale·code| ≤ scale/2 up to rounding. With a zero point: scale = (max − min)/(2^bits − 1),
/// code = round((x − min)/scale), so both ends are met. Any shape. O(size).
/// @throws ValueError for numbers that are not finite or whose range overflows T, bits outside
/// 2 … 8, or a group that does not divide the rows or columns.
template <typename T = float>
Quantized<T> quantize(In<T> x, const QuantizationOptions& options = {});

/// The numbers of the newest tokens that KIVI keeps exact after n tokens: a group of keys of one
/// channel needs many tokens, so keys wait until `residual` of them are there.
struct ExactTokens {
  /// n mod residual, and min(n, residual).
  Index keys = 0, values = 0;
};
/// O(1). @throws ValueError for n < 0 or residual < 1.
ExactTokens kivi_exact_tokens(Index n, Index residual);

/// What makes some channels of keys larger than all others, as in trained models.
struct OutlierOptions {
  /// How many columns.
  Index channels = 2;
  /// What is added to all numbers of such a column; whether it is added or taken away is drawn.
  double offset = 10;
  std::uint64_t seed = 0;
};

template <typename T = float>
struct PlantedOutliers {
  Matrix<T> x;
  /// The columns that got an offset, in rising order.
  std::vector<Index> channels;
};

/// x with outlier channels, for experiments with scales: numbers by token lose their last bits to
/// the large columns, numbers by channel do not (KIVI, section 3). The columns are drawn without
/// repetition. x n×d. O(n·d).
/// @throws ValueError for more channels than columns, and for an offset that is not finite.
template <typename T = float>
PlantedOutliers<T> plant_outliers(In<T> x, const OutlierOptions& options = {});

struct QuantizedCacheOptions {
  /// KIVI's: keys by channel, values by token.
  QuantizationOptions keys = {4, true, QuantizationAxis::kColumn, 0};
  QuantizationOptions values = {4, true, QuantizationAxis::kRow, 0};
  /// How many of the newest keys and values stay as they are.
  Index exact_keys = 0, exact_values = 0;
  /// Factor on q·k. Left out: 1/√d_k.
  std::optional<double> scale = {};
};

template <typename T = float>
struct QuantizedCacheResult {
  /// The keys and values that attention saw.
  Matrix<T> keys, values;
  /// n×d_v and n×m
  Matrix<T> output, weights;
  /// Without quantisation.
  Matrix<T> exact_output;
  /// ‖output − exact_output‖_F/‖exact_output‖_F; 0 where both are 0.
  double relative_error = 0;
  /// The bytes of the cache, and those of an exact one.
  std::size_t bytes = 0, exact_bytes = 0;
};

/// Softmax attention of the newest n tokens over m tokens, causal (aligned at the bottom right),
/// where all but the newest `exact_keys` keys and `exact_values` values are quantised. Q n×d_k, K
/// m×d_k, V m×d_v. Twice the cost of `attention`, with which it is compared.
/// @throws as `quantize` and `attention`; ShapeError for more queries than keys; ValueError for
/// more exact tokens than tokens.
template <typename T = float>
QuantizedCacheResult<T> quantized_cache_attention(In<T> Q, In<T> K, In<T> V,
                                                  const QuantizedCacheOptions& options = {});

/// How a `QuantizedCache` stores one head.
struct QuantizedCacheSettings {
  Index bits = 4;
  /// How many tokens of a channel (keys) and channels of a token (values) share a scale. It divides
  /// `residual` and d_v. 0: `residual` tokens, and all channels.
  Index group = 0;
  /// r: how many of the newest tokens are exact at most (keys) or always (values).
  Index residual = 32;
};

/// KIVI's cache of one head, grown token by token: keys by channel, `residual` tokens at a time;
/// values by token as soon as they are older than the newest `residual`. What is quantised once is
/// never touched again, and the result is that of `quantized_cache_attention` with
/// `kivi_exact_tokens`, bit for bit.
template <typename T = float>
class QuantizedCache {
 public:
  /// @throws ValueError
  QuantizedCache(Index d_k, Index d_v, const QuantizedCacheSettings& settings = {});

  /// K r×d_k, V r×d_v. O(r·(d_k + d_v)). @throws ShapeError, ValueError
  void append(In<T> K, In<T> V);
  /// Attention of the newest rows(Q) tokens. @throws as `attention`; ShapeError for more queries
  /// than tokens.
  AttentionResult<T> attend(In<T> Q, std::optional<double> scale = {}) const;

  Index size() const { return size_; }
  /// The keys and values as attention sees them, size()×d_k and size()×d_v.
  Matrix<T> keys() const;
  Matrix<T> values() const;
  /// The exact ones among them.
  ExactTokens exact() const { return kivi_exact_tokens(size_, settings_.residual); }
  std::size_t bytes() const;

 private:
  Index d_k_, d_v_, size_ = 0;
  QuantizedCacheSettings settings_;
  /// Blocks of `residual` keys, and single values.
  std::vector<Quantized<T>> old_keys_, old_values_;
  Matrix<T> new_keys_, new_values_;
};

}  // namespace attn
