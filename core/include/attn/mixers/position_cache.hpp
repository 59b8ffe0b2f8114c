#pragma once
// Decoding with a cache that knows where its tokens stand: rotary embedding and ALiBi from any
// position on, a window, and sinks whose keys are turned by their place in the cache. Xiao et al.
// 2023, arXiv:2309.17453, section 3.2; Su et al. 2021, arXiv:2104.09864; Press et al. 2022,
// arXiv:2108.12409.

#include <optional>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/mixers/positions.hpp"

namespace attn {

/// How a token's place enters the scores.
enum class CachePositions {
  kNone,
  /// Keys are stored turned by their position in the text. What was evicted leaves a gap.
  kRotaryInText,
  /// Keys are stored unturned and are turned at each step by their place 0 … L − 1 among the kept
  /// ones, the query by L − 1, so that no distance exceeds those of a full cache (StreamingLLM).
  /// Equal to kRotaryInText until a token is evicted that is not the oldest.
  kRotaryByPlace,
  /// −slope·(i − j) is added to the scores, i and j positions in the text, with `alibi_slopes`.
  kAlibi,
};

struct PositionCacheOptions {
  /// How many tokens from the start stay.
  Index sinks = 0;
  /// How many of the newest tokens are kept, the query's own included. Left out: all.
  std::optional<Index> window = {};
  CachePositions positions = CachePositions::kNone;
  RotaryOptions rotary = {};
  /// Where the first token stands.
  Index first_position = 0;
  /// Factor on q·k. Left out: 1/√d_k.
  std::optional<double> scale = {};
};

template <typename T = float>
struct PositionAttention {
  /// r×h·d_v
  Matrix<T> output;
  /// For each head r×(the most keys that a query sees), oldest first; 0 where a query sees fewer.
  std::vector<Matrix<T>> weights;
  /// r×the same: the positions of those keys in the text; −1 where a query sees fewer.
  Matrix<double> positions;
};

/// Keys and values of hk key-value heads for h heads; head i uses key-value head ⌊i·hk/h⌋. The
/// sinks lie in the first slots; a later token t in slot sinks + (t − sinks) mod window.
template <typename T = float>
class PositionCache {
 public:
  /// @throws ValueError for counts below 1, heads that are no multiple of kv_heads, a window below
  /// 1, sinks below 0, a first position outside 0 … 2³¹ − 1, or rotary options that do not fit d_k.
  PositionCache(Index heads, Index kv_heads, Index d_k, Index d_v,
                const PositionCacheOptions& options = {});

  /// Stores tokens, one in each row: K r×hk·d_k, V r×hk·d_v. O(r·hk·(d_k + d_v)).
  /// @throws ShapeError, ValueError; CapacityError for a position beyond 2³¹ − 1. Nothing changes
  /// then.
  void append(In<T> K, In<T> V);
  /// Token by token: stores it, evicts, and attends with its query, Q r×h·d_k. At most
  /// r·(sinks + window)·h·(d_k + d_v) multiply-adds.
  /// @throws as `append`; ValueError for scores that overflow, after which the tokens before stay.
  PositionAttention<T> decode(In<T> Q, In<T> K, In<T> V);

  /// The tokens kept.
  Index size() const;
  /// Where the next token stands: first_position + all tokens so far, not the number kept.
  Index next_position() const { return options_.first_position + seen_; }
  /// The position of the token in each slot, −1 where it is empty: sinks + window of them, or as
  /// many as there are tokens where nothing is evicted.
  std::vector<Index> slot_positions() const;
  /// sizeof(T) for each number of the kept keys and values.
  std::size_t bytes() const;

 private:
  void require_tokens(In<T> K, In<T> V) const;
  void store(In<T> K, In<T> V);
  Index slot_of(Index token) const;
  std::vector<Index> kept() const;

  Index heads_, kv_heads_, d_k_, d_v_;
  PositionCacheOptions options_;
  Vector<double> slopes_;
  Index seen_ = 0;
  /// A row for each slot.
  Matrix<T> keys_, values_;
};

/// The newest query's scores for the tokens that a cache still keeps, oldest first.
template <typename T = float>
struct EvictedScores {
  /// Their positions in the text.
  std::vector<Index> positions;
  /// What each scores in a cache of all tokens, and in this one. Before softmax.
  Vector<T> whole, kept;
  /// max |kept − whole|.
  double largest_difference = 0;
  /// ½·Σ|softmax(kept) − softmax(whole)|: the share of the weights that has gone to another token.
  double moved = 0;
};

/// The scores of the last of n tokens as `PositionCache` makes them, after what lies between the
/// sinks and the window was evicted, beside those of one that evicts nothing. One head; ALiBi's
/// slope is 2^(−8), a single head's. Q 1×d_k: its query; K n×d_k: all keys. O(n·d_k).
/// @param count_kept the query takes the number of kept tokens for the length of the text, as a
/// program does that reads its position off the cache. Stored places no longer fit to it then:
/// rotary angles are wrong, and ALiBi is off by one constant, which softmax takes away.
/// @throws ShapeError unless Q is 1×d_k and K has a row; ValueError as `PositionCache`, and for
/// scores that overflow.
template <typename T = float>
EvictedScores<T> evicted_scores(In<T> Q, In<T> K, const PositionCacheOptions& options = {},
                                bool count_kept = false);

}  // namespace attn
