#include "attn/mixers/pair_memory.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "attn/attention/attention.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "attn/mixers/matrix_state.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/mixers/wkv.hpp"

namespace attn {
namespace {

/// Queries, keys of a repeated draw and gates come from streams of their own, so that a knob
/// changes only what it is about.
enum Stream : std::uint64_t { kKeys = 0, kValues = 1, kNoise = 2, kGates = 3 };
constexpr Index kChunk = 32;
/// RWKV-4 has no decay of exactly 1: e^{−e^x} < 1. This is 1 in float32.
constexpr double kLeastFading = 1e-9;
/// Cosines that differ by less are equal. Two values under one key come back as their mean, and
/// what tells them apart is rounding and the little that leaks in from other keys: 10⁻⁵ … 10⁻².
constexpr double kTie = 1e-2;

void require_range(const char* name, double value, double least, double most) {
  if (value >= least && value <= most) return;
  throw ValueError(name, phrase::number(value), phrase::range(least, most));
}

void require_memory(std::string_view memory) {
  if (std::find(kPairMemories.begin(), kPairMemories.end(), memory) != kPairMemories.end()) return;
  throw ValueError(
      "memory", phrase::quoted(memory),
      phrase::one_of(std::vector<std::string>(kPairMemories.begin(), kPairMemories.end())));
}

bool writes_delta(std::string_view memory) {
  return memory == "delta_rule" || memory == "gated_delta_rule";
}

/// How a memory with a matrix for its state fades and is written.
template <typename T>
struct PairGates {
  /// n×d_k: what is left of each row of the state; n×1: what the value is multiplied by.
  Matrix<T> kept, written;
};

template <typename T>
PairGates<T> pair_gates(std::string_view memory, Index n, Index d_k, double decay,
                        std::uint64_t seed) {
  PairGates<T> made{Matrix<T>::Ones(n, d_k), Matrix<T>::Ones(n, 1)};
  Rng rng(seed, kGates);
  const bool steady = memory == "retention" || memory == "gated_delta_rule";
  const bool by_key = memory == "gla", by_token = memory == "mamba2";
  for (Index t = 0; t < n && (steady || by_key || by_token); ++t) {
    double power = 1;
    for (Index c = 0; c < d_k; ++c) {
      if (by_key || (by_token && c == 0)) power = 0.5 + rng.uniform();
      made.kept(t, c) = static_cast<T>(std::pow(decay, power));
    }
    if (by_token) made.written(t, 0) = static_cast<T>(power);
  }
  return made;
}

double softmax_scale(Index d) { return 4 * std::sqrt(static_cast<double>(d)); }

template <typename T>
Vector<T> time_decay(double decay, Index d) {
  return Vector<T>::Constant(d, static_cast<T>(std::log(std::max(-std::log(decay), kLeastFading))));
}

/// RWKV-4's answer to every question: one row.
template <typename T>
Matrix<T> average(const WkvState<T>& state) {
  return (state.p.array() / state.q.array()).matrix().transpose();
}

}  // namespace

template <typename T>
PairStream<T> pair_stream(const PairStreamOptions& options) {
  const auto [pairs, width, noise, repeats, seed] = options;
  const auto wide = [](Index x) { return static_cast<double>(x); };
  require_range("pairs", wide(pairs), 1, wide(kMaxPairs));
  require_range("width", wide(width), 1, wide(kMaxPairWidth));
  require_range("noise", noise, 0, 10);
  require_range("repeats", wide(repeats), 0, wide(pairs / 2));
  PairStream<T> made;
  made.keys = Rng(seed, kKeys).gaussian_matrix<T>(pairs, width);
  made.keys.rowwise().normalize();
  made.first.resize(static_cast<std::size_t>(pairs));
  for (Index t = 0; t < pairs; ++t) {
    const Index from = t < pairs - repeats ? t : t - (pairs - repeats);
    made.first[static_cast<std::size_t>(t)] = from;
    if (from != t) made.keys.row(t) = made.keys.row(from).eval();
  }
  made.values = Rng(seed, kValues).gaussian_matrix<T>(pairs, width).unaryExpr([](T x) {
    return x < 0 ? T(-1) : T(1);
  });
  const T size = static_cast<T>(noise / std::sqrt(wide(width)));
  made.queries = made.keys + size * Rng(seed, kNoise).gaussian_matrix<T>(pairs, width);
  return made;
}

template <typename T>
PairMemoryTrace<T> pair_memory_trace(std::string_view memory, const PairStreamOptions& stream,
                                     const PairMemoryOptions& options) {
  require_memory(memory);
  require_range("decay", options.decay, 0.01, 1);
  const PairStream<T> x = pair_stream<T>(stream);
  const Index n = stream.pairs, d = stream.width;
  const bool softmax = memory == "softmax", rwkv = memory == "rwkv4";
  const bool delta = writes_delta(memory);
  PairMemoryTrace<T> made;
  made.state_rows = softmax ? n : rwkv ? 2 : d;
  made.numbers = softmax ? 2 * n * d : rwkv ? 3 * d : d * d;
  made.states = Matrix<T>::Zero(n * made.state_rows, softmax ? 2 * d : d);
  made.kept = made.written = made.states;
  made.answers = Matrix<T>::Zero(n * n, d);
  made.wanted.assign(static_cast<std::size_t>(n * n), -1);
  made.found.assign(static_cast<std::size_t>(n * n), kNoValue);
  made.cosine = Matrix<T>::Zero(n, n);
  made.margin = Matrix<T>::Zero(n, n);

  // Written out token by token, as the formulas are, because the first thing that a page draws
  // should not need the chunked forms; the tests hold both to each other.
  const PairGates<T> gates = pair_gates<T>(memory, n, d, options.decay, stream.seed);
  const auto dot = [d](const T* a, const T* b) {
    T sum = 0;
    for (Index c = 0; c < d; ++c) sum += a[c] * b[c];
    return sum;
  };
  const auto row = [](const Matrix<T>& from, Index i) { return from.data() + i * from.cols(); };
  std::vector<T> weights(static_cast<std::size_t>(n)), cosines(static_cast<std::size_t>(n));
  const Index size = made.state_rows * made.states.cols();
  Index keys = 0;
  for (Index t = 0; t < n; ++t) {
    T* state = made.states.data() + t * size;
    const T *k = row(x.keys, t), *v = row(x.values, t);
    keys += x.first[static_cast<std::size_t>(t)] == t;
    if (t > 0) std::copy_n(state - size, size, state);
    if (rwkv) {
      for (Index i = 0; i < size; ++i) state[i] *= static_cast<T>(options.decay);
    } else if (!softmax) {
      for (Index c = 0; c < d; ++c) {
        for (Index e = 0; e < d; ++e) state[c * d + e] *= gates.kept(t, c);
      }
    }
    std::copy_n(state, size, made.kept.data() + t * size);
    if (softmax) {
      std::copy_n(k, d, state + 2 * t * d);
      std::copy_n(v, d, state + (2 * t + 1) * d);
    } else if (rwkv) {
      for (Index c = 0; c < d; ++c) {
        const T e = std::exp(k[c]);
        state[c] += e * v[c];
        state[d + c] += e;
      }
    } else {
      for (Index e = 0; e < d; ++e) {
        T write = gates.written(t, 0) * v[e];
        for (Index c = 0; delta && c < d; ++c) write -= k[c] * state[c * d + e];
        // The column is read before it changes.
        for (Index c = 0; c < d; ++c) state[c * d + e] += k[c] * write;
      }
    }
    for (Index i = 0; i < size; ++i) {
      made.written.data()[t * size + i] = state[i] - made.kept.data()[t * size + i];
    }
    Index right = 0;
    for (Index j = 0; j <= t; ++j) {
      const auto at = static_cast<std::size_t>(t * n + j);
      T* answer = made.answers.data() + static_cast<Index>(at) * d;
      const T* q = row(x.queries, j);
      if (softmax) {
        T top = -std::numeric_limits<T>::infinity(), total = 0;
        for (Index i = 0; i <= t; ++i) {
          const T score = static_cast<T>(softmax_scale(d)) * dot(q, row(x.keys, i));
          weights[static_cast<std::size_t>(i)] = score;
          top = std::max(top, score);
        }
        for (Index i = 0; i <= t; ++i) {
          T& weight = weights[static_cast<std::size_t>(i)];
          weight = std::exp(weight - top);
          total += weight;
        }
        for (Index i = 0; i <= t; ++i) {
          const T weight = weights[static_cast<std::size_t>(i)] / total;
          for (Index c = 0; c < d; ++c) answer[c] += weight * row(x.values, i)[c];
        }
      } else if (rwkv) {
        for (Index c = 0; c < d; ++c) answer[c] = state[c] / state[d + c];
      } else {
        for (Index c = 0; c < d; ++c) {
          for (Index e = 0; e < d; ++e) answer[e] += q[c] * state[c * d + e];
        }
      }
      Index wanted = j;
      for (Index later = j + 1; later <= t; ++later) {
        if (x.first[static_cast<std::size_t>(later)] == x.first[static_cast<std::size_t>(j)]) {
          wanted = later;
        }
      }
      made.wanted[at] = wanted;
      const T length = std::sqrt(dot(answer, answer) * static_cast<T>(d));
      if (!(length > 0)) continue;
      for (Index i = 0; i < n; ++i) {
        cosines[static_cast<std::size_t>(i)] = dot(row(x.values, i), answer) / length;
      }
      // Where two pairs have the same value, the wanted one is named.
      Index best = wanted;
      for (Index i = 0; i < n; ++i) {
        if (cosines[static_cast<std::size_t>(i)] > cosines[static_cast<std::size_t>(best)])
          best = i;
      }
      T next = -1;
      Index second = best;
      for (Index i = 0; i < n; ++i) {
        if (std::equal(row(x.values, i), row(x.values, i) + d, row(x.values, best))) continue;
        if (cosines[static_cast<std::size_t>(i)] > next) {
          next = cosines[static_cast<std::size_t>(i)];
          second = i;
        }
      }
      const bool tie = cosines[static_cast<std::size_t>(best)] - next < static_cast<T>(kTie);
      const auto key = [&](Index i) { return x.first[static_cast<std::size_t>(i)]; };
      const bool own = key(best) == key(j) && key(second) == key(j);
      made.found[at] = !tie ? best : own ? kBothValues : kTwoValues;
      made.cosine(t, j) = cosines[static_cast<std::size_t>(wanted)];
      made.margin(t, j) = cosines[static_cast<std::size_t>(best)] - next;
      right += !tie && best == wanted && x.first[static_cast<std::size_t>(j)] == j;
    }
    made.right.push_back(static_cast<double>(right) / static_cast<double>(keys));
  }
  return made;
}

namespace internal {

template <typename T>
Matrix<T> pair_memory_answers(std::string_view memory, In<T> K, In<T> V, In<T> queries,
                              double decay, std::uint64_t seed) {
  require_memory(memory);
  require_range("decay", decay, 0.01, 1);
  if (memory == "softmax") {
    AttentionOptions<T> how;
    how.scale = softmax_scale(K.cols());
    return attention<T>(queries, K, V, how).output;
  }
  if (memory == "rwkv4") {
    const Index d = V.cols();
    // Keys have another width than channels may have: every token weighs the same.
    const auto state =
        wkv<T>(Matrix<T>::Zero(V.rows(), d), V, time_decay<T>(decay, d), Vector<T>::Zero(d).eval())
            .state;
    return average(state).replicate(queries.rows(), 1);
  }
  const PairGates<T> made = pair_gates<T>(memory, K.rows(), K.cols(), decay, seed);
  MatrixStateOptions how;
  how.chunk = kChunk;
  if (writes_delta(memory)) how.write = StateWrite::kDelta;
  MatrixStateGates<T> gates;
  gates.log_decay = Matrix<T>(made.kept.array().log().matrix());
  const Matrix<T> written = made.written.asDiagonal() * V;
  const Matrix<T> S = matrix_state<T>(K, K, written, gates, how).state;
  return queries * S;
}

}  // namespace internal

#define ATTN_INSTANTIATE(T)                                                                    \
  template PairStream<T> pair_stream<T>(const PairStreamOptions&);                             \
  template PairMemoryTrace<T> pair_memory_trace<T>(std::string_view, const PairStreamOptions&, \
                                                   const PairMemoryOptions&);                  \
  template Matrix<T> internal::pair_memory_answers<T>(std::string_view, In<T>, In<T>, In<T>,   \
                                                      double, std::uint64_t);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
