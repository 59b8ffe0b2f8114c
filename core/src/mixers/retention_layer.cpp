#include "attn/mixers/retention_layer.hpp"

#include <algorithm>
#include <cmath>

#include "attn/base/errors.hpp"
#include "attn/mixers/matrix_state.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/mixers/positions.hpp"
#include "attn/nn/activation.hpp"
#include "attn/nn/linear.hpp"
#include "attn/nn/normalization.hpp"
#include "base/product.hpp"

namespace attn {
namespace {

/// What the heads share.
template <typename T>
struct RetentionRun {
  Index d_k = 0, d_v = 0;
  Vector<double> speeds;
  /// n×h·d_k, keys divided by √d_k, both turned; n×h·d_v; n×h·d_v before its activation.
  Matrix<T> q, k, v, gate;

  Matrix<T> head(const Matrix<T>& of, Index h, Index width) const {
    return of.middleCols(h * width, width);
  }
};

/// How many of n tokens are worked on together.
Index tokens_together(const RetentionLayerOptions& options, Index n) {
  if (options.chunk < 0) {
    throw ValueError("chunk", phrase::number(options.chunk), phrase::at_least(0));
  }
  return options.chunk == 0 ? n : options.chunk;
}

template <typename T>
void require_layer(In<T> X, const RetentionLayerWeights<T>& w) {
  if (w.heads < 1) throw ValueError("heads", phrase::number(w.heads), phrase::at_least(1));
  const Index d_model = w.q.cols();
  if (X.size() == 0 || X.cols() != d_model) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::widths_of_heads);
  }
  require_finite<T>("X", X);
  if (w.q.rows() < w.heads || w.q.rows() % w.heads != 0 || (w.q.rows() / w.heads) % 2 != 0) {
    throw ShapeError("q", phrase::shape(w.q.rows(), w.q.cols()), phrase::widths_of_heads);
  }
  if (w.v.rows() < w.heads || w.v.rows() % w.heads != 0) {
    throw ShapeError("v", phrase::shape(w.v.rows(), w.v.cols()), phrase::widths_of_heads);
  }
  const auto require = [&](const char* name, const Matrix<T>& x, Index rows, Index cols) {
    require_shape<T>(name, x, rows, cols, phrase::widths_of_heads);
    require_finite<T>(name, x);
  };
  require("q", w.q, w.q.rows(), d_model);
  require("k", w.k, w.q.rows(), d_model);
  require("v", w.v, w.v.rows(), d_model);
  require("gate", w.gate, w.v.rows(), d_model);
  require("out", w.out, d_model, w.v.rows());
}

/// Turns every head's pairs.
template <typename T>
void turn(const Vector<double>& speeds, Index heads, Index offset, bool back, Matrix<T>& X) {
  const Index width = X.cols() / heads;
  for (Index h = 0; h < heads; ++h) {
    auto some = X.middleCols(h * width, width);
    some = rotate_by<T>(Matrix<T>(some), speeds, offset, RotaryPairs::kInterleaved, back);
  }
}

template <typename T>
RetentionRun<T> run_projections(In<T> X, const RetentionLayerWeights<T>& w, Index offset) {
  require_layer<T>(X, w);
  RetentionRun<T> run;
  run.d_k = w.q.rows() / w.heads;
  run.d_v = w.v.rows() / w.heads;
  run.speeds = retention_speeds(run.d_k);
  run.q = linear<T>(X, w.q);
  run.k = linear<T>(X, w.k) / static_cast<T>(std::sqrt(static_cast<double>(run.d_k)));
  run.v = linear<T>(X, w.v);
  run.gate = linear<T>(X, w.gate);
  turn(run.speeds, w.heads, offset, false, run.q);
  turn(run.speeds, w.heads, offset, false, run.k);
  return run;
}

/// √Σ_{i ≤ t} γ^i.
double root_of_sum(double log_decay, Index t) {
  return std::sqrt(std::expm1(log_decay * static_cast<double>(t + 1)) / std::expm1(log_decay));
}

template <typename T>
MatrixStateGates<T> gates_of(Index n, double log_decay) {
  return {Matrix<T>::Constant(n, 1, static_cast<T>(log_decay)), {}};
}

/// What each row of a head is divided by in the forms that look at the scores. `first` is the row
/// from which a chunk counts, `state` that before it.
template <typename T>
void divide_by_scores(const Matrix<T>& q, const Matrix<T>& k, const Matrix<T>& state,
                      double log_decay, Index first, Index size, Vector<double>& divisors) {
  // In the chunked form the state that came before is brought to size 1 first.
  const double mass = std::pow(root_of_sum(log_decay, size - 1), 2);
  double cross = 1;
  if (first > 0) {
    cross = std::max(1.0, static_cast<double>(state.cwiseAbs().colwise().sum().maxCoeff()) / mass);
  }
  for (Index t = 0; t < size; ++t) {
    const double root = root_of_sum(log_decay, t);
    double sum = 0;
    for (Index j = 0; j <= t; ++j) {
      sum += std::abs(static_cast<double>(q.row(first + t).dot(k.row(first + j)))) *
             std::exp(log_decay * static_cast<double>(t - j)) / root;
    }
    divisors(first + t) = root * std::max(std::clamp(sum, 1.0, 5e4), cross);
  }
}

/// One head's retention and what its rows are divided by.
template <typename T>
struct Head {
  Matrix<T> raw, state;
  Vector<double> divisors;

  Matrix<T> divided() const {
    return raw.array().colwise() * divisors.cwiseInverse().template cast<T>().array();
  }
};

template <typename T>
Head<T> run_head(const RetentionRun<T>& run, const RetentionLayerOptions& options, Index h,
                 Index offset, const Matrix<T>* initial) {
  const double log_decay = retention_log_decay(h);
  const Index n = run.q.rows();
  MatrixStateOptions state;
  state.scale = 1;
  state.chunk = tokens_together(options, n);
  const Matrix<T> q = run.head(run.q, h, run.d_k), k = run.head(run.k, h, run.d_k),
                  v = run.head(run.v, h, run.d_v);
  auto made = matrix_state<T>(q, k, v, gates_of<T>(n, log_decay), state, initial);
  Head<T> head{std::move(made.output), std::move(made.state), Vector<double>(n)};
  if (options.form == RetentionForm::kRecurrent) {
    for (Index t = 0; t < n; ++t) head.divisors(t) = root_of_sum(log_decay, offset + t);
    return head;
  }
  const Index size = options.form == RetentionForm::kParallel ? n : state.chunk;
  Matrix<T> S = Matrix<T>::Zero(run.d_k, run.d_v);
  for (Index first = 0; first < n; first += size) {
    const Index here = std::min(size, n - first);
    divide_by_scores(q, k, S, log_decay, first, here, head.divisors);
    S = matrix_state<T>(q.middleRows(first, here), k.middleRows(first, here),
                        v.middleRows(first, here), gates_of<T>(here, log_decay), state, &S)
            .state;
  }
  return head;
}

}  // namespace

Vector<double> retention_speeds(Index d_k) {
  if (d_k < 2 || d_k % 2 != 0) {
    throw ValueError("d_k", phrase::number(d_k), phrase::even_at_least(2));
  }
  const Index pairs = d_k / 2;
  Vector<double> speeds(pairs);
  for (Index c = 0; c < pairs; ++c) {
    const double share = pairs == 1 ? 0 : static_cast<double>(c) / static_cast<double>(pairs - 1);
    speeds(c) = std::pow(10000.0, -share);
  }
  return speeds;
}

template <typename T>
RetentionLayerResult<T> retention_layer(
    In<T> X, const RetentionLayerWeights<std::type_identity_t<T>>& weights,
    const RetentionLayerOptions& options, Index offset,
    const std::vector<Matrix<std::type_identity_t<T>>>* states) {
  const RetentionRun<T> run = run_projections<T>(X, weights, offset);
  if (states != nullptr && static_cast<Index>(states->size()) != weights.heads) {
    throw ShapeError("states", phrase::number(static_cast<Index>(states->size())),
                     phrase::widths_of_heads);
  }
  RetentionLayerResult<T> made;
  Matrix<T> heads(X.rows(), weights.v.rows());
  for (Index h = 0; h < weights.heads; ++h) {
    const Matrix<T>* initial =
        states == nullptr ? nullptr : &(*states)[static_cast<std::size_t>(h)];
    Head<T> head = run_head(run, options, h, offset, initial);
    heads.middleCols(h * run.d_v, run.d_v) =
        rms_norm<T>(head.divided(), Vector<T>(), options.epsilon);
    made.states.push_back(std::move(head.state));
  }
  heads.array() *= activate<T>(run.gate, Activation::kSilu).array();
  made.output = linear<T>(heads, weights.out);
  return made;
}

template <typename T>
RetentionLayerGradients<T> retention_layer_backward(
    In<T> X, const RetentionLayerWeights<std::type_identity_t<T>>& w, In<T> dO,
    const RetentionLayerOptions& options) {
  const RetentionRun<T> run = run_projections<T>(X, w, 0);
  const Index n = X.rows();
  require_shape<T>("dO", dO, n, w.out.rows(), phrase::shape_of_output);
  require_finite<T>("dO", dO);
  RetentionLayerOptions recurrent = options;
  recurrent.form = RetentionForm::kRecurrent;
  const Matrix<T> opened = activate<T>(run.gate, Activation::kSilu);
  const Matrix<T> d_gated = internal::product_nn<T>(dO, w.out);
  Matrix<T> heads(n, w.v.rows()), dq(n, w.q.rows()), dk(n, w.q.rows()), dv(n, w.v.rows());
  MatrixStateOptions state;
  state.scale = 1;
  state.chunk = tokens_together(options, n);
  for (Index h = 0; h < w.heads; ++h) {
    const Head<T> head = run_head<T>(run, recurrent, h, 0, nullptr);
    const Matrix<T> divided = head.divided();
    const Index first = h * run.d_v;
    heads.middleCols(first, run.d_v) = rms_norm<T>(divided, Vector<T>(), options.epsilon);
    const Matrix<T> d_head =
        d_gated.middleCols(first, run.d_v).cwiseProduct(opened.middleCols(first, run.d_v));
    Matrix<T> d_raw = rms_norm_backward<T>(divided, Vector<T>(), d_head, options.epsilon).dX;
    d_raw.array().colwise() *= head.divisors.cwiseInverse().template cast<T>().array();
    const auto back = matrix_state_backward<T>(
        run.head(run.q, h, run.d_k), run.head(run.k, h, run.d_k), run.head(run.v, h, run.d_v),
        d_raw, gates_of<T>(n, retention_log_decay(h)), state);
    dq.middleCols(h * run.d_k, run.d_k) = back.dQ;
    dk.middleCols(h * run.d_k, run.d_k) = back.dK;
    dv.middleCols(first, run.d_v) = back.dV;
  }
  turn(run.speeds, w.heads, 0, true, dq);
  turn(run.speeds, w.heads, 0, true, dk);
  dk /= static_cast<T>(std::sqrt(static_cast<double>(run.d_k)));
  RetentionLayerGradients<T> made;
  made.d_weights.heads = w.heads;
  made.d_weights.out = internal::product_tn<T>(dO, heads.cwiseProduct(opened));
  const Matrix<T> d_gate =
      activate_backward<T>(run.gate, Activation::kSilu, d_gated.cwiseProduct(heads));
  made.dX = Matrix<T>::Zero(n, X.cols());
  const auto through = [&](const Matrix<T>& W, const Matrix<T>& dY, Matrix<T>& dW) {
    auto back = linear_backward<T>(X, W, Vector<T>(), dY);
    dW = std::move(back.dW);
    made.dX += back.dX;
  };
  through(w.q, dq, made.d_weights.q);
  through(w.k, dk, made.d_weights.k);
  through(w.v, dv, made.d_weights.v);
  through(w.gate, d_gate, made.d_weights.gate);
  return made;
}

template <typename T>
Matrix<T> retention_decay_mask(Index n, Index head) {
  if (n < 1) throw ValueError("n", phrase::number(n), phrase::at_least(1));
  const double log_decay = retention_log_decay(head);
  Matrix<T> mask = Matrix<T>::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    const double root = root_of_sum(log_decay, i);
    for (Index j = 0; j <= i; ++j) {
      mask(i, j) = static_cast<T>(std::exp(log_decay * static_cast<double>(i - j)) / root);
    }
  }
  return mask;
}

template <typename T>
Matrix<T> retention_layer_weights(In<T> X,
                                  const RetentionLayerWeights<std::type_identity_t<T>>& weights,
                                  Index head) {
  const RetentionRun<T> run = run_projections<T>(X, weights, 0);
  if (head < 0 || head >= weights.heads) {
    throw ValueError("head", phrase::number(head), phrase::range(0, weights.heads - 1));
  }
  return retention_decay_mask<T>(X.rows(), head)
      .cwiseProduct(
          internal::product_nt<T>(run.head(run.q, head, run.d_k), run.head(run.k, head, run.d_k)));
}

#define ATTN_INSTANTIATE(T)                                                                   \
  template RetentionLayerResult<T> retention_layer<T>(In<T>, const RetentionLayerWeights<T>&, \
                                                      const RetentionLayerOptions&, Index,    \
                                                      const std::vector<Matrix<T>>*);         \
  template RetentionLayerGradients<T> retention_layer_backward<T>(                            \
      In<T>, const RetentionLayerWeights<T>&, In<T>, const RetentionLayerOptions&);           \
  template Matrix<T> retention_decay_mask<T>(Index, Index);                                   \
  template Matrix<T> retention_layer_weights<T>(In<T>, const RetentionLayerWeights<T>&, Index);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
