// Times calls of the core at d = 64 as a user makes them: attn_bench [sizes], 64,256,1024 by
// default. `npm run bench` runs these cases and the same ones over WebAssembly
// (tests/bench/wasm_bench.ts), and fails when a name is missing on one side. kernels.cpp times the
// kernels alone.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "attn/analysis/analysis.hpp"
#include "attn/attention/attention.hpp"
#include "attn/attention/attention_training.hpp"
#include "attn/attention/flash_attention.hpp"
#include "attn/base/inputs.hpp"
#include "attn/linear_attention/linear_attention.hpp"

namespace {

constexpr attn::Index kWidth = 64;
constexpr attn::Index kTaylorWidth = 16;
constexpr double kRandomFeatures = 128;

attn::Qkv<float> inputs(const benchmark::State& state) {
  return attn::gaussian_qkv<float>(state.range(0), kWidth, kWidth, 1);
}

const attn::FeatureMap<float>& elu() {
  static const attn::FeatureMap<float> map("elu_plus_one", kWidth);
  return map;
}

void attention(benchmark::State& state) {
  const auto [Q, K, V] = inputs(state);
  for (auto _ : state) benchmark::DoNotOptimize(attn::flash_attention(Q, K, V).output.data());
}

void attention_weights(benchmark::State& state) {
  const auto [Q, K, V] = inputs(state);
  for (auto _ : state) benchmark::DoNotOptimize(attn::attention(Q, K, V).output.data());
}

void attention_causal(benchmark::State& state) {
  const auto [Q, K, V] = inputs(state);
  attn::FlashOptions<float> options;
  options.mask = attn::Mask::causal();
  for (auto _ : state) {
    benchmark::DoNotOptimize(attn::flash_attention(Q, K, V, options).output.data());
  }
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

void linear_elu(benchmark::State& state) { run_linear(state, elu(), kWidth); }

void linear_elu_causal(benchmark::State& state) {
  attn::LinearAttentionOptions options;
  options.causal = true;
  run_linear(state, elu(), kWidth, options);
}

void linear_taylor(benchmark::State& state) {
  run_linear(state, attn::FeatureMap<float>("taylor_compact", kTaylorWidth), kTaylorWidth);
}

void linear_performer(benchmark::State& state) {
  attn::FeatureMapOptions<float> options;
  options.parameters = {{"features", kRandomFeatures}};
  run_linear(state, attn::FeatureMap<float>("softmax_kernel", kWidth, options), kWidth);
}

void compare_to_softmax(benchmark::State& state) {
  const auto [Q, K, V] = inputs(state);
  for (auto _ : state) benchmark::DoNotOptimize(attn::compare_to_softmax(Q, K, V, elu()).mse);
}

struct Case {
  const char* name;
  void (*run)(benchmark::State&);
};
constexpr Case kCases[] = {
    {"attention", attention},
    {"attention_weights", attention_weights},
    {"attention_causal", attention_causal},
    {"attention_backward", attention_backward},
    {"linear_elu", linear_elu},
    {"linear_elu_causal", linear_elu_causal},
    {"linear_taylor", linear_taylor},
    {"linear_performer", linear_performer},
    {"implicit_attention", implicit_attention},
    {"compare_to_softmax", compare_to_softmax},
};

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::istringstream sizes(argc > 1 ? argv[1] : "64,256,1024");
  std::vector<std::int64_t> all;
  for (std::string one; std::getline(sizes, one, ',');) all.push_back(std::stoll(one));
  for (const Case& one : kCases) {
    auto* registered = benchmark::RegisterBenchmark(one.name, one.run);
    for (const std::int64_t n : all) registered->Arg(n);
    registered->Unit(benchmark::kMillisecond);
  }
  benchmark::RunSpecifiedBenchmarks();
}
