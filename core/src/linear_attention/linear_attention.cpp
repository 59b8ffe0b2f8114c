#include "attn/linear_attention/linear_attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/attention/attention.hpp"
#include "attn/base/errors.hpp"
#include "attn/linear_attention/phrases.hpp"
#include "base/product.hpp"
#include "cost/meter.hpp"
#include "simd/fused.hpp"

namespace attn {
namespace {

using internal::add_product_tn;
using internal::note;
using internal::note_in_place;
using internal::product_nn;
using internal::product_nt;
using internal::product_tn;
using internal::wide;

constexpr Index kTokensThatPay = 16;

/// Counts the sum of rows or columns with `size` numbers in total.
template <typename T>
void note_sum(Index size) {
  note<T>({.multiply_adds = wide(size), .read = wide(size)});
}

/// y += a·x
template <typename T>
void note_row_added(Index size) {
  note<T>({.multiply_adds = wide(size), .read = 2 * wide(size), .written = wide(size)});
}

/// The settings that follow from the options. Everything is checked except what the feature map
/// checks.
template <typename T>
struct Checked {
  Position position;
  Index valid;
  T epsilon;
  DenominatorRule rule;

  Checked(In<T> Q, In<T> K, In<T> V, const LinearAttentionOptions& options) {
    require_qkv<T>(Q, K, V);
    const Index n = Q.rows(), m = K.rows();
    if (options.causal && n != m) {
      throw ShapeError("K", phrase::shape(m, K.cols()),
                       phrase::shape_because(n, K.cols(), phrase::causal_key_each_query));
    }
    require_epsilon<T>(options.epsilon);
    if (options.chunk < 1) {
      throw ValueError("chunk", phrase::number(options.chunk), phrase::at_least(1));
    }
    valid = options.valid_keys.value_or(m);
    if (valid < 0 || valid > m) {
      throw ValueError("valid_keys", phrase::number(valid), phrase::range(0, m));
    }
    position = options.position;
    // The offset is checked before anything is added to it. Positions have 31 bits, as in
    // `FeatureMap::apply`.
    if (position.offset < 0 || position.offset > 2147483647 - std::max(n, m)) {
      throw ValueError("offset", phrase::number(position.offset), phrase::last_position_range);
    }
    if (position.length == 0) position.length = position.offset + std::max(n, m);
    epsilon = static_cast<T>(options.epsilon);
    rule = options.denominator;
  }
};

/// The settings with φ(Q) and φ(K); the rows of padded keys are 0.
template <typename T>
struct Prepared : Checked<T> {
  using Checked<T>::epsilon;
  using Checked<T>::position;
  using Checked<T>::rule;
  using Checked<T>::valid;
  Matrix<T> phi_q, phi_k;

  Prepared(In<T> Q, In<T> K, In<T> V, const FeatureMap<T>& map,
           const LinearAttentionOptions& options)
      : Checked<T>(Q, K, V, options) {
    phi_q = map.apply(Q, Role::kQuery, position);
    phi_k = key_features<T>(K, map, Mask::full().with_valid_keys(valid), position);
    note_in_place<T>(valid * map.dimension());
  }

  /// Turns φ(q)·z of the `sums.size()` queries from query `first` on into denominators.
  void finish_denominators(Index first, Eigen::Ref<Vector<T>> sums) const {
    attn::finish_denominators<T>(phi_q.middleRows(first, sums.size()), epsilon, rule, sums);
  }
};

template <typename T>
void require_state(const LinearState<T>& state, const FeatureMap<T>& map, Index length, Index d_v) {
  if (!map.streamable(length)) {
    throw ValueError("state", phrase::state_for(map.info().label), phrase::independent_rows);
  }
  require_shape<T>("state.s", state.s, map.dimension(), d_v, phrase::d_by_dv);
  require_shape<T>("state.z", state.z, map.dimension(), 1, phrase::d_entries);
}

template <typename T>
void causal_chunk(Index first, Index size, In<T> V, const Prepared<T>& p, bool normalize,
                  LinearAttentionResult<T>& result) {
  const auto phi_q = p.phi_q.middleRows(first, size);
  const auto phi_k = p.phi_k.middleRows(first, size);
  const auto v = V.middleRows(first, size);
  auto out = result.output.middleRows(first, size);
  LinearState<T>& state = result.state;

  Matrix<T> within = product_nt<T>(phi_q, phi_k);
  for (Index r = 0; r < size; ++r) within.row(r).tail(size - r - 1).setZero();
  product_nn<T>(phi_q, state.s, out);
  out += product_nn<T>(within, v);
  note<T>({.read = 2 * wide(out.size()), .written = wide(out.size())});
  if (normalize) {
    Vector<T> denominator = product_nn<T>(phi_q, state.z);
    denominator += within.rowwise().sum();
    note_sum<T>(within.size());
    p.finish_denominators(first, denominator);
    out.array().colwise() /= denominator.array();
    note_in_place<T>(out.size());
  }
  add_product_tn<T>(phi_k, v, state.s);
  state.z += phi_k.colwise().sum().transpose();
  note_sum<T>(phi_k.size());
}

/// The gradients at one query's output: dN at the numerator, and the gradient at the denominator.
template <typename T>
struct RowGradient {
  Vector<T> numerator;
  T denominator = 0;

  template <typename S, typename Z>
  RowGradient(const S& s, const Z& z, const Eigen::Ref<const Vector<T>>& phi_q,
              const Eigen::Ref<const Vector<T>>& d_out, T epsilon, DenominatorRule rule,
              bool normalize)
      : numerator(d_out) {
    if (!normalize) return;
    T sum = phi_q.dot(z);
    note<T>({.multiply_adds = wide(z.size()), .read = 2 * wide(z.size())});
    const bool constant = rule == DenominatorRule::kClamp && sum < epsilon;
    if (rule == DenominatorRule::kClamp) {
      sum = std::max(sum, epsilon);
    } else {
      sum += rule == DenominatorRule::kAdd ? epsilon : epsilon * phi_q.sum();
    }
    numerator /= sum;
    if (constant) return;
    for (Index k = 0; k < phi_q.size(); ++k) {
      denominator -= phi_q(k) * s.row(k).dot(numerator) / sum;
    }
    note<T>({.multiply_adds = wide(s.size()) + wide(phi_q.size()),
             .read = wide(s.size()) + wide(numerator.size()) + wide(phi_q.size())});
  }
};

}  // namespace

template <typename T>
void require_epsilon(double epsilon) {
  if (std::isfinite(static_cast<T>(epsilon)) && epsilon >= 0) return;
  throw ValueError("epsilon", phrase::number(epsilon), phrase::number_of_at_least(0));
}

template <typename T>
void finish_denominators(In<T> phi_q, double epsilon, DenominatorRule rule,
                         Eigen::Ref<Vector<std::type_identity_t<T>>> sums) {
  const T small = static_cast<T>(epsilon);
  switch (rule) {
    case DenominatorRule::kAdd:
      sums.array() += small;
      break;
    case DenominatorRule::kClamp:
      for (T& sum : sums) {
        if (sum < small && std::isfinite(sum)) sum = small;
      }
      break;
    case DenominatorRule::kAddToKeySum:
      sums += small * phi_q.rowwise().sum();
      break;
  }
  for (T& sum : sums) {
    if (!std::isfinite(sum)) sum = std::numeric_limits<T>::quiet_NaN();
  }
}

template <typename T>
Matrix<T> key_features(In<T> K, const FeatureMap<std::type_identity_t<T>>& map, const Mask& mask,
                       Position position) {
  const Index valid = mask.valid_keys(K.rows());
  Matrix<T> phi_k = Matrix<T>::Zero(K.rows(), map.dimension());
  phi_k.topRows(valid) = map.apply(K.topRows(valid), Role::kKey, position);
  return phi_k;
}

template <typename T>
void linear_attention(In<T> Q, In<T> K, In<T> V, const FeatureMap<std::type_identity_t<T>>& map,
                      const LinearAttentionOptions& options,
                      const LinearState<std::type_identity_t<T>>* initial,
                      LinearAttentionResult<std::type_identity_t<T>>& result) {
  const auto start = [&] {
    if (initial) {
      if (!options.causal) throw ValueError("state", phrase::given, phrase::not_causal);
      require_state(*initial, map, options.position.length, V.cols());
    }
    result.output.resize(Q.rows(), V.cols());
    if (initial == &result.state) return;
    if (initial) {
      result.state = *initial;
    } else {
      result.state.s.setZero(map.dimension(), V.cols());
      result.state.z.setZero(map.dimension());
    }
  };
  // The kernel works token by token, so it serves only chunks of 1.
  const bool fused = internal::kernels_run<T>() && options.chunk == 1;
  if (const auto kernel = fused ? internal::fused_map<T>(map) : std::nullopt) {
    const Checked<T> c(Q, K, V, options);
    const Index last = c.position.offset + std::max(Q.rows(), K.rows());
    // The kernel packs a projection anew in each call, which pays from some tokens on.
    const bool pays = !kernel->projection || Q.rows() + K.rows() >= kTokensThatPay;
    // Arguments that the map would refuse are passed to the map.
    if (pays && c.valid == K.rows() && Q.cols() == map.d_k() && c.position.length >= last) {
      start();
      internal::fused_linear_attention<T>(Q, K, V, *kernel, map.dimension(), options, result);
      return;
    }
  }
  const Prepared<T> p(Q, K, V, map, options);
  start();
  // With a zero state, no key has been seen either.
  const bool nothing_seen =
      p.valid == 0 && (!initial || (initial->s.isZero(0) && initial->z.isZero(0)));
  if (fused && !nothing_seen &&
      internal::fused_linear_attention<T>(p.phi_q, p.phi_k, V, {simd::Feature::kGiven, 0},
                                          map.dimension(), options, result)) {
    return;
  }
  if (options.causal) {
    for (Index first = 0; first < Q.rows(); first += options.chunk) {
      const Index size = std::min(options.chunk, Q.rows() - first);
      causal_chunk<T>(first, size, V, p, options.normalize, result);
    }
    if (nothing_seen) result.output.setZero();
    return;
  }
  LinearState<T>& state = result.state;
  add_product_tn<T>(p.phi_k, V, state.s);
  state.z = p.phi_k.colwise().sum().transpose();
  note_sum<T>(p.phi_k.size());
  result.output = product_nn<T>(p.phi_q, state.s);
  if (options.normalize) {
    Vector<T> denominator = product_nn<T>(p.phi_q, state.z);
    p.finish_denominators(0, denominator);
    result.output.array().colwise() /= denominator.array();
    note_in_place<T>(result.output.size());
  }
  if (nothing_seen) result.output.setZero();
}

template <typename T>
LinearAttentionResult<T> linear_attention(In<T> Q, In<T> K, In<T> V,
                                          const FeatureMap<std::type_identity_t<T>>& map,
                                          const LinearAttentionOptions& options,
                                          const LinearState<std::type_identity_t<T>>* initial) {
  LinearAttentionResult<T> result;
  linear_attention<T>(Q, K, V, map, options, initial, result);
  if (!options.keep_state) result.state = {};
  return result;
}

template <typename T>
LinearAttentionRun<T>::LinearAttentionRun(In<T> Q, In<T> K, In<T> V, FeatureMap<T> map,
                                          LinearAttentionOptions options,
                                          std::optional<LinearState<T>> initial)
    : Q_(Q),
      K_(K),
      V_(V),
      map_(std::move(map)),
      options_(std::move(options)),
      initial_(std::move(initial)) {
  const Checked<T> checked(Q_, K_, V_, options_);
  position_ = checked.position;
  valid_ = checked.valid;
  // The shapes are checked here and not in the middle of the work.
  require_shape<T>("Q", Q_, Q_.rows(), map_.d_k(), phrase::columns_as_map);
  if (position_.length < position_.offset + std::max(Q_.rows(), K_.rows())) {
    throw ValueError("length", phrase::number(position_.length), phrase::no_less_than_last);
  }
  if (!initial_) return;
  if (!options_.causal) throw ValueError("state", phrase::given, phrase::not_causal);
  require_state(*initial_, map_, options_.position.length, V_.cols());
}

template <typename T>
Index LinearAttentionRun<T>::total() const {
  return options_.causal ? Q_.rows() : K_.rows() + Q_.rows();
}

template <typename T>
Position LinearAttentionRun<T>::position_of(Index first) const {
  return {position_.offset + first, position_.length};
}

template <typename T>
void LinearAttentionRun<T>::causal_rows(Index first, Index size) {
  LinearAttentionOptions how = options_;
  how.keep_state = true;  // For the next rows.
  how.position = position_of(first);
  how.valid_keys = std::clamp<Index>(valid_ - first, 0, size);
  const LinearState<T>* state = first > 0 ? &result_.state : (initial_ ? &*initial_ : nullptr);
  LinearAttentionResult<T> part =
      linear_attention<T>(Q_.middleRows(first, size), K_.middleRows(first, size),
                          V_.middleRows(first, size), map_, how, state);
  result_.output.middleRows(first, size) = part.output;
  result_.state = std::move(part.state);
}

template <typename T>
void LinearAttentionRun<T>::key_rows(Index first, Index size) {
  const Index seen = std::clamp<Index>(valid_ - first, 0, size);
  if (seen == 0) return;
  const Matrix<T> phi_k = map_.apply(K_.middleRows(first, seen), Role::kKey, position_of(first));
  add_product_tn<T>(phi_k, V_.middleRows(first, seen), result_.state.s);
  result_.state.z += phi_k.colwise().sum().transpose();
}

template <typename T>
void LinearAttentionRun<T>::query_rows(Index first, Index size) {
  auto out = result_.output.middleRows(first, size);
  if (valid_ == 0) {
    out.setZero();
    return;
  }
  const Matrix<T> phi_q = map_.apply(Q_.middleRows(first, size), Role::kQuery, position_of(first));
  product_nn<T>(phi_q, result_.state.s, out);
  if (!options_.normalize) return;
  Vector<T> sums = product_nn<T>(phi_q, result_.state.z);
  finish_denominators<T>(phi_q, options_.epsilon, options_.denominator, sums);
  out.array().colwise() /= sums.array();
}

template <typename T>
bool LinearAttentionRun<T>::step(Index rows) {
  const Index all = total(), keys = options_.causal ? 0 : K_.rows();
  if (done_ == all) return true;
  const Index most = std::max<Index>(rows, 1);
  if (done_ == 0) {
    if (most >= all || !map_.streamable(position_.length)) {
      result_ = linear_attention<T>(Q_, K_, V_, map_, options_, initial_ ? &*initial_ : nullptr);
      done_ = all;
      return true;
    }
    result_.output.resize(Q_.rows(), V_.cols());
    result_.state = LinearState<T>::zero(map_.dimension(), V_.cols());
  }
  const bool on_keys = done_ < keys;
  const Index first = on_keys ? done_ : done_ - keys;
  const Index size = std::min(most, (on_keys ? keys : all) - done_);
  if (options_.causal) {
    causal_rows(first, size);
  } else if (on_keys) {
    key_rows(first, size);
  } else {
    query_rows(first, size);
  }
  done_ += size;
  if (done_ == all && !options_.keep_state) result_.state = {};
  return done_ == all;
}

template <typename T>
double LinearAttentionRun<T>::progress() const {
  return static_cast<double>(done_) / static_cast<double>(total());
}

template <typename T>
LinearAttentionGradients<T> linear_attention_backward(
    In<T> Q, In<T> K, In<T> V, In<T> dO, const FeatureMap<std::type_identity_t<T>>& map,
    const LinearAttentionOptions& options) {
  const Prepared<T> p(Q, K, V, map, options);
  require_shape<T>("dO", dO, Q.rows(), V.cols(), phrase::shape_of_output);
  require_finite<T>("dO", dO);
  const Index n = Q.rows(), m = K.rows(), D = map.dimension(), d_v = V.cols();
  if (p.valid == 0) {
    return {Matrix<T>::Zero(n, Q.cols()), Matrix<T>::Zero(m, K.cols()), Matrix<T>::Zero(m, d_v)};
  }

  // The first scan goes forward in time for the queries. The numbers that each query's gradient is
  // made from (n·d_v) are kept, but not the states.
  LinearState<T> state = LinearState<T>::zero(D, d_v);
  if (!options.causal) {
    state.s = product_tn<T>(p.phi_k, V);
    state.z = p.phi_k.colwise().sum().transpose();
    note_sum<T>(p.phi_k.size());
  }
  Matrix<T> d_phi_q(n, D), d_numerator(n, d_v);
  Vector<T> d_denominator(n);
  for (Index i = 0; i < n; ++i) {
    if (options.causal) {
      add_product_tn<T>(p.phi_k.middleRows(i, 1), V.middleRows(i, 1), state.s);
      state.z += p.phi_k.row(i).transpose();
      note_sum<T>(D);
    }
    const RowGradient<T> g(state.s, state.z, p.phi_q.row(i).transpose(), dO.row(i).transpose(),
                           p.epsilon, p.rule, options.normalize);
    d_numerator.row(i) = g.numerator.transpose();
    d_denominator(i) = g.denominator;
    d_phi_q.row(i) = product_nn<T>(state.s, g.numerator).transpose();
    d_phi_q.row(i) += g.denominator * state.z.transpose();
    note_row_added<T>(D);
    if (p.rule == DenominatorRule::kAddToKeySum) {
      d_phi_q.row(i).array() += g.denominator * p.epsilon;
    }
  }

  // The second scan goes backward in time for keys and values: R = Σ_{i ≥ j} φ(q_i) dN_iᵀ and r = Σ
  // φ(q_i) dden_i.
  Matrix<T> R = Matrix<T>::Zero(D, d_v);
  Vector<T> r = Vector<T>::Zero(D);
  if (!options.causal) {
    R = product_tn<T>(p.phi_q, d_numerator);
    r = product_tn<T>(p.phi_q, d_denominator);
  }
  Matrix<T> d_phi_k(m, D);
  LinearAttentionGradients<T> result;
  result.dV.resize(m, d_v);
  for (Index j = m - 1; j >= 0; --j) {
    if (options.causal) {
      add_product_tn<T>(p.phi_q.middleRows(j, 1), d_numerator.middleRows(j, 1), R);
      r += d_denominator(j) * p.phi_q.row(j).transpose();
      note_row_added<T>(D);
    }
    product_nt<T>(V.middleRows(j, 1), R, d_phi_k.middleRows(j, 1));
    d_phi_k.row(j) += r.transpose();
    note_row_added<T>(D);
    product_nn<T>(p.phi_k.middleRows(j, 1), R, result.dV.middleRows(j, 1));
  }
  result.dQ = map.backward(Q, d_phi_q, Role::kQuery, p.position);
  result.dK = Matrix<T>::Zero(m, K.cols());
  result.dK.topRows(p.valid) =
      map.backward(K.topRows(p.valid), d_phi_k.topRows(p.valid), Role::kKey, p.position);
  return result;
}

template <typename T>
void normalize_rows(Eigen::Ref<Matrix<std::type_identity_t<T>>> scores, In<T> phi_q,
                    const Mask& mask, Index first_query, Index n, double epsilon,
                    DenominatorRule denominator, std::type_identity_t<T>* sums) {
  const Index m = scores.cols();
  mask.require_fits(n, m);
  const auto clear_blocked = [&](Index r) {
    const Mask::Keys keys = mask.keys(first_query + r, n, m);
    keys.for_each_blocked([&](Index j) { scores(r, j) = 0; });
    scores.row(r).tail(m - keys.end).setZero();
    return keys.end;
  };
  Vector<T> denominators(scores.rows());
  for (Index r = 0; r < scores.rows(); ++r) {
    denominators(r) = scores.row(r).head(clear_blocked(r)).sum();
    if (sums) sums[r] = denominators(r);
  }
  finish_denominators<T>(phi_q, epsilon, denominator, denominators);
  for (Index r = 0; r < scores.rows(); ++r) {
    // A query that sees no key gets zeros, also with ε = 0.
    if (mask.count(first_query + r, n, m) == 0) continue;
    scores.row(r) /= denominators(r);
    // 0/0 and 0/−1 would not give the 0 that a blocked cell must have.
    if (!(denominators(r) > 0)) clear_blocked(r);
  }
}

template <typename T>
Matrix<T> compute_implicit_attention(In<T> Q, In<T> K,
                                     const FeatureMap<std::type_identity_t<T>>& map,
                                     const Mask& mask, double epsilon,
                                     DenominatorRule denominator) {
  require_qkv<T>(Q, K, K);
  mask.require_fits(Q.rows(), K.rows());
  require_epsilon<T>(epsilon);
  const Position position{0, std::max(Q.rows(), K.rows())};
  const Matrix<T> phi_q = map.apply(Q, Role::kQuery, position);
  const Matrix<T> phi_k = key_features<T>(K, map, mask, position);
  Matrix<T> A = product_nt<T>(phi_q, phi_k);
  normalize_rows<T>(A, phi_q, mask, 0, Q.rows(), epsilon, denominator);
  return A;
}

template <typename T>
Vector<T> compute_denominators(In<T> Q, In<T> K, const FeatureMap<std::type_identity_t<T>>& map,
                               const Mask& mask) {
  require_qkv<T>(Q, K, K);
  const Index n = Q.rows(), m = K.rows();
  mask.require_fits(n, m);
  const Position position{0, std::max(n, m)};
  const Matrix<T> phi_q = map.apply(Q, Role::kQuery, position);
  const Matrix<T> phi_k = key_features<T>(K, map, mask, position);
  Vector<T> sums(n);
  constexpr Index kRows = 64;
  for (Index first = 0; first < n; first += kRows) {
    const auto some = phi_q.middleRows(first, std::min(kRows, n - first));
    Matrix<T> scores = product_nt<T>(some, phi_k);
    normalize_rows<T>(scores, some, mask, first, n, 0, DenominatorRule::kAdd, sums.data() + first);
  }
  return sums;
}

template <typename T>
Matrix<T> linear_attention_order(In<T> Q, In<T> K, In<T> V,
                                 const FeatureMap<std::type_identity_t<T>>& map) {
  LinearAttentionOptions options;
  options.normalize = false;
  return linear_attention<T>(Q, K, V, map, options).output;
}

template <typename T>
AssociativityReport<T> verify_associativity(In<T> Q, In<T> K, In<T> V, double rtol, double atol) {
  if (!(rtol >= 0)) throw ValueError("rtol", phrase::number(rtol), phrase::number_of_at_least(0));
  if (!(atol >= 0)) throw ValueError("atol", phrase::number(atol), phrase::number_of_at_least(0));
  AssociativityReport<T> report;
  report.standard = standard_attention_order<T>(Q, K, V).output;
  report.k_tv = product_tn<T>(K, V);
  report.linear = product_nn<T>(Q, report.k_tv);
  report.equal = true;
  for (Index i = 0; i < report.linear.size(); ++i) {
    const double linear = static_cast<double>(report.linear.data()[i]);
    const double difference = std::abs(static_cast<double>(report.standard.data()[i]) - linear);
    if (!std::isfinite(difference)) {
      report.equal = false;
      report.max_difference = report.max_relative_difference =
          std::numeric_limits<double>::quiet_NaN();
      break;
    }
    report.max_difference = std::max(report.max_difference, difference);
    if (linear != 0) {
      report.max_relative_difference =
          std::max(report.max_relative_difference, difference / std::abs(linear));
    }
    if (difference > atol + rtol * std::abs(linear)) report.equal = false;
  }
  return report;
}

#define ATTN_INSTANTIATE(T)                                                                        \
  template void linear_attention<T>(In<T>, In<T>, In<T>, const FeatureMap<T>&,                     \
                                    const LinearAttentionOptions&, const LinearState<T>*,          \
                                    LinearAttentionResult<T>&);                                    \
  template LinearAttentionResult<T> linear_attention<T>(In<T>, In<T>, In<T>, const FeatureMap<T>&, \
                                                        const LinearAttentionOptions&,             \
                                                        const LinearState<T>*);                    \
  template LinearAttentionGradients<T> linear_attention_backward<T>(                               \
      In<T>, In<T>, In<T>, In<T>, const FeatureMap<T>&, const LinearAttentionOptions&);            \
  template class LinearAttentionRun<T>;                                                            \
  template Vector<T> compute_denominators<T>(In<T>, In<T>, const FeatureMap<T>&, const Mask&);     \
  template Matrix<T> compute_implicit_attention<T>(In<T>, In<T>, const FeatureMap<T>&,             \
                                                   const Mask&, double, DenominatorRule);          \
  template void finish_denominators<T>(In<T>, double, DenominatorRule, Eigen::Ref<Vector<T>>);     \
  template void require_epsilon<T>(double);                                                        \
  template Matrix<T> key_features<T>(In<T>, const FeatureMap<T>&, const Mask&, Position);          \
  template void normalize_rows<T>(Eigen::Ref<Matrix<T>>, In<T>, const Mask&, Index, Index, double, \
                                  DenominatorRule, T*);                                            \
  template Matrix<T> linear_attention_order<T>(In<T>, In<T>, In<T>, const FeatureMap<T>&);         \
  template AssociativityReport<T> verify_associativity<T>(In<T>, In<T>, In<T>, double, double);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
