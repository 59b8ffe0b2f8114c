#include "attn/analysis/attention_checks.hpp"

#include <cmath>
#include <utility>

#include "attn/analysis/singular_values.hpp"
#include "attn/attention/attention.hpp"
#include "attn/attention/kv_cache.hpp"
#include "attn/attention/multi_head.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "attn/cost/operation_count.hpp"

namespace attn {
namespace {

void require_at_least(std::string_view name, Index x, Index least) {
  if (x < least) throw ValueError(name, phrase::number(x), phrase::at_least(least));
}

void require_at_most(std::string_view name, Index x, Index most) {
  if (x > most) throw CapacityError(name, phrase::number(x), phrase::at_most(most));
}

/// rows×cols of N(0, 1/cols), each matrix from a stream of its own.
Matrix<double> projection(Index rows, Index cols, std::uint64_t seed, std::uint64_t stream) {
  return Rng(seed, stream).gaussian_matrix<double>(rows, cols) /
         std::sqrt(static_cast<double>(cols));
}

/// Each group of heads·rows is replaced by the mean of its members.
Matrix<double> pooled(const Matrix<double>& W, Index heads, Index kv_heads) {
  const Index width = W.rows() / heads, group = heads / kv_heads;
  Matrix<double> mean = Matrix<double>::Zero(kv_heads * width, W.cols());
  for (Index head = 0; head < heads; ++head) {
    mean.middleRows(head / group * width, width) += W.middleRows(head * width, width);
  }
  return mean / static_cast<double>(group);
}

/// Heads that share a part: √alike of one projection and √(1 − alike) of their own.
Matrix<double> heads_alike(Index heads, Index width, Index cols, double alike, std::uint64_t seed,
                           std::uint64_t stream) {
  const Matrix<double> own = projection(heads * width, cols, seed, stream);
  const Matrix<double> common = projection(width, cols, seed, stream + 1);
  return std::sqrt(1 - alike) * own + std::sqrt(alike) * common.replicate(heads, 1);
}

}  // namespace

std::vector<DotProductMoments> dot_product_moments(const std::vector<Index>& d_k, Index samples,
                                                   std::uint64_t seed) {
  if (d_k.empty()) throw ValueError("d_k", phrase::empty, phrase::at_least_one);
  require_at_least("samples", samples, 2);
  double numbers = 0;
  for (const Index d : d_k) {
    require_at_least("d_k", d, 1);
    numbers += 2 * static_cast<double>(d) * static_cast<double>(samples);
  }
  if (numbers > static_cast<double>(kMaxMomentNumbers)) {
    throw CapacityError("samples", phrase::number(samples),
                        phrase::fewer_numbers(kMaxMomentNumbers));
  }
  const auto count = static_cast<double>(samples);
  std::vector<DotProductMoments> all;
  for (std::size_t at = 0; at < d_k.size(); ++at) {
    const Index d = d_k[at];
    Rng queries(seed, 2 * at), keys(seed, 2 * at + 1);
    std::vector<double> dots(static_cast<std::size_t>(samples));
    double sum = 0;
    for (double& dot : dots) {
      for (Index c = 0; c < d; ++c) dot += queries.gaussian() * keys.gaussian();
      sum += dot;
    }
    const double mean = sum / count;
    double second = 0, fourth = 0;
    for (const double dot : dots) {
      const double square = (dot - mean) * (dot - mean);
      second += square;
      fourth += square * square;
    }
    const double variance = second / (count - 1);
    const double spread = fourth / count - variance * variance;
    all.push_back({d, samples, mean, variance, std::sqrt(std::max(0.0, spread) / count),
                   variance / static_cast<double>(d)});
  }
  return all;
}

RankCheck rank_check(Index n, Index d_model, Index input_rank, Index heads, std::uint64_t seed) {
  require_at_least("n", n, 1);
  require_at_least("d_model", d_model, 1);
  require_at_most("n", n, kMaxRankCheck);
  require_at_most("d_model", d_model, kMaxRankCheck);
  require_heads(d_model, heads, heads);
  if (input_rank < 1 || input_rank > std::min(n, d_model)) {
    throw ValueError("input_rank", phrase::number(input_rank),
                     phrase::range(1, std::min(n, d_model)));
  }
  const Matrix<double> X =
      Rng(seed, 0).gaussian_matrix<double>(n, input_rank) *
      projection(input_rank, d_model, seed, 1) *
      std::sqrt(static_cast<double>(d_model) / static_cast<double>(input_rank));
  const MultiHeadWeights<double> weights{heads,
                                         heads,
                                         projection(d_model, d_model, seed, 2),
                                         projection(d_model, d_model, seed, 3),
                                         projection(d_model, d_model, seed, 4),
                                         projection(d_model, d_model, seed, 5),
                                         {},
                                         {},
                                         {},
                                         {}};
  const auto made = multi_head_attention<double>(X, weights);
  const Index width = d_model / heads;
  const auto rank = [](const Matrix<double>& x) { return numerical_rank<double>(x); };
  return {rank(X), rank(made.heads.weights.front()), rank(made.heads.output.leftCols(width)),
          rank(made.heads.output), rank(made.output)};
}

LayerShapes layer_shapes(Index n, Index m, Index d_model, Index heads) {
  require_at_least("n", n, 1);
  require_at_least("m", m, 0);
  require_at_least("d_model", d_model, 1);
  require_at_most("n", n, 512);
  require_at_most("m", m, 512);
  require_at_most("d_model", d_model, 1024);
  require_heads(d_model, heads, heads);
  const Index width = d_model / heads;
  const auto matrix = [&](std::uint64_t stream) {
    return Matrix<float>(projection(d_model, d_model, 0, stream).cast<float>());
  };
  const MultiHeadWeights<float> weights{heads,     heads, matrix(2), matrix(3), matrix(4),
                                        matrix(5), {},    {},        {},        {}};
  const Matrix<float> X = Rng(0, 0).gaussian_matrix<float>(n, d_model);
  const Matrix<float> Y = m == 0 ? X : Rng(0, 1).gaussian_matrix<float>(m, d_model);
  LayerShapes made;
  OperationMeter meter;
  const auto layer = multi_head_attention<float>(X, Y, Y, weights);
  made.multiply_adds = meter.count().multiply_adds;
  const Matrix<float> Q = X * weights.Wq.transpose(), K = Y * weights.Wk.transpose(),
                      V = Y * weights.Wv.transpose();
  for (Index h = 0; h < heads; ++h) {
    const auto slice = [&](const Matrix<float>& x) {
      return Matrix<float>(x.middleCols(h * width, width));
    };
    OperationMeter of_head;
    attention<float>(slice(Q), slice(K), slice(V));
    made.of_heads += of_head.count().multiply_adds;
  }
  const auto shape = [&](const Matrix<float>& x) { made.shapes.push_back({x.rows(), x.cols()}); };
  shape(X);
  shape(Q);
  shape(Q.leftCols(width));
  shape(K.leftCols(width));
  shape(layer.heads.weights.front());
  shape(layer.heads.output.leftCols(width));
  shape(layer.heads.output);
  shape(layer.output);
  made.parameters = count_parameters<float>(weights).total();
  for (const Matrix<float>& P : layer.heads.weights) {
    made.weights += static_cast<std::uint64_t>(P.size());
  }
  return made;
}

std::vector<SharedHeadsRow> shared_heads(const SharedHeadsOptions& options) {
  const auto& [n, d_model, heads, alike, tokens, seed] = options;
  require_at_least("n", n, 1);
  require_at_least("d_model", d_model, 1);
  require_at_least("tokens", tokens, 1);
  require_at_most("n", n, 1024);
  require_at_most("d_model", d_model, 1024);
  require_heads(d_model, heads, heads);
  if (!(alike >= 0 && alike <= 1)) {
    throw ValueError("alike", phrase::number(alike), phrase::range(0, 1));
  }
  const Index width = d_model / heads;
  const Matrix<double> X = Rng(seed, 0).gaussian_matrix<double>(n, d_model);
  const MultiHeadWeights<double> full{heads,
                                      heads,
                                      projection(d_model, d_model, seed, 1),
                                      heads_alike(heads, width, d_model, alike, seed, 2),
                                      heads_alike(heads, width, d_model, alike, seed, 4),
                                      projection(d_model, d_model, seed, 6),
                                      {},
                                      {},
                                      {},
                                      {}};
  const Matrix<double> right = multi_head_attention<double>(X, full).output;
  std::vector<SharedHeadsRow> rows;
  for (Index kv_heads = heads; kv_heads >= 1; --kv_heads) {
    if (heads % kv_heads != 0) continue;
    MultiHeadWeights<double> shared = full;
    shared.kv_heads = kv_heads;
    shared.Wk = pooled(full.Wk, heads, kv_heads);
    shared.Wv = pooled(full.Wv, heads, kv_heads);
    const Matrix<double> output = multi_head_attention<double>(X, shared).output;
    rows.push_back({kv_heads, count_parameters<double>(shared).total(),
                    kv_cache_bytes(tokens, kv_heads, width, width),
                    (output - right).norm() / right.norm()});
  }
  return rows;
}

template <typename T>
DropoutAverage<T> dropout_average(In<T> Q, In<T> K, In<T> V, double probability, Index draws,
                                  std::uint64_t seed) {
  if (!(probability >= 0 && probability < 1)) {
    throw ValueError("probability", phrase::number(probability), phrase::probability_range);
  }
  if (draws < 1 || draws > 4096) {
    throw ValueError("draws", phrase::number(draws), phrase::range(1, 4096));
  }
  const AttentionResult<T> whole = attention<T>(Q, K, V);
  const Index n = Q.rows(), m = K.rows();
  const Matrix<double> right = whole.output.template cast<double>();
  const Matrix<double> values = V.template cast<double>();
  Matrix<double> sum = Matrix<double>::Zero(n, V.cols());
  DropoutAverage<T> result;
  result.weights = whole.weights;
  Dropout<T> dropout;
  dropout.probability = probability;
  dropout.seed = seed;
  for (Index draw = 0; draw < draws; ++draw) {
    dropout.stream = static_cast<std::uint64_t>(draw);
    const Matrix<T> dropped = whole.weights.cwiseProduct(dropout_keep<T>(n, m, dropout)) /
                              static_cast<T>(1 - probability);
    if (draw == 0) {
      result.dropped = dropped;
      for (Index i = 0; i < n; ++i) {
        result.row_sums.push_back(dropped.row(i).template cast<double>().sum());
      }
    }
    sum += dropped.template cast<double>() * values;
    const Index count = draw + 1;
    if ((count & (count - 1)) == 0 || count == draws) {
      result.draws.push_back(count);
      result.errors.push_back((sum / static_cast<double>(count) - right).norm() / right.norm());
    }
  }
  return result;
}

template DropoutAverage<float> dropout_average<float>(In<float>, In<float>, In<float>, double,
                                                      Index, std::uint64_t);
template DropoutAverage<double> dropout_average<double>(In<double>, In<double>, In<double>, double,
                                                        Index, std::uint64_t);

}  // namespace attn
