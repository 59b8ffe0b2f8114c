#include "exp.hpp"
#include "kernel_set.hpp"
#include "panel.hpp"
#include "tile.hpp"

// The gradients are computed tile by tile as in Dao et al. 2022 (arXiv:2205.14135, algorithm 4),
// with P = e^{S − lse} computed again. Keys lie in the lanes here: tiles are [query][kCols keys].
// The transposes of dV and dK are then products of P and dS as they are; only dQ needs dS
// transposed.

namespace attn::simd::ATTN_SIMD_SET {
namespace {

/// The number of queries of a block and of keys of a group: a tile of dQ is read and written once
/// for this many keys.
constexpr Size kQueries = 64, kTiles = at_least(1, 64 / kCols), kKeys = kTiles * kCols;

/// The keys of a group that lie in one tile.
struct KeyTile {
  float *k, *v, *d_k, *d_v;
};

struct Layout {
  /// Queries and widths rounded up to whole panels; d_lanes is the width of Q in whole lanes.
  Size n, d, dv, d_lanes;
  /// Q and dO are stored twice: in panels for the products of scores, and in rows for those of
  /// gradients.
  float *q_panels, *d_out_panels, *q, *d_out;
  float *d_q, *keys, *p, *d_p, *d_s, *factors;
  KeyTile tile[kTiles];
  Size floats;

  Layout(const AttentionBackward& x, float* area)
      : n(round_up(x.n, kRows)),
        d(round_up(x.d, kRows)),
        dv(round_up(x.dv, kRows)),
        d_lanes(round_up(x.d, kCols)) {
    Work work{area};
    q_panels = work.take(n * x.d);
    d_out_panels = work.take(n * x.dv);
    q = work.take(x.n * d);
    d_out = work.take(x.n * dv);
    d_q = work.take(n * d_lanes);
    keys = work.take(kKeys * d_lanes);
    p = work.take(kQueries * kCols);
    d_p = work.take(kQueries * kCols);
    d_s = work.take(kQueries * kKeys);
    factors = work.take(kCols);
    for (KeyTile& t : tile) {
      t.k = work.take(x.d * kCols);
      t.v = work.take(x.dv * kCols);
      t.d_k = work.take(d * kCols);
      t.d_v = work.take(dv * kCols);
    }
    floats = work.floats;
  }
};

/// Computes S = 2^{S − lse·log₂e}, or 0 where the query does not see the key. Row i is query first
/// + i.
ATTN_NOINLINE void weigh(const AttentionBackward& x, Size first, Size count, Size key, float* s) {
  const ExpTable& table = exp_table();
  for (Size i = 0; i < count; ++i, s += kCols) {
    const float lse = x.log_sum_exp[first + i];
    const KeyRange sees = keys_of(x.sight, first + i, 1, x.m);
    const Size begin = at_least(0, sees.begin - key), end = at_most(kCols, sees.end - key);
    if (begin >= end || lse < -3e38F) {
      fill(s, kCols, 0);
      continue;
    }
    // The product is split into two floats, because one float could be off by more than the scores
    // are.
    const double exact = lse * 1.4426950408889634;
    const auto near = static_cast<float>(exact);
    const F shift = splat(near), rest = splat(static_cast<float>(exact - near));
    // A weight is at most 1, whatever the rounding of lse has changed.
    const F a = smaller(F{}, load(s) - shift - rest);
    const F b = smaller(F{}, load(s + kLanes) - shift - rest);
    store(s, exp2_of_nonpositive(a, table));
    store(s + kLanes, exp2_of_nonpositive(b, table));
    fill(s, begin, 0);
    fill(s + end, kCols - end, 0);
    if (!x.sight.keep) continue;
    const uint8_t* const keep = x.sight.keep + (first + i) * x.m + key;
    for (Size r = begin; r < end; ++r) {
      if (!keep[r]) s[r] = 0;
    }
  }
}

/// Computes dP = P∘(dP − D).
ATTN_NOINLINE void slope(const float* p, const float* row_dots, Size count, float* d_p) {
  ATTN_NO_UNROLL
  for (Size i = 0; i < count; ++i) {
    const F mean = splat(row_dots[i]);
    store(d_p, load(p) * (load(d_p) - mean));
    store(d_p + kLanes, load(p + kLanes) * (load(d_p + kLanes) - mean));
    p += kCols;
    d_p += kCols;
  }
}

}  // namespace

Size attention_backward_floats(const AttentionBackward& x) { return Layout(x, nullptr).floats; }

void attention_backward(const AttentionBackward& x, float* work) {
  const Layout to(x, work);
  for (Size i = 0; i < x.n; i += kRows) {
    const Size rows = at_most(kRows, x.n - i);
    pack_rows(x.q + i * x.q_row, x.q_row, rows, x.d, kRows, x.scale * kLog2E,
              to.q_panels + i * x.d);
    pack_rows(x.d_out + i * x.d_out_row, x.d_out_row, rows, x.dv, kRows, 1,
              to.d_out_panels + i * x.dv);
  }
  copy_rows(x.q, x.q_row, x.n, x.d, to.q, to.d, to.d);
  copy_rows(x.d_out, x.d_out_row, x.n, x.dv, to.d_out, to.dv, to.dv);
  fill(to.d_q, to.n * to.d_lanes, 0);

  for (Size group = 0; group < x.m; group += kKeys) {
    const Size group_size = at_most(kKeys, x.m - group);
    for (Size t = 0; t < kTiles; ++t) {
      const KeyTile& tile = to.tile[t];
      const Size key = group + t * kCols, count = at_least(0, at_most(kCols, x.m - key));
      if (count > 0) {
        pack_rows(x.k + key * x.k_row, x.k_row, count, x.d, kCols, 1, tile.k);
        pack_rows(x.v + key * x.v_row, x.v_row, count, x.dv, kCols, 1, tile.v);
      }
      fill(tile.d_k, to.d * kCols, 0);
      fill(tile.d_v, to.dv * kCols, 0);
    }
    copy_rows(x.k + group * x.k_row, x.k_row, group_size, x.d, to.keys, to.d_lanes, to.d_lanes);
    fill(to.keys + group_size * to.d_lanes, (kKeys - group_size) * to.d_lanes, 0);

    for (Size first = 0; first < x.n; first += kQueries) {
      const Size count = at_most(kQueries, x.n - first), panels = (count + kRows - 1) / kRows;
      const KeyRange sees = keys_of(x.sight, first, count, x.m);
      if (sees.end <= group || sees.begin >= group + group_size) continue;
      for (Size t = 0; t < kTiles; ++t) {
        const KeyTile& tile = to.tile[t];
        const Size key = group + t * kCols;
        if (sees.end <= key || sees.begin >= key + kCols) {
          // The rest of the buffer is set to weight 0, because it may hold old numbers.
          fill(to.d_p, panels * kRows * kCols, 0);
        } else {
          product(panels, x.d, to.q_panels + first * x.d, kRows, kRows * x.d, tile.k, kCols, to.p,
                  kCols);
          weigh(x, first, count, key, to.p);
          add_product(to.dv / kRows, count, to.d_out + first * to.dv, to.dv, kRows, to.p, kCols,
                      tile.d_v, kCols);
          product(panels, x.dv, to.d_out_panels + first * x.dv, kRows, kRows * x.dv, tile.v, kCols,
                  to.d_p, kCols);
          slope(to.p, x.row_dots + first, count, to.d_p);
          fill(to.d_p + count * kCols, (panels * kRows - count) * kCols, 0);
          add_product(to.d / kRows, count, to.q + first * to.d, to.d, kRows, to.d_p, kCols,
                      tile.d_k, kCols);
        }
        for (Size i = 0; i < panels; ++i) {
          pack_rows(to.d_p + i * kRows * kCols, kCols, kRows, kCols, kRows, x.scale,
                    to.d_s + (i * kKeys + t * kCols) * kRows);
        }
      }
      for (Size c = 0; c < to.d_lanes; c += kCols) {
        add_product(panels, kKeys, to.d_s, kRows, kRows * kKeys, to.keys + c, to.d_lanes,
                    to.d_q + first * to.d_lanes + c, to.d_lanes);
      }
    }
    for (Size t = 0; t < kTiles; ++t) {
      const Size key = group + t * kCols, count = at_most(kCols, x.m - key);
      if (count <= 0) break;
      fill(to.factors, kCols, x.scale);
      unpack_rows(to.tile[t].d_k, count, x.d, to.factors, x.d_k + key * x.d_k_row, x.d_k_row);
      fill(to.factors, kCols, 1);
      unpack_rows(to.tile[t].d_v, count, x.dv, to.factors, x.d_v + key * x.d_v_row, x.d_v_row);
    }
  }
  copy_rows(to.d_q, to.d_lanes, x.n, x.d, x.d_q, x.d_q_row, x.d);
}

}  // namespace attn::simd::ATTN_SIMD_SET
