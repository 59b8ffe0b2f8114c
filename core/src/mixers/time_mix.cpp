#include "attn/mixers/time_mix.hpp"

#include "attn/base/errors.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/nn/activation.hpp"
#include "attn/nn/linear.hpp"
#include "base/product.hpp"

namespace attn {
namespace {

template <typename T>
void require_layer(In<T> X, const TimeMixWeights<T>& w) {
  const Index d = X.cols();
  if (X.size() == 0) throw ShapeError("X", phrase::shape(X.rows(), d), phrase::row_and_column);
  require_finite<T>("X", X);
  const auto vector = [&](const char* name, const Vector<T>& x) {
    require_shape<T>(name, x.transpose(), 1, d, phrase::entry_each_channel);
    require_finite<T>(name, x.transpose());
  };
  const auto square = [&](const char* name, const Matrix<T>& x) {
    require_shape<T>(name, x, d, d, phrase::column_each_channel);
    require_finite<T>(name, x);
  };
  vector("mix_k", w.mix_k);
  vector("mix_v", w.mix_v);
  vector("mix_r", w.mix_r);
  square("key", w.key);
  square("value", w.value);
  square("receptance", w.receptance);
  square("output", w.output);
}

template <typename T>
Matrix<T> mixed(const Matrix<T>& X, const Matrix<T>& before, const Vector<T>& mix) {
  return before + ((X - before).array().rowwise() * mix.transpose().array()).matrix();
}

/// The layer as it was computed.
template <typename T>
struct TimeMixRun {
  /// n×d: the tokens, and those before them.
  Matrix<T> x, before;
  Matrix<T> for_k, for_v, for_r, k, v, r, gate;
  WkvResult<T> wkv;
};

template <typename T>
TimeMixRun<T> run_layer(In<T> X, const TimeMixWeights<T>& w, const TimeMixState<T>* initial) {
  require_layer<T>(X, w);
  const Index n = X.rows(), d = X.cols();
  TimeMixRun<T> run;
  run.x = X;
  run.before = Matrix<T>::Zero(n, d);
  if (initial != nullptr) {
    require_shape<T>("initial.last", initial->last.transpose(), 1, d, phrase::entry_each_channel);
    run.before.row(0) = initial->last.transpose();
  }
  run.before.bottomRows(n - 1) = X.topRows(n - 1);
  run.for_k = mixed(run.x, run.before, w.mix_k);
  run.for_v = mixed(run.x, run.before, w.mix_v);
  run.for_r = mixed(run.x, run.before, w.mix_r);
  run.k = linear<T>(run.for_k, w.key);
  run.v = linear<T>(run.for_v, w.value);
  run.r = linear<T>(run.for_r, w.receptance);
  run.gate = activate<T>(run.r, Activation::kSigmoid);
  run.wkv = wkv<T>(run.k, run.v, w.time_decay, w.time_first,
                   initial == nullptr ? nullptr : &initial->wkv);
  return run;
}

}  // namespace

template <typename T>
TimeMixResult<T> time_mix(In<T> X, const TimeMixWeights<std::type_identity_t<T>>& weights,
                          const TimeMixState<std::type_identity_t<T>>* initial) {
  TimeMixRun<T> run = run_layer<T>(X, weights, initial);
  return {linear<T>(run.gate.cwiseProduct(run.wkv.output), weights.output),
          {run.x.row(X.rows() - 1).transpose(), std::move(run.wkv.state)}};
}

template <typename T>
TimeMixGradients<T> time_mix_backward(In<T> X, const TimeMixWeights<std::type_identity_t<T>>& w,
                                      In<T> dO) {
  const TimeMixRun<T> run = run_layer<T>(X, w, nullptr);
  const Index n = X.rows(), d = X.cols();
  require_shape<T>("dO", dO, n, d, phrase::shape_of_output);
  require_finite<T>("dO", dO);
  TimeMixGradients<T> made{Matrix<T>::Zero(n, d), {}};
  TimeMixWeights<T>& g = made.d_weights;
  const Matrix<T> d_gated = internal::product_nn<T>(dO, w.output);
  g.output = internal::product_tn<T>(dO, run.gate.cwiseProduct(run.wkv.output));
  auto back =
      wkv_backward<T>(run.k, run.v, w.time_decay, w.time_first, d_gated.cwiseProduct(run.gate));
  g.time_decay = std::move(back.d_time_decay);
  g.time_first = std::move(back.du);
  const Matrix<T> dr =
      activate_backward<T>(run.r, Activation::kSigmoid, d_gated.cwiseProduct(run.wkv.output));
  const auto through = [&](const Matrix<T>& inputs, const Matrix<T>& W, const Vector<T>& mix,
                           const Matrix<T>& dY, Matrix<T>& dW, Vector<T>& d_mix) {
    auto one = linear_backward<T>(inputs, W, Vector<T>(), dY);
    dW = std::move(one.dW);
    d_mix = one.dX.cwiseProduct(run.x - run.before).colwise().sum().transpose();
    const Matrix<T> of_token = one.dX.array().rowwise() * mix.transpose().array();
    made.dX += of_token;
    made.dX.topRows(n - 1) += (one.dX - of_token).bottomRows(n - 1);
  };
  through(run.for_k, w.key, w.mix_k, back.dK, g.key, g.mix_k);
  through(run.for_v, w.value, w.mix_v, back.dV, g.value, g.mix_v);
  through(run.for_r, w.receptance, w.mix_r, dr, g.receptance, g.mix_r);
  return made;
}

template <typename T>
Matrix<T> time_mix_weights(In<T> X, const TimeMixWeights<std::type_identity_t<T>>& weights,
                           Index channel) {
  const TimeMixRun<T> run = run_layer<T>(X, weights, nullptr);
  if (channel < 0 || channel >= X.cols()) {
    throw ValueError("channel", phrase::number(channel), phrase::range(0, X.cols() - 1));
  }
  Matrix<T> made =
      wkv_weights<T>(run.k.col(channel), weights.time_decay(channel), weights.time_first(channel));
  made.array().colwise() *= run.gate.col(channel).array();
  return made;
}

#define ATTN_INSTANTIATE(T)                                                                       \
  template TimeMixResult<T> time_mix<T>(In<T>, const TimeMixWeights<T>&, const TimeMixState<T>*); \
  template Matrix<T> time_mix_weights<T>(In<T>, const TimeMixWeights<T>&, Index);                 \
  template TimeMixGradients<T> time_mix_backward<T>(In<T>, const TimeMixWeights<T>&, In<T>);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
