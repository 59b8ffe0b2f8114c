// Exposes the kernels as plain functions, so that no Embind, no checks and no copies are part of
// what is timed. In WebAssembly the functions are exports. Natively a program calls them, one for
// each line that it reads (`main` below).

#include "simd/kernels.hpp"

#if !defined(__wasm__)
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <span>
#include <string>
#include <vector>
#endif

using attn::simd::Size;

namespace attn::simd {
namespace baseline {
extern const Kernels kKernels;
}
#if defined(ATTN_BENCH_SSE4)
namespace sse4 {
extern const Kernels kKernels;
}
#endif
#if !defined(__wasm__)
std::span<const Kernels* const> kernel_sets();
#endif
}  // namespace attn::simd

namespace {

attn::simd::Kernels set = attn::simd::baseline::kKernels;

/// Memory that is never freed.
#if defined(__wasm__)
constexpr Size kPage = 65536;

float* take(Size floats) {
  static Size next = 0, end = 0;
  const Size bytes = (floats * 4 + 63) / 64 * 64;
  if (next == 0) next = end = static_cast<Size>(__builtin_wasm_memory_size(0)) * kPage;
  if (next + bytes > end) {
    const Size pages = (next + bytes - end + kPage - 1) / kPage;
    __builtin_wasm_memory_grow(0, static_cast<unsigned>(pages));
    end += pages * kPage;
  }
  next += bytes;
  return reinterpret_cast<float*>(next - bytes);
}
#else
float* take(Size floats) {
  const Size bytes = (floats * 4 + 63) / 64 * 64;
  return static_cast<float*>(std::aligned_alloc(64, static_cast<std::size_t>(bytes)));
}
#endif

struct Matrices {
  float *q, *k, *v, *d_out, *out, *square, *log_sum_exp, *row_dots, *d_q, *d_k, *d_v;
  float *projection, *phi_q, *phi_k, *s, *z, *work;
};
Matrices x;
// More numbers than any case needs.
constexpr Size kWork = Size{1} << 23;

template <typename Problem>
void run(void (*kernel)(const Problem&, float*), Size (*floats)(const Problem&),
         const Problem& problem, Size times) {
  if (floats(problem) > kWork) __builtin_trap();
  for (; times > 0; --times) kernel(problem, x.work);
}

}  // namespace

#define EXPORT extern "C" __attribute__((used, visibility("default")))

EXPORT int lanes() { return set.lanes; }

/// Makes room for sequences of up to n tokens. It is called once.
EXPORT float* prepare(Size n, Size d, Size dv, Size features) {
  const Size width = d > dv ? d : dv;
  float** const all[] = {&x.q, &x.k, &x.v, &x.d_out, &x.out, &x.d_q, &x.d_k, &x.d_v};
  for (float** one : all) *one = take(n * width);
  x.square = take(n * n);
  x.log_sum_exp = take(n);
  x.row_dots = take(n);
  x.projection = take(features * d);
  x.phi_q = take(n * features);
  x.phi_k = take(n * features);
  x.s = take(features * dv);
  x.z = take(features);
  x.work = take(kWork);
  return x.q;
}
EXPORT float* address(int which) {
  float* const all[] = {x.q,           x.k,          x.v,        x.d_out, x.out, x.square,
                        x.log_sum_exp, x.projection, x.row_dots, x.d_q,   x.d_k, x.d_v};
  return all[which];
}

EXPORT float peak(Size times) {
  const float seeds[14] = {0.5F, 1};
  return set.peak(times, seeds);
}

EXPORT void gemm(Size times, Size n, Size depth) {
  run(set.gemm, set.gemm_floats, {n, n, depth, x.q, x.k, depth, 1, 1, depth, x.square, n}, times);
}

EXPORT void softmax(Size times, Size n) {
  for (; times > 0; --times) set.softmax_rows({n, n, x.square, n, n, 0, nullptr});
}

/// weights and causal are 0 or 1; scale multiplies the logits.
EXPORT void attention(Size times, Size n, Size d, Size dv, int weights, int causal, float scale) {
  run(set.attention, set.attention_floats,
      {n,
       n,
       d,
       dv,
       1,
       x.q,
       x.k,
       x.v,
       d,
       d,
       dv,
       0,
       scale,
       {-n, causal ? 0 : n, 1, n, nullptr},
       x.out,
       dv,
       0,
       x.log_sum_exp,
       weights ? &x.square : nullptr},
      times);
}

EXPORT void attention_backward(Size times, Size n, Size d, int causal, float scale) {
  run(set.attention_backward, set.attention_backward_floats,
      {n,
       n,
       d,
       d,
       x.q,
       x.k,
       x.v,
       x.d_out,
       d,
       d,
       d,
       d,
       scale,
       {-n, causal ? 0 : n, 1, n, nullptr},
       x.log_sum_exp,
       x.row_dots,
       x.d_q,
       x.d_k,
       x.d_v,
       d,
       d,
       d},
      times);
}

/// Computes the gradients from Q, K, V and dO: a forward pass, the row sums of output ∘ dO, and the
/// backward pass.
EXPORT void training(Size times, Size n, Size d, int causal, float scale) {
  for (; times > 0; --times) {
    attention(1, n, d, d, 0, causal, scale);
    for (Size r = 0; r < n; ++r) {
      float sum = 0;
      for (Size c = 0; c < d; ++c) sum += x.out[r * d + c] * x.d_out[r * d + c];
      x.row_dots[r] = sum;
    }
    attention_backward(1, n, d, causal, scale);
  }
}

/// kind is a value of attn::simd::Feature; d is the width of x, and features the width of φ(x).
/// Without `state` outputs alone are asked for, and short texts may take the weights of all pairs.
EXPORT void linear(Size times, Size n, Size d, Size dv, Size features, int kind, float a,
                   int causal, int state) {
  attn::simd::LinearAttention problem{
      n,           n,    d,     dv, features, {static_cast<attn::simd::Feature>(kind), a},
      x.q,         x.k,  x.v,   d,  d,        dv,
      causal != 0, true, 1e-6F, 0,  -1e30F,   x.out,
      dv,          x.s,  x.z};
  if (state == 0 && attn::simd::weights_cost_less(problem)) problem.s = problem.z = nullptr;
  for (; times > 0; --times) {
    if (causal) {
      for (Size i = 0; i < features * dv; ++i) x.s[i] = 0;
      for (Size i = 0; i < features; ++i) x.z[i] = 0;
    }
    run(set.linear_attention, set.linear_attention_floats, problem, 1);
  }
}

/// Features e^{W x'} of queries and keys, and then linear attention.
EXPORT void performer(Size times, Size n, Size d, Size dv, Size features) {
  const float half_root = 0.5F / __builtin_sqrtf(static_cast<float>(d));
  const float factor = 1 / __builtin_sqrtf(static_cast<float>(features));
  for (; times > 0; --times) {
    float* const from[2] = {x.q, x.k};
    float* const to[2] = {x.phi_q, x.phi_k};
    for (int i = 0; i < 2; ++i) {
      run(set.gemm, set.gemm_floats,
          {n, features, d, from[i], x.projection, d, 1, 1, d, to[i], features}, 1);
      // Half the squared norm of each row.
      for (Size r = 0; r < n; ++r) {
        float sum = 0;
        for (Size c = 0; c < d; ++c) sum += from[i][r * d + c] * from[i][r * d + c];
        x.row_dots[r] = sum * half_root;
      }
      set.exp_rows({n, features, to[i], features, x.row_dots, factor, 0});
    }
    run(set.linear_attention, set.linear_attention_floats,
        {n,       n,       features, dv,       features, {attn::simd::Feature::kGiven, 0},
         x.phi_q, x.phi_k, x.v,      features, features, dv,
         false,   true,    1e-6F,    0,        -1e30F,   x.out,
         dv,      x.s,     x.z},
        1);
  }
}

EXPORT void gathered(Size times, Size n, Size d, Size dv, Size* first, int* keys) {
  for (; times > 0; --times) {
    set.gathered_attention(
        {n, d, dv, x.q, x.k, x.v, d, d, dv, 0.125F, first, keys, x.out, dv, nullptr, x.square});
  }
}

#if !defined(__wasm__)

namespace {

using Arguments = std::vector<double>;
struct Case {
  const char* name;
  void (*run)(Size times, const Arguments& a);
};
Size whole(double value) { return static_cast<Size>(value); }

/// The exports above by name, with their arguments after `times`.
const Case cases[] = {
    {"peak", [](Size times, const Arguments&) { peak(times * 1000); }},
    {"gemm", [](Size times, const Arguments& a) { gemm(times, whole(a[0]), whole(a[1])); }},
    {"softmax", [](Size times, const Arguments& a) { softmax(times, whole(a[0])); }},
    {"attention",
     [](Size times, const Arguments& a) {
       attention(times, whole(a[0]), whole(a[1]), whole(a[2]), static_cast<int>(a[3]),
                 static_cast<int>(a[4]), static_cast<float>(a[5]));
     }},
    {"linear",
     [](Size times, const Arguments& a) {
       linear(times, whole(a[0]), whole(a[1]), whole(a[2]), whole(a[3]), static_cast<int>(a[4]),
              static_cast<float>(a[5]), static_cast<int>(a[6]), static_cast<int>(a[7]));
     }},
    {"performer",
     [](Size times, const Arguments& a) {
       performer(times, whole(a[0]), whole(a[1]), whole(a[2]), whole(a[3]));
     }},
    {"training",
     [](Size times, const Arguments& a) {
       training(times, whole(a[0]), whole(a[1]), static_cast<int>(a[2]), static_cast<float>(a[3]));
     }},
};

/// Selects one of the sets of this machine by name. "sse4" has four lanes, as wasm has.
bool choose(const std::string& name) {
#if defined(ATTN_BENCH_SSE4)
  if (name == "sse4") {
    set = attn::simd::sse4::kKernels;
    return true;
  }
#endif
  for (const attn::simd::Kernels* one : attn::simd::kernel_sets()) {
    if (name == one->name || name == "best") set = *one;
  }
  return name == "best" || name == set.name;
}

}  // namespace

/// Reads one request per line (set, case, times, then the arguments of the case) and answers with
/// milliseconds.
int main(int argc, char** argv) {
  const Size n = argc > 1 ? std::atoll(argv[1]) : 1024;
  prepare(n, 64, 64, 160);
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (float* one : {x.q, x.k, x.v, x.d_out}) {
    for (Size i = 0; i < n * 64; ++i) one[i] = normal(random);
  }
  for (Size i = 0; i < n * n; ++i) x.square[i] = normal(random);
  for (Size i = 0; i < 160 * 64; ++i) x.projection[i] = normal(random) / 2.83F;
  std::string name, which;
  Size times = 0;
  while (std::cin >> name >> which >> times) {
    Arguments arguments(8);
    std::string rest;
    std::getline(std::cin, rest);
    char* at = rest.data();
    for (double& one : arguments) one = std::strtod(at, &at);
    if (!choose(name)) {
      std::cout << "no set " << name << std::endl;
      continue;
    }
    bool found = false;
    for (const Case& one : cases) {
      if (which != one.name) continue;
      found = true;
      const auto start = std::chrono::steady_clock::now();
      one.run(times, arguments);
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - start;
      std::cout << took.count() << std::endl;
    }
    if (!found) std::cout << "no case " << which << std::endl;
  }
}

#endif
