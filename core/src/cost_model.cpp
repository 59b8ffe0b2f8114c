#include "cost_model.hpp"

#include <algorithm>
#include <array>

#include "attn/errors.hpp"
#include "attn/feature_map.hpp"
#include "fused.hpp"
#include "simd/simd.hpp"

namespace attn::internal {

void Model::product(Whole rows, Whole depth, Whole cols, bool added) {
  multiply_adds += rows * depth * cols;
  pass(rows * depth + depth * cols + (added ? rows * cols : 0), rows * cols);
}

void Model::pass(Whole numbers_read, Whole numbers_written) {
  read += numbers_read;
  written += numbers_written;
}

void Model::sum(Whole size) {
  multiply_adds += size;
  read += size;
}

void Model::add(const Model& other, Whole times) {
  multiply_adds += times * other.multiply_adds;
  exps += times * other.exps;
  pass(times * other.read, times * other.written);
}

namespace {

Whole max(std::initializer_list<Whole> all) { return std::max(all); }

/// Q, K, V.
Whole inputs_of(const Sizes& s) { return s.n * s.d + s.m * (s.d + s.d_v); }

/// Keys and values of the tokens that have been.
Whole kv_state(const Sizes& s, Whole tokens) { return tokens * (s.d + s.d_v); }

// ---------------------------------------------------------------------------------------------
// Softmax attention

/// One head of `attention`; `seen` cells are kept by the mask.
Model dense(const Sizes& s, Whole seen) {
  Model model;
  model.in_place(s.n * s.d);
  model.product(s.n, s.d, s.m);
  model.exps = seen;
  model.in_place(s.n * s.m);
  model.product(s.n, s.m, s.d_v);
  // The scaled queries are gone before the log-sum-exps and the output come.
  model.peak = s.n * s.m + max({s.n * s.d, s.n + s.n * s.d_v});
  model.inputs = inputs_of(s);
  model.outputs = s.n * s.d_v;
  model.state = kv_state(s, s.m);
  return model;
}

Model standard(const Sizes& s) { return dense(s, s.n * s.m); }
Model causal(const Sizes& s) { return dense(s, triangle(s.n)); }

Model standard_backward(const Sizes& s) {
  const Whole cells = s.n * s.m, out = s.n * s.d_v;
  Model model = standard(s);
  model.sum(out);  // dO·O
  model.read += out;
  model.product(s.n, s.d_v, s.m);
  model.product(s.m, s.n, s.d_v, true);
  model.pass(3 * cells, 2 * cells);
  model.product(s.n, s.m, s.d);
  model.product(s.m, s.n, s.d, true);
  model.in_place((s.n + s.m) * s.d);
  // Beside the forward result: row dots, dP, dV; and dQ or dK before and after scaling.
  model.peak = max({model.peak, cells + s.n + out + s.n + cells + s.m * s.d_v +
                                    max({2 * s.n * s.d, s.n * s.d + 2 * s.m * s.d})});
  model.inputs += out;
  model.outputs = inputs_of(s);
  model.state = 0;
  return model;
}

/// Calls `visit(queries, keys, tiles, kept)` for each row of tiles: how many queries it has, how
/// many keys its visited tiles hold, how many those tiles are, and the cells the mask keeps.
template <typename Visit>
void for_each_row_of_tiles(const Sizes& s, bool is_causal, Visit visit) {
  for (Whole first = 0; first < s.n; first += s.query_tile) {
    const Whole end = std::min(first + s.query_tile, s.n), queries = end - first;
    const Whole reach = is_causal ? end : s.m;
    const Whole tiles = (reach + s.key_tile - 1) / s.key_tile;
    const Whole kept = is_causal ? triangle(end) - triangle(first) : queries * s.m;
    visit(queries, std::min(tiles * s.key_tile, s.m), tiles, kept);
  }
}

Model flash_tiles(const Sizes& s, bool is_causal) {
  Model model;
  for_each_row_of_tiles(s, is_causal, [&](Whole queries, Whole keys, Whole tiles, Whole kept) {
    const Whole cells = queries * keys, out = queries * s.d_v;
    model.multiply_adds += cells * (s.d + s.d_v);
    // A cell's exp, and one a row and tile to rescale what was there.
    model.exps += kept + queries * tiles;
    model.in_place(tiles * queries * s.d);
    model.pass(tiles * queries * s.d + keys * s.d, cells);
    model.pass(cells + keys * s.d_v, tiles * out);
    model.pass(cells + 3 * tiles * out, cells + 2 * tiles * out);
  });
  const Whole out = s.n * s.d_v, queries = std::min(s.query_tile, s.n);
  model.in_place(out);
  // Output, row maxima and sums; then a tile with its scaled queries or its product with V, and at
  // the end the log-sum-exps.
  const Whole tile = queries * std::min(s.key_tile, s.m) + queries * max({s.d, s.d_v});
  model.peak = out + 2 * s.n + max({tile, s.n});
  model.inputs = inputs_of(s);
  model.outputs = out;
  model.state = kv_state(s, s.m);
  return model;
}

Model flash(const Sizes& s) { return flash_tiles(s, false); }
Model flash_causal(const Sizes& s) { return flash_tiles(s, true); }

// ---------------------------------------------------------------------------------------------
// The float32 kernels: one pass, and a workspace that depends on the lanes of this machine

Whole up(Whole x, std::uint64_t step) { return (x + (step - 1)) / step * step; }

/// A piece of the workspace: the next one is aligned to 64 bytes.
Whole piece(Whole floats) { return up(floats, 16); }

/// What simd/attention.cpp lays out: K and V in panels of 4, a block of scores, tiles of queries.
Whole fused_workspace(const Sizes& s, bool weights) {
  if (s.n < kFewQueries) return weights ? Whole(0) : s.m;
  const std::uint64_t cols = 2 * static_cast<std::uint64_t>(simd::lanes());
  const Whole keys = up(s.m, 4), values = up(s.d_v, 4);
  const Whole tiles = weights ? Whole(1) : std::min(Whole(4), (s.n + (cols - 1)) / cols);
  const Whole block = weights ? keys : std::min(Whole(256), keys);
  return piece(keys * s.d) + piece(values * s.m) + piece(block * cols) + 2 * piece(cols) +
         tiles * (piece(s.d * cols) + piece(values * cols) + 2 * piece(cols));
}

/// And simd/linear_attention.cpp: the state in panels, z and φ of 64 tokens.
Whole fused_linear_workspace(const Sizes& s) {
  const std::uint64_t cols = 2 * static_cast<std::uint64_t>(simd::lanes()), tokens = 64;
  const Whole features = up(s.D, 4), panels = (s.d_v + (cols - 1)) / cols;
  return piece(panels * features * cols) + 3 * piece(features) + 4 * piece(tokens * features) +
         2 * piece(tokens * cols) + piece(tokens);
}

/// And simd/attention_backward.cpp: Q and dO as panels and as rows, dQ, and for 64 keys their rows,
/// tiles and gradients.
Whole fused_backward_workspace(const Sizes& s) {
  const std::uint64_t cols = 2 * static_cast<std::uint64_t>(simd::lanes()), queries = 64;
  const std::uint64_t tiles = std::max<std::uint64_t>(1, 64 / cols), keys = tiles * cols;
  const Whole n = up(s.n, 4), d = up(s.d, 4), d_v = up(s.d_v, 4), d_lanes = up(s.d, cols);
  const Whole tile = piece(s.d * cols) + piece(s.d_v * cols) + piece(d * cols) + piece(d_v * cols);
  return piece(n * s.d) + piece(n * s.d_v) + piece(s.n * d) + piece(s.n * d_v) +
         piece(n * d_lanes) + piece(keys * d_lanes) + 2 * piece(Whole(queries * cols)) +
         piece(Whole(queries * keys)) + piece(Whole(cols)) + tiles * tile;
}

Model fused_pass(const Sizes& s, Whole seen, bool weights) {
  Model model;
  model.multiply_adds = seen * (s.d + s.d_v);
  model.exps = seen;
  model.inputs = inputs_of(s);
  model.outputs = s.n * s.d_v;
  const Whole cells = weights ? s.n * s.m : Whole(0);
  model.pass(model.inputs, model.outputs + cells);
  model.peak = model.outputs + s.n + cells + fused_workspace(s, weights);
  model.state = kv_state(s, s.m);
  return model;
}

Model fused(const Sizes& s) { return fused_pass(s, s.n * s.m, false); }
Model fused_causal(const Sizes& s) { return fused_pass(s, triangle(s.n), false); }
Model fused_weights(const Sizes& s) { return fused_pass(s, s.n * s.m, true); }

/// ELU + 1: the map is made on the way.
Model fused_linear_pass(const Sizes& s) {
  Model model;
  model.multiply_adds = (s.n + s.m) * s.D * (s.d_v + 1);
  model.exps = (s.n + s.m) * s.D;
  model.inputs = inputs_of(s);
  model.outputs = s.n * s.d_v;
  model.pass(model.inputs, model.outputs);
  model.state = s.D * (s.d_v + 1);
  model.peak = model.outputs + model.state + fused_linear_workspace(s);
  return model;
}

Model flash_tiles_backward(const Sizes& s, bool is_causal) {
  Model model;
  model.sum(s.n * s.d_v);  // dO·O
  model.read += s.n * s.d_v;
  for_each_row_of_tiles(s, is_causal, [&](Whole queries, Whole keys, Whole tiles, Whole kept) {
    const Whole cells = queries * keys;
    model.multiply_adds += cells * (3 * s.d + 2 * s.d_v);
    model.exps += kept;
    model.in_place(tiles * queries * s.d);
    // S and dQ; dV, dP and dK.
    model.pass(tiles * queries * s.d + keys * s.d, cells);
    model.pass(cells + tiles * queries * s.d_v + keys * s.d_v, keys * s.d_v);
    model.pass(tiles * queries * s.d_v + keys * s.d_v, cells);
    model.pass(cells + keys * s.d, tiles * queries * s.d);
    model.pass(cells + tiles * queries * s.d + keys * s.d, keys * s.d);
    model.pass(4 * cells + 2 * tiles * queries * s.d, 3 * cells + tiles * queries * s.d);
  });
  const Whole queries = std::min(s.query_tile, s.n), tile = queries * std::min(s.key_tile, s.m);
  // Gradients and row dots; P and dS of a tile, and its part of dQ.
  model.peak = inputs_of(s) + s.n + 2 * tile + queries * s.d;
  // dO and the forward pass's output and log-sum-exps.
  model.inputs = inputs_of(s) + 2 * s.n * s.d_v + s.n;
  model.outputs = inputs_of(s);
  return model;
}

Model fused_pass_backward(const Sizes& s, Whole seen) {
  Model model;
  model.sum(s.n * s.d_v);  // dO·O
  model.read += s.n * s.d_v;
  model.multiply_adds += seen * (3 * s.d + 2 * s.d_v);
  model.exps = seen;
  model.pass(inputs_of(s) + s.n * s.d_v, inputs_of(s));
  model.peak = inputs_of(s) + s.n + fused_backward_workspace(s);
  model.inputs = inputs_of(s) + 2 * s.n * s.d_v + s.n;
  model.outputs = inputs_of(s);
  return model;
}

Model fused_backward(const Sizes& s) { return fused_pass_backward(s, s.n * s.m); }
Model fused_causal_backward(const Sizes& s) { return fused_pass_backward(s, triangle(s.n)); }

Model flash_backward(const Sizes& s) { return flash_tiles_backward(s, false); }
Model flash_causal_backward(const Sizes& s) { return flash_tiles_backward(s, true); }

// ---------------------------------------------------------------------------------------------
// Patterns

Model sparse(const Sizes& s, Whole cells) {
  Model model;
  model.multiply_adds = cells * (s.d + s.d_v);
  model.exps = cells;
  model.pass(s.n * s.d + cells * s.d, cells);
  model.in_place(cells);
  model.pass(cells + cells * s.d_v, s.n * s.d_v);
  model.peak = s.n * s.d_v + cells + s.n;
  model.inputs = inputs_of(s);
  model.outputs = s.n * s.d_v;
  model.cells = cells;
  return model;
}

Whole local_cells(Whole n, Whole window) {
  const Whole keys = std::min(window, n);
  return n * keys - triangle(keys - 1);
}

Model causal_kept(const Sizes& s) {
  Model model = sparse(s, triangle(s.n));
  model.state = kv_state(s, s.n);
  return model;
}

Model sliding_window(const Sizes& s) {
  return sparse(s, band_cells(s.n.value(), s.window.value()));
}

Model sliding_window_backward(const Sizes& s) {
  const Whole cells = *sliding_window(s).cells;
  Model model;
  model.multiply_adds = cells * (3 * s.d + 2 * s.d_v + 1);
  model.exps = cells;
  model.pass(s.n * s.d + cells * s.d, cells);
  model.in_place(cells);
  model.pass(s.n * s.d_v + cells * (2 * s.d_v + 1), cells * (s.d_v + 1));
  model.pass(s.n * s.d + cells * (2 * s.d + 2), s.n * s.d + cells * s.d);
  model.peak = inputs_of(s) + 2 * std::min(2 * s.window + 1, s.n);
  model.inputs = inputs_of(s) + s.n * s.d_v;
  model.outputs = inputs_of(s);
  model.cells = cells;
  return model;
}

Model local(const Sizes& s) {
  Model model = sparse(s, local_cells(s.n, s.window));
  model.state = kv_state(s, std::min(s.window, s.n));
  return model;
}

Model strided(const Sizes& s) { return sparse(s, s.n + sum_of_quotients(s.n, s.block)); }

Model sparse_transformer(const Sizes& s) {
  return sparse(s, local_cells(s.n, s.block) + sum_of_quotients(s.n, s.block));
}

Model fixed(const Sizes& s) {
  const Whole whole_blocks = s.n / s.block, rest = s.n % s.block;
  return sparse(s, s.summary * sum_of_quotients(s.n, s.block) + whole_blocks * triangle(s.block) +
                       triangle(rest));
}

Model big_bird(const Sizes& s) {
  const Whole blocks = s.n / s.block;
  // Seen by an inner row of blocks: itself, its neighbours, the ends, and k at random.
  const auto seen = [&](Whole own) { return std::min(own + s.k, blocks); };
  Whole block_cells = blocks * std::min(blocks, Whole(2));
  if (blocks == Whole(3)) block_cells += seen(3);
  if (blocks > Whole(3)) block_cells += 2 * seen(4) + (blocks - 4) * seen(5);
  return sparse(s, block_cells * s.block * s.block);
}

Model random(const Sizes& s) {
  // Itself, one neighbour, and k others.
  const Whole own = std::min(s.n, Whole(2));
  return sparse(s, s.n * (own + std::min(s.k, s.n - own)));
}

Model top_k(const Sizes& s) {
  Model model = sparse(s, s.n * std::min(s.k, s.m));
  Model row;
  row.product(1, s.d, s.m);
  model.add(row, s.n);
  model.peak = max({model.peak, s.m});
  return model;
}

// ---------------------------------------------------------------------------------------------
// Hierarchical attention

/// Calls `visit(runs)` for each query: how many keys it meets as means before the near ones, one by
/// one, and as means after them.
template <typename Visit>
void for_each_query(const Sizes& s, Whole pool, bool is_causal, Visit visit) {
  for (Whole i = 0; i < s.n; i += 1) {
    // The query stands at p = i + m − n, which n > m makes negative; everything is shifted by n.
    const Whole p = i + s.m;
    const Whole end = is_causal ? std::min(p + 1, s.n + s.m) : s.n + s.m;
    Whole before = 0, near = 0, after = 0;
    if (end > s.n) {
      const Whole first_seen = p > s.window ? max({p - s.window, s.n}) : s.n;
      const Whole near_end = std::min(p + s.window + 1, end);
      const Whole seen = end - s.n;
      after = (seen + pool - 1) / pool;
      if (near_end > first_seen) {
        before = (first_seen - s.n) / pool;
        const Whole blocks_until = (near_end - s.n + pool - 1) / pool;
        near = std::min(blocks_until * pool, seen) - before * pool;
        after = after - blocks_until;
      }
    }
    visit(std::array{before, near, after});
  }
}

/// The means, and every query's weights; `peak` is the most keys that a query meets.
Model hierarchical_weights(const Sizes& s, Whole pool, bool is_causal) {
  Model model;
  model.sum(s.m * (s.d + s.d_v));
  model.written += (s.m + pool - 1) / pool * (s.d + s.d_v);
  for_each_query(s, pool, is_causal, [&](const std::array<Whole, 3>& runs) {
    const Whole size = runs[0] + runs[1] + runs[2];
    for (const Whole run : runs) {
      if (run > Whole(0)) model.product(1, s.d, run);
    }
    model.exps += size;
    model.in_place(2 * size);  // scale, softmax
    model.peak = std::max(model.peak, size);
  });
  return model;
}

Model hierarchical_of(const Sizes& s, bool is_causal) {
  const Whole pool = std::min(s.block, s.m), blocks = (s.m + pool - 1) / pool;
  Model model = hierarchical_weights(s, pool, is_causal);
  const Whole cells = model.exps;
  model.multiply_adds += cells * s.d_v;
  model.pass(cells + cells * s.d_v, s.n * s.d_v);
  model.peak += blocks * (s.d + s.d_v) + s.n + s.n * s.d_v;
  model.inputs = inputs_of(s);
  model.outputs = s.n * s.d_v;
  return model;
}

Model hierarchical(const Sizes& s) { return hierarchical_of(s, false); }
Model hierarchical_causal(const Sizes& s) { return hierarchical_of(s, true); }

Model hierarchical_backward_of(const Sizes& s, bool is_causal) {
  const Whole pool = std::min(s.block, s.m), blocks = (s.m + pool - 1) / pool;
  Model model = hierarchical_weights(s, pool, is_causal);
  const Whole cells = model.exps, spread = s.m * (s.d + s.d_v);
  for_each_query(s, pool, is_causal, [&](const std::array<Whole, 3>& runs) {
    for (const Whole run : runs) {
      if (run == Whole(0)) continue;
      model.product(1, s.d_v, run);
      model.product(run, 1, s.d_v, true);
      model.product(run, 1, s.d, true);
    }
  });
  // P·dP, dS and dQ.
  model.multiply_adds += cells * (s.d + 1);
  model.pass(cells * (s.d + 6), 2 * cells + s.n * s.d);
  // What the means have gathered, handed to their rows.
  model.multiply_adds += spread;
  model.pass(2 * spread, spread);
  // Means and the gradients at them; a query's P and dS.
  model.peak = inputs_of(s) + 2 * blocks * (s.d + s.d_v) + 2 * model.peak;
  model.inputs = inputs_of(s) + s.n * s.d_v;
  model.outputs = inputs_of(s);
  return model;
}

Model hierarchical_backward(const Sizes& s) { return hierarchical_backward_of(s, false); }
Model hierarchical_causal_backward(const Sizes& s) { return hierarchical_backward_of(s, true); }

// ---------------------------------------------------------------------------------------------
// Linear attention

/// `rows` of a feature map. `peak` is that beside the features themselves.
Model map_of(const Sizes& s, Whole rows) {
  const std::string_view id = s.feature_map;
  const Whole x = rows * s.d, phi = rows * s.D;
  Model model;
  model.pass(x, phi);
  // W has D rows, or one for each pair of features; x', u = Wx' and h = ‖x'‖²/2 live on.
  const auto random_features = [&](Whole projections) {
    model.product(rows, s.d, projections);
    model.multiply_adds += x;
    model.peak = x + rows * projections + rows;
  };
  if (id == "elu_plus_one" || id == "exp") {
    model.exps = x;
  } else if (id == "taylor" || id == "taylor_compact") {
    model.multiply_adds = phi - rows;
  } else if (id == "cosformer") {
    model.multiply_adds = phi;
  } else if (id == "dpfp") {
    model.multiply_adds = phi;
    model.peak = 2 * x;
  } else if (id == "rebased") {
    model.multiply_adds = 2 * x + phi;
    model.peak = 2 * x + rows;
  } else if (id == "t2r") {
    model.product(rows, s.d, s.d);
    model.peak = x;
  } else if (id == "hedgehog" || id == "hedgehog_exp" || id == "hedgehog_joint") {
    model.product(rows, s.d, s.d);
    model.exps = phi;
    model.peak = id == "hedgehog_joint" ? x : 3 * x;
  } else if (id == "softmax_kernel") {
    random_features(s.D);
    model.exps = phi;
    model.peak += rows;
  } else if (id == "softmax_kernel_hyperbolic") {
    random_features(s.D / 2);
    model.exps = phi;
    model.peak += rows;
  } else if (id == "softmax_kernel_trig") {
    random_features(s.D / 2);
    model.exps = rows;
    model.peak += 2 * rows;
  } else if (id == "relu_kernel") {
    random_features(s.D);
  }
  return model;
}

/// Gradients at `rows` inputs of a feature map from those at its features. `peak` is that beside
/// both.
Model map_backward_of(const Sizes& s, Whole rows) {
  const std::string_view id = s.feature_map;
  const Whole x = rows * s.d, phi = rows * s.D;
  Model model;
  model.pass(x + phi, x);
  // x', u and h again; then from gradients at u and h to those at x, with `more` numbers beside.
  const auto random_features = [&](Whole projections, Whole more) {
    model.product(rows, s.d, projections);
    model.product(rows, projections, s.d);
    model.multiply_adds += 2 * x;
    model.peak = x + rows * projections + rows + more;
  };
  if (id == "elu_plus_one" || id == "exp") {
    model.exps = x;
  } else if (id == "taylor") {
    model.multiply_adds = 2 * phi - (2 * rows + x);
  } else if (id == "taylor_compact") {
    model.multiply_adds = 2 * phi - (2 * rows + 2 * x);
  } else if (id == "cosformer") {
    model.multiply_adds = phi;
  } else if (id == "dpfp") {
    model.multiply_adds = 2 * phi;
    model.peak = 4 * x;
  } else if (id == "rebased") {
    model.multiply_adds = 3 * x + 2 * phi;
    model.peak = 2 * x + rows;
  } else if (id == "t2r") {
    model.product(rows, s.d, s.d);
    model.product(rows, s.d, s.d);
    model.peak = 2 * x;
  } else if (id == "hedgehog" || id == "hedgehog_exp" || id == "hedgehog_joint") {
    model.product(rows, s.d, s.d);
    model.product(rows, s.d, s.d);
    model.multiply_adds += phi;
    model.exps = phi;
    model.peak = id == "hedgehog_exp" ? 6 * x : 5 * x;
  } else if (id == "softmax_kernel") {
    random_features(s.D, phi + 2 * rows);
    model.multiply_adds += phi;
    model.exps = phi;
  } else if (id == "softmax_kernel_hyperbolic") {
    random_features(s.D / 2, phi + phi / 2 + rows);
    model.multiply_adds += phi;
    model.exps = phi;
  } else if (id == "softmax_kernel_trig") {
    random_features(s.D / 2, phi + phi / 2 + 2 * rows);
    model.multiply_adds += phi;
    model.exps = rows;
  } else if (id == "relu_kernel") {
    random_features(s.D, phi + rows);
  }
  return model;
}

/// φ(Q) and φ(K), the latter copied into place.
Model features(const Sizes& s) {
  const Model queries = map_of(s, s.n), keys = map_of(s, s.m);
  const Whole phi_q = s.n * s.D, phi_k = s.m * s.D;
  Model model = queries;
  model.add(keys);
  model.in_place(phi_k);
  model.peak = max({phi_q + queries.peak, phi_q + 2 * phi_k + keys.peak});
  model.inputs = inputs_of(s);
  model.outputs = s.n * s.d_v;
  model.state = s.D * (s.d_v + 1);
  return model;
}

Model linear_parallel(const Sizes& s, bool normalized) {
  const Whole out = s.n * s.d_v;
  Model model = features(s);
  model.product(s.D, s.m, s.d_v, true);
  model.sum(s.m * s.D);
  model.product(s.n, s.D, s.d_v);
  if (normalized) {
    model.product(s.n, s.D, 1);
    model.in_place(out);
  }
  const Whole held = (s.n + s.m) * s.D + s.D * (s.d_v + 1);
  model.peak = max({model.peak, held + 2 * out, normalized ? held + out + 2 * s.n : Whole(0)});
  return model;
}

Model linear(const Sizes& s) { return linear_parallel(s, true); }
Model linear_unnormalized(const Sizes& s) { return linear_parallel(s, false); }

/// `c` tokens of causal linear attention.
Model chunk_of(const Sizes& s, Whole c) {
  Model model;
  model.product(c, s.D, c);
  model.product(c, s.D, s.d_v);
  model.product(c, c, s.d_v);
  model.pass(2 * c * s.d_v, c * s.d_v);
  model.product(c, s.D, 1);
  model.sum(c * c);
  model.in_place(c * s.d_v);
  model.product(s.D, c, s.d_v, true);
  model.sum(c * s.D);
  return model;
}

Model linear_chunks(const Sizes& s, Whole chunk) {
  const Whole c = std::min(chunk, s.n);
  Model model = features(s);
  model.add(chunk_of(s, c), s.n / c);
  if (s.n % c > Whole(0)) model.add(chunk_of(s, s.n % c));
  // The chunk's weights, and its product with V or two copies of the denominators.
  model.peak = max(
      {model.peak, 2 * s.n * s.D + s.D * (s.d_v + 1) + s.n * s.d_v + c * c + c * max({s.d_v, 2})});
  return model;
}

Model linear_chunked(const Sizes& s) { return linear_chunks(s, s.chunk); }
Model linear_recurrent(const Sizes& s) { return linear_chunks(s, 1); }

Model linear_backward_of(const Sizes& s, bool is_causal) {
  const Whole D = s.D, state = D * (s.d_v + 1);
  Model model = features(s);
  Model query, key;
  if (is_causal) {
    query.product(D, 1, s.d_v, true);
    query.sum(D);
    key.product(D, 1, s.d_v, true);
    key.multiply_adds += D;
    key.pass(2 * D, D);
  } else {
    model.product(D, s.m, s.d_v, true);
    model.sum(s.m * D);
    model.product(D, s.n, s.d_v, true);
    model.product(D, s.n, 1, true);
  }
  // φ(q)·z and the gradient at it; S·dN and z.
  query.multiply_adds += 2 * D + D * s.d_v;
  query.read += 3 * D + D * s.d_v + s.d_v;
  query.product(D, s.d_v, 1);
  query.multiply_adds += D;
  query.pass(2 * D, D);
  model.add(query, s.n);
  key.product(1, s.d_v, D);
  key.multiply_adds += D;
  key.pass(2 * D, D);
  key.product(1, D, s.d_v);
  model.add(key, s.m);
  const Model queries = map_backward_of(s, s.n), keys = map_backward_of(s, s.m);
  model.add(queries);
  model.add(keys);
  // Features, S and z, and what each query's gradient is made of, with one query at work; then R
  // and r (not causal: R twice); then dφ(K), dV, dQ and dK (twice).
  const Whole scan = (s.n + s.m) * D + state + s.n * (D + s.d_v + 1), held = scan + state,
              ends = held + s.m * (D + s.d_v) + s.n * s.d;
  model.peak = max({model.peak, scan + D + s.d_v, held + (is_causal ? Whole(0) : D * s.d_v),
                    ends + queries.peak, ends + 2 * s.m * s.d + keys.peak});
  model.inputs += s.n * s.d_v;
  model.outputs = inputs_of(s);
  model.state = 0;
  return model;
}

Model linear_backward(const Sizes& s) { return linear_backward_of(s, false); }
Model linear_causal_backward(const Sizes& s) { return linear_backward_of(s, true); }

// ---------------------------------------------------------------------------------------------
// Layers and decoding

/// Numbers of a layer of `heads` and `kv_heads`.
struct Layer {
  Whole q, k, v, out, y, weights;

  explicit Layer(const Sizes& s)
      : q(s.n * s.heads * s.d),
        k(s.m * s.kv_heads * s.d),
        v(s.m * s.kv_heads * s.d_v),
        out(s.n * s.heads * s.d_v),
        y(s.n * s.d_model),
        weights(s.d_model * (s.heads + s.kv_heads) * (s.d + s.d_v)) {}
};

/// Queries, keys and values of all heads; with a layer's inputs and outputs.
Model projections(const Sizes& s) {
  const Layer layer(s);
  Model model;
  model.product(s.n, s.d_model, s.heads * s.d);
  model.product(s.m, s.d_model, s.kv_heads * s.d);
  model.product(s.m, s.d_model, s.kv_heads * s.d_v);
  model.inputs = layer.y + (s.m == s.n ? Whole(0) : s.m * s.d_model) + layer.weights;
  model.outputs = layer.y;
  return model;
}

Model grouped_query(const Sizes& s) {
  const Layer layer(s);
  Model model = projections(s), head = dense(s, s.n * s.m);
  head.in_place(s.n * s.d_v);
  model.add(head, s.heads);
  model.product(s.n, s.heads * s.d_v, s.d_model);
  // Every head's weights are kept. The last head at work, or all done and the output projected.
  const Whole kept = layer.q + layer.k + layer.v + layer.out + s.heads * (s.n + s.n * s.m);
  model.peak = kept + max({s.n * s.d, s.n + s.n * s.d_v, layer.y});
  model.state = s.kv_heads * kv_state(s, s.m);
  return model;
}

Model grouped_query_backward(const Sizes& s) {
  const Layer layer(s);
  Model model = projections(s);
  const Model head = standard_backward(s);
  model.add(head, s.heads);
  model.product(s.n, s.d_model, s.heads * s.d_v);
  model.product(s.d_model, s.n, s.heads * s.d_v, true);
  // A projection's weights and its input.
  const auto project = [&](Whole rows, Whole width) {
    model.product(width, rows, s.d_model, true);
    model.product(rows, width, s.d_model);
  };
  project(s.n, s.heads * s.d);
  project(s.m, s.kv_heads * s.d);
  project(s.m, s.kv_heads * s.d_v);
  model.inputs += layer.y;
  model.outputs = layer.weights + layer.y + 2 * s.m * s.d_model;
  // Q, K, V, the gradients at them and the heads' output; with a head at work and the gradient at
  // that output, or with all that is returned.
  model.peak =
      2 * (layer.q + layer.k + layer.v) + layer.out + max({layer.out + head.peak, model.outputs});
  return model;
}

Model multi_head_backward(const Sizes& s) {
  Sizes own = s;
  own.kv_heads = s.heads;
  return grouped_query_backward(own);
}

Model linear_layer(const Sizes& s) {
  const Layer layer(s);
  Model model = projections(s), head = linear(s);
  head.in_place(s.n * s.d_v);
  model.add(head, s.heads);
  model.product(s.n, s.heads * s.d_v, s.d_model);
  model.state = s.kv_heads * head.state;
  // The last head at work: its group has a state already if another head came before.
  const Whole states = s.kv_heads == s.heads ? model.state - head.state : model.state;
  model.peak =
      layer.q + layer.k + layer.v + layer.out + max({states + head.peak, model.state + layer.y});
  return model;
}

Model multi_head(const Sizes& s) {
  Sizes own = s;
  own.kv_heads = s.heads;
  return grouped_query(own);
}

Model multi_query(const Sizes& s) {
  Sizes shared = s;
  shared.kv_heads = 1;
  return grouped_query(shared);
}

Model kv_decode(const Sizes& s) {
  Sizes one = s;
  one.n = 1;
  Model model;
  model.in_place(s.kv_heads * (s.d + s.d_v));
  Model head = dense(one, s.n);
  head.in_place(s.d_v);
  model.add(head, s.heads);
  model.peak = s.heads * (s.d_v + s.n) + max({s.d, 1 + s.d_v});
  // The new token's query, key and value; the state is what the cache holds with it.
  model.inputs = s.heads * s.d + s.kv_heads * (s.d + s.d_v);
  model.outputs = s.heads * s.d_v;
  model.state = s.kv_heads * kv_state(s, s.n);
  return model;
}

Model linear_decode(const Sizes& s) {
  Sizes one = s;
  one.n = one.m = 1;
  Model model = linear_recurrent(one);
  model.inputs = 2 * s.d + s.d_v;
  return model;
}

// ---------------------------------------------------------------------------------------------
// The table

constexpr MechanismParameter kKeys{"m", "keys"};
constexpr MechanismParameter kMap{"feature_map", "which φ"};
constexpr MechanismParameter kFeatures{"D", "features of a random φ"};
constexpr MechanismParameter kQueryTile{"query_tile", "queries worked on together"};
constexpr MechanismParameter kKeyTile{"key_tile", "keys worked on together"};
constexpr MechanismParameter kReach{"window", "w: keys on either side"};
constexpr MechanismParameter kPool{"block", "c: keys of a block that far away become one"};
constexpr MechanismParameter kNear{"window", "w: distance up to which keys are met one by one"};
constexpr MechanismParameter kHeads{"heads", "h: query heads"};
constexpr MechanismParameter kKvHeads{"kv_heads", "h': key-value heads, a divisor of h"};
constexpr MechanismParameter kModel{"d_model", "e: width of the layer's input and output"};

constexpr std::string_view kDense = R"(nm(d+d_v))", kParallel = R"((n+m)D(d_v+1))",
                           kFeaturesHeld = R"((n+2m)D)";

}  // namespace

std::span<const Mechanism> mechanism_registry() {
  static const std::vector<Mechanism> entries{
      {.info = {.id = "standard",
                .label = "Softmax attention",
                .multiply_adds_tex = kDense,
                .memory_tex = "nm",
                .parameters = {kKeys}},
       .model = standard},
      {.info = {.id = "causal",
                .label = "Softmax attention, causal mask",
                .multiply_adds_tex = R"(n^2(d+d_v))",
                .memory_tex = "n^2"},
       .model = causal,
       .square = true},
      {.info = {.id = "causal_kept",
                .label = "Causal attention, only what is seen",
                .multiply_adds_tex = R"(\tfrac{n(n+1)}{2}(d+d_v))",
                .memory_tex = R"(\tfrac{n(n+1)}{2})"},
       .model = causal_kept,
       .square = true},
      {.info = {.id = "flash",
                .label = "Flash attention",
                .multiply_adds_tex = kDense,
                .memory_tex = R"(n\,d_v+3n)",
                .parameters = {kKeys, kQueryTile, kKeyTile}},
       .model = flash},
      {.info = {.id = "flash_causal",
                .label = "Flash attention, causal",
                .multiply_adds_tex = R"(\approx \tfrac{n(n+b)}{2}(d+d_v))",
                .memory_tex = R"(n\,d_v+3n)",
                .parameters = {kQueryTile, kKeyTile}},
       .model = flash_causal,
       .square = true},
      {.info = {.id = "fused",
                .label = "Softmax attention, fused (as it runs here)",
                .multiply_adds_tex = kDense,
                .memory_tex = R"(n\,d_v+m(d+d_v))",
                .parameters = {kKeys}},
       .model = fused,
       .float32_only = true},
      {.info = {.id = "fused_causal",
                .label = "Causal attention, fused (as it runs here)",
                .multiply_adds_tex = R"(\tfrac{n(n+1)}{2}(d+d_v))",
                .memory_tex = R"(n(d+2d_v))"},
       .model = fused_causal,
       .square = true,
       .float32_only = true},
      {.info = {.id = "fused_weights",
                .label = "Softmax attention with weights, fused (as it runs here)",
                .multiply_adds_tex = kDense,
                .memory_tex = "nm",
                .parameters = {kKeys}},
       .model = fused_weights,
       .float32_only = true},
      {.info = {.id = "sliding_window",
                .label = "Sliding window, both sides",
                .multiply_adds_tex = R"((n(2w+1)-w(w+1))(d+d_v))",
                .memory_tex = R"(n(2w+1)-w(w+1))",
                .parameters = {kReach}},
       .model = sliding_window,
       .square = true},
      {.info = {.id = "local",
                .label = "Sliding window, causal",
                .multiply_adds_tex = R"((nw-\tfrac{w(w-1)}{2})(d+d_v))",
                .memory_tex = R"(nw-\tfrac{w(w-1)}{2})",
                .parameters = {{"window", "w: keys of a query, its own included"}}},
       .model = local,
       .square = true},
      {.info = {.id = "strided",
                .label = "Strided",
                .multiply_adds_tex = R"(\approx \tfrac{n^2}{2s}(d+d_v))",
                .memory_tex = R"(\approx \tfrac{n^2}{2s})",
                .parameters = {{"block", "s: distance between the keys seen"}}},
       .model = strided,
       .square = true},
      {.info = {.id = "sparse_transformer",
                .label = "Sparse Transformer (local and strided)",
                .multiply_adds_tex = R"(\approx (ns+\tfrac{n^2}{2s})(d+d_v))",
                .memory_tex = R"(\approx ns+\tfrac{n^2}{2s})",
                .parameters = {{"block", "s: local keys and stride"}}},
       .model = sparse_transformer,
       .square = true},
      {.info = {.id = "fixed",
                .label = "Fixed",
                .multiply_adds_tex = R"(\approx n(\tfrac{b}{2}+\tfrac{cn}{2b})(d+d_v))",
                .memory_tex = R"(\approx n(\tfrac{b}{2}+\tfrac{cn}{2b}))",
                .parameters = {{"block", "b: tokens of a block"},
                               {"summary", "c: last tokens of a block that later ones see"}}},
       .model = fixed,
       .square = true},
      {.info = {.id = "big_bird",
                .label = "BigBird (blocks)",
                .multiply_adds_tex = R"(\approx nb(5+r)(d+d_v))",
                .memory_tex = R"(\approx nb(5+r))",
                .parameters = {{"block", "b: tokens of a block, a divisor of n"},
                               {"k", "r: random blocks of an inner row of blocks"}}},
       .model = big_bird,
       .square = true,
       .block_divides = true},
      {.info = {.id = "random",
                .label = "Random keys",
                .multiply_adds_tex = R"(n(r+2)(d+d_v))",
                .memory_tex = "n(r+2)",
                .parameters = {{"k", "r: random keys of a query"}}},
       .model = random,
       .square = true},
      {.info = {.id = "top_k",
                .label = "Top-k",
                .multiply_adds_tex = R"(nmd+nk(d+d_v))",
                .memory_tex = "nk",
                .parameters = {kKeys, {"k", "keys of a query"}}},
       .model = top_k},
      {.info = {.id = "hierarchical",
                .label = "Hierarchical (near keys, far means)",
                .multiply_adds_tex = R"(\approx n(2w+\tfrac{m}{c})(d+d_v))",
                .memory_tex = R"(\lceil\tfrac{m}{c}\rceil(d+d_v))",
                .parameters = {kKeys, kPool, kNear}},
       .model = hierarchical},
      {.info = {.id = "hierarchical_causal",
                .label = "Hierarchical, causal",
                .multiply_adds_tex = R"(\approx n(w+\tfrac{m}{2c})(d+d_v))",
                .memory_tex = R"(\lceil\tfrac{m}{c}\rceil(d+d_v))",
                .parameters = {kKeys, kPool, kNear}},
       .model = hierarchical_causal},
      {.info = {.id = "linear",
                .label = "Linear attention",
                .multiply_adds_tex = kParallel,
                .memory_tex = kFeaturesHeld,
                .parameters = {kKeys, kMap, kFeatures}},
       .model = linear},
      {.info = {.id = "linear_unnormalized",
                .label = "Linear attention, not normalised",
                .multiply_adds_tex = R"((n+m)D\,d_v+mD)",
                .memory_tex = kFeaturesHeld,
                .parameters = {kKeys, kMap, kFeatures}},
       .model = linear_unnormalized},
      {.info = {.id = "linear_recurrent",
                .label = "Linear attention, causal, token by token",
                .multiply_adds_tex = R"(2nD(d_v+1)+n(D+d_v+1))",
                .memory_tex = "3nD",
                .parameters = {kMap, kFeatures}},
       .model = linear_recurrent,
       .square = true},
      {.info = {.id = "linear_chunked",
                .label = "Linear attention, causal, in chunks",
                .multiply_adds_tex = R"(2nD(d_v+1)+nC(D+d_v+1))",
                .memory_tex = "3nD",
                .parameters = {kMap, kFeatures, {"chunk", "C: tokens worked on together"}}},
       .model = linear_chunked,
       .square = true},
      {.info = {.id = "fused_linear",
                .label = "Linear attention, ELU + 1, fused (as it runs here)",
                .multiply_adds_tex = kParallel,
                .memory_tex = R"(n\,d_v+2D\,d_v)",
                .parameters = {kKeys}},
       .model = fused_linear_pass,
       .feature_map = "elu_plus_one",
       .float32_only = true},
      {.info = {.id = "fused_linear_causal",
                .label = "Causal linear attention, ELU + 1, fused (as it runs here)",
                .multiply_adds_tex = R"(2nD(d_v+1))",
                .memory_tex = R"(n\,d_v+2D\,d_v)"},
       .model = fused_linear_pass,
       .square = true,
       .feature_map = "elu_plus_one",
       .float32_only = true},
      {.info = {.id = "taylor",
                .label = "Linear attention, Taylor features",
                .multiply_adds_tex = R"((n+m)(D(d_v+2)-1),\ D=1+d+d^2)",
                .memory_tex = kFeaturesHeld,
                .parameters = {kKeys}},
       .model = linear,
       .feature_map = "taylor"},
      {.info = {.id = "taylor_compact",
                .label = "Linear attention, compact Taylor features",
                .multiply_adds_tex = R"((n+m)(D(d_v+2)-1),\ D=\tfrac{(d+1)(d+2)}{2})",
                .memory_tex = kFeaturesHeld,
                .parameters = {kKeys}},
       .model = linear,
       .feature_map = "taylor_compact"},
      {.info = {.id = "performer",
                .label = "Linear attention, FAVOR+ features",
                .multiply_adds_tex = R"((n+m)(D(d_v+d+1)+d))",
                .memory_tex = R"((n+3m)D)",
                .parameters = {kKeys, kFeatures}},
       .model = linear,
       .feature_map = "softmax_kernel"},
      {.info = {.id = "multi_head",
                .label = "Multi-head layer",
                .multiply_adds_tex = R"(he(n+m)(d+d_v)+hnm(d+d_v))",
                .memory_tex = "hnm",
                .parameters = {kKeys, kHeads, kModel}},
       .model = multi_head},
      {.info = {.id = "grouped_query",
                .label = "Grouped-query layer",
                .multiply_adds_tex = R"(e(hn+h'm)(d+d_v)+hnm(d+d_v))",
                .memory_tex = "hnm",
                .parameters = {kKeys, kHeads, kKvHeads, kModel}},
       .model = grouped_query},
      {.info = {.id = "multi_query",
                .label = "Multi-query layer",
                .multiply_adds_tex = R"(e(hn+m)(d+d_v)+hnm(d+d_v))",
                .memory_tex = "hnm",
                .parameters = {kKeys, kHeads, kModel}},
       .model = multi_query},
      {.info = {.id = "linear_layer",
                .label = "Multi-head layer, linear attention",
                .multiply_adds_tex = R"(e(hn+h'm)(d+d_v)+h(n+m)D(d_v+1))",
                .memory_tex = R"((hn+h'm)(d+d_v))",
                .parameters = {kKeys, kHeads, kKvHeads, kModel, kMap, kFeatures}},
       .model = linear_layer},
      {.info = {.id = "kv_decode",
                .label = "Decoding one token with a cache",
                .multiply_adds_tex = R"(hn(d+d_v))",
                .memory_tex = "hn",
                .parameters = {{"n", "tokens, the new one included"}, kHeads, kKvHeads}},
       .model = kv_decode,
       .square = true},
      {.info = {.id = "linear_decode",
                .label = "Decoding one token with a linear state",
                .multiply_adds_tex = R"(2D(d_v+1)+D+d_v+1)",
                .memory_tex = R"(D(d_v+1))",
                .parameters = {{"n", "tokens, the new one included: no matter how many"},
                               kMap,
                               kFeatures}},
       .model = linear_decode,
       .square = true},
      {.info = {.id = "standard_backward",
                .label = "Softmax attention, gradients",
                .multiply_adds_tex = R"(3nm(d+d_v)+nd_v)",
                .memory_tex = "2nm",
                .parameters = {kKeys}},
       .model = standard_backward},
      {.info = {.id = "linear_backward",
                .label = "Linear attention, gradients",
                .multiply_adds_tex = R"(3(n+m)D\,d_v+(4n+2m)D)",
                .memory_tex = R"(2(n+m)D)",
                .parameters = {kKeys, kMap, kFeatures}},
       .model = linear_backward},
      {.info = {.id = "linear_causal_backward",
                .label = "Linear attention, causal, gradients",
                .multiply_adds_tex = R"(6nD(d_v+1))",
                .memory_tex = "4nD",
                .parameters = {kMap, kFeatures}},
       .model = linear_causal_backward,
       .square = true},
      {.info = {.id = "fused_backward",
                .label = "Softmax attention, fused, gradients (as it runs here)",
                .multiply_adds_tex = R"(nm(3d+2d_v)+nd_v)",
                .memory_tex = R"(n(4d+2d_v)+m(d+d_v))",
                .parameters = {kKeys}},
       .model = fused_backward,
       .float32_only = true},
      {.info = {.id = "fused_causal_backward",
                .label = "Causal attention, fused, gradients (as it runs here)",
                .multiply_adds_tex = R"(\tfrac{n(n+1)}{2}(3d+2d_v)+nd_v)",
                .memory_tex = R"(n(5d+3d_v))"},
       .model = fused_causal_backward,
       .square = true,
       .float32_only = true},
      {.info = {.id = "flash_backward",
                .label = "Flash attention, gradients",
                .multiply_adds_tex = R"(nm(3d+2d_v)+nd_v)",
                .memory_tex = R"((n+m)(d+d_v))",
                .parameters = {kKeys, kQueryTile, kKeyTile}},
       .model = flash_backward},
      {.info = {.id = "flash_causal_backward",
                .label = "Flash attention, causal, gradients",
                .multiply_adds_tex = R"(\approx \tfrac{n(n+b)}{2}(3d+2d_v)+nd_v)",
                .memory_tex = R"(n(2d+d_v))",
                .parameters = {kQueryTile, kKeyTile}},
       .model = flash_causal_backward,
       .square = true},
      {.info = {.id = "hierarchical_backward",
                .label = "Hierarchical, gradients",
                .multiply_adds_tex = R"(\approx n(2w+\tfrac{m}{c})(3d+2d_v+1))",
                .memory_tex = R"((n+m)d+m\,d_v)",
                .parameters = {kKeys, kPool, kNear}},
       .model = hierarchical_backward},
      {.info = {.id = "hierarchical_causal_backward",
                .label = "Hierarchical, causal, gradients",
                .multiply_adds_tex = R"(\approx n(w+\tfrac{m}{2c})(3d+2d_v+1))",
                .memory_tex = R"((n+m)d+m\,d_v)",
                .parameters = {kKeys, kPool, kNear}},
       .model = hierarchical_causal_backward},
      {.info = {.id = "multi_head_backward",
                .label = "Multi-head layer, gradients",
                .multiply_adds_tex = R"(3he(n+m)(d+d_v)-hend_v+3hnm(d+d_v)+hnd_v)",
                .memory_tex = R"(2nm+2h(n+m)(d+d_v))",
                .parameters = {kKeys, kHeads, kModel}},
       .model = multi_head_backward},
      {.info = {.id = "grouped_query_backward",
                .label = "Grouped-query layer, gradients",
                .multiply_adds_tex = R"(3e(hn+h'm)(d+d_v)-hend_v+3hnm(d+d_v)+hnd_v)",
                .memory_tex = R"(2nm+2(hn+h'm)(d+d_v))",
                .parameters = {kKeys, kHeads, kKvHeads, kModel}},
       .model = grouped_query_backward},
      {.info = {.id = "sliding_window_backward",
                .label = "Sliding window, gradients",
                .multiply_adds_tex = R"(\mathrm{nnz}\,(3d+2d_v+1))",
                .memory_tex = R"(n(2d+d_v))",
                .parameters = {kReach}},
       .model = sliding_window_backward,
       .square = true},
  };
  return entries;
}

const Mechanism& find_mechanism(std::string_view id) {
  for (const Mechanism& mechanism : mechanism_registry()) {
    if (mechanism.info.id == id) return mechanism;
  }
  std::string ids;
  for (const Mechanism& mechanism : mechanism_registry()) {
    ids.append(ids.empty() ? "" : ", ").append(mechanism.info.id);
  }
  throw ValueError("mechanism", id, "one of " + ids);
}

namespace {

/// D of the shape's feature map.
Whole features_of(std::string_view id, const CostShape& shape) {
  const FeatureMapInfo& info = feature_map_info(id);
  const Whole d = shape.d_k;
  if (info.random) {
    const bool paired = id == "softmax_kernel_hyperbolic" || id == "softmax_kernel_trig";
    for (const FeatureMapParameter& parameter : info.parameters) {
      if (parameter.name != "features" || shape.D != 0) continue;
      return Whole(static_cast<std::uint64_t>(parameter.default_value)) * (paired ? 2 : 1);
    }
    if (paired && shape.D % 2 != 0) {
      throw ValueError("D", std::to_string(shape.D),
                       "an even number: " + std::string(info.label) + " come in pairs");
    }
    return shape.D;
  }
  Whole D = d;
  if (id == "taylor" || id == "taylor_compact") {
    D = taylor_dimension(d.value(), id == "taylor_compact");
  } else if (id == "rebased") {
    D = triangle(d);
  } else if (id == "cosformer" || id == "dpfp" || id.starts_with("hedgehog")) {
    D = 2 * d;
  }
  if (shape.D != 0 && D != Whole(shape.D)) {
    throw ValueError("D", std::to_string(shape.D),
                     "0 or " + std::to_string(D.value()) + ", the features of " + std::string(id) +
                         " at d_k = " + std::to_string(d.value()));
  }
  return D;
}

}  // namespace

Sizes resolve(const Mechanism& mechanism, const CostShape& shape) {
  const auto require_some = [](std::string_view name, std::uint64_t value) {
    if (value == 0) throw ValueError(name, "0", "at least 1");
  };
  const auto reads = [&](std::string_view name) {
    const auto& all = mechanism.info.parameters;
    return std::any_of(all.begin(), all.end(), [&](const auto& p) { return p.name == name; });
  };
  require_some("n", shape.n);
  require_some("d_k", shape.d_k);
  require_some("d_v", shape.d_v);
  if (mechanism.square && shape.m != 0 && shape.m != shape.n) {
    throw ShapeError("m", std::to_string(shape.m),
                     std::to_string(shape.n) + ", as many keys as queries, or 0");
  }
  for (const auto& [name, value] :
       {std::pair{"block", shape.block}, std::pair{"chunk", shape.chunk},
        std::pair{"query_tile", shape.query_tile}, std::pair{"key_tile", shape.key_tile},
        std::pair{"heads", shape.heads}, std::pair{"kv_heads", shape.kv_heads}}) {
    if (reads(name)) require_some(name, value);
  }
  const auto require_divides = [&](std::string_view name, std::uint64_t part, std::uint64_t whole) {
    if (whole % part == 0) return;
    throw ValueError(name, std::to_string(part), "a divisor of " + std::to_string(whole));
  };
  const std::string_view id = mechanism.info.id;
  if (mechanism.block_divides) require_divides("block", shape.block, shape.n);
  if (reads("kv_heads")) require_divides("kv_heads", shape.kv_heads, shape.heads);
  if (reads("summary") && shape.summary > shape.block) {
    throw ValueError("summary", std::to_string(shape.summary),
                     "0 to block = " + std::to_string(shape.block));
  }
  if (id == "top_k") require_some("k", shape.k);
  if (id == "local") require_some("window", shape.window);

  Sizes s;
  s.n = shape.n;
  s.m = shape.m == 0 ? shape.n : shape.m;
  s.d = shape.d_k;
  s.d_v = shape.d_v;
  s.window = shape.window;
  s.block = shape.block;
  s.summary = shape.summary;
  s.k = shape.k;
  s.chunk = shape.chunk;
  s.query_tile = shape.query_tile;
  s.key_tile = shape.key_tile;
  s.heads = shape.heads;
  s.kv_heads = shape.kv_heads;
  s.d_model = shape.d_model == 0 ? Whole(shape.heads) * shape.d_k : Whole(shape.d_model);
  if (!mechanism.feature_map.empty() || reads("feature_map")) {
    s.feature_map =
        mechanism.feature_map.empty() ? std::string_view(shape.feature_map) : mechanism.feature_map;
    s.D = features_of(s.feature_map, shape);
  }
  return s;
}

}  // namespace attn::internal

namespace attn {

using internal::Whole;

std::span<const MechanismInfo> mechanisms() {
  static const std::vector<MechanismInfo> infos = [] {
    std::vector<MechanismInfo> list;
    for (const internal::Mechanism& mechanism : internal::mechanism_registry()) {
      list.push_back(mechanism.info);
    }
    return list;
  }();
  return infos;
}

const MechanismInfo& mechanism_info(std::string_view id) {
  return internal::find_mechanism(id).info;
}

Cost cost_of(std::string_view mechanism, const CostShape& shape, std::size_t scalar_bytes) {
  const internal::Mechanism& entry = internal::find_mechanism(mechanism);
  if (entry.float32_only && scalar_bytes != sizeof(float)) {
    throw ValueError("scalar_bytes", std::to_string(scalar_bytes),
                     "4: " + std::string(mechanism) + " is a float32 kernel");
  }
  const internal::Sizes s = internal::resolve(entry, shape);
  const internal::Model model = entry.model(s);
  const Whole scalar = scalar_bytes;
  Cost cost;
  cost.multiply_adds = model.multiply_adds.value();
  cost.exps = model.exps.value();
  cost.bytes_read = (model.read * scalar).value();
  cost.bytes_written = (model.written * scalar).value();
  cost.peak_bytes = (model.peak * scalar).value();
  cost.input_bytes = (model.inputs * scalar).value();
  cost.output_bytes = (model.outputs * scalar).value();
  cost.workspace_bytes = cost.peak_bytes - cost.output_bytes;
  if (model.cells) {
    cost.index_bytes = (*model.cells * sizeof(std::int32_t) + (s.n + 1) * sizeof(Index)).value();
  }
  cost.state_bytes = (model.state * scalar).value();
  return cost;
}

}  // namespace attn
