#include <algorithm>
#include <cmath>

#include "attn/array/array.hpp"
#include "internal.hpp"

namespace attn::array {
namespace {

/// c[m×n] = a[m×k] b[k×n], all contiguous. Four rows and one panel of columns stay in registers;
/// products are summed in the order of k.
template <typename T>
void multiply(T* c, const T* a, const T* b, Index m, Index n, Index k) {
  constexpr Index kRows = 4, kCols = 32 / sizeof(T);
  for (Index j = 0; j < n; j += kCols) {
    const Index cols = std::min(kCols, n - j);
    for (Index i = 0; i < m; i += kRows) {
      const Index rows = std::min(kRows, m - i);
      T sums[kRows][kCols] = {};
      if (rows == kRows && cols == kCols) {
        const T* row = b + j;
        const T* const left = a + i * k;
        for (Index p = 0; p < k; ++p, row += n) {
          for (Index r = 0; r < kRows; ++r) {
            const T x = left[r * k + p];
            for (Index s = 0; s < kCols; ++s) sums[r][s] += x * row[s];
          }
        }
      } else {
        for (Index p = 0; p < k; ++p) {
          for (Index r = 0; r < rows; ++r) {
            const T x = a[(i + r) * k + p];
            for (Index s = 0; s < cols; ++s) sums[r][s] += x * b[p * n + j + s];
          }
        }
      }
      for (Index r = 0; r < rows; ++r) std::copy_n(sums[r], cols, c + (i + r) * n + j);
    }
  }
}

void multiply_any(const Array& out, char* c, const char* a, const char* b, Index m, Index n,
                  Index k) {
  with_type(out.dtype(), [&](auto tag) {
    using T = std::conditional_t<std::is_same_v<decltype(tag), std::int64_t>, std::uint64_t,
                                 decltype(tag)>;
    if constexpr (!std::is_same_v<T, bool>) {
      multiply(reinterpret_cast<T*>(c), reinterpret_cast<const T*>(a),
               reinterpret_cast<const T*>(b), m, n, k);
    }
  });
}

/// Multiplies the matrices of the last two axes; the axes before are broadcast.
Array multiply_stacks(const Array& x, const Array& y, const Shape& stacks, Dtype dtype) {
  const Index m = x.shape(-2), k = x.shape(-1), n = y.shape(-1);
  Shape shape = stacks;
  shape.push_back(m);
  shape.push_back(n);
  const Array out = Array::allocate(shape, dtype);
  const Array left = contiguous_as(x, dtype), right = contiguous_as(y, dtype);
  // The start of each matrix of a stack, found by walking over the axes of the stack only.
  const auto starts = [&](const Array& from) {
    Shape lengths = from.shape(), strides = from.strides();
    for (int last = 0; last < 2; ++last) {
      lengths.erase(lengths.rank() - 1);
      strides.erase(strides.rank() - 1);
    }
    return broadcast_to(from.with(lengths, strides), stacks);
  };
  const Array outs = starts(out), lefts = starts(left), rights = starts(right);
  Walk<3>(stacks, {&outs, &lefts, &rights})
      .run([&](char* const* at, const Index* strides, Index count) {
        for (Index i = 0; i < count; ++i) {
          multiply_any(out, at[0] + i * strides[0], at[1] + i * strides[1], at[2] + i * strides[2],
                       m, n, k);
        }
      });
  note_multiply_adds(static_cast<double>(stacks.size()) * static_cast<double>(m) *
                     static_cast<double>(n) * static_cast<double>(k));
  note_touched(out.size() + x.size() + y.size());
  return out;
}

/// Booleans are multiplied as integers; afterwards a result that is not 0 becomes true.
Dtype product_dtype(const Array& x, const Array& y) {
  const Dtype dtype = promote(x, y);
  return dtype == Dtype::kBool ? Dtype::kInt64 : dtype;
}

Array boolean_again(const Array& out, const Array& x, const Array& y) {
  const bool both = x.dtype() == Dtype::kBool && y.dtype() == Dtype::kBool;
  return both ? as(out, Dtype::kBool) : out;
}

}  // namespace

Array matmul(const Array& x, const Array& y) {
  constexpr const char* kSignature = "(n?,k),(k,m?)->(n?,m?)";
  for (const Array* operand : {&x, &y}) {
    if (operand->rank() == 0) {
      throw ValueError(std::string("matmul: Input operand ") + (operand == &x ? "0" : "1") +
                       " does not have enough dimensions (has 0, gufunc core with signature " +
                       kSignature + " requires 1)");
    }
  }
  const Array left = x.rank() == 1 ? expand_dims(x, 0) : x;
  const Array right = y.rank() == 1 ? expand_dims(y, 1) : y;
  if (left.shape(-1) != right.shape(-2)) {
    throw ValueError(
        std::string("matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
                    "signature ") +
            kSignature + " (size " + std::to_string(right.shape(-2)) + " is different from " +
            std::to_string(left.shape(-1)) + ")",
        {"matmul_sizes", {std::to_string(left.shape(-1)), std::to_string(right.shape(-2))}});
  }
  const Shape left_stacks(left.shape().begin(), left.shape().end() - 2);
  const Shape right_stacks(right.shape().begin(), right.shape().end() - 2);
  Shape stacks;
  try {
    stacks = broadcast_shapes(left_stacks, right_stacks);
  } catch (const ValueError&) {
    const auto remapped = [](const Shape& shape, const Shape& kept) {
      return shape.text() + "->(" + with_commas(kept) + ",newaxis,newaxis) ";
    };
    throw ValueError(
        "operands could not be broadcast together with remapped shapes [original->remapped]: " +
        remapped(left.shape(), left_stacks) + remapped(right.shape(), right_stacks) +
        " and requested shape (" + std::to_string(left.shape(-2)) + "," +
        std::to_string(right.shape(-1)) + ")");
  }
  Array out = boolean_again(multiply_stacks(left, right, stacks, product_dtype(x, y)), x, y);
  if (y.rank() == 1) out = out.take_at(-1, 0);
  if (x.rank() == 1) out = out.take_at(y.rank() == 1 ? -1 : -2, 0);
  return out;
}

Array dot(const Array& x, const Array& y) {
  if (x.rank() == 0 || y.rank() == 0) {
    note_multiply_adds(static_cast<double>(x.size()) * static_cast<double>(y.size()));
    return x * y;
  }
  const int second = y.rank() == 1 ? 0 : y.rank() - 2;
  const int last = x.rank() - 1;
  if (x.shape()[last] != y.shape()[second]) {
    throw ValueError("shapes " + x.shape().text() + " and " + y.shape().text() +
                     " not aligned: " + std::to_string(x.shape()[last]) + " (dim " +
                     std::to_string(last) + ") != " + std::to_string(y.shape()[second]) + " (dim " +
                     std::to_string(second) + ")");
  }
  if (x.rank() <= 2 && y.rank() <= 2) return matmul(x, y);
  // Every row of x is multiplied with every column of y.
  Shape shape(x.shape().begin(), x.shape().end() - 1);
  Shape order;
  order.push_back(second);
  for (int axis = 0; axis < y.rank(); ++axis) {
    if (axis == second) continue;
    shape.push_back(y.shape()[axis]);
    order.push_back(axis);
  }
  const Index inner = x.shape()[last];
  const Index rows = Shape(shape.begin(), shape.begin() + last).size();
  const Index cols = Shape(shape.begin() + last, shape.end()).size();
  return matmul(x.reshape({rows, inner}), transpose(y, order).reshape({inner, cols}))
      .reshape(shape);
}

Array outer(const Array& x, const Array& y) {
  note_multiply_adds(static_cast<double>(x.size()) * static_cast<double>(y.size()));
  return x.reshape({-1, 1}) * y.reshape({1, -1});
}

}  // namespace attn::array
