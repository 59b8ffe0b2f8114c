// Micro-benchmarks of the core at n = 64, 256, 1024 and d = 64. `npm run bench` runs these and the
// same cases over WebAssembly (tests/bench/wasm_bench.ts); the names are shared.

#include <benchmark/benchmark.h>

#include "attn/analysis.hpp"
#include "attn/attention.hpp"
#include "attn/inputs.hpp"
#include "attn/linear_attention.hpp"

namespace {

constexpr attn::Index kWidth = 64;

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

void implicit_attention(benchmark::State& state) {
  const auto [Q, K, V] = inputs(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(attn::compute_implicit_attention(Q, K, elu()).data());
  }
}

void linear_attention(benchmark::State& state) {
  const auto [Q, K, V] = inputs(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(attn::linear_attention(Q, K, V, elu()).output.data());
  }
}

void compare_to_softmax(benchmark::State& state) {
  const auto [Q, K, V] = inputs(state);
  for (auto _ : state) benchmark::DoNotOptimize(attn::compare_to_softmax(Q, K, V, elu()).mse);
}

BENCHMARK(softmax_attention)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(implicit_attention)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(linear_attention)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(compare_to_softmax)->Arg(64)->Arg(256)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
