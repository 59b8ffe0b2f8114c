#include "kernel_set.hpp"
#include "panel.hpp"

namespace attn::simd::ATTN_SIMD_SET {
namespace {

// Sizes in floats: a block of A stays in the first-level cache together with a panel of B, and a
// block of B in the second-level cache.
constexpr Size kBlockA = 4096, kBlockB = 65536;
constexpr Size kMaxDepth = 256, kMaxRows = 32;
/// A column of a matrix with rows of so many numbers stays in the first-level cache while the next
/// one is read.
constexpr Size kNarrow = 32;

struct Blocks {
  Size depth, rows, cols;
  float *a, *b, *edge;
  Size floats;

  Blocks(const Gemm& g, float* area)
      : depth(at_most(g.depth, kMaxDepth)),
        rows(at_most(round_up(g.rows, kRows),
                     at_most(kMaxRows, at_least(kRows, kBlockA / depth / kRows * kRows)))),
        cols(at_most(round_up(g.cols, kCols), at_least(kCols, kBlockB / depth / kCols * kCols))) {
    Work work{area};
    a = work.take(rows * depth);
    b = work.take(cols * depth);
    edge = work.take(rows * kCols);
    floats = work.floats;
  }
};

/// Packs the whole panels of kRows rows that lie side by side; column k begins at x + k·col. All
/// panels take from a column before the next one is read, because columns that are a power of two
/// apart drive each other out of the cache.
void pack_columns(const float* x, Size col, Size whole, Size depth, float* out) {
  ATTN_NO_UNROLL
  for (Size k = 0; k < depth; ++k) {
    ATTN_NO_UNROLL
    for (Size i = 0; i < whole; i += kRows) store4(out + i * depth + k * kRows, load4(x + i));
    x += col;
  }
}

/// Packs the rows of X, whose entry (i, k) is x[i·row + k·col], into panels of `width`:
/// out[p][k][width].
void pack(const float* x, Size row, Size col, Size rows, Size depth, Size width, float* out) {
  Size i = 0;
  if (col != 1 && width == kRows) {
    i = rows & ~(kRows - 1);
    pack_columns(x, col, i, depth, out);
  }
  for (; i < rows; i += width) {
    const Size height = at_most(width, rows - i);
    if (col == 1) {
      pack_rows(x + i * row, row, height, depth, width, 1, out + i * depth);
    } else {
      copy_rows(x + i, col, depth, height, out + i * depth, width, width);
    }
  }
}

}  // namespace

Size gemm_floats(const Gemm& g) { return Blocks(g, nullptr).floats; }

void gemm(const Gemm& g, float* work) {
  const Blocks block(g, work);
  // A narrow matrix whose rows are whole panels side by side is read where it lies.
  const bool a_in_place = g.a_row == 1 && g.a_col <= kNarrow && g.rows % kRows == 0;
  const bool b_in_place = g.b_col == 1 && g.b_row <= kNarrow && g.cols % kCols == 0;
  for (Size first_col = 0; first_col < g.cols; first_col += block.cols) {
    const Size cols = at_most(block.cols, g.cols - first_col);
    for (Size first_k = 0; first_k < g.depth; first_k += block.depth) {
      const Size depth = at_most(block.depth, g.depth - first_k);
      const float* const sums = first_k > 0 ? g.c : g.s;
      const Size s_row = first_k > 0 ? g.c_row : g.s_row;
      const float* const b = g.b + first_k * g.b_row + first_col * g.b_col;
      if (!b_in_place) pack(b, g.b_col, g.b_row, cols, depth, kCols, block.b);
      const Size b_step = b_in_place ? g.b_row : kCols;
      for (Size first_row = 0; first_row < g.rows; first_row += block.rows) {
        const Size rows = at_most(block.rows, g.rows - first_row);
        const float* a = g.a + first_row * g.a_row + first_k * g.a_col;
        if (!a_in_place) {
          pack(a, g.a_row, g.a_col, rows, depth, kRows, block.a);
          a = block.a;
        }
        const Size a_step = a_in_place ? g.a_col : kRows,
                   a_panel = a_in_place ? kRows : kRows * depth;
        for (Size j = 0; j < cols; j += kCols) {
          const float* const panel = b_in_place ? b + j : block.b + j * depth;
          float* const c = g.c + first_row * g.c_row + first_col + j;
          const Size width = at_most(kCols, cols - j);
          const Size whole = width == kCols ? rows / kRows : 0;
          const float* const s = sums ? sums + first_row * s_row + first_col + j : nullptr;
          if (s) {
            add_product(whole, depth, a, a_step, a_panel, panel, b_step, c, g.c_row, s, s_row);
          } else {
            product(whole, depth, a, a_step, a_panel, panel, b_step, c, g.c_row);
          }
          const Size done = whole * kRows;
          if (done == rows) continue;
          product((rows - done + kRows - 1) / kRows, depth, a + done / kRows * a_panel, a_step,
                  a_panel, panel, b_step, block.edge, kCols);
          for (Size r = done; r < rows; ++r) {
            const float* const from = block.edge + (r - done) * kCols;
            float* const to = c + r * g.c_row;
            const float* const more = s ? s + r * s_row : nullptr;
            ATTN_NO_UNROLL
            for (Size i = 0; i < width; ++i) to[i] = more ? more[i] + from[i] : from[i];
          }
        }
      }
    }
  }
}

}  // namespace attn::simd::ATTN_SIMD_SET
