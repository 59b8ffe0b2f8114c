#pragma once
// What can be measured of a sequence mixer with random parameters: its sizes, whether its forms
// agree, whether its filter depends on the input, and decoding a stream of any length.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "attn/base/rng.hpp"
#include "attn/base/tensor.hpp"
#include "attn/mixers/sequence_mixer.hpp"

namespace attn {

struct MixerSizes {
  std::uint64_t parameters = 0;
  /// After n tokens.
  std::uint64_t state_numbers = 0;
  /// Of the parallel form for n tokens, projections included.
  std::uint64_t multiply_adds = 0;
  /// How many implicit matrices there are: heads or channels.
  Index matrices = 0;
};

/// @throws ValueError for n < 1 and as `make_sequence_mixer`.
MixerSizes mixer_sizes(const SequenceMixerOptions& options, Index n);

/// Rows for tokens: N(0, 1), drawn for each id by itself, so that the same token is the same row
/// wherever it stands. ids n, result n×d. O(n·d).
/// @throws ValueError without tokens, for an id below 0 or d < 1.
template <typename T = float>
Matrix<T> mixer_tokens(std::span<const Index> ids, Index d, std::uint64_t seed);

template <typename T = float>
struct MixerForms {
  /// n×d_model: all tokens at once, token by token, and in chunks; the last is empty for a mixer
  /// without a chunk to choose.
  Matrix<T> parallel, recurrent, chunked;
  /// The largest difference from the parallel form in any entry, NaN for a form that is not there.
  double recurrent_difference = 0, chunked_difference = 0;
  /// The largest entry of the parallel form, in absolute value.
  double largest = 0;
};

/// The layer's output in each of its forms, with the parameters that the seed draws. Where the
/// chunk can be chosen, the parallel form has all tokens in one chunk.
/// @throws ValueError for chunk < 1 and as `SequenceMixer::forward`.
template <typename T = float>
MixerForms<T> compare_mixer_forms(const SequenceMixerOptions& options, In<T> X, std::uint64_t seed,
                                  Index chunk);

/// The implicit matrix of head or channel `which` over X, with the parameters that the seed draws.
/// @throws as `SequenceMixer::weights`
template <typename T = float>
Matrix<T> mixer_matrix(const SequenceMixerOptions& options, In<T> X, std::uint64_t seed,
                       Index which);

/// How near a model looks: the share of Σ|A| that lies on the diagonal and on the `distance`
/// diagonals below it. Weights may be negative and rows need no sum, so that the matrices of all
/// mixers can be compared. NaN for a matrix of zeros. O(n·distance) beside the sum.
/// @throws ShapeError unless A is square with a row, ValueError for an entry that is not finite and
/// for distance < 0
template <typename T = float>
double nearby_share(In<T> A, Index distance);

struct FilterProbe {
  /// The largest |A − B| over the largest |A|, of the matrices over two inputs.
  double change = 0;
  /// The median of |r_A − r_B|/(|r_A| + |r_B|) over the cross-ratios
  ///   r = A(i, j)·A(i+1, j+1) / (A(i, j+1)·A(i+1, j)),  j < i.
  /// A gate that multiplies rows or columns cancels in r. A matrix that is gate × Toeplitz filter ×
  /// gate has cross-ratios that follow from the filter alone, so that a filter that does not depend
  /// on the input gives 0. NaN where entries are 0.
  double filter_change = 0;
  /// The largest distance of an entry of A from the mean of its diagonal, over the largest |A|: 0
  /// for a Toeplitz matrix, a plain convolution.
  double diagonal_spread = 0;
  bool filter_fixed = false;
};

/// Below this `filter_change` a filter counts as fixed: rounding of float64 leaves 1e-9, and inputs
/// that matter change ratios by tenths.
inline constexpr double kFilterFixed = 1e-4;

/// Compares head or channel `which` over two inputs of one shape, in float64. O(n²) beside the
/// matrices.
/// @throws ShapeError unless X and other have one shape with at least 3 rows, and as
/// `SequenceMixer::weights`
FilterProbe probe_filter(const SequenceMixerOptions& options, In<double> X, In<double> other,
                         std::uint64_t seed, Index which);

/// The most tokens of one call of a stream, so that every call ends within seconds.
inline constexpr Index kMostStreamTokens = 131072;

struct MixerStreamReport {
  Index position = 0;
  std::uint64_t state_numbers = 0;
  /// ‖y‖ of the last token.
  double last_norm = 0;
};

/// Decodes random tokens, one after the other, for as long as one likes. Inputs are N(0, 1).
template <typename T = float>
class MixerStream {
 public:
  /// @throws as `make_sequence_mixer`
  MixerStream(const SequenceMixerOptions& options, std::uint64_t seed);

  /// The next `tokens` tokens. The cost of one is that of `SequenceMixer::step`.
  /// @throws ValueError unless 1 ≤ tokens ≤ kMostStreamTokens, CapacityError past the end that a
  /// mixer has.
  MixerStreamReport advance(Index tokens);
  /// The next `tokens` tokens, of which no output is wanted: `SequenceMixer::read`.
  /// @throws as `advance`
  MixerStreamReport read(Index tokens);
  MixerStreamReport report() const;

 private:
  std::unique_ptr<SequenceMixer<T>> mixer_;
  Vector<T> parameters_;
  MixerState<T> state_;
  Rng rng_;
  double last_norm_ = 0;
};

}  // namespace attn
