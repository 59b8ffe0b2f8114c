// The arrays for JavaScript: functions of numbers. Arrays are handles above 0, lists lie in a
// buffer that both sides see, and a failure is -1 (NaN where a number is asked for) with its type
// and message to be read. wasm/client/arrays/ is the other side.

#include <climits>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include "attn/array/array.hpp"
#include "attn/array/numpy_random.hpp"
#include "table.hpp"

#define ATTN_EXPORT(name) extern "C" __attribute__((export_name(#name), used))

namespace attn::wasm {
namespace {

using namespace attn::array;

Table<Array> arrays;
Table<std::shared_ptr<Random>> generators;
std::uint64_t made = 0;

// The buffer: integers from its beginning, doubles after kDoublesAt bytes.
std::vector<double> scratch_buffer(512);
constexpr int kDoublesAt = 512, kNone = INT_MIN;

int* ints() { return reinterpret_cast<int*>(scratch_buffer.data()); }
double* doubles() { return scratch_buffer.data() + kDoublesAt / 8; }

std::string error_kind, error_text;
bool failure = false;

const Array& get(int handle) {
  const Array* const found = arrays.find(handle);
  if (!found) {
    throw ValueError("this array is gone: it was freed, or belongs to a run that is over");
  }
  return *found;
}

Random& generator_of(int id) {
  auto* const found = generators.find(id);
  if (!found) throw ValueError("this random generator is gone: it belongs to a run that is over");
  return **found;
}

int keep(Array array) { return arrays.add(std::move(array), ++made); }
int keep(std::initializer_list<Array> several) {
  int count = 0;
  for (const Array& array : several) ints()[count++] = keep(array);
  return count;
}

template <typename R, typename F>
R guarded(R failed, F&& f) {
  try {
    failure = false;
    return f();
  } catch (const ArrayError& error) {
    error_kind = error.type();
    error_text = error.what();
  } catch (const std::bad_alloc&) {
    error_kind = "MemoryError";
    error_text = "the browser has no memory left";
  } catch (const std::exception& error) {
    error_kind = "RuntimeError";
    error_text = error.what();
  }
  failure = true;
  return failed;
}

template <typename F>
int status(F&& f) {
  return guarded(-1, [&] {
    f();
    return 0;
  });
}
template <typename F>
int number(F&& f) {
  return guarded(-1, f);
}
template <typename F>
double real(F&& f) {
  return guarded(std::numeric_limits<double>::quiet_NaN(), f);
}
template <typename F>
int handle(F&& f) {
  return guarded(-1, [&] { return keep(f()); });
}

Shape shape_of(int rank) {
  Shape shape;
  for (int axis = 0; axis < rank; ++axis) shape.push_back(ints()[axis]);
  return shape;
}
Axes axes_of(int count) { return count < 0 ? Axes() : Axes(shape_of(count)); }
std::optional<int> axis_of(int axis) {
  return axis == kNone ? std::nullopt : std::optional<int>(axis);
}
std::optional<Array> maybe(int array) {
  return array == 0 ? std::nullopt : std::optional<Array>(get(array));
}
std::optional<double> maybe(double value) {
  return std::isnan(value) ? std::nullopt : std::optional<double>(value);
}
std::vector<Array> list_of(int count) {
  std::vector<Array> list;
  for (int k = 0; k < count; ++k) list.push_back(get(ints()[k]));
  return list;
}
Array scalar(double value, int dtype) {
  switch (static_cast<Dtype>(dtype)) {
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

std::vector<IndexPart> parts_of(int count) {
  std::vector<IndexPart> parts;
  const int* at = ints();
  for (int k = 0; k < count; ++k, at += 4) {
    IndexPart part{static_cast<IndexPart::Kind>(at[0]), {}, {}, 1, Array(false)};
    if (part.kind == IndexPart::Kind::kArray) {
      part.array = get(at[1]);
    } else {
      if (at[1] != kNone) part.begin = at[1];
      if (at[2] != kNone) part.end = at[2];
      part.step = at[3];
    }
    parts.push_back(part);
  }
  return parts;
}

}  // namespace

// ---- The buffer, errors, memory ---------------------------------------------------------------

ATTN_EXPORT(scratch) int scratch(int bytes) {
  return number([&] {
    scratch_buffer.resize(static_cast<std::size_t>(bytes / 8 + 1));
    return static_cast<int>(reinterpret_cast<std::intptr_t>(scratch_buffer.data()));
  });
}
ATTN_EXPORT(error_type) const char* error_type() { return error_kind.c_str(); }
ATTN_EXPORT(error_message) const char* error_message() { return error_text.c_str(); }
ATTN_EXPORT(failed) int failed() { return failure; }

ATTN_EXPORT(names) const char* names() {
  static const std::string all = [] {
    std::string text;
    const auto list = [&text](auto count) {
      using Op = decltype(count);
      for (int k = 0; k < static_cast<int>(count); ++k) {
        if (k > 0) text += ',';
        text += name_of(static_cast<Op>(k));
      }
    };
    list(Unary::kCount);
    text += ';';
    list(Binary::kCount);
    text += ';';
    list(Reduction::kCount);
    return text;
  }();
  return all.c_str();
}

ATTN_EXPORT(counts) void read_counts() {
  const Counts now = counts();
  doubles()[0] = static_cast<double>(now.multiply_adds);
  doubles()[1] = static_cast<double>(now.touched);
  doubles()[2] = static_cast<double>(now.bytes);
  doubles()[3] = static_cast<double>(now.largest);
}
ATTN_EXPORT(reset_counts) void reset() { reset_counts(); }
ATTN_EXPORT(add_counts) void add(double multiply_adds, double touched) {
  add_counts(static_cast<std::uint64_t>(multiply_adds), static_cast<std::uint64_t>(touched));
}
ATTN_EXPORT(live_bytes) double live() { return static_cast<double>(live_bytes()); }
ATTN_EXPORT(peak_bytes) double peak() { return static_cast<double>(peak_bytes()); }
ATTN_EXPORT(reset_peak) void forget_peak() { reset_peak(); }
ATTN_EXPORT(set_memory_limit) void limit_memory(double bytes) {
  set_memory_limit(static_cast<std::uint64_t>(bytes));
}
ATTN_EXPORT(memory_limit) double limit() { return static_cast<double>(memory_limit()); }
ATTN_EXPORT(mark) double mark() { return static_cast<double>(made + 1); }
ATTN_EXPORT(release) void release(double since) {
  arrays.remove_since(static_cast<std::uint64_t>(since));
  generators.remove_since(static_cast<std::uint64_t>(since));
}
ATTN_EXPORT(free_array) int free_array(int x) {
  return status([&] {
    get(x);
    arrays.remove(x);
  });
}
ATTN_EXPORT(live_handles) int live_handles() { return arrays.live(); }

// ---- Making and looking -----------------------------------------------------------------------

ATTN_EXPORT(full) int make_full(int rank, double value, int dtype) {
  return handle([&] {
    const Shape shape = shape_of(rank);
    return value == 0 ? zeros(shape, static_cast<Dtype>(dtype))
                      : full(shape, scalar(value, dtype), static_cast<Dtype>(dtype));
  });
}
ATTN_EXPORT(eye) int make_eye(int n, int m, int k, int dtype) {
  return handle([&] { return eye(n, m, k, static_cast<Dtype>(dtype)); });
}
ATTN_EXPORT(tri) int make_tri(int n, int m, int k, int dtype) {
  return handle([&] { return tri(n, m, k, static_cast<Dtype>(dtype)); });
}
ATTN_EXPORT(arange) int make_arange(double start, double stop, double step, int dtype) {
  return handle([&] { return arange(start, stop, step, static_cast<Dtype>(dtype)); });
}
ATTN_EXPORT(linspace) int make_linspace(double start, double stop, int count, int endpoint) {
  return handle([&] { return linspace(start, stop, count, endpoint != 0); });
}
ATTN_EXPORT(data) char* data_of(int x) {
  const Array* const found = arrays.find(x);
  return found ? found->data() : nullptr;
}
ATTN_EXPORT(info) int info(int x) {
  return number([&] {
    const Array& array = get(x);
    int* to = ints();
    *to++ = array.rank();
    *to++ = static_cast<int>(array.dtype());
    *to++ = static_cast<int>(array.size());
    *to++ = array.contiguous();
    for (const Index length : array.shape()) *to++ = static_cast<int>(length);
    for (const Index stride : array.strides()) *to++ = static_cast<int>(stride);
    return array.rank();
  });
}
ATTN_EXPORT(shares_memory) int shares_memory(int x, int y) {
  return number([&] { return get(x).storage() == get(y).storage() ? 1 : 0; });
}

namespace {
std::vector<double> values_read;
int size_read = 0;
}  // namespace

ATTN_EXPORT(read) int read(int x) {
  return number([&] {
    const Array& array = get(x);
    size_read = static_cast<int>(array.size());
    const void* at = array.data();
    values_read = {};
    if (array.dtype() != Dtype::kFloat64 || !array.contiguous()) {
      values_read = array.values();
      at = values_read.data();
    }
    // What is empty has no address; a view of nothing may lie anywhere.
    return size_read == 0 ? 0 : static_cast<int>(reinterpret_cast<std::intptr_t>(at));
  });
}
ATTN_EXPORT(read_size) int read_size() { return size_read; }
ATTN_EXPORT(item) double item(int x) {
  return real([&] { return get(x).item(); });
}
ATTN_EXPORT(get1) double get1(int x, int i) {
  return real([&] { return get(x)(i); });
}
ATTN_EXPORT(get2) double get2(int x, int i, int j) {
  return real([&] { return get(x)(i, j); });
}

namespace {
Array entry_at(const Array& x, int count) {
  if (count != x.rank()) {
    throw IndexError("one entry of an array of " + std::to_string(x.rank()) +
                     " dimensions has as many indices, but " + std::to_string(count) +
                     " were given");
  }
  std::vector<IndexPart> parts;
  for (int k = 0; k < count; ++k) {
    parts.push_back({IndexPart::Kind::kInteger, ints()[k], {}, 1, Array(false)});
  }
  return index(x, parts);
}
}  // namespace

ATTN_EXPORT(get_n) double get_n(int x, int count) {
  return real([&] { return entry_at(get(x), count).item(); });
}
ATTN_EXPORT(set_n) int set_n(int x, int count, double value) {
  return status([&] { entry_at(get(x), count)() = value; });
}
ATTN_EXPORT(array_text) int array_text(int x) {
  return number([&] {
    static std::string shown;
    shown = text(get(x));
    return static_cast<int>(reinterpret_cast<std::intptr_t>(shown.c_str()));
  });
}

// ---- Entry by entry ---------------------------------------------------------------------------

ATTN_EXPORT(unary) int unary(int op, int x) {
  return handle([&] { return apply(static_cast<Unary>(op), get(x)); });
}
ATTN_EXPORT(binary) int binary(int op, int x, int y) {
  return handle([&] { return apply(static_cast<Binary>(op), get(x), get(y)); });
}
ATTN_EXPORT(binary_scalar)
int binary_scalar(int op, int x, double value, int kind, int swapped) {
  return handle([&] {
    const Array other = scalar(value, kind);
    const auto operation = static_cast<Binary>(op);
    return swapped ? apply(operation, other, get(x)) : apply(operation, get(x), other);
  });
}
ATTN_EXPORT(in_place) int in_place(int op, int x, int y) {
  return status([&] { apply_in_place(static_cast<Binary>(op), get(x), get(y)); });
}
ATTN_EXPORT(in_place_scalar) int in_place_scalar(int op, int x, double value, int kind) {
  return status([&] { apply_in_place(static_cast<Binary>(op), get(x), scalar(value, kind)); });
}
ATTN_EXPORT(result_type) int result_type(int x, int y) {
  return number([&] { return static_cast<int>(promote(get(x), get(y))); });
}
ATTN_EXPORT(where) int choose(int condition, int x, int y) {
  return handle([&] { return where(get(condition), get(x), get(y)); });
}
ATTN_EXPORT(clip) int clipped(int x, int low, int high) {
  return handle([&] { return clip(get(x), maybe(low), maybe(high)); });
}
ATTN_EXPORT(round) int rounded(int x, int decimals) {
  return handle([&] { return round(get(x), decimals); });
}
ATTN_EXPORT(nan_to_num) int without_nans(int x, double nan, double positive, double negative) {
  return handle([&] { return nan_to_num(get(x), nan, maybe(positive), maybe(negative)); });
}

// ---- Along axes -------------------------------------------------------------------------------

ATTN_EXPORT(reduce) int reduced(int op, int x, int axes, int keepdims, double ddof) {
  return handle([&] {
    return reduce(static_cast<Reduction>(op), get(x), axes_of(axes), keepdims != 0, ddof);
  });
}
ATTN_EXPORT(reduce_all) double reduce_all(int op, int x, double ddof) {
  return real([&] { return reduce(static_cast<Reduction>(op), get(x), {}, false, ddof).item(); });
}
ATTN_EXPORT(arg_reduce) int arg_reduce(int largest, int x, int axis, int keepdims) {
  return handle([&] {
    return largest ? argmax(get(x), axis_of(axis), keepdims != 0)
                   : argmin(get(x), axis_of(axis), keepdims != 0);
  });
}
ATTN_EXPORT(cumulative) int cumulative(int product, int x, int axis) {
  return handle(
      [&] { return product ? cumprod(get(x), axis_of(axis)) : cumsum(get(x), axis_of(axis)); });
}
ATTN_EXPORT(diff) int differences(int x, int n, int axis) {
  return handle([&] { return diff(get(x), n, axis); });
}

// ---- Products ---------------------------------------------------------------------------------

ATTN_EXPORT(matmul) int product(int x, int y) {
  return handle([&] { return matmul(get(x), get(y)); });
}
ATTN_EXPORT(dot) int dot_product(int x, int y) {
  return handle([&] { return dot(get(x), get(y)); });
}
ATTN_EXPORT(outer) int outer_product(int x, int y) {
  return handle([&] { return outer(get(x), get(y)); });
}
ATTN_EXPORT(einsum) int einstein_sum(int count, int at, int length) {
  return handle([&] {
    const char* const text = reinterpret_cast<const char*>(scratch_buffer.data()) + at;
    return einsum({text, static_cast<std::size_t>(length)}, list_of(count));
  });
}

// ---- Shapes -----------------------------------------------------------------------------------

ATTN_EXPORT(transpose) int transposed(int x, int axes) {
  return handle([&] { return axes < 0 ? transpose(get(x)) : transpose(get(x), shape_of(axes)); });
}
ATTN_EXPORT(swapaxes) int swapped_axes(int x, int a, int b) {
  return handle([&] { return swapaxes(get(x), a, b); });
}
ATTN_EXPORT(reshape) int reshaped(int x, int rank) {
  return handle([&] { return get(x).reshape(shape_of(rank)); });
}
ATTN_EXPORT(broadcast_to) int broadcast(int x, int rank) {
  return handle([&] { return broadcast_to(get(x), shape_of(rank)); });
}
ATTN_EXPORT(broadcast_shapes) int common_shape(int count) {
  return number([&] {
    Shape shape;
    for (const Array& array : list_of(count)) shape = broadcast_shapes(shape, array.shape());
    int* to = ints();
    for (const Index length : shape) *to++ = static_cast<int>(length);
    return shape.rank();
  });
}
ATTN_EXPORT(expand_dims) int expanded(int x, int axis) {
  return handle([&] { return expand_dims(get(x), axis); });
}
ATTN_EXPORT(squeeze) int squeezed(int x, int axes) {
  return handle([&] { return squeeze(get(x), axes_of(axes)); });
}
ATTN_EXPORT(astype) int cast(int x, int dtype) {
  return handle([&] { return get(x).astype(static_cast<Dtype>(dtype)); });
}
ATTN_EXPORT(copy) int copied(int x) {
  return handle([&] { return get(x).copy(); });
}
ATTN_EXPORT(alias) int alias(int x) {
  return handle([&] { return get(x); });
}
ATTN_EXPORT(concatenate) int concatenated(int count, int axis) {
  return handle([&] { return concatenate(list_of(count), axis_of(axis)); });
}
ATTN_EXPORT(stack) int stacked(int count, int axis) {
  return handle([&] { return stack(list_of(count), axis); });
}
ATTN_EXPORT(repeat) int repeated(int x, int times, int axis) {
  return handle([&] { return repeat(get(x), static_cast<Index>(times), axis_of(axis)); });
}
ATTN_EXPORT(repeat_each) int repeated_each(int x, int times, int axis) {
  return handle([&] { return repeat(get(x), get(times), axis_of(axis)); });
}
ATTN_EXPORT(tile) int tiled(int x, int rank) {
  return handle([&] { return tile(get(x), shape_of(rank)); });
}
ATTN_EXPORT(roll) int rolled(int x, int shift, int axis) {
  return handle([&] { return roll(get(x), shift, axis_of(axis)); });
}
ATTN_EXPORT(flip) int flipped(int x, int axes) {
  return handle([&] { return flip(get(x), axes_of(axes)); });
}
ATTN_EXPORT(tril) int lower(int x, int k) {
  return handle([&] { return tril(get(x), k); });
}
ATTN_EXPORT(triu) int upper(int x, int k) {
  return handle([&] { return triu(get(x), k); });
}
ATTN_EXPORT(diagonal) int diagonal_of(int x, int k, int axis1, int axis2) {
  return handle([&] { return diagonal(get(x), k, axis1, axis2); });
}
ATTN_EXPORT(diag) int diag_of(int x, int k) {
  return handle([&] { return diag(get(x), k); });
}

// ---- Indexing and order -----------------------------------------------------------------------

ATTN_EXPORT(index) int indexed(int x, int parts) {
  return handle([&] { return index(get(x), parts_of(parts)); });
}
ATTN_EXPORT(set_index) int set_indexed(int x, int parts, int value) {
  return status([&] { set_index(get(x), parts_of(parts), get(value)); });
}
ATTN_EXPORT(set_index_scalar) int set_indexed_scalar(int x, int parts, double value) {
  return status([&] { set_index(get(x), parts_of(parts), Array(value)); });
}
ATTN_EXPORT(apply_at) int applied_at(int op, int x, int parts, int value) {
  return status([&] { apply_at(static_cast<Binary>(op), get(x), parts_of(parts), get(value)); });
}
ATTN_EXPORT(take) int taken(int x, int indices, int axis) {
  return handle([&] { return take(get(x), get(indices), axis_of(axis)); });
}
ATTN_EXPORT(take_along_axis) int taken_along(int x, int indices, int axis) {
  return handle([&] { return take_along_axis(get(x), get(indices), axis); });
}
ATTN_EXPORT(put_along_axis) int put_along(int x, int indices, int values, int axis) {
  return status([&] { put_along_axis(get(x), get(indices), get(values), axis); });
}
ATTN_EXPORT(nonzero) int nonzeros(int x) {
  return number([&] {
    const std::vector<Array> lists = nonzero(get(x));
    for (std::size_t k = 0; k < lists.size(); ++k) ints()[k] = keep(lists[k]);
    return static_cast<int>(lists.size());
  });
}
ATTN_EXPORT(sort) int sorted(int x, int axis) {
  return handle([&] { return sort(get(x), axis_of(axis)); });
}
ATTN_EXPORT(argsort) int argsorted(int x, int axis) {
  return handle([&] { return argsort(get(x), axis_of(axis)); });
}
ATTN_EXPORT(unique) int uniques(int x) {
  return number([&] {
    const Unique found = unique(get(x));
    return keep({found.values, found.index, found.inverse, found.counts});
  });
}
ATTN_EXPORT(searchsorted) int places(int x, int values, int right) {
  return handle([&] { return searchsorted(get(x), get(values), right != 0); });
}
ATTN_EXPORT(quantile) int quantile_of(int x, int q, int axes, int keepdims) {
  return handle([&] { return quantile(get(x), get(q), axes_of(axes), keepdims != 0); });
}
ATTN_EXPORT(percentile) int percentile_of(int x, int q, int axes, int keepdims) {
  return handle([&] { return percentile(get(x), get(q), axes_of(axes), keepdims != 0); });
}
ATTN_EXPORT(median) int median_of(int x, int axes, int keepdims) {
  return handle([&] { return median(get(x), axes_of(axes), keepdims != 0); });
}
ATTN_EXPORT(bincount) int counted(int x, int weights, int at_least) {
  return handle([&] { return bincount(get(x), maybe(weights), at_least); });
}

// ---- Statistics and linear algebra --------------------------------------------------------------

ATTN_EXPORT(cov) int covariance(int x, int y, double ddof) {
  return handle([&] { return cov(get(x), maybe(y), ddof); });
}
ATTN_EXPORT(corrcoef) int correlation(int x, int y) {
  return handle([&] { return corrcoef(get(x), maybe(y)); });
}
ATTN_EXPORT(norm) int norm_of(int x, double order, int usual, int axes, int keepdims) {
  return handle([&] {
    return norm(get(x), usual ? std::nullopt : std::optional<double>(order), axes_of(axes),
                keepdims != 0);
  });
}
ATTN_EXPORT(eigvalsh) int eigenvalues(int x) {
  return handle([&] { return eigvalsh(get(x)); });
}
ATTN_EXPORT(eigh) int eigen(int x) {
  return number([&] {
    const auto parts = eigh(get(x));
    return keep({parts.first, parts.second});
  });
}
ATTN_EXPORT(svd) int singular(int x, int full_matrices) {
  return number([&] {
    const Svd parts = svd(get(x), full_matrices != 0);
    return keep({parts.u, parts.s, parts.vh});
  });
}
ATTN_EXPORT(singular_values) int singular_values_of(int x) {
  return handle([&] { return singular_values(get(x)); });
}
ATTN_EXPORT(solve) int solved(int a, int b) {
  return handle([&] { return solve(get(a), get(b)); });
}
ATTN_EXPORT(inv) int inverse(int x) {
  return handle([&] { return inv(get(x)); });
}
ATTN_EXPORT(det) int determinant(int x) {
  return handle([&] { return det(get(x)); });
}
ATTN_EXPORT(slogdet) int sign_and_log(int x) {
  return number([&] {
    const auto parts = slogdet(get(x));
    return keep({parts.first, parts.second});
  });
}
ATTN_EXPORT(qr) int qr_of(int x) {
  return number([&] {
    const auto parts = qr(get(x));
    return keep({parts.first, parts.second});
  });
}
ATTN_EXPORT(cholesky) int cholesky_of(int x) {
  return handle([&] { return cholesky(get(x)); });
}
ATTN_EXPORT(pinv) int pseudo_inverse(int x, double rcond) {
  return handle([&] { return pinv(get(x), rcond); });
}
ATTN_EXPORT(matrix_rank) int rank_of(int x, double tolerance) {
  return handle([&] { return matrix_rank(get(x), maybe(tolerance)); });
}
ATTN_EXPORT(lstsq) int least_squares(int a, int b) {
  return handle([&] { return lstsq(get(a), get(b)); });
}
ATTN_EXPORT(trace) int trace_of(int x) {
  return handle([&] { return trace(get(x)); });
}

// ---- Comparing --------------------------------------------------------------------------------

ATTN_EXPORT(compare) int compared(int actual, int expected, double rtol, double atol) {
  return number([&] {
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
ATTN_EXPORT(isclose) int close(int x, int y, double rtol, double atol, int equal_nan) {
  return handle([&] { return isclose(get(x), get(y), rtol, atol, equal_nan != 0); });
}
ATTN_EXPORT(allclose) int all_close(int x, int y, double rtol, double atol, int equal_nan) {
  return number([&] { return allclose(get(x), get(y), rtol, atol, equal_nan != 0) ? 1 : 0; });
}
ATTN_EXPORT(array_equal) int equal(int x, int y, int equal_nan) {
  return number([&] { return array_equal(get(x), get(y), equal_nan != 0) ? 1 : 0; });
}

// ---- Random numbers ---------------------------------------------------------------------------

namespace {

std::vector<std::uint32_t> seed_words(int count) {
  std::vector<std::uint32_t> words;
  for (int k = 0; k < count; ++k) {
    const double value = doubles()[k];
    if (!(value >= 0 && value <= 4294967295.0)) {
      throw ValueError(count == 1 ? "Seed must be between 0 and 2**32 - 1"
                                  : "Seed values must be between 0 and 2**32 - 1");
    }
    words.push_back(static_cast<std::uint32_t>(value));
  }
  return words;
}

int keep_generator(std::shared_ptr<Random> random) {
  return generators.add(std::move(random), ++made);
}

}  // namespace

/// `list`: a seed given as a list, even of one, is not the same as that one number.
ATTN_EXPORT(random_state) int random_state(int count, int list) {
  return number([&] {
    const std::vector<std::uint32_t> words = seed_words(count);
    return keep_generator(list ? std::make_shared<RandomState>(words)
                               : std::make_shared<RandomState>(words.front()));
  });
}
ATTN_EXPORT(generator) int generator(int count) {
  return number([&] {
    std::vector<std::uint64_t> seeds;
    for (int k = 0; k < count; ++k) {
      if (!(doubles()[k] >= 0)) throw ValueError("expected non-negative integer");
      seeds.push_back(static_cast<std::uint64_t>(doubles()[k]));
    }
    return keep_generator(std::make_shared<Generator>(seeds));
  });
}
ATTN_EXPORT(random_seed) int random_seed(int id, double seed) {
  return status([&] {
    doubles()[0] = seed;
    static_cast<RandomState&>(generator_of(id)).seed(seed_words(1).front());
  });
}
ATTN_EXPORT(random_draw) int random_draw(int id, int kind, int rank, double a, double b) {
  return handle([&]() -> Array {
    Random& random = generator_of(id);
    const Shape shape = shape_of(rank);
    switch (kind) {
      case 0:
        return random.random(shape);
      case 1:
        return random.normal(a, b, shape);
      case 2:
        return random.uniform(a, b, shape);
      default:
        return random.exponential(a, shape);
    }
  });
}
ATTN_EXPORT(random_integers) int random_integers(int id, int rank, double low, double high) {
  return handle([&] {
    return generator_of(id).integers(static_cast<std::int64_t>(low),
                                     static_cast<std::int64_t>(high), shape_of(rank));
  });
}
ATTN_EXPORT(random_permutation) int random_permutation(int id, int n) {
  return handle([&] { return generator_of(id).permutation(static_cast<Index>(n)); });
}
ATTN_EXPORT(random_permuted) int random_permuted(int id, int x) {
  return handle([&] { return generator_of(id).permutation(get(x)); });
}
ATTN_EXPORT(random_shuffle) int random_shuffle(int id, int x) {
  return status([&] { generator_of(id).shuffle(get(x)); });
}
ATTN_EXPORT(random_choice) int random_choice(int id, int n, int rank, int replace, int p) {
  return handle([&] { return generator_of(id).choice(n, shape_of(rank), replace != 0, maybe(p)); });
}

}  // namespace attn::wasm
