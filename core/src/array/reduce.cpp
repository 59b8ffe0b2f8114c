#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "arithmetic.hpp"
#include "attn/array/array.hpp"
#include "internal.hpp"

namespace attn::array {
namespace {

/// NumPy's pairwise summation: eight running sums for up to 128 entries; longer lines are halved.
template <typename T>
T pairwise(const char* at, Index stride, Index count) {
  const auto entry = [&](Index i) { return *reinterpret_cast<const T*>(at + i * stride); };
  if (count < 8) {
    T sum = 0;
    for (Index i = 0; i < count; ++i) sum += entry(i);
    return sum;
  }
  if (count <= 128) {
    T r[8];
    for (Index k = 0; k < 8; ++k) r[k] = entry(k);
    Index i = 8;
    for (; i + 8 <= count; i += 8) {
      for (Index k = 0; k < 8; ++k) r[k] += entry(i + k);
    }
    T sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    for (; i < count; ++i) sum += entry(i);
    return sum;
  }
  Index half = count / 2;
  half -= half % 8;
  return pairwise<T>(at, stride, half) + pairwise<T>(at + half * stride, stride, count - half);
}

// A fold: `of(so far, entry)` adds one entry, and another function folds a whole line.
template <typename F>
struct InOrder : F {
  template <typename T>
  static T line(T start, const char* at, Index stride, Index count) {
    for (Index i = 0; i < count; ++i, at += stride) {
      start = F::of(start, *reinterpret_cast<const T*>(at));
    }
    return start;
  }
};
struct Sum : InOrder<Add> {
  template <typename T>
  static T line(T start, const char* at, Index stride, Index count) {
    if constexpr (std::is_floating_point_v<T>) {
      return start + pairwise<T>(at, stride, count);
    } else {
      return InOrder<Add>::line(start, at, stride, count);
    }
  }
};
using Product = InOrder<Multiply>;
using Largest = InOrder<Maximum>;
using Smallest = InOrder<Minimum>;
using LargestNumber = InOrder<Fmax>;
using SmallestNumber = InOrder<Fmin>;

/// The shape of the result, with the reduced axes at length 1 (`kept`) and without them.
struct Target {
  std::array<bool, kMaxRank> reduced;
  Shape kept, shape;
  Index count = 1;

  Target(const Array& x, const Axes& axes) : reduced(chosen(axes, x.rank())) {
    for (int axis = 0; axis < x.rank(); ++axis) {
      const bool gone = reduced[static_cast<std::size_t>(axis)];
      if (gone) count *= x.shape()[axis];
      kept.push_back(gone ? 1 : x.shape()[axis]);
      if (!gone) shape.push_back(x.shape()[axis]);
    }
  }
};

/// Walks x in the order of its memory and folds it into `out`, which has the shape `kept`. The
/// order decides how sums are rounded, and is NumPy's.
template <typename T, typename F>
void fold(const Array& out, const Array& x) {
  std::array<int, kMaxRank> order{};
  std::iota(order.begin(), order.begin() + x.rank(), 0);
  std::stable_sort(order.begin(), order.begin() + x.rank(), [&](int a, int b) {
    return std::abs(x.strides()[a]) > std::abs(x.strides()[b]);
  });
  Shape shape, in_strides, out_strides;
  for (int k = 0; k < x.rank(); ++k) {
    const int axis = order[static_cast<std::size_t>(k)];
    shape.push_back(x.shape()[axis]);
    in_strides.push_back(x.strides()[axis]);
    out_strides.push_back(out.shape()[axis] == x.shape()[axis] ? out.strides()[axis] : 0);
  }
  const Array from = x.with(shape, in_strides), to = out.with(shape, out_strides);
  Walk<2>(shape, {&to, &from}).run([](char* const* at, const Index* strides, Index count) {
    if (strides[0] == 0) {
      T& result = *reinterpret_cast<T*>(at[0]);
      result = F::line(result, at[1], strides[1], count);
    } else if (strides[0] == sizeof(T) && strides[1] == sizeof(T)) {
      T* const sums = reinterpret_cast<T*>(at[0]);
      const T* const row = reinterpret_cast<const T*>(at[1]);
      for (Index i = 0; i < count; ++i) sums[i] = F::of(sums[i], row[i]);
    } else {
      for (Index i = 0; i < count; ++i) {
        T& result = *reinterpret_cast<T*>(at[0] + i * strides[0]);
        result = F::of(result, *reinterpret_cast<const T*>(at[1] + i * strides[1]));
      }
    }
  });
}

template <typename F>
void fold_any(const Array& out, const Array& x) {
  switch (x.dtype()) {
    case Dtype::kInt64:
      return fold<std::int64_t, F>(out, x);
    case Dtype::kFloat32:
      return fold<float, F>(out, x);
    default:
      return fold<double, F>(out, x);
  }
}

Array start(const Shape& shape, Dtype dtype, double value) {
  Array out = Array::allocate(shape, dtype);
  copy_into(out, Array(value));
  return out;
}

/// Computes sums and products; booleans count as integers.
Array accumulate(const Array& x, const Target& target, bool product) {
  const Dtype dtype = x.dtype() == Dtype::kBool ? Dtype::kInt64 : x.dtype();
  const Array out = start(target.kept, dtype, product ? 1 : 0);
  if (product) {
    fold_any<Product>(out, as(x, dtype));
  } else {
    fold_any<Sum>(out, as(x, dtype));
  }
  note_touched(x.size() + out.size());
  return out;
}

/// Finds the largest or smallest entry. The fold begins with an entry, so it needs at least one.
template <typename F>
Array extreme(const Array& x, const Target& target, const char* name) {
  if (target.count == 0) {
    throw ValueError(std::string("zero-size array to reduction operation ") + name +
                     " which has no identity");
  }
  const Array out = Array::allocate(target.kept, x.dtype());
  copy_into(out, x.with(target.kept, x.strides()));
  if (x.dtype() == Dtype::kBool) {
    const Array counted = as(out, Dtype::kInt64);
    fold<std::int64_t, F>(counted, as(x, Dtype::kInt64));
    copy_into(out, counted);
  } else {
    fold_any<F>(out, x);
  }
  note_touched(x.size() + out.size());
  return out;
}

Array any_or_all(const Array& x, const Target& target, bool all) {
  const Array flags = as(as(x, Dtype::kBool), Dtype::kInt64);
  const Array out = start(target.kept, Dtype::kInt64, all ? 1 : 0);
  if (all) {
    fold<std::int64_t, Smallest>(out, flags);
  } else {
    fold<std::int64_t, Largest>(out, flags);
  }
  note_touched(x.size() + out.size());
  return as(out, Dtype::kBool);
}

Array floating(const Array& x) { return is_float(x.dtype()) ? x : as(x, Dtype::kFloat64); }

Array mean_kept(const Array& x, const Target& target) {
  const Array sums = accumulate(floating(x), target, false);
  return sums / as(Array(static_cast<double>(target.count)), sums.dtype());
}

Array variance_kept(const Array& x, const Target& target, double ddof) {
  const Array values = floating(x);
  const Array away = square(values - mean_kept(values, target));
  const double count = std::max(static_cast<double>(target.count) - ddof, 0.0);
  const Array sums = accumulate(away, target, false);
  return sums / as(Array(count), sums.dtype());
}

/// The versions that ignore NaNs: neither a NaN nor its place counts.
Array without_nans(Reduction op, const Array& x, const Target& target, double ddof) {
  const Array missing = isnan(x);
  const auto filled = [&](double value) { return where(missing, as(Array(value), x.dtype()), x); };
  if (op == Reduction::kNansum) return accumulate(filled(0), target, false);
  if (op == Reduction::kNanprod) return accumulate(filled(1), target, true);
  const Array counts = accumulate(as(!missing, Dtype::kFloat64), target, false);
  const Array values = floating(filled(0));
  const Array means = as(accumulate(values, target, false) / counts, values.dtype());
  if (op == Reduction::kNanmean) return means;
  const Array away = where(missing, as(Array(0.0), values.dtype()), square(values - means));
  const Array freedom = counts - Array(ddof);
  const Array variances = as(
      accumulate(away, target, false) / where(freedom > Array(0.0), freedom, Array(std::nan(""))),
      values.dtype());
  return op == Reduction::kNanvar ? variances : sqrt(variances);
}

Array reduce_kept(Reduction op, const Array& x, const Target& target, double ddof) {
  switch (op) {
    case Reduction::kSum:
      return accumulate(x, target, false);
    case Reduction::kProd:
      return accumulate(x, target, true);
    case Reduction::kMax:
      return extreme<Largest>(x, target, "maximum");
    case Reduction::kMin:
      return extreme<Smallest>(x, target, "minimum");
    case Reduction::kMean:
      return mean_kept(x, target);
    case Reduction::kVar:
      return variance_kept(x, target, ddof);
    case Reduction::kStd:
      return sqrt(variance_kept(x, target, ddof));
    case Reduction::kAny:
      return any_or_all(x, target, false);
    case Reduction::kAll:
      return any_or_all(x, target, true);
    case Reduction::kCountNonzero:
      return accumulate(as(x, Dtype::kBool), target, false);
    case Reduction::kNanmax:
      return extreme<LargestNumber>(x, target, "fmax");
    case Reduction::kNanmin:
      return extreme<SmallestNumber>(x, target, "fmin");
    default:
      return without_nans(op, x, target, ddof);
  }
}

}  // namespace

const char* name_of(Reduction op) {
  constexpr const char* kNames[] = {
      "sum",           "prod",   "max",    "min",    "mean",    "var",    "std",    "any",    "all",
      "count_nonzero", "nansum", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd", "nanprod"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Reduction::kCount));
  return kNames[static_cast<int>(op)];
}

Array reduce(Reduction op, const Array& x, const Axes& axes, bool keepdims, double ddof) {
  const Target target(x, axes);
  const Array out = reduce_kept(op, x, target, ddof);
  return keepdims ? out : out.reshape(target.shape);
}

// ---- Along one axis ---------------------------------------------------------------------------

namespace {

Array arg_extreme(const Array& x, std::optional<int> axis, bool keepdims, bool largest) {
  // Without an axis, all entries form one line.
  const Array lines = axis ? x : x.ravel();
  const int along = normal_axis(axis.value_or(0), lines.rank());
  const Index count = lines.shape()[along], step = lines.strides()[along];
  if (count == 0) {
    throw ValueError(std::string("attempt to get ") + (largest ? "argmax" : "argmin") +
                     " of an empty sequence");
  }
  const Array starts = starts_of_lines(lines, along);
  Array out = Array::allocate(starts.shape(), Dtype::kInt64);
  std::int64_t* to = entries<std::int64_t>(out);
  with_type(x.dtype(), [&](auto tag) {
    using T = decltype(tag);
    each_entry(starts, [&](const char* at) {
      Index best = 0;
      T value = *reinterpret_cast<const T*>(at);
      for (Index i = 1; i < count && value == value; ++i) {
        const T next = *reinterpret_cast<const T*>(at + i * step);
        if (next != next || (largest ? next > value : next < value)) {
          best = i;
          value = next;
        }
      }
      *to++ = best;
    });
  });
  note_touched(x.size() + out.size());
  if (!keepdims) return out;
  Shape shape = x.shape();
  for (int a = 0; a < shape.rank(); ++a) {
    if (!axis || a == along) shape[a] = 1;
  }
  return out.reshape(shape);
}

template <typename F>
Array cumulate(const Array& x, std::optional<int> axis) {
  const Dtype dtype = x.dtype() == Dtype::kBool ? Dtype::kInt64 : x.dtype();
  // Without an axis, all entries form one line.
  const Array lines = axis ? x : x.ravel();
  const int along = normal_axis(axis.value_or(0), lines.rank());
  const Array out = Array::allocate(lines.shape(), dtype);
  copy_into(out, lines);
  const Index count = lines.shape()[along], step = out.strides()[along];
  if (out.size() > 0) {
    with_type(dtype, [&](auto tag) {
      using T = decltype(tag);
      if constexpr (!std::is_same_v<T, bool>) {
        each_entry(starts_of_lines(out, along), [&](char* at) {
          for (Index i = 1; i < count; ++i, at += step) {
            T& next = *reinterpret_cast<T*>(at + step);
            next = F::of(*reinterpret_cast<T*>(at), next);
          }
        });
      }
    });
  }
  note_touched(2 * out.size());
  return out;
}

}  // namespace

Array argmax(const Array& x, std::optional<int> axis, bool keepdims) {
  return arg_extreme(x, axis, keepdims, true);
}
Array argmin(const Array& x, std::optional<int> axis, bool keepdims) {
  return arg_extreme(x, axis, keepdims, false);
}
Array cumsum(const Array& x, std::optional<int> axis) { return cumulate<Sum>(x, axis); }
Array cumprod(const Array& x, std::optional<int> axis) { return cumulate<Product>(x, axis); }

Array diff(const Array& x, int n, int axis) {
  if (n < 0) throw ValueError("order must be non-negative but got " + std::to_string(n));
  if (x.rank() == 0) throw ValueError("diff requires input that is at least one dimensional");
  Array result = x;
  for (int k = 0; k < n; ++k) {
    const Array later = result.slice(axis, 1, {}), earlier = result.slice(axis, {}, -1);
    result = x.dtype() == Dtype::kBool ? later != earlier : later - earlier;
  }
  return result;
}

}  // namespace attn::array
