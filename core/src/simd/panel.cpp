#include "panel.hpp"

namespace attn::simd::ATTN_SIMD_SET {
namespace {

/// The number of terms that are summed one after the other before their sum is added to the others
/// in a tile. At d_k = 64, two sums of scores have two thirds of the error of one, for 1 % more
/// time. Where rows of C are far apart, it would be 10 % more.
constexpr Size kTerms = 32;

template <bool kAdd>
ATTN_INLINE void product_of(Size count, Size depth, const float* a, Size a_step, Size a_panel,
                            const float* b, Size b_step, float* c, Size c_row, const float* s,
                            Size s_row) {
  const Size terms = c_row == kCols ? kTerms : depth;
  ATTN_NO_UNROLL
  for (; count > 0; --count) {
    const float *ak = a, *bk = b;
    ATTN_NO_UNROLL
    for (Size left = depth; left > 0; left -= terms) {
      F sums[kRows][2] = {};
      // The loop compares with an end pointer and not with a count, which saves one of 26
      // instructions. With two terms a round the relaxed module is 2 % slower in Chromium 156, and
      // the plain one 30 % in Node 20.
      const float* const end = ak + at_most(left, terms) * a_step;
      ATTN_NO_UNROLL
      do {
        const F b0 = load(bk), b1 = load(bk + kLanes);
        ATTN_UNROLL
        for (Size r = 0; r < kRows; ++r) {
          const F x = splat(ak[r]);
          sums[r][0] = multiply_add(x, b0, sums[r][0]);
          sums[r][1] = multiply_add(x, b1, sums[r][1]);
        }
        ak += a_step;
        bk += b_step;
      } while (ak != end);
      if (kAdd || left < depth) {
        const bool first = kAdd && left == depth;
        const float* more = first ? s : c;
        const Size more_row = first ? s_row : c_row;
        ATTN_UNROLL
        for (Size r = 0; r < kRows; ++r, more += more_row) {
          sums[r][0] += load(more);
          sums[r][1] += load(more + kLanes);
        }
      }
      ATTN_UNROLL
      for (Size r = 0; r < kRows; ++r) {
        store(c + r * c_row, sums[r][0]);
        store(c + r * c_row + kLanes, sums[r][1]);
      }
    }
    a += a_panel;
    c += kRows * c_row;
    if (kAdd) s += kRows * s_row;
  }
}

/// Four rows of four numbers, transposed and times `factor`.
ATTN_INLINE void move_block(const float* a, const float* b, const float* c, const float* d,
                            F4 factor, float* out, Size out_row) {
  F4 p = load4(a), q = load4(b), r = load4(c), s = load4(d);
  transpose4(p, q, r, s);
  store4(out, p * factor);
  store4(out + out_row, q * factor);
  store4(out + 2 * out_row, r * factor);
  store4(out + 3 * out_row, s * factor);
}

}  // namespace

ATTN_NOINLINE void product(Size count, Size depth, const float* a, Size a_step, Size a_panel,
                           const float* b, Size b_step, float* c, Size c_row) {
  product_of<false>(count, depth, a, a_step, a_panel, b, b_step, c, c_row, nullptr, 0);
}

ATTN_NOINLINE void add_product(Size count, Size depth, const float* a, Size a_step, Size a_panel,
                               const float* b, Size b_step, float* c, Size c_row, const float* s,
                               Size s_row) {
  product_of<true>(count, depth, a, a_step, a_panel, b, b_step, c, c_row, s, s_row);
}

ATTN_NOINLINE void pack_rows(const float* x, Size x_row, Size rows, Size cols, Size width,
                             float factor, float* out) {
  const Size whole = rows & ~Size{3}, blocks = cols & ~Size{3};
  const F4 factors = splat4(factor);
  for (Size r = 0; r < whole; r += 4) {
    const float* const a = x + r * x_row;
    const float *const b = a + x_row, *const c = b + x_row, *const d = c + x_row;
    ATTN_NO_UNROLL
    for (Size k = 0; k < blocks; k += 4) {
      move_block(a + k, b + k, c + k, d + k, factors, out + k * width + r, width);
    }
  }
  for (Size r = 0; r < width; ++r) {
    const Size first = r < whole ? blocks : 0;
    ATTN_NO_UNROLL
    for (Size k = first; k < cols; ++k) {
      out[k * width + r] = r < rows ? x[r * x_row + k] * factor : 0;
    }
  }
}

ATTN_NOINLINE void pack_four(const float* const* rows, Size cols, float* out) {
  const float *const a = rows[0], *const b = rows[1], *const c = rows[2], *const d = rows[3];
  const F4 one = splat4(1);
  Size k = 0;
  ATTN_NO_UNROLL
  for (; k + 4 <= cols; k += 4) move_block(a + k, b + k, c + k, d + k, one, out + k * 4, 4);
  ATTN_NO_UNROLL
  for (; k < cols; ++k) {
    for (int r = 0; r < 4; ++r) out[k * 4 + r] = rows[r][k];
  }
}

ATTN_NOINLINE void copy_rows(const float* x, Size x_row, Size rows, Size cols, float* out,
                             Size out_row, Size width) {
  for (; rows > 0; --rows) {
    Size k = 0;
    ATTN_NO_UNROLL
    for (; k + 4 <= cols; k += 4) store4(out + k, load4(x + k));
    ATTN_NO_UNROLL
    for (; k < cols; ++k) out[k] = x[k];
    ATTN_NO_UNROLL
    for (; k < width; ++k) out[k] = 0;
    x += x_row;
    out += out_row;
  }
}

ATTN_NOINLINE void unpack_rows(const float* tile, Size rows, Size cols, const float* factor,
                               float* out, Size out_row) {
  const Size whole = rows & ~Size{3}, blocks = cols & ~Size{3};
  for (Size r = 0; r < whole; r += 4) {
    // Before the transpose, the factors lie along the lanes.
    const F4 factors = load4(factor + r);
    for (Size k = 0; k < blocks; k += 4) {
      const float* from = tile + k * kCols + r;
      float* to = out + r * out_row + k;
      F4 a = load4(from) * factors, b = load4(from + kCols) * factors,
         c = load4(from + 2 * kCols) * factors, d = load4(from + 3 * kCols) * factors;
      transpose4(a, b, c, d);
      store4(to, a);
      store4(to + out_row, b);
      store4(to + 2 * out_row, c);
      store4(to + 3 * out_row, d);
    }
  }
  for (Size r = 0; r < rows; ++r) {
    const Size first = r < whole ? blocks : 0;
    ATTN_NO_UNROLL
    for (Size k = first; k < cols; ++k) out[r * out_row + k] = tile[k * kCols + r] * factor[r];
  }
}

ATTN_NOINLINE void scale_rows(const float* factor, Size rows, Size cols, float* x, Size x_row) {
  for (Size r = 0; r < rows; ++r, x += x_row) {
    const float f = factor[r];
    Size k = 0;
    ATTN_NO_UNROLL
    for (; k + kLanes <= cols; k += kLanes) store(x + k, load(x + k) * f);
    ATTN_NO_UNROLL
    for (; k < cols; ++k) x[k] *= f;
  }
}

ATTN_NOINLINE void fill(float* x, Size count, float value) {
  ATTN_NO_UNROLL
  for (Size i = 0; i < count; ++i) x[i] = value;
}

}  // namespace attn::simd::ATTN_SIMD_SET
