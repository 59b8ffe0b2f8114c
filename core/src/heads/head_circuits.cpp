#include "attn/heads/head_circuits.hpp"

#include <cmath>

#include "attn/attention/multi_head.hpp"
#include "base/product.hpp"
#include "heads/shared.hpp"

namespace attn {
namespace {

using internal::product_nn;
using internal::product_nt;

/// The width of a head, from the rows of all.
Index width_of(const char* argument, Index rows, Index cols, Index heads) {
  if (rows > 0 && rows % heads == 0) return rows / heads;
  throw ShapeError(argument, phrase::shape(rows, cols), phrase::rows_of_heads);
}

/// @throws ValueError unless heads ≥ 1 and kv_heads ≥ 1 divides it.
void require_shared(Index heads, Index kv_heads) { require_heads(heads, heads, kv_heads); }

template <typename T>
CircuitScore circuit_of(const Matrix<T>& C) {
  const Index V = C.rows();
  CircuitScore made;
  made.chance = 1 / static_cast<double>(V);
  for (Index i = 0; i < V; ++i) {
    const Vector<double> row = C.row(i).transpose().template cast<double>();
    const double mean = row.mean();
    const double spread = std::sqrt((row.array() - mean).square().mean());
    Index largest = 0;
    row.maxCoeff(&largest);
    const Index next = (i + 1) % V;
    // Equal scores know nothing, whichever of them comes first.
    if (!(spread > 0)) continue;
    made.share += largest == i ? made.chance : 0;
    made.share_elsewhere += largest == next ? made.chance : 0;
    made.lift += (row(i) - mean) / spread * made.chance;
    made.lift_elsewhere += (row(next) - mean) / spread * made.chance;
  }
  return made;
}

template <typename T>
void require_embedding(In<T> E) {
  if (E.rows() == 0 || E.cols() == 0) {
    throw ShapeError("E", phrase::shape(E.rows(), E.cols()), phrase::row_and_column);
  }
  require_finite<T>("E", E);
}

}  // namespace

template <typename T>
WeightedNorms<T> norm_weighted_attention(std::span<const Matrix<T>> weights, In<T> X, In<T> Wv,
                                         In<T> Wo, InVector<T> bv) {
  internal::require_head_weights<T>("weights", weights);
  const auto heads = static_cast<Index>(weights.size());
  const Index n = weights[0].rows(), m = weights[0].cols();
  require_shape<T>("X", X, m, X.cols(), phrase::input_each_key);
  const Index d_v = width_of("Wv", Wv.rows(), Wv.cols(), heads);
  require_shape<T>("Wv", Wv, Wv.rows(), X.cols(), phrase::width_of_embedding);
  require_shape<T>("Wo", Wo, Wo.rows(), Wv.rows(), phrase::columns_as_values);
  if (bv.size() != 0 && bv.size() != Wv.rows()) {
    throw ShapeError("bv", phrase::numbers_seen(bv.size()),
                     phrase::count_because(Wv.rows(), phrase::columns_as_values));
  }
  require_finite<T>("X", X);
  require_finite<T>("Wv", Wv);
  require_finite<T>("Wo", Wo);
  require_finite<T>("bv", bv);
  const Index outputs = Wo.rows();
  Matrix<T> values = product_nt<T>(X, Wv);
  if (bv.size() > 0) values.rowwise() += bv.transpose();
  WeightedNorms<T> made;
  made.value_norm.resize(heads, m);
  made.output = Matrix<T>::Zero(n, outputs);
  std::vector<Matrix<T>> moved;
  for (Index h = 0; h < heads; ++h) {
    const Matrix<T> own = values.middleCols(h * d_v, d_v), out = Wo.middleCols(h * d_v, d_v);
    moved.push_back(product_nt<T>(own, out));
    const Matrix<T>& f = moved.back();
    const Matrix<T>& A = weights[static_cast<std::size_t>(h)];
    made.value_norm.row(h) = f.rowwise().norm().transpose();
    made.norm.push_back(A.array().rowwise() * made.value_norm.row(h).array());
    made.output += product_nn<T>(A, f);
  }
  made.norm_sum.resize(n, m);
  Vector<T> sum(outputs);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) {
      sum.setZero();
      for (std::size_t h = 0; h < moved.size(); ++h) {
        sum += weights[h](i, j) * moved[h].row(j).transpose();
      }
      made.norm_sum(i, j) = sum.norm();
    }
  }
  return made;
}

template <typename T>
QkSymmetry qk_symmetry(In<T> Wq, In<T> Wk, Index heads, Index kv_heads) {
  require_shared(heads, kv_heads);
  if (Wq.cols() == 0) {
    throw ShapeError("Wq", phrase::shape(Wq.rows(), Wq.cols()), phrase::row_and_column);
  }
  const Index d = width_of("Wq", Wq.rows(), Wq.cols(), heads), D = Wq.cols();
  require_shape<T>("Wk", Wk, kv_heads * d, D, phrase::columns_as_queries);
  require_finite<T>("Wq", Wq);
  require_finite<T>("Wk", Wk);
  QkSymmetry made;
  made.norm2.resize(heads, 2);
  made.random_mean = 1 / static_cast<double>(D);
  made.random_deviation = std::sqrt(2) / static_cast<double>(D);
  for (Index h = 0; h < heads; ++h) {
    // In float64, since the parts of a nearly symmetric M are differences of large numbers.
    const Matrix<double> q = Wq.middleRows(h * d, d).template cast<double>();
    const Matrix<double> k = Wk.middleRows(h / (heads / kv_heads) * d, d).template cast<double>();
    const Matrix<double> kq = product_nt<double>(k, q);
    const double trace = kq.cwiseProduct(kq.transpose()).sum();
    // ‖Wqᵀ·Wk‖² = tr(Wq·Wqᵀ·Wk·Wkᵀ)
    const double all = product_nt<double>(q, q).cwiseProduct(product_nt<double>(k, k)).sum();
    made.norm2(h, 0) = std::max(0.0, (all + trace) / 2);
    made.norm2(h, 1) = std::max(0.0, (all - trace) / 2);
    made.symmetry.push_back(all > 0 ? trace / all : internal::kUndefined);
  }
  return made;
}

template <typename T>
std::vector<CircuitScore> copying_scores(In<T> E, In<T> Wv, In<T> Wo, In<T> U, Index heads,
                                         Index kv_heads) {
  require_shared(heads, kv_heads);
  require_embedding<T>(E);
  const Index d_v = width_of("Wv", Wv.rows(), Wv.cols(), kv_heads);
  require_shape<T>("Wv", Wv, Wv.rows(), E.cols(), phrase::width_of_embedding);
  require_shape<T>("Wo", Wo, E.cols(), heads * d_v, phrase::columns_as_values);
  require_shape<T>("U", U, E.rows(), E.cols(), phrase::width_of_embedding);
  require_finite<T>("Wv", Wv);
  require_finite<T>("Wo", Wo);
  require_finite<T>("U", U);
  const Matrix<T> values = product_nt<T>(E, Wv), read = product_nn<T>(U, Wo);
  std::vector<CircuitScore> made;
  for (Index h = 0; h < heads; ++h) {
    const Matrix<T> own = values.middleCols(h / (heads / kv_heads) * d_v, d_v);
    const Matrix<T> out = read.middleCols(h * d_v, d_v);
    made.push_back(circuit_of<T>(product_nt<T>(own, out)));
  }
  return made;
}

template <typename T>
CircuitScore induction_circuit(In<T> E, In<T> Wq, In<T> Wk, In<T> Wv, In<T> Wo) {
  require_embedding<T>(E);
  const Index D = E.cols();
  for (const auto& [name, W] : {std::pair<const char*, In<T>>("Wq", Wq), {"Wk", Wk}, {"Wv", Wv}}) {
    if (W.rows() == 0) throw ShapeError(name, phrase::shape(0, W.cols()), phrase::at_least_one_row);
    require_shape<T>(name, W, W.rows(), D, phrase::width_of_embedding);
    require_finite<T>(name, W);
  }
  require_shape<T>("Wk", Wk, Wq.rows(), D, phrase::columns_as_queries);
  require_shape<T>("Wo", Wo, D, Wv.rows(), phrase::shape_of_the_values);
  require_finite<T>("Wo", Wo);
  const Matrix<T> moved = product_nt<T>(product_nt<T>(E, Wv), Wo);
  return circuit_of<T>(product_nt<T>(product_nt<T>(E, Wq), product_nt<T>(moved, Wk)));
}

#define ATTN_INSTANTIATE(T)                                                                       \
  template WeightedNorms<T> norm_weighted_attention<T>(std::span<const Matrix<T>>, In<T>, In<T>,  \
                                                       In<T>, InVector<T>);                       \
  template QkSymmetry qk_symmetry<T>(In<T>, In<T>, Index, Index);                                 \
  template std::vector<CircuitScore> copying_scores<T>(In<T>, In<T>, In<T>, In<T>, Index, Index); \
  template CircuitScore induction_circuit<T>(In<T>, In<T>, In<T>, In<T>, In<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
