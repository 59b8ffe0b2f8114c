#include "attn/attention/attention_variants.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "base/names.hpp"
#include "base/product.hpp"

namespace attn {
namespace {

using internal::product_nn;
using internal::product_nt;
using internal::product_tn;

constexpr double kBillion = 1e9;

constexpr std::array<AttentionVariantInfo, 7> kVariants{{
    {AttentionVariant::kNaiveExp, "naive_exp", "exp without subtracting the maximum",
     "Scores above 88.7 overflow in float32 and the row becomes NaN.",
     "project-04 warns of it; day-42 thinks that scaling prevents it"},
    {AttentionVariant::kMaskByZero, "mask_by_zero", "blocked scores set to 0",
     "exp(0) = 1, so blocked keys keep weight.", "project-04, check 2: \"why -inf instead of 0?\""},
    {AttentionVariant::kFillMinusBillion, "fill_minus_billion", "blocked scores set to -1e9",
     "A query that sees no key looks at every forbidden key alike.",
     "day-42, common issue 2: masked_fill(mask == 0, -1e9)"},
    {AttentionVariant::kAddMinusBillion, "add_minus_billion", "-1e9 added to blocked scores",
     "A query that sees no key attends to forbidden keys; float32 rounds the score away.",
     "the same advice with an additive mask; not in the texts"},
    {AttentionVariant::kMaskAfterSoftmax, "mask_after_softmax", "mask after the softmax",
     "Rows no longer sum to 1 and still depend on the blocked keys.",
     "project-04 warns of it: \"apply mask BEFORE softmax\""},
    {AttentionVariant::kAdditiveMaskNanToZero, "additive_mask_nan_to_zero",
     "-inf added, NaN weights set to 0",
     "The forward pass is right; one query that sees no key makes dQ and dK NaN.",
     "project-04 and day-42: NaN weights replaced after the softmax"},
    {AttentionVariant::kInvertedMask, "inverted_mask",
     "additive mask given to masked_fill(mask == 0)",
     "Exactly the allowed cells are blocked: only the future is seen, and the last row is NaN.",
     "project-04: create_causal_mask with its own masked_fill"},
}};

/// scale·QKᵀ + bias before any mask. The arguments are checked as in `attention`.
template <typename T>
Matrix<T> scores_of(In<T> Q, In<T> K, In<T> V, const AttentionOptions<T>& options) {
  require_qkv<T>(Q, K, V);
  options.mask.require_fits(Q.rows(), K.rows());
  Matrix<T> scores = product_nt<T>(Q, K);
  scores *= static_cast<T>(attention_scale(options.scale, Q.cols()));
  if (options.bias.size() > 0) {
    require_shape<T>("bias", *options.bias, Q.rows(), K.rows(), phrase::entry_each_query_key);
    if (!(options.bias->array() < std::numeric_limits<T>::infinity()).all()) {
      throw ValueError("bias", phrase::not_finite_somewhere, phrase::finite_or_minus_infinity);
    }
    scores += *options.bias;
  }
  return scores;
}

/// exp(s − shift) / Σ exp(s − shift) by std::exp, cell by cell, with no guard of any kind: Eigen's
/// vectorised exp clamps its argument and would hide the overflow.
template <typename T>
void unguarded_softmax(Matrix<T>& scores, bool subtract_max, Vector<T>& log_sum_exp) {
  log_sum_exp.resize(scores.rows());
  for (Index i = 0; i < scores.rows(); ++i) {
    const T shift = subtract_max ? scores.row(i).maxCoeff() : T(0);
    T sum = 0;
    for (Index j = 0; j < scores.cols(); ++j) {
      scores(i, j) = std::exp(scores(i, j) - shift);
      sum += scores(i, j);
    }
    scores.row(i) /= sum;
    log_sum_exp(i) = shift + std::log(sum);
  }
}

/// The score of a blocked (`kept` false) or allowed cell, as the variant passes it to the softmax.
template <typename T>
T masked_score(AttentionVariant variant, T score, bool kept) {
  constexpr T kNone = -std::numeric_limits<T>::infinity();
  switch (variant) {
    case AttentionVariant::kMaskAfterSoftmax:
      return score;
    case AttentionVariant::kMaskByZero:
      return kept ? score : T(0);
    case AttentionVariant::kFillMinusBillion:
      return kept ? score : static_cast<T>(-kBillion);
    case AttentionVariant::kAddMinusBillion:
      return kept ? score : score - static_cast<T>(kBillion);
    case AttentionVariant::kInvertedMask: {
      const T additive = kept ? T(0) : kNone;
      return additive == T(0) ? kNone : score;
    }
    case AttentionVariant::kNaiveExp:
    case AttentionVariant::kAdditiveMaskNanToZero:
      break;
  }
  return score + (kept ? T(0) : kNone);
}

/// The softmax of the variant, before it replaces NaN or blocked weights.
template <typename T>
Matrix<T> raw_weights(AttentionVariant variant, In<T> Q, In<T> K, In<T> V,
                      const AttentionOptions<T>& options, Vector<T>& log_sum_exp) {
  Matrix<T> weights = scores_of<T>(Q, K, V, options);
  const Index n = weights.rows(), m = weights.cols();
  for (Index i = 0; i < n; ++i) {
    const Mask::Keys keys = options.mask.keys(i, n, m);
    for (Index j = 0; j < m; ++j) {
      weights(i, j) = masked_score(variant, weights(i, j), keys.contains(j));
    }
  }
  unguarded_softmax<T>(weights, variant != AttentionVariant::kNaiveExp, log_sum_exp);
  return weights;
}

template <typename T>
Matrix<T> nan_to_zero(const Matrix<T>& x) {
  return x.unaryExpr([](T value) { return std::isnan(value) ? T(0) : value; });
}

}  // namespace

std::span<const AttentionVariantInfo> attention_variants() { return kVariants; }

AttentionVariant attention_variant_from_id(std::string_view id) {
  for (const AttentionVariantInfo& info : kVariants) {
    if (info.id == id) return info.variant;
  }
  throw ValueError("variant", phrase::quoted(id), phrase::one_of(internal::names_of(kVariants)));
}

template <typename T>
AttentionResult<T> attention_variant(AttentionVariant variant, In<T> Q, In<T> K, In<T> V,
                                     const AttentionOptions<std::type_identity_t<T>>& options) {
  AttentionResult<T> result;
  result.weights = raw_weights<T>(variant, Q, K, V, options, result.log_sum_exp);
  if (variant == AttentionVariant::kAdditiveMaskNanToZero) {
    result.weights = nan_to_zero(result.weights);
  }
  if (variant == AttentionVariant::kMaskAfterSoftmax) {
    const Index n = Q.rows(), m = K.rows();
    for (Index i = 0; i < n; ++i) {
      const Mask::Keys keys = options.mask.keys(i, n, m);
      keys.for_each_blocked([&](Index j) { result.weights(i, j) = 0; });
      result.weights.row(i).tail(m - keys.end).setZero();
    }
  }
  result.output = product_nn<T>(result.weights, V);
  return result;
}

template <typename T>
AttentionGradients<T> additive_mask_backward(
    In<T> Q, In<T> K, In<T> V, In<T> dO, const AttentionOptions<std::type_identity_t<T>>& options) {
  Vector<T> log_sum_exp;
  const Matrix<T> raw =
      raw_weights<T>(AttentionVariant::kAdditiveMaskNanToZero, Q, K, V, options, log_sum_exp);
  require_shape<T>("dO", dO, Q.rows(), V.cols(), phrase::shape_of_output);
  require_finite<T>("dO", dO);
  const T scale = static_cast<T>(attention_scale(options.scale, Q.cols()));

  AttentionGradients<T> result;
  const Matrix<T> weights = nan_to_zero(raw);
  result.dV = product_tn<T>(weights, dO);
  // The replacement passes no gradient to the cells it replaced …
  Matrix<T> d_weights = product_nt<T>(dO, V);
  for (Index i = 0; i < raw.size(); ++i) {
    if (std::isnan(raw.data()[i])) d_weights.data()[i] = 0;
  }
  // … but the softmax behind it multiplies those zeros with its own NaN.
  result.row_dots = raw.cwiseProduct(d_weights).rowwise().sum();
  result.d_bias = d_weights.colwise() - result.row_dots;
  result.d_bias.array() *= raw.array();
  result.dQ = scale * product_nn<T>(result.d_bias, K);
  result.dK = scale * product_tn<T>(result.d_bias, Q);
  return result;
}

#define ATTN_INSTANTIATE(T)                                                               \
  template AttentionResult<T> attention_variant<T>(AttentionVariant, In<T>, In<T>, In<T>, \
                                                   const AttentionOptions<T>&);           \
  template AttentionGradients<T> additive_mask_backward<T>(In<T>, In<T>, In<T>, In<T>,    \
                                                           const AttentionOptions<T>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
