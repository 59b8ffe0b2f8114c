#pragma once
// Helpers that the suites of the arrays share.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/array/array.hpp"
#include "attn/array/numpy_random.hpp"

namespace attn::array::test {

/// Returns "" where all entries are that close, or a sentence about the first one that is not.
inline std::string difference(const Array& actual, const Array& expected, double rtol = 1e-12,
                              double atol = 1e-12) {
  const Comparison result = compare(actual, expected, rtol, atol);
  if (result.equal) return {};
  if (!result.same_shape) {
    return "shape " + actual.shape().text() + " in place of " + expected.shape().text();
  }
  return "at " + result.first.text() + ": " + text(actual) + " in place of " + text(expected);
}

#define CHECK_SAME(actual, expected) CHECK_EQ(attn::array::test::difference(actual, expected), "")

/// Returns the error that `f` throws as "ValueError: its message", or "" where it throws none.
template <typename F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const ArrayError& error) {
    return std::string(error.type()) + ": " + error.what();
  }
  return {};
}

/// Draws whole numbers from a stream of its own.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : random_(seed) {}
  Index operator()(Index low, Index high) {
    return static_cast<Index>(random_.integers(low, high + 1, {}).item());
  }
  Array normal(const Shape& shape) { return random_.randn(shape); }

 private:
  RandomState random_;
};

/// Calls `f` with every index of a shape, in row-major order.
template <typename F>
void for_each_index(const Shape& shape, F&& f) {
  Shape at = shape;
  for (Index flat = 0; flat < shape.size(); ++flat) {
    Index rest = flat;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      at[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    f(at, flat);
  }
}

/// Returns one entry, by an index of any length.
inline double entry(Array x, const Shape& at) {
  for (const Index i : at) x = x.take_at(0, i);
  return x.item();
}

}  // namespace attn::array::test
