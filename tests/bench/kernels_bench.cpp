// The kernels alone, for every instruction set of this machine: `kernels_bench`. The counter
// `share` is the part of the multiply-add limit that a case reached; the limit is measured beside
// it, in the same process. tests/bench/kernels.mjs does the same over WebAssembly.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "attn/rng.hpp"
#include "simd/simd.hpp"

namespace {

using attn::Matrix;
using attn::simd::Kernels;
using attn::simd::Size;

constexpr Size kWidth = 64;

double seconds_of(const auto& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Multiply-adds a second at best.
double limit(const Kernels& set) {
  constexpr Size kRounds = 100000;
  const float seeds[14] = {0.5F, 1};
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    best = std::min(best, seconds_of([&] { benchmark::DoNotOptimize(set.peak(kRounds, seeds)); }));
  }
  return 12.0 * set.lanes * kRounds / best;
}

struct Inputs {
  Matrix<> Q, K, V, dO, out, square, d_q, d_k, d_v;
  attn::Vector<float> log_sum_exp, row_dots, state, sums;

  explicit Inputs(Size n)
      : Q(random(n, 1)),
        K(random(n, 2)),
        V(random(n, 3)),
        dO(random(n, 4)),
        out(n, kWidth),
        square(n, n),
        d_q(n, kWidth),
        d_k(n, kWidth),
        d_v(n, kWidth),
        log_sum_exp(n),
        row_dots(attn::Vector<float>::Zero(n)),
        state(160 * kWidth),
        sums(160) {}

  static Matrix<> random(Size n, std::uint64_t seed) {
    return attn::Rng(seed, 1).gaussian_matrix<float>(n, kWidth);
  }
};

/// Runs `call` over and over, with its memory taken beforehand; `work` multiply-adds each.
template <typename Call>
void measure(benchmark::State& state, const Kernels& set, double work, Call call) {
  const double most = limit(set);
  double best = 1e9;
  for (auto _ : state) best = std::min(best, seconds_of(call));
  state.counters["GF/s"] = 2e-9 * work / best;
  state.counters["share"] = work / best / most;
}

void gemm(benchmark::State& state, const Kernels& set) {
  const Size n = state.range(0);
  Inputs x(n);
  measure(state, set, static_cast<double>(n * n * kWidth), [&] {
    attn::simd::run<attn::simd::Gemm>(
        set.gemm, set.gemm_floats,
        {n, n, kWidth, x.Q.data(), x.K.data(), kWidth, 1, 1, kWidth, x.square.data(), n, false});
  });
}

void attention(benchmark::State& state, const Kernels& set, bool weights, bool causal) {
  const Size n = state.range(0);
  Inputs x(n);
  const double cells = static_cast<double>(causal ? n * (n + 1) / 2 : n * n);
  measure(state, set, cells * 2 * kWidth, [&] {
    attn::simd::run<attn::simd::Attention>(set.attention, set.attention_floats,
                                           {n,
                                            n,
                                            kWidth,
                                            kWidth,
                                            1,
                                            x.Q.data(),
                                            x.K.data(),
                                            x.V.data(),
                                            kWidth,
                                            kWidth,
                                            kWidth,
                                            0,
                                            0.125F,
                                            {-n, causal ? 0 : n, 1, n, nullptr},
                                            x.out.data(),
                                            kWidth,
                                            0,
                                            nullptr,
                                            weights ? x.square.data() : nullptr});
  });
}

void backward(benchmark::State& state, const Kernels& set) {
  const Size n = state.range(0);
  Inputs x(n);
  x.log_sum_exp.setConstant(8);
  measure(state, set, static_cast<double>(n * n * 5 * kWidth), [&] {
    attn::simd::run<attn::simd::AttentionBackward>(set.attention_backward,
                                                   set.attention_backward_floats,
                                                   {n,
                                                    n,
                                                    kWidth,
                                                    kWidth,
                                                    x.Q.data(),
                                                    x.K.data(),
                                                    x.V.data(),
                                                    x.dO.data(),
                                                    kWidth,
                                                    kWidth,
                                                    kWidth,
                                                    kWidth,
                                                    0.125F,
                                                    {-n, n, 1, n, nullptr},
                                                    x.log_sum_exp.data(),
                                                    x.row_dots.data(),
                                                    x.d_q.data(),
                                                    x.d_k.data(),
                                                    x.d_v.data(),
                                                    kWidth,
                                                    kWidth,
                                                    kWidth});
  });
}

void linear(benchmark::State& state, const Kernels& set, Size d, Size features,
            attn::simd::FeatureMap map, bool causal) {
  const Size n = state.range(0);
  Inputs x(n);
  measure(state, set, static_cast<double>(n * features * 2 * kWidth), [&] {
    if (causal) {
      x.state.setZero();
      x.sums.setZero();
    }
    attn::simd::run<attn::simd::LinearAttention>(set.linear_attention, set.linear_attention_floats,
                                                 {n,
                                                  n,
                                                  d,
                                                  kWidth,
                                                  features,
                                                  map,
                                                  x.Q.data(),
                                                  x.K.data(),
                                                  x.V.data(),
                                                  d,
                                                  d,
                                                  kWidth,
                                                  causal,
                                                  true,
                                                  1e-6F,
                                                  0,
                                                  -1e30F,
                                                  x.out.data(),
                                                  kWidth,
                                                  x.state.data(),
                                                  x.sums.data()});
  });
}

template <typename Case>
void add(const Kernels& set, const std::string& name, Case run) {
  benchmark::RegisterBenchmark((std::string(set.name) + "/" + name).c_str(),
                               [run, &set](benchmark::State& state) { run(state, set); })
      ->RangeMultiplier(4)
      ->Range(16, 1024)
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace

int main(int argc, char** argv) {
  using attn::simd::Feature;
  for (const Kernels* set : attn::simd::kernel_sets()) {
    add(*set, "gemm", gemm);
    for (const bool causal : {false, true}) {
      const std::string suffix = causal ? "_causal" : "";
      for (const bool weights : {false, true}) {
        add(*set, (weights ? "attention_weights" : "attention") + suffix,
            [=](auto& state, const Kernels& s) { attention(state, s, weights, causal); });
      }
      add(*set, "elu" + suffix, [=](auto& state, const Kernels& s) {
        linear(state, s, kWidth, kWidth, {Feature::kEluPlusOne, 1}, causal);
      });
      add(*set, "taylor" + suffix, [=](auto& state, const Kernels& s) {
        linear(state, s, 16, 153, {Feature::kTaylorCompact, 0.5F}, causal);
      });
    }
    add(*set, "backward", backward);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
