#pragma once
// Reading a long text from front to back with one head of causal attention: softmax attention with
// a cache of keys and values that grows, or linear attention with a state that does not.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attn/attention/kv_cache.hpp"
#include "attn/base/inputs.hpp"
#include "attn/base/tensor.hpp"
#include "attn/linear_attention/feature_map.hpp"
#include "attn/linear_attention/linear_decoder.hpp"

namespace attn {

enum class ReadingMechanism { kSoftmax, kLinear };

struct TextReaderOptions {
  Index d_k = 64, d_v = 64;
  std::uint64_t seed = 0;
  /// The most bytes that the cache of softmax attention may take; none: as many as the text needs,
  /// up to `kMaxKvCacheBytes`.
  std::optional<std::uint64_t> cache_bytes;
};

/// Where a reader is.
struct ReadingProgress {
  /// The tokens that were read, and the tokens of the text.
  Index position = 0, tokens = 0;
  /// The section of the token that was read last, from 0.
  Index section = 0;
  /// The tokens that can be read: all, or as many as the cache holds.
  Index capacity = 0;
  /// The bytes that the next token needs of all earlier ones: the stored keys and values, or S and
  /// z.
  std::uint64_t bytes = 0;
  /// Multiply-adds so far, and those until `capacity`. Counted token by token: d_k·(2·d_k + d_v)
  /// for making q, k and v; then t·(d_k + d_v) for the t-th token of softmax attention, and
  /// 2·D·(d_v + 1) for any token of linear attention.
  std::uint64_t multiply_adds = 0, multiply_adds_left = 0;
  /// The largest |entry| of all outputs so far.
  double largest = 0;
};

/// Reads a text (`LongText`) block by block. Both mechanisms get the same queries, keys and values,
/// in the same blocks of `kBlock` tokens; their outputs equal those of causal `attention` and
/// causal, normalised `linear_attention` over the whole text, and are not kept.
template <typename T = float>
class TextReader {
 public:
  /// The tokens that are read at once.
  static constexpr Index kBlock = 16;

  /// @param map of linear attention; none: ELU + 1.
  /// @throws as `LongText`, `KvCache` and `LinearDecoder`; ValueError for cache bytes that do not
  /// hold one token.
  TextReader(ReadingMechanism mechanism, std::vector<std::string> sections,
             const std::optional<FeatureMap<T>>& map = {}, TextReaderOptions options = {});

  /// Reads up to `count` tokens: fewer where the text or the cache ends. Costs what
  /// `ReadingProgress::multiply_adds` says.
  /// @throws ValueError for a negative count
  void read(Index count);
  /// O(1)
  ReadingProgress progress() const;
  /// The text of the last `count` tokens that were read, within their section.
  std::string words(Index count) const;

 private:
  std::uint64_t multiply_adds_until(Index position) const;

  LongText<T> text_;
  std::optional<KvCache<T>> cache_;
  std::optional<LinearDecoder<T>> decoder_;
  Index position_ = 0, capacity_;
  double largest_ = 0;
};

/// Reads `tokens` tokens step by step, so that reading can be watched and stopped; what was read
/// stays read.
template <typename T = float>
class Reading {
 public:
  Reading(TextReader<T>& reader, Index tokens);
  /// Reads up to `amount` tokens. Returns whether all are read.
  bool step(Index amount);
  double progress() const;
  ReadingProgress result() const { return reader_->progress(); }

 private:
  TextReader<T>* reader_;
  Index tokens_, done_ = 0;
};

}  // namespace attn
