#include "attn/mixers/attention_sinks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "attn/attention/attention.hpp"
#include "attn/base/errors.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/mixers/positions.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

using internal::wide;

void require_options(Index n, const SinkOptions& options) {
  if (n < 1) throw ValueError("n", phrase::number(n), phrase::at_least(1));
  if (options.sinks < 0) {
    throw ValueError("sinks", phrase::number(options.sinks), phrase::at_least(0));
  }
  if (options.window < 1) {
    throw ValueError("window", phrase::number(options.window), phrase::at_least(1));
  }
}

/// Queries and keys as they meet. Closing the gap in the cache changes the distance to the sinks
/// alone, because what is newer moves as one; so every query has a second form for the sinks,
/// turned by its place in the cache.
template <typename T>
struct Turned {
  Matrix<T> q, q_for_sinks, k;
  double scale = 1;

  const Matrix<T>& queries(Index key, const SinkOptions& options) const {
    return key < options.sinks ? q_for_sinks : q;
  }
};

/// The place of token i among those kept.
Index place_in_cache(Index i, const SinkOptions& options) {
  return std::min(i, options.sinks + options.window - 1);
}

template <typename T>
Matrix<T> rotate_in_cache(In<T> X, const SinkOptions& options, bool back) {
  const Vector<double> speeds = rotary_speeds(X.cols(), options.base);
  Matrix<T> made(X.rows(), X.cols());
  for (Index i = 0; i < X.rows(); ++i) {
    made.row(i) =
        rotate_by<T>(X.row(i), speeds, place_in_cache(i, options), RotaryPairs::kHalves, back);
  }
  return made;
}

template <typename T>
Matrix<T> rotate_in_text(In<T> X, const SinkOptions& options, bool back) {
  return rotate_by<T>(X, rotary_speeds(X.cols(), options.base), 0, RotaryPairs::kHalves, back);
}

template <typename T>
Turned<T> turn(In<T> Q, In<T> K, In<T> V, const SinkOptions& options) {
  require_qkv<T>(Q, K, V);
  require_shape<T>("K", K, Q.rows(), Q.cols(), phrase::key_each_query);
  require_options(Q.rows(), options);
  Turned<T> made{Q, Q, K, attention_scale(options.scale, Q.cols())};
  if (options.rotate_in_cache) {
    made.q = rotate_in_text<T>(Q, options, false);
    made.q_for_sinks = rotate_in_cache<T>(Q, options, false);
    made.k = rotate_in_text<T>(K, options, false);
  }
  return made;
}

/// The softmax weights of one query over its keys.
template <typename T>
void weigh(const Turned<T>& x, const SinkOptions& options, std::span<const std::int32_t> keys,
           Index i, std::vector<double>& weights) {
  weights.clear();
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const Index j : keys) {
    const T score = x.queries(j, options).row(i).dot(x.k.row(j));
    weights.push_back(x.scale * static_cast<double>(score));
    largest = std::max(largest, weights.back());
  }
  for (double& weight : weights) sum += weight = std::exp(weight - largest);
  for (double& weight : weights) weight /= sum;
}

template <typename T>
void note_rows(const Pattern& pattern, Index d, std::uint64_t exps) {
  const std::uint64_t cells = wide(pattern.nnz()) * wide(d);
  internal::note<T>(
      {.multiply_adds = cells, .exps = exps, .read = cells, .written = wide(pattern.rows() * d)});
}

}  // namespace

Pattern sink_pattern(Index n, const SinkOptions& options) {
  require_options(n, options);
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    auto& row = rows[static_cast<std::size_t>(i)];
    const Index first = std::max<Index>(i - options.window + 1, 0);
    for (Index j = 0; j < std::min(options.sinks, first); ++j) row.push_back(j);
    for (Index j = first; j <= i; ++j) row.push_back(j);
  }
  return Pattern::from_rows(n, rows);
}

template <typename T>
SinkAttentionResult<T> sink_attention(In<T> Q, In<T> K, In<T> V, const SinkOptions& options) {
  const Turned<T> x = turn<T>(Q, K, V, options);
  const Index n = Q.rows();
  const Pattern pattern = sink_pattern(n, options);
  SinkAttentionResult<T> made{Matrix<T>::Zero(n, V.cols()), Matrix<T>::Zero(n, n)};
  std::vector<double> weights;
  for (Index i = 0; i < n; ++i) {
    const auto keys = pattern.row(i);
    weigh(x, options, keys, i, weights);
    for (std::size_t at = 0; at < keys.size(); ++at) {
      const T weight = static_cast<T>(weights[at]);
      made.weights(i, keys[at]) = weight;
      made.output.row(i) += weight * V.row(keys[at]);
    }
  }
  note_rows<T>(pattern, Q.cols() + V.cols(), wide(pattern.nnz()));
  return made;
}

template <typename T>
GroupedSinkResult<T> grouped_sink_attention(In<T> Q, In<T> K, In<T> V, Index heads, Index kv_heads,
                                            const SinkOptions& options) {
  if (kv_heads < 1) throw ValueError("kv_heads", phrase::number(kv_heads), phrase::at_least(1));
  if (heads < 1 || heads % kv_heads != 0) {
    throw ValueError("heads", phrase::number(heads), phrase::multiple(kv_heads));
  }
  const auto require_heads = [](std::string_view name, In<T> x, Index count) {
    if (x.cols() > 0 && x.cols() % count == 0) return;
    throw ShapeError(name, phrase::shape(x.rows(), x.cols()), phrase::widths_of_heads);
  };
  require_heads("Q", Q, heads);
  require_heads("K", K, kv_heads);
  require_heads("V", V, kv_heads);
  const Index d_q = Q.cols() / heads, d_k = K.cols() / kv_heads, d_v = V.cols() / kv_heads;
  GroupedSinkResult<T> made;
  made.output.resize(Q.rows(), heads * d_v);
  for (Index h = 0; h < heads; ++h) {
    const Index g = h / (heads / kv_heads);
    SinkAttentionResult<T> head =
        sink_attention<T>(Q.middleCols(h * d_q, d_q), K.middleCols(g * d_k, d_k),
                          V.middleCols(g * d_v, d_v), options);
    made.output.middleCols(h * d_v, d_v) = head.output;
    made.weights.push_back(std::move(head.weights));
  }
  return made;
}

template <typename T>
SinkAttentionGradients<T> sink_attention_backward(In<T> Q, In<T> K, In<T> V, In<T> dO,
                                                  const SinkOptions& options) {
  const Turned<T> x = turn<T>(Q, K, V, options);
  const Index n = Q.rows(), d = Q.cols();
  require_shape<T>("dO", dO, n, V.cols(), phrase::shape_of_output);
  require_finite<T>("dO", dO);
  const Pattern pattern = sink_pattern(n, options);
  SinkAttentionGradients<T> made{Matrix<T>::Zero(n, d), Matrix<T>::Zero(n, d),
                                 Matrix<T>::Zero(n, V.cols())};
  Matrix<T> d_for_sinks = Matrix<T>::Zero(n, d);
  std::vector<double> weights, d_weights;
  for (Index i = 0; i < n; ++i) {
    const auto keys = pattern.row(i);
    weigh(x, options, keys, i, weights);
    d_weights.clear();
    double mean = 0;
    for (std::size_t at = 0; at < keys.size(); ++at) {
      made.dV.row(keys[at]) += static_cast<T>(weights[at]) * dO.row(i);
      d_weights.push_back(static_cast<double>(dO.row(i).dot(V.row(keys[at]))));
      mean += weights[at] * d_weights.back();
    }
    for (std::size_t at = 0; at < keys.size(); ++at) {
      const Index j = keys[at];
      const T d_score = static_cast<T>(x.scale * weights[at] * (d_weights[at] - mean));
      (j < options.sinks ? d_for_sinks : made.dQ).row(i) += d_score * x.k.row(j);
      made.dK.row(j) += d_score * x.queries(j, options).row(i);
    }
  }
  if (options.rotate_in_cache) {
    made.dQ =
        rotate_in_text<T>(made.dQ, options, true) + rotate_in_cache<T>(d_for_sinks, options, true);
    made.dK = rotate_in_text<T>(made.dK, options, true);
  } else {
    made.dQ += d_for_sinks;
  }
  note_rows<T>(pattern, 3 * d + 2 * V.cols() + 1, wide(pattern.nnz()));
  return made;
}

#define ATTN_INSTANTIATE(T)                                                                   \
  template SinkAttentionResult<T> sink_attention<T>(In<T>, In<T>, In<T>, const SinkOptions&); \
  template GroupedSinkResult<T> grouped_sink_attention<T>(In<T>, In<T>, In<T>, Index, Index,  \
                                                          const SinkOptions&);                \
  template SinkAttentionGradients<T> sink_attention_backward<T>(In<T>, In<T>, In<T>, In<T>,   \
                                                                const SinkOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
