#include "attn/linear_attention/kernel_trick.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "attn/base/errors.hpp"
#include "attn/linear_attention/phrases.hpp"

namespace attn {
namespace {

double crossover_of(std::uint64_t linear, std::uint64_t standard) {
  return static_cast<double>(linear) / static_cast<double>(standard);
}

}  // namespace

OrderCosts order_costs(std::uint64_t n, std::uint64_t m, std::uint64_t d_k, std::uint64_t d_v,
                       std::uint64_t D) {
  const std::uint64_t sizes[] = {n, m, d_k, d_v, D};
  const char* const names[] = {"n", "m", "d_k", "d_v", "D"};
  for (int i = 0; i < 5; ++i) {
    if (sizes[i] >= 1 && sizes[i] <= kMaxOrderSize) continue;
    throw ValueError(names[i], phrase::number(sizes[i]), phrase::range(1, kMaxOrderSize));
  }
  OrderCosts made;
  made.standard = {{{n, d_k, m}, {n, m, d_v}}, {n, n * m}};
  made.linear = {{{D, m, d_v}, {n, D, d_v}}, {D, (n + m) * D}};
  // The multiply-adds for each cell of n×m, and for each token of n + m.
  const auto count = [&](std::uint64_t cell, std::uint64_t token, bool causal) {
    const std::uint64_t cells = causal ? n * (n + 1) / 2 : n * m;
    OrderCount result{cells * cell, (n + m) * token, 0};
    // The crossover solves n·cell = 2·token, and causal (n + 1)/2·cell = 2·token.
    result.crossover = causal ? crossover_of(4 * token, cell) - 1 : crossover_of(2 * token, cell);
    return result;
  };
  made.plain = count(d_k + d_v, D * d_v, false);
  made.normalized = count(d_k + d_v + 1, D * (d_v + 1), false);
  if (m == n) {
    made.causal = count(d_k + d_v, D * d_v, true);
    made.causal_normalized = count(d_k + d_v + 1, D * (d_v + 1), true);
  }
  return made;
}

template <typename T>
AssociativityTrace<T> associativity_trace(In<T> Q, In<T> K, In<T> V, ProductOrder order,
                                          Index step) {
  require_qkv<T>(Q, K, V);
  const Index n = Q.rows(), m = K.rows(), d_k = Q.cols(), d_v = V.cols();
  const auto require_small = [](const char* argument, Index rows, Index cols) {
    if (rows <= kMaxTraceSize && cols <= kMaxTraceSize) return;
    const Index most = kMaxTraceSize;
    throw CapacityError(argument, phrase::shape(rows, cols), phrase::cell_by_cell(most, most));
  };
  require_small("Q", n, d_k);
  require_small("V", m, d_v);
  const bool standard = order == ProductOrder::kStandard;
  constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();
  AssociativityTrace<T> trace;
  trace.product = standard ? Matrix<T>::Constant(n, m, kNaN) : Matrix<T>::Constant(d_k, d_v, kNaN);
  trace.output = Matrix<T>::Constant(n, d_v, kNaN);
  const Index inner = standard ? d_k : m, output_inner = standard ? m : d_k;
  trace.product_total = trace.product.size() * inner;
  trace.total = trace.product_total + n * d_v * output_inner;
  if (step < 0 || step > trace.total) {
    throw ValueError("step", phrase::number(step), phrase::range(0, trace.total));
  }
  trace.inner = inner;
  trace.multiply_adds = step;
  trace.terms.reserve(static_cast<std::size_t>(kMaxTraceSize));
  Index done = 0;
  const auto fill = [&](Matrix<T>& to, Index terms, bool in_output) {
    for (Index row = 0; row < to.rows(); ++row) {
      for (Index col = 0; col < to.cols(); ++col) {
        if (done == step) return;
        trace.stage = in_output ? TraceStage::kOutput : TraceStage::kProduct;
        trace.row = row;
        trace.col = col;
        trace.inner = terms;
        trace.terms.clear();
        T sum = 0;
        for (Index t = 0; t < terms && done < step; ++t, ++done) {
          T a, b;
          if (in_output) {
            a = standard ? trace.product(row, t) : Q(row, t);
            b = standard ? V(t, col) : trace.product(t, col);
          } else {
            a = standard ? Q(row, t) : K(t, row);
            b = standard ? K(col, t) : V(t, col);
          }
          const T product = a * b;
          sum += product;
          trace.terms.push_back({a, b, product, sum});
        }
        to(row, col) = sum;
      }
    }
  };
  fill(trace.product, inner, false);
  fill(trace.output, output_inner, true);
  return trace;
}

template <typename T>
RecurrentTrace<T> recurrent_trace(In<T> Q, In<T> K, In<T> V,
                                  const FeatureMap<std::type_identity_t<T>>& map, double epsilon,
                                  DenominatorRule rule) {
  require_qkv<T>(Q, K, V);
  require_epsilon<T>(epsilon);
  const Index n = Q.rows(), D = map.dimension(), d_v = V.cols();
  if (K.rows() != n) {
    throw ShapeError("K", phrase::shape(K.rows(), K.cols()),
                     phrase::shape_because(n, K.cols(), phrase::causal_key_each_query));
  }
  if (n > kMaxRecurrentTokens) {
    throw CapacityError("Q", phrase::shape(n, Q.cols()), phrase::at_most_rows(kMaxRecurrentTokens));
  }
  if (static_cast<double>(n) * static_cast<double>(D) * static_cast<double>(d_v) >
      static_cast<double>(kMaxRecurrentNumbers)) {
    throw CapacityError("feature_map", phrase::states_of(n, D, d_v),
                        phrase::fewer_tokens_or_features);
  }
  RecurrentTrace<T> trace;
  trace.feature_dimension = D;
  const Position position{0, n};
  trace.phi_q = map.apply(Q, Role::kQuery, position);
  trace.phi_k = map.apply(K, Role::kKey, position);
  trace.s.setZero(n * D, d_v);
  trace.z.setZero(n, D);
  trace.numerator.setZero(n, d_v);
  trace.sum.setZero(n);
  trace.parallel.setZero(n, d_v);
  trace.output.resize(n, d_v);
  // Plain loops are used, because Eigen's would enlarge the download by more than their speed is
  // worth.
  const auto add = [](T* to, const T* from, Index size, T factor) {
    for (Index k = 0; k < size; ++k) to[k] += factor * from[k];
  };
  for (Index t = 0; t < n; ++t) {
    T *s = trace.s.data() + t * D * d_v, *z = trace.z.data() + t * D;
    const T *phi_q = trace.phi_q.data() + t * D, *phi_k = trace.phi_k.data() + t * D;
    if (t > 0) {
      add(s, s - D * d_v, D * d_v, 1);
      add(z, z - D, D, 1);
    }
    add(z, phi_k, D, 1);
    for (Index f = 0; f < D; ++f) {
      add(s + f * d_v, V.data() + t * V.outerStride(), d_v, phi_k[f]);
      add(trace.numerator.data() + t * d_v, s + f * d_v, d_v, phi_q[f]);
      trace.sum(t) += phi_q[f] * z[f];
    }
  }
  Vector<T> parallel = Vector<T>::Zero(n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) {
      T score = 0;
      for (Index f = 0; f < D; ++f) score += trace.phi_q(i, f) * trace.phi_k(j, f);
      parallel(i) += score;
      add(trace.parallel.data() + i * d_v, V.data() + j * V.outerStride(), d_v, score);
    }
  }
  trace.denominator = trace.sum;
  finish_denominators<T>(trace.phi_q, epsilon, rule, trace.denominator);
  finish_denominators<T>(trace.phi_q, epsilon, rule, parallel);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < d_v; ++k) {
      trace.output(i, k) = trace.numerator(i, k) / trace.denominator(i);
      trace.parallel(i, k) /= parallel(i);
      const double gap = std::abs(static_cast<double>(trace.output(i, k)) -
                                  static_cast<double>(trace.parallel(i, k)));
      // A NaN is kept once it occurs, because every comparison with it is false.
      if (!(gap <= trace.max_difference)) trace.max_difference = gap;
      if (!std::isfinite(gap)) trace.max_difference = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return trace;
}

#define ATTN_INSTANTIATE(T)                                                                        \
  template AssociativityTrace<T> associativity_trace<T>(In<T>, In<T>, In<T>, ProductOrder, Index); \
  template RecurrentTrace<T> recurrent_trace<T>(In<T>, In<T>, In<T>, const FeatureMap<T>&, double, \
                                                DenominatorRule);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
