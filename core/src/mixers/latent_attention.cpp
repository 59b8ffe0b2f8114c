#include "attn/mixers/latent_attention.hpp"

#include <cmath>

#include "attn/attention/attention.hpp"
#include "attn/attention/attention_training.hpp"
#include "attn/base/errors.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/nn/linear.hpp"
#include "attn/nn/normalization.hpp"
#include "base/product.hpp"

namespace attn {
namespace {

/// What is computed before the heads.
template <typename T>
struct LatentRun {
  Index d_v = 0;
  Vector<double> speeds;
  /// Queries before their norm and after it, where they are made from a latent vector.
  Matrix<T> q_down, q_latent;
  /// n×h·(nope + rope), its rotated part turned.
  Matrix<T> q;
  /// n×(d_c + rope), n×d_c after its norm, n×rope turned.
  Matrix<T> down, latent, key;
};

template <typename T>
Matrix<T> part(const Matrix<T>& X, Index first, Index size) {
  return X.middleCols(first, size);
}

template <typename T>
void turn_queries(const LatentAttentionWeights<T>& w, const Vector<double>& speeds, Index offset,
                  bool back, Matrix<T>& q) {
  const Index width = w.nope + w.rope;
  for (Index h = 0; h < w.heads; ++h) {
    auto rotated = q.middleCols(h * width + w.nope, w.rope);
    rotated = rotate_by<T>(Matrix<T>(rotated), speeds, offset, RotaryPairs::kInterleaved, back);
  }
}

template <typename T>
LatentRun<T> run_before_heads(In<T> X, const LatentAttentionWeights<T>& w,
                              const LatentAttentionOptions& options) {
  LatentRun<T> run;
  run.d_v = w.value_width();
  if (X.size() == 0 || X.cols() != w.kv_down.cols()) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::widths_of_heads);
  }
  require_finite<T>("X", X);
  run.speeds = latent_speeds(w.rope, options);
  if (w.q_down.size() > 0) {
    run.q_down = linear<T>(X, w.q_down);
    run.q_latent = rms_norm<T>(run.q_down, w.q_norm, options.epsilon);
    run.q = linear<T>(run.q_latent, w.q);
  } else {
    run.q = linear<T>(X, w.q);
  }
  turn_queries(w, run.speeds, options.offset, false, run.q);
  run.down = linear<T>(X, w.kv_down);
  const Index d_c = w.kv_norm.size();
  run.latent = rms_norm<T>(part(run.down, 0, d_c), w.kv_norm, options.epsilon);
  run.key = rotate_by<T>(part(run.down, d_c, w.rope), run.speeds, options.offset);
  return run;
}

/// Keys and values of one head: n×(nope + rope) and n×d_v.
template <typename T>
Matrix<T> keys_of(const LatentAttentionWeights<T>& w, const LatentRun<T>& run, Index h) {
  Matrix<T> K(run.latent.rows(), w.nope + w.rope);
  K.leftCols(w.nope) = linear<T>(run.latent, w.kv_up.middleRows(h * (w.nope + run.d_v), w.nope));
  K.rightCols(w.rope) = run.key;
  return K;
}

template <typename T>
Matrix<T> values_of(const LatentAttentionWeights<T>& w, const LatentRun<T>& run, Index h) {
  return linear<T>(run.latent, w.kv_up.middleRows(h * (w.nope + run.d_v) + w.nope, run.d_v));
}

template <typename T>
AttentionOptions<T> head_options(const LatentAttentionWeights<T>& w,
                                 const LatentAttentionOptions& options) {
  AttentionOptions<T> made;
  made.mask = Mask::causal();
  made.scale = latent_scale(w.nope + w.rope, options);
  return made;
}

/// One head in the absorbed form: q·(W c) = (Wᵀq)·c, and Σ a (W c) = W Σ a c. `q` its queries.
template <typename T>
Matrix<T> absorbed_head(In<T> q, In<T> up, In<T> latent, In<T> key,
                        const LatentAttentionWeights<T>& w, const AttentionOptions<T>& head,
                        Matrix<T>& weights) {
  const Index d_c = latent.cols(), d_v = up.rows() - w.nope;
  Matrix<T> query(q.rows(), d_c + w.rope), kept(latent.rows(), d_c + w.rope);
  query.leftCols(d_c) = internal::product_nn<T>(q.leftCols(w.nope), up.topRows(w.nope));
  query.rightCols(w.rope) = q.rightCols(w.rope);
  kept << latent, key;
  auto one = attention<T>(query, kept, latent, head);
  weights = std::move(one.weights);
  return linear<T>(one.output, up.bottomRows(d_v));
}

/// Adds what a cache keeps of the rows of a run.
template <typename T>
void keep(const LatentRun<T>& run, const LatentAttentionWeights<T>& w,
          LatentAttentionCache<T>& cache) {
  const Index before = cache.latent.rows(), more = run.latent.rows();
  require_shape<T>("cache.latent", cache.latent, before, run.latent.cols(),
                   phrase::widths_of_heads);
  require_shape<T>("cache.rotated_key", cache.rotated_key, before, w.rope, phrase::widths_of_heads);
  cache.latent.conservativeResize(before + more, run.latent.cols());
  cache.latent.bottomRows(more) = run.latent;
  cache.rotated_key.conservativeResize(before + more, w.rope);
  cache.rotated_key.bottomRows(more) = run.key;
}

}  // namespace

Vector<double> latent_speeds(Index rope, const LatentAttentionOptions& options) {
  return options.yarn ? yarn_speeds(rope, *options.yarn, options.base)
                      : rotary_speeds(rope, options.base);
}

double latent_scale(Index key_width, const LatentAttentionOptions& options) {
  const double scale = attention_scale({}, key_width);
  if (!options.yarn) return scale;
  const double growth = 0.1 * options.magnitude * std::log(options.yarn->factor) + 1;
  return scale * growth * growth;
}

template <typename T>
Index LatentAttentionWeights<T>::value_width() const {
  if (heads < 1) throw ValueError("heads", phrase::number(heads), phrase::at_least(1));
  if (nope < 1) throw ValueError("nope", phrase::number(nope), phrase::at_least(1));
  if (rope < 2 || rope % 2 != 0) {
    throw ValueError("rope", phrase::number(rope), phrase::even_at_least(2));
  }
  const Index d_c = kv_norm.size(), d_model = kv_down.cols();
  const Index d_v = kv_up.rows() / heads - nope;
  const auto require = [](const char* name, const Matrix<T>& x, Index rows, Index cols) {
    require_shape<T>(name, x, rows, cols, phrase::widths_of_heads);
    require_finite<T>(name, x);
  };
  if (d_v < 1 || kv_up.rows() % heads != 0) {
    throw ShapeError("kv_up", phrase::shape(kv_up.rows(), kv_up.cols()), phrase::widths_of_heads);
  }
  require("q", q, heads * (nope + rope), q_down.size() > 0 ? q_norm.size() : d_model);
  if (q_down.size() > 0) require("q_down", q_down, q_norm.size(), d_model);
  require("kv_down", kv_down, d_c + rope, d_model);
  require("kv_up", kv_up, heads * (nope + d_v), d_c);
  require("out", out, d_model, heads * d_v);
  require_finite<T>("q_norm", q_norm.transpose());
  require_finite<T>("kv_norm", kv_norm.transpose());
  return d_v;
}

template <typename T>
LatentAttentionResult<T> latent_attention(In<T> X,
                                          const LatentAttentionWeights<std::type_identity_t<T>>& w,
                                          const LatentAttentionOptions& options, LatentForm form) {
  LatentRun<T> run = run_before_heads<T>(X, w, options);
  const Index n = X.rows(), width = w.nope + w.rope;
  const AttentionOptions<T> head = head_options(w, options);
  Matrix<T> heads(n, w.heads * run.d_v);
  LatentAttentionResult<T> made;
  for (Index h = 0; h < w.heads; ++h) {
    const auto q = run.q.middleCols(h * width, width);
    if (form == LatentForm::kNaive) {
      auto one = attention<T>(q, keys_of(w, run, h), values_of(w, run, h), head);
      heads.middleCols(h * run.d_v, run.d_v) = one.output;
      made.weights.push_back(std::move(one.weights));
      continue;
    }
    made.weights.emplace_back();
    heads.middleCols(h * run.d_v, run.d_v) =
        absorbed_head<T>(q, w.kv_up.middleRows(h * (w.nope + run.d_v), w.nope + run.d_v),
                         run.latent, run.key, w, head, made.weights.back());
  }
  made.output = linear<T>(heads, w.out);
  made.latent = std::move(run.latent);
  made.rotated_key = std::move(run.key);
  return made;
}

template <typename T>
void latent_attention_read(In<T> X, const LatentAttentionWeights<std::type_identity_t<T>>& w,
                           const LatentAttentionOptions& options,
                           LatentAttentionCache<std::type_identity_t<T>>& cache) {
  require_shape<T>("X", X, X.rows(), w.kv_down.cols(), phrase::widths_of_heads);
  keep<T>(run_before_heads<T>(X, w, options), w, cache);
}

template <typename T>
Matrix<T> latent_attention_step(In<T> x, const LatentAttentionWeights<std::type_identity_t<T>>& w,
                                const LatentAttentionOptions& options,
                                LatentAttentionCache<std::type_identity_t<T>>& cache) {
  require_shape<T>("x", x, 1, w.kv_down.cols(), phrase::widths_of_heads);
  LatentRun<T> run = run_before_heads<T>(x, w, options);
  const Index width = w.nope + w.rope;
  keep<T>(run, w, cache);
  AttentionOptions<T> head = head_options(w, options);
  head.mask = Mask::full();
  Matrix<T> heads(1, w.heads * run.d_v), weights;
  for (Index h = 0; h < w.heads; ++h) {
    heads.middleCols(h * run.d_v, run.d_v) =
        absorbed_head<T>(run.q.middleCols(h * width, width),
                         w.kv_up.middleRows(h * (w.nope + run.d_v), w.nope + run.d_v), cache.latent,
                         cache.rotated_key, w, head, weights);
  }
  return linear<T>(heads, w.out);
}

template <typename T>
LatentAttentionGradients<T> latent_attention_backward(
    In<T> X, const LatentAttentionWeights<std::type_identity_t<T>>& w, In<T> dO,
    const LatentAttentionOptions& options) {
  const LatentRun<T> run = run_before_heads<T>(X, w, options);
  const Index n = X.rows(), width = w.nope + w.rope, d_c = w.kv_norm.size();
  require_shape<T>("dO", dO, n, w.out.rows(), phrase::shape_of_output);
  require_finite<T>("dO", dO);
  const AttentionOptions<T> head = head_options(w, options);
  LatentAttentionGradients<T> made;
  LatentAttentionWeights<T>& d = made.d_weights;
  d.heads = w.heads;
  d.nope = w.nope;
  d.rope = w.rope;
  const Matrix<T> d_heads = internal::product_nn<T>(dO, w.out);
  Matrix<T> heads(n, w.heads * run.d_v), dq(n, w.heads * width);
  Matrix<T> d_latent = Matrix<T>::Zero(n, d_c), d_key = Matrix<T>::Zero(n, w.rope);
  d.kv_up.resize(w.kv_up.rows(), d_c);
  for (Index h = 0; h < w.heads; ++h) {
    const auto q = run.q.middleCols(h * width, width);
    const Matrix<T> K = keys_of(w, run, h), V = values_of(w, run, h);
    const auto forward = attention<T>(q, K, V, head);
    heads.middleCols(h * run.d_v, run.d_v) = forward.output;
    const auto back = attention_backward_from<T>(forward, q, K, V,
                                                 d_heads.middleCols(h * run.d_v, run.d_v), head);
    dq.middleCols(h * width, width) = back.dQ;
    d_key += back.dK.rightCols(w.rope);
    Matrix<T> d_up(n, w.nope + run.d_v);
    d_up << back.dK.leftCols(w.nope), back.dV;
    const Index first = h * (w.nope + run.d_v);
    auto up = linear_backward<T>(run.latent, w.kv_up.middleRows(first, w.nope + run.d_v),
                                 Vector<T>(), d_up);
    d.kv_up.middleRows(first, w.nope + run.d_v) = up.dW;
    d_latent += up.dX;
  }
  d.out = internal::product_tn<T>(dO, heads);
  turn_queries(w, run.speeds, options.offset, true, dq);
  auto down = rms_norm_backward<T>(part(run.down, 0, d_c), w.kv_norm, d_latent, options.epsilon);
  d.kv_norm = std::move(down.d_weight);
  Matrix<T> d_down(n, d_c + w.rope);
  d_down << down.dX,
      rotate_by<T>(d_key, run.speeds, options.offset, RotaryPairs::kInterleaved, true);
  auto kv = linear_backward<T>(X, w.kv_down, Vector<T>(), d_down);
  d.kv_down = std::move(kv.dW);
  made.dX = std::move(kv.dX);
  const Matrix<T> q_inputs = w.q_down.size() > 0 ? run.q_latent : Matrix<T>(X);
  auto q_back = linear_backward<T>(q_inputs, w.q, Vector<T>(), dq);
  d.q = std::move(q_back.dW);
  if (w.q_down.size() > 0) {
    auto norm = rms_norm_backward<T>(run.q_down, w.q_norm, q_back.dX, options.epsilon);
    d.q_norm = std::move(norm.d_weight);
    auto first = linear_backward<T>(X, w.q_down, Vector<T>(), norm.dX);
    d.q_down = std::move(first.dW);
    made.dX += first.dX;
  } else {
    made.dX += q_back.dX;
  }
  return made;
}

#define ATTN_INSTANTIATE(T)                                                                        \
  template struct LatentAttentionWeights<T>;                                                       \
  template LatentAttentionResult<T> latent_attention<T>(                                           \
      In<T>, const LatentAttentionWeights<T>&, const LatentAttentionOptions&, LatentForm);         \
  template void latent_attention_read<T>(In<T>, const LatentAttentionWeights<T>&,                  \
                                         const LatentAttentionOptions&, LatentAttentionCache<T>&); \
  template Matrix<T> latent_attention_step<T>(In<T>, const LatentAttentionWeights<T>&,             \
                                              const LatentAttentionOptions&,                       \
                                              LatentAttentionCache<T>&);                           \
  template LatentAttentionGradients<T> latent_attention_backward<T>(                               \
      In<T>, const LatentAttentionWeights<T>&, In<T>, const LatentAttentionOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
