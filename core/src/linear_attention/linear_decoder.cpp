#include "attn/linear_attention/linear_decoder.hpp"

#include <string>
#include <utility>

#include "attn/base/errors.hpp"
#include "attn/linear_attention/phrases.hpp"
#include "base/product.hpp"
#include "simd/fused.hpp"

namespace attn {
namespace {

/// v as a matrix of one row in the same memory.
template <typename T>
Eigen::Map<const Matrix<T>> row_of(InVector<T> v) {
  return {v.data(), 1, v.size()};
}

}  // namespace

template <typename T>
LinearDecoder<T>::LinearDecoder(FeatureMap<T> map, Index d_v, LinearDecoderOptions options,
                                const std::optional<LinearDecoderSnapshot<T>>& initial)
    : map_(std::move(map)), d_v_(d_v), options_(options) {
  if (d_v < 1) throw ValueError("d_v", phrase::number(d_v), phrase::at_least(1));
  if (options.length < 0) {
    throw ValueError("length", phrase::number(options.length), phrase::unknown_is_zero);
  }
  require_epsilon<T>(options.epsilon);
  if (!map_.streamable(options.length)) {
    throw ValueError("feature_map", phrase::name(map_.info().label),
                     phrase::independent_rows_decoder);
  }
  if (bytes() > kMaxFeatureBytes) {
    throw CapacityError("d_v", phrase::state_too_large(map_.dimension(), d_v, bytes() >> 20),
                        phrase::memory_fewer_features(kMaxFeatureBytes >> 20));
  }
  if (initial) {
    restore(*initial);
  } else {
    reset();
  }
}

template <typename T>
void LinearDecoder<T>::require_tokens(In<T> K, In<T> V) const {
  require_shape<T>("K", K, K.rows(), map_.d_k(), phrase::dk_columns);
  require_shape<T>("V", V, K.rows(), d_v_, phrase::value_each_key);
  if (K.rows() == 0) throw ShapeError("K", phrase::shape(0, K.cols()), phrase::at_least_one_token);
  require_finite<T>("K", K);
  require_finite<T>("V", V);
}

template <typename T>
Matrix<T> LinearDecoder<T>::decode(In<T> Q, In<T> K, In<T> V) {
  require_shape<T>("Q", Q, K.rows(), map_.d_k(), phrase::query_each_key);
  require_tokens(K, V);
  LinearAttentionOptions options;
  options.causal = true;
  options.normalize = options_.normalize;
  options.epsilon = options_.epsilon;
  options.denominator = options_.denominator;
  options.position = {now_.position, options_.length};
  // The state is updated in place, because copying it would cost as much as the step for one token.
  // This is done only where nothing can fail after the state has been changed.
  LinearAttentionResult<T> made;
  if (internal::kernels_run<T>()) {
    std::swap(made.state, now_.state);
    try {
      linear_attention<T>(Q, K, V, map_, options, &made.state, made);
    } catch (...) {
      std::swap(made.state, now_.state);
      throw;
    }
  } else {
    linear_attention<T>(Q, K, V, map_, options, &now_.state, made);
  }
  now_.state = std::move(made.state);
  now_.position += Q.rows();
  return std::move(made.output);
}

template <typename T>
Vector<T> LinearDecoder<T>::step(InVector<T> q, InVector<T> k, InVector<T> v) {
  return decode(row_of<T>(q), row_of<T>(k), row_of<T>(v)).row(0).transpose();
}

template <typename T>
void LinearDecoder<T>::append(In<T> K, In<T> V) {
  require_tokens(K, V);
  const Matrix<T> phi_k = map_.apply(K, Role::kKey, {now_.position, options_.length});
  internal::add_product_tn<T>(phi_k, V, now_.state.s);
  now_.state.z += phi_k.colwise().sum().transpose();
  now_.position += K.rows();
}

template <typename T>
void LinearDecoder<T>::reset() {
  now_ = {LinearState<T>::zero(map_.dimension(), d_v_), 0};
}

template <typename T>
void LinearDecoder<T>::restore(const LinearDecoderSnapshot<T>& moment) {
  require_shape<T>("state.s", moment.state.s, map_.dimension(), d_v_, phrase::d_by_dv);
  require_shape<T>("state.z", moment.state.z, map_.dimension(), 1, phrase::d_entries);
  if (moment.position < 0 || moment.position > 2147483647) {
    throw ValueError("position", phrase::number(moment.position), phrase::int32_range);
  }
  now_ = moment;
}

template <typename T>
std::uint64_t LinearDecoder<T>::bytes() const {
  return sizeof(T) * static_cast<std::uint64_t>(map_.dimension()) *
         (static_cast<std::uint64_t>(d_v_) + 1);
}

template class LinearDecoder<float>;
template class LinearDecoder<double>;

}  // namespace attn
