#pragma once
// Decoding with linear attention: the state of the tokens so far has one size, however many tokens
// there were, and can be read.

#include <cstdint>
#include <optional>

#include "attn/base/tensor.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/linear_attention.hpp"

namespace attn {

struct LinearDecoderOptions {
  /// The next three options are those of `LinearAttentionOptions`.
  bool normalize = true;
  double epsilon = kLinearAttentionEpsilon;
  DenominatorRule denominator = DenominatorRule::kAdd;
  /// The largest number of tokens; 0 where it is unknown. Positional maps (cosFormer) need it.
  Index length = 0;
};

/// The state of a decoder at one moment, from which it can be restored.
template <typename T = float>
struct LinearDecoderSnapshot {
  LinearState<T> state;
  /// The number of tokens seen, which is the position of the next one.
  Index position = 0;
};

/// Causal linear attention token by token. The rows equal those of `linear_attention` for the whole
/// sequence, with constant memory and time for each token: D·(d_v + 1) numbers and about 2·D·(d_v +
/// 1) multiply-adds (Katharopoulos et al. 2020, arXiv:2006.16236, section 3.4).
///
/// A call that throws does not change the decoder.
template <typename T = float>
class LinearDecoder {
 public:
  /// @param initial where to begin; left out: an empty state at position 0.
  /// @throws ValueError for d_v < 1, a bad ε or length, or a map that is not `streamable(length)`;
  /// CapacityError when the state would exceed `kMaxFeatureBytes`; ShapeError for an initial state
  /// that is not D×d_v.
  LinearDecoder(FeatureMap<T> map, Index d_v, LinearDecoderOptions options = {},
                const std::optional<LinearDecoderSnapshot<T>>& initial = {});

  /// Reads one token: adds k (d_k) and v (d_v) to the state, then answers q (d_k) with d_v entries.
  /// @throws ShapeError, ValueError (also for a token past `length`)
  Vector<T> step(InVector<T> q, InVector<T> k, InVector<T> v);
  /// Reads several tokens, one in each row: Q r×d_k, K r×d_k, V r×d_v. Returns r×d_v, the same as r
  /// calls of `step`.
  /// @throws as `step`
  Matrix<T> decode(In<T> Q, In<T> K, In<T> V);
  /// Reads tokens without queries, such as a prompt: K r×d_k, V r×d_v. The state equals the one
  /// that `decode` leaves, up to rounding.
  /// @throws as `step`
  void append(In<T> K, In<T> V);

  /// Returns to the empty state at position 0.
  void reset();
  /// A copy of the state. O(D·d_v), as is `restore`.
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
  /// The number of tokens seen.
  Index position() const { return now_.position; }
  /// The bytes of the state: sizeof(T)·D·(d_v + 1), which do not grow with the tokens.
  std::uint64_t bytes() const;

 private:
  void require_tokens(In<T> K, In<T> V) const;

  FeatureMap<T> map_;
  Index d_v_;
  LinearDecoderOptions options_;
  LinearDecoderSnapshot<T> now_;
};

}  // namespace attn
