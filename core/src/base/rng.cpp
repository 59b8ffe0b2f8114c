#include "attn/base/rng.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "attn/base/errors.hpp"
#include "base/streams.hpp"

namespace attn {
namespace {

constexpr std::uint64_t kSplitMixStep = 0x9e3779b97f4a7c15ULL;

std::uint64_t split_mix(std::uint64_t& x) {
  std::uint64_t z = (x += kSplitMixStep);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t split_mix_start(std::uint64_t seed, std::uint64_t stream) {
  return split_mix(seed) + stream * 0xd1342543de82ef95ULL;
}

/// Output `index` of the sequence that starts at `start`.
std::uint64_t split_mix_at(std::uint64_t start, Index index) {
  start += static_cast<std::uint64_t>(index) * kSplitMixStep;
  return split_mix(start);
}

double uniform_of(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

// ln x for x in (0, 1], from IEEE-exact operations only. |t| ≤ 0.172 makes the first term left out
// smaller than 1e-18.
double portable_log(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  const double t = (mantissa - 1) / (mantissa + 1);
  const double t2 = t * t;
  double series = 0;
  for (int k = 21; k >= 1; k -= 2) series = series * t2 + 1.0 / k;
  return 2 * t * series + exponent * 0.69314718055994531;
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t x = split_mix_start(seed, stream);
  for (std::uint64_t& word : state_) word = split_mix(x);
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::uniform() { return uniform_of(next()); }

std::uint64_t Rng::below(std::uint64_t bound) {
  if (bound == 0) throw ValueError("bound", phrase::number(0), phrase::at_least(1));
  // The lowest 2^64 mod bound values would make small results more likely, so they are drawn again.
  const std::uint64_t unfair = (0 - bound) % bound;
  std::uint64_t x = next();
  while (x < unfair) x = next();
  return x % bound;
}

double Rng::gaussian() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double u = 0, v = 0, r = 0;
  do {
    u = 2 * uniform() - 1;
    v = 2 * uniform() - 1;
    r = u * u + v * v;
  } while (r >= 1 || r == 0);
  const double factor = std::sqrt(-2 * portable_log(r) / r);
  spare_ = v * factor;
  has_spare_ = true;
  return u * factor;
}

// The seed is hashed once more than in Rng; otherwise the rows would start at Rng's state words.
CellRng::CellRng(std::uint64_t seed, std::uint64_t stream)
    : start_(split_mix_at(split_mix_start(seed, stream), 0)) {}

double CellRng::uniform(Index i, Index j) const {
  return uniform_of(split_mix_at(split_mix_at(start_, i), j));
}

template <typename T>
Matrix<T> Rng::gaussian_matrix(Index rows, Index cols) {
  Matrix<T> x(rows, cols);
  for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(gaussian());
  return x;
}

template <typename T>
Matrix<T> random_projection(Index m, Index d, bool orthogonal, std::uint64_t seed,
                            RowNorms row_norms) {
  if (m < 1) throw ValueError("m", phrase::number(m), phrase::at_least(1));
  if (d < 1) throw ValueError("d", phrase::number(d), phrase::at_least(1));
  Matrix<double> W = Rng(seed, internal::kProjectionStream).gaussian_matrix<double>(m, d);
  const double fixed = std::sqrt(static_cast<double>(d));
  if (!orthogonal) {
    if (row_norms == RowNorms::kFixed) {
      for (Index r = 0; r < m; ++r) W.row(r) *= fixed / W.row(r).norm();
    }
    return W.cast<T>();
  }
  Rng norms(seed, internal::kProjectionNormStream);
  for (Index block = 0; block < m; block += d) {
    const Index end = std::min(block + d, m);
    for (Index r = block; r < end; ++r) {
      // Two passes are enough: the second removes what rounding left in the first (Kahan; Parlett).
      for (int pass = 0; pass < 2; ++pass) {
        for (Index p = block; p < r; ++p) W.row(r) -= W.row(r).dot(W.row(p)) * W.row(p);
      }
      W.row(r) /= W.row(r).norm();
    }
  }
  if (row_norms == RowNorms::kFixed) return (fixed * W).cast<T>();
  for (Index r = 0; r < m; ++r) {
    double squared_norm = 0;
    for (Index k = 0; k < d; ++k) {
      const double g = norms.gaussian();
      squared_norm += g * g;
    }
    W.row(r) *= std::sqrt(squared_norm);
  }
  return W.cast<T>();
}

#define ATTN_INSTANTIATE(T)                                 \
  template Matrix<T> Rng::gaussian_matrix<T>(Index, Index); \
  template Matrix<T> random_projection<T>(Index, Index, bool, std::uint64_t, RowNorms);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
