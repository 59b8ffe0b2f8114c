#include "attn/heads/head_importance.hpp"

#include <cmath>

#include "base/product.hpp"
#include "heads/shared.hpp"

namespace attn {
namespace {

using internal::product_nn;
using internal::product_nt;

/// h and d_v, after all arguments have been checked.
struct LayerSizes {
  Index heads, d_v;
};

template <typename T>
LayerSizes require_layer(std::span<const std::vector<Matrix<T>>> heads, In<T> Wo, InVector<T> bo) {
  if (heads.empty()) throw ShapeError("heads", phrase::none, phrase::at_least_one_text);
  if (heads[0].empty()) throw ShapeError("heads", phrase::none, phrase::at_least_one_head);
  const auto count = static_cast<Index>(heads[0].size());
  const Index d_v = heads[0][0].cols();
  for (const std::vector<Matrix<T>>& one : heads) {
    if (one.size() != heads[0].size()) {
      throw ShapeError("heads", phrase::heads_seen(one.size()), phrase::as_many_heads(count));
    }
    const Index n = one[0].rows();
    for (const Matrix<T>& head : one) {
      if (n == 0 || d_v == 0) {
        throw ShapeError("heads", phrase::shape(n, d_v), phrase::row_and_column);
      }
      require_shape<T>("heads", head, n, d_v, phrase::shape_of_first_output);
      require_finite<T>("heads", head);
    }
  }
  require_shape<T>("Wo", Wo, Wo.rows(), count * d_v, phrase::columns_of_outputs);
  require_finite<T>("Wo", Wo);
  if (bo.size() != 0 && bo.size() != Wo.rows()) {
    throw ShapeError("bo", phrase::numbers_seen(bo.size()),
                     phrase::count_because(Wo.rows(), phrase::entry_each_row_of_wo));
  }
  require_finite<T>("bo", bo);
  return {count, d_v};
}

}  // namespace

template <typename T>
HeadImportance importance_of_gates(std::span<const Matrix<T>> parts) {
  if (parts.empty()) throw ShapeError("parts", phrase::none, phrase::at_least_one_text);
  const Index h = parts[0].cols();
  Vector<double> whole = Vector<double>::Zero(h), by_token = Vector<double>::Zero(h);
  Index tokens = 0;
  for (const Matrix<T>& one : parts) {
    require_shape<T>("parts", one, one.rows(), h, phrase::column_each_head);
    require_finite<T>("parts", one);
    const auto& part = one.template cast<double>().eval();
    whole += part.colwise().sum().cwiseAbs().transpose();
    by_token += part.cwiseAbs().colwise().sum().transpose();
    tokens += one.rows();
  }
  whole /= static_cast<double>(parts.size());
  if (tokens > 0) by_token /= static_cast<double>(tokens);
  const double norm = whole.norm();
  const Vector<double> unit = norm > 0 ? Vector<double>(whole / norm) : whole;
  const auto list = [](const Vector<double>& x) {
    return std::vector<double>(x.data(), x.data() + x.size());
  };
  return {list(whole), list(unit), list(by_token)};
}

template <typename T>
LayerImportance head_importance(std::span<const std::vector<Matrix<T>>> heads, In<T> Wo,
                                std::span<const Matrix<T>> G, InVector<T> bo) {
  const auto [h, d_v] = require_layer<T>(heads, Wo, bo);
  const auto examples = static_cast<Index>(heads.size());
  if (G.size() != heads.size()) {
    throw ShapeError("G", phrase::entries_seen(static_cast<Index>(G.size())),
                     phrase::count_because(examples, phrase::gradient_each_text));
  }
  LayerImportance made;
  made.gate_gradient.resize(examples, h);
  std::vector<Matrix<double>> parts;
  for (std::size_t e = 0; e < heads.size(); ++e) {
    const Index n = heads[e][0].rows();
    require_shape<T>("G", G[e], n, Wo.rows(), phrase::shape_of_output);
    require_finite<T>("G", G[e]);
    // ∂L/∂(output of all heads), n×h·d_v.
    const Matrix<T> d_heads = product_nn<T>(G[e], Wo);
    Matrix<double> part(n, h);
    for (Index i = 0; i < h; ++i) {
      part.col(i) = heads[e][static_cast<std::size_t>(i)]
                        .template cast<double>()
                        .cwiseProduct(d_heads.middleCols(i * d_v, d_v).template cast<double>())
                        .rowwise()
                        .sum();
    }
    made.gate_gradient.row(static_cast<Index>(e)) = part.colwise().sum();
    double loss = part.sum();
    if (bo.size() > 0) {
      loss += (G[e].template cast<double>() * bo.template cast<double>()).sum();
    }
    made.loss.push_back(loss);
    parts.push_back(std::move(part));
  }
  made.loss_without_head = -made.gate_gradient;
  for (Index e = 0; e < examples; ++e) {
    made.loss_without_head.row(e).array() += made.loss[static_cast<std::size_t>(e)];
  }
  made.scores = importance_of_gates<double>(parts);
  return made;
}

template <typename T>
std::vector<AblatedHeads<T>> ablated_heads(std::span<const std::vector<Matrix<T>>> heads, In<T> Wo,
                                           InVector<T> bo) {
  const auto [h, d_v] = require_layer<T>(heads, Wo, bo);
  std::vector<AblatedHeads<T>> made;
  for (const std::vector<Matrix<T>>& one : heads) {
    const Index n = one[0].rows();
    Matrix<T> mixed(n, h * d_v);
    for (Index i = 0; i < h; ++i) {
      mixed.middleCols(i * d_v, d_v) = one[static_cast<std::size_t>(i)];
    }
    const auto joined = [&](const Matrix<T>& outputs) {
      Matrix<T> O = product_nt<T>(outputs, Wo);
      if (bo.size() > 0) O.rowwise() += bo.transpose();
      return O;
    };
    AblatedHeads<T> ablated;
    ablated.output = joined(mixed);
    for (Index i = 0; i < h; ++i) {
      Matrix<T> without = mixed;
      without.middleCols(i * d_v, d_v).setZero();
      ablated.zero.push_back(joined(without));
      without.middleCols(i * d_v, d_v).rowwise() +=
          one[static_cast<std::size_t>(i)].colwise().mean();
      ablated.mean.push_back(joined(without));
    }
    made.push_back(std::move(ablated));
  }
  return made;
}

#define ATTN_INSTANTIATE(T)                                                                       \
  template HeadImportance importance_of_gates<T>(std::span<const Matrix<T>>);                     \
  template LayerImportance head_importance<T>(std::span<const std::vector<Matrix<T>>>, In<T>,     \
                                              std::span<const Matrix<T>>, InVector<T>);           \
  template std::vector<AblatedHeads<T>> ablated_heads<T>(std::span<const std::vector<Matrix<T>>>, \
                                                         In<T>, InVector<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
