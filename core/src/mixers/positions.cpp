#include "attn/mixers/positions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "attn/base/errors.hpp"
#include "attn/mixers/phrases.hpp"
#include "cost/meter.hpp"

namespace attn {
namespace {

void require_base(double base) {
  if (!(base > 0) || !std::isfinite(base)) {
    throw ValueError("base", phrase::number(base), phrase::positive_number);
  }
}

/// How many entries of a row are turned.
Index require_rotation(Index n, Index d, Index offset, const RotaryOptions& options) {
  if (n < 1 || d < 1) throw ShapeError("X", phrase::shape(n, d), phrase::row_and_column);
  const Index width = options.width == 0 ? d : options.width;
  if (width < 0 || width > d || width % 2 != 0) {
    throw ValueError("width", phrase::number(width), phrase::even_up_to(d));
  }
  require_base(options.base);
  if (offset < 0 || offset > 2147483647 - n + 1) {
    throw ValueError("offset", phrase::number(offset), phrase::position_range);
  }
  return width;
}

/// The table of positions offset … offset + n − 1.
template <typename T>
RotaryTable<T> table_of(Index n, Index offset, InVector<double> speeds) {
  const Index pairs = speeds.size();
  RotaryTable<T> table{Matrix<T>(n, pairs), Matrix<T>(n, pairs)};
  for (Index c = 0; c < pairs; ++c) {
    for (Index i = 0; i < n; ++i) {
      const double angle = static_cast<double>(offset + i) * speeds(c);
      table.cos(i, c) = static_cast<T>(std::cos(angle));
      table.sin(i, c) = static_cast<T>(std::sin(angle));
    }
  }
  internal::note<T>({.written = internal::wide(2 * n * pairs)});
  return table;
}

/// Turns by the angles of the table times `direction`.
template <typename T>
Matrix<T> turned(In<T> X, const RotaryTable<T>& table, RotaryPairs layout, T direction) {
  const Index n = X.rows(), pairs = table.cos.cols();
  const bool halves = layout == RotaryPairs::kHalves;
  Matrix<T> result = X;
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < pairs; ++c) {
      const Index first = halves ? c : 2 * c, second = halves ? c + pairs : 2 * c + 1;
      const T cos = table.cos(i, c), sin = direction * table.sin(i, c);
      const T a = X(i, first), b = X(i, second);
      result(i, first) = a * cos - b * sin;
      result(i, second) = b * cos + a * sin;
    }
  }
  internal::note<T>({.multiply_adds = 4 * internal::wide(n * pairs),
                     .read = internal::wide(X.size()),
                     .written = internal::wide(X.size())});
  return result;
}

}  // namespace

template <typename T>
RotaryTable<T> rotary_table(Index n, Index d, Index offset, const RotaryOptions& options) {
  const Index width = require_rotation(n, d, offset, options);
  return table_of<T>(n, offset, rotary_speeds(width, options.base));
}

Vector<double> rotary_speeds(Index width, double base) {
  if (width < 2 || width % 2 != 0) {
    throw ValueError("width", phrase::number(width), phrase::even_at_least(2));
  }
  require_base(base);
  Vector<double> speeds(width / 2);
  for (Index c = 0; c < speeds.size(); ++c) {
    speeds(c) = std::pow(base, -2 * static_cast<double>(c) / static_cast<double>(width));
  }
  return speeds;
}

Vector<double> yarn_speeds(Index width, const YarnOptions& yarn, double base) {
  Vector<double> speeds = rotary_speeds(width, base);
  if (yarn.trained < 1) {
    throw ValueError("trained", phrase::number(yarn.trained), phrase::at_least(1));
  }
  for (const auto& [name, value] : {std::pair{"factor", yarn.factor}, std::pair{"fast", yarn.fast},
                                    std::pair{"slow", yarn.slow}}) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw ValueError(name, phrase::number(value), phrase::positive_number);
    }
  }
  // The pair, as a fraction, that turns so many times in the trained length.
  const auto pair_of = [&](double turns) {
    return static_cast<double>(width) *
           std::log(static_cast<double>(yarn.trained) / (turns * 2 * std::numbers::pi)) /
           (2 * std::log(base));
  };
  const double low = std::max(std::floor(pair_of(yarn.fast)), 0.0);
  double high = std::min(std::ceil(pair_of(yarn.slow)), static_cast<double>(width - 1));
  if (low == high) high += 0.001;
  for (Index c = 0; c < speeds.size(); ++c) {
    const double slowed = std::clamp((static_cast<double>(c) - low) / (high - low), 0.0, 1.0);
    speeds(c) *= slowed / yarn.factor + 1 - slowed;
  }
  return speeds;
}

template <typename T>
Matrix<T> rotate_by(In<T> X, InVector<double> speeds, Index offset, RotaryPairs pairs, bool back) {
  require_rotation(X.rows(), X.cols(), offset, {});
  if (X.cols() != 2 * speeds.size()) {
    throw ShapeError("X", phrase::shape(X.rows(), X.cols()), phrase::two_columns_each_speed);
  }
  return turned<T>(X, table_of<T>(X.rows(), offset, speeds), pairs, back ? T{-1} : T{1});
}

template <typename T>
Matrix<T> rotate(In<T> X, Index offset, const RotaryOptions& options) {
  return turned<T>(X, rotary_table<T>(X.rows(), X.cols(), offset, options), options.pairs, T{1});
}

template <typename T>
Matrix<T> rotate_backward(In<T> dO, Index offset, const RotaryOptions& options) {
  return turned<T>(dO, rotary_table<T>(dO.rows(), dO.cols(), offset, options), options.pairs,
                   T{-1});
}

template <typename T>
Vector<T> alibi_slopes(Index heads) {
  if (heads < 1 || heads > 65536) {
    throw ValueError("heads", phrase::number(heads), phrase::range(1, 65536));
  }
  Index power = 1;
  while (2 * power <= heads) power *= 2;
  Vector<T> slopes(heads);
  for (Index h = 0; h < heads; ++h) {
    // From the power of two on, the slopes 0, 2, 4, … of twice as many heads.
    const double place =
        h < power ? static_cast<double>(h + 1) / static_cast<double>(power)
                  : static_cast<double>(2 * (h - power) + 1) / static_cast<double>(2 * power);
    slopes(h) = static_cast<T>(std::exp2(-8 * place));
  }
  return slopes;
}

template <typename T>
Matrix<T> alibi_bias(Index n, double slope) {
  if (n < 1) throw ValueError("n", phrase::number(n), phrase::at_least(1));
  if (!std::isfinite(static_cast<T>(slope))) {
    throw ValueError("slope", phrase::number(slope), phrase::finite_number);
  }
  Matrix<T> bias = Matrix<T>::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) {
      bias(i, j) = -static_cast<T>(slope) * static_cast<T>(i - j);
    }
  }
  return bias;
}

template <typename T>
Matrix<T> sinusoidal_positions(Index n, Index d, SinusoidalLayout layout, double base) {
  if (n < 1) throw ValueError("n", phrase::number(n), phrase::at_least(1));
  if (d < 1) throw ValueError("d", phrase::number(d), phrase::at_least(1));
  require_base(base);
  const bool halves = layout == SinusoidalLayout::kHalves;
  const Index half = d / 2;
  Matrix<T> code = Matrix<T>::Zero(n, d);
  for (Index c = 0; c < d; ++c) {
    if (halves && c == 2 * half) break;
    const Index frequency = halves ? c % half : c / 2;
    // A code of one frequency has the first: its exponent is 0/0 as tensor2tensor writes it.
    const double exponent =
        halves ? static_cast<double>(frequency) / static_cast<double>(half > 1 ? half - 1 : 1)
               : 2 * static_cast<double>(frequency) / static_cast<double>(d);
    const double speed = std::pow(base, -exponent);
    const bool is_cosine = halves ? c >= half : c % 2 == 1;
    for (Index i = 0; i < n; ++i) {
      const double angle = static_cast<double>(i) * speed;
      code(i, c) = static_cast<T>(is_cosine ? std::cos(angle) : std::sin(angle));
    }
  }
  return code;
}

#define ATTN_INSTANTIATE(T)                                                           \
  template Matrix<T> rotate<T>(In<T>, Index, const RotaryOptions&);                   \
  template Matrix<T> rotate_backward<T>(In<T>, Index, const RotaryOptions&);          \
  template RotaryTable<T> rotary_table<T>(Index, Index, Index, const RotaryOptions&); \
  template Matrix<T> rotate_by<T>(In<T>, InVector<double>, Index, RotaryPairs, bool); \
  template Vector<T> alibi_slopes<T>(Index);                                          \
  template Matrix<T> alibi_bias<T>(Index, double);                                    \
  template Matrix<T> sinusoidal_positions<T>(Index, Index, SinusoidalLayout, double);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
