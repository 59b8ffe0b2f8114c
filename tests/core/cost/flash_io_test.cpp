#include "attn/cost/flash_io.hpp"

#include <cstdint>
#include <vector>

#include "attn/attention/flash_attention.hpp"
#include "attn/base/inputs.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("flash_io");

namespace {

/// Shapes that fill their tiles and that do not, tiles larger than the matrix, and single rows.
std::vector<FlashIoShape> io_shapes() {
  std::vector<FlashIoShape> all;
  for (const std::uint64_t n : {1, 2, 7, 32, 45}) {
    for (const std::uint64_t d : {1, 6, 40}) {
      for (const std::uint64_t rows : {1, 4, 9, 64}) {
        for (const std::uint64_t cols : {1, 5, 64}) {
          for (const bool causal : {false, true}) all.push_back({n, d, rows, cols, causal});
        }
      }
    }
  }
  return all;
}

template <typename T>
void check_counts(const FlashIoShape& shape) {
  CAPTURE(shape.n);
  CAPTURE(shape.d);
  CAPTURE(shape.tile_rows);
  CAPTURE(shape.tile_cols);
  CAPTURE(shape.causal);
  const FlashIo formula = flash_io(shape);
  const CountedFlashIo counted = counted_flash_io<T>(shape, 3);
  CHECK(counted.flash_read + counted.flash_written == formula.flash_elements);
  CHECK(counted.flash_written == shape.n * shape.d);
  // Scaling reads and writes Q once more.
  CHECK(counted.exact_read + counted.exact_written ==
        formula.exact_elements + 2 * shape.n * shape.d);
  if (!shape.causal) CHECK(counted.visited_tiles == formula.query_tiles * formula.key_tiles);
  if (shape.causal) CHECK(counted.visited_tiles <= formula.query_tiles * formula.key_tiles);
}

}  // namespace

TEST_CASE("what tiled and plain attention move is what the formulas say") {
  for (const FlashIoShape& shape : io_shapes()) {
    check_counts<float>(shape);
    check_counts<double>(shape);
  }
}

TEST_CASE("the kernels with tiles of their own report the traffic of the tiles of the options") {
  const Qkv<float> x = gaussian_qkv<float>(37, 8, 5, 1);
  for (const Mask& mask : {Mask::full(), Mask::causal(), Mask::window({.left = 3, .right = 2})}) {
    FlashOptions<float> fast, slow;
    fast.mask = slow.mask = mask;
    fast.query_tile = slow.query_tile = 6;
    fast.key_tile = slow.key_tile = 4;
    slow.trace = true;  // No kernel records a trace.
    const auto a = flash_attention<float>(x.Q, x.K, x.V, fast),
               b = flash_attention<float>(x.Q, x.K, x.V, slow);
    CHECK(a.traffic.read == b.traffic.read);
    CHECK(a.traffic.written == b.traffic.written);
    CHECK(a.traffic.written == 37 * 5);
  }
  // A bias is read cell by cell.
  FlashOptions<float> biased;
  biased.bias = random<float>(37, 37, 2);
  const auto plain = flash_attention<float>(x.Q, x.K, x.V),
             with = flash_attention<float>(x.Q, x.K, x.V, biased);
  CHECK(with.traffic.read == plain.traffic.read + 37 * 37);
}

TEST_CASE("a tile of few queries moves more than plain attention") {
  // Wider heads need larger tiles: break-even is near d/2.
  const FlashIo small = flash_io({.n = 1024, .d = 64, .tile_rows = 16}),
                large = flash_io({.n = 1024, .d = 64, .tile_rows = 256});
  CHECK(small.gain < 0.53);
  CHECK(large.gain == 6.8);
  CHECK(small.smallest_winning_tile == 32);
  CHECK(small.break_even == large.break_even);
  for (const FlashIoShape& shape : io_shapes()) {
    FlashIoShape at = shape;
    const std::int64_t least = flash_io(shape).smallest_winning_tile;
    // All queries at once read keys and values once, which always wins.
    REQUIRE(least >= 1);
    at.tile_rows = static_cast<std::uint64_t>(least);
    CHECK(flash_io(at).gain > 1);
    for (at.tile_rows = 1; at.tile_rows < static_cast<std::uint64_t>(least); ++at.tile_rows) {
      CHECK(flash_io(at).gain <= 1);
    }
  }
  // At break-even both move the same, where it is a whole number that divides n.
  const FlashIo even = flash_io({.n = 8, .d = 16, .tile_rows = 4});
  CHECK(even.break_even == 4);
  CHECK(even.gain == 1);
}

TEST_CASE("sizes of traffic that make no sense are refused by name") {
  CHECK(error_of([] { flash_io({.n = 0}); }).argument() == "n");
  CHECK(error_of([] { flash_io({.d = 0}); }).argument() == "d");
  CHECK(error_of([] { flash_io({.tile_rows = 0}); }).argument() == "tile_rows");
  CHECK(error_of([] { flash_io({.tile_cols = 0}); }).argument() == "tile_cols");
  CHECK(error_of([] { flash_io({.n = kMostFlashIoRows + 1}); }).code() == "capacity");
  CHECK(error_of([] { flash_io({.d = std::uint64_t{1} << 62}); }).code() == "capacity");
  CHECK(error_of([] { counted_flash_io({.n = kMostFlashIoRows}); }).code() == "capacity");
}

TEST_SUITE_END();
