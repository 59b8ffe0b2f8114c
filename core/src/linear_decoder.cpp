#include "attn/linear_decoder.hpp"

#include <string>
#include <utility>

#include "attn/errors.hpp"
#include "fused.hpp"
#include "product.hpp"

namespace attn {
namespace {

/// v as a matrix of one row, on the same memory.
template <typename T>
Eigen::Map<const Matrix<T>> row_of(InVector<T> v) {
  return {v.data(), 1, v.size()};
}

}  // namespace

template <typename T>
LinearDecoder<T>::LinearDecoder(FeatureMap<T> map, Index d_v, LinearDecoderOptions options,
                                const std::optional<LinearDecoderSnapshot<T>>& initial)
    : map_(std::move(map)), d_v_(d_v), options_(options) {
  if (d_v < 1) throw ValueError("d_v", std::to_string(d_v), "at least 1");
  if (options.length < 0) {
    throw ValueError("length", std::to_string(options.length), "at least 0 (0: unknown)");
  }
  require_epsilon<T>(options.epsilon);
  if (!map_.streamable(options.length)) {
    throw ValueError("feature_map", std::string(map_.info().label),
                     "a map whose rows do not depend on one another (stabilize 0; cosFormer: "
                     "length given)");
  }
  if (bytes() > kMaxFeatureBytes) {
    throw CapacityError("d_v",
                        "a state of " + shape_text(map_.dimension(), d_v) + " (" +
                            std::to_string(bytes() >> 20) + " MiB)",
                        "at most " + std::to_string(kMaxFeatureBytes >> 20) +
                            " MiB: fewer features or a smaller d_v");
  }
  if (initial) {
    restore(*initial);
  } else {
    reset();
  }
}

template <typename T>
void LinearDecoder<T>::require_tokens(In<T> K, In<T> V) const {
  require_shape<T>("K", K, K.rows(), map_.d_k(), "d_k columns");
  require_shape<T>("V", V, K.rows(), d_v_, "a value of d_v entries for each key");
  if (K.rows() == 0) throw ShapeError("K", shape_text(0, K.cols()), "at least one token");
  require_finite<T>("K", K);
  require_finite<T>("V", V);
}

template <typename T>
Matrix<T> LinearDecoder<T>::decode(In<T> Q, In<T> K, In<T> V) {
  require_shape<T>("Q", Q, K.rows(), map_.d_k(), "a query of d_k entries for each key");
  require_tokens(K, V);
  LinearAttentionOptions options;
  options.causal = true;
  options.normalize = options_.normalize;
  options.epsilon = options_.epsilon;
  options.denominator = options_.denominator;
  options.position = {now_.position, options_.length};
  // In place, for one token a copy of the state would cost as much as the step; but only where
  // nothing can fail once the state is touched.
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
  require_shape<T>("state.s", moment.state.s, map_.dimension(), d_v_, "D×d_v");
  require_shape<T>("state.z", moment.state.z, map_.dimension(), 1, "D entries");
  if (moment.position < 0 || moment.position > 2147483647) {
    throw ValueError("position", std::to_string(moment.position), "0 to 2³¹ − 1");
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
