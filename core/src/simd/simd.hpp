#pragma once
// The kernels as the core calls them. Private to the core.
//
// Where the compiler's target determines the instruction set (wasm), calls go directly to the only
// set, so that a module holds only the kernels that it calls. Elsewhere several sets are compiled,
// and the machine is asked which it supports.

#include <span>

#include "arena.hpp"
#include "kernels.hpp"
#if !defined(ATTN_SIMD_SEVERAL_SETS)
#include "kernel_set.hpp"
#endif

namespace attn::simd {

/// The fastest compiled set that this machine can run, or the set that `use_kernels` selected.
const Kernels& kernels();

/// All compiled sets that this machine can run, the slowest first.
std::span<const Kernels* const> kernel_sets();

/// Makes `kernels` return this set in every thread. It is for tests and benchmarks, and must be
/// called while no other thread calls kernels.
void use_kernels(const Kernels& set);

/// Runs a kernel with as much memory of the thread's arena as the kernel asks for.
template <typename Problem>
void run(void (*kernel)(const Problem&, float*), Size (*floats)(const Problem&),
         const Problem& problem) {
  kernel(problem, arena().reserve(floats(problem)));
}

#if defined(ATTN_SIMD_SEVERAL_SETS)
#define ATTN_KERNEL(name) ::attn::simd::kernels().name
#else
#define ATTN_KERNEL(name) ::attn::simd::baseline::name
#endif

inline Size attention_floats(const Attention& x) { return ATTN_KERNEL(attention_floats)(x); }
inline Size attention_backward_floats(const AttentionBackward& x) {
  return ATTN_KERNEL(attention_backward_floats)(x);
}
inline Size linear_attention_floats(const LinearAttention& x) {
  return ATTN_KERNEL(linear_attention_floats)(x);
}
inline void gemm(const Gemm& x) { run(ATTN_KERNEL(gemm), ATTN_KERNEL(gemm_floats), x); }
inline void attention(const Attention& x) {
  run(ATTN_KERNEL(attention), ATTN_KERNEL(attention_floats), x);
}
inline void attention_backward(const AttentionBackward& x) {
  run(ATTN_KERNEL(attention_backward), ATTN_KERNEL(attention_backward_floats), x);
}
inline void gathered_attention(const GatheredAttention& x) { ATTN_KERNEL(gathered_attention)(x); }
inline void softmax_rows(const SoftmaxRows& x) { ATTN_KERNEL(softmax_rows)(x); }
inline void features(const Features& x) { ATTN_KERNEL(features)(x); }
inline void linear_attention(const LinearAttention& x) {
  run(ATTN_KERNEL(linear_attention), ATTN_KERNEL(linear_attention_floats), x);
}
inline void exp_rows(const ExpRows& x) { ATTN_KERNEL(exp_rows)(x); }
inline void pair_sums(const PairSums& x) { ATTN_KERNEL(pair_sums)(x); }
inline float largest_magnitude(const float* x, Size rows, Size cols, Size x_row) {
  return ATTN_KERNEL(largest_magnitude)(x, rows, cols, x_row);
}

/// The number of floats in a vector of the set that `kernels` returns.
#if defined(ATTN_SIMD_SEVERAL_SETS)
inline Size lanes() { return kernels().lanes; }
#else
constexpr Size lanes() { return baseline::kLanes; }
#endif

#undef ATTN_KERNEL

}  // namespace attn::simd
