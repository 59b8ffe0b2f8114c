#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "attn/array/array.hpp"
#include "dense.hpp"
#include "internal.hpp"

namespace attn::array {
namespace {

Dtype float_of(const Array& x) {
  return x.dtype() == Dtype::kFloat32 ? Dtype::kFloat32 : Dtype::kFloat64;
}

void require_matrices(const Array& x) {
  if (x.rank() < 2) {
    throw LinAlgError(std::to_string(x.rank()) +
                      "-dimensional array given. Array must be at least two-dimensional");
  }
}

void require_square(const Array& x) {
  require_matrices(x);
  if (x.shape(-1) != x.shape(-2)) {
    throw LinAlgError("Last 2 dimensions of the array must be square");
  }
}

void require_finite(const Array& x, const char* complaint) {
  const Array flags = all(isfinite(x));
  if (!*entries<bool>(flags)) throw LinAlgError(complaint);
}

/// Applies a function of one matrix to every matrix of a stack; each of its results has its own
/// shape.
template <std::size_t N, typename F>
std::array<Array, N> for_each_matrix(const Array& x, const std::array<Shape, N>& shapes, F&& f) {
  const Array packed = contiguous_as(x, Dtype::kFloat64);
  const Shape stacks(x.shape().begin(), x.shape().end() - 2);
  const Index rows = x.shape(-2), cols = x.shape(-1);
  std::array<Array, N> results;
  std::array<double*, N> at{};
  for (std::size_t k = 0; k < N; ++k) {
    Shape shape = stacks;
    for (const Index length : shapes[k]) shape.push_back(length);
    results[k] = Array::allocate(shape, Dtype::kFloat64);
    at[k] = entries<double>(results[k]);
    note_touched(results[k].size());
  }
  for (Index i = 0; i < stacks.size(); ++i) {
    f(Dense(rows, cols, entries<double>(packed) + i * rows * cols), at);
    for (std::size_t k = 0; k < N; ++k) at[k] += shapes[k].size();
  }
  const auto n = static_cast<double>(std::max(rows, cols));
  note_multiply_adds(static_cast<double>(stacks.size() * rows * cols) * n);
  note_touched(x.size());
  for (Array& result : results) result = as(result, float_of(x));
  return results;
}

}  // namespace

Array eigvalsh(const Array& x) { return eigh(x).first; }

std::pair<Array, Array> eigh(const Array& x) {
  require_square(x);
  require_finite(x, "Eigenvalues did not converge");
  const Index n = x.shape(-1);
  auto results = for_each_matrix<2>(x, {Shape{n}, Shape{n, n}}, [](const Dense& matrix, auto& at) {
    const Eigenpairs pairs = eigenpairs(matrix);
    std::copy(pairs.values.begin(), pairs.values.end(), at[0]);
    pairs.vectors.copy_to(at[1]);
  });
  return {results[0], results[1]};
}

Svd svd(const Array& x, bool full_matrices) {
  require_matrices(x);
  require_finite(x, "SVD did not converge");
  const Index m = x.shape(-2), n = x.shape(-1), k = std::min(m, n);
  const Index u = full_matrices ? m : k, v = full_matrices ? n : k;
  auto results = for_each_matrix<3>(x, {Shape{m, u}, Shape{k}, Shape{v, n}},
                                    [&](const Dense& matrix, auto& at) {
                                      const SingularParts parts = singular_parts(matrix, u, v);
                                      parts.u.copy_to(at[0]);
                                      std::copy(parts.s.begin(), parts.s.end(), at[1]);
                                      parts.vh.copy_to(at[2]);
                                    });
  return {results[0], results[1], results[2]};
}

Array singular_values(const Array& x) { return svd(x, false).s; }

Array inv(const Array& x) {
  require_square(x);
  const Index n = x.shape(-1);
  return for_each_matrix<1>(x, {Shape{n, n}}, [n](const Dense& matrix, auto& at) {
    Lu(matrix).solve(Dense::identity(n, n)).copy_to(at[0]);
  })[0];
}

Array solve(const Array& a, const Array& b) {
  require_square(a);
  const Index n = a.shape(-1);
  const bool vector = b.rank() == a.rank() - 1;
  if (b.rank() == 0 || (!vector && b.rank() < 2)) {
    throw ValueError("solve: Input operand 1 does not have enough dimensions");
  }
  const Array right = vector ? expand_dims(b, b.rank()) : b;
  if (right.shape(-2) != n) {
    throw ValueError(std::string(vector ? "solve1" : "solve") +
                     ": Input operand 1 has a mismatch in its core dimension 0, with gufunc "
                     "signature " +
                     (vector ? "(m,m),(m)->(m)" : "(m,m),(m,n)->(m,n)") + " (size " +
                     std::to_string(right.shape(-2)) + " is different from " + std::to_string(n) +
                     ")");
  }
  const Shape stacks = broadcast_shapes(Shape(a.shape().begin(), a.shape().end() - 2),
                                        Shape(right.shape().begin(), right.shape().end() - 2));
  const Index cols = right.shape(-1);
  Shape left_shape = stacks, right_shape = stacks;
  for (const Index length : {n, n}) left_shape.push_back(length);
  for (const Index length : {n, cols}) right_shape.push_back(length);
  const Array rights = contiguous_as(broadcast_to(right, right_shape), Dtype::kFloat64);
  const double* from = entries<double>(rights);
  Array out = for_each_matrix<1>(broadcast_to(a, left_shape), {Shape{n, cols}},
                                 [&](const Dense& matrix, auto& at) {
                                   Lu(matrix).solve(Dense(n, cols, from)).copy_to(at[0]);
                                   from += n * cols;
                                 })[0];
  note_touched(right.size());
  if (float_of(b) != Dtype::kFloat32) out = as(out, Dtype::kFloat64);
  return vector ? out.take_at(-1, 0) : out;
}

std::pair<Array, Array> slogdet(const Array& x) {
  require_square(x);
  auto results = for_each_matrix<2>(x, {Shape{}, Shape{}}, [](const Dense& matrix, auto& at) {
    const Lu lu(matrix, true);
    *at[0] = lu.sign();
    *at[1] = 0;
    for (Index i = 0; i < matrix.rows(); ++i) {
      const double pivot = lu.pivot(i);
      *at[0] *= pivot < 0 ? -1 : pivot > 0 ? 1 : pivot;
      *at[1] += std::log(std::abs(pivot));
    }
  });
  return {results[0], results[1]};
}

Array det(const Array& x) {
  require_square(x);
  return for_each_matrix<1>(x, {Shape{}}, [](const Dense& matrix, auto& at) {
    const Lu lu(matrix, true);
    *at[0] = lu.sign();
    for (Index i = 0; i < matrix.rows(); ++i) *at[0] *= lu.pivot(i);
  })[0];
}

std::pair<Array, Array> qr(const Array& x) {
  require_matrices(x);
  const Index m = x.shape(-2), n = x.shape(-1), k = std::min(m, n);
  auto results =
      for_each_matrix<2>(x, {Shape{m, k}, Shape{k, n}}, [k](const Dense& matrix, auto& at) {
        const auto [q, r] = householder_qr(matrix, k);
        q.copy_to(at[0]);
        r.copy_to(at[1]);
      });
  return {results[0], results[1]};
}

Array cholesky(const Array& x) {
  require_square(x);
  const Index n = x.shape(-1);
  return for_each_matrix<1>(x, {Shape{n, n}}, [](const Dense& matrix, auto& at) {
    cholesky_factor(matrix).copy_to(at[0]);
  })[0];
}

Array pinv(const Array& x, double rcond) {
  const Svd parts = svd(x, false);
  const Array cutoff = Array(rcond) * max(parts.s, -1, true);
  const Array large = parts.s > cutoff;
  const Array inverse = where(large, Array(1.0) / where(large, parts.s, Array(1.0)), Array(0.0));
  return matmul(swapaxes(parts.vh, -1, -2),
                expand_dims(inverse, inverse.rank()) * swapaxes(parts.u, -1, -2));
}

Array matrix_rank(const Array& x, std::optional<double> tolerance) {
  if (x.rank() < 2) return as(any(x != Array(std::int64_t{0})), Dtype::kInt64);
  const Array values = singular_values(x);
  if (tolerance) return sum(values > Array(*tolerance), -1);
  const double epsilon = x.dtype() == Dtype::kFloat32
                             ? static_cast<double>(std::numeric_limits<float>::epsilon())
                             : std::numeric_limits<double>::epsilon();
  const auto longest = static_cast<double>(std::max(x.shape(-1), x.shape(-2)));
  return sum(values > max(values, -1, true) * Array(longest * epsilon), -1);
}

Array lstsq(const Array& a, const Array& b) {
  if (a.rank() != 2) {
    throw LinAlgError(std::to_string(a.rank()) +
                      "-dimensional array given. Array must be two-dimensional");
  }
  if (b.rank() == 0 || b.shape()[0] != a.shape()[0]) throw LinAlgError("Incompatible dimensions");
  const auto longest = static_cast<double>(std::max(a.shape(-1), a.shape(-2)));
  return matmul(pinv(a, longest * std::numeric_limits<double>::epsilon()), b);
}

Array trace(const Array& x) { return sum(diagonal(x), -1); }

// ---- Norms and statistics -----------------------------------------------------------------------

namespace {

Array vector_norm(const Array& x, std::optional<double> order, const Axes& axes, bool keepdims) {
  const Array values = is_float(x.dtype()) ? x : as(x, Dtype::kFloat64);
  if (!order || *order == 2) return sqrt(sum(square(values), axes, keepdims));
  const Array sizes = abs(values);
  if (std::isinf(*order)) {
    return *order > 0 ? max(sizes, axes, keepdims) : min(sizes, axes, keepdims);
  }
  if (*order == 0) return as(sum(values != Array(0.0), axes, keepdims), values.dtype());
  if (*order == 1) return sum(sizes, axes, keepdims);
  if (*order == kNuclear) throw ValueError("Invalid norm order 'nuc' for vectors");
  if (*order == kFrobenius) throw ValueError("Invalid norm order 'fro' for vectors");
  return power(sum(power(sizes, Array(*order)), axes, keepdims), Array(1 / *order));
}

/// The last two axes are those of the matrices.
Array matrix_norm(const Array& x, double order) {
  const double size = std::abs(order);
  if (size == 1 || std::isinf(order)) {
    const Array lines = sum(abs(x), std::isinf(order) ? -1 : -2);
    return order > 0 ? max(lines, -1) : min(lines, -1);
  }
  if (size == 2) return order > 0 ? max(singular_values(x), -1) : min(singular_values(x), -1);
  if (order == kNuclear) return sum(singular_values(x), -1);
  throw ValueError("Invalid norm order for matrices.");
}

}  // namespace

Array norm(const Array& x, std::optional<double> order, const Axes& axes, bool keepdims) {
  if (!order) {
    if (!axes.all() && axes.axes().rank() > 2) {
      throw ValueError("Improper number of dimensions to norm.");
    }
    return vector_norm(x, order, axes, keepdims);
  }
  const int over = axes.all() ? x.rank() : axes.axes().rank();
  if (over == 1) return vector_norm(x, order, axes, keepdims);
  if (over == 2 && *order == kFrobenius) return norm(x, {}, axes, keepdims);
  if (over != 2) throw ValueError("Improper number of dimensions to norm.");
  const auto gone = chosen(axes, x.rank());
  const int first = axes.all() ? 0 : normal_axis(axes.axes()[0], x.rank());
  const int second = axes.all() ? 1 : normal_axis(axes.axes()[1], x.rank());
  Shape turned, kept;
  for (int axis = 0; axis < x.rank(); ++axis) {
    const bool reduced = gone[static_cast<std::size_t>(axis)];
    if (!reduced) turned.push_back(axis);
    kept.push_back(reduced ? 1 : x.shape()[axis]);
  }
  turned.push_back(first);
  turned.push_back(second);
  const Array out = matrix_norm(transpose(x, turned), *order);
  return keepdims ? out.reshape(kept) : out;
}

Array cov(const Array& x, const std::optional<Array>& y, double ddof) {
  const auto rows_of = [](const Array& given) {
    if (given.rank() > 2) throw ValueError("m has more than 2 dimensions");
    const Array values = as(given, Dtype::kFloat64);
    return given.rank() == 2 ? values : values.reshape({1, -1});
  };
  Array rows = rows_of(x);
  if (y) rows = concatenate({rows, rows_of(*y)}, 0);
  const Array away = rows - mean(rows, 1, true);
  const double freedom = static_cast<double>(rows.shape()[1]) - ddof;
  const Array sums = matmul(away, transpose(away));
  const Array out = sums * Array(1 / std::max(freedom, 0.0));
  return squeeze(out);
}

Array corrcoef(const Array& x, const std::optional<Array>& y) {
  const Array c = cov(x, y);
  if (c.rank() == 0) return c / c;
  const Array deviations = sqrt(diagonal(c));
  const Array out = c / expand_dims(deviations, 1) / expand_dims(deviations, 0);
  return clip(out, Array(-1.0), Array(1.0));
}

}  // namespace attn::array
