// The other half of complexity.hpp: mechanisms run under a meter.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "attn/attention.hpp"
#include "attn/attention_training.hpp"
#include "attn/errors.hpp"
#include "attn/flash_attention.hpp"
#include "attn/hierarchical_attention.hpp"
#include "attn/kv_cache.hpp"
#include "attn/linear_attention.hpp"
#include "attn/linear_decoder.hpp"
#include "attn/multi_head.hpp"
#include "attn/rng.hpp"
#include "attn/sparse_attention.hpp"
#include "cost_model.hpp"
#include "fused.hpp"
#include "meter.hpp"
#include "text.hpp"

namespace attn {
namespace {

using internal::Sizes;
using internal::Whole;

constexpr std::uint64_t kMostMultiplyAdds = std::uint64_t{1} << 36;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

Index index(Whole x) { return static_cast<Index>(x.value()); }

/// One run: draws its inputs, measures one call, and says how large inputs, output and state were.
template <typename T>
class Run {
 public:
  Run(const Sizes& sizes, std::uint64_t seed) : s(sizes), seed_(seed) {}

  /// N(0, 1). `what` is an input of the call; its bytes count.
  Matrix<T> draw(Index rows, Index cols) {
    cost.input_bytes += bytes(rows, cols);
    return Rng(seed_, stream_++).gaussian_matrix<T>(rows, cols);
  }
  Matrix<T> queries() { return draw(index(s.n), index(s.d)); }
  Matrix<T> keys() { return draw(index(s.m), index(s.d)); }
  Matrix<T> values() { return draw(index(s.m), index(s.d_v)); }

  /// Runs `call` under a meter.
  template <typename Call>
  auto measure(Call call) {
    const OperationMeter meter;
    auto result = call();
    if constexpr (requires { result.output; }) {
      cost.output_bytes = bytes_of(result.output);
    } else if constexpr (requires { result.d_weights; }) {
      const MultiHeadWeights<T>& w = result.d_weights;
      cost.output_bytes = bytes_of(result.d_X, result.d_Yk, result.d_Yv, w.Wq, w.Wk, w.Wv, w.Wo);
    } else if constexpr (requires { result.dQ; }) {
      cost.output_bytes = bytes_of(result.dQ, result.dK, result.dV);
    } else {
      cost.output_bytes = bytes_of(result);
    }
    const OperationCount count = meter.count(cost.output_bytes);
    cost.multiply_adds = count.multiply_adds;
    cost.exps = count.exps;
    cost.bytes_read = count.bytes_read;
    cost.bytes_written = count.bytes_written;
    cost.peak_bytes = meter.peak_bytes();
    cost.workspace_bytes = count.workspace_bytes;
    return result;
  }

  static std::uint64_t bytes(Index rows, Index cols) {
    return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols) * sizeof(T);
  }

  template <typename... Matrices>
  static std::uint64_t bytes_of(const Matrices&... all) {
    return (bytes(all.rows(), all.cols()) + ...);
  }

  const Sizes& s;
  Cost cost;

 private:
  std::uint64_t seed_, stream_ = 0;
};

/// What a cache of the m keys and values takes.
template <typename T>
std::uint64_t cache_bytes(const Sizes& s, Whole kv_heads) {
  return kv_cache_bytes(index(s.m), index(kv_heads), index(s.d), index(s.d_v), KvStorage::kExact,
                        sizeof(T));
}

template <typename T>
void run_dense(Run<T>& run, const Mask& mask) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values();
  AttentionOptions<T> options;
  options.mask = mask;
  run.measure([&] { return attention<T>(Q, K, V, options); });
  run.cost.state_bytes = cache_bytes<T>(run.s, 1);
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
  run.cost.state_bytes = cache_bytes<T>(run.s, 1);
}

/// In float32: cost_of has refused other types.
template <typename T>
void run_fused(Run<T>& run, const Mask& mask, bool weights) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values();
  const auto scale = static_cast<T>(attention_scale(std::nullopt, Q.cols()));
  run.measure([&] {
    AttentionResult<T> result;
    internal::fused_attention<T>(Q, K, V, mask, scale, result.output, result.log_sum_exp,
                                 weights ? &result.weights : nullptr);
    return result;
  });
  run.cost.state_bytes = cache_bytes<T>(run.s, 1);
}

template <typename T>
void run_fused_linear(Run<T>& run, bool causal) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values();
  LinearAttentionOptions options;
  options.causal = causal;
  const auto made = run.measure([&] {
    LinearAttentionResult<T> result;
    result.state = LinearState<T>::zero(Q.cols(), V.cols());
    internal::fused_linear_attention<T>(Q, K, V, {simd::Feature::kEluPlusOne, 1}, Q.cols(), options,
                                        result);
    return result;
  });
  run.cost.state_bytes = run.bytes_of(made.state.s, made.state.z);
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

template <typename T>
void run_fused_backward(Run<T>& run, const Mask& mask) {
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values(),
                  dO = run.draw(Q.rows(), V.cols());
  const auto scale = static_cast<T>(attention_scale(std::nullopt, Q.cols()));
  FlashOptions<T> options;
  options.mask = mask;
  const FlashResult<T> forward = flash_attention<T>(Q, K, V, options);
  run.cost.input_bytes += run.bytes(Q.rows(), V.cols()) + run.bytes(Q.rows(), 1);
  run.measure([&] {
    FlashGradients<T> result;
    result.dQ.resize(Q.rows(), Q.cols());
    result.dK.resize(K.rows(), K.cols());
    result.dV.resize(V.rows(), V.cols());
    result.row_dots = dO.cwiseProduct(forward.output).rowwise().sum();
    const std::uint64_t size = internal::wide(dO.size());
    internal::note<T>({.multiply_adds = size, .read = 2 * size});
    internal::fused_attention_backward<T>(Q, K, V, dO, mask, scale, forward.log_sum_exp, result);
    return result;
  });
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

template <typename T>
FeatureMap<T> map_for(const Run<T>& run, std::uint64_t seed) {
  FeatureMapOptions<T> how;
  how.seed = seed;
  const FeatureMapInfo& info = feature_map_info(run.s.feature_map);
  if (info.random) {
    // Maps of pairs have two features a projection.
    const FeatureMap<T> by_default(info.id, 1);
    const Index pair = by_default.dimension() / by_default.options().projection.rows();
    const Index features = index(run.s.D) / pair;
    how.parameters = {{"features", static_cast<double>(features)}};
  }
  return FeatureMap<T>(info.id, index(run.s.d), how);
}

template <typename T>
void run_linear(Run<T>& run, const LinearAttentionOptions& options, std::uint64_t seed) {
  const FeatureMap<T> map = map_for(run, seed);
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values();
  const auto made = run.measure([&] { return linear_attention<T>(Q, K, V, map, options); });
  run.cost.state_bytes = run.bytes_of(made.state.s, made.state.z);
}

template <typename T>
void run_linear_backward(Run<T>& run, bool causal, std::uint64_t seed) {
  LinearAttentionOptions options;
  options.causal = causal;
  const FeatureMap<T> map = map_for(run, seed);
  const Matrix<T> Q = run.queries(), K = run.keys(), V = run.values(),
                  dO = run.draw(Q.rows(), V.cols());
  run.measure([&] { return linear_attention_backward<T>(Q, K, V, dO, map, options); });
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
  // So that projected vectors are of size 1 and no weight vanishes.
  const T size = static_cast<T>(1 / std::sqrt(static_cast<double>(width)));
  for (Matrix<T>* W : {&w.Wq, &w.Wk, &w.Wv, &w.Wo}) *W *= size;
  return w;
}

/// Calls `call(X, Y, w)`: a layer's inputs, the same two where n = m, and its weights.
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
  run.cost.state_bytes = cache_bytes<T>(run.s, kv_heads);
}

template <typename T>
void run_layer_backward(Run<T>& run, Whole kv_heads) {
  run_layer_as(run, kv_heads, [&](In<T> X, In<T> Y, const MultiHeadWeights<T>& w) {
    const Matrix<T> d_output = run.draw(X.rows(), X.cols());
    run.measure([&] { return multi_head_attention_backward<T>(X, Y, Y, d_output, w); });
  });
}

template <typename T>
void run_linear_layer(Run<T>& run, std::uint64_t seed) {
  const FeatureMap<T> map = map_for(run, seed);
  run_layer_as(run, run.s.kv_heads, [&](In<T> X, In<T> Y, const MultiHeadWeights<T>& w) {
    const auto made =
        run.measure([&] { return multi_head_linear_attention<T>(X, Y, Y, w, map, {}); });
    for (const LinearState<T>& state : made.states) {
      run.cost.state_bytes += run.bytes_of(state.s, state.z);
    }
  });
}

template <typename T>
void run_decode(Run<T>& run, std::uint64_t seed) {
  const Sizes& s = run.s;
  const Index n = index(s.n), heads = index(s.heads), kv_heads = index(s.kv_heads);
  const Index k_width = kv_heads * index(s.d), v_width = kv_heads * index(s.d_v);
  KvCache<T> cache(n, kv_heads, index(s.d), index(s.d_v));
  Rng past(seed, 1000);
  cache.append(past.gaussian_matrix<T>(n - 1, k_width), past.gaussian_matrix<T>(n - 1, v_width));
  const Matrix<T> q = run.draw(1, heads * index(s.d)), k = run.draw(1, k_width),
                  v = run.draw(1, v_width);
  run.measure([&] { return cache.decode(q, k, v, heads); });
  run.cost.state_bytes = cache.bytes();
}

template <typename T>
void run_linear_decode(Run<T>& run, std::uint64_t seed) {
  const Index d = index(run.s.d), d_v = index(run.s.d_v);
  LinearDecoderOptions options;
  options.length = 2;
  LinearDecoder<T> decoder(map_for(run, seed), d_v, options);
  // One token stands for all that have been: the state has one size.
  Rng past(seed, 1000);
  decoder.append(past.gaussian_matrix<T>(1, d), past.gaussian_matrix<T>(1, d_v));
  const Vector<T> q = run.draw(1, d).row(0), k = run.draw(1, d).row(0), v = run.draw(1, d_v).row(0);
  run.measure([&] { return decoder.step(q, k, v); });
  run.cost.state_bytes = decoder.bytes();
}

template <typename T>
using Runner = std::function<void(Run<T>&, std::uint64_t seed)>;

template <typename T>
const std::map<std::string_view, Runner<T>>& runners() {
  const auto pattern = [](auto make) -> Runner<T> {
    return [make](Run<T>& run, std::uint64_t seed) { run_sparse<T>(run, make(run.s, seed)); };
  };
  const auto linear = [](bool causal, bool normalize, bool chunked) -> Runner<T> {
    return [=](Run<T>& run, std::uint64_t seed) {
      LinearAttentionOptions options;
      options.causal = causal;
      options.normalize = normalize;
      if (chunked) options.chunk = index(std::min(run.s.chunk, run.s.n));
      run_linear<T>(run, options, seed);
    };
  };
  const auto band = [](const Sizes& s) {
    return Pattern::longformer(index(s.n), index(std::min(s.window, s.n)));
  };
  static const std::map<std::string_view, Runner<T>> all{
      {"standard", [](Run<T>& run, auto) { run_dense<T>(run, Mask::full()); }},
      {"causal", [](Run<T>& run, auto) { run_dense<T>(run, Mask::causal()); }},
      {"causal_kept",
       [](Run<T>& run, auto) {
         run_sparse<T>(run, Pattern::causal(index(run.s.n), index(run.s.n), Alignment::kTopLeft));
         run.cost.state_bytes = cache_bytes<T>(run.s, 1);
       }},
      {"flash", [](Run<T>& run, auto) { run_flash<T>(run, Mask::full()); }},
      {"flash_causal", [](Run<T>& run, auto) { run_flash<T>(run, Mask::causal()); }},
      {"fused", [](Run<T>& run, auto) { run_fused<T>(run, Mask::full(), false); }},
      {"fused_causal", [](Run<T>& run, auto) { run_fused<T>(run, Mask::causal(), false); }},
      {"fused_weights", [](Run<T>& run, auto) { run_fused<T>(run, Mask::full(), true); }},
      {"fused_linear", [](Run<T>& run, auto) { run_fused_linear<T>(run, false); }},
      {"fused_linear_causal", [](Run<T>& run, auto) { run_fused_linear<T>(run, true); }},
      {"sliding_window", pattern([band](const Sizes& s, auto) { return band(s); })},
      {"local",
       [](Run<T>& run, auto) {
         const Index window = index(std::min(run.s.window, run.s.n));
         run_sparse<T>(run, Pattern::local(index(run.s.n), window));
         KvCacheOptions ring;
         ring.window = window;
         KvCache<T> cache(window, 1, index(run.s.d), index(run.s.d_v), ring);
         cache.append(Matrix<T>::Zero(index(run.s.n), index(run.s.d)),
                      Matrix<T>::Zero(index(run.s.n), index(run.s.d_v)));
         run.cost.state_bytes = cache.bytes();
       }},
      {"strided", pattern([](const Sizes& s, auto) {
         return Pattern::strided(index(s.n), index(std::min(s.block, s.n)));
       })},
      {"sparse_transformer", pattern([](const Sizes& s, auto) {
         return Pattern::sparse_transformer(index(s.n), index(std::min(s.block, s.n)));
       })},
      {"fixed", pattern([](const Sizes& s, auto) {
         const Whole block = std::min(s.block, s.n);
         return Pattern::fixed(index(s.n), index(block), index(std::min(s.summary, block)));
       })},
      {"big_bird", pattern([](const Sizes& s, std::uint64_t seed) {
         return Pattern::big_bird(index(s.n), index(s.block), index(std::min(s.k, s.n)), seed);
       })},
      {"random", pattern([](const Sizes& s, std::uint64_t seed) {
         return Pattern::random(index(s.n), index(std::min(s.k, s.n)), false, seed);
       })},
      {"top_k", [](Run<T>& run, auto) { run_top_k<T>(run); }},
      {"hierarchical", [](Run<T>& run, auto) { run_hierarchical<T>(run, false); }},
      {"hierarchical_causal", [](Run<T>& run, auto) { run_hierarchical<T>(run, true); }},
      {"linear", linear(false, true, false)},
      {"linear_unnormalized", linear(false, false, false)},
      {"linear_recurrent", linear(true, true, false)},
      {"linear_chunked", linear(true, true, true)},
      {"taylor", linear(false, true, false)},
      {"taylor_compact", linear(false, true, false)},
      {"performer", linear(false, true, false)},
      {"multi_head", [](Run<T>& run, auto) { run_layer<T>(run, run.s.heads); }},
      {"grouped_query", [](Run<T>& run, auto) { run_layer<T>(run, run.s.kv_heads); }},
      {"multi_query", [](Run<T>& run, auto) { run_layer<T>(run, 1); }},
      {"linear_layer", [](Run<T>& run, std::uint64_t seed) { run_linear_layer<T>(run, seed); }},
      {"kv_decode", [](Run<T>& run, std::uint64_t seed) { run_decode<T>(run, seed); }},
      {"linear_decode", [](Run<T>& run, std::uint64_t seed) { run_linear_decode<T>(run, seed); }},
      {"standard_backward", [](Run<T>& run, auto) { run_standard_backward<T>(run); }},
      {"linear_backward",
       [](Run<T>& run, std::uint64_t seed) { run_linear_backward<T>(run, false, seed); }},
      {"linear_causal_backward",
       [](Run<T>& run, std::uint64_t seed) { run_linear_backward<T>(run, true, seed); }},
      {"fused_backward", [](Run<T>& run, auto) { run_fused_backward<T>(run, Mask::full()); }},
      {"fused_causal_backward",
       [](Run<T>& run, auto) { run_fused_backward<T>(run, Mask::causal()); }},
      {"flash_backward", [](Run<T>& run, auto) { run_flash_backward<T>(run, Mask::full()); }},
      {"flash_causal_backward",
       [](Run<T>& run, auto) { run_flash_backward<T>(run, Mask::causal()); }},
      {"hierarchical_backward",
       [](Run<T>& run, auto) { run_hierarchical_backward<T>(run, false); }},
      {"hierarchical_causal_backward",
       [](Run<T>& run, auto) { run_hierarchical_backward<T>(run, true); }},
      {"multi_head_backward", [](Run<T>& run, auto) { run_layer_backward<T>(run, run.s.heads); }},
      {"grouped_query_backward",
       [](Run<T>& run, auto) { run_layer_backward<T>(run, run.s.kv_heads); }},
      {"sliding_window_backward",
       [band](Run<T>& run, auto) { run_sparse_backward<T>(run, band(run.s)); }},
  };
  return all;
}

}  // namespace

template <typename T>
Cost counted_cost(std::string_view mechanism, const CostShape& shape, std::uint64_t seed) {
  const Cost wanted = cost_of(mechanism, shape, sizeof(T));
  if (wanted.multiply_adds > kMostMultiplyAdds) {
    throw CapacityError("shape", std::to_string(wanted.multiply_adds) + " multiply-adds",
                        "at most " + std::to_string(kMostMultiplyAdds) + " in a run");
  }
  const Whole bytes = Whole(wanted.peak_bytes) + wanted.input_bytes + wanted.index_bytes;
  if (bytes.value() > kMostBytes) {
    throw CapacityError("shape", std::to_string(bytes.value() >> 20) + " MiB",
                        "at most " + std::to_string(kMostBytes >> 20) + " MiB in a run");
  }
  const internal::Mechanism& entry = internal::find_mechanism(mechanism);
  const Sizes sizes = internal::resolve(entry, shape);
  Run<T> run(sizes, seed);
  runners<T>().at(entry.info.id)(run, seed);
  return run.cost;
}

template Cost counted_cost<float>(std::string_view, const CostShape&, std::uint64_t);
template Cost counted_cost<double>(std::string_view, const CostShape&, std::uint64_t);

}  // namespace attn
