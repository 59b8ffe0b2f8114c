// Linear attention.

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "attn/linear_attention/linear_attention.hpp"
#include "attn/linear_attention/linear_decoder.hpp"
#include "cost/mechanisms/entry.hpp"

namespace attn::internal {
namespace {

/// The count that a feature map's entry states, for `rows` of inputs. A Whole cannot be negative,
/// so negative terms are subtracted at the end.
Whole times(const PerNumber& each, const Sizes& s, Whole rows) {
  Whole some = 0, less = 0;
  for (const auto& [count, size] :
       {std::pair{each.input, rows * s.d}, std::pair{each.features, rows * s.D},
        std::pair{each.projected, rows * s.projections}, std::pair{each.rows, rows}}) {
    (count < 0 ? less : some) += static_cast<std::uint64_t>(std::abs(count)) * size;
  }
  return some - less;
}

Model map_work(const MapWork& work, const Sizes& s, Whole rows) {
  Model model;
  model.multiply_adds = times(work.multiply_adds, s, rows);
  model.exps = times(work.exps, s, rows);
  model.peak = times(work.workspace, s, rows);
  return model;
}

/// The cost of a feature map for `rows` rows. `peak` is the memory besides the features.
Model map_of(const Sizes& s, Whole rows) {
  Model model = map_work(s.feature_map->cost.forward, s, rows);
  model.pass(rows * s.d, rows * s.D);
  if (s.projections > Whole(0)) model.product(rows, s.d, s.projections);
  return model;
}

/// The cost of the gradients at `rows` inputs of a feature map, from those at its features. `peak`
/// is the memory besides both.
Model map_backward_of(const Sizes& s, Whole rows) {
  Model model = map_work(s.feature_map->cost.backward, s, rows);
  model.pass(rows * s.d + rows * s.D, rows * s.d);
  if (s.projections > Whole(0)) {
    model.product(rows, s.d, s.projections);
    model.product(rows, s.projections, s.d);
  }
  return model;
}

/// The cost of φ(Q) and φ(K); φ(K) is copied into place.
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

}  // namespace

Model linear(const Sizes& s) { return linear_parallel(s, true); }

namespace {

Model linear_unnormalized(const Sizes& s) { return linear_parallel(s, false); }

/// The cost of `c` tokens of causal linear attention.
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
  // The peak holds the chunk's weights, and their product with V or two copies of the denominators.
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
  // The counted work is φ(q)·z and its gradient, and S·dN and z.
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
  // The first scan holds the features, S and z, what each query's gradient is made from, and one
  // running query. The second holds R and r (not causal: R twice). The end holds dφ(K), dV, dQ and
  // dK (twice).
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

Model linear_decode(const Sizes& s) {
  Sizes one = s;
  one.n = one.m = 1;
  Model model = linear_recurrent(one);
  model.inputs = 2 * s.d + s.d_v;
  return model;
}

LinearAttentionOptions how_of(bool causal, bool normalize) {
  LinearAttentionOptions how;
  how.causal = causal;
  how.normalize = normalize;
  return how;
}

/// This is the only mechanism whose map and options a timing caller can choose.
template <typename T>
std::function<T()> timed_as_asked(TrialInputs<T>&& given) {
  const LinearAttentionOptions how = how_of(given.options.causal, given.options.normalize);
  if constexpr (std::is_same_v<T, float>) {
    if (given.options.map) return timed_linear<T>(std::move(given), *given.options.map, how);
  }
  FeatureMap<T> map = map_of_trial(given, "elu_plus_one");
  return timed_linear(std::move(given), std::move(map), how);
}

template <typename T>
void run_linear_as(Run<T>& run, const LinearAttentionOptions& options) {
  const FeatureMap<T> map = map_for(run);
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values();
  const auto made = run.measure([&] { return linear_attention<T>(Q, K, V, map, options); });
  run.cost.state_bytes = run.bytes_of(made.state.s, made.state.z);
}

template <typename T>
void run_linear(Run<T>& run) {
  run_linear_as(run, {});
}

template <typename T>
void run_linear_backward(Run<T>& run, bool causal) {
  LinearAttentionOptions options;
  options.causal = causal;
  const FeatureMap<T> map = map_for(run);
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values(),
                  dO = run.draw(Q.rows(), V.cols());
  run.measure([&] { return linear_attention_backward<T>(Q, K, V, dO, map, options); });
}

template <typename T>
void run_linear_decode(Run<T>& run) {
  const Index d = index(run.s.d), d_v = index(run.s.d_v);
  LinearDecoderOptions options;
  options.length = 2;
  LinearDecoder<T> decoder(map_for(run), d_v, options);
  // One token stands for all earlier tokens, because the state has one size.
  Rng past(run.seed(), 1000);
  decoder.append(past.gaussian_matrix<T>(1, d), past.gaussian_matrix<T>(1, d_v));
  const Vector<T> q = run.draw(1, d).row(0), k = run.draw(1, d).row(0), v = run.draw(1, d_v).row(0);
  run.measure([&] { return decoder.step(q, k, v); });
  run.cost.state_bytes = decoder.bytes();
}

}  // namespace

template <typename T>
void add_linear_mechanisms(std::vector<Mechanism<T>>& all) {
  all.push_back({.info = {.id = "linear",
                          .label = "Linear attention",
                          .multiply_adds_tex = kParallel,
                          .memory_tex = kFeaturesHeld,
                          .parameters = {kKeys, kMap, kFeatures}},
                 .model = linear,
                 .run = &run_linear<T>,
                 .timed = &timed_as_asked<T>});

  all.push_back({.info = {.id = "linear_unnormalized",
                          .label = "Linear attention, not normalised",
                          .multiply_adds_tex = R"((n+m)D\,d_v+mD)",
                          .memory_tex = kFeaturesHeld,
                          .parameters = {kKeys, kMap, kFeatures}},
                 .model = linear_unnormalized,
                 .run = [](Run<T>& run) { run_linear_as(run, how_of(false, false)); }});

  all.push_back({.info = {.id = "linear_recurrent",
                          .label = "Linear attention, causal, token by token",
                          .multiply_adds_tex = R"(2nD(d_v+1)+n(D+d_v+1))",
                          .memory_tex = "3nD",
                          .parameters = {kMap, kFeatures}},
                 .model = linear_recurrent,
                 .run = [](Run<T>& run) { run_linear_as(run, how_of(true, true)); },
                 .square = true});

  all.push_back(
      {.info = {.id = "linear_chunked",
                .label = "Linear attention, causal, in chunks",
                .multiply_adds_tex = R"(2nD(d_v+1)+nC(D+d_v+1))",
                .memory_tex = "3nD",
                .parameters = {kMap, kFeatures, {"chunk", "C: tokens worked on together"}}},
       .model = linear_chunked,
       .run =
           [](Run<T>& run) {
             LinearAttentionOptions how = how_of(true, true);
             how.chunk = index(std::min(run.s.chunk, run.s.n));
             run_linear_as(run, how);
           },
       .square = true});

  all.push_back({.info = {.id = "taylor",
                          .label = "Linear attention, Taylor features",
                          .multiply_adds_tex = R"((n+m)(D(d_v+2)-1),\ D=1+d+d^2)",
                          .memory_tex = kFeaturesHeld,
                          .parameters = {kKeys}},
                 .model = linear,
                 .run = &run_linear<T>,
                 .feature_map = "taylor"});

  all.push_back({.info = {.id = "taylor_compact",
                          .label = "Linear attention, compact Taylor features",
                          .multiply_adds_tex = R"((n+m)(D(d_v+2)-1),\ D=\tfrac{(d+1)(d+2)}{2})",
                          .memory_tex = kFeaturesHeld,
                          .parameters = {kKeys}},
                 .model = linear,
                 .run = &run_linear<T>,
                 .timed =
                     [](TrialInputs<T>&& given) {
                       FeatureMap<T> map = map_of_trial(given, "taylor_compact");
                       return timed_linear(std::move(given), std::move(map), {});
                     },
                 .feature_map = "taylor_compact"});

  all.push_back({.info = {.id = "performer",
                          .label = "Linear attention, FAVOR+ features",
                          .multiply_adds_tex = R"((n+m)(D(d_v+d+1)+d))",
                          .memory_tex = R"((n+3m)D)",
                          .parameters = {kKeys, kFeatures}},
                 .model = linear,
                 .run = &run_linear<T>,
                 .timed =
                     [](TrialInputs<T>&& given) {
                       FeatureMap<T> map = map_of_trial(given, "softmax_kernel");
                       return timed_linear(std::move(given), std::move(map), {});
                     },
                 .feature_map = "softmax_kernel"});

  all.push_back({.info = {.id = "linear_decode",
                          .label = "Decoding one token with a linear state",
                          .multiply_adds_tex = R"(2D(d_v+1)+D+d_v+1)",
                          .memory_tex = R"(D(d_v+1))",
                          .parameters = {{"n", "tokens, the new one included: no matter how many"},
                                         kMap,
                                         kFeatures}},
                 .model = linear_decode,
                 .run = [](Run<T>& run) { run_linear_decode(run); },
                 .square = true});

  all.push_back({.info = {.id = "linear_backward",
                          .label = "Linear attention, gradients",
                          .multiply_adds_tex = R"(3(n+m)D\,d_v+(4n+2m)D)",
                          .memory_tex = R"(2(n+m)D)",
                          .parameters = {kKeys, kMap, kFeatures}},
                 .model = linear_backward,
                 .run = [](Run<T>& run) { run_linear_backward(run, false); }});

  all.push_back({.info = {.id = "linear_causal_backward",
                          .label = "Linear attention, causal, gradients",
                          .multiply_adds_tex = R"(6nD(d_v+1))",
                          .memory_tex = "4nD",
                          .parameters = {kMap, kFeatures}},
                 .model = linear_causal_backward,
                 .run = [](Run<T>& run) { run_linear_backward(run, true); },
                 .square = true});
}

template void add_linear_mechanisms<float>(std::vector<Mechanism<float>>&);
template void add_linear_mechanisms<double>(std::vector<Mechanism<double>>&);

}  // namespace attn::internal
