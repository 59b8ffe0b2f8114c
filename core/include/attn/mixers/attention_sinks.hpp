#pragma once
// A sliding window with attention sinks: softmax attention that keeps the first tokens and the last
// ones. Xiao et al. 2023, arXiv:2309.17453, section 3; conventions of mit-han-lab/streaming-llm.

#include <optional>
#include <vector>

#include "attn/attention/pattern.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

struct SinkOptions {
  /// How many tokens from the start stay. 0: a plain sliding window.
  Index sinks = 4;
  /// How many of the newest tokens are kept, the query's own included. (The official loop that
  /// evicts after each token keeps `recent_size` older tokens beside the query: a window of one
  /// more.)
  Index window = 64;
  /// Factor on q·k. Left out: 1/√d_k.
  std::optional<double> scale = {};
  /// Whether keys and queries are turned by their place among the kept tokens instead of their
  /// place in the text, so that no distance ever exceeds sinks + window − 1 (section 3.2).
  /// Otherwise they are used as they are.
  bool rotate_in_cache = false;
  double base = 10000;
};

/// Token i sees keys j ≤ i with j < sinks or i − j < window: at most sinks + window. n·(s + w)
/// cells. @throws ValueError unless n, window ≥ 1 and sinks ≥ 0.
Pattern sink_pattern(Index n, const SinkOptions& options);

template <typename T = float>
struct SinkAttentionResult {
  /// n×d_v
  Matrix<T> output;
  /// n×n; 0 where a key was evicted.
  Matrix<T> weights;
};

/// output = softmax over the kept keys. Q, K n×d_k (even where they are turned), V n×d_v. At most
/// n·(s + w)·(d_k + d_v) multiply-adds; the state are (s + w)·(d_k + d_v) numbers, however long the
/// text.
/// @throws ShapeError, ValueError
template <typename T = float>
SinkAttentionResult<T> sink_attention(In<T> Q, In<T> K, In<T> V, const SinkOptions& options = {});

template <typename T = float>
struct GroupedSinkResult {
  /// n×h·d_v
  Matrix<T> output;
  /// For each head n×n; 0 where a key was evicted.
  std::vector<Matrix<T>> weights;
};

/// `sink_attention` of h heads that share hk key-value heads: head i uses key-value head ⌊i·hk/h⌋.
/// Q n×h·d_k, K n×hk·d_k, V n×hk·d_v; the state are (s + w)·hk·(d_k + d_v) numbers.
/// @throws as `sink_attention`, and ValueError for heads that are no multiple of kv_heads.
template <typename T = float>
GroupedSinkResult<T> grouped_sink_attention(In<T> Q, In<T> K, In<T> V, Index heads, Index kv_heads,
                                            const SinkOptions& options = {});

template <typename T = float>
struct SinkAttentionGradients {
  /// As Q, K and V.
  Matrix<T> dQ, dK, dV;
};

/// Gradients of Σ output ∘ dO. The forward pass is computed again. @throws as `sink_attention`, and
/// for a dO of another shape.
template <typename T = float>
SinkAttentionGradients<T> sink_attention_backward(In<T> Q, In<T> K, In<T> V, In<T> dO,
                                                  const SinkOptions& options = {});

}  // namespace attn
