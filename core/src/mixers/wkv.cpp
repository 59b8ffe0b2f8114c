#include "attn/mixers/wkv.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "attn/base/errors.hpp"
#include "attn/mixers/phrases.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

/// Stands for −∞ where a difference of two of them must be 0 and not NaN.
template <typename T>
constexpr T kNothingYet = static_cast<T>(-1e38);

template <typename T>
void require_arguments(In<T> K, In<T> V, InVector<T> time_decay, InVector<T> u) {
  if (K.size() == 0) {
    throw ShapeError("K", phrase::shape(K.rows(), K.cols()), phrase::row_and_column);
  }
  require_shape<T>("V", V, K.rows(), K.cols(), phrase::shape_of_keys);
  require_shape<T>("time_decay", time_decay.transpose(), 1, K.cols(), phrase::entry_each_channel);
  require_shape<T>("u", u.transpose(), 1, K.cols(), phrase::entry_each_channel);
  require_finite<T>("K", K);
  require_finite<T>("V", V);
  require_finite<T>("time_decay", time_decay.transpose());
  require_finite<T>("u", u.transpose());
}

/// One channel's memory, and how a key enters it.
template <typename T>
struct Channel {
  T p = 0, q = 0, o = kNothingYet<T>;

  /// What the memory and a key of exponent `key` weigh beside each other; `largest` is taken off
  /// both exponents.
  struct Weights {
    T memory, key, largest;
  };
  static Weights weigh(T memory, T key) {
    const T largest = std::max(memory, key);
    return {std::exp(memory - largest), std::exp(key - largest), largest};
  }

  void write(T w, T k, T v) {
    const Weights by = weigh(w + o, k);
    p = by.memory * p + by.key * v;
    q = by.memory * q + by.key;
    o = by.largest;
  }
};

}  // namespace

template <typename T>
WkvState<T> WkvState<T>::zero(Index d) {
  return {Vector<T>::Zero(d), Vector<T>::Zero(d), Vector<T>::Constant(d, kNothingYet<T>)};
}

template <typename T>
WkvResult<T> wkv(In<T> K, In<T> V, InVector<T> time_decay, InVector<T> u,
                 const WkvState<std::type_identity_t<T>>* initial) {
  require_arguments<T>(K, V, time_decay, u);
  const Index n = K.rows(), d = K.cols();
  WkvResult<T> result{Matrix<T>(n, d), WkvState<T>::zero(d)};
  if (initial != nullptr) {
    const Vector<T>* parts[] = {&initial->p, &initial->q, &initial->o};
    const char* names[] = {"initial.p", "initial.q", "initial.o"};
    for (int i = 0; i < 3; ++i) {
      require_shape<T>(names[i], parts[i]->transpose(), 1, d, phrase::entry_each_channel);
      require_finite<T>(names[i], parts[i]->transpose());
    }
    result.state = *initial;
  }
  for (Index c = 0; c < d; ++c) {
    Channel<T> memory{result.state.p(c), result.state.q(c), result.state.o(c)};
    const T w = -std::exp(time_decay(c));
    for (Index t = 0; t < n; ++t) {
      const auto by = Channel<T>::weigh(memory.o, u(c) + K(t, c));
      result.output(t, c) =
          (by.memory * memory.p + by.key * V(t, c)) / (by.memory * memory.q + by.key);
      memory.write(w, K(t, c), V(t, c));
    }
    result.state.p(c) = memory.p;
    result.state.q(c) = memory.q;
    result.state.o(c) = memory.o;
  }
  const std::uint64_t all = internal::wide(K.size());
  internal::note<T>({.multiply_adds = 6 * all, .exps = 4 * all, .read = 2 * all, .written = all});
  return result;
}

template <typename T>
WkvGradients<T> wkv_backward(In<T> K, In<T> V, InVector<T> time_decay, InVector<T> u, In<T> dO) {
  require_arguments<T>(K, V, time_decay, u);
  const Index n = K.rows(), d = K.cols();
  require_shape<T>("dO", dO, n, d, phrase::shape_of_output);
  require_finite<T>("dO", dO);
  WkvGradients<T> made{Matrix<T>(n, d), Matrix<T>(n, d), Vector<T>(d), Vector<T>(d)};
  // Of each token: its output, one over its denominator, and the exponent of e^{u + k} after the
  // largest was taken off. The names follow the reference kernel.
  Vector<T> y(n), z(n), exponent(n);
  for (Index c = 0; c < d; ++c) {
    const T w = -std::exp(time_decay(c));
    Channel<T> memory;
    T dw = 0, du = 0, dp_dw = 0, dq_dw = 0;
    for (Index t = 0; t < n; ++t) {
      const T k = K(t, c), v = V(t, c), g = dO(t, c);
      const auto read = Channel<T>::weigh(memory.o, u(c) + k);
      z(t) = 1 / (read.memory * memory.q + read.key);
      y(t) = (read.memory * memory.p + read.key * v) * z(t);
      exponent(t) = u(c) + k - read.largest;
      dw += g * (dp_dw - dq_dw * y(t)) * z(t) * read.memory;
      du += g * (v - y(t)) * read.key * z(t);
      const T fade = Channel<T>::weigh(w + memory.o, k).memory;
      dp_dw = fade * (memory.p + dp_dw);
      dq_dw = fade * (memory.q + dq_dw);
      memory.write(w, k, v);
    }
    // w = −e^{time_decay}
    made.d_time_decay(c) = dw * w;
    made.du(c) = du;
    // From the end: the gradients by p and q, divided by e^o.
    T dp = 0, dq = 0, o = kNothingYet<T>;
    for (Index t = n - 1; t >= 0; --t) {
      const T k = K(t, c), v = V(t, c), g = dO(t, c);
      const T now = g * z(t) * std::exp(exponent(t)), later = std::exp(k + o);
      made.dK(t, c) = now * (v - y(t)) + later * (dp * v + dq);
      made.dV(t, c) = now + later * dp;
      const auto by = Channel<T>::weigh(w + o, exponent(t) - k - u(c));
      const T weight = g * z(t) * by.key;
      dp = by.memory * dp + weight;
      dq = by.memory * dq - weight * y(t);
      o = by.largest;
    }
  }
  const std::uint64_t all = internal::wide(K.size());
  internal::note<T>(
      {.multiply_adds = 24 * all, .exps = 10 * all, .read = 6 * all, .written = 2 * all});
  return made;
}

template <typename T>
Matrix<T> wkv_weights(InVector<T> keys, double time_decay, double u) {
  const Index n = keys.size();
  if (n < 1) throw ShapeError("keys", phrase::empty, phrase::at_least_one);
  require_finite<T>("keys", keys.transpose());
  for (const auto& [name, value] : {std::pair{"time_decay", time_decay}, std::pair{"u", u}}) {
    if (!std::isfinite(value)) {
      throw ValueError(name, phrase::number(value), phrase::finite_number);
    }
  }
  const double w = -std::exp(time_decay);
  Matrix<T> weights = Matrix<T>::Zero(n, n);
  Vector<double> exponents(n);
  for (Index t = 0; t < n; ++t) {
    for (Index i = 0; i <= t; ++i) {
      exponents(i) =
          static_cast<double>(keys(i)) + (i == t ? u : static_cast<double>(t - 1 - i) * w);
    }
    const double largest = exponents.head(t + 1).maxCoeff();
    const Vector<double> row = (exponents.head(t + 1).array() - largest).exp();
    weights.row(t).head(t + 1) = (row / row.sum()).transpose().template cast<T>();
  }
  return weights;
}

#define ATTN_INSTANTIATE(T)                                                                 \
  template struct WkvState<T>;                                                              \
  template WkvResult<T> wkv<T>(In<T>, In<T>, InVector<T>, InVector<T>, const WkvState<T>*); \
  template WkvGradients<T> wkv_backward<T>(In<T>, In<T>, InVector<T>, InVector<T>, In<T>);  \
  template Matrix<T> wkv_weights<T>(InVector<T>, double, double);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
