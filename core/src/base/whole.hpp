#pragma once
// Unsigned integers of 64 bits that throw instead of wrapping around. Private to the core.

#include <cstdint>

#include "attn/base/errors.hpp"

namespace attn::internal {

/// @throws CapacityError where a sum or product exceeds 64 bits.
class Whole {
 public:
  constexpr Whole(std::uint64_t value = 0) : value_(value) {}  // NOLINT: a number is a number

  constexpr std::uint64_t value() const { return value_; }

  friend Whole operator+(Whole a, Whole b) {
    Whole sum;
    if (__builtin_add_overflow(a.value_, b.value_, &sum.value_)) refuse();
    return sum;
  }
  friend Whole operator*(Whole a, Whole b) {
    Whole product;
    if (__builtin_mul_overflow(a.value_, b.value_, &product.value_)) refuse();
    return product;
  }
  Whole& operator+=(Whole other) { return *this = *this + other; }

  // The operators below cannot overflow; a − b requires b ≤ a.
  friend constexpr Whole operator-(Whole a, Whole b) { return a.value_ - b.value_; }
  friend constexpr Whole operator/(Whole a, Whole b) { return a.value_ / b.value_; }
  friend constexpr Whole operator%(Whole a, Whole b) { return a.value_ % b.value_; }
  // clang-tidy 14 mistakes the 0 that a defaulted <=> is compared with for a null pointer.
  friend constexpr auto operator<=>(Whole a, Whole b) = default;  // NOLINT(modernize-use-nullptr)

 private:
  [[noreturn]] static void refuse() {
    throw CapacityError("shape", phrase::count_overflows, phrase::smaller_sizes);
  }

  std::uint64_t value_;
};

/// n·(n + 1)/2
inline Whole triangle(Whole n) { return n % 2 == Whole(0) ? n / 2 * (n + 1) : (n + 1) / 2 * n; }

/// Σ_{i<n} ⌊i/divisor⌋
inline Whole sum_of_quotients(Whole n, Whole divisor) {
  const Whole quotient = n / divisor;
  if (quotient == Whole(0)) return 0;
  return divisor * triangle(quotient - 1) + quotient * (n % divisor);
}

}  // namespace attn::internal
