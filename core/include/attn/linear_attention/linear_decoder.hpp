#pragma once
// Decoding with linear attention: what is remembered of the tokens so far has one size, however
// many they were, and can be looked at.

#include <cstdint>
#include <optional>

#include "attn/base/tensor.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/linear_attention.hpp"

namespace attn {

struct LinearDecoderOptions {
  /// These three as in `LinearAttentionOptions`.
  bool normalize = true;
  double epsilon = kLinearAttentionEpsilon;
  DenominatorRule denominator = DenominatorRule::kAdd;
  /// The most tokens there will be; 0 where unknown. Positional maps (cosFormer) must know it.
  Index length = 0;
};

/// A decoder at one moment: enough to go back to it.
template <typename T = float>
struct LinearDecoderSnapshot {
  LinearState<T> state;
  /// Tokens seen: the position of the next one.
  Index position = 0;
};

/// Causal linear attention token by token. Row for row what `linear_attention` gives for the whole
/// sequence, with memory and time a token that do not grow: D·(d_v + 1) numbers and about
/// 2·D·(d_v + 1) multiply-adds (Katharopoulos et al. 2020, arXiv:2006.16236, section 3.4).
///
/// A call that throws leaves the decoder what it was.
template <typename T = float>
class LinearDecoder {
 public:
  /// @param initial where to begin; left out: an empty state at position 0.
  /// @throws ValueError for d_v < 1, a bad ε or length, or a map that is not `streamable(length)`;
  /// CapacityError when the state would exceed `kMaxFeatureBytes`; ShapeError for an initial state
  /// that is not D×d_v.
  LinearDecoder(FeatureMap<T> map, Index d_v, LinearDecoderOptions options = {},
                const std::optional<LinearDecoderSnapshot<T>>& initial = {});

  /// One token: takes in k (d_k) and v (d_v), then answers q (d_k) with d_v entries.
  /// @throws ShapeError, ValueError (also for a token past `length`)
  Vector<T> step(InVector<T> q, InVector<T> k, InVector<T> v);
  /// Several tokens, one a row: Q r×d_k, K r×d_k, V r×d_v. r×d_v, as r calls of `step` give it.
  /// @throws as `step`
  Matrix<T> decode(In<T> Q, In<T> K, In<T> V);
  /// Takes in tokens that nobody asks about (a prompt): K r×d_k, V r×d_v. The state is the one that
  /// `decode` leaves, up to rounding.
  /// @throws as `step`
  void append(In<T> K, In<T> V);

  /// Back to the empty state at position 0.
  void reset();
  /// O(D·d_v), like `restore`: a copy.
  LinearDecoderSnapshot<T> snapshot() const { return now_; }
  /// @throws ShapeError for a state that is not D×d_v; ValueError for a position
  /// outside 0 … 2³¹ − 1.
  void restore(const LinearDecoderSnapshot<T>& moment);

  const FeatureMap<T>& map() const { return map_; }
  /// D
  Index feature_dimension() const { return map_.dimension(); }
  const LinearDecoderOptions& options() const { return options_; }
  Index d_v() const { return d_v_; }
  /// S = Σ φ(k_j) v_jᵀ and z = Σ φ(k_j) over the tokens seen.
  const LinearState<T>& state() const { return now_.state; }
  /// Tokens seen.
  Index position() const { return now_.position; }
  /// Bytes of the state: sizeof(T)·D·(d_v + 1), from the first token to the last.
  std::uint64_t bytes() const;

 private:
  void require_tokens(In<T> K, In<T> V) const;

  FeatureMap<T> map_;
  Index d_v_;
  LinearDecoderOptions options_;
  LinearDecoderSnapshot<T> now_;
};

}  // namespace attn
