#include "attn/mixers/convolution.hpp"

#include <bit>
#include <complex>
#include <cstdint>
#include <unsupported/Eigen/FFT>
#include <vector>

#include "attn/base/errors.hpp"
#include "attn/mixers/phrases.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

using internal::note;
using internal::wide;

template <typename T>
void require_rows(In<T> X) {
  if (X.size() == 0) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::row_and_column);
  }
  require_finite<T>("X", X);
}

template <typename T>
void require_short(In<T> X, In<T> taps, InVector<T> bias) {
  require_rows<T>(X);
  if (taps.rows() != X.cols() || taps.cols() < 1) {
    throw ShapeError("taps", phrase::shape(taps.rows(), taps.cols()), phrase::taps_each_channel);
  }
  require_finite<T>("taps", taps);
  if (bias.size() == 0) return;
  require_shape<T>("bias", bias.transpose(), 1, X.cols(), phrase::entry_each_channel);
  require_finite<T>("bias", bias.transpose());
}

template <typename T>
void require_long(In<T> X, In<T> filter, InVector<T> through) {
  require_rows<T>(X);
  if (filter.rows() < X.rows() || filter.cols() != X.cols()) {
    throw ShapeError("filter", phrase::shape(filter.rows(), filter.cols()), phrase::tap_each_token);
  }
  require_finite<T>("filter", filter);
  if (through.size() == 0) return;
  require_shape<T>("through", through.transpose(), 1, X.cols(), phrase::entry_each_channel);
  require_finite<T>("through", through.transpose());
}

/// The transforms of real sequences of one length, whose tables are kept.
template <typename T>
class Transform {
 public:
  using Spectrum = std::vector<std::complex<T>>;

  explicit Transform(Index n) : size_(long_convolution_transform(n)), padded_(count(size_)) {
    fft_.SetFlag(Eigen::FFT<T>::HalfSpectrum);
  }

  Spectrum spectrum() const { return Spectrum(count(size_ / 2 + 1)); }

  /// The spectrum of column c of the first n rows.
  void forward(In<T> X, Index n, Index c, Spectrum& into) {
    for (Index t = 0; t < n; ++t) padded_[count(t)] = X(t, c);
    std::fill(padded_.begin() + n, padded_.end(), T{0});
    fft_.fwd(into.data(), padded_.data(), size_);
    note<T>({.multiply_adds = fft_multiply_adds(size_),
             .read = wide(size_),
             .written = wide(size_ + 2)});
  }

  /// Entries 0 … n − 1 of the sequence with this spectrum, valid until the next call.
  const std::vector<T>& inverse(const Spectrum& from) {
    fft_.inv(padded_.data(), from.data(), size_);
    note<T>({.multiply_adds = fft_multiply_adds(size_),
             .read = wide(size_ + 2),
             .written = wide(size_)});
    return padded_;
  }

  static std::size_t count(Index size) { return static_cast<std::size_t>(size); }

 private:
  Index size_;
  std::vector<T> padded_;
  Eigen::FFT<T> fft_;
};

/// product = a·b, or conj(a)·b for a correlation.
template <typename Spectrum>
void multiply(const Spectrum& a, const Spectrum& b, bool conjugate, Spectrum& product) {
  using T = typename Spectrum::value_type::value_type;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const T re = a[i].real(), im = conjugate ? -a[i].imag() : a[i].imag();
    product[i] = {re * b[i].real() - im * b[i].imag(), re * b[i].imag() + im * b[i].real()};
  }
  note<T>({.multiply_adds = 4 * a.size(), .read = 4 * a.size(), .written = 2 * a.size()});
}

template <typename T>
void note_direct(Index n, Index d) {
  note<T>({.multiply_adds = wide(n) * wide(n + 1) / 2 * wide(d),
           .read = 2 * wide(n * d),
           .written = wide(n * d)});
}

}  // namespace

std::uint64_t fft_multiply_adds(Index size) {
  const std::uint64_t n = wide(size);
  return 2 * n * static_cast<std::uint64_t>(std::countr_zero(n));
}

Index long_convolution_transform(Index n) {
  return static_cast<Index>(std::bit_ceil(std::max<std::uint64_t>(2 * wide(n), 4)));
}

template <typename T>
ShortConvolutionResult<T> short_convolution(In<T> X, In<T> taps, InVector<T> bias,
                                            const Matrix<std::type_identity_t<T>>* before) {
  require_short<T>(X, taps, bias);
  const Index n = X.rows(), d = X.cols(), k = taps.cols();
  // The inputs with those before them in front.
  Matrix<T> all(n + k - 1, d);
  if (before != nullptr) {
    require_shape<T>("before", *before, k - 1, d, phrase::inputs_before);
    require_finite<T>("before", *before);
    all.topRows(k - 1) = *before;
  } else {
    all.topRows(k - 1).setZero();
  }
  all.bottomRows(n) = X;
  ShortConvolutionResult<T> made{Matrix<T>::Zero(n, d), all.bottomRows(k - 1)};
  for (Index j = 0; j < k; ++j) {
    made.output.array() += all.middleRows(j, n).array().rowwise() * taps.col(j).transpose().array();
  }
  if (bias.size() > 0) made.output.rowwise() += bias.transpose();
  note<T>({.multiply_adds = wide(n * d) * wide(k),
           .read = wide(n * d) * wide(k),
           .written = wide(n * d)});
  return made;
}

template <typename T>
ShortConvolutionGradients<T> short_convolution_backward(In<T> X, In<T> taps, InVector<T> bias,
                                                        In<T> dO) {
  require_short<T>(X, taps, bias);
  const Index n = X.rows(), d = X.cols(), k = taps.cols();
  require_shape<T>("dO", dO, n, d, phrase::shape_of_output);
  require_finite<T>("dO", dO);
  ShortConvolutionGradients<T> made{Matrix<T>::Zero(n, d), Matrix<T>::Zero(d, k), {}};
  for (Index j = 0; j < k; ++j) {
    // Tap j sees the input `late` tokens before.
    const Index late = k - 1 - j, rows = n - late;
    if (rows <= 0) continue;
    made.dX.topRows(rows).array() +=
        dO.bottomRows(rows).array().rowwise() * taps.col(j).transpose().array();
    made.d_taps.col(j) =
        dO.bottomRows(rows).cwiseProduct(X.topRows(rows)).colwise().sum().transpose();
  }
  if (bias.size() > 0) made.d_bias = dO.colwise().sum().transpose();
  note<T>({.multiply_adds = 2 * wide(n * d) * wide(k),
           .read = 3 * wide(n * d) * wide(k),
           .written = wide(n * d)});
  return made;
}

template <typename T>
Matrix<T> long_convolution(In<T> X, In<T> filter, InVector<T> through, ConvolutionForm form) {
  require_long<T>(X, filter, through);
  const Index n = X.rows(), d = X.cols();
  Matrix<T> Y(n, d);
  if (form == ConvolutionForm::kDirect) {
    for (Index t = 0; t < n; ++t) {
      Y.row(t).setZero();
      for (Index s = 0; s <= t; ++s) Y.row(t) += filter.row(t - s).cwiseProduct(X.row(s));
    }
    note_direct<T>(n, d);
  } else {
    Transform<T> transform(n);
    auto x = transform.spectrum(), h = transform.spectrum(), y = transform.spectrum();
    for (Index c = 0; c < d; ++c) {
      transform.forward(X, n, c, x);
      transform.forward(filter, n, c, h);
      multiply(x, h, false, y);
      const std::vector<T>& column = transform.inverse(y);
      for (Index t = 0; t < n; ++t) Y(t, c) = column[Transform<T>::count(t)];
    }
  }
  if (through.size() > 0) Y.array() += X.array().rowwise() * through.transpose().array();
  return Y;
}

template <typename T>
LongConvolutionGradients<T> long_convolution_backward(In<T> X, In<T> filter, InVector<T> through,
                                                      In<T> dO, ConvolutionForm form) {
  require_long<T>(X, filter, through);
  const Index n = X.rows(), d = X.cols();
  require_shape<T>("dO", dO, n, d, phrase::shape_of_output);
  require_finite<T>("dO", dO);
  LongConvolutionGradients<T> made{Matrix<T>(n, d), Matrix<T>::Zero(filter.rows(), d), {}};
  if (form == ConvolutionForm::kDirect) {
    made.dX.setZero();
    for (Index t = 0; t < n; ++t) {
      for (Index s = 0; s <= t; ++s) {
        made.dX.row(s) += filter.row(t - s).cwiseProduct(dO.row(t));
        made.d_filter.row(t - s) += X.row(s).cwiseProduct(dO.row(t));
      }
    }
    note_direct<T>(n, d);
    note_direct<T>(n, d);
  } else {
    Transform<T> transform(n);
    auto x = transform.spectrum(), h = transform.spectrum(), g = transform.spectrum(),
         product = transform.spectrum();
    for (Index c = 0; c < d; ++c) {
      transform.forward(X, n, c, x);
      transform.forward(filter, n, c, h);
      transform.forward(dO, n, c, g);
      multiply(h, g, true, product);
      const std::vector<T>& column = transform.inverse(product);
      for (Index t = 0; t < n; ++t) made.dX(t, c) = column[Transform<T>::count(t)];
      multiply(x, g, true, product);
      transform.inverse(product);
      for (Index t = 0; t < n; ++t) made.d_filter(t, c) = column[Transform<T>::count(t)];
    }
  }
  if (through.size() > 0) {
    made.dX.array() += dO.array().rowwise() * through.transpose().array();
    made.d_through = dO.cwiseProduct(X).colwise().sum().transpose();
  }
  return made;
}

template <typename T>
Matrix<T> toeplitz_weights(InVector<T> filter, Index n, double through) {
  if (n < 1) throw ValueError("n", phrase::number(n), phrase::at_least(1));
  Matrix<T> weights = Matrix<T>::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) weights(i, j) = i - j < filter.size() ? filter(i - j) : T{0};
    weights(i, i) += static_cast<T>(through);
  }
  return weights;
}

#define ATTN_INSTANTIATE(T)                                                                      \
  template ShortConvolutionResult<T> short_convolution<T>(In<T>, In<T>, InVector<T>,             \
                                                          const Matrix<T>*);                     \
  template ShortConvolutionGradients<T> short_convolution_backward<T>(In<T>, In<T>, InVector<T>, \
                                                                      In<T>);                    \
  template Matrix<T> long_convolution<T>(In<T>, In<T>, InVector<T>, ConvolutionForm);            \
  template LongConvolutionGradients<T> long_convolution_backward<T>(In<T>, In<T>, InVector<T>,   \
                                                                    In<T>, ConvolutionForm);     \
  template Matrix<T> toeplitz_weights<T>(InVector<T>, Index, double);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
