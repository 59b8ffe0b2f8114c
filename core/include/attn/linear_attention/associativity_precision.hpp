#pragma once
// How far apart (QKᵀ)V and Q(KᵀV) are on a machine. They are equal in exact arithmetic, but are
// rounded differently.

#include <cstdint>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

struct AssociativityPrecisionOptions {
  Index n = 100, d_k = 64, d_v = 64;
  /// Draw i is `gaussian_qkv<float>` with seed + i; float64 uses the same numbers.
  std::uint64_t seed = 0;
  Index draws = 1;
  /// The tolerances of numpy.testing.assert_allclose, with its default atol; its default rtol would
  /// be 1e-7.
  double rtol = 1e-5, atol = 0;
};

/// The most entries that all draws may have together, and the most of one n×n matrix.
inline constexpr Index kMaxPrecisionEntries = Index{1} << 22;

/// One entry: a in the standard order, b in the linear order.
struct AssociativityEntry {
  std::uint64_t seed = 0;
  Index row = 0, col = 0;
  double standard = 0, linear = 0;
  /// Σ|q·k·v| over the m·d_k terms of the entry, in float64; and its ratio to |entry|, the factor
  /// by which the rounding of the terms is magnified.
  double terms = 0, condition = 0;
};

/// a = (QKᵀ)V against b = Q(KᵀV) in one scalar type, over all entries of all draws.
struct AssociativityErrors {
  /// The largest |a − b| and the largest |a − b|/|b|; ∞ where b is 0 and a is not.
  double max_difference = 0, max_relative_difference = 0;
  /// The share of the entries with |a − b| > atol + rtol·|b|, and the number of draws that have
  /// one.
  double failed_share = 0;
  Index failed_draws = 0;
  /// The quantiles of |a − b| and of |a − b|/|b| at `kPrecisionProbabilities`.
  std::vector<double> differences, relative_differences;
  /// The entry whose relative difference is largest.
  AssociativityEntry worst;
};

inline constexpr double kPrecisionProbabilities[] = {0, 0.25, 0.5, 0.75, 0.9, 0.99, 1};

/// The cells of one draw, n×d_v.
struct AssociativityCells {
  /// |entry|, in float64.
  Matrix<double> size;
  /// float32's |a − b| and |a − b|/|b|.
  Matrix<double> difference, relative_difference;
  /// Σ|terms|/|entry|, in float64.
  Matrix<double> condition;
};

/// (QKᵀ)V against Q(KᵀV) over all draws. a standard, b linear.
struct AssociativityPrecisionResult {
  AssociativityErrors float32, float64;
  /// The probabilities of the quantiles: `kPrecisionProbabilities`.
  std::vector<double> probabilities;
  Index draws = 0;
  /// The number of entries of one draw, n·d_v.
  Index entries = 0;
  /// The cells of the first draw.
  AssociativityCells first;
};

/// Runs the check `assert_allclose((QKᵀ)V, Q(KᵀV), rtol)` on `draws` draws of N(0, 1), in float32
/// and in float64. An entry is a sum of terms that cancel: it can be far smaller than its terms,
/// and then its relative error is far larger than that of one rounding. So a bound relative to the
/// entry alone (atol = 0) fails in float32 sooner or later, whatever rtol is.
///
///   AssociativityPrecision work(options);
///   while (!work.step(1)) …
///   use(work.result());
class AssociativityPrecision {
 public:
  /// @throws ValueError unless sizes and draws are ≥ 1 and rtol and atol ≥ 0; CapacityError for
  /// more than `kMaxPrecisionEntries` entries or cells.
  explicit AssociativityPrecision(const AssociativityPrecisionOptions& options);

  /// Makes up to `draws` more draws; returns true when all are done. One draw costs 2·n²·(d_k +
  /// d_v) + 6·n·d_k·d_v multiply-adds and n·(2·d_k + d_v) Gaussian numbers.
  bool step(Index draws);
  /// The share of the work that is done, 0 … 1.
  double progress() const;
  /// The result, complete once `step` has returned true.
  const AssociativityPrecisionResult& result() const { return result_; }

 private:
  struct Samples {
    std::vector<double> differences, relative_differences;
    Index failed = 0;
  };

  template <typename T>
  void look(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V, const Matrix<double>& terms,
            std::uint64_t seed, Samples& samples, AssociativityErrors& errors);
  static void finish(Samples& samples, AssociativityErrors& errors);

  AssociativityPrecisionOptions options_;
  Index done_ = 0;
  Samples samples_[2];
  AssociativityPrecisionResult result_;
};

}  // namespace attn
