// Layers of several heads, and decoding with their cache.

#include <algorithm>

#include "attn/attention/kv_cache.hpp"
#include "attn/attention/multi_head.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "cost/mechanisms/entry.hpp"

namespace attn::internal {
namespace {

/// The numbers of a layer with `heads` and `kv_heads`.
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

/// The queries, keys and values of all heads, with the layer's inputs and outputs.
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
  // Every head's weights are kept. The peak is either while the last head runs, or after all heads
  // while the output is projected.
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
  // Adds the weights and the input of a projection.
  const auto project = [&](Whole rows, Whole width) {
    model.product(width, rows, s.d_model, true);
    model.product(rows, width, s.d_model);
  };
  project(s.n, s.heads * s.d);
  project(s.m, s.kv_heads * s.d);
  project(s.m, s.kv_heads * s.d_v);
  model.inputs += layer.y;
  model.outputs = layer.weights + layer.y + 2 * s.m * s.d_model;
  // The peak holds Q, K, V, their gradients and the heads' output; with these either one running
  // head and the gradient at that output, or everything that is returned.
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
  // While the last head runs, its group already has a state if another head of the group ran
  // before.
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
  // The inputs are the new token's query, key and value; the state is the cache with that token.
  model.inputs = s.heads * s.d + s.kv_heads * (s.d + s.d_v);
  model.outputs = s.heads * s.d_v;
  model.state = s.kv_heads * kv_state(s, s.n);
  return model;
}

template <typename T>
MultiHeadWeights<T> draw_layer(Run<T>& run, Whole kv_heads) {
  const Sizes& s = run.s;
  const Index width = index(s.d_model);
  MultiHeadWeights<T> w;
  w.heads = index(s.heads);
  w.kv_heads = index(kv_heads);
  w.Wq = run.draw(w.heads * index(s.d), width);
  w.Wk = run.draw(w.kv_heads * index(s.d), width);
  w.Wv = run.draw(w.kv_heads * index(s.d_v), width);
  w.Wo = run.draw(width, w.heads * index(s.d_v));
  // The factor makes projected vectors of size 1, so that no weight vanishes.
  const T size = static_cast<T>(1 / std::sqrt(static_cast<double>(width)));
  for (Matrix<T>* W : {&w.Wq, &w.Wk, &w.Wv, &w.Wo}) *W *= size;
  return w;
}

/// Calls `call(X, Y, w)` with a layer's inputs, which are the same matrix where n = m, and its
/// weights.
template <typename T, typename Call>
void run_layer_as(Run<T>& run, Whole kv_heads, Call call) {
  const MultiHeadWeights<T> w = draw_layer(run, kv_heads);
  const Matrix<T> X = run.draw(index(run.s.n), w.Wq.cols());
  const Matrix<T> Y = run.s.m == run.s.n ? X : run.draw(index(run.s.m), w.Wq.cols());
  call(X, Y, w);
}

template <typename T>
void run_layer(Run<T>& run, Whole kv_heads) {
  run_layer_as(run, kv_heads, [&](In<T> X, In<T> Y, const MultiHeadWeights<T>& w) {
    run.measure([&] { return multi_head_attention<T>(X, Y, Y, w); });
  });
  run.cost.state_bytes = run.cache_bytes(kv_heads);
}

template <typename T>
void run_layer_backward(Run<T>& run, Whole kv_heads) {
  run_layer_as(run, kv_heads, [&](In<T> X, In<T> Y, const MultiHeadWeights<T>& w) {
    const Matrix<T> d_output = run.draw(X.rows(), X.cols());
    run.measure([&] { return multi_head_attention_backward<T>(X, Y, Y, d_output, w); });
  });
}

template <typename T>
void run_linear_layer(Run<T>& run) {
  const FeatureMap<T> map = map_for(run);
  run_layer_as(run, run.s.kv_heads, [&](In<T> X, In<T> Y, const MultiHeadWeights<T>& w) {
    const auto made =
        run.measure([&] { return multi_head_linear_attention<T>(X, Y, Y, w, map, {}); });
    for (const LinearState<T>& state : made.states) {
      run.cost.state_bytes += run.bytes_of(state.s, state.z);
    }
  });
}

template <typename T>
void run_decode(Run<T>& run) {
  const Sizes& s = run.s;
  const Index n = index(s.n), heads = index(s.heads), kv_heads = index(s.kv_heads);
  const Index k_width = kv_heads * index(s.d), v_width = kv_heads * index(s.d_v);
  KvCache<T> cache(n, kv_heads, index(s.d), index(s.d_v));
  Rng past(run.seed(), 1000);
  cache.append(past.gaussian_matrix<T>(n - 1, k_width), past.gaussian_matrix<T>(n - 1, v_width));
  const Matrix<T> q = run.draw(1, heads * index(s.d)), k = run.draw(1, k_width),
                  v = run.draw(1, v_width);
  run.measure([&] { return cache.decode(q, k, v, heads); });
  run.cost.state_bytes = cache.bytes();
}

}  // namespace

namespace {

constexpr MechanismParameter kHeads{"heads", "h: query heads"};
constexpr MechanismParameter kKvHeads{"kv_heads", "h': key-value heads, a divisor of h"};
constexpr MechanismParameter kModel{"d_model", "e: width of the layer's input and output"};

}  // namespace

template <typename T>
void add_layer_mechanisms(std::vector<Mechanism<T>>& all) {
  all.push_back({.info = {.id = "multi_head",
                          .label = "Multi-head layer",
                          .multiply_adds_tex = R"(he(n+m)(d+d_v)+hnm(d+d_v))",
                          .memory_tex = "hnm",
                          .parameters = {kKeys, kHeads, kModel}},
                 .model = multi_head,
                 .run = [](Run<T>& run) { run_layer(run, run.s.heads); }});

  all.push_back({.info = {.id = "grouped_query",
                          .label = "Grouped-query layer",
                          .multiply_adds_tex = R"(e(hn+h'm)(d+d_v)+hnm(d+d_v))",
                          .memory_tex = "hnm",
                          .parameters = {kKeys, kHeads, kKvHeads, kModel}},
                 .model = grouped_query,
                 .run = [](Run<T>& run) { run_layer(run, run.s.kv_heads); }});

  all.push_back({.info = {.id = "multi_query",
                          .label = "Multi-query layer",
                          .multiply_adds_tex = R"(e(hn+m)(d+d_v)+hnm(d+d_v))",
                          .memory_tex = "hnm",
                          .parameters = {kKeys, kHeads, kModel}},
                 .model = multi_query,
                 .run = [](Run<T>& run) { run_layer(run, 1); }});

  all.push_back({.info = {.id = "linear_layer",
                          .label = "Multi-head layer, linear attention",
                          .multiply_adds_tex = R"(e(hn+h'm)(d+d_v)+h(n+m)D(d_v+1))",
                          .memory_tex = R"((hn+h'm)(d+d_v))",
                          .parameters = {kKeys, kHeads, kKvHeads, kModel, kMap, kFeatures}},
                 .model = linear_layer,
                 .run = [](Run<T>& run) { run_linear_layer(run); }});

  all.push_back({.info = {.id = "kv_decode",
                          .label = "Decoding one token with a cache",
                          .multiply_adds_tex = R"(hn(d+d_v))",
                          .memory_tex = "hn",
                          .parameters = {{"n", "tokens, the new one included"}, kHeads, kKvHeads}},
                 .model = kv_decode,
                 .run = [](Run<T>& run) { run_decode(run); },
                 .square = true});

  all.push_back({.info = {.id = "multi_head_backward",
                          .label = "Multi-head layer, gradients",
                          .multiply_adds_tex = R"(3he(n+m)(d+d_v)-hend_v+3hnm(d+d_v)+hnd_v)",
                          .memory_tex = R"(2nm+2h(n+m)(d+d_v))",
                          .parameters = {kKeys, kHeads, kModel}},
                 .model = multi_head_backward,
                 .run = [](Run<T>& run) { run_layer_backward(run, run.s.heads); }});

  all.push_back({.info = {.id = "grouped_query_backward",
                          .label = "Grouped-query layer, gradients",
                          .multiply_adds_tex = R"(3e(hn+h'm)(d+d_v)-hend_v+3hnm(d+d_v)+hnd_v)",
                          .memory_tex = R"(2nm+2(hn+h'm)(d+d_v))",
                          .parameters = {kKeys, kHeads, kKvHeads, kModel}},
                 .model = grouped_query_backward,
                 .run = [](Run<T>& run) { run_layer_backward(run, run.s.kv_heads); }});
}

template void add_layer_mechanisms<float>(std::vector<Mechanism<float>>&);
template void add_layer_mechanisms<double>(std::vector<Mechanism<double>>&);

}  // namespace attn::internal
