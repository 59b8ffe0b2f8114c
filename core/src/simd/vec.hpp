#pragma once
// One vector type for every instruction set, made with the vector extensions of GCC and Clang. This
// is the only file of the core that depends on the machine for which it is compiled. Private to the
// core.
//
// The file is freestanding, as is everything in this folder that the kernels include, because the
// compiler that knows relaxed SIMD has no C++ library.

#include <stddef.h>
#include <stdint.h>

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// A library may hold the same kernels for several machines, so each set has a name.
#ifndef ATTN_SIMD_SET
#define ATTN_SIMD_SET baseline
#endif

// The number of lanes can be set independently of the machine, so that every width can be tested on
// any machine.
#ifndef ATTN_SIMD_LANES
#if defined(__AVX512F__)
#define ATTN_SIMD_LANES 16
#elif defined(__AVX__)
#define ATTN_SIMD_LANES 8
#elif defined(__SSE__) || defined(__aarch64__) || defined(__wasm_simd128__)
#define ATTN_SIMD_LANES 4
#else
#define ATTN_SIMD_LANES 1
#endif
#endif

#define ATTN_NOINLINE __attribute__((noinline))
#define ATTN_INLINE inline __attribute__((always_inline))
#if defined(__clang__)
#define ATTN_UNROLL _Pragma("clang loop unroll(full)")
#define ATTN_NO_UNROLL _Pragma("clang loop unroll(disable) vectorize(disable)")
#else
#define ATTN_UNROLL _Pragma("GCC unroll 16")
#define ATTN_NO_UNROLL _Pragma("GCC unroll 1")
#endif

namespace attn::simd::ATTN_SIMD_SET {

/// The number of floats in a vector.
inline constexpr int kLanes = ATTN_SIMD_LANES;

typedef float F __attribute__((vector_size(4 * kLanes)));
typedef int32_t I __attribute__((vector_size(4 * kLanes)));
/// Unsigned integers, whose arithmetic may overflow.
typedef uint32_t U __attribute__((vector_size(4 * kLanes)));
/// Four floats, whatever kLanes is, for transposes.
typedef float F4 __attribute__((vector_size(16)));

// The same vectors at addresses that are aligned to a single float.
typedef float AnyF __attribute__((vector_size(4 * kLanes), aligned(4), may_alias));
typedef float AnyF4 __attribute__((vector_size(16), aligned(4), may_alias));

ATTN_INLINE F load(const float* x) { return *reinterpret_cast<const AnyF*>(x); }
ATTN_INLINE void store(float* x, F value) { *reinterpret_cast<AnyF*>(x) = value; }
ATTN_INLINE F4 load4(const float* x) { return *reinterpret_cast<const AnyF4*>(x); }
ATTN_INLINE void store4(float* x, F4 value) { *reinterpret_cast<AnyF4*>(x) = value; }
ATTN_INLINE F splat(float x) { return x - F{}; }
ATTN_INLINE F4 splat4(float x) { return x - F4{}; }
ATTN_INLINE I splat_int(int32_t x) { return x - I{}; }

/// a·b + c, with one rounding where the machine supports it and two elsewhere.
ATTN_INLINE F multiply_add(F a, F b, F c) {
#if defined(__wasm_relaxed_simd__)
  return __builtin_wasm_relaxed_madd_f32x4(a, b, c);
#elif defined(__AVX512F__) && ATTN_SIMD_LANES == 16
  return _mm512_fmadd_ps(a, b, c);
#elif defined(__FMA__) && ATTN_SIMD_LANES == 8
  return _mm256_fmadd_ps(a, b, c);
#elif defined(__aarch64__) && ATTN_SIMD_LANES == 4
  return vfmaq_f32(c, a, b);
#else
  return a * b + c;
#endif
}

/// The larger in each lane; b where either is NaN.
ATTN_INLINE F larger(F a, F b) {
#if defined(__wasm_simd128__)
  return __builtin_wasm_pmax_f32x4(b, a);
#elif defined(__AVX__) && ATTN_SIMD_LANES == 8
  return _mm256_max_ps(a, b);
#elif defined(__SSE__) && ATTN_SIMD_LANES == 4
  return _mm_max_ps(a, b);
#else
  return a > b ? a : b;
#endif
}

/// The smaller in each lane; b where either is NaN.
ATTN_INLINE F smaller(F a, F b) {
#if defined(__wasm_simd128__)
  return __builtin_wasm_pmin_f32x4(b, a);
#elif defined(__AVX__) && ATTN_SIMD_LANES == 8
  return _mm256_min_ps(a, b);
#elif defined(__SSE__) && ATTN_SIMD_LANES == 4
  return _mm_min_ps(a, b);
#else
  return a < b ? a : b;
#endif
}

/// x where `keep` is all ones, 0 where it is 0.
ATTN_INLINE F keep_where(I keep, F x) { return reinterpret_cast<F>(keep & reinterpret_cast<I>(x)); }
ATTN_INLINE F choose(I mask, F yes, F no) {
  return reinterpret_cast<F>((mask & reinterpret_cast<I>(yes)) | (~mask & reinterpret_cast<I>(no)));
}

/// Transposes four vectors of four floats.
ATTN_INLINE void transpose4(F4& a, F4& b, F4& c, F4& d) {
  const F4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  const F4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const F4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const F4 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

/// x_0 + x_1 + …
ATTN_INLINE float sum_of_lanes(F x) {
  float sum = x[0];
  ATTN_UNROLL
  for (int i = 1; i < kLanes; ++i) sum += x[i];
  return sum;
}

}  // namespace attn::simd::ATTN_SIMD_SET
