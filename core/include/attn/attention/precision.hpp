#pragma once
// Numbers with fewer bits: emulated float16 and bfloat16 rounding, and int8 keys and values with
// scales, each with the error that it causes in softmax attention.

#include <cstdint>

#include "attn/attention/attention.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

enum class Precision {
  kFloat16,   ///< IEEE 754 binary16: 11 significant bits, 2⁻²⁴ … 65504
  kBfloat16,  ///< the upper half of a float32: 8 significant bits, float32's range
};

/// The nearest value of the format, ties to the even one, rounded directly from `x` (a float64 is
/// not rounded to float32 first). Subnormals are kept, numbers that are too large become ±∞, NaN
/// stays NaN and −0 stays −0. IEEE 754-2019, section 4.3.1.
double rounded(double x, Precision precision);

/// The 16 bits of `rounded(x, precision)`. NaN gives the quiet NaN with x's sign and no payload.
std::uint16_t to_bits(double x, Precision precision);
/// The number that the 16 bits represent, which float32 holds exactly for both formats.
float from_bits(std::uint16_t bits, Precision precision);

/// Every entry rounded. O(size).
template <typename T = float>
Matrix<T> rounded_matrix(In<T> x, Precision precision);

/// One scale for each row (the key or value of a token), or one for the whole matrix (a head).
enum class Int8Scale { kRow, kMatrix };

/// Symmetric int8: x_ij ≈ scale·code_ij with scale = max|x|/127 over the row or the matrix, so
/// |x − scale·code| ≤ scale/2 up to rounding; codes are −127 … 127. A row of zeros has scale 0.
template <typename T = float>
struct QuantizedMatrix {
  Eigen::Matrix<std::int8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> codes;
  /// One scale for each row, or a single one.
  Vector<T> scales;

  Matrix<T> dequantized() const;
  /// rows·cols + sizeof(T)·scales
  std::size_t bytes() const;
};

/// Any shape. O(size).
/// @throws ValueError unless x is finite.
template <typename T = float>
QuantizedMatrix<T> quantize_int8(In<T> x, Int8Scale scale = Int8Scale::kRow);

/// Writes the codes of one row and returns its scale. `codes` has `count` places. `quantize_int8`
/// calls this for each row. O(count). Throws nothing and checks nothing: the numbers must be
/// finite.
template <typename T = float>
T quantize_row(const T* x, Index count, std::int8_t* codes);

/// How far `approximate` is from `reference`; both NaN where an entry is not finite.
struct PrecisionError {
  /// max |a − r|
  double max_absolute = 0;
  /// ‖a − r‖_F / ‖r‖_F; 0 for two zero matrices.
  double relative_frobenius = 0;
};

/// O(size).
/// @throws ShapeError unless both have the same shape.
template <typename T = float>
PrecisionError precision_error(In<T> reference, In<T> approximate);

template <typename T = float>
struct PrecisionResult {
  /// The result of the low-precision computation. Overflow appears as ±∞ or NaN.
  AttentionResult<T> attention;
  /// The errors compared with `attention<T>` of the unrounded inputs.
  PrecisionError output_error, weights_error;
  /// The number of output entries that are NaN or infinite.
  Index non_finite = 0;
};

struct PrecisionOptions {
  Precision precision = Precision::kFloat16;
  /// Whether the scores QKᵀ·scale are rounded before softmax too, as in a kernel that stores them
  /// in 16 bits. In float16 logits of 65520 and more overflow, and their row becomes NaN; so does
  /// a row whose logits are all −65520 or less. A row that sees no key is 0, as in `attention`.
  bool round_scores = false;
};

/// Softmax attention as 16-bit hardware with wide accumulators does it: Q, K, V (and bias) rounded;
/// products, softmax and sums in T; the weights rounded before they meet V; the output rounded.
/// The kept weights are the rounded ones, so rows sum to 1 only within the format. Twice the cost
/// of `attention`, which it is compared with.
/// @throws as `attention`
template <typename T = float>
PrecisionResult<T> attention_rounded(In<T> Q, In<T> K, In<T> V,
                                     const PrecisionOptions& precision = {},
                                     const AttentionOptions<T>& options = {});

/// Softmax attention over int8 keys and values, dequantised to T; Q and all arithmetic stay in T.
/// Twice the cost of `attention`, which it is compared with.
/// @throws as `attention`
template <typename T = float>
PrecisionResult<T> attention_int8_kv(In<T> Q, In<T> K, In<T> V, Int8Scale scale = Int8Scale::kRow,
                                     const AttentionOptions<T>& options = {});

}  // namespace attn
