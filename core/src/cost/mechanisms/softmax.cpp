// Softmax attention, dense and in tiles.

#include <algorithm>

#include "attn/attention/attention.hpp"
#include "attn/attention/attention_training.hpp"
#include "attn/attention/flash_attention.hpp"
#include "cost/mechanisms/entry.hpp"

namespace attn::internal {

/// The model of one head of `attention`; the mask keeps `seen` cells.
Model dense(const Sizes& s, Whole seen) {
  Model model;
  model.in_place(s.n * s.d);
  model.product(s.n, s.d, s.m);
  model.exps = seen;
  model.in_place(s.n * s.m);
  model.product(s.n, s.m, s.d_v);
  // The scaled queries are freed before the log-sum-exps and the output are allocated.
  model.peak = s.n * s.m + max({s.n * s.d, s.n + s.n * s.d_v});
  model.inputs = inputs_of(s);
  model.outputs = s.n * s.d_v;
  model.state = kv_state(s, s.m);
  return model;
}

namespace {

Model standard(const Sizes& s) { return dense(s, s.n * s.m); }
Model causal(const Sizes& s) { return dense(s, triangle(s.n)); }

}  // namespace
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
  // Besides the forward result, the peak holds row dots, dP and dV, and dQ or dK before and after
  // scaling.
  model.peak = max({model.peak, cells + s.n + out + s.n + cells + s.m * s.d_v +
                                    max({2 * s.n * s.d, s.n * s.d + 2 * s.m * s.d})});
  model.inputs += out;
  model.outputs = inputs_of(s);
  model.state = 0;
  return model;
}

namespace {

/// Calls `visit(queries, keys, tiles, kept)` for each row of tiles: its number of queries, the keys
/// in its visited tiles, the number of those tiles, and the cells that the mask keeps.
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
    // Each cell takes one exp, and each row and tile takes one to rescale the earlier sums.
    model.exps += kept + queries * tiles;
    model.in_place(tiles * queries * s.d);
    model.pass(tiles * queries * s.d + keys * s.d, cells);
    model.pass(cells + keys * s.d_v, tiles * out);
    model.pass(cells + 3 * tiles * out, cells + 2 * tiles * out);
  });
  const Whole out = s.n * s.d_v, queries = std::min(s.query_tile, s.n);
  model.in_place(out);
  // The peak holds the output, row maxima and sums, then a tile with its scaled queries or its
  // product with V, and at the end the log-sum-exps.
  const Whole tile = queries * std::min(s.key_tile, s.m) + queries * max({s.d, s.d_v});
  model.peak = out + 2 * s.n + max({tile, s.n});
  model.inputs = inputs_of(s);
  model.outputs = out;
  model.state = kv_state(s, s.m);
  return model;
}

Model flash(const Sizes& s) { return flash_tiles(s, false); }
Model flash_causal(const Sizes& s) { return flash_tiles(s, true); }

Model flash_tiles_backward(const Sizes& s, bool is_causal) {
  Model model;
  model.sum(s.n * s.d_v);  // dO·O
  model.read += s.n * s.d_v;
  for_each_row_of_tiles(s, is_causal, [&](Whole queries, Whole keys, Whole tiles, Whole kept) {
    const Whole cells = queries * keys;
    model.multiply_adds += cells * (3 * s.d + 2 * s.d_v);
    model.exps += kept;
    model.in_place(tiles * queries * s.d);
    // The counted work is S and dQ, and then dV, dP and dK.
    model.pass(tiles * queries * s.d + keys * s.d, cells);
    model.pass(cells + tiles * queries * s.d_v + keys * s.d_v, keys * s.d_v);
    model.pass(tiles * queries * s.d_v + keys * s.d_v, cells);
    model.pass(cells + keys * s.d, tiles * queries * s.d);
    model.pass(cells + tiles * queries * s.d + keys * s.d, keys * s.d);
    model.pass(4 * cells + 2 * tiles * queries * s.d, 3 * cells + tiles * queries * s.d);
  });
  const Whole queries = std::min(s.query_tile, s.n), tile = queries * std::min(s.key_tile, s.m);
  // The peak holds the gradients and row dots, P and dS of a tile, and the tile's part of dQ.
  model.peak = inputs_of(s) + s.n + 2 * tile + queries * s.d;
  // The inputs also include dO and the forward pass's output and log-sum-exps.
  model.inputs = inputs_of(s) + 2 * s.n * s.d_v + s.n;
  model.outputs = inputs_of(s);
  return model;
}

Model flash_backward(const Sizes& s) { return flash_tiles_backward(s, false); }
Model flash_causal_backward(const Sizes& s) { return flash_tiles_backward(s, true); }

template <typename T>
void run_dense(Run<T>& run, const Mask& mask) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values();
  AttentionOptions<T> options;
  options.mask = mask;
  run.measure([&] { return attention<T>(Q, K, V, options); });
  run.cost.state_bytes = run.cache_bytes(1);
}

template <typename T>
void run_standard_backward(Run<T>& run) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values(),
                  dO = run.draw(Q.rows(), V.cols());
  run.measure([&] { return attention_backward<T>(Q, K, V, dO); });
}

template <typename T>
FlashOptions<T> flash_options(const Run<T>& run, const Mask& mask) {
  FlashOptions<T> options;
  options.mask = mask;
  options.query_tile = index(std::min(run.s.query_tile, run.s.n));
  options.key_tile = index(std::min(run.s.key_tile, run.s.m));
  return options;
}

template <typename T>
void run_flash(Run<T>& run, const Mask& mask) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values();
  const FlashOptions<T> options = flash_options(run, mask);
  run.measure([&] { return flash_attention<T>(Q, K, V, options); });
  run.cost.state_bytes = run.cache_bytes(1);
}

template <typename T>
void run_flash_backward(Run<T>& run, const Mask& mask) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values(),
                  dO = run.draw(Q.rows(), V.cols());
  const FlashOptions<T> options = flash_options(run, mask);
  const FlashResult<T> forward = flash_attention<T>(Q, K, V, options);
  run.cost.input_bytes += run.bytes(Q.rows(), V.cols()) + run.bytes(Q.rows(), 1);
  run.measure([&] { return flash_attention_backward<T>(Q, K, V, dO, forward, options); });
}

}  // namespace

namespace {

constexpr MechanismParameter kQueryTile{"query_tile", "queries worked on together"};
constexpr MechanismParameter kKeyTile{"key_tile", "keys worked on together"};

}  // namespace

template <typename T>
void add_softmax_mechanisms(std::vector<Mechanism<T>>& all) {
  all.push_back({.info = {.id = "standard",
                          .label = "Softmax attention",
                          .multiply_adds_tex = kDense,
                          .memory_tex = "nm",
                          .parameters = {kKeys}},
                 .model = standard,
                 .run = [](Run<T>& run) { run_dense(run, Mask::full()); }});

  all.push_back({.info = {.id = "causal",
                          .label = "Softmax attention, causal mask",
                          .multiply_adds_tex = R"(n^2(d+d_v))",
                          .memory_tex = "n^2"},
                 .model = causal,
                 .run = [](Run<T>& run) { run_dense(run, Mask::causal()); },
                 .square = true});

  all.push_back({.info = {.id = "flash",
                          .label = "Flash attention",
                          .multiply_adds_tex = kDense,
                          .memory_tex = R"(n\,d_v+3n)",
                          .parameters = {kKeys, kQueryTile, kKeyTile}},
                 .model = flash,
                 .run = [](Run<T>& run) { run_flash(run, Mask::full()); }});

  all.push_back({.info = {.id = "flash_causal",
                          .label = "Flash attention, causal",
                          .multiply_adds_tex = R"(\approx \tfrac{n(n+b)}{2}(d+d_v))",
                          .memory_tex = R"(n\,d_v+3n)",
                          .parameters = {kQueryTile, kKeyTile}},
                 .model = flash_causal,
                 .run = [](Run<T>& run) { run_flash(run, Mask::causal()); },
                 .square = true});

  all.push_back({.info = {.id = "standard_backward",
                          .label = "Softmax attention, gradients",
                          .multiply_adds_tex = R"(3nm(d+d_v)+nd_v)",
                          .memory_tex = "2nm",
                          .parameters = {kKeys}},
                 .model = standard_backward,
                 .run = [](Run<T>& run) { run_standard_backward(run); }});

  all.push_back({.info = {.id = "flash_backward",
                          .label = "Flash attention, gradients",
                          .multiply_adds_tex = R"(nm(3d+2d_v)+nd_v)",
                          .memory_tex = R"((n+m)(d+d_v))",
                          .parameters = {kKeys, kQueryTile, kKeyTile}},
                 .model = flash_backward,
                 .run = [](Run<T>& run) { run_flash_backward(run, Mask::full()); }});

  all.push_back({.info = {.id = "flash_causal_backward",
                          .label = "Flash attention, causal, gradients",
                          .multiply_adds_tex = R"(\approx \tfrac{n(n+b)}{2}(3d+2d_v)+nd_v)",
                          .memory_tex = R"(n(2d+d_v))",
                          .parameters = {kQueryTile, kKeyTile}},
                 .model = flash_causal_backward,
                 .run = [](Run<T>& run) { run_flash_backward(run, Mask::causal()); },
                 .square = true});
}

template void add_softmax_mechanisms<float>(std::vector<Mechanism<float>>&);
template void add_softmax_mechanisms<double>(std::vector<Mechanism<double>>&);

}  // namespace attn::internal
