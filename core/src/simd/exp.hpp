#pragma once
// Exponentials of whole vectors. Errors are measured over every float by tests/core/simd_test.cpp.

#include "vec.hpp"

namespace attn::simd::ATTN_SIMD_SET {

/// 1.5·2²³. Adding it rounds a small number to an integer and leaves that integer in the low bits;
/// wasm has no fast conversion to integers.
inline constexpr float kRounder = 12582912.0F;

/// 2^f for |f| ≤ 1/2: 1 + f·q(f), q fitted to the least relative error. Exactly 1 at 0.
ATTN_INLINE F exp2_fraction(F f) {
  F p = multiply_add(splat(1.53533547e-4F), f, splat(1.33990496e-3F));
  p = multiply_add(p, f, splat(9.61846765e-3F));
  p = multiply_add(p, f, splat(5.55033199e-2F));
  p = multiply_add(p, f, splat(0.240226433F));
  p = multiply_add(p, f, splat(0.693147182F));
  return multiply_add(p, f, splat(1));
}

/// 2^t for t ≤ 0, at most 1 ulp off; exactly 0 below t = −100. Not at −126, where floats become
/// denormal: a weight of 2^−110 times a value of 2^−20 would, and wasm cannot flush it. NaN stays
/// NaN, −∞ gives 0.
ATTN_INLINE F exp2_of_nonpositive(F t) {
  const F rounded = t + kRounder;
  const F p = exp2_fraction(t - (rounded - kRounder));
  const I bits = reinterpret_cast<I>(p) + (reinterpret_cast<I>(rounded) << 23);
  return keep_where(~(t < splat(-100)), reinterpret_cast<F>(bits));
}

/// e^x for x ≤ 0, at most 1.3 ulp off; exactly 0 below `lowest`, which is at least −87.33 (e^x
/// would be denormal). NaN stays NaN, −∞ gives 0.
ATTN_INLINE F exp_of_nonpositive(F x, float lowest) {
  const F rounded = x * 1.44269504F + kRounder;
  const F n = rounded - kRounder;
  // n·ln 2 in two parts, the first with so few bits that the product is exact.
  const F r = (x - n * 0.693359375F) - n * -2.12194440e-4F;
  const F p = exp2_fraction(r * 1.44269504F);
  const I bits = reinterpret_cast<I>(p) + (reinterpret_cast<I>(rounded) << 23);
  return keep_where(~(x < splat(lowest)), reinterpret_cast<F>(bits));
}

/// e^x, at most 1.3 ulp off; 0 where e^x would be denormal (x < −87.33), ∞ above 88.72, NaN for
/// NaN.
ATTN_INLINE F exp(F x) {
  // Beyond these the result is 0 or ∞ anyway; NaN passes.
  const F inside = larger(splat(-104), smaller(splat(89), x));
  const F rounded = inside * 1.44269504F + kRounder;
  const F n = rounded - kRounder;
  const F r = (inside - n * 0.693359375F) - n * -2.12194440e-4F;
  const F p = exp2_fraction(r * 1.44269504F);
  // 2^128 is no float: in two steps.
  const I whole = reinterpret_cast<I>(rounded) - reinterpret_cast<I>(splat(kRounder));
  const I half = whole >> 1;
  const F low = reinterpret_cast<F>((half + 127) << 23);
  const F high = reinterpret_cast<F>((whole - half + 127) << 23);
  return keep_where(~(x < splat(-87.3365479F)), p * low * high);
}

}  // namespace attn::simd::ATTN_SIMD_SET
