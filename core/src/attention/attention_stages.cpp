#include "attn/attention/attention_stages.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "attn/attention/softmax.hpp"
#include "attn/base/errors.hpp"

namespace attn {
namespace {

enum class Stage { kScale, kMask, kSoftmax };

std::array<Stage, 3> stages_of(StageOrder order) {
  using enum Stage;
  switch (order) {
    case StageOrder::kScaleMaskSoftmax:
      return {kScale, kMask, kSoftmax};
    case StageOrder::kMaskScaleSoftmax:
      return {kMask, kScale, kSoftmax};
    case StageOrder::kScaleSoftmaxMask:
      return {kScale, kSoftmax, kMask};
    case StageOrder::kMaskSoftmaxScale:
      return {kMask, kSoftmax, kScale};
    case StageOrder::kSoftmaxScaleMask:
      return {kSoftmax, kScale, kMask};
    case StageOrder::kSoftmaxMaskScale:
      return {kSoftmax, kMask, kScale};
  }
  return {};
}

bool blocks(StageMask mask, Index i, Index j) {
  switch (mask) {
    case StageMask::kCausal:
      return j > i;
    case StageMask::kReverse:
      return j < i;
    case StageMask::kEarlier:
      return j >= i;
    case StageMask::kInverted:
      return j <= i;
    case StageMask::kNone:
      return false;
  }
  return false;
}

template <typename T>
T fill_of(StageFill fill) {
  switch (fill) {
    case StageFill::kMinusInfinity:
      return -std::numeric_limits<T>::infinity();
    case StageFill::kMinusBillion:
      return T(-1e9);
    case StageFill::kZero:
      return T(0);
  }
  return T(0);
}

double factor_of(StageScale scale, Index d_k) {
  switch (scale) {
    case StageScale::kSqrt:
      return 1 / std::sqrt(static_cast<double>(d_k));
    case StageScale::kWidth:
      return 1 / static_cast<double>(d_k);
    case StageScale::kNone:
      return 1;
  }
  return 1;
}

/// exp(x) / Σ exp(x), in T and as it is written: 0/0 and ∞/∞ are NaN.
template <typename T>
void softmax_row(Eigen::Ref<Matrix<T>> row, bool subtract_maximum) {
  T largest = row(0, 0);
  for (Index j = 1; j < row.cols(); ++j) largest = std::max(largest, row(0, j));
  const T less = subtract_maximum ? largest : T(0);
  T sum = 0;
  for (Index j = 0; j < row.cols(); ++j) {
    row(0, j) = std::exp(row(0, j) - less);
    sum += row(0, j);
  }
  for (Index j = 0; j < row.cols(); ++j) row(0, j) /= sum;
}

template <typename T>
Matrix<T> softmax(Matrix<T> x, StageSoftmax axis, bool subtract_maximum) {
  if (axis == StageSoftmax::kNone) return x;
  if (axis == StageSoftmax::kColumns) x.transposeInPlace();
  for (Index i = 0; i < x.rows(); ++i) softmax_row<T>(x.row(i), subtract_maximum);
  if (axis == StageSoftmax::kColumns) x.transposeInPlace();
  return x;
}

template <typename T>
Matrix<T> after(Stage stage, const Matrix<T>& x, Index d_k, const Matrix<T>& blocked,
                const StageOptions& options) {
  switch (stage) {
    case Stage::kScale:
      return x * static_cast<T>(factor_of(options.scale, d_k));
    case Stage::kMask:
      return (blocked.array() != T(0)).select(fill_of<T>(options.fill), x);
    case Stage::kSoftmax:
      return softmax<T>(x, options.softmax, options.subtract_maximum);
  }
  return x;
}

/// Σ w·v in the order of the keys. Eigen's products skip no NaN either, but their order of sums is
/// not stated.
template <typename T>
void multiply(In<T> V, StageResult<T>& result) {
  const Matrix<T>& weights = result.third;
  const Index n = weights.rows(), d_v = V.cols();
  result.output.resize(n, d_v);
  result.products.resize(n * d_v, n);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < d_v; ++c) {
      T sum = 0;
      for (Index j = 0; j < n; ++j) {
        const T product = weights(i, j) * V(j, c);
        result.products(i * d_v + c, j) = product;
        sum += product;
      }
      result.output(i, c) = sum;
    }
  }
}

template <typename T>
std::vector<double> sums_of_rows(const Matrix<T>& x) {
  std::vector<double> sums;
  for (Index i = 0; i < x.rows(); ++i) sums.push_back(x.row(i).template cast<double>().sum());
  return sums;
}

/// What the weights of the finite rows come to, row by row.
template <typename T>
void measure(StageResult<T>& result) {
  const Matrix<T>& weights = result.third;
  const Index n = weights.rows();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  double all = 0, future = 0, blocked = 0, max = 0, effective = 0;
  Index finite_rows = 0;
  bool distributions = true;
  result.row_sums = sums_of_rows(weights);
  result.first_sums = sums_of_rows(result.first);
  result.second_sums = sums_of_rows(result.second);
  result.smallest_sum = std::numeric_limits<double>::infinity();
  result.largest_sum = -std::numeric_limits<double>::infinity();
  for (Index i = 0; i < n; ++i) {
    const auto row = weights.row(i).template cast<double>();
    if (row.hasNaN()) {
      if (result.nan_rows++ == 0) result.first_nan_row = i;
      continue;
    }
    if (!row.allFinite()) {
      if (result.infinite_rows++ == 0) result.first_infinite_row = i;
      continue;
    }
    ++finite_rows;
    const auto negative = (row.array() < 0).count();
    result.negative_weights += negative;
    const double sum = result.row_sums[static_cast<std::size_t>(i)];
    result.smallest_sum = std::min(result.smallest_sum, sum);
    result.largest_sum = std::max(result.largest_sum, sum);
    if (result.worst_row < 0 || std::abs(sum - 1) > std::abs(result.worst_sum - 1)) {
      result.worst_row = i;
      result.worst_sum = sum;
    }
    if (std::abs(sum - 1) > 1e-4) {
      ++result.rows_off;
      distributions = false;
    }
    all += sum;
    future += row.tail(n - i - 1).sum();
    for (Index j = 0; j < n; ++j) {
      if (result.blocked(i, j) != T(0)) blocked += row(j);
    }
    max += row.maxCoeff();
    if (distributions && negative == 0) {
      effective += std::exp(static_cast<double>(entropy<T>(weights.row(i).transpose())));
    }
  }
  const bool shares = finite_rows > 0 && result.negative_weights == 0 && all > 0;
  result.future_share = shares ? future / all : nan;
  result.blocked_share = shares ? blocked / all : nan;
  const bool rows = finite_rows > 0 && distributions && result.negative_weights == 0;
  result.mean_max = rows ? max / static_cast<double>(finite_rows) : nan;
  result.effective_keys = rows ? effective / static_cast<double>(finite_rows) : nan;
  if (finite_rows == 0) {
    result.smallest_sum = result.largest_sum = result.worst_sum = nan;
  }
}

/// The relative distance to attention as it was meant.
template <typename T>
double error_of(const Matrix<T>& output, In<T> Q, In<T> K, In<T> V, StageMask mask) {
  if (!output.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  const StageMask meant = mask == StageMask::kInverted ? StageMask::kCausal : mask;
  const Index n = Q.rows();
  Matrix<T> keep(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) keep(i, j) = blocks(meant, i, j) ? T(0) : T(1);
  }
  AttentionOptions<T> options;
  options.mask = Mask::from_matrix<T>(keep);
  const Matrix<double> right = attention<T>(Q, K, V, options).output.template cast<double>();
  const double size = right.norm();
  if (size == 0) return std::numeric_limits<double>::quiet_NaN();
  return (output.template cast<double>() - right).norm() / size;
}

}  // namespace

template <typename T>
StageResult<T> attention_stages(In<T> Q, In<T> K, In<T> V, const StageOptions& options) {
  require_qkv<T>(Q, K, V);
  const Index n = Q.rows(), d_k = Q.cols();
  if (K.rows() != n) {
    throw ShapeError("K", phrase::shape(K.rows(), K.cols()),
                     phrase::shape_because(n, K.cols(), phrase::key_each_query));
  }
  if (n > kMaxStageTokens) {
    throw CapacityError("Q", phrase::shape(n, d_k), phrase::at_most_rows(kMaxStageTokens));
  }
  if (!std::isfinite(options.query_factor)) {
    throw ValueError("query_factor", phrase::number(options.query_factor), phrase::finite_number);
  }
  StageResult<T> result;
  result.blocked.resize(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) result.blocked(i, j) = blocks(options.mask, i, j) ? T(1) : T(0);
  }
  if (!std::isfinite(options.score_shift)) {
    throw ValueError("score_shift", phrase::number(options.score_shift), phrase::finite_number);
  }
  const Matrix<T> queries = Q * static_cast<T>(options.query_factor);
  result.scores.resize(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      T sum = 0;
      for (Index c = 0; c < d_k; ++c) sum += queries(i, c) * K(j, c);
      result.scores(i, j) = sum + static_cast<T>(options.score_shift);
    }
  }
  require_finite_scores<T>(result.scores);
  const auto order = stages_of(options.order);
  result.first = after<T>(order[0], result.scores, d_k, result.blocked, options);
  result.second = after<T>(order[1], result.first, d_k, result.blocked, options);
  result.third = after<T>(order[2], result.second, d_k, result.blocked, options);
  multiply<T>(V, result);
  measure<T>(result);
  result.output_error = error_of<T>(result.output, queries, K, V, options.mask);
  return result;
}

template StageResult<float> attention_stages<float>(In<float>, In<float>, In<float>,
                                                    const StageOptions&);
template StageResult<double> attention_stages<double>(In<double>, In<double>, In<double>,
                                                      const StageOptions&);

}  // namespace attn
