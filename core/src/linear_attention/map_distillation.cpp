#include "attn/linear_attention/map_distillation.hpp"

#include <algorithm>
#include <cmath>

#include "attn/attention/attention.hpp"
#include "attn/base/errors.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "attn/linear_attention/phrases.hpp"
#include "base/product.hpp"

namespace attn {
namespace {

constexpr Index kMostDistillationSteps = 100'000;

template <typename T>
Index width_of_texts(const std::vector<Qkv<T>>& texts) {
  if (texts.empty()) throw ShapeError("texts", phrase::none, phrase::at_least_one);
  return texts[0].Q.cols();
}

AdamWOptions plain_adam(double learning_rate) {
  AdamWOptions options;
  options.learning_rate = learning_rate;
  options.weight_decay = 0;
  return options;
}

}  // namespace

template <typename T>
MapDistillationLoss<T> map_distillation_loss(std::span<const Qkv<T>> texts, In<T> Wq, In<T> Wk,
                                             const FeatureMap<T>& map, const Mask& mask) {
  if (texts.empty()) throw ShapeError("texts", phrase::none, phrase::at_least_one);
  if (map.positivity() != Positivity::kPositive) {
    throw ValueError("feature_map", phrase::quoted(map.info().id), phrase::positive_map);
  }
  const Index d = map.d_k();
  require_shape<T>("Wq", Wq, d, d, phrase::square_as_the_map);
  require_shape<T>("Wk", Wk, d, d, phrase::square_as_the_map);
  require_finite<T>("Wq", Wq);
  require_finite<T>("Wk", Wk);
  MapDistillationLoss<T> made;
  Matrix<double> d_Wq = Matrix<double>::Zero(d, d), d_Wk = Matrix<double>::Zero(d, d);
  Index rows = 0;
  for (const Qkv<T>& text : texts) {
    const Index n = text.Q.rows(), m = text.K.rows();
    require_shape<T>("Q", text.Q, n, d, phrase::columns_as_map);
    require_shape<T>("K", text.K, m, d, phrase::columns_as_map);
    AttentionOptions<T> how;
    how.mask = mask;
    const Matrix<double> A =
        attention<T>(text.Q, text.K, Matrix<T>::Zero(m, 1), how).weights.template cast<double>();
    const Matrix<T> y_q = internal::product_nt<T>(text.Q, Wq),
                    y_k = internal::product_nt<T>(text.K, Wk);
    const Matrix<T> phi_q = map.apply(y_q, Role::kQuery), phi_k = map.apply(y_k, Role::kKey);
    const Matrix<double> P = internal::product_nt<T>(phi_q, phi_k).template cast<double>();
    // Through Â = P/(Σ P + ε): ∂/∂P_ij = 1/(Σ P + ε) − A_ij/P_ij, since a row of A sums to 1.
    Matrix<T> dP = Matrix<T>::Zero(n, m);
    for (Index i = 0; i < n; ++i) {
      const Mask::Keys keys = mask.keys(i, n, m);
      double sum = kLinearAttentionEpsilon;
      keys.for_each([&](Index j) { sum += P(i, j); });
      bool any = false;
      keys.for_each([&](Index j) {
        any = true;
        if (A(i, j) > 0) {
          made.loss -= A(i, j) * std::log(P(i, j) / sum);
          made.floor -= A(i, j) * std::log(A(i, j));
        }
        dP(i, j) = static_cast<T>(1 / sum - (A(i, j) > 0 ? A(i, j) / P(i, j) : 0));
      });
      rows += any ? 1 : 0;
    }
    const Matrix<T> d_y_q = map.backward(y_q, internal::product_nn<T>(dP, phi_k), Role::kQuery),
                    d_y_k = map.backward(y_k, internal::product_tn<T>(dP, phi_q), Role::kKey);
    d_Wq += internal::product_tn<T>(d_y_q, text.Q).template cast<double>();
    d_Wk += internal::product_tn<T>(d_y_k, text.K).template cast<double>();
  }
  const double share = 1 / static_cast<double>(std::max<Index>(rows, 1));
  made.loss *= share;
  made.floor *= share;
  made.d_Wq = (share * d_Wq).template cast<T>();
  made.d_Wk = (share * d_Wk).template cast<T>();
  return made;
}

template <typename T>
MapDistillation<T>::MapDistillation(std::vector<Qkv<T>> texts, Mask mask,
                                    const MapDistillationOptions& options)
    : texts_(std::move(texts)),
      mask_(std::move(mask)),
      options_(options),
      map_(options.feature_map, width_of_texts<T>(texts_)),
      optimizer_(2 * map_.d_k() * map_.d_k(), plain_adam(options.learning_rate)) {
  if (options.steps < 1 || options.steps > kMostDistillationSteps) {
    throw ValueError("steps", phrase::number(options.steps),
                     phrase::range(1, kMostDistillationSteps));
  }
  const Index d = map_.d_k();
  parameters_.resize(2 * d * d);
  for (Index i = 0; i < 2; ++i) {
    Eigen::Map<Matrix<T>>(parameters_.data() + i * d * d, d, d).setIdentity();
  }
  look();
}

template <typename T>
void MapDistillation<T>::look() {
  const Index d = map_.d_k();
  result_.Wq = Eigen::Map<const Matrix<T>>(parameters_.data(), d, d);
  result_.Wk = Eigen::Map<const Matrix<T>>(parameters_.data() + d * d, d, d);
  now_ = map_distillation_loss<T>(texts_, result_.Wq, result_.Wk, map_, mask_);
  result_.loss.push_back(now_.loss);
  result_.floor = now_.floor;
}

template <typename T>
bool MapDistillation<T>::step(Index steps) {
  for (Index i = 0; i < steps && done_ < options_.steps; ++i, ++done_) {
    Vector<T> gradients(parameters_.size());
    gradients << Eigen::Map<const Vector<T>>(now_.d_Wq.data(), now_.d_Wq.size()),
        Eigen::Map<const Vector<T>>(now_.d_Wk.data(), now_.d_Wk.size());
    optimizer_.step(parameters_, gradients);
    look();
  }
  return done_ == options_.steps;
}

template <typename T>
double MapDistillation<T>::progress() const {
  return static_cast<double>(done_) / static_cast<double>(options_.steps);
}

#define ATTN_INSTANTIATE(T)                                                                       \
  template MapDistillationLoss<T> map_distillation_loss<T>(std::span<const Qkv<T>>, In<T>, In<T>, \
                                                           const FeatureMap<T>&, const Mask&);    \
  template class MapDistillation<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
