// Attention over the cells of a pattern.

#include <algorithm>

#include "attn/attention/pattern.hpp"
#include "attn/attention/sparse_attention.hpp"
#include "cost/mechanisms/entry.hpp"

namespace attn::internal {
namespace {

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
  // An inner row of blocks sees itself, its neighbours, both ends, and k random blocks.
  const auto seen = [&](Whole own) { return std::min(own + s.k, blocks); };
  Whole block_cells = blocks * std::min(blocks, Whole(2));
  if (blocks == Whole(3)) block_cells += seen(3);
  if (blocks > Whole(3)) block_cells += 2 * seen(4) + (blocks - 4) * seen(5);
  return sparse(s, block_cells * s.block * s.block);
}

Model random(const Sizes& s) {
  // A query sees itself, one neighbour, and k others.
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

Pattern band(const Sizes& s) {
  return Pattern::longformer(index(s.n), index(std::min(s.window, s.n)));
}

template <typename T>
void run_sparse(Run<T>& run, const Pattern& pattern) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values();
  run.cost.index_bytes = pattern.bytes();
  run.measure([&] { return sparse_attention<T>(Q, K, V, pattern); });
}

template <typename T>
void run_sparse_backward(Run<T>& run, const Pattern& pattern) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values(),
                  dO = run.draw(Q.rows(), V.cols());
  run.cost.index_bytes = pattern.bytes();
  run.measure([&] { return sparse_attention_backward<T>(Q, K, V, pattern, dO); });
}

template <typename T>
void run_top_k(Run<T>& run) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values();
  const Index k = index(std::min(run.s.k, run.s.m));
  run.measure([&] {
    const Pattern pattern = Pattern::nearest_keys<T>(Q, K, k);
    run.cost.index_bytes = pattern.bytes();
    return sparse_attention<T>(Q, K, V, pattern);
  });
}

template <typename T>
void run_local(Run<T>& run) {
  const Index n = index(run.s.n), d = index(run.s.d), d_v = index(run.s.d_v);
  const Index window = index(std::min(run.s.window, run.s.n));
  run_sparse(run, Pattern::local(n, window));
  KvCacheOptions ring;
  ring.window = window;
  KvCache<T> cache(window, 1, d, d_v, ring);
  cache.append(Matrix<T>::Zero(n, d), Matrix<T>::Zero(n, d_v));
  run.cost.state_bytes = cache.bytes();
}

}  // namespace

namespace {

constexpr MechanismParameter kReach{"window", "w: keys on either side"};

}  // namespace

template <typename T>
void add_pattern_mechanisms(std::vector<Mechanism<T>>& all) {
  all.push_back({.info = {.id = "causal_kept",
                          .label = "Causal attention, only what is seen",
                          .multiply_adds_tex = R"(\tfrac{n(n+1)}{2}(d+d_v))",
                          .memory_tex = R"(\tfrac{n(n+1)}{2})"},
                 .model = causal_kept,
                 .run =
                     [](Run<T>& run) {
                       const Index n = index(run.s.n);
                       run_sparse(run, Pattern::causal(n, n, Alignment::kTopLeft));
                       run.cost.state_bytes = run.cache_bytes(1);
                     },
                 .square = true});

  all.push_back({.info = {.id = "sliding_window",
                          .label = "Sliding window, both sides",
                          .multiply_adds_tex = R"((n(2w+1)-w(w+1))(d+d_v))",
                          .memory_tex = R"(n(2w+1)-w(w+1))",
                          .parameters = {kReach}},
                 .model = sliding_window,
                 .run = [](Run<T>& run) { run_sparse(run, band(run.s)); },
                 .square = true});

  all.push_back({.info = {.id = "local",
                          .label = "Sliding window, causal",
                          .multiply_adds_tex = R"((nw-\tfrac{w(w-1)}{2})(d+d_v))",
                          .memory_tex = R"(nw-\tfrac{w(w-1)}{2})",
                          .parameters = {{"window", "w: keys of a query, its own included"}}},
                 .model = local,
                 .run = [](Run<T>& run) { run_local(run); },
                 .square = true,
                 .at_least_one = "window"});

  all.push_back({.info = {.id = "strided",
                          .label = "Strided",
                          .multiply_adds_tex = R"(\approx \tfrac{n^2}{2s}(d+d_v))",
                          .memory_tex = R"(\approx \tfrac{n^2}{2s})",
                          .parameters = {{"block", "s: distance between the keys seen"}}},
                 .model = strided,
                 .run =
                     [](Run<T>& run) {
                       const Sizes& s = run.s;
                       run_sparse(run, Pattern::strided(index(s.n), index(std::min(s.block, s.n))));
                     },
                 .square = true});

  all.push_back({.info = {.id = "sparse_transformer",
                          .label = "Sparse Transformer (local and strided)",
                          .multiply_adds_tex = R"(\approx (ns+\tfrac{n^2}{2s})(d+d_v))",
                          .memory_tex = R"(\approx ns+\tfrac{n^2}{2s})",
                          .parameters = {{"block", "s: local keys and stride"}}},
                 .model = sparse_transformer,
                 .run =
                     [](Run<T>& run) {
                       const Sizes& s = run.s;
                       run_sparse(run, Pattern::sparse_transformer(index(s.n),
                                                                   index(std::min(s.block, s.n))));
                     },
                 .square = true});

  all.push_back(
      {.info = {.id = "fixed",
                .label = "Fixed",
                .multiply_adds_tex = R"(\approx n(\tfrac{b}{2}+\tfrac{cn}{2b})(d+d_v))",
                .memory_tex = R"(\approx n(\tfrac{b}{2}+\tfrac{cn}{2b}))",
                .parameters = {{"block", "b: tokens of a block"},
                               {"summary", "c: last tokens of a block that later ones see"}}},
       .model = fixed,
       .run =
           [](Run<T>& run) {
             const Sizes& s = run.s;
             const Whole block = std::min(s.block, s.n);
             run_sparse(
                 run, Pattern::fixed(index(s.n), index(block), index(std::min(s.summary, block))));
           },
       .square = true});

  all.push_back({.info = {.id = "big_bird",
                          .label = "BigBird (blocks)",
                          .multiply_adds_tex = R"(\approx nb(5+r)(d+d_v))",
                          .memory_tex = R"(\approx nb(5+r))",
                          .parameters = {{"block", "b: tokens of a block, a divisor of n"},
                                         {"k", "r: random blocks of an inner row of blocks"}}},
                 .model = big_bird,
                 .run =
                     [](Run<T>& run) {
                       const Sizes& s = run.s;
                       run_sparse(run, Pattern::big_bird(index(s.n), index(s.block),
                                                         index(std::min(s.k, s.n)), run.seed()));
                     },
                 .square = true,
                 .block_divides = true});

  all.push_back({.info = {.id = "random",
                          .label = "Random keys",
                          .multiply_adds_tex = R"(n(r+2)(d+d_v))",
                          .memory_tex = "n(r+2)",
                          .parameters = {{"k", "r: random keys of a query"}}},
                 .model = random,
                 .run =
                     [](Run<T>& run) {
                       const Sizes& s = run.s;
                       run_sparse(run, Pattern::random(index(s.n), index(std::min(s.k, s.n)), false,
                                                       run.seed()));
                     },
                 .square = true});

  all.push_back({.info = {.id = "top_k",
                          .label = "Top-k",
                          .multiply_adds_tex = R"(nmd+nk(d+d_v))",
                          .memory_tex = "nk",
                          .parameters = {kKeys, {"k", "keys of a query"}}},
                 .model = top_k,
                 .run = [](Run<T>& run) { run_top_k(run); },
                 .at_least_one = "k"});

  all.push_back({.info = {.id = "sliding_window_backward",
                          .label = "Sliding window, gradients",
                          .multiply_adds_tex = R"(\mathrm{nnz}\,(3d+2d_v+1))",
                          .memory_tex = R"(n(2d+d_v))",
                          .parameters = {kReach}},
                 .model = sliding_window_backward,
                 .run = [](Run<T>& run) { run_sparse_backward(run, band(run.s)); },
                 .square = true});
}

template void add_pattern_mechanisms<float>(std::vector<Mechanism<float>>&);
template void add_pattern_mechanisms<double>(std::vector<Mechanism<double>>&);

}  // namespace attn::internal
