#include <algorithm>
#include <cmath>
#include <numeric>

#include "attn/array/array.hpp"
#include "internal.hpp"

namespace attn::array {
namespace {

/// An order in which NaNs come last.
struct Before {
  template <typename T>
  bool operator()(T x, T y) const {
    return x < y || (y != y && x == x);
  }
};

/// The approximate number of comparisons of a sort, which is counted as touched entries.
std::uint64_t sorting_cost(Index lines, Index count) {
  std::uint64_t steps = 1;
  while ((count - 1) >> steps > 0) ++steps;
  return steps * static_cast<std::uint64_t>(lines) * static_cast<std::uint64_t>(count);
}

template <typename F>
void each_line(const Array& x, int axis, F&& f) {
  if (x.size() == 0) return;
  const Array starts = starts_of_lines(x, axis);
  each_entry(starts, f);
  add_counts(0, sorting_cost(starts.size(), x.shape()[axis]));
}

}  // namespace

Array sort(const Array& x, std::optional<int> axis) {
  // Without an axis, all entries form one line.
  const Array lines = axis ? x : x.ravel();
  const int along = normal_axis(axis.value_or(0), lines.rank());
  const Array out = lines.copy();
  const Index count = out.rank() == 0 ? 1 : out.shape()[along], step = out.strides()[along];
  with_type(x.dtype(), [&](auto tag) {
    using T = decltype(tag);
    // The entries of a vector<bool> have no addresses.
    using Kept = std::conditional_t<std::is_same_v<T, bool>, char, T>;
    std::vector<Kept> line(static_cast<std::size_t>(count));
    each_line(out, along, [&](char* at) {
      for (Index i = 0; i < count; ++i) {
        line[static_cast<std::size_t>(i)] = *reinterpret_cast<Kept*>(at + i * step);
      }
      std::sort(line.begin(), line.end(), Before());
      for (Index i = 0; i < count; ++i) {
        *reinterpret_cast<Kept*>(at + i * step) = line[static_cast<std::size_t>(i)];
      }
    });
  });
  return out;
}

Array argsort(const Array& x, std::optional<int> axis) {
  // Without an axis, all entries form one line.
  const Array lines = axis ? x : x.ravel();
  const int along = normal_axis(axis.value_or(0), lines.rank());
  const Array out = Array::allocate(lines.shape(), Dtype::kInt64);
  if (x.size() == 0) return out;
  const Index count = lines.shape()[along], step = lines.strides()[along];
  const Index out_step = out.strides()[along];
  std::vector<Index> order(static_cast<std::size_t>(count));
  std::vector<char*> targets;
  each_entry(starts_of_lines(out, along), [&](char* at) { targets.push_back(at); });
  std::size_t next = 0;
  with_type(x.dtype(), [&](auto tag) {
    using T = decltype(tag);
    each_line(lines, along, [&](const char* at) {
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
        return Before()(*reinterpret_cast<const T*>(at + a * step),
                        *reinterpret_cast<const T*>(at + b * step));
      });
      char* to = targets[next++];
      for (const Index i : order) {
        *reinterpret_cast<std::int64_t*>(to) = i;
        to += out_step;
      }
    });
  });
  note_touched(out.size());
  return out;
}

Unique unique(const Array& x) {
  const Array flat = x.ravel();
  const Array order = argsort(flat), sorted = index(flat, order);
  const Index size = flat.size();
  const std::int64_t* const from = entries<std::int64_t>(order);
  std::vector<Index> firsts;
  const Array inverse = Array::allocate({size}, Dtype::kInt64);
  with_type(x.dtype(), [&](auto tag) {
    using T = decltype(tag);
    const T* const value = entries<T>(sorted);
    for (Index i = 0; i < size; ++i) {
      const bool same = i > 0 && (value[i] == value[i - 1] ||
                                  (value[i] != value[i] && value[i - 1] != value[i - 1]));
      if (!same) firsts.push_back(i);
      entries<std::int64_t>(inverse)[from[i]] = static_cast<std::int64_t>(firsts.size()) - 1;
    }
  });
  const auto count = static_cast<Index>(firsts.size());
  const Array starts = Array::allocate({count}, Dtype::kInt64);
  const Array counts = Array::allocate({count}, Dtype::kInt64);
  for (Index k = 0; k < count; ++k) {
    const Index begin = firsts[static_cast<std::size_t>(k)];
    const Index end = k + 1 < count ? firsts[static_cast<std::size_t>(k + 1)] : size;
    entries<std::int64_t>(starts)[k] = begin;
    entries<std::int64_t>(counts)[k] = end - begin;
  }
  // Equal entries keep their order, so the first of a group is the first in x.
  return {index(sorted, starts), index(order, starts), inverse, counts};
}

Array searchsorted(const Array& x, const Array& values, bool right) {
  if (x.rank() != 1) throw ValueError("object too deep for desired array");
  const Dtype dtype = promote(x.dtype(), values.dtype());
  const Array keys = contiguous_as(x, dtype), wanted = as(values, dtype);
  const Array out = Array::allocate(values.shape(), Dtype::kInt64);
  std::int64_t* to = entries<std::int64_t>(out);
  with_type(dtype, [&](auto tag) {
    using T = decltype(tag);
    const T *const begin = entries<T>(keys), *const end = begin + keys.size();
    each_entry(wanted, [&](const char* at) {
      const T value = *reinterpret_cast<const T*>(at);
      const T* const place = right ? std::upper_bound(begin, end, value, Before())
                                   : std::lower_bound(begin, end, value, Before());
      *to++ = place - begin;
    });
  });
  // Every value halves the range of keys until its place is found.
  add_counts(0, sorting_cost(1, keys.size()) /
                    static_cast<std::uint64_t>(std::max<Index>(keys.size(), 1)) *
                    static_cast<std::uint64_t>(values.size()));
  note_touched(out.size());
  return out;
}

namespace {

/// Moves the axes that are reduced to the end and joins them into one.
Array gathered(const Array& x, const Axes& axes, Shape* kept) {
  const auto gone = chosen(axes, x.rank());
  Shape order, shape;
  for (const bool last : {false, true}) {
    for (int axis = 0; axis < x.rank(); ++axis) {
      if (gone[static_cast<std::size_t>(axis)] != last) continue;
      order.push_back(axis);
      if (!last) shape.push_back(x.shape()[axis]);
    }
  }
  for (int axis = 0; axis < x.rank(); ++axis) {
    kept->push_back(gone[static_cast<std::size_t>(axis)] ? 1 : x.shape()[axis]);
  }
  shape.push_back(x.size() == 0 ? 0 : x.size() / shape.size());
  return transpose(x, order).reshape(shape);
}

/// NumPy's interpolation, which is exact at both ends.
double between(double low, double high, double t, bool single) {
  const double difference =
      single ? static_cast<double>(static_cast<float>(high - low)) : high - low;
  return t >= 0.5 ? high - difference * (1 - t) : low + difference * t;
}

Array quantiles(const Array& x, const Array& q, const Axes& axes, bool keepdims, double full,
                const char* complaint) {
  for (const double value : q.values()) {
    if (!(value >= 0 && value <= full)) throw ValueError(complaint);
  }
  Shape kept;
  const Array sorted = sort(as(gathered(x, axes, &kept), Dtype::kFloat64), -1);
  const Index count = sorted.shape(-1);
  if (count == 0) throw IndexError("index -1 is out of bounds for axis 0 with size 0");
  const Index lines = sorted.size() / count;
  Shape shape = q.shape();
  const Shape rest = keepdims ? kept : Shape(sorted.shape().begin(), sorted.shape().end() - 1);
  for (const Index length : rest) shape.push_back(length);
  const Array out = Array::allocate(shape, Dtype::kFloat64);
  double* to = entries<double>(out);
  const double* const from = entries<double>(sorted);
  for (const double value : q.values()) {
    const double place = value / full * static_cast<double>(count - 1);
    const auto low = static_cast<Index>(std::floor(place));
    const Index high = std::min(low + 1, count - 1);
    for (Index line = 0; line < lines; ++line) {
      const double* const entry = from + line * count;
      const bool nan = std::isnan(entry[count - 1]);
      *to++ = nan ? entry[count - 1]
                  : between(entry[low], entry[high], place - static_cast<double>(low),
                            x.dtype() == Dtype::kFloat32);
    }
  }
  note_touched(out.size());
  return out;
}

}  // namespace

Array quantile(const Array& x, const Array& q, const Axes& axes, bool keepdims) {
  return quantiles(x, q, axes, keepdims, 1, "Quantiles must be in the range [0, 1]");
}

Array percentile(const Array& x, const Array& q, const Axes& axes, bool keepdims) {
  return quantiles(x, q, axes, keepdims, 100, "Percentiles must be in the range [0, 100]");
}

Array median(const Array& x, const Axes& axes, bool keepdims) {
  if (x.size() == 0) return mean(x, axes, keepdims);
  // The median is the mean of the two middle entries, as in NumPy, not an interpolation.
  Shape kept;
  const Dtype dtype = x.dtype() == Dtype::kFloat32 ? Dtype::kFloat32 : Dtype::kFloat64;
  const Array sorted = sort(as(gathered(x, axes, &kept), dtype), -1);
  const Index count = sorted.shape(-1), half = count / 2;
  const Array middle = sorted.slice(-1, count % 2 == 1 ? half : half - 1, half + 1);
  const Array last = sorted.take_at(-1, -1);
  const Array out = where(isnan(last), last, mean(middle, -1));
  return keepdims ? out.reshape(kept) : out;
}

Array bincount(const Array& x, const std::optional<Array>& weights, Index at_least) {
  if (x.rank() != 1) throw ValueError("object too deep for desired array");
  if (is_float(x.dtype()) && x.size() > 0) {
    throw TypeError("Cannot cast array data from dtype('" + std::string(name_of(x.dtype())) +
                    "') to dtype('int64') according to the rule 'safe'");
  }
  if (weights && weights->size() != x.size()) {
    throw ValueError("The weights and list don't have the same length.");
  }
  const std::vector<double> places = x.values();
  if (at_least < 0) throw ValueError("'minlength' must not be negative");
  Index count = at_least;
  for (const double place : places) {
    if (place < 0) throw ValueError("'list' argument must have no negative elements");
    count = std::max(count, checked_length(place + 1));
  }
  const Array out = zeros({count});
  const std::vector<double> amounts = weights ? weights->values() : std::vector<double>{};
  for (std::size_t i = 0; i < places.size(); ++i) {
    entries<double>(out)[static_cast<Index>(places[i])] += weights ? amounts[i] : 1.0;
  }
  note_touched(3 * x.size());
  return weights ? out : as(out, Dtype::kInt64);
}

}  // namespace attn::array
