#pragma once
// Incremental decoding: the keys and values of earlier tokens are kept, so that a new token costs
// one row of attention instead of all rows.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "attn/attention/multi_head.hpp"
#include "attn/attention/precision.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// How a cache stores its numbers.
enum class KvStorage {
  kExact,     ///< as they come: sizeof(T) bytes each
  kFloat16,   ///< 2 bytes each
  kBfloat16,  ///< 2 bytes each
  kInt8,      ///< 1 byte each, and a scale of sizeof(T) bytes for each key and each value
};

/// The bytes of the keys and values of `tokens` tokens: tokens·hk·(d_k + d_v)·(bytes per number),
/// and for int8 also the scales: tokens·hk·2·scalar_bytes. O(1).
/// @throws ValueError for numbers below 1 (tokens: below 0); CapacityError beyond 2⁵³ bytes.
std::uint64_t kv_cache_bytes(Index tokens, Index kv_heads, Index d_k, Index d_v,
                             KvStorage storage = KvStorage::kExact,
                             std::size_t scalar_bytes = sizeof(float));

/// The most memory that one cache may take; a larger request is refused with a message.
inline constexpr std::size_t kMaxKvCacheBytes = std::size_t{512} << 20;

struct KvCacheOptions {
  /// When given, the cache is a ring: new tokens overwrite the oldest, and each query sees the last
  /// `window` tokens up to and including its own (sliding-window attention). 1 … capacity.
  std::optional<Index> window;
  KvStorage storage = KvStorage::kExact;
};

template <typename T = float>
struct KvAttention {
  /// r×h·d_v for r queries
  Matrix<T> output;
  /// h matrices of r×k: the k newest tokens, oldest first, that at least one of the queries sees.
  std::vector<Matrix<T>> weights;
  /// The position in the whole sequence of the token of column 0.
  Index first_position = 0;
};

/// Keys and values of up to `capacity` tokens for hk key-value heads. Key-value head g of a token
/// is columns g·d_k … of its row, as in `grouped_query_attention`. Positions must be encoded into
/// the keys before they are appended. All memory is taken at construction.
template <typename T = float>
class KvCache {
 public:
  /// @throws ValueError for numbers below 1 or a window over the capacity; CapacityError when the
  /// cache would exceed `kMaxKvCacheBytes`.
  KvCache(Index capacity, Index kv_heads, Index d_k, Index d_v, KvCacheOptions options = {});

  /// Stores tokens, one in each row: K r×hk·d_k, V r×hk·d_v. O(r·hk·(d_k + d_v)).
  /// @throws CapacityError, naming both lengths, when they do not fit and the cache is not a ring;
  /// ShapeError, ValueError. The cache does not change then.
  void append(In<T> K, In<T> V);

  /// Attention of the queries of the newest r tokens, Q r×h·d_k, oldest first: query r − 1 sees
  /// every stored token (in a ring: the last `window`), query r − 2 all but the newest, and so on.
  /// The rows equal those of causal attention over the whole sequence. r·tokens·h·(d_k + d_v)
  /// multiply-adds.
  /// @throws ShapeError, also for more queries than tokens; ValueError; CapacityError when a ring
  /// has overwritten tokens that the first of several queries should see (window + r − 1 >
  /// capacity).
  KvAttention<T> attend(In<T> Q, Index heads, std::optional<double> scale = {}) const;

  /// `append`, then `attend`; on any error the cache does not change. The cost is that of both; a
  /// full ring also copies the tokens that it is about to overwrite.
  /// @throws as `append` and `attend`
  KvAttention<T> decode(In<T> Q, In<T> K, In<T> V, Index heads, std::optional<double> scale = {});

  /// Forgets every token.
  void reset() { appended_ = 0; }

  Index capacity() const { return capacity_; }
  Index kv_heads() const { return kv_heads_; }
  bool is_ring() const { return options_.window.has_value(); }
  /// The number of stored tokens.
  Index size() const { return std::min(appended_, capacity_); }
  /// The number of tokens appended since construction or `reset`, which is the position of the next
  /// one.
  Index appended() const { return appended_; }
  /// The bytes of the stored tokens, and of the memory taken.
  std::uint64_t bytes() const;
  std::uint64_t capacity_bytes() const;

  /// The keys and values of one key-value head as attention sees them, oldest first: size()×d_k and
  /// size()×d_v.
  /// @throws ValueError for a head that does not exist.
  Matrix<T> keys(Index kv_head) const;
  Matrix<T> values(Index kv_head) const;

 private:
  /// Rows of one width, in the storage asked for; row g·capacity + slot.
  struct Rows {
    Index width = 0;
    KvStorage storage = KvStorage::kExact;
    Matrix<T> exact;
    std::vector<std::uint16_t> halves;
    std::vector<std::int8_t> codes;
    std::vector<T> scales;

    void allocate(Index rows, Index row_width, KvStorage how);
    void write(Index row, const T* from);
    /// Copies a row bit for bit from rows of the same width and storage.
    void copy(Index row, const Rows& from, Index from_row);
    void read(Index first, Eigen::Ref<Matrix<T>> into) const;
  };

  void require_tokens(In<T> K, In<T> V) const;
  void require_queries(In<T> Q, Index heads, const std::optional<double>& scale,
                       Index appended) const;
  /// The newest `count` rows of a head, oldest first. They are the cache's own memory where they
  /// lie there in this order, and are otherwise assembled in `scratch`.
  Eigen::Map<const Matrix<T>> newest(const Rows& rows, Index kv_head, Index count,
                                     Matrix<T>& scratch) const;
  void require_kv_head(Index kv_head) const;

  Index capacity_, kv_heads_, d_k_, d_v_;
  KvCacheOptions options_;
  Index appended_ = 0;
  Rows keys_, values_;
};

}  // namespace attn
