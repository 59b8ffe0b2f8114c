// The calls of the arrays for JavaScript: crossing.hpp has how they are declared and how they
// cross. wasm/client/arrays/ is the other side.

#include "crossing.hpp"

namespace attn::wasm {

// ---- The buffer, errors, memory ---------------------------------------------------------------

ATTN_EXPORT(scratch) int scratch(int bytes) {
  return guarded([&] {
    scratch_buffer.resize(static_cast<std::size_t>(bytes / 8 + 1));
    return address(scratch_buffer.data());
  });
}
ATTN_EXPORT(error_type) const char* error_type() { return error_kind.c_str(); }
ATTN_EXPORT(error_message) const char* error_message() { return error_text.c_str(); }
ATTN_EXPORT(error_said) const char* error_said() { return error_explained.c_str(); }
ATTN_EXPORT(failed) int failed() { return failure; }

ATTN_EXPORT(counts) void read_counts() {
  const Counts now = counts();
  doubles()[0] = static_cast<double>(now.multiply_adds);
  doubles()[1] = static_cast<double>(now.touched);
  doubles()[2] = static_cast<double>(now.bytes);
  doubles()[3] = static_cast<double>(now.largest);
}
ATTN_ARRAY_CALL(reset_counts, ())
ATTN_ARRAY_CALL(add_counts, (multiply_adds, touched))
ATTN_EXPORT(live_bytes) double live() { return static_cast<double>(live_bytes()); }
ATTN_EXPORT(peak_bytes) double peak() { return static_cast<double>(peak_bytes()); }
ATTN_ARRAY_CALL(reset_peak, ())
ATTN_EXPORT(set_memory_limit) void limit_memory(double bytes) {
  set_memory_limit(static_cast<std::uint64_t>(bytes));
}
ATTN_EXPORT(memory_limit) double limit() { return static_cast<double>(memory_limit()); }
/// `release(mark())` frees every array and generator that was made in between.
ATTN_ARRAY_CALL_AS(mark, (), [] { return made + 1; })
ATTN_ARRAY_CALL_AS(release, (mark), [](std::uint64_t mark) {
  arrays.remove_since(mark);
  generators.remove_since(mark);
})
ATTN_EXPORT(free_array) int free_array(int x) {
  return guarded([&] {
    get(x);
    arrays.remove(x);
    return 0;
  });
}
ATTN_EXPORT(live_handles) int live_handles() { return arrays.live(); }

// ---- Making -----------------------------------------------------------------------------------

namespace {
Array scalar(double value, Dtype dtype) {
  switch (dtype) {
    case Dtype::kBool:
      return {value != 0};
    case Dtype::kInt64:
      return {static_cast<std::int64_t>(value)};
    case Dtype::kFloat32:
      return {static_cast<float>(value)};
    default:
      return {value};
  }
}
}  // namespace

ATTN_ARRAY_CALL_AS(full, (shape, value, otherwise(dtype, 'float64')),
                   [](const Shape& shape, double value, Dtype dtype) {
                     return value == 0 ? zeros(shape, dtype)
                                       : full(shape, scalar(value, dtype), dtype);
                   })
ATTN_ARRAY_CALL(eye, (n, otherwise(m, n), otherwise(k, 0), otherwise(dtype, 'float64')))
ATTN_ARRAY_CALL(tri, (n, otherwise(m, n), otherwise(k, 0), otherwise(dtype, 'float64')))
/// start, start + step, … below stop.
ATTN_ARRAY_CALL_AS(arange, (start, stop, otherwise(step, 1), otherwise(dtype, 'float64')),
                   [](double start, double stop, double step, Dtype dtype) {
                     return arange(start, stop, step, dtype);
                   })
ATTN_ARRAY_CALL(linspace, (start, stop, otherwise(count, 50), otherwise(endpoint, true)))

namespace {
/// An int64 from its upper and lower 32 bits, because a double does not hold them all.
std::int64_t joined(double high, double low) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(static_cast<std::int64_t>(high))
                                       << 32 |
                                   static_cast<std::uint64_t>(low));
}
}  // namespace

/// An int64 of rank 0 from its upper 32 bits, with the sign, and its lower ones.
ATTN_ARRAY_CALL_AS(integer, (high, low),
                   [](double high, double low) { return Array(joined(high, low)); })

// ---- Looking ----------------------------------------------------------------------------------

ATTN_EXPORT(data) char* data_of(int x) {
  const Held* const found = arrays.find(x);
  return found ? found->array.data() : nullptr;
}
/// Whether no other array shares its entries since it was made.
ATTN_EXPORT(owns_data) int owns_data(int x) {
  return guarded([&] {
    get(x);
    return static_cast<int>(arrays.find(x)->owner);
  });
}
ATTN_ARRAY_CALL_AS(writeable, (x), [](const Array& x) { return x.writeable(); })
ATTN_EXPORT(set_writeable) int set_writeable(int x, int writeable) {
  return guarded([&] {
    get(x);
    arrays.find(x)->array.set_writeable(writeable != 0);
    return 0;
  });
}
ATTN_ARRAY_CALL_AS(shape, (x), [](const Array& x) { return x.shape(); })
ATTN_ARRAY_CALL_AS(rank, (x), [](const Array& x) { return x.rank(); })
ATTN_ARRAY_CALL_AS(dtype, (x), [](const Array& x) { return x.dtype(); })
ATTN_ARRAY_CALL_AS(size, (x), [](const Array& x) { return x.size(); })
/// In bytes, one for each axis.
ATTN_ARRAY_CALL_AS(strides, (x), [](const Array& x) { return x.strides(); })
/// Row-major, without holes.
ATTN_ARRAY_CALL_AS(is_contiguous, (x), [](const Array& x) { return x.contiguous(); })
/// Whether both are views into the same memory.
ATTN_ARRAY_CALL_AS(shares_memory, (x, y),
                   [](const Array& x, const Array& y) { return x.storage() == y.storage(); })

namespace {
std::vector<double> values_read;
int size_read = 0;
}  // namespace

ATTN_EXPORT(read) int read(int x) {
  return guarded([&] {
    const Array& array = get(x);
    size_read = static_cast<int>(array.size());
    const void* at = array.data();
    values_read = {};
    if (array.dtype() != Dtype::kFloat64 || !array.contiguous()) {
      values_read = array.values();
      at = values_read.data();
    }
    // What is empty has no address; a view of nothing may lie anywhere.
    return size_read == 0 ? 0 : address(at);
  });
}
ATTN_EXPORT(read_size) int read_size() { return size_read; }
namespace {
std::vector<std::int64_t> integers_read;
}  // namespace
/// The same of integers, every bit of them.
ATTN_EXPORT(read_integers) int read_integers(int x) {
  return guarded([&] {
    integers_read = get(x).integers();
    size_read = static_cast<int>(integers_read.size());
    return size_read == 0 ? 0 : address(integers_read.data());
  });
}
/// The only entry of an array that has one.
ATTN_ARRAY_CALL_AS(item, (x), [](const Array& x) { return x.item(); })
ATTN_EXPORT(get1) double get1(int x, int i) {
  return guarded([&]() -> double { return get(x)(i); });
}
ATTN_EXPORT(get2) double get2(int x, int i, int j) {
  return guarded([&]() -> double { return get(x)(i, j); });
}

namespace {
Array entry_at(const Array& x, const std::vector<Index>& indices) {
  if (static_cast<int>(indices.size()) != x.rank()) {
    throw IndexError("one entry of an array of " + std::to_string(x.rank()) +
                     " dimensions has as many indices, but " + std::to_string(indices.size()) +
                     " were given");
  }
  std::vector<IndexPart> parts;
  for (const Index i : indices) {
    parts.push_back({IndexPart::Kind::kInteger, i, {}, 1, Array(false)});
  }
  return index(x, parts);
}
}  // namespace

ATTN_EXPORT(get_n) double get_n(int x, int count) {
  return guarded(
      [&] { return entry_at(get(x), Crossing<std::vector<Index>>::read(count)).item(); });
}
/// Writes one entry. Counted.
ATTN_ARRAY_CALL_AS(set, (x, indices, value),
                   [](const Array& x, const std::vector<Index>& indices, double value) {
                     entry_at(x, indices)() = value;
                   })
/// As NumPy prints it, shortened.
ATTN_ARRAY_CALL(text, (x))

// ---- Entry by entry ---------------------------------------------------------------------------

ATTN_ARRAY_CALL_AS(unary, (op, x), [](Unary op, const Array& x) { return apply(op, x); })
ATTN_ARRAY_CALL_AS(binary, (op, x, y),
                   [](Binary op, const Array& x, const Array& y) { return apply(op, x, y); })
/// x op value, or value op x where `swapped`. `kind` is that of the number in Python: it does not
/// make a float32 array float64.
ATTN_ARRAY_CALL_AS(binary_scalar,
                   (op, x, value, otherwise(kind, 'float64'), otherwise(swapped, false)),
                   [](Binary op, const Array& x, double value, Dtype kind, bool swapped) {
                     const Array other = scalar(value, kind);
                     return swapped ? apply(op, other, x) : apply(op, x, other);
                   })
/// x op= y: x keeps its dtype, or TypeError where NumPy refuses.
ATTN_ARRAY_CALL_AS(in_place, (op, x, y), apply_in_place)
ATTN_ARRAY_CALL_AS(in_place_scalar, (op, x, value, otherwise(kind, 'float64')),
                   [](Binary op, const Array& x, double value, Dtype kind) {
                     apply_in_place(op, x, scalar(value, kind));
                   })
/// The dtype of x op y.
ATTN_ARRAY_CALL_AS(result_type, (x, y),
                   [](const Array& x, const Array& y) { return promote(x, y); })
ATTN_ARRAY_CALL(where, (condition, x, y))
/// Bounds are arrays (a scalar for one number) or null.
ATTN_ARRAY_CALL(clip, (x, low, high))
ATTN_ARRAY_CALL(round, (x, otherwise(decimals, 0)))
/// Replaces NaN and infinities; without a number for an infinity, by the largest of the dtype.
ATTN_ARRAY_CALL(nan_to_num, (x, otherwise(nan, 0), positive, negative))

// ---- Along axes -------------------------------------------------------------------------------

ATTN_ARRAY_CALL(reduce, (op, x, axis, otherwise(keepdims, false), otherwise(ddof, 0)))
/// Over all entries, as a number.
ATTN_ARRAY_CALL_AS(reduce_all, (op, x, otherwise(ddof, 0)),
                   [](Reduction op, const Array& x, double ddof) {
                     return reduce(op, x, {}, false, ddof).item();
                   })
ATTN_ARRAY_CALL(argmax, (x, axis, otherwise(keepdims, false)))
ATTN_ARRAY_CALL(argmin, (x, axis, otherwise(keepdims, false)))
ATTN_ARRAY_CALL(cumsum, (x, axis))
ATTN_ARRAY_CALL(cumprod, (x, axis))
ATTN_ARRAY_CALL(diff, (x, otherwise(n, 1), otherwise(axis, -1)))

// ---- Products ---------------------------------------------------------------------------------

ATTN_ARRAY_CALL(matmul, (x, y))
ATTN_ARRAY_CALL(dot, (x, y))
ATTN_ARRAY_CALL(outer, (x, y))
ATTN_EXPORT(einsum) int einstein_sum(int count, int at, int length) {
  return guarded([&] {
    const char* const text = reinterpret_cast<const char*>(scratch_buffer.data()) + at;
    return keep(einsum({text, static_cast<std::size_t>(length)},
                       Crossing<std::vector<Array>>::read(count)));
  });
}

// ---- Shapes -----------------------------------------------------------------------------------

ATTN_ARRAY_CALL_AS(transpose, (x, axes), [](const Array& x, const Axes& axes) {
  return axes.all() ? transpose(x) : transpose(x, axes.axes());
})
ATTN_ARRAY_CALL(swapaxes, (x, a, b))
/// One length may be −1. A view where strides allow it.
ATTN_ARRAY_CALL(reshape, (x, shape))
ATTN_ARRAY_CALL(broadcast_to, (x, shape))
ATTN_EXPORT(broadcast_shapes) int common_shape(int count) {
  return guarded([&] {
    Shape shape;
    for (const Array& array : Crossing<std::vector<Array>>::read(count)) {
      shape = broadcast_shapes(shape, array.shape());
    }
    return Crossing<Shape>::write(shape);
  });
}
ATTN_ARRAY_CALL(expand_dims, (x, axis))
ATTN_ARRAY_CALL(squeeze, (x, axis))
/// A copy with other entries' type.
ATTN_ARRAY_CALL_AS(astype, (x, dtype), [](const Array& x, Dtype dtype) { return x.astype(dtype); })
ATTN_ARRAY_CALL_AS(copy, (x), [](const Array& x) { return x.copy(); })
/// Another handle for the same view.
ATTN_ARRAY_CALL_AS(alias, (x), [](const Array& x) { return x; })
/// Along an axis; null flattens.
ATTN_ARRAY_CALL(concatenate, (parts, otherwise(axis, 0)))
ATTN_ARRAY_CALL(stack, (parts, otherwise(axis, 0)))
ATTN_ARRAY_CALL_AS(repeat, (x, times, axis),
                   [](const Array& x, Index times, std::optional<int> axis) {
                     return repeat(x, times, axis);
                   })
/// Every entry along the axis as often as `times` says.
ATTN_ARRAY_CALL_AS(repeat_each, (x, times, axis),
                   [](const Array& x, const Array& times, std::optional<int> axis) {
                     return repeat(x, times, axis);
                   })
ATTN_ARRAY_CALL(tile, (x, times))
ATTN_ARRAY_CALL(roll, (x, shift, axis))
ATTN_ARRAY_CALL(flip, (x, axis))
ATTN_ARRAY_CALL(tril, (x, otherwise(k, 0)))
ATTN_ARRAY_CALL(triu, (x, otherwise(k, 0)))
ATTN_ARRAY_CALL(diagonal, (x, otherwise(k, 0), otherwise(axis1, 0), otherwise(axis2, 1)))
ATTN_ARRAY_CALL(diag, (x, otherwise(k, 0)))

// ---- Indexing and order -----------------------------------------------------------------------

/// `x[…]`: a view without arrays among the parts, a copy with them.
ATTN_ARRAY_CALL_AS(index, (x, parts), [](const Array& x, const std::vector<IndexPart>& parts) {
  return index(x, parts);
})
/// `x[…] = value`, broadcast.
ATTN_ARRAY_CALL_AS(set_index, (x, parts, value),
                   [](const Array& x, const std::vector<IndexPart>& parts, const Array& value) {
                     set_index(x, parts, value);
                   })
ATTN_ARRAY_CALL_AS(set_index_scalar, (x, parts, value),
                   [](const Array& x, const std::vector<IndexPart>& parts, double value) {
                     set_index(x, parts, Array(value));
                   })
ATTN_ARRAY_CALL(apply_at, (op, x, parts, value))
ATTN_ARRAY_CALL(take, (x, indices, axis))
ATTN_ARRAY_CALL(take_along_axis, (x, indices, axis))
ATTN_ARRAY_CALL(put_along_axis, (x, indices, values, axis))
ATTN_ARRAY_CALL(nonzero, (x))
/// NaNs last; null flattens.
ATTN_ARRAY_CALL(sort, (x, otherwise(axis, -1)))
ATTN_ARRAY_CALL(argsort, (x, otherwise(axis, -1)))
ATTN_EXPORT(unique) int uniques(int x) {
  return guarded([&] {
    const Unique found = unique(get(x));
    return keep_all({found.values, found.index, found.inverse, found.counts});
  });
}
ATTN_EXPORT(searchsorted) int places(int x, int values, int right) {
  return guarded([&] { return keep(searchsorted(get(x), get(values), right != 0)); });
}
/// q between 0 and 1; q's axes come first in the result.
ATTN_ARRAY_CALL(quantile, (x, q, axis, otherwise(keepdims, false)))
/// q between 0 and 100.
ATTN_ARRAY_CALL(percentile, (x, q, axis, otherwise(keepdims, false)))
ATTN_ARRAY_CALL(median, (x, axis, otherwise(keepdims, false)))
ATTN_ARRAY_CALL(bincount, (x, otherwise(weights, null), otherwise(at_least, 0)))

// ---- Statistics and linear algebra --------------------------------------------------------------

ATTN_ARRAY_CALL(cov, (x, otherwise(y, null), otherwise(ddof, 1)))
ATTN_ARRAY_CALL(corrcoef, (x, otherwise(y, null)))
ATTN_EXPORT(norm) int norm_of(int x, double order, int usual, int axes, int keepdims) {
  return guarded([&] {
    return keep(norm(get(x), usual ? std::nullopt : std::optional<double>(order),
                     Crossing<Axes>::read(axes), keepdims != 0));
  });
}
/// Of symmetric matrices, ascending.
ATTN_ARRAY_CALL(eigvalsh, (x))
/// Values and vectors.
ATTN_ARRAY_CALL(eigh, (x))
/// u, s and vh.
ATTN_ARRAY_CALL(svd, (x, otherwise(full_matrices, true)))
ATTN_ARRAY_CALL(singular_values, (x))
ATTN_ARRAY_CALL(solve, (a, b))
ATTN_ARRAY_CALL(inv, (x))
ATTN_ARRAY_CALL(det, (x))
/// The sign and the logarithm.
ATTN_ARRAY_CALL(slogdet, (x))
/// q and r.
ATTN_ARRAY_CALL(qr, (x))
ATTN_ARRAY_CALL(cholesky, (x))
ATTN_ARRAY_CALL(pinv, (x, otherwise(rcond, 1e-15)))
ATTN_ARRAY_CALL(matrix_rank, (x, tolerance))
/// The solution only.
ATTN_ARRAY_CALL(lstsq, (a, b))
ATTN_ARRAY_CALL(trace, (x))

// ---- Comparing --------------------------------------------------------------------------------

ATTN_EXPORT(compare) int compared(int actual, int expected, double rtol, double atol) {
  return guarded([&] {
    const Comparison result = compare(get(actual), get(expected), rtol, atol);
    int* to = ints();
    *to++ = result.same_shape;
    *to++ = result.equal;
    *to++ = result.wrong > 0;
    for (const Index place : result.first) *to++ = static_cast<int>(place);
    doubles()[0] = static_cast<double>(result.wrong);
    doubles()[1] = static_cast<double>(result.of);
    doubles()[2] = result.max_absolute;
    doubles()[3] = result.max_relative;
    doubles()[4] = static_cast<double>(result.nans);
    return result.first.rank();
  });
}
ATTN_ARRAY_CALL(isclose,
                (x, y, otherwise(rtol, 1e-5), otherwise(atol, 1e-8), otherwise(equal_nan, false)))
ATTN_ARRAY_CALL(allclose,
                (x, y, otherwise(rtol, 1e-5), otherwise(atol, 1e-8), otherwise(equal_nan, false)))
ATTN_ARRAY_CALL(array_equal, (x, y, otherwise(equal_nan, false)))

// ---- Random numbers ---------------------------------------------------------------------------

namespace {

std::uint32_t seed_word(double value, const char* refusal) {
  if (!(value >= 0 && value <= 4294967295.0)) throw ValueError(refusal);
  return static_cast<std::uint32_t>(value);
}
constexpr const char* kOneSeed = "Seed must be between 0 and 2**32 - 1";

int keep_generator(std::shared_ptr<Random> random) {
  return generators.add(std::move(random), ++made);
}

}  // namespace

/// `list`: a seed given as a list, even of one, is not the same as that one number.
ATTN_EXPORT(random_state) int random_state(int count, int list) {
  return guarded([&] {
    const char* const refusal =
        count == 1 ? kOneSeed : "Seed values must be between 0 and 2**32 - 1";
    std::vector<std::uint32_t> words;
    for (int k = 0; k < count; ++k) words.push_back(seed_word(doubles()[k], refusal));
    return keep_generator(list ? std::make_shared<RandomState>(words)
                               : std::make_shared<RandomState>(words.front()));
  });
}
ATTN_EXPORT(generator) int generator(int count) {
  return guarded([&] {
    std::vector<std::uint64_t> seeds;
    for (int k = 0; k < count; ++k) {
      if (!(doubles()[k] >= 0)) throw ValueError("expected non-negative integer");
      seeds.push_back(static_cast<std::uint64_t>(doubles()[k]));
    }
    return keep_generator(std::make_shared<Generator>(seeds));
  });
}
/// Begins anew, as `np.random.seed`.
ATTN_ARRAY_CALL_AS(seed, (generator, seed), [](Random& generator, double seed) {
  static_cast<RandomState&>(generator).seed(seed_word(seed, kOneSeed));
})
/// Uniform in [0, 1): `rand`, `random_sample`, `random`.
ATTN_ARRAY_CALL_AS(random, (generator, size),
                   [](Random& generator, const Shape& size) { return generator.random(size); })
ATTN_ARRAY_CALL_AS(normal, (generator, mean, deviation, size),
                   [](Random& generator, double mean, double deviation, const Shape& size) {
                     return generator.normal(mean, deviation, size);
                   })
ATTN_ARRAY_CALL_AS(uniform, (generator, low, high, size),
                   [](Random& generator, double low, double high, const Shape& size) {
                     return generator.uniform(low, high, size);
                   })
ATTN_ARRAY_CALL_AS(exponential, (generator, scale, size),
                   [](Random& generator, double scale, const Shape& size) {
                     return generator.exponential(scale, size);
                   })
/// Integers, low ≤ i < high.
ATTN_ARRAY_CALL_AS(randint, (generator, low, high, size),
                   [](Random& generator, std::int64_t low, std::int64_t high, const Shape& size) {
                     return generator.integers(low, high, size);
                   })
/// Integers, low ≤ i ≤ last, each bound given as for `integer`.
ATTN_ARRAY_CALL_AS(randint_through, (generator, low_high, low_low, last_high, last_low, size),
                   [](Random& generator, double low_high, double low_low, double last_high,
                      double last_low, const Shape& size) {
                     return generator.integers_through(joined(low_high, low_low),
                                                       joined(last_high, last_low), size);
                   })
/// The numbers 0 … n − 1 in another order.
ATTN_ARRAY_CALL_AS(permutation, (generator, n),
                   [](Random& generator, Index n) { return generator.permutation(n); })
/// The rows of an array in another order.
ATTN_ARRAY_CALL_AS(permuted, (generator, x),
                   [](Random& generator, const Array& x) { return generator.permutation(x); })
/// Rows change places.
ATTN_ARRAY_CALL_AS(shuffle, (generator, x),
                   [](Random& generator, const Array& x) { generator.shuffle(x); })
/// Indices below n; `p`: an array of probabilities.
ATTN_ARRAY_CALL_AS(choice, (generator, n, size, otherwise(replace, true), otherwise(p, null)),
                   [](Random& generator, Index n, const Shape& size, bool replace,
                      const std::optional<Array>& p) {
                     return generator.choice(n, size, replace, p);
                   })

}  // namespace attn::wasm
