#include "attn/cost/flash_io.hpp"

#include <algorithm>

#include "attn/attention/attention.hpp"
#include "attn/attention/flash_attention.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/inputs.hpp"
#include "attn/cost/operation_count.hpp"
#include "attn/cost/phrases.hpp"
#include "base/whole.hpp"

namespace attn {
namespace {

using internal::Whole;

constexpr std::uint64_t kMostWeightBytes = std::uint64_t{1} << 28;

Whole parts(Whole size, Whole part) { return (size - 1) / part + 1; }

void require_flash_io(const FlashIoShape& shape) {
  const auto at_least_one = [](std::string_view name, std::uint64_t value) {
    if (value == 0) throw ValueError(name, phrase::number(0), phrase::at_least(1));
  };
  at_least_one("n", shape.n);
  at_least_one("d", shape.d);
  at_least_one("tile_rows", shape.tile_rows);
  at_least_one("tile_cols", shape.tile_cols);
  if (shape.n > kMostFlashIoRows) {
    throw CapacityError("n", phrase::number(shape.n), phrase::at_most_rows(kMostFlashIoRows));
  }
}

/// What tiles of so many queries move.
Whole moved_in_tiles(const FlashIoShape& shape, std::uint64_t tile_rows) {
  const Whole n = shape.n, once = 2 * n * shape.d;
  if (!shape.causal) return once + once * parts(n, tile_rows);
  Whole keys = 0;
  for (std::uint64_t first = 0; first < shape.n; first += tile_rows) {
    const std::uint64_t end = std::min(tile_rows, shape.n - first) + first;
    keys += std::min(parts(end, shape.tile_cols) * shape.tile_cols, n);
  }
  return once + 2 * keys * shape.d;
}

}  // namespace

FlashIo flash_io(const FlashIoShape& shape) {
  require_flash_io(shape);
  const Whole n = shape.n, d = shape.d;
  FlashIo made;
  made.flash_elements = moved_in_tiles(shape, shape.tile_rows).value();
  made.exact_elements = (4 * n * d + 4 * n * n).value();
  made.query_tiles = parts(n, shape.tile_rows).value();
  made.key_tiles = parts(n, shape.tile_cols).value();
  made.gain = static_cast<double>(made.exact_elements) / static_cast<double>(made.flash_elements);
  made.break_even = static_cast<double>((n * d).value()) /
                    static_cast<double>((d + 2 * n).value()) / (shape.causal ? 2 : 1);
  for (std::uint64_t rows = 1; rows <= shape.n; ++rows) {
    if (moved_in_tiles(shape, rows) >= Whole(made.exact_elements)) continue;
    made.smallest_winning_tile = static_cast<std::int64_t>(rows);
    break;
  }
  return made;
}

template <typename T>
CountedFlashIo counted_flash_io(const FlashIoShape& shape, std::uint64_t seed) {
  require_flash_io(shape);
  const Whole n = shape.n, bytes = sizeof(T) * n * std::max(n, Whole(3 * Whole(shape.d)));
  if (bytes.value() > kMostWeightBytes) {
    throw CapacityError("n", phrase::mebibytes(bytes.value() >> 20),
                        phrase::mebibytes_in_a_run(kMostWeightBytes >> 20));
  }
  const auto index = [](std::uint64_t x) { return static_cast<Index>(x); };
  const Qkv<T> x = gaussian_qkv<T>(index(shape.n), index(shape.d), index(shape.d), seed);
  const Mask mask = shape.causal ? Mask::causal() : Mask::full();
  CountedFlashIo made;
  // Longer tiles than the matrix are those of the matrix.
  FlashOptions<T> tiles;
  tiles.mask = mask;
  tiles.query_tile = index(std::min(shape.tile_rows, shape.n));
  tiles.key_tile = index(std::min(shape.tile_cols, shape.n));
  // A meter makes the tiles run as they are written, also where a kernel has tiles of its own.
  const OperationMeter flash_meter;
  const FlashResult<T> flash = flash_attention<T>(x.Q, x.K, x.V, tiles);
  made.flash_read = flash.traffic.read;
  made.flash_written = flash.traffic.written;
  made.visited_tiles = static_cast<std::uint64_t>(flash.visited_tiles);
  AttentionOptions<T> plain;
  plain.mask = mask;
  const OperationMeter meter;
  attention<T>(x.Q, x.K, x.V, plain);
  made.exact_read = meter.count().bytes_read / sizeof(T);
  made.exact_written = meter.count().bytes_written / sizeof(T);
  return made;
}

template CountedFlashIo counted_flash_io<float>(const FlashIoShape&, std::uint64_t);
template CountedFlashIo counted_flash_io<double>(const FlashIoShape&, std::uint64_t);

}  // namespace attn
