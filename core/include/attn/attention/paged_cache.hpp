#pragma once
// A cache of keys and values in blocks of equal size, which sequences share. Kwon et al. 2023,
// vLLM, arXiv:2309.06180, sections 4.1 to 4.4.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "attn/attention/kv_cache.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// Each sequence has a table: its k-th block of tokens lies in block table[k] of the memory. A
/// block counts the tables that hold it; one that several hold is copied before anything is written
/// into it. A new block is always the free one with the lowest number. At most one block of a
/// sequence has free slots, and the output is that of a `KvCache` with the same tokens, bit for
/// bit. All memory is taken at construction.
template <typename T = float>
class PagedCache {
 public:
  /// @throws ValueError for numbers below 1; CapacityError beyond `kMaxKvCacheBytes`.
  PagedCache(Index blocks, Index block_size, Index kv_heads, Index d_k, Index d_v);

  /// Adds tokens to a sequence, which begins if there is none of that number: K r×hk·d_k, V
  /// r×hk·d_v. `tokens`: r of them, if what they are is known; full blocks of known tokens can be
  /// shared by `share_prefix`. O(r·hk·(d_k + d_v)), and a block more where one is copied.
  /// @throws CapacityError, naming both counts, when the blocks that it needs, a copy included, are
  /// not all free; ShapeError, ValueError. Nothing changes then.
  void append(Index sequence, In<T> K, In<T> V, std::span<const std::int32_t> tokens = {});

  /// Sequence `to` begins with everything that `from` has, and shares its blocks. O(blocks of
  /// `from`). @throws ValueError when there is no `from`, or a `to` already.
  void fork(Index from, Index to);

  /// Sequence `to` begins with the full blocks of living sequences whose tokens, from the first on,
  /// are these. Returns how many tokens that is; the others are to be appended. O(blocks·log).
  /// @throws ValueError when there is a `to` already.
  Index share_prefix(Index to, std::span<const std::int32_t> tokens);

  /// Forgets a sequence; blocks that no other holds are free. @throws ValueError when there is
  /// none.
  void release(Index sequence);

  /// `KvCache::attend` over one sequence. r·tokens·h·(d_k + d_v) multiply-adds, and a copy of the
  /// sequence's keys and values.
  /// @throws ShapeError, ValueError
  KvAttention<T> attend(Index sequence, In<T> Q, Index heads,
                        std::optional<double> scale = {}) const;

  Index blocks() const { return static_cast<Index>(references_.size()); }
  Index block_size() const { return block_size_; }
  bool has(Index sequence) const { return sequences_.contains(sequence); }
  /// The tokens of a sequence; 0 where there is none.
  Index length(Index sequence) const;
  /// The blocks of a sequence, in the order of its tokens; empty where there is none.
  std::vector<Index> table(Index sequence) const;
  /// How many tables hold each block; 0: it is free.
  const std::vector<Index>& references() const { return references_; }
  Index blocks_in_use() const;
  /// Free slots inside blocks in use, each block once.
  Index wasted_slots() const;
  /// How many blocks were copied before they were written, since construction.
  Index blocks_copied() const { return copied_; }

 private:
  struct Sequence {
    std::vector<Index> table;
    Index length = 0;
    /// The tokens from the first on, as far as they are known without a gap.
    std::vector<std::int32_t> tokens;
  };
  /// The block before (−1: none) and the tokens of a full block.
  using Prefix = std::pair<Index, std::vector<std::int32_t>>;

  Index take_block();
  void give_up(Index block);
  void name_full_block(const Sequence& sequence, Index at);
  const Sequence& require(std::string_view argument, Index sequence) const;
  void require_new(Index sequence) const;

  Index block_size_, kv_heads_, d_k_, d_v_;
  std::map<Index, Sequence> sequences_;
  std::vector<Index> references_, filled_;
  std::map<Prefix, Index> prefixes_;
  std::vector<std::optional<Prefix>> prefix_of_;
  Index copied_ = 0;
  /// For each key-value head a row for each slot.
  std::vector<Matrix<T>> keys_, values_;
};

enum class PagedAction { kAppend, kFork, kFree };

struct PagedOperation {
  PagedAction action = PagedAction::kAppend;
  Index sequence = 0;
  /// append: how many tokens; fork: the number of the new sequence.
  Index count = 0;
};

/// What a list of operations did to a paged cache. −1 stands for no block and no token.
template <typename T = float>
struct PagedTrace {
  /// For each operation whether it was carried out, and then the state.
  std::vector<std::int32_t> ok, blocks_in_use, wasted_slots, blocks_copied;
  /// operations×blocks
  Matrix<T> references;
  /// (operations·sequences)×the longest table: the blocks of each sequence after each operation.
  Matrix<T> tables;
  /// operations×sequences
  Matrix<T> lengths;
  /// At the end: sequences×the longest sequence, block·block_size + place of each token.
  Matrix<T> slots;
  /// sequences×d_v: at the end, for each sequence the attention of its query over its tokens; 0 for
  /// sequences that are not there or empty.
  Matrix<T> output;
};

/// Carries out operations on a cache with one head, of which sequences 0 … sequences − 1 are shown.
/// The tokens of the appends that fit take the rows of K and V from the first on. Q sequences×d_k.
/// What does not fit, or has no sequence to work on, is passed over.
/// @throws ShapeError, also for fewer rows than tokens; ValueError for a sequence below 0;
/// otherwise as `PagedCache`
template <typename T = float>
PagedTrace<T> paged_trace(std::span<const PagedOperation> operations, Index blocks,
                          Index block_size, Index sequences, In<T> K, In<T> V, In<T> Q);

}  // namespace attn
