#pragma once
// The operations that every kernel is made of: packing into panels, and one product of panels.
//
// The product keeps kRows×kCols sums in registers. For each k it reads kRows numbers of A, each
// spread over a vector, and kCols = 2 vectors of B. With 16 registers this is the largest tile that
// V8 keeps in registers (5×2, 6×2 and 4×3 run at half the speed there), and it takes 6 loads for 16
// multiplications and additions. A transpose also works on four rows.
//
// None of these functions is inlined, because in one large function the compiler keeps fewer sums
// in registers.

#include "kernels.hpp"
#include "vec.hpp"

namespace attn::simd::ATTN_SIMD_SET {

inline constexpr Size kRows = 4;
inline constexpr Size kCols = 2 * kLanes;

constexpr Size at_most(Size a, Size b) { return a < b ? a : b; }
constexpr Size at_least(Size a, Size b) { return a > b ? a : b; }
constexpr Size round_up(Size x, Size step) { return (x + step - 1) / step * step; }

/// Hands out pieces of a work area, or only counts them when there is no area.
struct Work {
  float* area;
  Size floats = 0;

  ATTN_INLINE float* take(Size count) {
    float* const piece = area ? area + floats : nullptr;
    // The size is rounded up so that the next piece is aligned to 64 bytes.
    floats += round_up(count, 16);
    return piece;
  }
};

/// For each of `count` panels p: the kRows×kCols tile at c + p·kRows·c_row becomes
/// Σ_k a[p·a_panel + k·a_step + r]·b[k·b_step + j], depth ≥ 1 terms in the order of k, and with
/// `add_product` that at s + p·kRows·s_row, or at c itself, is added.
void product(Size count, Size depth, const float* a, Size a_step, Size a_panel, const float* b,
             Size b_step, float* c, Size c_row);
void add_product(Size count, Size depth, const float* a, Size a_step, Size a_panel, const float* b,
                 Size b_step, float* c, Size c_row, const float* s, Size s_row);
inline void add_product(Size count, Size depth, const float* a, Size a_step, Size a_panel,
                        const float* b, Size b_step, float* c, Size c_row) {
  add_product(count, depth, a, a_step, a_panel, b, b_step, c, c_row, c, c_row);
}

/// Transposes rows×cols numbers x to out[k·width + r], times `factor`; entries of the rows up to
/// `width` are 0. rows ≤ width.
void pack_rows(const float* x, Size x_row, Size rows, Size cols, Size width, float factor,
               float* out);
/// out[k·4 + r] = rows[r][k] for k < cols.
void pack_four(const float* const* rows, Size cols, float* out);
/// Copies rows×cols numbers; the columns of out from there up to `width` are 0.
void copy_rows(const float* x, Size x_row, Size rows, Size cols, float* out, Size out_row,
               Size width);
/// The transpose back: out[r·out_row + k] = tile[k·kCols + r]·factor[r] for `rows` ≤ kCols.
void unpack_rows(const float* tile, Size rows, Size cols, const float* factor, float* out,
                 Size out_row);

/// x[r·x_row + k] *= factor[r]
void scale_rows(const float* factor, Size rows, Size cols, float* x, Size x_row);

void fill(float* x, Size count, float value);

}  // namespace attn::simd::ATTN_SIMD_SET
