#include "attn/nn/feed_forward.hpp"

#include "attn/base/errors.hpp"
#include "attn/nn/linear.hpp"
#include "attn/nn/phrases.hpp"

namespace attn {
namespace {

/// What comes before the last layer.
template <typename T>
FeedForwardRun<T> before_last(In<T> X, const FeedForwardWeights<T>& weights, Activation f) {
  FeedForwardRun<T> made;
  made.up = linear<T>(X, weights.up, weights.up_bias);
  if (weights.gate.size() > 0) {
    made.gate = linear<T>(X, weights.gate);
    made.joined = activate<T>(made.gate, f).cwiseProduct(made.up);
  } else {
    made.joined = activate<T>(made.up, f);
  }
  return made;
}

}  // namespace

template <typename T>
Matrix<T> feed_forward(In<T> X, const FeedForwardWeights<std::type_identity_t<T>>& weights,
                       Activation f, FeedForwardRun<T>* run) {
  FeedForwardRun<T> made = before_last<T>(X, weights, f);
  Matrix<T> Y = linear<T>(made.joined, weights.down, weights.down_bias);
  if (run != nullptr) *run = std::move(made);
  return Y;
}

template <typename T>
FeedForwardGradients<T> feed_forward_backward(
    In<T> X, const FeedForwardWeights<std::type_identity_t<T>>& weights, In<T> dO, Activation f) {
  return feed_forward_backward_from<T>(before_last<T>(X, weights, f), X, weights, dO, f);
}

template <typename T>
FeedForwardGradients<T> feed_forward_backward_from(
    const FeedForwardRun<std::type_identity_t<T>>& inner, In<T> X,
    const FeedForwardWeights<std::type_identity_t<T>>& weights, In<T> dO, Activation f) {
  require_shape<T>("joined", inner.joined, X.rows(), weights.up.rows(), phrase::shape_of_output);
  auto down = linear_backward<T>(inner.joined, weights.down, weights.down_bias, dO);
  FeedForwardGradients<T> made;
  made.d_weights.down = std::move(down.dW);
  made.d_weights.down_bias = std::move(down.d_bias);
  Matrix<T> d_up;
  if (weights.gate.size() > 0) {
    const Matrix<T> d_gate = activate_backward<T>(inner.gate, f, down.dX.cwiseProduct(inner.up));
    d_up = down.dX.cwiseProduct(activate<T>(inner.gate, f));
    auto gate = linear_backward<T>(X, weights.gate, Vector<T>(), d_gate);
    made.d_weights.gate = std::move(gate.dW);
    made.dX = std::move(gate.dX);
  } else {
    d_up = activate_backward<T>(inner.up, f, down.dX);
    made.dX = Matrix<T>::Zero(X.rows(), X.cols());
  }
  auto up = linear_backward<T>(X, weights.up, weights.up_bias, d_up);
  made.d_weights.up = std::move(up.dW);
  made.d_weights.up_bias = std::move(up.d_bias);
  made.dX += up.dX;
  return made;
}

#define ATTN_INSTANTIATE(T)                                                                      \
  template Matrix<T> feed_forward<T>(In<T>, const FeedForwardWeights<T>&, Activation,            \
                                     FeedForwardRun<T>*);                                        \
  template FeedForwardGradients<T> feed_forward_backward<T>(In<T>, const FeedForwardWeights<T>&, \
                                                            In<T>, Activation);                  \
  template FeedForwardGradients<T> feed_forward_backward_from<T>(                                \
      const FeedForwardRun<T>&, In<T>, const FeedForwardWeights<T>&, In<T>, Activation);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
