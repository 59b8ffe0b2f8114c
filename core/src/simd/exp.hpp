#pragma once
// Exponentials of whole vectors. Errors are measured over every float by tests/core/simd_test.cpp.
//
// Callers process two or four vectors in each round of a loop, because an exponential is a chain of
// about fifteen instructions, each of which waits for the one before.

#include "vec.hpp"

namespace attn::simd::ATTN_SIMD_SET {

constexpr float kLog2E = 1.44269504F;

/// A constant with the same value in all lanes.
class Constant {
 public:
  constexpr Constant(float x) : lanes_{} {
    for (float& lane : lanes_) lane = x;
  }
  ATTN_INLINE F operator()() const { return load(lanes_); }

 private:
  float lanes_[kLanes];
};

struct ExpTable {
  /// 1.5·2²³. Adding it rounds a small number to an integer and leaves that integer in the low
  /// bits: wasm has no fast conversion to integers.
  Constant rounder = 12582912.0F;
  Constant log2_e = kLog2E;
  /// ln 2 in two parts, the first with so few bits that its multiples are exact.
  Constant ln2_high = 0.693359375F, ln2_low = -2.12194440e-4F;
  /// 2^f = 1 + f·(c1 + f·(c2 + …)) for |f| ≤ 1/2, fitted to the least relative error.
  Constant one = 1, c1 = 0.693147182F, c2 = 0.240226433F, c3 = 5.55033199e-2F, c4 = 9.61846765e-3F,
           c5 = 1.33990496e-3F, c6 = 1.53533547e-4F;
  /// The least powers of two that are not set to 0, with the rounder added. For weights the limit
  /// is −100: a weight of 2^−110 times a value of 2^−20 would be denormal, which wasm cannot flush
  /// to 0 and which costs 16 to 33 times as much. For normal numbers it is −125, the last n for
  /// which 2^n·2^f is surely normal.
  Constant weight = 12582912.0F - 100, normal = 12582912.0F - 125;
  /// Below `lowest` e^x is 0, and above `highest` it is ∞.
  Constant lowest = -104, highest = 89;
};

/// Returns a table of constants in a way that hides their values from the compiler. V8 would
/// otherwise build a constant vector with three instructions wherever it is used; reading it takes
/// one load.
template <typename Table>
ATTN_INLINE const Table& in_memory() {
  static constexpr Table kTable;
  const Table* table = &kTable;
  asm("" : "+r"(table));
  return *table;
}

ATTN_INLINE const ExpTable& exp_table() { return in_memory<ExpTable>(); }

/// 2^f for |f| ≤ 1/2, and exactly 1 at 0. Coefficients are combined in pairs (Estrin), because
/// Horner's chain would be half as long again. Only the last step is Horner's, which keeps the
/// error near 1 ulp.
ATTN_INLINE F power_of_fraction(F f, const ExpTable& table) {
  const F square = f * f;
  const F high = multiply_add(table.c6(), f, table.c5());
  const F middle = multiply_add(table.c4(), f, table.c3());
  const F low = multiply_add(table.c2(), f, table.c1());
  const F q = multiply_add(multiply_add(high, square, middle), square, low);
  return multiply_add(q, f, table.one());
}

/// 2^n·p for an integer n to which the rounder was added; 0 where n is below `least`. So −∞ gives
/// 0, and a NaN from earlier arithmetic stays NaN.
ATTN_INLINE F times_power(F p, F n, F least) {
  const U bits = reinterpret_cast<U>(p) + (reinterpret_cast<U>(n) << 23);
  return keep_where(~(n < least), reinterpret_cast<F>(bits));
}

/// 2^t for t ≤ 0, at most 1.1 ulp off; 0 below t = −100.5.
ATTN_INLINE F exp2_of_nonpositive(F t, const ExpTable& table) {
  const F n = t + table.rounder();
  return times_power(power_of_fraction(t - (n - table.rounder()), table), n, table.weight());
}

/// (x − n·ln 2)/ln 2
ATTN_INLINE F fraction_of(F x, F n, const ExpTable& table) {
  return ((x - n * table.ln2_high()) - n * table.ln2_low()) * table.log2_e();
}

/// e^x for x ≤ 0, at most 1.3 ulp off; 0 below x = −86.98.
ATTN_INLINE F exp_of_nonpositive(F x, const ExpTable& table) {
  const F n = x * table.log2_e() + table.rounder();
  const F f = fraction_of(x, n - table.rounder(), table);
  return times_power(power_of_fraction(f, table), n, table.normal());
}

/// e^x, at most 1.3 ulp off; 0 below x = −86.98, just before the result becomes denormal, and ∞
/// above 88.72.
ATTN_INLINE F exp(F x, const ExpTable& table) {
  // A NaN passes through both comparisons.
  const F inside = larger(table.lowest(), smaller(table.highest(), x));
  const F n = inside * table.log2_e() + table.rounder();
  const F p = power_of_fraction(fraction_of(inside, n - table.rounder(), table), table);
  // 2^128 is not a float, so the power is applied in two steps.
  const I whole = reinterpret_cast<I>(n) - reinterpret_cast<I>(table.rounder());
  const I half = whole >> 1;
  const F first = reinterpret_cast<F>((half + 127) << 23);
  const F second = reinterpret_cast<F>((whole - half + 127) << 23);
  return keep_where(~(n < table.normal()), p * first * second);
}

}  // namespace attn::simd::ATTN_SIMD_SET
