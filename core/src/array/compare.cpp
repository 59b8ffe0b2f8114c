#include <algorithm>
#include <cmath>
#include <cstdio>

#include "attn/array/array.hpp"
#include "internal.hpp"

namespace attn::array {
namespace {

bool close(double actual, double expected, double rtol, double atol, bool equal_nan) {
  if (std::isnan(actual) || std::isnan(expected)) {
    return equal_nan && std::isnan(actual) && std::isnan(expected);
  }
  if (std::isinf(actual) || std::isinf(expected)) return actual == expected;
  return std::abs(actual - expected) <= atol + rtol * std::abs(expected);
}

/// Converts both arrays to doubles of one shape and calls `body(out, x, y)` for each pair of
/// entries.
template <typename F>
void each_pair(const Array& x, const Array& y, const Shape& shape, F&& body) {
  const Array left = broadcast_to(x, shape), right = broadcast_to(y, shape);
  Index next = 0;
  Walk<2>(shape, {&left, &right}).run([&](char* const* at, const Index* strides, Index count) {
    for (Index i = 0; i < count; ++i) {
      body(next++, read_double(at[0] + i * strides[0], x.dtype()),
           read_double(at[1] + i * strides[1], y.dtype()));
    }
  });
}

}  // namespace

Comparison compare(const Array& actual, const Array& expected, double rtol, double atol) {
  Comparison result;
  result.of = expected.size();
  if (!(actual.shape() == expected.shape())) {
    result.same_shape = result.equal = false;
    return result;
  }
  each_pair(actual, expected, expected.shape(), [&](Index at, double x, double y) {
    if (std::isfinite(x) && std::isfinite(y)) {
      const double away = std::abs(x - y);
      result.max_absolute = std::max(result.max_absolute, away);
      if (y != 0) result.max_relative = std::max(result.max_relative, away / std::abs(y));
    }
    if (std::isnan(x) != std::isnan(y)) ++result.nans;
    if (close(x, y, rtol, atol, true)) return;
    result.equal = false;
    if (result.wrong++ > 0) return;
    result.first = expected.shape();
    for (int axis = expected.rank() - 1; axis >= 0; --axis) {
      result.first[axis] = at % expected.shape()[axis];
      at /= expected.shape()[axis];
    }
  });
  return result;
}

Array isclose(const Array& x, const Array& y, double rtol, double atol, bool equal_nan) {
  const Array out = Array::allocate(broadcast_shapes(x.shape(), y.shape()), Dtype::kBool);
  each_pair(x, y, out.shape(), [&](Index at, double left, double right) {
    entries<bool>(out)[at] = close(left, right, rtol, atol, equal_nan);
  });
  note_touched(out.size() + x.size() + y.size());
  return out;
}

bool allclose(const Array& x, const Array& y, double rtol, double atol, bool equal_nan) {
  return all(isclose(x, y, rtol, atol, equal_nan)).item() != 0;
}

bool array_equal(const Array& x, const Array& y, bool equal_nan) {
  if (!(x.shape() == y.shape())) return false;
  // Different int64 values may be equal as doubles.
  if (!is_float(x.dtype()) && !is_float(y.dtype())) return all(x == y).item() != 0;
  bool equal = true;
  each_pair(x, y, x.shape(), [&](Index, double left, double right) {
    equal &= left == right || (equal_nan && std::isnan(left) && std::isnan(right));
  });
  note_touched(x.size() + y.size());
  return equal;
}

namespace {

std::string number(double value, Dtype dtype) {
  if (dtype == Dtype::kBool) return value != 0 ? "True" : "False";
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char word[40];
  std::snprintf(word, sizeof word, dtype == Dtype::kInt64 ? "%.0f" : "%.4g", value);
  return word;
}

void print(const Array& x, std::string* out) {
  if (x.rank() == 0) {
    *out += number(read_double(x.data(), x.dtype()), x.dtype());
    return;
  }
  constexpr Index kShown = 6;
  const Index length = x.shape()[0];
  *out += '[';
  for (Index i = 0; i < length; ++i) {
    if (i > 0) *out += x.rank() == 1 ? " " : ", ";
    if (length > kShown && i == kShown / 2) {
      *out += x.rank() == 1 ? "… " : "…, ";
      i = length - kShown / 2;
    }
    print(x.take_at(0, i), out);
  }
  *out += ']';
}

}  // namespace

std::string text(const Array& x) {
  std::string out;
  print(x, &out);
  return out;
}

}  // namespace attn::array
