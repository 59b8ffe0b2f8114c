#include "attn/mixers/selective_scan.hpp"

#include <cmath>
#include <vector>

#include "attn/base/errors.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/nn/activation.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

template <typename T>
void require_inputs(const SelectiveScanInputs<T>& x) {
  if (x.u.size() == 0) {
    throw ShapeError("u", phrase::shape(x.u.rows(), x.u.cols()), phrase::row_and_column);
  }
  const Index n = x.u.rows(), d = x.u.cols(), N = x.A.cols();
  if (N == 0) throw ShapeError("A", phrase::shape(x.A.rows(), N), phrase::row_and_column);
  require_shape<T>("delta", x.delta, n, d, phrase::shape_of_u);
  require_shape<T>("A", x.A, d, N, phrase::row_each_channel);
  require_shape<T>("B", x.B, n, N, phrase::row_each_token_column_each_state);
  require_shape<T>("C", x.C, n, N, phrase::row_each_token_column_each_state);
  if (x.D.size() > 0) {
    require_shape<T>("D", x.D.transpose(), 1, d, phrase::entry_each_channel);
  }
  if (x.z.size() > 0) require_shape<T>("z", x.z, n, d, phrase::shape_of_u);
  if (x.delta_bias.size() > 0) {
    require_shape<T>("delta_bias", x.delta_bias.transpose(), 1, d, phrase::entry_each_channel);
  }
  require_finite<T>("u", x.u);
  require_finite<T>("delta", x.delta);
  require_finite<T>("A", x.A);
  require_finite<T>("B", x.B);
  require_finite<T>("C", x.C);
  require_finite<T>("D", x.D.transpose());
  require_finite<T>("z", x.z);
  require_finite<T>("delta_bias", x.delta_bias.transpose());
}

/// delta + delta_bias, before the softplus.
template <typename T>
Matrix<T> raw_steps(const SelectiveScanInputs<T>& x) {
  Matrix<T> steps = x.delta;
  if (x.delta_bias.size() > 0) steps.rowwise() += x.delta_bias.transpose();
  return steps;
}

template <typename T>
Matrix<T> steps_of(const SelectiveScanInputs<T>& x, bool softplus) {
  Matrix<T> steps = raw_steps(x);
  return softplus ? activate<T>(steps, Activation::kSoftplus) : steps;
}

/// h after token t, in place.
template <typename T>
void step(const SelectiveScanInputs<T>& x, const Matrix<T>& steps, Index t, Matrix<T>& h) {
  for (Index c = 0; c < h.rows(); ++c) {
    const T delta = steps(t, c), write = delta * x.u(t, c);
    for (Index s = 0; s < h.cols(); ++s) {
      h(c, s) = std::exp(delta * x.A(c, s)) * h(c, s) + write * x.B(t, s);
    }
  }
}

template <typename T>
void note_scan(const SelectiveScanInputs<T>& x, std::uint64_t passes) {
  const std::uint64_t all = internal::wide(x.u.size()) * internal::wide(x.A.cols());
  internal::note<T>({.multiply_adds = 3 * passes * all,
                     .exps = passes * all,
                     .read = passes * all * 2,
                     .written = passes * all});
}

}  // namespace

template <typename T>
SelectiveScanResult<T> selective_scan(const SelectiveScanInputs<T>& x, bool softplus,
                                      const Matrix<std::type_identity_t<T>>* initial) {
  require_inputs(x);
  const Index n = x.u.rows(), d = x.u.cols(), N = x.A.cols();
  SelectiveScanResult<T> result{Matrix<T>(n, d), Matrix<T>::Zero(d, N)};
  if (initial != nullptr) {
    require_shape<T>("initial", *initial, d, N, phrase::row_each_channel);
    require_finite<T>("initial", *initial);
    result.state = *initial;
  }
  const Matrix<T> steps = steps_of(x, softplus);
  for (Index t = 0; t < n; ++t) {
    step(x, steps, t, result.state);
    result.output.row(t).noalias() = x.C.row(t) * result.state.transpose();
  }
  if (x.D.size() > 0) {
    result.output.array() += x.u.array().rowwise() * x.D.transpose().array();
  }
  if (x.z.size() > 0) result.output.array() *= activate<T>(x.z, Activation::kSilu).array();
  note_scan(x, 1);
  return result;
}

template <typename T>
SelectiveScanInputs<T> selective_scan_backward(const SelectiveScanInputs<T>& x, In<T> dO,
                                               bool softplus) {
  require_inputs(x);
  const Index n = x.u.rows(), d = x.u.cols(), N = x.A.cols();
  require_shape<T>("dO", dO, n, d, phrase::shape_of_output);
  require_finite<T>("dO", dO);
  const Matrix<T> steps = steps_of(x, softplus);
  // The state before each token, and after the last.
  std::vector<Matrix<T>> states(static_cast<std::size_t>(n) + 1, Matrix<T>::Zero(d, N));
  for (Index t = 0; t < n; ++t) {
    auto& next = states[static_cast<std::size_t>(t) + 1];
    next = states[static_cast<std::size_t>(t)];
    step(x, steps, t, next);
  }
  SelectiveScanInputs<T> made;
  made.u = Matrix<T>::Zero(n, d);
  made.delta = Matrix<T>::Zero(n, d);
  made.A = Matrix<T>::Zero(d, N);
  made.B.resize(n, N);
  made.C.resize(n, N);
  // What arrives before the gate.
  Matrix<T> dy = dO;
  if (x.z.size() > 0) {
    Matrix<T> ungated(n, d);
    for (Index t = 0; t < n; ++t) {
      ungated.row(t).noalias() = x.C.row(t) * states[static_cast<std::size_t>(t) + 1].transpose();
    }
    if (x.D.size() > 0) ungated.array() += x.u.array().rowwise() * x.D.transpose().array();
    made.z = activate_backward<T>(x.z, Activation::kSilu, dO.cwiseProduct(ungated));
    dy.array() *= activate<T>(x.z, Activation::kSilu).array();
  }
  if (x.D.size() > 0) {
    made.u = (dy.array().rowwise() * x.D.transpose().array()).matrix();
    made.D = dy.cwiseProduct(x.u).colwise().sum().transpose();
  }
  Matrix<T> dh = Matrix<T>::Zero(d, N);
  for (Index t = n - 1; t >= 0; --t) {
    const Matrix<T>& before = states[static_cast<std::size_t>(t)];
    made.C.row(t).noalias() = dy.row(t) * states[static_cast<std::size_t>(t) + 1];
    dh.noalias() += dy.row(t).transpose() * x.C.row(t);
    made.B.row(t).setZero();
    for (Index c = 0; c < d; ++c) {
      const T delta = steps(t, c), u = x.u(t, c);
      T d_write = 0, d_delta = 0;
      for (Index s = 0; s < N; ++s) {
        const T decay = std::exp(delta * x.A(c, s)), through = dh(c, s) * decay * before(c, s);
        d_write += dh(c, s) * x.B(t, s);
        made.B(t, s) += dh(c, s) * delta * u;
        d_delta += through * x.A(c, s);
        made.A(c, s) += through * delta;
        dh(c, s) *= decay;
      }
      made.u(t, c) += d_write * delta;
      made.delta(t, c) = d_delta + d_write * u;
    }
  }
  if (softplus) {
    made.delta = activate_backward<T>(raw_steps(x), Activation::kSoftplus, made.delta);
  }
  if (x.delta_bias.size() > 0) made.delta_bias = made.delta.colwise().sum().transpose();
  note_scan(x, 4);
  return made;
}

template <typename T>
Matrix<T> selective_scan_weights(const SelectiveScanInputs<T>& x, Index channel, bool softplus) {
  require_inputs(x);
  const Index n = x.u.rows(), N = x.A.cols();
  if (channel < 0 || channel >= x.u.cols()) {
    throw ValueError("channel", phrase::number(channel), phrase::range(0, x.u.cols() - 1));
  }
  const Matrix<T> steps = steps_of(x, softplus);
  Matrix<T> weights = Matrix<T>::Zero(n, n);
  for (Index s = 0; s < n; ++s) {
    Vector<T> h = steps(s, channel) * x.B.row(s).transpose();
    for (Index t = s; t < n; ++t) {
      for (Index i = 0; i < N && t > s; ++i) {
        h(i) *= std::exp(steps(t, channel) * x.A(channel, i));
      }
      weights(t, s) = x.C.row(t).dot(h.transpose());
    }
  }
  return weights;
}

#define ATTN_INSTANTIATE(T)                                                                        \
  template SelectiveScanResult<T> selective_scan<T>(const SelectiveScanInputs<T>&, bool,           \
                                                    const Matrix<T>*);                             \
  template SelectiveScanInputs<T> selective_scan_backward<T>(const SelectiveScanInputs<T>&, In<T>, \
                                                             bool);                                \
  template Matrix<T> selective_scan_weights<T>(const SelectiveScanInputs<T>&, Index, bool);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
