#include "kernel_set.hpp"
#include "panel.hpp"

// Sums over the entries of two rows that are no products, for kernels of points.

namespace attn::simd::ATTN_SIMD_SET {
namespace {

/// A tile of sums stays in registers while the entries of its rows are read once.
constexpr int kRows = 4, kWide = 2;

struct Absolute {
  ATTN_INLINE F operator()(F x, F y) const {
    const F difference = x - y;
    return reinterpret_cast<F>(reinterpret_cast<I>(difference) & 0x7fffffff);
  }
};

struct ChiSquared {
  ATTN_INLINE F operator()(F x, F y) const {
    const F difference = x - y;
    // Of two empty bins this is 0 over the least normal number.
    return difference * difference / larger(splat(1.17549435e-38F), x + y);
  }
};

template <typename Term>
ATTN_INLINE void tile(const PairSums& p, Size i, Size j, Term term) {
  const float* x[kRows];
  // Beyond the last row the last one is computed again.
  ATTN_UNROLL
  for (int r = 0; r < kRows; ++r) x[r] = p.x + at_most(i + r, p.rows - 1) * p.x_row;
  const float* y = p.y + j;
  F sums[kRows][kWide] = {};
  ATTN_NO_UNROLL
  for (Size c = 0; c < p.d; ++c) {
    F at[kWide];
    ATTN_UNROLL
    for (int v = 0; v < kWide; ++v) at[v] = load(y + v * kLanes);
    ATTN_UNROLL
    for (int r = 0; r < kRows; ++r) {
      const F own = splat(x[r][c]);
      ATTN_UNROLL
      for (int v = 0; v < kWide; ++v) sums[r][v] += term(own, at[v]);
    }
    y += p.y_row;
  }
  const Size rows = at_most(kRows, p.rows - i), cols = at_most(kWide * kLanes, p.cols - j);
  for (Size r = 0; r < rows; ++r) {
    float* const out = p.out + (i + r) * p.out_row + j;
    for (Size v = 0; v < kWide; ++v) {
      if (cols >= (v + 1) * kLanes) {
        store(out + v * kLanes, sums[r][v]);
      } else {
        for (Size lane = v * kLanes; lane < cols; ++lane) out[lane] = sums[r][v][lane - v * kLanes];
      }
    }
  }
}

template <typename Term>
ATTN_NOINLINE void all_tiles(const PairSums& p, Term term) {
  constexpr Size kStep = kWide * kLanes;
  for (Size i = 0; i < p.rows; i += kRows) {
    for (Size j = p.upper ? i / kStep * kStep : 0; j < p.cols; j += kStep) tile(p, i, j, term);
  }
}

}  // namespace

void pair_sums(const PairSums& p) {
  switch (p.term) {
    case PairTerm::kAbsolute:
      return all_tiles(p, Absolute());
    case PairTerm::kChiSquared:
      return all_tiles(p, ChiSquared());
  }
}

}  // namespace attn::simd::ATTN_SIMD_SET
