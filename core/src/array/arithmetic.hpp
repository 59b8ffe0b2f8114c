#pragma once
// The operations on two entries, both for arrays entry by entry and for folding along an axis.

#include <cstdint>
#include <type_traits>

namespace attn::array {

// Integers wrap around, as in NumPy.
template <typename T>
using Wrapping = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;

struct Add {
  template <typename T>
  static T of(T x, T y) {
    return static_cast<T>(static_cast<Wrapping<T>>(x) + static_cast<Wrapping<T>>(y));
  }
};
struct Multiply {
  template <typename T>
  static T of(T x, T y) {
    return static_cast<T>(static_cast<Wrapping<T>>(x) * static_cast<Wrapping<T>>(y));
  }
};
// The result is NaN when either operand is NaN; fmax and fmin ignore a NaN.
struct Maximum {
  template <typename T>
  static T of(T x, T y) {
    return x >= y || x != x ? x : y;
  }
};
struct Minimum {
  template <typename T>
  static T of(T x, T y) {
    return x <= y || x != x ? x : y;
  }
};
struct Fmax {
  template <typename T>
  static T of(T x, T y) {
    return x >= y || y != y ? x : y;
  }
};
struct Fmin {
  template <typename T>
  static T of(T x, T y) {
    return x <= y || y != y ? x : y;
  }
};

}  // namespace attn::array
