#include "attn/mixers/hyena.hpp"

#include <cmath>
#include <numbers>

#include "attn/base/errors.hpp"
#include "attn/mixers/convolution.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/nn/linear.hpp"
#include "base/product.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

template <typename T>
void require_filter(const HyenaFilterWeights<T>& weights, Index taps,
                    const HyenaFilterOptions& options) {
  const auto& layers = weights.layers;
  if (layers.size() < 2) {
    throw ShapeError("filter.layers", phrase::number(static_cast<Index>(layers.size())),
                     phrase::at_least(2));
  }
  if (weights.biases.size() + 1 != layers.size()) {
    throw ShapeError("filter.biases", phrase::number(static_cast<Index>(weights.biases.size())),
                     phrase::bias_each_layer_but_last);
  }
  const Index width = layers[0].rows();
  if (weights.frequency.size() != width || width < 1) {
    throw ShapeError("filter.frequency", phrase::entries_seen(weights.frequency.size()),
                     phrase::entry_each_filter_unit);
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Matrix<T>& W = layers[i];
    const bool last = i + 1 == layers.size();
    if ((i > 0 && W.cols() != width) || (!last && W.rows() != width) || W.size() == 0) {
      throw ShapeError("filter.layers", phrase::shape(W.rows(), W.cols()),
                       phrase::filter_layers_fit);
    }
    require_finite<T>("filter.layers", W);
    if (last) continue;
    require_shape<T>("filter.biases", weights.biases[i].transpose(), 1, width,
                     phrase::entry_each_filter_unit);
    require_finite<T>("filter.biases", weights.biases[i].transpose());
  }
  require_finite<T>("filter.frequency", weights.frequency.transpose());
  if (taps < 1 || taps > options.length) {
    throw ValueError("length", phrase::number(options.length),
                     phrase::at_least(std::max<Index>(taps, 1)));
  }
}

/// e^{−t|δ|} + shift of every tap and channel.
template <typename T>
Matrix<T> windows(Index taps, Index channels, const HyenaFilterOptions& options) {
  const Vector<double> decays = hyena_decays<double>(channels, options);
  Matrix<T> made(taps, channels);
  const double last = static_cast<double>(std::max<Index>(options.length - 1, 1));
  for (Index s = 0; s < taps; ++s) {
    const double t = static_cast<double>(s) / last;
    for (Index c = 0; c < channels; ++c) {
      made(s, c) = static_cast<T>(std::exp(-t * std::abs(decays(c))) + options.shift);
    }
  }
  internal::note<T>({.exps = internal::wide(made.size()), .written = internal::wide(made.size())});
  return made;
}

/// The network of the filter as it was computed: inputs of each layer, and what came out of it
/// before the sine.
template <typename T>
struct FilterRun {
  std::vector<Matrix<T>> inputs, linear;
  Matrix<T> window, filter;
};

template <typename T>
FilterRun<T> run_filter(const HyenaFilterWeights<T>& weights, Index taps,
                        const HyenaFilterOptions& options) {
  require_filter(weights, taps, options);
  FilterRun<T> run;
  run.inputs.push_back(hyena_positions<T>(taps, options.length, weights.layers[0].cols()));
  for (std::size_t i = 0; i + 1 < weights.layers.size(); ++i) {
    run.linear.push_back(linear<T>(run.inputs[i], weights.layers[i], weights.biases[i]));
    run.inputs.push_back(
        (run.linear[i].array().rowwise() * weights.frequency.transpose().array()).sin().matrix());
    internal::note_in_place<T>(run.inputs.back().size());
  }
  run.filter = linear<T>(run.inputs.back(), weights.layers.back());
  run.window = windows<T>(taps, run.filter.cols(), options);
  run.filter.array() *= run.window.array();
  return run;
}

template <typename T>
void require_layer(In<T> X, const HyenaWeights<T>& w) {
  const Index order = w.order(), d = w.in.cols(), wide = w.in.rows();
  if (X.size() == 0 || X.cols() != d) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::column_each_channel);
  }
  require_finite<T>("X", X);
  if (!w.filter.layers.empty() && w.filter.layers.back().rows() != (order - 1) * d) {
    throw ShapeError("filter.layers",
                     phrase::shape(w.filter.layers.back().rows(), w.filter.layers.back().cols()),
                     phrase::filter_each_channel);
  }
  require_shape<T>("through", w.through.transpose(), 1, (order - 1) * d,
                   phrase::filter_each_channel);
  if (w.taps.rows() != wide) {
    throw ShapeError("taps", phrase::shape(w.taps.rows(), w.taps.cols()),
                     phrase::taps_each_channel);
  }
  require_shape<T>("out", w.out, d, d, phrase::column_each_channel);
}

/// A layer as it was computed.
template <typename T>
struct Run {
  Index order = 0, d = 0;
  /// n×(N + 1)·d: the projections, and what the short convolution made of them.
  Matrix<T> projected, convolved;
  FilterRun<T> filter;
  /// Of each step the gated v that goes into the convolution, and what comes out.
  std::vector<Matrix<T>> gated, mixed;

  Eigen::Block<const Matrix<T>> x(Index i) const {
    const Matrix<T>& from = convolved;
    return from.block(0, i * d, from.rows(), d);
  }
  /// The columns of filter o.
  Matrix<T> taps(Index o) const { return pick(filter.filter, o); }
  Matrix<T> pick(const Matrix<T>& from, Index o) const {
    Matrix<T> some(from.rows(), d);
    for (Index c = 0; c < d; ++c) some.col(c) = from.col(c * (order - 1) + o);
    return some;
  }
};

template <typename T>
Vector<T> through_of(const HyenaWeights<T>& weights, Index order, Index o) {
  const Index d = weights.in.cols();
  Vector<T> some(d);
  for (Index c = 0; c < d; ++c) some(c) = weights.through(c * (order - 1) + o);
  return some;
}

template <typename T>
Run<T> run_projections(In<T> X, const HyenaWeights<T>& weights, const HyenaFilterOptions& filter) {
  require_layer<T>(X, weights);
  Run<T> run;
  run.order = weights.order();
  run.d = X.cols();
  run.projected = linear<T>(X, weights.in, weights.in_bias);
  run.convolved = short_convolution<T>(run.projected, weights.taps, weights.taps_bias).output;
  run.filter = run_filter(weights.filter, X.rows(), filter);
  return run;
}

template <typename T>
Run<T> run_layer(In<T> X, const HyenaWeights<T>& weights, const HyenaFilterOptions& filter) {
  Run<T> run = run_projections<T>(X, weights, filter);
  for (Index o = 0; o + 1 < run.order; ++o) {
    const auto gate = run.x(run.order - 1 - o);
    run.gated.push_back(o == 0 ? Matrix<T>(gate.cwiseProduct(run.x(run.order)))
                               : Matrix<T>(gate.cwiseProduct(run.mixed.back())));
    run.mixed.push_back(
        long_convolution<T>(run.gated.back(), run.taps(o), through_of(weights, run.order, o)));
  }
  return run;
}

}  // namespace

template <typename T>
Index HyenaWeights<T>::order() const {
  const Index d = in.cols();
  if (d < 1 || in.rows() % d != 0 || in.rows() < 3 * d) {
    throw ShapeError("in", phrase::shape(in.rows(), in.cols()), phrase::order_plus_one_projections);
  }
  return in.rows() / d - 1;
}

template <typename T>
Matrix<T> hyena_positions(Index taps, Index length, Index features) {
  if (length < 1 || taps < 1 || taps > length) {
    throw ValueError("length", phrase::number(length), phrase::at_least(std::max<Index>(taps, 1)));
  }
  if (features < 3 || features % 2 == 0) {
    throw ValueError("features", phrase::number(features), phrase::odd_at_least(3));
  }
  const Index bands = (features - 1) / 2;
  Matrix<T> z(taps, features);
  for (Index s = 0; s < taps; ++s) {
    const double place = static_cast<double>(s);
    z(s, 0) = static_cast<T>(length == 1 ? 0 : place / static_cast<double>(length - 1));
    const double w = 2 * std::numbers::pi * place / static_cast<double>(length);
    for (Index b = 0; b < bands; ++b) {
      const double share = bands == 1 ? 0 : static_cast<double>(b) / static_cast<double>(bands - 1);
      const double f = 1e-4 + share * (static_cast<double>(bands - 1) - 1e-4);
      z(s, 1 + b) = static_cast<T>(std::cos(f * w));
      z(s, 1 + bands + b) = static_cast<T>(-std::sin(f * w));
    }
  }
  internal::note<T>({.written = internal::wide(z.size())});
  return z;
}

template <typename T>
Vector<T> hyena_decays(Index channels, const HyenaFilterOptions& options) {
  if (channels < 1) throw ValueError("channels", phrase::number(channels), phrase::at_least(1));
  const double from = std::log(options.target) / options.slow,
               to = std::log(options.target) / options.fast;
  Vector<T> decays(channels);
  for (Index c = 0; c < channels; ++c) {
    const double share =
        channels == 1 ? 0 : static_cast<double>(c) / static_cast<double>(channels - 1);
    decays(c) = static_cast<T>(from + share * (to - from));
  }
  return decays;
}

template <typename T>
Matrix<T> hyena_filter(const HyenaFilterWeights<std::type_identity_t<T>>& weights, Index taps,
                       const HyenaFilterOptions& options) {
  return run_filter<T>(weights, taps, options).filter;
}

template <typename T>
HyenaFilterWeights<T> hyena_filter_backward(
    const HyenaFilterWeights<std::type_identity_t<T>>& weights, const HyenaFilterOptions& options,
    In<T> dH) {
  const FilterRun<T> run = run_filter<T>(weights, dH.rows(), options);
  require_shape<T>("dH", dH, run.filter.rows(), run.filter.cols(), phrase::shape_of_output);
  HyenaFilterWeights<T> made;
  const std::size_t last = weights.layers.size() - 1;
  made.layers.resize(last + 1);
  made.biases.resize(last);
  made.frequency = Vector<T>::Zero(weights.frequency.size());
  auto back = linear_backward<T>(run.inputs[last], weights.layers[last], Vector<T>(),
                                 dH.cwiseProduct(run.window));
  made.layers[last] = std::move(back.dW);
  for (std::size_t i = last; i-- > 0;) {
    // sin(f ∘ a)
    const Matrix<T> slope =
        back.dX.array() *
        (run.linear[i].array().rowwise() * weights.frequency.transpose().array()).cos();
    made.frequency += slope.cwiseProduct(run.linear[i]).colwise().sum().transpose();
    const Matrix<T> d_linear = slope.array().rowwise() * weights.frequency.transpose().array();
    back = linear_backward<T>(run.inputs[i], weights.layers[i], weights.biases[i], d_linear);
    made.layers[i] = std::move(back.dW);
    made.biases[i] = std::move(back.d_bias);
  }
  return made;
}

template <typename T>
Matrix<T> hyena(In<T> X, const HyenaWeights<std::type_identity_t<T>>& weights,
                const HyenaFilterOptions& filter) {
  const Run<T> run = run_layer<T>(X, weights, filter);
  return linear<T>(run.x(0).cwiseProduct(run.mixed.back()), weights.out, weights.out_bias);
}

template <typename T>
HyenaGradients<T> hyena_backward(In<T> X, const HyenaWeights<std::type_identity_t<T>>& weights,
                                 const HyenaFilterOptions& filter, In<T> dO) {
  const Run<T> run = run_layer<T>(X, weights, filter);
  const Index n = X.rows(), d = run.d, N = run.order;
  require_shape<T>("dO", dO, n, d, phrase::shape_of_output);
  require_finite<T>("dO", dO);
  HyenaGradients<T> made;
  HyenaWeights<T>& w = made.d_weights;
  auto out = linear_backward<T>(run.x(0).cwiseProduct(run.mixed.back()), weights.out,
                                weights.out_bias, dO);
  w.out = std::move(out.dW);
  w.out_bias = std::move(out.d_bias);
  Matrix<T> d_convolved(n, (N + 1) * d), d_filter(n, (N - 1) * d);
  w.through.resize((N - 1) * d);
  d_convolved.leftCols(d) = out.dX.cwiseProduct(run.mixed.back());
  Matrix<T> d_mixed = out.dX.cwiseProduct(run.x(0));
  for (Index o = N - 2; o >= 0; --o) {
    const auto at = static_cast<std::size_t>(o);
    auto back = long_convolution_backward<T>(run.gated[at], run.taps(o), through_of(weights, N, o),
                                             d_mixed);
    for (Index c = 0; c < d; ++c) {
      d_filter.col(c * (N - 1) + o) = back.d_filter.col(c);
      w.through(c * (N - 1) + o) = back.d_through(c);
    }
    const Index gate = N - 1 - o;
    const Matrix<T> before = o == 0 ? Matrix<T>(run.x(N)) : run.mixed[at - 1];
    d_convolved.middleCols(gate * d, d) = back.dX.cwiseProduct(before);
    d_mixed = back.dX.cwiseProduct(run.x(gate));
  }
  d_convolved.rightCols(d) = d_mixed;
  w.filter = hyena_filter_backward<T>(weights.filter, filter, d_filter);
  auto taps =
      short_convolution_backward<T>(run.projected, weights.taps, weights.taps_bias, d_convolved);
  w.taps = std::move(taps.d_taps);
  w.taps_bias = std::move(taps.d_bias);
  auto in = linear_backward<T>(X, weights.in, weights.in_bias, taps.dX);
  w.in = std::move(in.dW);
  w.in_bias = std::move(in.d_bias);
  made.dX = std::move(in.dX);
  return made;
}

template <typename T>
Matrix<T> hyena_weights(In<T> X, const HyenaWeights<std::type_identity_t<T>>& weights,
                        const HyenaFilterOptions& filter, Index channel) {
  const Run<T> run = run_projections<T>(X, weights, filter);
  if (channel < 0 || channel >= run.d) {
    throw ValueError("channel", phrase::number(channel), phrase::range(0, run.d - 1));
  }
  const Index n = X.rows(), N = run.order;
  Matrix<T> made = Matrix<T>::Identity(n, n);
  for (Index o = 0; o + 1 < N; ++o) {
    made.array().colwise() *= run.x(N - 1 - o).col(channel).array();
    const Index at = channel * (N - 1) + o;
    const Vector<T> h = run.filter.filter.col(at);
    const double through = static_cast<double>(weights.through(at));
    made = internal::product_nn<T>(toeplitz_weights<T>(h, n, through), made);
  }
  made.array().colwise() *= run.x(0).col(channel).array();
  return made;
}

#define ATTN_INSTANTIATE(T)                                                                     \
  template struct HyenaWeights<T>;                                                              \
  template Matrix<T> hyena_positions<T>(Index, Index, Index);                                   \
  template Vector<T> hyena_decays<T>(Index, const HyenaFilterOptions&);                         \
  template Matrix<T> hyena_filter<T>(const HyenaFilterWeights<T>&, Index,                       \
                                     const HyenaFilterOptions&);                                \
  template HyenaFilterWeights<T> hyena_filter_backward<T>(const HyenaFilterWeights<T>&,         \
                                                          const HyenaFilterOptions&, In<T>);    \
  template Matrix<T> hyena<T>(In<T>, const HyenaWeights<T>&, const HyenaFilterOptions&);        \
  template HyenaGradients<T> hyena_backward<T>(In<T>, const HyenaWeights<T>&,                   \
                                               const HyenaFilterOptions&, In<T>);               \
  template Matrix<T> hyena_weights<T>(In<T>, const HyenaWeights<T>&, const HyenaFilterOptions&, \
                                      Index);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
