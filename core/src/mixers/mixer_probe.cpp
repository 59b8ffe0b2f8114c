#include "attn/mixers/mixer_probe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/base/errors.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/nn/parameters.hpp"

namespace attn {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

void require_positive(const char* name, Index value) {
  if (value < 1) throw ValueError(name, phrase::number(value), phrase::at_least(1));
}

void require_stream_tokens(Index tokens) {
  if (tokens < 1 || tokens > kMostStreamTokens) {
    throw ValueError("tokens", phrase::number(tokens), phrase::range(1, kMostStreamTokens));
  }
}

template <typename T>
Vector<T> drawn(const SequenceMixer<T>& mixer, std::uint64_t seed) {
  Vector<T> values(mixer.parameters().size());
  initialize<T>(mixer.parameters(), seed, values);
  return values;
}

SequenceMixerOptions with_chunk(SequenceMixerOptions options, Index chunk) {
  for (auto& [name, value] : options.parameters) {
    if (name == "chunk") {
      value = static_cast<double>(chunk);
      return options;
    }
  }
  options.parameters.emplace_back("chunk", static_cast<double>(chunk));
  return options;
}

bool has_chunk(const SequenceMixerInfo& info) {
  return std::any_of(info.parameters.begin(), info.parameters.end(),
                     [](const SequenceMixerParameter& one) { return one.name == "chunk"; });
}

double ratio_at(const Matrix<double>& A, Index i, Index j) {
  return A(i, j) * A(i + 1, j + 1) / (A(i, j + 1) * A(i + 1, j));
}

}  // namespace

MixerSizes mixer_sizes(const SequenceMixerOptions& options, Index n) {
  require_positive("n", n);
  const auto mixer = make_sequence_mixer<float>(options);
  return {static_cast<std::uint64_t>(mixer->parameters().size()), mixer->state_numbers(n),
          mixer->multiply_adds(n), mixer->info().has_matrix ? mixer->weight_count() : 0};
}

template <typename T>
Matrix<T> mixer_tokens(std::span<const Index> ids, Index d, std::uint64_t seed) {
  require_positive("ids", static_cast<Index>(ids.size()));
  require_positive("d", d);
  Matrix<T> X(static_cast<Index>(ids.size()), d);
  for (Index t = 0; t < X.rows(); ++t) {
    const Index id = ids[static_cast<std::size_t>(t)];
    if (id < 0) throw ValueError("ids", phrase::number(id), phrase::at_least(0));
    X.row(t) = Rng(seed, static_cast<std::uint64_t>(id)).gaussian_matrix<T>(1, d);
  }
  return X;
}

template <typename T>
MixerForms<T> compare_mixer_forms(const SequenceMixerOptions& options, In<T> X, std::uint64_t seed,
                                  Index chunk) {
  require_positive("chunk", chunk);
  const SequenceMixerInfo& info = sequence_mixer_info(options.id);
  const bool chunked = has_chunk(info);
  const Index whole = std::max<Index>(1, X.rows());
  const auto mixer = make_sequence_mixer<T>(chunked ? with_chunk(options, whole) : options);
  const Vector<T> parameters = drawn(*mixer, seed);
  MixerForms<T> made;
  made.parallel = mixer->forward(X, 1, parameters);
  MixerState<T> state = mixer->start();
  made.recurrent = mixer->step(X, parameters, state);
  const auto difference = [&](const Matrix<T>& other) {
    return static_cast<double>((other - made.parallel).cwiseAbs().maxCoeff());
  };
  made.recurrent_difference = difference(made.recurrent);
  made.chunked_difference = kNaN;
  if (chunked) {
    made.chunked = make_sequence_mixer<T>(with_chunk(options, chunk))->forward(X, 1, parameters);
    made.chunked_difference = difference(made.chunked);
  }
  made.largest = static_cast<double>(made.parallel.cwiseAbs().maxCoeff());
  return made;
}

template <typename T>
Matrix<T> mixer_matrix(const SequenceMixerOptions& options, In<T> X, std::uint64_t seed,
                       Index which) {
  const auto mixer = make_sequence_mixer<T>(options);
  return mixer->weights(X, drawn(*mixer, seed), which);
}

template <typename T>
double nearby_share(In<T> A, Index distance) {
  const Index n = A.rows();
  if (n == 0) throw ShapeError("A", phrase::shape(n, A.cols()), phrase::at_least_one);
  if (A.cols() != n) throw ShapeError("A", phrase::shape(n, A.cols()), phrase::shape(n, n));
  require_finite<T>("A", A);
  if (distance < 0) throw ValueError("distance", phrase::number(distance), phrase::at_least(0));
  const Matrix<double> sizes = A.template cast<double>().cwiseAbs();
  double near = 0;
  for (Index lag = 0; lag <= std::min(distance, n - 1); ++lag) near += sizes.diagonal(-lag).sum();
  return near / sizes.sum();
}

FilterProbe probe_filter(const SequenceMixerOptions& options, In<double> X, In<double> other,
                         std::uint64_t seed, Index which) {
  const Index n = X.rows();
  if (n < 3) throw ShapeError("X", phrase::shape(n, X.cols()), phrase::at_least(3));
  if (other.rows() != n || other.cols() != X.cols()) {
    throw ShapeError("other", phrase::shape(other.rows(), other.cols()),
                     phrase::shape(n, X.cols()));
  }
  const Matrix<double> A = mixer_matrix<double>(options, X, seed, which);
  const Matrix<double> B = mixer_matrix<double>(options, other, seed, which);
  FilterProbe made;
  const double largest = A.cwiseAbs().maxCoeff();
  made.change = (A - B).cwiseAbs().maxCoeff() / largest;
  std::vector<double> changes;
  for (Index i = 1; i + 1 < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double a = ratio_at(A, i, j), b = ratio_at(B, i, j);
      if (!std::isfinite(a) || !std::isfinite(b) || (a == 0 && b == 0)) continue;
      changes.push_back(std::abs(a - b) / (std::abs(a) + std::abs(b)));
    }
  }
  made.filter_change = kNaN;
  if (!changes.empty()) {
    const auto middle = changes.begin() + static_cast<std::ptrdiff_t>(changes.size() / 2);
    std::nth_element(changes.begin(), middle, changes.end());
    made.filter_change = *middle;
  }
  made.filter_fixed = made.filter_change < kFilterFixed;
  for (Index lag = 0; lag < n; ++lag) {
    const auto diagonal = A.diagonal(-lag);
    const double mean = diagonal.mean();
    made.diagonal_spread =
        std::max(made.diagonal_spread, (diagonal.array() - mean).abs().maxCoeff() / largest);
  }
  return made;
}

template <typename T>
MixerStream<T>::MixerStream(const SequenceMixerOptions& options, std::uint64_t seed)
    : mixer_(make_sequence_mixer<T>(options)),
      parameters_(drawn(*mixer_, seed)),
      state_(mixer_->start()),
      rng_(seed, 1) {}

template <typename T>
MixerStreamReport MixerStream<T>::advance(Index tokens) {
  require_stream_tokens(tokens);
  constexpr Index kRows = 64;
  for (Index done = 0; done < tokens;) {
    const Index rows = std::min(kRows, tokens - done);
    const Matrix<T> X = rng_.gaussian_matrix<T>(rows, mixer_->options().d_model);
    const Matrix<T> Y = mixer_->step(X, parameters_, state_);
    last_norm_ = static_cast<double>(Y.row(rows - 1).norm());
    done += rows;
  }
  return report();
}

template <typename T>
MixerStreamReport MixerStream<T>::read(Index tokens) {
  require_stream_tokens(tokens);
  // A cache is copied when it grows, so that it grows seldom.
  constexpr Index kRows = 8192;
  for (Index done = 0; done < tokens;) {
    const Index rows = std::min(kRows, tokens - done);
    mixer_->read(rng_.gaussian_matrix<T>(rows, mixer_->options().d_model), parameters_, state_);
    done += rows;
  }
  return report();
}

template <typename T>
MixerStreamReport MixerStream<T>::report() const {
  return {state_.position, static_cast<std::uint64_t>(state_.size()), last_norm_};
}

#define ATTN_INSTANTIATE(T)                                                                        \
  template Matrix<T> mixer_tokens<T>(std::span<const Index>, Index, std::uint64_t);                \
  template MixerForms<T> compare_mixer_forms<T>(const SequenceMixerOptions&, In<T>, std::uint64_t, \
                                                Index);                                            \
  template Matrix<T> mixer_matrix<T>(const SequenceMixerOptions&, In<T>, std::uint64_t, Index);    \
  template double nearby_share<T>(In<T>, Index);                                                   \
  template class MixerStream<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
