#include "attn/attention/multi_head.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "attention/dropout_cells.hpp"
#include "attn/attention/flash_attention.hpp"
#include "attn/attention/phrases.hpp"
#include "attn/base/errors.hpp"
#include "base/product.hpp"
#include "cost/meter.hpp"
#include "simd/fused.hpp"

namespace attn {
namespace {

using internal::product_nn;
using internal::product_nt;
using internal::product_tn;

void require_entries(std::string_view name, const std::vector<std::uint8_t>& keep, Index count,
                     const Phrase<0>& reason) {
  if (keep.empty() || static_cast<Index>(keep.size()) == count) return;
  throw ShapeError(name, phrase::entries_seen(keep.size()), phrase::counted_or_none(count, reason));
}

bool kept(const std::vector<std::uint8_t>& keep, Index i) {
  return keep.empty() || keep[static_cast<std::size_t>(i)] != 0;
}

/// `of` is the phrase that says what the parts belong to and how many there are.
void require_divides(std::string_view name, Index parts, Index whole, const Phrase<1>& of,
                     Index count) {
  if (parts >= 1 && whole % parts == 0) return;
  throw ValueError(name, phrase::parts_of(parts, of(count)), phrase::divides(whole));
}

/// Mask, window and padding as one mask.
template <typename T>
Mask combined_mask(const HeadsOptions<T>& options, Index n, Index m) {
  const std::vector<std::uint8_t>& keys = options.keep_keys;
  options.mask.require_fits(n, m);
  require_entries("keep_keys", keys, m, phrase::one_each_key);
  Mask seen = options.mask.within(options.window, n, m);
  const auto padding = std::find(keys.begin(), keys.end(), std::uint8_t{0});
  if (padding == keys.end()) return seen;
  if (std::all_of(padding, keys.end(), [](std::uint8_t keep) { return keep == 0; })) {
    const Index valid = static_cast<Index>(padding - keys.begin());
    return seen.with_valid_keys(std::min(seen.valid_keys(m), valid));
  }
  Matrix<T> keep(n, m);
  for (Index i = 0; i < n; ++i) {
    const Mask::Keys row = seen.keys(i, n, m);
    for (Index j = 0; j < m; ++j) keep(i, j) = kept(keys, j) && row.contains(j) ? T(1) : T(0);
  }
  return Mask::from_matrix<T>(keep);
}

/// The widths d and d_v of one head, after all arguments have been checked.
struct Widths {
  Index d, d_v;
};

template <typename T>
void require_bias(std::string_view name, const Vector<T>& b, Index rows) {
  if (b.size() == 0) return;
  require_shape<T>(name, b, rows, 1, phrase::row_of_its_matrix);
  require_finite<T>(name, b);
}

template <typename T>
Widths require_weights(const MultiHeadWeights<T>& w) {
  require_heads(w.Wq.rows(), w.heads, w.kv_heads);
  const Index d = w.Wq.rows() / w.heads;
  require_divides("kv_heads", w.kv_heads, w.Wv.rows(), phrase::a_wv_of, w.Wv.rows());
  const Index d_v = w.Wv.rows() / w.kv_heads;
  require_shape<T>("Wk", w.Wk, w.kv_heads * d, w.Wk.cols(), phrase::kv_heads_d_rows);
  require_shape<T>("Wo", w.Wo, w.Wo.rows(), w.heads * d_v, phrase::heads_dv_columns);
  require_finite<T>("Wq", w.Wq);
  require_finite<T>("Wk", w.Wk);
  require_finite<T>("Wv", w.Wv);
  require_finite<T>("Wo", w.Wo);
  require_bias<T>("bq", w.bq, w.Wq.rows());
  require_bias<T>("bk", w.bk, w.Wk.rows());
  require_bias<T>("bv", w.bv, w.Wv.rows());
  require_bias<T>("bo", w.bo, w.Wo.rows());
  return {d, d_v};
}

/// xWᵀ + b
template <typename T>
Matrix<T> project(std::string_view name, In<T> x, const Matrix<T>& W, const Vector<T>& b) {
  require_shape<T>(name, x, x.rows(), W.cols(), phrase::columns_as_projection);
  Matrix<T> y = product_nt<T>(x, W);
  if (b.size() > 0) {
    y.rowwise() += b.transpose();
    internal::note<T>(
        {.read = internal::wide(y.size() + b.size()), .written = internal::wide(y.size())});
  }
  return y;
}

template <typename T>
struct Projected {
  Matrix<T> Q, K, V;

  Projected(In<T> X, In<T> Yk, In<T> Yv, const MultiHeadWeights<T>& w)
      : Q(project<T>("X", X, w.Wq, w.bq)),
        K(project<T>("Yk", Yk, w.Wk, w.bk)),
        V(project<T>("Yv", Yv, w.Wv, w.bv)) {}
};

/// Computes the gradients of W and b from the gradient of xWᵀ + b; returns the gradient of x.
template <typename T>
Matrix<T> project_backward(In<T> dy, In<T> x, const Matrix<T>& W, const Vector<T>& b, Matrix<T>& dW,
                           Vector<T>& db) {
  dW = product_tn<T>(dy, x);
  if (b.size() > 0) db = dy.colwise().sum().transpose();
  return product_nn<T>(dy, W);
}

/// The columns and the options of each head, after all arguments have been checked.
template <typename T>
struct Layout {
  Index heads, kv_heads, n, d, d_v;
  AttentionOptions<T> attention;
  const HeadsOptions<T>& options;

  Layout(In<T> Q, In<T> K, In<T> V, Index heads_, Index kv_heads_, const HeadsOptions<T>& options_)
      : heads(heads_), kv_heads(kv_heads_), n(Q.rows()), options(options_) {
    require_heads(Q.cols(), heads, kv_heads);
    d = Q.cols() / heads;
    require_divides("kv_heads", kv_heads, V.cols(), phrase::a_v_of, V.cols());
    d_v = V.cols() / kv_heads;
    const Index m = K.rows();
    require_shape<T>("K", K, m, kv_heads * d, phrase::kv_heads_d_columns);
    require_qkv<T>(Q.leftCols(d), K.leftCols(d), V);
    require_entries("keep_heads", options.keep_heads, heads, phrase::one_each_head);
    internal::require_keep(options.dropout, heads, n, m);
    attention.mask = combined_mask(options, n, m);
    attention.scale = attention_scale(options.scale, d);
    attention.bias = options.bias;
  }

  /// Whether the kernels can compute what each head does.
  bool is_plain() const {
    return internal::kernels_run<T>() && options.bias.size() == 0 &&
           options.dropout.probability == 0 && options.dropout.keep.size() == 0;
  }
  bool keeps_all(Index g) const {
    bool all = true;
    for (Index i = first(g); i < first(g + 1); ++i) all = all && keeps(i);
    return all;
  }
  /// The first head of group g.
  Index first(Index g) const { return g * (heads / kv_heads); }
  bool keeps(Index i) const { return kept(options.keep_heads, i); }
  auto query(In<T> Q, Index i) const { return Q.middleCols(i * d, d); }
  auto key(In<T> K, Index i) const { return K.middleCols(group(i) * d, d); }
  auto value(In<T> V, Index i) const { return V.middleCols(group(i) * d_v, d_v); }
  Index group(Index i) const { return i / (heads / kv_heads); }
  Dropout<T> dropout(Index i) const { return internal::dropout_of(options.dropout, i, n); }
  AttentionResult<T> forward(In<T> Q, In<T> K, In<T> V, Index i) const {
    return attn::attention<T>(query(Q, i), key(K, i), value(V, i), attention, dropout(i));
  }
};

/// Computes the heads that share keys and values in one call of the kernel; returns false where the
/// kernel cannot.
template <typename T>
bool attend_at_once(const Layout<T>& layout, In<T> Q, In<T> K, In<T> V, Index g,
                    HeadsResult<T>& result) {
  if (!layout.is_plain() || !layout.keeps_all(g)) return false;
  const Index first = layout.first(g), size = layout.first(g + 1) - first;
  return internal::fused_heads<T>(
      Q.middleCols(first * layout.d, size * layout.d), layout.key(K, first), layout.value(V, first),
      layout.attention.mask, static_cast<T>(*layout.attention.scale),
      result.output.data() + first * layout.d_v, result.output.cols(),
      result.log_sum_exp.data() + first * Q.rows(),
      std::span(result.weights)
          .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size)));
}

/// The gradients of all heads, and the output, because the forward pass is computed for them
/// anyway.
template <typename T>
HeadsGradients<T> heads_backward(In<T> Q, In<T> K, In<T> V, In<T> dO, Index heads, Index kv_heads,
                                 const HeadsOptions<T>& options, Matrix<T>& output) {
  const Layout<T> layout(Q, K, V, heads, kv_heads, options);
  const Index d = layout.d, d_v = layout.d_v;
  require_shape<T>("dO", dO, Q.rows(), heads * d_v, phrase::shape_of_output);
  require_finite<T>("dO", dO);
  HeadsGradients<T> result;
  result.dQ = Matrix<T>::Zero(Q.rows(), Q.cols());
  result.dK = Matrix<T>::Zero(K.rows(), K.cols());
  result.dV = Matrix<T>::Zero(V.rows(), V.cols());
  if (options.bias.size() > 0) result.d_bias = Matrix<T>::Zero(Q.rows(), K.rows());
  output = Matrix<T>::Zero(Q.rows(), heads * d_v);
  const auto add = [&](Index i, const Matrix<T>& made, const auto& head) {
    const Index g = layout.group(i);
    output.middleCols(i * d_v, d_v) = made;
    result.dQ.middleCols(i * d, d) = head.dQ;
    result.dK.middleCols(g * d, d) += head.dK;
    result.dV.middleCols(g * d_v, d_v) += head.dV;
    if (options.bias.size() > 0) result.d_bias += head.d_bias;
  };
  // The work is done tile by tile where that is as fast: it is up to twice as fast for long
  // sequences and needs no n×m matrix.
  FlashOptions<T> tiled;
  tiled.mask = layout.attention.mask;
  tiled.scale = layout.attention.scale;
  FlashResult<T> tiled_forward;
  FlashGradients<T> tiled_head;
  for (Index i = 0; i < heads; ++i) {
    if (!layout.keeps(i)) continue;
    const auto d_out = dO.middleCols(i * d_v, d_v);
    const auto q = layout.query(Q, i);
    const auto k = layout.key(K, i);
    const auto v = layout.value(V, i);
    if (layout.is_plain()) {
      flash_attention<T>(q, k, v, tiled, {}, tiled_forward);
      flash_attention_backward<T>(q, k, v, d_out, tiled_forward, tiled, {}, tiled_head);
      add(i, tiled_forward.output, tiled_head);
      continue;
    }
    const AttentionResult<T> forward = layout.forward(Q, K, V, i);
    add(i, forward.output,
        attention_backward_from<T>(forward, q, k, v, d_out, layout.attention, layout.dropout(i)));
  }
  return result;
}

}  // namespace

Mask window_mask(Index n, Index m, const KeyWindow& window) {
  return Mask::full().within(window, n, m);
}

void require_heads(Index d_model, Index heads, Index kv_heads) {
  require_divides("heads", heads, d_model, phrase::a_d_model_of, d_model);
  require_divides("kv_heads", kv_heads, heads, phrase::heads_counted, heads);
}

template <typename T>
HeadsResult<T> grouped_query_attention(In<T> Q, In<T> K, In<T> V, Index heads, Index kv_heads,
                                       const HeadsOptions<T>& options) {
  const Layout<T> layout(Q, K, V, heads, kv_heads, options);
  const Index n = Q.rows(), m = K.rows(), d_v = layout.d_v;
  HeadsResult<T> result;
  result.output = Matrix<T>::Zero(n, heads * d_v);
  result.log_sum_exp = Matrix<T>::Constant(heads, n, -std::numeric_limits<T>::infinity());
  result.weights.resize(static_cast<std::size_t>(heads));
  for (Index g = 0; g < kv_heads; ++g) {
    if (attend_at_once(layout, Q, K, V, g, result)) continue;
    for (Index i = layout.first(g); i < layout.first(g + 1); ++i) {
      Matrix<T>& weights = result.weights[static_cast<std::size_t>(i)];
      if (!layout.keeps(i)) {
        weights = Matrix<T>::Zero(n, m);
        continue;
      }
      AttentionResult<T> head = layout.forward(Q, K, V, i);
      result.output.middleCols(i * d_v, d_v) = head.output;
      internal::note_in_place<T>(head.output.size());
      result.log_sum_exp.row(i) = head.log_sum_exp.transpose();
      weights = std::move(head.weights);
    }
  }
  return result;
}

template <typename T>
HeadsGradients<T> grouped_query_attention_backward(In<T> Q, In<T> K, In<T> V, In<T> dO, Index heads,
                                                   Index kv_heads, const HeadsOptions<T>& options) {
  Matrix<T> output;
  return heads_backward<T>(Q, K, V, dO, heads, kv_heads, options, output);
}

template <typename T>
MultiHeadWeights<T> unpack_in_projection(In<T> W_in, const Vector<std::type_identity_t<T>>& b_in,
                                         In<T> W_o, const Vector<std::type_identity_t<T>>& b_o,
                                         Index heads, Index kv_heads) {
  if (heads < 1) throw ValueError("heads", phrase::number(heads), phrase::at_least(1));
  require_divides("kv_heads", kv_heads, heads, phrase::heads_counted, heads);
  const Index parts = heads + 2 * kv_heads;
  if (W_in.rows() == 0 || W_in.rows() % parts != 0) {
    throw ShapeError("W_in", phrase::shape(W_in.rows(), W_in.cols()), phrase::packed_rows(parts));
  }
  require_bias<T>("b_in", b_in, W_in.rows());
  const Index d = W_in.rows() / (heads + 2 * kv_heads);
  MultiHeadWeights<T> w;
  w.heads = heads;
  w.kv_heads = kv_heads;
  w.Wq = W_in.topRows(heads * d);
  w.Wk = W_in.middleRows(heads * d, kv_heads * d);
  w.Wv = W_in.bottomRows(kv_heads * d);
  w.Wo = W_o;
  if (b_in.size() > 0) {
    w.bq = b_in.head(heads * d);
    w.bk = b_in.segment(heads * d, kv_heads * d);
    w.bv = b_in.tail(kv_heads * d);
  }
  w.bo = b_o;
  require_weights(w);
  return w;
}

template <typename T>
MultiHeadResult<T> multi_head_attention(In<T> X, In<T> Yk, In<T> Yv,
                                        const MultiHeadWeights<std::type_identity_t<T>>& weights,
                                        const HeadsOptions<std::type_identity_t<T>>& options) {
  require_weights(weights);
  const Projected<T> p(X, Yk, Yv, weights);
  MultiHeadResult<T> result;
  result.heads =
      grouped_query_attention<T>(p.Q, p.K, p.V, weights.heads, weights.kv_heads, options);
  result.output = project<T>("heads", result.heads.output, weights.Wo, weights.bo);
  return result;
}

template <typename T>
MultiHeadResult<T> multi_head_attention(In<T> X,
                                        const MultiHeadWeights<std::type_identity_t<T>>& weights,
                                        const HeadsOptions<std::type_identity_t<T>>& options) {
  return multi_head_attention<T>(X, X, X, weights, options);
}

template <typename T>
MultiHeadGradients<T> multi_head_attention_backward(
    In<T> X, In<T> Yk, In<T> Yv, In<T> d_output,
    const MultiHeadWeights<std::type_identity_t<T>>& weights,
    const HeadsOptions<std::type_identity_t<T>>& options) {
  const MultiHeadWeights<T>& w = weights;
  require_weights(w);
  require_shape<T>("d_output", d_output, X.rows(), w.Wo.rows(), phrase::shape_of_output);
  require_finite<T>("d_output", d_output);
  const Projected<T> p(X, Yk, Yv, w);
  Matrix<T> heads;
  HeadsGradients<T> inner = heads_backward<T>(p.Q, p.K, p.V, product_nn<T>(d_output, w.Wo), w.heads,
                                              w.kv_heads, options, heads);
  MultiHeadGradients<T> result;
  MultiHeadWeights<T>& d = result.d_weights;
  d.heads = w.heads;
  d.kv_heads = w.kv_heads;
  d.Wo = product_tn<T>(d_output, heads);
  if (w.bo.size() > 0) d.bo = d_output.colwise().sum().transpose();
  result.d_X = project_backward<T>(inner.dQ, X, w.Wq, w.bq, d.Wq, d.bq);
  result.d_Yk = project_backward<T>(inner.dK, Yk, w.Wk, w.bk, d.Wk, d.bk);
  result.d_Yv = project_backward<T>(inner.dV, Yv, w.Wv, w.bv, d.Wv, d.bv);
  result.d_bias = std::move(inner.d_bias);
  return result;
}

template <typename T>
MultiHeadGradients<T> multi_head_attention_backward(
    In<T> X, In<T> d_output, const MultiHeadWeights<std::type_identity_t<T>>& weights,
    const HeadsOptions<std::type_identity_t<T>>& options) {
  MultiHeadGradients<T> result =
      multi_head_attention_backward<T>(X, X, X, d_output, weights, options);
  result.d_X += result.d_Yk + result.d_Yv;
  result.d_Yk.resize(0, 0);
  result.d_Yv.resize(0, 0);
  return result;
}

template <typename T>
MultiHeadLinearResult<T> multi_head_linear_attention(
    In<T> X, In<T> Yk, In<T> Yv, const MultiHeadWeights<std::type_identity_t<T>>& weights,
    const FeatureMap<std::type_identity_t<T>>& map, const LinearAttentionOptions& options) {
  const Widths width = require_weights(weights);
  const Projected<T> p(X, Yk, Yv, weights);
  const Index d = width.d, d_v = width.d_v;
  MultiHeadLinearResult<T> result;
  result.heads.resize(X.rows(), weights.heads * d_v);
  result.states.resize(static_cast<std::size_t>(weights.kv_heads));
  for (Index i = 0; i < weights.heads; ++i) {
    const Index g = i / (weights.heads / weights.kv_heads);
    LinearAttentionResult<T> head =
        linear_attention<T>(p.Q.middleCols(i * d, d), p.K.middleCols(g * d, d),
                            p.V.middleCols(g * d_v, d_v), map, options);
    result.heads.middleCols(i * d_v, d_v) = head.output;
    internal::note_in_place<T>(head.output.size());
    result.states[static_cast<std::size_t>(g)] = std::move(head.state);
  }
  result.output = project<T>("heads", result.heads, weights.Wo, weights.bo);
  return result;
}

template <typename T>
MultiHeadParameters count_parameters(const MultiHeadWeights<T>& weights,
                                     const std::vector<std::uint8_t>& keep_heads) {
  const auto [d, d_v] = require_weights(weights);
  require_entries("keep_heads", keep_heads, weights.heads, phrase::one_each_head);
  Index queries = 0, groups = 0, last = -1;
  for (Index i = 0; i < weights.heads; ++i) {
    if (!kept(keep_heads, i)) continue;
    const Index g = i / (weights.heads / weights.kv_heads);
    ++queries;
    groups += g != last;
    last = g;
  }
  const auto rows = [](Index count, const Matrix<T>& W, const Vector<T>& b) {
    return count * (W.cols() + (b.size() > 0 ? 1 : 0));
  };
  return {rows(queries * d, weights.Wq, weights.bq), rows(groups * d, weights.Wk, weights.bk),
          rows(groups * d_v, weights.Wv, weights.bv),
          weights.Wo.rows() * queries * d_v + weights.bo.size()};
}

#define ATTN_INSTANTIATE(T)                                                              \
  template HeadsResult<T> grouped_query_attention<T>(In<T>, In<T>, In<T>, Index, Index,  \
                                                     const HeadsOptions<T>&);            \
  template HeadsGradients<T> grouped_query_attention_backward<T>(                        \
      In<T>, In<T>, In<T>, In<T>, Index, Index, const HeadsOptions<T>&);                 \
  template MultiHeadWeights<T> unpack_in_projection<T>(In<T>, const Vector<T>&, In<T>,   \
                                                       const Vector<T>&, Index, Index);  \
  template MultiHeadResult<T> multi_head_attention<T>(                                   \
      In<T>, In<T>, In<T>, const MultiHeadWeights<T>&, const HeadsOptions<T>&);          \
  template MultiHeadResult<T> multi_head_attention<T>(In<T>, const MultiHeadWeights<T>&, \
                                                      const HeadsOptions<T>&);           \
  template MultiHeadGradients<T> multi_head_attention_backward<T>(                       \
      In<T>, In<T>, In<T>, In<T>, const MultiHeadWeights<T>&, const HeadsOptions<T>&);   \
  template MultiHeadGradients<T> multi_head_attention_backward<T>(                       \
      In<T>, In<T>, const MultiHeadWeights<T>&, const HeadsOptions<T>&);                 \
  template MultiHeadLinearResult<T> multi_head_linear_attention<T>(                      \
      In<T>, In<T>, In<T>, const MultiHeadWeights<T>&, const FeatureMap<T>&,             \
      const LinearAttentionOptions&);                                                    \
  template MultiHeadParameters count_parameters<T>(const MultiHeadWeights<T>&,           \
                                                   const std::vector<std::uint8_t>&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
