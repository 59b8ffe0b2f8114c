// Micro-benchmarks of the core at n = 64, 256, 1024 and d = 64. `npm run bench` runs these and the
// same cases over WebAssembly (tests/bench/wasm_bench.ts); the names are shared.

#include <benchmark/benchmark.h>

#include "attn/analysis.hpp"
#include "attn/attention.hpp"
#include "attn/attention_training.hpp"
#include "attn/inputs.hpp"
#include "attn/linear_attention.hpp"

namespace {

constexpr attn::Index kWidth = 64;
constexpr attn::Index kTaylorWidth = 16;
constexpr attn::Index kCausalChunk = 16;
constexpr double kRandomFeatures = 128;

attn::Qkv<float> inputs(const benchmark::State& state) {
  return attn::gaussian_qkv<float>(state.range(0), kWidth, kWidth, 1);
}

const attn::FeatureMap<float>& elu() {
  static const attn::FeatureMap<float> map("elu_plus_one", kWidth);
  return map;
}

void softmax_attention(benchmark::State& state) {
  const auto [Q, K, V] = inputs(state);
  for (auto _ : state) benchmark::DoNotOptimize(attn::attention(Q, K, V).output.data());
}

void causal_attention(benchmark::State& state) {
  const auto [Q, K, V] = inputs(state);
  attn::AttentionOptions<float> options;
  options.mask = attn::Mask::causal();
  for (auto _ : state) benchmark::DoNotOptimize(attn::attention(Q, K, V, options).output.data());
}

void attention_backward(benchmark::State& state) {
  const auto [Q, K, V] = inputs(state);
  const auto dO = attn::gaussian_qkv<float>(state.range(0), kWidth, kWidth, 2).V;
  for (auto _ : state) {
    benchmark::DoNotOptimize(attn::attention_backward(Q, K, V, dO).dQ.data());
  }
}

void implicit_attention(benchmark::State& state) {
  const auto [Q, K, V] = inputs(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(attn::compute_implicit_attention(Q, K, elu()).data());
  }
}

void run_linear(benchmark::State& state, const attn::FeatureMap<float>& map, attn::Index width,
                const attn::LinearAttentionOptions& options = {}) {
  const auto [Q, K, V] = attn::gaussian_qkv<float>(state.range(0), width, kWidth, 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(attn::linear_attention(Q, K, V, map, options).output.data());
  }
}

void linear_attention(benchmark::State& state) { run_linear(state, elu(), kWidth); }

void linear_attention_causal(benchmark::State& state) {
  attn::LinearAttentionOptions options;
  options.causal = true;
  options.chunk = kCausalChunk;
  run_linear(state, elu(), kWidth, options);
}

void linear_attention_taylor(benchmark::State& state) {
  run_linear(state, attn::FeatureMap<float>("taylor_compact", kTaylorWidth), kTaylorWidth);
}

void linear_attention_performer(benchmark::State& state) {
  attn::FeatureMapOptions<float> options;
  options.parameters = {{"features", kRandomFeatures}};
  run_linear(state, attn::FeatureMap<float>("softmax_kernel", kWidth, options), kWidth);
}

void compare_to_softmax(benchmark::State& state) {
  const auto [Q, K, V] = inputs(state);
  for (auto _ : state) benchmark::DoNotOptimize(attn::compare_to_softmax(Q, K, V, elu()).mse);
}

BENCHMARK(softmax_attention)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(causal_attention)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(attention_backward)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(implicit_attention)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(linear_attention)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(linear_attention_causal)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(linear_attention_taylor)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(linear_attention_performer)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(compare_to_softmax)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
