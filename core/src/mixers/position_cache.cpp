#include "attn/mixers/position_cache.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "attn/attention/attention.hpp"
#include "attn/base/errors.hpp"
#include "attn/mixers/phrases.hpp"

namespace attn {
namespace {

constexpr std::int64_t kPositionEnd = std::int64_t{1} << 31;

bool is_rotary(CachePositions positions) {
  return positions == CachePositions::kRotaryInText || positions == CachePositions::kRotaryByPlace;
}

}  // namespace

template <typename T>
PositionCache<T>::PositionCache(Index heads, Index kv_heads, Index d_k, Index d_v,
                                const PositionCacheOptions& options)
    : heads_(heads), kv_heads_(kv_heads), d_k_(d_k), d_v_(d_v), options_(options) {
  const auto require_from = [](std::string_view name, Index x, Index least) {
    if (x < least) throw ValueError(name, phrase::number(x), phrase::at_least(least));
  };
  require_from("heads", heads, 1);
  require_from("kv_heads", kv_heads, 1);
  require_from("d_k", d_k, 1);
  require_from("d_v", d_v, 1);
  if (heads % kv_heads != 0) {
    throw ValueError("kv_heads", phrase::number(kv_heads), phrase::divisor(heads));
  }
  require_from("sinks", options.sinks, 0);
  if (options.window) require_from("window", *options.window, 1);
  if (options.first_position < 0 || options.first_position >= kPositionEnd) {
    throw ValueError("first_position", phrase::number(options.first_position),
                     phrase::position_range);
  }
  attention_scale(options.scale, d_k);
  // Refuses options that do not fit.
  if (is_rotary(options.positions)) rotate<T>(Matrix<T>::Zero(1, d_k), 0, options.rotary);
  if (options.positions == CachePositions::kAlibi) slopes_ = alibi_slopes<double>(heads);
}

template <typename T>
Index PositionCache<T>::slot_of(Index token) const {
  if (!options_.window || token < options_.sinks) return token;
  return options_.sinks + (token - options_.sinks) % *options_.window;
}

template <typename T>
std::vector<Index> PositionCache<T>::kept() const {
  std::vector<Index> tokens;
  const Index first = options_.window ? std::max<Index>(seen_ - *options_.window, 0) : 0;
  for (Index t = 0; t < std::min(options_.sinks, first); ++t) tokens.push_back(t);
  for (Index t = first; t < seen_; ++t) tokens.push_back(t);
  return tokens;
}

template <typename T>
Index PositionCache<T>::size() const {
  return static_cast<Index>(kept().size());
}

template <typename T>
std::vector<Index> PositionCache<T>::slot_positions() const {
  const Index slots = options_.window ? options_.sinks + *options_.window : seen_;
  std::vector<Index> positions(static_cast<std::size_t>(slots), -1);
  for (const Index t : kept()) {
    positions[static_cast<std::size_t>(slot_of(t))] = options_.first_position + t;
  }
  return positions;
}

template <typename T>
std::size_t PositionCache<T>::bytes() const {
  return static_cast<std::size_t>(size() * kv_heads_ * (d_k_ + d_v_)) * sizeof(T);
}

template <typename T>
void PositionCache<T>::require_tokens(In<T> K, In<T> V) const {
  require_shape<T>("K", K, K.rows(), kv_heads_ * d_k_, phrase::widths_of_heads);
  require_shape<T>("V", V, K.rows(), kv_heads_ * d_v_, phrase::widths_of_heads);
  require_finite<T>("K", K);
  require_finite<T>("V", V);
  // In 64 bits, because an Index of 32 bits cannot hold the end.
  if (K.rows() > kPositionEnd - std::int64_t{next_position()}) {
    throw CapacityError("K", phrase::number(next_position() + K.rows() - 1),
                        phrase::position_range);
  }
}

template <typename T>
void PositionCache<T>::store(In<T> K, In<T> V) {
  for (Index t = 0; t < K.rows(); ++t) {
    const Index slot = slot_of(seen_);
    if (slot >= keys_.rows()) {
      const Index most = options_.window ? options_.sinks + *options_.window : 2 * slot + 16;
      const Index rows = std::min(most, 2 * slot + 16);
      keys_.conservativeResize(rows, kv_heads_ * d_k_);
      values_.conservativeResize(rows, kv_heads_ * d_v_);
    }
    for (Index g = 0; g < kv_heads_; ++g) {
      const auto key = K.row(t).segment(g * d_k_, d_k_);
      if (options_.positions == CachePositions::kRotaryInText) {
        keys_.row(slot).segment(g * d_k_, d_k_) =
            rotate<T>(Matrix<T>(key), next_position(), options_.rotary);
      } else {
        keys_.row(slot).segment(g * d_k_, d_k_) = key;
      }
    }
    values_.row(slot) = V.row(t);
    ++seen_;
  }
}

template <typename T>
void PositionCache<T>::append(In<T> K, In<T> V) {
  require_tokens(K, V);
  store(K, V);
}

template <typename T>
PositionAttention<T> PositionCache<T>::decode(In<T> Q, In<T> K, In<T> V) {
  require_tokens(K, V);
  const Index r = K.rows();
  require_shape<T>("Q", Q, r, heads_ * d_k_, phrase::widths_of_heads);
  require_finite<T>("Q", Q);
  AttentionOptions<T> each;
  each.scale = attention_scale(options_.scale, d_k_);
  PositionAttention<T> made;
  made.output.resize(r, heads_ * d_v_);
  std::vector<std::vector<Index>> seen_by;
  std::vector<std::vector<Matrix<T>>> weights(static_cast<std::size_t>(heads_));
  std::size_t most = 0;
  for (Index i = 0; i < r; ++i) {
    store(K.row(i), V.row(i));
    const std::vector<Index> tokens = kept();
    const auto count = static_cast<Index>(tokens.size());
    most = std::max(most, tokens.size());
    for (Index h = 0; h < heads_; ++h) {
      const Index g = h / (heads_ / kv_heads_);
      Matrix<T> keys(count, d_k_), values(count, d_v_), query = Q.row(i).segment(h * d_k_, d_k_);
      for (Index j = 0; j < count; ++j) {
        const Index slot = slot_of(tokens[static_cast<std::size_t>(j)]);
        keys.row(j) = keys_.row(slot).segment(g * d_k_, d_k_);
        values.row(j) = values_.row(slot).segment(g * d_v_, d_v_);
      }
      if (options_.positions == CachePositions::kRotaryByPlace) {
        keys = rotate<T>(keys, 0, options_.rotary);
        query = rotate<T>(query, count - 1, options_.rotary);
      } else if (options_.positions == CachePositions::kRotaryInText) {
        query = rotate<T>(query, next_position() - 1, options_.rotary);
      } else if (options_.positions == CachePositions::kAlibi) {
        Matrix<T> bias(1, count);
        for (Index j = 0; j < count; ++j) {
          const Index distance = seen_ - 1 - tokens[static_cast<std::size_t>(j)];
          bias(0, j) = static_cast<T>(-slopes_(h) * static_cast<double>(distance));
        }
        each.bias = std::move(bias);
      }
      AttentionResult<T> head = attention<T>(query, keys, values, each);
      made.output.row(i).segment(h * d_v_, d_v_) = head.output;
      weights[static_cast<std::size_t>(h)].push_back(std::move(head.weights));
    }
    seen_by.push_back(tokens);
  }
  const auto columns = static_cast<Index>(most);
  made.positions = Matrix<double>::Constant(r, columns, -1);
  for (Index i = 0; i < r; ++i) {
    const std::vector<Index>& tokens = seen_by[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < tokens.size(); ++j) {
      made.positions(i, static_cast<Index>(j)) =
          static_cast<double>(options_.first_position + tokens[j]);
    }
  }
  for (const auto& rows : weights) {
    Matrix<T> all = Matrix<T>::Zero(r, columns);
    for (Index i = 0; i < r; ++i) {
      const Matrix<T>& row = rows[static_cast<std::size_t>(i)];
      all.row(i).head(row.cols()) = row;
    }
    made.weights.push_back(std::move(all));
  }
  return made;
}

template <typename T>
EvictedScores<T> evicted_scores(In<T> Q, In<T> K, const PositionCacheOptions& options,
                                bool count_kept) {
  const Index n = K.rows(), d = K.cols();
  if (K.size() == 0) throw ShapeError("K", phrase::shape(n, d), phrase::row_and_column);
  require_shape<T>("Q", Q, 1, d, phrase::widths_of_heads);
  require_finite<T>("Q", Q);
  const double scale = attention_scale(options.scale, d);
  // Refuses what a cache refuses, keys that are not finite included.
  PositionCache<T> cache(1, 1, d, 1, options);
  cache.append(K, Matrix<T>::Zero(n, 1));
  EvictedScores<T> made;
  const auto first = static_cast<std::int64_t>(options.first_position);
  for (Index t = 0; t < n; ++t) {
    const bool recent = !options.window || t >= n - *options.window;
    if (recent || t < options.sinks) made.positions.push_back(static_cast<Index>(first + t));
  }
  const auto count = static_cast<Index>(made.positions.size());
  const double slope =
      options.positions == CachePositions::kAlibi ? alibi_slopes<double>(1)(0) : 0.0;
  const auto turned = [&](In<T> row, Index place) {
    return is_rotary(options.positions) ? rotate<T>(row, place, options.rotary) : Matrix<T>(row);
  };
  const auto score = [&](Index token, Index key_place, Index query_place) {
    const double dot = turned(Q, query_place)
                           .template cast<double>()
                           .row(0)
                           .dot(turned(K.row(token), key_place).template cast<double>().row(0));
    return static_cast<T>(scale * dot - slope * static_cast<double>(query_place - key_place));
  };
  made.whole.resize(count);
  made.kept.resize(count);
  for (Index place = 0; place < count; ++place) {
    const Index at = made.positions[static_cast<std::size_t>(place)];
    const auto token = static_cast<Index>(at - first);
    const auto last = static_cast<Index>(first + n - 1);
    made.whole(place) = score(token, at, last);
    const bool by_place = options.positions == CachePositions::kRotaryByPlace;
    const Index query = by_place || count_kept ? count - 1 : last;
    made.kept(place) = score(token, by_place ? place : at, query);
  }
  require_finite_scores<T>(Matrix<T>(made.whole.transpose()));
  require_finite_scores<T>(Matrix<T>(made.kept.transpose()));
  const auto weights = [](const Vector<T>& scores) {
    Vector<double> exps = (scores.template cast<double>().array() - scores.maxCoeff()).exp();
    return Vector<double>(exps / exps.sum());
  };
  made.largest_difference = (made.kept - made.whole).cwiseAbs().maxCoeff();
  made.moved = (weights(made.kept) - weights(made.whole)).cwiseAbs().sum() / 2;
  return made;
}

template class PositionCache<float>;
template class PositionCache<double>;
template EvictedScores<float> evicted_scores<float>(In<float>, In<float>,
                                                    const PositionCacheOptions&, bool);
template EvictedScores<double> evicted_scores<double>(In<double>, In<double>,
                                                      const PositionCacheOptions&, bool);

}  // namespace attn
