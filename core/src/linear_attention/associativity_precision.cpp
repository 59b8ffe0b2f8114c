#include "attn/linear_attention/associativity_precision.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "attn/analysis/gradient_quantiles.hpp"
#include "attn/attention/attention.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/inputs.hpp"
#include "attn/linear_attention/phrases.hpp"
#include "base/product.hpp"

namespace attn {
namespace {

using internal::product_nn;
using internal::product_tn;

/// A·B in float64, row by row, so that the inner loop runs over neighbouring entries. `product.hpp`
/// is optimised for size outside of float32, and this product takes most of the time of a draw.
Matrix<double> product(const Matrix<double>& A, const Matrix<double>& B) {
  Matrix<double> C = Matrix<double>::Zero(A.rows(), B.cols());
  const Index cols = B.cols();
  for (Index i = 0; i < A.rows(); ++i) {
    double* const to = C.data() + i * cols;
    for (Index t = 0; t < A.cols(); ++t) {
      const double a = A(i, t);
      const double* const from = B.data() + t * cols;
      for (Index k = 0; k < cols; ++k) to[k] += a * from[k];
    }
  }
  return C;
}

/// The results (QKᵀ)V and Q(KᵀV).
struct BothOrders {
  Matrix<double> standard, linear;
};

BothOrders both_orders(const Matrix<float>& Q, const Matrix<float>& K, const Matrix<float>& V) {
  return {standard_attention_order<float>(Q, K, V).output.cast<double>(),
          product_nn<float>(Q, product_tn<float>(K, V)).cast<double>()};
}

BothOrders both_orders(const Matrix<double>& Q, const Matrix<double>& K, const Matrix<double>& V) {
  const Matrix<double> k_t = K.transpose();
  return {product(product(Q, k_t), V), product(Q, product(k_t, V))};
}

}  // namespace

AssociativityPrecision::AssociativityPrecision(const AssociativityPrecisionOptions& options)
    : options_(options) {
  const std::pair<const char*, Index> sizes[] = {
      {"n", options.n}, {"d_k", options.d_k}, {"d_v", options.d_v}, {"draws", options.draws}};
  for (const auto& [name, size] : sizes) {
    if (size < 1) throw ValueError(name, phrase::number(size), phrase::at_least(1));
  }
  const std::pair<const char*, double> bounds[] = {{"rtol", options.rtol}, {"atol", options.atol}};
  for (const auto& [name, bound] : bounds) {
    if (!(bound >= 0)) throw ValueError(name, phrase::number(bound), phrase::number_of_at_least(0));
  }
  const double n = static_cast<double>(options.n);
  const double entries = n * static_cast<double>(options.d_v) * static_cast<double>(options.draws);
  const double most = static_cast<double>(kMaxPrecisionEntries);
  if (n * std::max(n, static_cast<double>(options.d_k)) > most) {
    throw CapacityError("n", phrase::number(options.n), phrase::numbers_in_products);
  }
  if (entries > most) {
    throw CapacityError("draws", phrase::number(options.draws), phrase::entries_of_draws);
  }
  result_.draws = options.draws;
  result_.entries = options.n * options.d_v;
  result_.probabilities.assign(std::begin(kPrecisionProbabilities),
                               std::end(kPrecisionProbabilities));
}

template <typename T>
void AssociativityPrecision::look(const Matrix<T>& Q, const Matrix<T>& K, const Matrix<T>& V,
                                  const Matrix<double>& terms, std::uint64_t seed, Samples& samples,
                                  AssociativityErrors& errors) {
  const auto [standard, linear] = both_orders(Q, K, V);
  const Index failed_before = samples.failed;
  const bool keep = done_ == 0 && std::is_same_v<T, float>;
  if (keep) {
    result_.first.difference.resize(standard.rows(), standard.cols());
    result_.first.relative_difference.resize(standard.rows(), standard.cols());
  }
  for (Index i = 0; i < standard.rows(); ++i) {
    for (Index k = 0; k < standard.cols(); ++k) {
      const double a = standard(i, k), b = linear(i, k);
      const double difference = std::abs(a - b);
      const double relative = difference == 0 ? 0 : difference / std::abs(b);
      samples.differences.push_back(difference);
      samples.relative_differences.push_back(relative);
      samples.failed += !(difference <= options_.atol + options_.rtol * std::abs(b));
      errors.max_difference = std::max(errors.max_difference, difference);
      if (relative > errors.max_relative_difference || samples.differences.size() == 1) {
        errors.max_relative_difference = relative;
        errors.worst = {seed, i, k, a, b, terms(i, k), terms(i, k) / std::abs(b)};
      }
      if (keep) {
        result_.first.difference(i, k) = difference;
        result_.first.relative_difference(i, k) = relative;
      }
    }
  }
  if (!keep && done_ == 0) {
    result_.first.size = linear.cwiseAbs();
    result_.first.condition = terms.cwiseQuotient(result_.first.size);
  }
  errors.failed_draws += samples.failed > failed_before;
}

void AssociativityPrecision::finish(Samples& samples, AssociativityErrors& errors) {
  errors.failed_share =
      static_cast<double>(samples.failed) / static_cast<double>(samples.differences.size());
  errors.differences = quantiles(std::move(samples.differences), kPrecisionProbabilities);
  errors.relative_differences =
      quantiles(std::move(samples.relative_differences), kPrecisionProbabilities);
}

bool AssociativityPrecision::step(Index draws) {
  if (done_ == options_.draws) return true;
  for (Index r = 0; r < std::max<Index>(draws, 1) && done_ < options_.draws; ++r, ++done_) {
    const std::uint64_t seed = options_.seed + static_cast<std::uint64_t>(done_);
    const Qkv<float> x = gaussian_qkv<float>(options_.n, options_.d_k, options_.d_v, seed);
    const Matrix<double> Q = x.Q.cast<double>(), K = x.K.cast<double>(), V = x.V.cast<double>();
    // The linear order gives the sum of all n·d_k terms of each entry without visiting the terms
    // one by one.
    const Matrix<double> k_t_v = product(K.transpose().cwiseAbs(), V.cwiseAbs());
    const Matrix<double> terms = product(Q.cwiseAbs(), k_t_v);
    look<float>(x.Q, x.K, x.V, terms, seed, samples_[0], result_.float32);
    look<double>(Q, K, V, terms, seed, samples_[1], result_.float64);
  }
  if (done_ < options_.draws) return false;
  finish(samples_[0], result_.float32);
  finish(samples_[1], result_.float64);
  return true;
}

double AssociativityPrecision::progress() const {
  return static_cast<double>(done_) / static_cast<double>(options_.draws);
}

}  // namespace attn
