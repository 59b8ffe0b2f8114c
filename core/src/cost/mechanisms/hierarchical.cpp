// Hierarchical attention.

#include <algorithm>
#include <array>

#include "attn/attention/hierarchical_attention.hpp"
#include "cost/mechanisms/entry.hpp"

namespace attn::internal {
namespace {

/// Calls `visit(runs)` for each query. The runs are the numbers of summaries before the near keys,
/// of near keys, and of summaries after them.
template <typename Visit>
void for_each_query(const Sizes& s, Whole pool, bool is_causal, Visit visit) {
  for (Whole i = 0; i < s.n; i += 1) {
    // The query's position p = i + m − n is negative for n > m, so all positions are shifted by n.
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

/// The means, and the weights of every query; `peak` is the most cells that a query visits.
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
  // The counted work is P·dP, dS and dQ.
  model.multiply_adds += cells * (s.d + 1);
  model.pass(cells * (s.d + 6), 2 * cells + s.n * s.d);
  // The gradients at the means are distributed to the rows of their blocks.
  model.multiply_adds += spread;
  model.pass(2 * spread, spread);
  // The peak holds the means and the gradients at them, and P and dS of one query.
  model.peak = inputs_of(s) + 2 * blocks * (s.d + s.d_v) + 2 * model.peak;
  model.inputs = inputs_of(s) + s.n * s.d_v;
  model.outputs = inputs_of(s);
  return model;
}

Model hierarchical_backward(const Sizes& s) { return hierarchical_backward_of(s, false); }
Model hierarchical_causal_backward(const Sizes& s) { return hierarchical_backward_of(s, true); }

template <typename T>
HierarchicalAttentionOptions hierarchical_options(const Run<T>& run, bool causal) {
  HierarchicalAttentionOptions options;
  options.causal = causal;
  options.pool = index(std::min(run.s.block, run.s.m));
  options.window = index(std::min(run.s.window, run.s.n + run.s.m));
  return options;
}

template <typename T>
void run_hierarchical(Run<T>& run, bool causal) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values();
  const HierarchicalAttentionOptions options = hierarchical_options(run, causal);
  run.measure([&] { return hierarchical_attention<T>(Q, K, V, options); });
}

template <typename T>
void run_hierarchical_backward(Run<T>& run, bool causal) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values(),
                  dO = run.draw(Q.rows(), V.cols());
  const HierarchicalAttentionOptions options = hierarchical_options(run, causal);
  run.measure([&] { return hierarchical_attention_backward<T>(Q, K, V, dO, options); });
}

}  // namespace

namespace {

constexpr MechanismParameter kPool{"block", "c: keys of a block that far away become one"};
constexpr MechanismParameter kNear{"window", "w: distance up to which keys are met one by one"};

}  // namespace

template <typename T>
void add_hierarchical_mechanisms(std::vector<Mechanism<T>>& all) {
  all.push_back({.info = {.id = "hierarchical",
                          .label = "Hierarchical (near keys, far means)",
                          .multiply_adds_tex = R"(\approx n(2w+\tfrac{m}{c})(d+d_v))",
                          .memory_tex = R"(\lceil\tfrac{m}{c}\rceil(d+d_v))",
                          .parameters = {kKeys, kPool, kNear}},
                 .model = hierarchical,
                 .run = [](Run<T>& run) { run_hierarchical(run, false); }});

  all.push_back({.info = {.id = "hierarchical_causal",
                          .label = "Hierarchical, causal",
                          .multiply_adds_tex = R"(\approx n(w+\tfrac{m}{2c})(d+d_v))",
                          .memory_tex = R"(\lceil\tfrac{m}{c}\rceil(d+d_v))",
                          .parameters = {kKeys, kPool, kNear}},
                 .model = hierarchical_causal,
                 .run = [](Run<T>& run) { run_hierarchical(run, true); }});

  all.push_back({.info = {.id = "hierarchical_backward",
                          .label = "Hierarchical, gradients",
                          .multiply_adds_tex = R"(\approx n(2w+\tfrac{m}{c})(3d+2d_v+1))",
                          .memory_tex = R"((n+m)d+m\,d_v)",
                          .parameters = {kKeys, kPool, kNear}},
                 .model = hierarchical_backward,
                 .run = [](Run<T>& run) { run_hierarchical_backward(run, false); }});

  all.push_back({.info = {.id = "hierarchical_causal_backward",
                          .label = "Hierarchical, causal, gradients",
                          .multiply_adds_tex = R"(\approx n(w+\tfrac{m}{2c})(3d+2d_v+1))",
                          .memory_tex = R"((n+m)d+m\,d_v)",
                          .parameters = {kKeys, kPool, kNear}},
                 .model = hierarchical_causal_backward,
                 .run = [](Run<T>& run) { run_hierarchical_backward(run, true); }});
}

template void add_hierarchical_mechanisms<float>(std::vector<Mechanism<float>>&);
template void add_hierarchical_mechanisms<double>(std::vector<Mechanism<double>>&);

}  // namespace attn::internal
