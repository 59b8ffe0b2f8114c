#include "attn/analysis/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/shared.hpp"
#include "attn/base/errors.hpp"
#include "base/product.hpp"
#include "simd/fused.hpp"

namespace attn {
namespace {

/// The rank of `value`: one plus the number of larger entries among the visible keys.
template <typename Row>
Index rank_of(double value, const Row& row, const Mask::Keys& keys) {
  Index rank = 1;
  keys.for_each([&](Index j) { rank += static_cast<double>(row(j)) > value ? 1 : 0; });
  return rank;
}

}  // namespace

template <typename T>
SoftmaxComparison<T>::SoftmaxComparison(In<T> Q, In<T> K, In<T> V, FeatureMap<T> map,
                                        CompareOptions options)
    : Q_(Q), K_(K), V_(V), map_(std::move(map)), options_(std::move(options)) {
  require_qkv<T>(Q_, K_, V_);
  const Index n = Q_.rows(), m = K_.rows();
  options_.mask.require_fits(n, m);
  require_epsilon<T>(options_.epsilon);
  result_.scale = attention_scale(options_.scale, Q_.cols());
  result_.feature_dimension = map_.dimension();
  const Position position{0, std::max(n, m)};
  phi_k_ = attn::key_features<T>(K_, map_, options_.mask, position);
  phi_q_ = map_.apply(Q_, Role::kQuery, position);
  for (Matrix<T>* picture : {&result_.softmax, &result_.implicit, &result_.difference}) {
    picture->resize(n, m);
  }
  result_.softmax_output.resize(n, V_.cols());
  result_.implicit_output.resize(n, V_.cols());
  result_.denominators.resize(n);
  Index filled_rows = 0;
  for (Index i = 0; i < n; ++i) {
    const Index visible = options_.mask.count(i, n, m);
    result_.kept_cells += visible;
    if (visible > 0) ++filled_rows;
    if (visible > 1) result_.mse_bound += 2;
  }
  // The mean is taken so because every row that sees a key sums to 1.
  mean_weight_ = static_cast<double>(filled_rows) / static_cast<double>(result_.kept_cells);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  result_.softmax_min = result_.implicit_min = kInfinity;
  result_.softmax_max = result_.implicit_max = -kInfinity;
}

template <typename T>
bool SoftmaxComparison<T>::step(Index rows) {
  const Index n = Q_.rows();
  const Index size = std::min(std::max<Index>(rows, 1), n - done_);
  if (size == 0) return true;
  auto P = result_.softmax.middleRows(done_, size);
  auto A = result_.implicit.middleRows(done_, size);

  internal::product_nt<T>(static_cast<T>(result_.scale) * Q_.middleRows(done_, size), K_, P);
  require_finite_scores<T>(P);
  internal::softmax_rows<T>(P, options_.mask, done_, n, nullptr);
  const auto phi_q = phi_q_.middleRows(done_, size);
  internal::product_nt<T>(phi_q, phi_k_, A);
  T* const sums = result_.denominators.data() + done_;
  normalize_rows<T>(A, phi_q, options_.mask, done_, n, options_.epsilon, options_.denominator,
                    sums);

  result_.difference.middleRows(done_, size) = A - P;
  internal::product_nn<T>(P, V_, result_.softmax_output.middleRows(done_, size));
  internal::product_nn<T>(A, V_, result_.implicit_output.middleRows(done_, size));
  for (Index r = 0; r < size; ++r) {
    const Index i = done_ + r;
    if (options_.mask.count(i, n, K_.rows()) > 0 && !(sums[r] > 0)) {
      ++result_.non_positive_denominators;
    }
    compare_row(i);
  }
  done_ += size;
  if (done_ < n) return false;
  finish();
  return true;
}

template <typename T>
double SoftmaxComparison<T>::progress() const {
  return static_cast<double>(done_) / static_cast<double>(Q_.rows());
}

template <typename T>
void SoftmaxComparison<T>::compare_row(Index i) {
  const Index n = Q_.rows(), m = K_.rows();
  const Index visible = options_.mask.count(i, n, m);
  const double uniform = visible > 0 ? 1.0 / static_cast<double>(visible) : 0;
  options_.mask.keys(i, n, m).for_each([&](Index j) {
    const double p = static_cast<double>(result_.softmax(i, j));
    const double a = static_cast<double>(result_.implicit(i, j));
    const double difference = static_cast<double>(result_.difference(i, j));
    if (!std::isfinite(a)) {
      ++result_.non_finite_weights;
    } else {
      if (a < 0) ++result_.negative_weights;
      result_.implicit_min = std::min(result_.implicit_min, a);
      result_.implicit_max = std::max(result_.implicit_max, a);
    }
    result_.softmax_min = std::min(result_.softmax_min, p);
    result_.softmax_max = std::max(result_.softmax_max, p);
    if (std::abs(difference) > result_.max_difference) {
      result_.max_difference = std::abs(difference);
      result_.max_difference_row = i;
      result_.max_difference_col = j;
    }
    squared_error_ += difference * difference;
    squared_uniform_ += (uniform - p) * (uniform - p);
    const double dp = p - mean_weight_, da = a - mean_weight_;
    sum_p_ += dp;
    sum_a_ += da;
    sum_pp_ += dp * dp;
    sum_aa_ += da * da;
    sum_pa_ += dp * da;
  });
  for (Index k = 0; k < V_.cols(); ++k) {
    // The sums are in double, because squares of large or tiny float32 values overflow or
    // underflow.
    const double softmax = static_cast<double>(result_.softmax_output(i, k));
    const double gap = static_cast<double>(result_.implicit_output(i, k)) - softmax;
    output_squared_ += softmax * softmax;
    output_squared_error_ += gap * gap;
  }
}

template <typename T>
void SoftmaxComparison<T>::finish() {
  using internal::kNaN;
  const double count = static_cast<double>(result_.kept_cells);
  if (result_.kept_cells == 0) {
    result_.softmax_min = result_.softmax_max = result_.implicit_min = result_.implicit_max = 0;
    result_.mse = result_.correlation = result_.output_error = result_.uniform_mse = kNaN;
    result_.mse_bound = kNaN;
    return;
  }
  result_.mse = squared_error_ / count;
  result_.uniform_mse = squared_uniform_ / count;
  result_.mse_bound /= count;
  const double variance_p = sum_pp_ - sum_p_ * sum_p_ / count;
  const double variance_a = sum_aa_ - sum_a_ * sum_a_ / count;
  const double covariance = sum_pa_ - sum_p_ * sum_a_ / count;
  // The variance of a constant matrix is rounding noise, so its correlation would be noise divided
  // by noise.
  const double noise = static_cast<double>(std::numeric_limits<T>::epsilon()) * mean_weight_;
  const double floor = noise * noise;
  result_.correlation = variance_p > floor * count && variance_a > floor * count
                            ? covariance / std::sqrt(variance_p * variance_a)
                            : kNaN;
  result_.output_error = std::sqrt(output_squared_error_ / output_squared_);
  if (result_.non_finite_weights > 0) {
    result_.mse = result_.max_difference = result_.correlation = result_.output_error = kNaN;
    if (result_.implicit_min > result_.implicit_max)
      result_.implicit_min = result_.implicit_max = 0;
  }
}

template <typename T>
ComparisonResult<T> compare_to_softmax(In<T> Q, In<T> K, In<T> V,
                                       const FeatureMap<std::type_identity_t<T>>& map,
                                       const CompareOptions& options) {
  SoftmaxComparison<T> work(Q, K, V, map, options);
  work.step(Q.rows());
  return work.result();
}

template <typename T>
CellExplanation explain_cell(In<T> Q, In<T> K, const FeatureMap<std::type_identity_t<T>>& map,
                             const CompareOptions& options, Index query, Index key) {
  require_qkv<T>(Q, K, K);
  const Index n = Q.rows(), m = K.rows();
  options.mask.require_fits(n, m);
  require_epsilon<T>(options.epsilon);
  const auto require_inside = [](std::string_view name, Index at, Index size) {
    if (at >= 0 && at < size) return;
    throw ValueError(name, phrase::number(at), phrase::range(0, size - 1));
  };
  require_inside("query", query, n);
  require_inside("key", key, m);
  const Mask::Keys keys = options.mask.keys(query, n, m);

  CellExplanation cell;
  cell.query = query;
  cell.key = key;
  cell.masked = !keys.contains(key);
  cell.visible_keys = options.mask.count(query, n, m);
  cell.scale = attention_scale(options.scale, Q.cols());

  const Matrix<T> dots = internal::product_nt<T>(Q.middleRows(query, 1), K);
  Matrix<T> weights = static_cast<T>(cell.scale) * dots;
  require_finite_scores<T>(weights);
  cell.dot = static_cast<double>(dots(0, key));
  cell.logit = static_cast<double>(weights(0, key));
  cell.row_max = -std::numeric_limits<double>::infinity();
  keys.for_each(
      [&](Index j) { cell.row_max = std::max(cell.row_max, static_cast<double>(weights(0, j))); });
  T log_sum_exp = 0;
  internal::softmax_rows<T>(weights, options.mask, query, n, &log_sum_exp);
  cell.log_sum_exp = static_cast<double>(log_sum_exp);
  cell.softmax_weight = static_cast<double>(weights(0, key));
  cell.softmax_rank = rank_of(cell.softmax_weight, weights.row(0), keys);

  const Index length = std::max(n, m);
  const Matrix<T> phi_q = map.apply(Q.middleRows(query, 1), Role::kQuery, {query, length});
  Matrix<T> implicit =
      internal::product_nt<T>(phi_q, key_features<T>(K, map, options.mask, {0, length}));
  cell.feature_dot = static_cast<double>(implicit(0, key));
  Vector<T> sum(1);
  normalize_rows<T>(implicit, phi_q, options.mask, query, n, options.epsilon, options.denominator,
                    sum.data());
  finish_denominators<T>(phi_q, options.epsilon, options.denominator, sum);
  cell.denominator = static_cast<double>(sum(0));
  cell.implicit_weight = static_cast<double>(implicit(0, key));
  cell.implicit_rank = rank_of(cell.implicit_weight, implicit.row(0), keys);
  cell.difference = cell.implicit_weight - cell.softmax_weight;
  return cell;
}

#define ATTN_INSTANTIATE(T)                                                                     \
  template class SoftmaxComparison<T>;                                                          \
  template ComparisonResult<T> compare_to_softmax<T>(In<T>, In<T>, In<T>, const FeatureMap<T>&, \
                                                     const CompareOptions&);                    \
  template CellExplanation explain_cell<T>(In<T>, In<T>, const FeatureMap<T>&,                  \
                                           const CompareOptions&, Index, Index);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
