#include "kernels/dense.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "attn/analysis/phrases.hpp"
#include "attn/base/errors.hpp"
#include "attn/kernels/learning_phrases.hpp"
#include "base/product.hpp"

namespace attn::internal {

template <typename T>
void require_gram(std::string_view name, In<T> K) {
  const Index n = K.rows();
  if (n < 1 || K.cols() != n) {
    throw ShapeError(name, phrase::shape(n, K.cols()), phrase::square);
  }
  require_finite<T>(name, K);
  T unit = 0, skew = 0;
  // In blocks, because a column of a row-major matrix is far apart in memory.
  constexpr Index kBlock = 32;
  for (Index i = 0; i < n; i += kBlock) {
    const Index rows = std::min(kBlock, n - i);
    for (Index j = 0; j <= i; j += kBlock) {
      const Index cols = std::min(kBlock, n - j);
      const auto here = K.block(i, j, rows, cols);
      unit = std::max(unit, here.cwiseAbs().maxCoeff());
      skew = std::max(skew, (here - K.block(j, i, cols, rows).transpose()).cwiseAbs().maxCoeff());
    }
  }
  if (!(skew <= T(1e-4) * unit)) {
    throw ValueError(name, phrase::asymmetry(static_cast<double>(skew)), phrase::symmetric);
  }
}

template <typename T>
void require_targets(std::string_view name, InVector<T> y, Index n) {
  if (y.size() != n) {
    throw ShapeError(name, phrase::numbers_seen(y.size()),
                     phrase::count_because(n, Wording(phrase::number_each_point)));
  }
  for (Index i = 0; i < n; ++i) {
    if (std::isfinite(y(i))) continue;
    throw ValueError(name, phrase::at_entry(static_cast<double>(y(i)), i), phrase::finite_numbers);
  }
}

template <typename T>
void require_labels(std::string_view name, InVector<T> y, Index n) {
  require_targets<T>(name, y, n);
  for (Index i = 0; i < n; ++i) {
    if (y(i) == T(1) || y(i) == T(-1)) continue;
    throw ValueError(name, phrase::at_entry(static_cast<double>(y(i)), i), phrase::signed_labels);
  }
}

void require_positive(std::string_view name, double x) {
  if (x > 0 && std::isfinite(x)) return;
  throw ValueError(name, phrase::number(x), phrase::finite_number_above(0));
}

double rounding_of_gram(const Eigen::MatrixXd& K, double epsilon) {
  return 8 * static_cast<double>(K.rows()) * epsilon * K.cwiseAbs().maxCoeff();
}

namespace {

/// L of K + shift·I in the lower half of K, whose upper half stays; false where there is none.
bool factor_in_place(Eigen::MatrixXd& K, double shift) {
  K.diagonal().array() += shift;
  Eigen::Ref<Eigen::MatrixXd> in_place(K);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> made(in_place);
  // Without information a matrix with entries that overflow passes as well.
  return made.info() == Eigen::Success && K.diagonal().allFinite();
}

/// 1, 2 and 5 times the powers of ten: number 0 is 1.
double round_number(int number) {
  constexpr std::array<double, 3> kDigits{1, 2, 5};
  const int decade = number >= 0 ? number / 3 : (number - 2) / 3;
  const double digit = kDigits[static_cast<std::size_t>(number - 3 * decade)];
  // As it is read when it is typed: 2e-7 is no product.
  return decade >= 0 ? digit * std::pow(10.0, decade) : digit / std::pow(10.0, -decade);
}

/// The first number of `round_number` that is not below x > 0.
int round_up(double x) {
  int number = 3 * static_cast<int>(std::floor(std::log10(x)));
  while (round_number(number) < x) ++number;
  return number;
}

/// The error of a matrix that the ridge does not make positive definite.
ValueError refusal(const Eigen::MatrixXd& K, const Ridge& ridge, double epsilon) {
  const double rounding = rounding_of_gram(K, epsilon);
  Eigen::MatrixXd factor;
  const auto works = [&](int number) {
    factor = K;
    // A little less, so that the number works as it is printed, too.
    return factor_in_place(factor, ridge.times * round_number(number) * (1 - 1e-6));
  };
  // Twice the largest sum of a row is more than any eigenvalue needs. Far below what rounding does,
  // values need not be told apart.
  const double most = 2 * K.cwiseAbs().rowwise().sum().maxCoeff() / ridge.times;
  int works_at = round_up(std::max(most, ridge.value));
  int fails_at = round_up(std::max(ridge.value, 1e-6 * rounding / ridge.times)) - 1;
  while (works_at - fails_at > 1) {
    const int middle = fails_at + (works_at - fails_at) / 2;
    (works(middle) ? works_at : fails_at) = middle;
  }
  const double least = round_number(works_at);
  if (ridge.times * least <= rounding) {
    return ValueError(
        ridge.argument, phrase::number(ridge.value),
        phrase::least_against_rounding(least, epsilon > 1e-10 ? "float32" : "float64"));
  }
  return ValueError("gram", phrase::not_positive_definite,
                    phrase::gram_of_a_kernel(ridge.times * least));
}

}  // namespace

Cholesky::Cholesky(Eigen::MatrixXd K, const Ridge& ridge, double epsilon) : factor_(std::move(K)) {
  const Vector<double> diagonal = factor_.diagonal();
  if (factor_in_place(factor_, ridge.times * ridge.value)) return;
  factor_.diagonal() = diagonal;
  throw refusal(factor_.selfadjointView<Eigen::Upper>(), ridge, epsilon);
}

void Cholesky::solve(Eigen::Ref<Vector<double>> b) const {
  const auto L = factor_.triangularView<Eigen::Lower>();
  L.solveInPlace(b);
  L.transpose().solveInPlace(b);
}

void Cholesky::solve(Eigen::MatrixXd& B) const {
  const auto L = factor_.triangularView<Eigen::Lower>();
  L.solveInPlace(B);
  L.transpose().solveInPlace(B);
}

void Cholesky::half_solve(Eigen::MatrixXd& B) const {
  factor_.triangularView<Eigen::Lower>().solveInPlace(B);
}

Eigen::MatrixXd Cholesky::inverse() const {
  Eigen::MatrixXd made = Eigen::MatrixXd::Identity(size(), size());
  solve(made);
  return made;
}

double Cholesky::half_log_determinant() const { return factor_.diagonal().array().log().sum(); }

namespace {

constexpr Index kPanel = 64;

/// x·y in double precision, in four sums: one sum would wait for each addition.
template <typename T, typename U>
double dot(const T* x, const U* y, Index count) {
  double sums[4] = {};
  Index i = 0;
  for (; i + 4 <= count; i += 4) {
    for (Index r = 0; r < 4; ++r) {
      sums[r] += static_cast<double>(x[i + r]) * static_cast<double>(y[i + r]);
    }
  }
  for (; i < count; ++i) sums[0] += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// The factor of the block of at most `kPanel` rows from (at, at) on, in place, and its inverse;
/// false where a pivot is not above 0.
bool factor_block(Matrix<float>& A, Index at, Index size, Matrix<float>& inverse) {
  for (Index j = 0; j < size; ++j) {
    const float* const pivot = &A(at + j, at);
    for (Index i = j; i < size; ++i) {
      const float* const row = &A(at + i, at);
      float sum = row[j];
      for (Index k = 0; k < j; ++k) sum -= row[k] * pivot[k];
      if (i > j) {
        A(at + i, at + j) = sum / A(at + j, at + j);
      } else if (sum > 0) {
        A(at + j, at + j) = std::sqrt(sum);
      } else {
        return false;
      }
    }
  }
  inverse = Matrix<float>::Zero(size, size);
  for (Index j = 0; j < size; ++j) {
    inverse(j, j) = 1 / A(at + j, at + j);
    for (Index i = j + 1; i < size; ++i) {
      float sum = 0;
      for (Index k = j; k < i; ++k) sum -= A(at + i, at + k) * inverse(k, j);
      inverse(i, j) = sum / A(at + i, at + i);
    }
  }
  return true;
}

/// L of A = L·Lᵀ in the lower half of A, a panel of columns after the other; false where A is not
/// positive definite in float32.
bool factor_in_panels(Matrix<float>& A) {
  const Index n = A.rows();
  Matrix<float> inverse, panel;
  for (Index at = 0; at < n; at += kPanel) {
    const Index size = std::min(kPanel, n - at), rows = n - at;
    if (at > 0) {
      panel.resize(rows, size);
      product_nt<float>(A.block(at, 0, rows, at), A.block(at, 0, size, at), panel);
      A.block(at, at, rows, size) -= panel;
    }
    if (!factor_block(A, at, size, inverse)) return false;
    const Index below = rows - size;
    if (below == 0) break;
    panel.resize(below, size);
    product_nt<float>(A.block(at + size, at, below, size), inverse, panel);
    A.block(at + size, at, below, size) = panel;
  }
  return true;
}

}  // namespace

template <typename T>
bool refined_solve(In<T> K, double shift, const Vector<double>& y, Vector<double>& alpha) {
  const Index n = K.rows();
  // The half that is read: memory that nobody touches costs nothing.
  Matrix<float> L(n, n);
  for (Index i = 0; i < n; ++i) {
    const Index read = std::min(n, (i / kPanel + 1) * kPanel);
    L.row(i).head(read) = K.row(i).head(read).template cast<float>();
    L(i, i) += static_cast<float>(shift);
  }
  if (!factor_in_panels(L)) return false;
  alpha = Vector<double>::Zero(n);
  Vector<double> residual = y;
  double before = y.norm();
  const double goal = 1e-11 * before;
  for (int round = 0; round < 20 && before > goal; ++round) {
    // Scaled, so that small residuals do not underflow.
    Vector<float> d = (residual / before).cast<float>();
    float* const to = d.data();
    for (Index i = 0; i < n; ++i) {
      const float* const row = L.row(i).data();
      to[i] = (to[i] - L.row(i).head(i).dot(d.head(i))) / row[i];
    }
    for (Index i = n - 1; i >= 0; --i) {
      const float* const row = L.row(i).data();
      const float here = to[i] /= row[i];
      for (Index j = 0; j < i; ++j) to[j] -= here * row[j];
    }
    alpha += before * d.cast<double>();
    for (Index i = 0; i < n; ++i) {
      residual(i) = y(i) - shift * alpha(i) - dot(K.row(i).data(), alpha.data(), n);
    }
    const double now = residual.norm();
    // Each round gains digits as the factor has them; one that gains few will not arrive.
    if (!(now < 0.1 * before)) return now <= goal;
    before = now;
  }
  return before <= goal;
}

Eigen::MatrixXd squared_distances(const Matrix<double>& X, const Matrix<double>& Y) {
  Eigen::MatrixXd made(X.rows(), Y.rows());
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < Y.rows(); ++j) made(i, j) = (X.row(i) - Y.row(j)).squaredNorm();
  }
  return made;
}

double largest_eigenvalue(const Matrix<double>& K) {
  // A start with parts of many eigenvectors: no kernel's is orthogonal to it by symmetry.
  Vector<double> v(K.rows());
  for (Index i = 0; i < v.size(); ++i) v(i) = 1 + 0.3 * std::sin(1.7 * static_cast<double>(i) + 1);
  v.normalize();
  double value = 0;
  for (int iteration = 0; iteration < 200; ++iteration) {
    Vector<double> next = K * v;
    const double norm = next.norm();
    if (!(norm > 0)) return 0;
    v = next / norm;
    if (std::abs(norm - value) <= 1e-5 * norm) return norm;
    value = norm;
  }
  return value;
}

template void require_gram<float>(std::string_view, In<float>);
template void require_gram<double>(std::string_view, In<double>);
template bool refined_solve<float>(In<float>, double, const Vector<double>&, Vector<double>&);
template bool refined_solve<double>(In<double>, double, const Vector<double>&, Vector<double>&);
template void require_targets<float>(std::string_view, InVector<float>, Index);
template void require_targets<double>(std::string_view, InVector<double>, Index);
template void require_labels<float>(std::string_view, InVector<float>, Index);
template void require_labels<double>(std::string_view, InVector<double>, Index);

}  // namespace attn::internal
