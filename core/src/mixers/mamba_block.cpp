#include "attn/mixers/mamba_block.hpp"

#include "attn/base/errors.hpp"
#include "attn/mixers/convolution.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/mixers/selective_scan.hpp"
#include "attn/nn/activation.hpp"
#include "attn/nn/linear.hpp"
#include "base/product.hpp"

namespace attn {
namespace {

template <typename T>
void require_layer(In<T> X, const MambaWeights<T>& w) {
  const Index d = X.cols(), e = w.out.cols(), N = w.log_rates.cols(), r = w.step.cols();
  if (X.size() == 0) throw ShapeError("X", phrase::shape(X.rows(), d), phrase::row_and_column);
  require_finite<T>("X", X);
  const auto require = [&](const char* name, const Matrix<T>& x, Index rows, Index cols) {
    require_shape<T>(name, x, rows, cols, phrase::widths_of_block);
    require_finite<T>(name, x);
  };
  require("in", w.in, 2 * e, d);
  require("select", w.select, r + 2 * N, e);
  require("step", w.step, e, r);
  require("log_rates", w.log_rates, e, N);
  require("out", w.out, d, e);
  require("step_bias", w.step_bias.transpose(), 1, e);
  require("through", w.through.transpose(), 1, e);
}

/// The block as it was computed.
template <typename T>
struct MambaRun {
  Index e = 0, N = 0, r = 0;
  /// n×e: what is convolved, and what came out before its activation.
  Matrix<T> before, convolved;
  /// (k − 1)×e
  Matrix<T> last;
  /// n×(r + 2N)
  Matrix<T> selected;
  SelectiveScanInputs<T> scan;
};

template <typename T>
MambaRun<T> run_block(In<T> X, const MambaWeights<T>& w, const MambaState<T>* initial) {
  require_layer<T>(X, w);
  MambaRun<T> run;
  run.e = w.out.cols();
  run.N = w.log_rates.cols();
  run.r = w.step.cols();
  const Matrix<T> both = linear<T>(X, w.in);
  run.before = both.leftCols(run.e);
  auto convolved = short_convolution<T>(run.before, w.taps, w.taps_bias,
                                        initial == nullptr ? nullptr : &initial->inputs);
  run.convolved = std::move(convolved.output);
  run.last = std::move(convolved.state);
  run.scan.u = activate<T>(run.convolved, Activation::kSilu);
  run.selected = linear<T>(run.scan.u, w.select);
  run.scan.delta = linear<T>(run.selected.leftCols(run.r), w.step);
  run.scan.delta_bias = w.step_bias;
  run.scan.A = -w.log_rates.array().exp();
  run.scan.B = run.selected.middleCols(run.r, run.N);
  run.scan.C = run.selected.rightCols(run.N);
  run.scan.D = w.through;
  run.scan.z = both.rightCols(run.e);
  return run;
}

}  // namespace

template <typename T>
MambaResult<T> mamba_block(In<T> X, const MambaWeights<std::type_identity_t<T>>& weights,
                           const MambaState<std::type_identity_t<T>>* initial) {
  MambaRun<T> run = run_block<T>(X, weights, initial);
  auto scanned = selective_scan<T>(run.scan, true, initial == nullptr ? nullptr : &initial->scan);
  return {linear<T>(scanned.output, weights.out), {std::move(run.last), std::move(scanned.state)}};
}

template <typename T>
MambaGradients<T> mamba_block_backward(In<T> X, const MambaWeights<std::type_identity_t<T>>& w,
                                       In<T> dO) {
  const MambaRun<T> run = run_block<T>(X, w, nullptr);
  const Index n = X.rows();
  require_shape<T>("dO", dO, n, X.cols(), phrase::shape_of_output);
  require_finite<T>("dO", dO);
  MambaGradients<T> made;
  MambaWeights<T>& g = made.d_weights;
  const Matrix<T> y = selective_scan<T>(run.scan).output;
  g.out = internal::product_tn<T>(dO, y);
  auto scan = selective_scan_backward<T>(run.scan, internal::product_nn<T>(dO, w.out));
  g.step_bias = std::move(scan.delta_bias);
  g.through = std::move(scan.D);
  // A = −e^{log_rates}
  g.log_rates = scan.A.cwiseProduct(run.scan.A);
  auto step = linear_backward<T>(run.selected.leftCols(run.r), w.step, Vector<T>(), scan.delta);
  g.step = std::move(step.dW);
  Matrix<T> d_selected(n, run.r + 2 * run.N);
  d_selected << step.dX, scan.B, scan.C;
  auto select = linear_backward<T>(run.scan.u, w.select, Vector<T>(), d_selected);
  g.select = std::move(select.dW);
  const Matrix<T> d_convolved =
      activate_backward<T>(run.convolved, Activation::kSilu, scan.u + select.dX);
  auto taps = short_convolution_backward<T>(run.before, w.taps, w.taps_bias, d_convolved);
  g.taps = std::move(taps.d_taps);
  g.taps_bias = std::move(taps.d_bias);
  Matrix<T> d_both(n, 2 * run.e);
  d_both << taps.dX, scan.z;
  auto in = linear_backward<T>(X, w.in, Vector<T>(), d_both);
  g.in = std::move(in.dW);
  made.dX = std::move(in.dX);
  return made;
}

template <typename T>
Matrix<T> mamba_block_weights(In<T> X, const MambaWeights<std::type_identity_t<T>>& weights,
                              Index channel) {
  return selective_scan_weights<T>(run_block<T>(X, weights, nullptr).scan, channel);
}

#define ATTN_INSTANTIATE(T)                                                                    \
  template MambaResult<T> mamba_block<T>(In<T>, const MambaWeights<T>&, const MambaState<T>*); \
  template MambaGradients<T> mamba_block_backward<T>(In<T>, const MambaWeights<T>&, In<T>);    \
  template Matrix<T> mamba_block_weights<T>(In<T>, const MambaWeights<T>&, Index);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
