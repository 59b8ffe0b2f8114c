#pragma once
// Memories into which pairs of key and value are written one after the other, and which are then
// asked for any earlier key. Nothing is trained: keys, values and gates are drawn from a seed, so
// that what a memory gives back follows from its recurrence alone.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// The recurrences, by the ids of `sequence_mixers()`. See `matrix_state` and `wkv` for their
/// formulas.
inline constexpr std::array<std::string_view, 8> kPairMemories{
    "softmax", "linear_sum", "retention",        "gla",
    "mamba2",  "delta_rule", "gated_delta_rule", "rwkv4"};

inline constexpr Index kMaxPairs = 64, kMaxPairWidth = 32;

struct PairStreamOptions {
  Index pairs = 12;
  /// d_k = d_v = d.
  Index width = 8;
  /// A query is its key plus noise·N(0, 1/d) in each entry: 1 is noise as long as the key.
  double noise = 0;
  /// The last `repeats` pairs write new values under the keys of the first ones.
  Index repeats = 0;
  std::uint64_t seed = 1;
};

template <typename T = float>
struct PairStream {
  /// pairs×d. Keys are directions drawn uniformly and have length 1; values are random signs.
  Matrix<T> keys, values, queries;
  /// For each pair the first pair with the same key.
  std::vector<Index> first;
};

/// O(pairs·d).
/// @throws ValueError unless pairs is 1 … 64, width 1 … 32, noise 0 … 10, repeats 0 … pairs/2.
template <typename T = float>
PairStream<T> pair_stream(const PairStreamOptions& options);

struct PairMemoryOptions {
  /// γ, what is left of the state after a token where a memory fades: "retention" and
  /// "gated_delta_rule" at every token and in every entry; "gla" γ^u, with u uniform in 0.5 … 1.5
  /// for each token and key dimension; "mamba2" γ^Δ, and Δ·v is written, with Δ uniform in
  /// 0.5 … 1.5 for each token; "rwkv4" in every channel. In trained models the tokens set u and Δ;
  /// here the seed of the stream does. The delta rules write with β = 1. Softmax has q·k scaled by
  /// 4√d, which is what Gaussian keys of size 2 would have.
  double decay = 0.95;
};

/// In place of a pair: the answer is zero; two values are equally near, both of them of the key
/// that is asked for; two others are. Near is up to 0.01 of a cosine, because rounding and what
/// leaks in from other keys must not decide.
inline constexpr Index kNoValue = -1, kBothValues = -2, kTwoValues = -3;

/// What a memory holds after every pair, and what it then answers.
template <typename T = float>
struct PairMemoryTrace {
  /// After pair t rows t·state_rows … are the state. For the matrix states d×d; for "rwkv4" 2×d,
  /// the weighted sum of the values and the sum of the weights; for "softmax" the cache so far,
  /// [keys, values] of pairs×2d, with zeros where nothing is yet.
  Matrix<T> states;
  /// As `states`: what is left of the state before pair t once it has decayed, and what pair t then
  /// adds to that.
  Matrix<T> kept, written;
  Index state_rows = 0;
  /// Numbers that the state holds after the last pair.
  Index numbers = 0;
  /// Row t·pairs + j: what the query of pair j brings back after pair t. Zeros for j > t.
  Matrix<T> answers;
  /// pairs² each, at t·pairs + j: the newest pair with this key, whose value is wanted; and the
  /// pair of the stream whose value has the largest cosine with the answer, or one of the three
  /// below it. The wanted pair is named where its value is that of the named one.
  std::vector<Index> wanted, found;
  /// pairs×pairs: the cosine of the answer and the wanted value; and how far the largest cosine is
  /// ahead of the next value's: how sure the answer is. 0 where the answer is zero.
  Matrix<T> cosine, margin;
  /// After each pair the share of all different keys so far that bring back their newest value.
  std::vector<double> right;
};

/// O(pairs²·d²) for the states and the answers, O(pairs³·d) for the comparisons.
/// @throws ValueError for an unknown memory, a decay outside 0.01 … 1, and as `pair_stream`.
template <typename T = float>
PairMemoryTrace<T> pair_memory_trace(std::string_view memory, const PairStreamOptions& stream,
                                     const PairMemoryOptions& options);

namespace internal {

/// What a memory answers to `queries` (m×d_k) after all pairs of K (n×d_k, rows of length 1) and
/// V (n×d_v) were written; m×d_v.
template <typename T>
Matrix<T> pair_memory_answers(std::string_view memory, In<T> K, In<T> V, In<T> queries,
                              double decay, std::uint64_t seed);

}  // namespace internal

}  // namespace attn
