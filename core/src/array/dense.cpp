#include "dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn::array {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// The limit of sweeps; Jacobi's method needs about ten.
constexpr int kMaxSweeps = 60;

double inner(const double* x, const double* y, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/// y -= factor x
void subtract(double* y, const double* x, double factor, Index n) {
  for (Index i = 0; i < n; ++i) y[i] -= factor * x[i];
}

/// (x, y) becomes (c x - s y, s x + c y).
void rotate(double* x, double* y, double c, double s, Index n) {
  for (Index i = 0; i < n; ++i) {
    const double left = x[i], right = y[i];
    x[i] = c * left - s * right;
    y[i] = s * left + c * right;
  }
}

/// Cosine and sine of the rotation that makes the off-diagonal entry of [[a, c], [c, b]] vanish.
std::pair<double, double> jacobi_rotation(double a, double b, double c) {
  const double zeta = (b - a) / (2 * c);
  const double tangent = std::copysign(1 / (std::abs(zeta) + std::hypot(1, zeta)), zeta);
  const double cosine = 1 / std::hypot(1, tangent);
  return {cosine, cosine * tangent};
}

/// Fills the rows from `known` on with vectors that make all rows orthonormal.
void complete(Dense& rows, Index known) {
  const Index n = rows.cols();
  for (Index i = known, next = 0; i < rows.rows(); ++next) {
    double* const row = rows.row(i);
    std::fill_n(row, n, 0.0);
    row[next % n] = 1;
    // Two passes are enough for orthogonality to the last digit.
    for (int pass = 0; pass < 2; ++pass) {
      for (Index k = 0; k < i; ++k) subtract(row, rows.row(k), inner(row, rows.row(k), n), n);
    }
    const double length = std::sqrt(inner(row, row, n));
    if (length < 0.5 / std::sqrt(static_cast<double>(n))) continue;
    for (Index j = 0; j < n; ++j) row[j] /= length;
    ++i;
  }
}

}  // namespace

Dense Dense::identity(Index rows, Index cols) {
  Dense made(rows, cols);
  for (Index i = 0; i < std::min(rows, cols); ++i) made(i, i) = 1;
  return made;
}

Dense Dense::transposed() const {
  Dense turned(cols_, rows_);
  for (Index i = 0; i < rows_; ++i) {
    for (Index j = 0; j < cols_; ++j) turned(j, i) = (*this)(i, j);
  }
  return turned;
}

void Dense::copy_to(double* to) const { std::copy(data_.begin(), data_.end(), to); }

Lu::Lu(const Dense& matrix, bool may_be_singular)
    : lu_(matrix), order_(static_cast<std::size_t>(matrix.rows())) {
  const Index n = matrix.rows();
  std::iota(order_.begin(), order_.end(), 0);
  for (Index k = 0; k < n; ++k) {
    Index best = k;
    for (Index i = k + 1; i < n; ++i) {
      if (std::abs(lu_(i, k)) > std::abs(lu_(best, k))) best = i;
    }
    if (best != k) {
      std::swap_ranges(lu_.row(k), lu_.row(k) + n, lu_.row(best));
      std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(best)]);
      sign_ = -sign_;
    }
    if (lu_(k, k) == 0) {
      if (!may_be_singular) throw LinAlgError("Singular matrix");
      continue;
    }
    for (Index i = k + 1; i < n; ++i) {
      const double factor = lu_(i, k) /= lu_(k, k);
      subtract(lu_.row(i) + k + 1, lu_.row(k) + k + 1, factor, n - k - 1);
    }
  }
}

Dense Lu::solve(const Dense& b) const {
  const Index n = lu_.rows(), cols = b.cols();
  Dense x(n, cols);
  for (Index i = 0; i < n; ++i) {
    std::copy_n(b.row(order_[static_cast<std::size_t>(i)]), cols, x.row(i));
    for (Index k = 0; k < i; ++k) subtract(x.row(i), x.row(k), lu_(i, k), cols);
  }
  for (Index i = n - 1; i >= 0; --i) {
    for (Index k = i + 1; k < n; ++k) subtract(x.row(i), x.row(k), lu_(i, k), cols);
    for (Index j = 0; j < cols; ++j) x(i, j) /= lu_(i, i);
  }
  return x;
}

std::pair<Dense, Dense> householder_qr(const Dense& matrix, Index k) {
  // The columns of the matrix are the rows of its transpose, which lie together in memory.
  Dense a = matrix.transposed();
  const Index m = matrix.rows(), n = matrix.cols();
  std::vector<std::vector<double>> reflections;
  const auto reflect = [m](const std::vector<double>& v, double* column, Index from) {
    if (v.empty()) return;
    const double factor = 2 * inner(v.data(), column + from, m - from);
    subtract(column + from, v.data(), factor, m - from);
  };
  for (Index j = 0; j < k; ++j) {
    double* const column = a.row(j) + j;
    const double tail = inner(column + 1, column + 1, m - j - 1);
    reflections.emplace_back();
    // LAPACK leaves a column unchanged that has nothing below its diagonal.
    if (tail == 0) continue;
    std::vector<double>& v = reflections.back();
    v.assign(column, column + (m - j));
    v[0] += std::copysign(std::sqrt(column[0] * column[0] + tail), column[0]);
    const double length = std::sqrt(inner(v.data(), v.data(), m - j));
    for (double& entry : v) entry /= length;
    for (Index later = j; later < n; ++later) reflect(v, a.row(later), j);
  }
  Dense q = Dense::identity(k, m), r(k, n);
  for (Index j = k - 1; j >= 0; --j) {
    for (Index i = 0; i < k; ++i) reflect(reflections[static_cast<std::size_t>(j)], q.row(i), j);
  }
  for (Index i = 0; i < k; ++i) {
    for (Index j = i; j < n; ++j) r(i, j) = a(j, i);
  }
  return {q.transposed(), r};
}

Dense cholesky_factor(const Dense& matrix) {
  const Index n = matrix.rows();
  Dense l(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const double rest = matrix(i, j) - inner(l.row(i), l.row(j), j);
      if (i > j) {
        l(i, j) = rest / l(j, j);
      } else if (rest > 0) {
        l(i, i) = std::sqrt(rest);
      } else {
        throw LinAlgError("Matrix is not positive definite");
      }
    }
  }
  return l;
}

Eigenpairs eigenpairs(const Dense& matrix) {
  const Index n = matrix.rows();
  Dense a = matrix, vectors = Dense::identity(n, n);
  double scale = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) a(j, i) = a(i, j);
    for (Index j = 0; j <= i; ++j) scale = std::max(scale, std::abs(a(i, j)));
  }
  bool turned = true;
  for (int sweep = 0; turned && sweep < kMaxSweeps; ++sweep) {
    turned = false;
    for (Index p = 0; p < n; ++p) {
      for (Index q = p + 1; q < n; ++q) {
        const double off = a(p, q);
        if (std::abs(off) <= kEpsilon * kEpsilon * scale) continue;
        turned = turned || std::abs(off) > kEpsilon * scale / 8;
        const auto [c, s] = jacobi_rotation(a(p, p), a(q, q), off);
        rotate(a.row(p), a.row(q), c, s, n);
        for (Index i = 0; i < n; ++i) {
          const double left = a(i, p), right = a(i, q);
          a(i, p) = c * left - s * right;
          a(i, q) = s * left + c * right;
        }
        rotate(vectors.row(p), vectors.row(q), c, s, n);
      }
    }
  }
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return a(i, i) < a(j, j); });
  Eigenpairs pairs{{}, Dense(n, n)};
  for (Index j = 0; j < n; ++j) {
    const Index from = order[static_cast<std::size_t>(j)];
    pairs.values.push_back(a(from, from));
    for (Index i = 0; i < n; ++i) pairs.vectors(i, j) = vectors(from, i);
  }
  return pairs;
}

SingularParts singular_parts(const Dense& matrix, Index u_cols, Index v_rows) {
  const Index m = matrix.rows(), n = matrix.cols();
  if (m < n) {
    SingularParts turned = singular_parts(matrix.transposed(), v_rows, u_cols);
    return {turned.vh.transposed(), turned.s, turned.u.transposed()};
  }
  // Rotations make the columns orthogonal; the same rotations of the identity give V.
  Dense columns = matrix.transposed(), v = Dense::identity(n, n);
  bool turned = true;
  for (int sweep = 0; turned && sweep < kMaxSweeps; ++sweep) {
    turned = false;
    for (Index p = 0; p < n; ++p) {
      for (Index q = p + 1; q < n; ++q) {
        double *const x = columns.row(p), *const y = columns.row(q);
        const double xx = inner(x, x, m), yy = inner(y, y, m), xy = inner(x, y, m);
        if (std::abs(xy) <= kEpsilon * std::sqrt(xx) * std::sqrt(yy) || xy == 0) continue;
        turned = true;
        const auto [c, s] = jacobi_rotation(xx, yy, xy);
        rotate(x, y, c, s, m);
        rotate(v.row(p), v.row(q), c, s, n);
      }
    }
  }
  std::vector<double> lengths;
  for (Index i = 0; i < n; ++i)
    lengths.push_back(std::sqrt(inner(columns.row(i), columns.row(i), m)));
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) {
    return lengths[static_cast<std::size_t>(i)] > lengths[static_cast<std::size_t>(j)];
  });
  SingularParts parts{Dense(u_cols, m), {}, Dense(v_rows, n)};
  Index known = 0;
  for (Index i = 0; i < n; ++i) {
    const Index from = order[static_cast<std::size_t>(i)];
    const double length = lengths[static_cast<std::size_t>(from)];
    parts.s.push_back(length);
    std::copy_n(v.row(from), n, parts.vh.row(i));
    // A column of negligible length has no direction, so one is chosen below.
    if (length <= kEpsilon * parts.s.front() * static_cast<double>(m)) continue;
    for (Index j = 0; j < m; ++j) parts.u(i, j) = columns(from, j) / length;
    ++known;
  }
  complete(parts.u, known);
  parts.u = parts.u.transposed();
  return parts;
}

}  // namespace attn::array
