#include "attn/mixers/matrix_state.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "attn/base/errors.hpp"
#include "attn/mixers/phrases.hpp"
#include "base/product.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

using internal::add_product_tn;
using internal::note;
using internal::product_nn;
using internal::product_nt;
using internal::wide;

/// e^x is 0 below this in float64, and in float32 long before. Sums of logarithms that are cut here
/// stay small enough for their differences to be exact to the last digits of float64.
constexpr double kLogOfZero = -800;

/// Queries and keys as the recurrence takes them, and what making them so divided by.
template <typename T>
struct Prepared {
  /// n×d_k: normalised where that is asked for; q times scale.
  Matrix<T> q, k;
  /// n: 1/√(Σx² + ε) of each row; empty unless normalised.
  Vector<T> q_norm, k_norm;
  T scale = 1;
};

template <typename T>
Vector<T> reciprocal_norms(In<T> X) {
  note<T>({.multiply_adds = wide(X.size()), .read = wide(X.size()), .written = wide(X.rows())});
  return (X.rowwise().squaredNorm().array() + static_cast<T>(kL2NormEpsilon)).rsqrt();
}

template <typename T>
Prepared<T> prepare(In<T> Q, In<T> K, const MatrixStateOptions& options) {
  Prepared<T> made;
  made.scale = static_cast<T>(options.scale.value_or(1 / std::sqrt(static_cast<double>(Q.cols()))));
  made.q = Q;
  made.k = K;
  if (options.l2_normalize) {
    made.q_norm = reciprocal_norms<T>(Q);
    made.k_norm = reciprocal_norms<T>(K);
    made.q.array().colwise() *= made.q_norm.array();
    made.k.array().colwise() *= made.k_norm.array();
  }
  made.q *= made.scale;
  note<T>({.read = wide(Q.size() + K.size()), .written = wide(Q.size() + K.size())});
  return made;
}

template <typename T>
void require_arguments(In<T> Q, In<T> K, In<T> V, const MatrixStateGates<T>& gates,
                       const MatrixStateOptions& options, const Matrix<T>* initial) {
  require_qkv<T>(Q, K, V);
  const Index n = Q.rows(), d_k = Q.cols();
  require_shape<T>("K", K, n, d_k, phrase::key_each_query);
  if (gates.log_decay.size() > 0) {
    const Matrix<T>& g = *gates.log_decay;
    if (g.rows() != n || (g.cols() != 1 && g.cols() != d_k)) {
      throw ShapeError("log_decay", phrase::shape(g.rows(), g.cols()), phrase::decay_shape);
    }
    require_finite<T>("log_decay", g);
    for (Index i = 0; i < n; ++i) {
      for (Index c = 0; c < g.cols(); ++c) {
        if (g(i, c) > 0) {
          throw ValueError("log_decay", phrase::at_cell(g(i, c), i, c), phrase::decay_at_most_zero);
        }
      }
    }
  }
  if (gates.beta.size() > 0) {
    if (options.write != StateWrite::kDelta) {
      throw ValueError("beta", phrase::given, phrase::only_delta_has_beta);
    }
    require_shape<T>("beta", *gates.beta, n, 1, phrase::beta_each_token);
    require_finite<T>("beta", *gates.beta);
  }
  if (options.scale && !std::isfinite(static_cast<T>(*options.scale))) {
    throw ValueError("scale", phrase::number(*options.scale), phrase::finite_number);
  }
  if (options.chunk < 1) {
    throw ValueError("chunk", phrase::number(options.chunk), phrase::at_least(1));
  }
  if (initial != nullptr) {
    require_shape<T>("initial", *initial, d_k, V.cols(), phrase::state_dk_by_dv);
    require_finite<T>("initial", *initial);
  }
}

/// The gates with what a caller may leave out filled in.
template <typename T>
struct Gates {
  const MatrixStateGates<T>& given;
  /// How many columns the decay has: 0 without one, 1 for the whole state, d_k for its rows.
  Index width = given.log_decay.size() > 0 ? given.log_decay->cols() : 0;

  double log_decay(Index token, Index c) const {
    const Matrix<T>& g = *given.log_decay;
    return std::max(static_cast<double>(g(token, width == 1 ? 0 : c)), kLogOfZero);
  }
  T beta(Index token) const { return given.beta.size() > 0 ? given.beta(token, 0) : T{1}; }

  /// diag(e^g) S of one token.
  void decay(Index token, Matrix<T>& S) const {
    for (Index c = 0; c < S.rows() && width > 0; ++c) {
      S.row(c) *= static_cast<T>(std::exp(log_decay(token, c)));
    }
  }
};

/// A piece of the sequence that is worked on together. Its matrices are made once and used again
/// for every chunk.
template <typename T>
class Chunk {
 public:
  Chunk(const Prepared<T>& inputs, const Gates<T>& gates, StateWrite write, Index d_v, Index most)
      : inputs_(inputs),
        gates_(gates),
        write_(write),
        d_k_(inputs.q.cols()),
        width_(gates.width),
        logs_(most, width_),
        pairs_(most, most),
        faded_(most, d_k_),
        u_(most, d_v),
        read_(most, d_v) {
    if (write == StateWrite::kDelta) overlaps_.resize(most, most);
  }

  /// Tokens first … first + size − 1: sums of the logarithms, and for each pair j ≤ t of them
  /// Σ_c q_tc k_jc e^{g_(j+1)c + … + g_tc}.
  void look_at(Index first, Index size) {
    first_ = first;
    size_ = size;
    if (width_ > 0) {
      for (Index t = 0; t < size; ++t) {
        for (Index c = 0; c < width_; ++c) {
          logs_(t, c) = (t == 0 ? 0 : logs_(t - 1, c)) + gates_.log_decay(first + t, c);
        }
      }
    }
    fill_pairs(inputs_.q, 0, pairs_);
    if (write_ == StateWrite::kDelta) fill_pairs(inputs_.k, 1, overlaps_);
  }

  /// What each token writes: v, or what the delta rule leaves of it from state S on. `written()`.
  void write(In<T> V, In<T> S, bool from_zeros) {
    auto u = u_.topRows(size_);
    u = V;
    if (write_ == StateWrite::kAdd) return;
    if (!from_zeros) {
      fade(inputs_.k);
      product_nn<T>(faded_.topRows(size_), S, read_.topRows(size_));
      u -= read_.topRows(size_);
    }
    for (Index t = 0; t < size_; ++t) {
      if (t > 0) u.row(t).noalias() -= overlaps_.row(t).head(t) * u.topRows(t);
      u.row(t) *= gates_.beta(first_ + t);
    }
    note<T>({.multiply_adds = wide(size_) * wide(size_ - 1) / 2 * wide(u.cols()),
             .read = wide(size_ * (size_ + u.cols())),
             .written = wide(u.size())});
  }

  /// The outputs from state S on, after `write`.
  void output(In<T> S, bool from_zeros, Eigen::Ref<Matrix<T>> out) {
    product_nn<T>(pairs_.topLeftCorner(size_, size_), u_.topRows(size_), out);
    if (from_zeros) return;
    fade(inputs_.q);
    product_nn<T>(faded_.topRows(size_), S, read_.topRows(size_));
    out += read_.topRows(size_);
  }

  /// S after the chunk's last token, after `write`.
  void advance(Matrix<T>& S) {
    auto faded = faded_.topRows(size_);
    faded = inputs_.k.middleRows(first_, size_);
    if (width_ > 0) {
      const Index last = size_ - 1;
      for (Index t = 0; t < size_; ++t) {
        for (Index c = 0; c < d_k_; ++c) {
          faded(t, c) *= static_cast<T>(std::exp(log_sum(last, c) - log_sum(t, c)));
        }
      }
      for (Index c = 0; c < d_k_; ++c) S.row(c) *= static_cast<T>(std::exp(log_sum(last, c)));
      note<T>({.exps = wide((size_ + 1) * (width_ == 1 ? 1 : d_k_)),
               .read = wide(S.size() + faded.size()),
               .written = wide(S.size() + faded.size())});
    }
    add_product_tn<T>(faded, u_.topRows(size_), S);
  }

  Eigen::Block<Matrix<T>> pairs() { return pairs_.topLeftCorner(size_, size_); }
  Eigen::Block<Matrix<T>> written() { return u_.topLeftCorner(size_, u_.cols()); }

 private:
  double log_sum(Index t, Index c) const { return logs_(t, width_ == 1 ? 0 : c); }

  /// The rows of X that this chunk has, faded from the chunk's start on, into `faded_`.
  void fade(const Matrix<T>& X) {
    auto faded = faded_.topRows(size_);
    faded = X.middleRows(first_, size_);
    if (width_ == 0) return;
    for (Index t = 0; t < size_; ++t) {
      for (Index c = 0; c < d_k_; ++c) faded(t, c) *= static_cast<T>(std::exp(log_sum(t, c)));
    }
    note<T>({.exps = wide(size_ * (width_ == 1 ? 1 : d_k_)),
             .read = wide(faded.size()),
             .written = wide(faded.size())});
  }

  /// Products of the rows of X with earlier keys, faded; zeros from `apart` left of the diagonal
  /// on.
  void fill_pairs(const Matrix<T>& X, Index apart, Matrix<T>& pairs) {
    const auto x = X.middleRows(first_, size_);
    const auto k = inputs_.k.middleRows(first_, size_);
    auto all = pairs.topLeftCorner(size_, size_);
    const std::uint64_t count = wide(size_) * wide(size_ + 1 - 2 * apart) / 2;
    if (width_ <= 1) {
      product_nt<T>(x, k, all);
      for (Index t = 0; t < size_; ++t) {
        for (Index j = 0; j + apart <= t && width_ == 1; ++j) {
          all(t, j) *= static_cast<T>(std::exp(logs_(t, 0) - logs_(j, 0)));
        }
      }
    } else {
      for (Index t = 0; t < size_; ++t) {
        for (Index j = 0; j + apart <= t; ++j) {
          T sum = 0;
          for (Index c = 0; c < d_k_; ++c) {
            sum += x(t, c) * k(j, c) * static_cast<T>(std::exp(logs_(t, c) - logs_(j, c)));
          }
          all(t, j) = sum;
        }
      }
      note<T>({.multiply_adds = count * wide(d_k_), .read = wide(x.size() + k.size())});
    }
    for (Index t = 0; t < size_; ++t) {
      const Index kept = std::max<Index>(t + 1 - apart, 0);
      all.row(t).tail(size_ - kept).setZero();
    }
    note<T>({.exps = width_ == 0 ? 0 : count * wide(width_), .written = wide(all.size())});
  }

  const Prepared<T>& inputs_;
  const Gates<T>& gates_;
  StateWrite write_;
  Index d_k_, width_, first_ = 0, size_ = 0;
  /// Sums of the logarithms from the chunk's first token on, in float64.
  Matrix<double> logs_;
  Matrix<T> pairs_, overlaps_, faded_, u_, read_;
};

/// One token's step of the recurrence, on S: what `matrix_state_backward` goes back through.
template <typename T>
void step(const Gates<T>& gates, const Prepared<T>& inputs, In<T> V, StateWrite write, Index token,
          Matrix<T>& S) {
  gates.decay(token, S);
  const auto k = inputs.k.row(token);
  if (write == StateWrite::kAdd) {
    S.noalias() += k.transpose() * V.row(token);
    return;
  }
  const Matrix<T> u = gates.beta(token) * (V.row(token) - k * S);
  S.noalias() += k.transpose() * u;
}

/// The gradient by a row x, given that by x·r with r = 1/√(Σx² + ε).
template <typename T>
void through_norm(In<T> X, const Vector<T>& norms, Matrix<T>& dX) {
  if (norms.size() == 0) return;
  for (Index i = 0; i < X.rows(); ++i) {
    const T r = norms(i);
    const T along = r * r * X.row(i).dot(dX.row(i));
    dX.row(i) = r * (dX.row(i) - along * X.row(i));
  }
}

}  // namespace

template <typename T>
MatrixStateResult<T> matrix_state(In<T> Q, In<T> K, In<T> V,
                                  const MatrixStateGates<std::type_identity_t<T>>& gates,
                                  const MatrixStateOptions& options,
                                  const Matrix<std::type_identity_t<T>>* initial) {
  require_arguments<T>(Q, K, V, gates, options, initial);
  const Index n = Q.rows(), size = std::min(options.chunk, n);
  const Prepared<T> inputs = prepare<T>(Q, K, options);
  MatrixStateResult<T> result{Matrix<T>(n, V.cols()), Matrix<T>::Zero(Q.cols(), V.cols())};
  if (initial != nullptr) result.state = *initial;
  const Gates<T> filled{gates};
  Chunk<T> chunk(inputs, filled, options.write, V.cols(), size);
  for (Index first = 0; first < n; first += size) {
    const Index here = std::min(size, n - first);
    const bool from_zeros = first == 0 && initial == nullptr;
    chunk.look_at(first, here);
    chunk.write(V.middleRows(first, here), result.state, from_zeros);
    chunk.output(result.state, from_zeros, result.output.middleRows(first, here));
    chunk.advance(result.state);
  }
  return result;
}

template <typename T>
Matrix<T> matrix_state_weights(In<T> Q, In<T> K,
                               const MatrixStateGates<std::type_identity_t<T>>& gates,
                               const MatrixStateOptions& options) {
  const Index n = Q.rows();
  // There are no values here; the keys pass for them.
  require_arguments<T>(Q, K, K, gates, options, nullptr);
  const Prepared<T> inputs = prepare<T>(Q, K, options);
  const bool delta = options.write == StateWrite::kDelta;
  const Gates<T> filled{gates};
  Chunk<T> chunk(inputs, filled, options.write, delta ? n : 0, n);
  chunk.look_at(0, n);
  if (!delta) return chunk.pairs();
  // The output of values that are the identity is the matrix itself.
  chunk.write(Matrix<T>::Identity(n, n), Matrix<T>(Q.cols(), n), true);
  return product_nn<T>(chunk.pairs(), chunk.written());
}

template <typename T>
MatrixStateGradients<T> matrix_state_backward(
    In<T> Q, In<T> K, In<T> V, In<T> dO, const MatrixStateGates<std::type_identity_t<T>>& gates,
    const MatrixStateOptions& options, const Matrix<std::type_identity_t<T>>* initial,
    const Matrix<std::type_identity_t<T>>* dS) {
  require_arguments<T>(Q, K, V, gates, options, initial);
  const Index n = Q.rows(), d_k = Q.cols(), d_v = V.cols();
  require_shape<T>("dO", dO, n, d_v, phrase::shape_of_output);
  require_finite<T>("dO", dO);
  if (dS != nullptr) {
    require_shape<T>("dS", *dS, d_k, d_v, phrase::state_dk_by_dv);
    require_finite<T>("dS", *dS);
  }
  const bool delta = options.write == StateWrite::kDelta;
  const bool decays = gates.log_decay.size() > 0;
  const Prepared<T> inputs = prepare<T>(Q, K, options);
  const Gates<T> filled{gates};
  const Index size = std::min(options.chunk, n);

  // The state before each chunk, then within one chunk the state before each token.
  std::vector<Matrix<T>> before_chunk;
  Matrix<T> S = Matrix<T>::Zero(d_k, d_v);
  if (initial != nullptr) S = *initial;
  const Index last_chunk = (n - 1) / size * size;
  for (Index t = 0; t <= last_chunk; ++t) {
    if (t % size == 0) before_chunk.push_back(S);
    if (t < last_chunk) step<T>(filled, inputs, V, options.write, t, S);
  }
  std::vector<Matrix<T>> before(static_cast<std::size_t>(size) + 1);

  MatrixStateGradients<T> made;
  made.dQ.resize(n, d_k);
  made.dK.resize(n, d_k);
  made.dV.resize(n, d_v);
  if (decays) made.d_log_decay = Matrix<T>::Zero(n, gates.log_decay->cols());
  if (gates.beta.size() > 0) made.d_beta.resize(n, 1);
  Matrix<T> d_state = Matrix<T>::Zero(d_k, d_v);
  if (dS != nullptr) d_state = *dS;
  Matrix<T> decayed(d_k, d_v), error(1, d_v), du(1, d_v), dk(1, d_k);
  const Index chunks = static_cast<Index>(before_chunk.size());
  for (Index at = chunks - 1; at >= 0; --at) {
    const Index first = at * size, here = std::min(size, n - first);
    before[0] = before_chunk[static_cast<std::size_t>(at)];
    for (Index t = 0; t < here; ++t) {
      auto& next = before[static_cast<std::size_t>(t) + 1];
      next = before[static_cast<std::size_t>(t)];
      step<T>(filled, inputs, V, options.write, first + t, next);
    }
    for (Index t = here - 1; t >= 0; --t) {
      const Index token = first + t;
      const Matrix<T>& S_before = before[static_cast<std::size_t>(t)];
      const Matrix<T>& S_after = before[static_cast<std::size_t>(t) + 1];
      const auto q = inputs.q.row(token), k = inputs.k.row(token);
      // output = Sᵀq
      made.dQ.row(token).noalias() = dO.row(token) * S_after.transpose();
      d_state.noalias() += q.transpose() * dO.row(token);
      // S = S' + k uᵀ
      du.noalias() = k * d_state;
      if (!delta) {
        dk.noalias() = V.row(token) * d_state.transpose();
        made.dV.row(token) = du;
      } else {
        // u = β (v − S'ᵀk)
        decayed = S_before;
        filled.decay(token, decayed);
        const T beta = filled.beta(token);
        error.noalias() = V.row(token) - k * decayed;
        dk.noalias() = beta * error * d_state.transpose();
        if (gates.beta.size() > 0) made.d_beta(token, 0) = du.row(0).dot(error.row(0));
        du *= beta;
        made.dV.row(token) = du;
        dk.noalias() -= du * decayed.transpose();
        d_state.noalias() -= k.transpose() * du;
      }
      made.dK.row(token) = dk;
      if (!decays) continue;
      // S' = diag(e^g) S
      filled.decay(token, d_state);
      for (Index c = 0; c < d_k; ++c) {
        made.d_log_decay(token, made.d_log_decay.cols() == 1 ? 0 : c) +=
            d_state.row(c).dot(S_before.row(c));
      }
    }
  }
  made.d_initial = std::move(d_state);
  made.dQ *= inputs.scale;
  through_norm<T>(Q, inputs.q_norm, made.dQ);
  through_norm<T>(K, inputs.k_norm, made.dK);
  const std::uint64_t state = wide(d_k) * wide(d_v);
  note<T>({.multiply_adds = wide(n) * state * (delta ? 12 : 7),
           .exps = decays ? 3 * wide(n) * wide(d_k) : 0,
           .read = wide(n) * state * 8,
           .written = wide(n) * state * 4});
  return made;
}

double retention_log_decay(Index head) {
  if (head < 0) throw ValueError("head", phrase::number(head), phrase::at_least(0));
  return std::log1p(-std::exp2(-5.0 - static_cast<double>(head)));
}

double lightning_log_decay(Index head, Index heads, Index layer, Index layers) {
  if (heads < 1) throw ValueError("heads", phrase::number(heads), phrase::at_least(1));
  if (layers < 1) throw ValueError("layers", phrase::number(layers), phrase::at_least(1));
  if (head < 0 || head >= heads) {
    throw ValueError("head", phrase::number(head), phrase::head_below(heads - 1, heads));
  }
  if (layer < 0 || layer > layers) {
    throw ValueError("layer", phrase::number(layer), phrase::layers_at_most(layers));
  }
  const double slope = 8.0 / static_cast<double>(heads);
  const double depth = 1 - static_cast<double>(layer) / static_cast<double>(layers);
  return -slope * depth * static_cast<double>(head);
}

#define ATTN_INSTANTIATE(T)                                                                      \
  template MatrixStateResult<T> matrix_state<T>(In<T>, In<T>, In<T>, const MatrixStateGates<T>&, \
                                                const MatrixStateOptions&, const Matrix<T>*);    \
  template Matrix<T> matrix_state_weights<T>(In<T>, In<T>, const MatrixStateGates<T>&,           \
                                             const MatrixStateOptions&);                         \
  template MatrixStateGradients<T> matrix_state_backward<T>(                                     \
      In<T>, In<T>, In<T>, In<T>, const MatrixStateGates<T>&, const MatrixStateOptions&,         \
      const Matrix<T>*, const Matrix<T>*);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
