#pragma once
// How many numbers attention moves between slow and fast memory: plain, with the n×n matrices, and
// in tiles. As formulas (Dao et al. 2022, arXiv:2205.14135, algorithms 0 and 1), and as the code
// counts them.
//
// Tiles save no multiply-add. What they save is traffic, and a tile of too few queries saves none:
// the keys and values are read once for every tile of queries, so that below about d/2 queries
// more is moved than by writing the n×n matrix out and reading it again.

#include <cstdint>

#include "attn/base/tensor.hpp"

namespace attn {

/// The most queries that `flash_io` is asked for: it tries every tile.
inline constexpr std::uint64_t kMostFlashIoRows = std::uint64_t{1} << 16;

/// One head of n queries and n keys, d numbers each.
struct FlashIoShape {
  std::uint64_t n = 1024, d = 64;
  /// The numbers of queries and of keys in a tile; the last tile may be smaller.
  std::uint64_t tile_rows = 64, tile_cols = 64;
  /// Whether a query sees no later key. Tiles above the diagonal are then never read, while plain
  /// attention fills its whole matrix.
  bool causal = false;
};

/// Numbers, not bytes, that one forward pass moves.
struct FlashIo {
  /// Q read and O written once; K and V read once for each tile of queries, without a mask all of
  /// them: 2nd·(1 + query_tiles). What a tile of queries needs meanwhile stays in fast memory: its
  /// scores, its output, and the maximum and the sum of each row.
  std::uint64_t flash_elements = 0;
  /// Q and K read, the scores written and read, the weights written and read, V read and O written:
  /// 4nd + 4n².
  std::uint64_t exact_elements = 0;
  std::uint64_t query_tiles = 0, key_tiles = 0;
  /// exact_elements / flash_elements; below 1 the tiles lose.
  double gain = 0;
  /// The queries in a tile at which both move the same, if tiles need not be whole numbers:
  /// nd/(d + 2n), or half of it where causal.
  double break_even = 0;
  /// The fewest queries in a tile that move less than plain attention does. None only where no tile
  /// does.
  std::int64_t smallest_winning_tile = -1;
};

/// O(n), or O(n·ln n) where causal.
/// @throws ValueError for a size of 0; CapacityError for more than `kMostFlashIoRows` queries and
/// for counts of more than 64 bits.
FlashIo flash_io(const FlashIoShape& shape);

/// The same as counted while both run on N(0, 1) inputs.
struct CountedFlashIo {
  /// What `flash_attention` takes out of the matrices and puts into them as it goes from tile to
  /// tile (`FlashResult::traffic`). Equal to `FlashIo::flash_elements` together.
  std::uint64_t flash_read = 0, flash_written = 0;
  /// What an `OperationMeter` counts of `attention`. Together they are `FlashIo::exact_elements`
  /// and 2nd more, because this library scales the queries in a pass of its own.
  std::uint64_t exact_read = 0, exact_written = 0;
  /// Of the query_tiles·key_tiles tiles.
  std::uint64_t visited_tiles = 0;
};

/// @throws as `flash_io`; CapacityError where the matrix of weights takes more than 256 MiB.
template <typename T = float>
CountedFlashIo counted_flash_io(const FlashIoShape& shape, std::uint64_t seed = 0);

}  // namespace attn
