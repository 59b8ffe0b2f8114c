// Times calls of the core as a user makes them, attention at d = 64, kernels at points of a plane:
// attn_bench [sizes], 64,256,1024 by default. `npm run bench` runs these cases and the same ones
// over WebAssembly (tests/bench/wasm_bench.ts), and fails when a name is missing on one side.
// kernels.cpp times the kernels alone.

#include <benchmark/benchmark.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "attn/analysis/analysis.hpp"
#include "attn/attention/attention.hpp"
#include "attn/attention/attention_training.hpp"
#include "attn/attention/flash_attention.hpp"
#include "attn/base/inputs.hpp"
#include "attn/kernels/kernel.hpp"
#include "attn/kernels/kernel_ridge.hpp"
#include "attn/kernels/support_vector.hpp"
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

/// n points of a square that repeat no pattern, and a number each: waves, and noise. The same in
/// wasm_bench.ts and native_peers.py.
struct Sample {
  attn::Matrix<float> X;
  attn::Vector<float> y;
};
Sample sample(const benchmark::State& state) {
  const attn::Index n = state.range(0);
  Sample made{attn::Matrix<float>(n, 2), attn::Vector<float>(n)};
  for (attn::Index i = 0; i < n; ++i) {
    const auto part = [&](double prime) {
      const double at = static_cast<double>(i + 1) * std::sqrt(prime);
      return at - std::floor(at);
    };
    const double x = 4 * part(2) - 2, z = 4 * part(3) - 2;
    made.X.row(i) << static_cast<float>(x), static_cast<float>(z);
    made.y(i) = static_cast<float>(std::sin(2 * x) * z + part(5) - 0.5);
  }
  return made;
}

/// Times `solve()`, and keeps what it returns: what a peer has to find too. As in the peers'
/// processes, the first calls are not timed, and memory stays with the process between two calls.
template <typename Solve>
void run_machine(benchmark::State& state, Solve solve) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
  double value = 0;
  for (int call = 0; call < 3; ++call) value = solve();
  for (auto _ : state) value = solve();
  state.counters["value"] = value;
}

void kernel_ridge(benchmark::State& state) {
  const auto made = sample(state);
  const attn::Kernel<float> kernel("rbf", {{"gamma", 1}});
  run_machine(state, [&] {
    constexpr auto kScaling = attn::RidgeScaling::kSum;
    return attn::kernel_ridge<float>(kernel.gram(made.X), made.y, 0.1, kScaling).norm_squared;
  });
}

void support_vectors(benchmark::State& state) {
  const auto made = sample(state);
  const attn::Vector<float> labels = made.y.cwiseSign();
  const attn::Kernel<float> kernel("rbf", {{"gamma", 1}});
  attn::SupportVectorOptions options;
  options.C = 10;
  run_machine(state, [&] {
    attn::SupportVectorClassifier<float> machine(kernel.gram(made.X), labels, options);
    while (!machine.step(100'000)) continue;
    return machine.result().dual_objective;
  });
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
    {"kernel_ridge", kernel_ridge},
    {"support_vectors", support_vectors},
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
