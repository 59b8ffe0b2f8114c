#include "exp.hpp"
#include "kernel_set.hpp"
#include "panel.hpp"
#include "tile.hpp"

// Queries lie in the lanes: a tile of scores is [key][kCols queries]. The second product needs B in
// exactly this form, and the maximum and the sum over keys need no sum across lanes. (Transposing
// the output costs the same for every m.) Keys are processed in blocks, with an online softmax
// between them (Milakov & Gimelshein 2018, arXiv:1805.02867). When the weights are asked for, one
// block holds all keys.

namespace attn::simd::ATTN_SIMD_SET {
namespace {

/// The number of keys in a block, and of tiles of queries that are processed with it together.
/// Times are the same for 64 to 512 keys and 1 to 8 tiles.
constexpr Size kBlock = 256, kTiles = 4;
/// A number below every score that is still finite, because −∞ − (−∞) is NaN.
constexpr float kLowest = -3e38F;
constexpr double kLn2 = 0.69314718055994531;

/// A tile of kCols queries.
struct Tile {
  Size first, count;
  KeyRange sees;
  float *q, *out;
  float *largest, *sum;
};

struct Layout {
  /// The number of tiles of a group, keys of a block, and keys and columns of V in whole panels.
  Size tiles, block, keys, values;
  float *k, *v, *scores, *older, *inverse;
  Tile tile[kTiles];
  Size floats;

  Layout(const Attention& x, float* area)
      : tiles(x.weights ? 1 : at_most(kTiles, (x.n + kCols - 1) / kCols)),
        block(x.weights ? round_up(x.m, kRows) : at_most(kBlock, round_up(x.m, kRows))),
        keys(round_up(x.m, kRows)),
        values(round_up(x.dv, kRows)) {
    Work work{area};
    k = work.take(keys * x.d);
    v = work.take(values * x.m);
    scores = work.take(block * kCols);
    older = work.take(kCols);
    inverse = work.take(kCols);
    for (Size t = 0; t < tiles; ++t) {
      tile[t].q = work.take(x.d * kCols);
      tile[t].out = work.take(values * kCols);
      tile[t].largest = work.take(kCols);
      tile[t].sum = work.take(kCols);
    }
    floats = work.floats;
  }
};

/// Updates `largest` with the largest score of each query in S.
ATTN_NOINLINE void find_largest(const float* s, Size keys, float* largest) {
  F a = load(largest), b = load(largest + kLanes);
  ATTN_NO_UNROLL
  for (Size j = 0; j < keys; ++j) {
    a = larger(load(s), a);
    b = larger(load(s + kLanes), b);
    s += kCols;
  }
  store(largest, a);
  store(largest + kLanes, b);
}

/// Computes S = 2^{S − largest}, and adds the sums to `sum`.
ATTN_NOINLINE void exponentiate(float* s, Size keys, const float* largest, float* sum) {
  const ExpTable& table = exp_table();
  const F a = load(largest), b = load(largest + kLanes);
  F sum_a = load(sum), sum_b = load(sum + kLanes);
  ATTN_NO_UNROLL
  for (; keys >= 2; keys -= 2) {
    const F t[4] = {load(s) - a, load(s + kLanes) - b, load(s + kCols) - a,
                    load(s + kCols + kLanes) - b};
    F e[4];
    ATTN_UNROLL
    for (int i = 0; i < 4; ++i) e[i] = exp2_of_nonpositive(t[i], table);
    ATTN_UNROLL
    for (int i = 0; i < 4; ++i) store(s + i * kLanes, e[i]);
    sum_a += e[0] + e[2];
    sum_b += e[1] + e[3];
    s += 2 * kCols;
  }
  if (keys > 0) {
    const F x = exp2_of_nonpositive(load(s) - a, table);
    const F y = exp2_of_nonpositive(load(s + kLanes) - b, table);
    store(s, x);
    store(s + kLanes, y);
    sum_a += x;
    sum_b += y;
  }
  store(sum, sum_a);
  store(sum + kLanes, sum_b);
}

/// Called before the next block: scales down the sums that are relative to an older maximum.
ATTN_NOINLINE void rescale(const Tile& tile, Size values, const float* older) {
  const ExpTable& table = exp_table();
  const F a = exp2_of_nonpositive(load(older) - load(tile.largest), table);
  const F b = exp2_of_nonpositive(load(older + kLanes) - load(tile.largest + kLanes), table);
  store(tile.sum, load(tile.sum) * a);
  store(tile.sum + kLanes, load(tile.sum + kLanes) * b);
  float* out = tile.out;
  ATTN_NO_UNROLL
  for (; values > 0; --values) {
    store(out, load(out) * a);
    store(out + kLanes, load(out + kLanes) * b);
    out += kCols;
  }
}

}  // namespace

Size attention_floats(const Attention& x) { return Layout(x, nullptr).floats; }

void attention(const Attention& x, float* work) {
  Layout to(x, work);
  for (Size j = 0; j < x.m; j += kRows) {
    pack_rows(x.k + j * x.k_row, x.k_row, at_most(kRows, x.m - j), x.d, kRows, 1, to.k + j * x.d);
  }
  for (Size c = 0; c < x.dv; c += kRows) {
    copy_rows(x.v + c, x.v_row, x.m, at_most(kRows, x.dv - c), to.v + c * x.m, kRows, kRows);
  }

  for (Size h = 0; h < x.heads; ++h) {
    const float* const queries = x.q + h * x.q_head;
    for (Size group = 0; group < x.n; group += to.tiles * kCols) {
      const Size used = at_most(to.tiles, (x.n - group + kCols - 1) / kCols);
      for (Size t = 0; t < used; ++t) {
        Tile& tile = to.tile[t];
        tile.first = group + t * kCols;
        tile.count = at_most(kCols, x.n - tile.first);
        tile.sees = keys_of(x.sight, tile.first, tile.count, x.m);
        pack_rows(queries + tile.first * x.q_row, x.q_row, tile.count, x.d, kCols, x.scale * kLog2E,
                  tile.q);
        fill(tile.out, to.values * kCols, 0);
        fill(tile.largest, kCols, kLowest);
        fill(tile.sum, kCols, 0);
      }
      // Ranges move with the queries, so the first tile's range begins first and the last tile's
      // ends last.
      const Size end = to.tile[used - 1].sees.end;
      for (Size block = to.tile[0].sees.begin / kRows * kRows; block < end; block += to.block) {
        for (Size t = 0; t < used; ++t) {
          Tile& tile = to.tile[t];
          const Size from = at_least(tile.sees.begin, block);
          const Size until = at_most(tile.sees.end, block + to.block);
          if (from >= until) continue;
          const Size panel = from / kRows * kRows;
          product((until - panel + kRows - 1) / kRows, x.d, to.k + panel * x.d, kRows, kRows * x.d,
                  tile.q, kCols, to.scores, kCols);
          float* const s = to.scores + (from - panel) * kCols;
          hide(x.sight, tile.first, tile.count, from, until, x.m, s);
          store(to.older, load(tile.largest));
          store(to.older + kLanes, load(tile.largest + kLanes));
          find_largest(s, until - from, tile.largest);
          if (from > tile.sees.begin) rescale(tile, x.dv, to.older);
          exponentiate(s, until - from, tile.largest, tile.sum);
          add_product(to.values / kRows, until - from, to.v + from * kRows, kRows, kRows * x.m, s,
                      kCols, tile.out, kCols);
        }
      }
      for (Size t = 0; t < used; ++t) {
        const Tile& tile = to.tile[t];
        for (Size r = 0; r < kCols; ++r) to.inverse[r] = tile.sum[r] > 0 ? 1 / tile.sum[r] : 0;
        unpack_rows(tile.out, tile.count, x.dv, to.inverse,
                    x.out + h * x.out_head + tile.first * x.out_row, x.out_row);
        if (x.log_sum_exp) {
          for (Size r = 0; r < tile.count; ++r) {
            x.log_sum_exp[h * x.n + tile.first + r] =
                tile.sum[r] > 0
                    ? static_cast<float>(tile.largest[r] * kLn2 + __builtin_logf(tile.sum[r]))
                    : -__builtin_inff();
          }
        }
        if (!x.weights) continue;
        float* const weights = x.weights[h] + tile.first * x.m;
        const KeyRange sees = tile.sees;
        const Size skipped = sees.begin % kRows;
        unpack_rows(to.scores + skipped * kCols, tile.count, sees.end - sees.begin, to.inverse,
                    weights + sees.begin, x.m);
        for (Size r = 0; r < tile.count; ++r) {
          fill(weights + r * x.m, sees.begin, 0);
          fill(weights + r * x.m + sees.end, x.m - sees.end, 0);
        }
      }
    }
  }
}

}  // namespace attn::simd::ATTN_SIMD_SET
