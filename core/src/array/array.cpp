#include "attn/array/array.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>

#include "base/thread_local.hpp"
#include "internal.hpp"

namespace attn::array {
namespace {

struct Tally {
  Counts counts;
  std::uint64_t live = 0, peak = 0, limit = 512'000'000;
};
ATTN_THREAD_LOCAL Tally tally;

std::string amount(double bytes) {
  const char* unit = "bytes";
  for (const char* next : {"KB", "MB", "GB", "TB"}) {
    if (bytes < 1000) break;
    bytes /= 1000;
    unit = next;
  }
  const double shown = bytes < 10 ? std::round(bytes * 10) / 10 : std::round(bytes);
  std::string text = std::to_string(shown);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " " + unit;
}

}  // namespace

// ---- Memory and counts ------------------------------------------------------------------------

/// The header at the beginning of a block of memory; the entries follow it.
struct Storage {
  std::atomic<std::uint32_t> users{1};
  std::uint64_t bytes = 0;

  char* data() { return reinterpret_cast<char*>(this + 1); }

  static Storage* make(std::uint64_t bytes) {
    void* const block = std::malloc(static_cast<std::size_t>(bytes + sizeof(Storage)));
    if (block == nullptr) {
      throw MemoryError("the machine has no " + amount(static_cast<double>(bytes)) + " left");
    }
    tally.counts.bytes += bytes;
    tally.live += bytes;
    tally.peak = std::max(tally.peak, tally.live);
    Storage* const made = new (block) Storage;
    made->bytes = bytes;
    return made;
  }
};

StorageRef::StorageRef(const StorageRef& other) : storage_(other.storage_) {
  if (storage_) storage_->users.fetch_add(1, std::memory_order_relaxed);
}

bool StorageRef::shared() const {
  return storage_ && storage_->users.load(std::memory_order_relaxed) > 1;
}

StorageRef::~StorageRef() {
  if (!storage_ || storage_->users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  tally.live -= storage_->bytes;
  storage_->~Storage();
  std::free(storage_);
}

Counts counts() { return tally.counts; }
void reset_counts() { tally.counts = {}; }
void add_counts(std::uint64_t multiply_adds, std::uint64_t touched) {
  tally.counts.multiply_adds += multiply_adds;
  tally.counts.touched += touched;
}
std::uint64_t live_bytes() { return tally.live; }
std::uint64_t peak_bytes() { return tally.peak; }
void reset_peak() { tally.peak = tally.live; }
void set_memory_limit(std::uint64_t bytes) { tally.limit = bytes; }
std::uint64_t memory_limit() { return tally.limit; }
void note_touched(Index touched) { tally.counts.touched += static_cast<std::uint64_t>(touched); }
void note_multiply_adds(double products) {
  tally.counts.multiply_adds += static_cast<std::uint64_t>(products);
}

// ---- Dtypes -----------------------------------------------------------------------------------

const char* name_of(Dtype dtype) {
  constexpr const char* kNames[] = {"bool", "int64", "float32", "float64"};
  return kNames[static_cast<int>(dtype)];
}

Index size_of(Dtype dtype) {
  constexpr Index kSizes[] = {1, 8, 4, 8};
  return kSizes[static_cast<int>(dtype)];
}

double read_double(const char* at, Dtype dtype) {
  return with_type(dtype, [&](auto tag) {
    using T = decltype(tag);
    return static_cast<double>(*reinterpret_cast<const T*>(at));
  });
}

void write_double(char* at, Dtype dtype, double value) {
  with_type(dtype, [&](auto tag) {
    using T = decltype(tag);
    *reinterpret_cast<T*>(at) = convert<T>(value);
  });
}

// ---- Shapes -----------------------------------------------------------------------------------

Shape::Shape(const Index* begin, const Index* end) {
  for (; begin != end; ++begin) push_back(*begin);
}

void Shape::push_back(Index length) {
  if (rank_ == kMaxRank) {
    throw ValueError("maximum supported dimension for an ndarray is " + std::to_string(kMaxRank) +
                     ", found " + std::to_string(kMaxRank + 1));
  }
  lengths_[static_cast<std::size_t>(rank_++)] = length;
}

void Shape::insert(int axis, Index length) {
  push_back(length);
  std::rotate(lengths_.begin() + axis, lengths_.begin() + rank_ - 1, lengths_.begin() + rank_);
}

void Shape::erase(int axis) {
  std::copy(lengths_.begin() + axis + 1, lengths_.begin() + rank_, lengths_.begin() + axis);
  --rank_;
}

Index Shape::size() const {
  // When one axis has length 0, the array is empty and the other axes may have any length.
  if (std::find(begin(), end(), 0) != end()) return 0;
  Index size = 1;
  for (const Index length : *this) size *= length;
  return size;
}

namespace {

double volume(const Shape& shape) {
  double product = 1;
  for (const Index length : shape) product *= static_cast<double>(length);
  return product;
}

}  // namespace

Index checked_length(double length) {
  if (!(std::abs(length) < static_cast<double>(std::numeric_limits<Index>::max()) / 8)) {
    throw MemoryError("an array with an axis of " +
                      std::to_string(static_cast<std::int64_t>(std::clamp(length, -1e18, 1e18))) +
                      " entries is more than this machine can count");
  }
  return static_cast<Index>(length);
}

std::string with_commas(const Shape& shape) {
  std::string text;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (axis > 0) text += ',';
    // NumPy prints the length that is to be found in this way.
    text += shape[axis] < 0 ? "newaxis" : std::to_string(shape[axis]);
  }
  return text;
}

std::string Shape::text() const { return "(" + with_commas(*this) + (rank_ == 1 ? ",)" : ")"); }

bool operator==(const Shape& a, const Shape& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

Shape packed_strides(const Shape& shape, Index item) {
  Shape strides = shape;
  const bool empty = shape.size() == 0;
  Index step = item;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    strides[axis] = step;
    if (!empty) step *= shape[axis];
  }
  return strides;
}

Index checked_size(const Shape& shape, Dtype dtype) {
  for (const Index length : shape) {
    if (length < 0) throw ValueError("negative dimensions are not allowed");
  }
  const double size = volume(shape);
  const double bytes = size * static_cast<double>(size_of(dtype));
  if (static_cast<double>(tally.live) + bytes > static_cast<double>(tally.limit)) {
    const std::string what = "an array of shape " + shape.text() + " asked for " + amount(bytes) +
                             "; a run may have " + amount(static_cast<double>(tally.limit));
    throw MemoryError(what, {"array_memory", {what}});
  }
  return static_cast<Index>(size);
}

int normal_axis(Index axis, int rank, const char* prefix) {
  if (axis < -rank || axis >= rank) {
    throw AxisError(prefix + ("axis " + std::to_string(axis)) +
                    " is out of bounds for array of dimension " + std::to_string(rank));
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

std::array<bool, kMaxRank> chosen(const Axes& axes, int rank) {
  std::array<bool, kMaxRank> flags{};
  if (axes.all()) {
    std::fill_n(flags.begin(), rank, true);
    return flags;
  }
  for (const Index axis : axes.axes()) {
    bool& flag = flags[static_cast<std::size_t>(normal_axis(axis, rank))];
    if (flag) throw ValueError("duplicate value in 'axis'");
    flag = true;
  }
  return flags;
}

// ---- Element ----------------------------------------------------------------------------------

Element::operator double() const {
  note_touched(1);
  return read_double(at_, dtype_);
}

Element& Element::operator=(double value) {
  if (!writeable_) throw ValueError("assignment destination is read-only");
  note_touched(1);
  write_double(at_, dtype_, value);
  return *this;
}

// ---- Array ------------------------------------------------------------------------------------

Array Array::allocate(const Shape& shape, Dtype dtype) {
  const Index size = checked_size(shape, dtype), bytes = size * size_of(dtype);
  tally.counts.largest = std::max(tally.counts.largest, static_cast<std::uint64_t>(size));
  Storage* const storage = Storage::make(static_cast<std::uint64_t>(std::max<Index>(bytes, 1)));
  return {StorageRef(storage), storage->data(), shape, packed_strides(shape, size_of(dtype)),
          dtype};
}

// The copy functions are not in the header: they are called everywhere, and inlined copies would be
// a third of the module.
Array::Array(const Array&) = default;
Array::Array(Array&&) noexcept = default;
Array& Array::operator=(const Array&) & = default;
Array& Array::operator=(Array&&) & noexcept = default;
Array::~Array() = default;
Array::Array(StorageRef storage, char* data, const Shape& shape, const Shape& strides, Dtype dtype)
    : storage_(std::move(storage)), data_(data), shape_(shape), strides_(strides), dtype_(dtype) {}
Array Array::with(const Shape& shape, const Shape& strides, Index offset) const {
  Array view(storage_, data_ + offset, shape, strides, dtype_);
  view.writeable_ = writeable_;
  return view;
}

Array::Array() : Array(allocate({0}, Dtype::kFloat64)) {}
Array::Array(double value) : Array(allocate({}, Dtype::kFloat64)) {
  *reinterpret_cast<double*>(data_) = value;
}
Array::Array(float value) : Array(allocate({}, Dtype::kFloat32)) {
  *reinterpret_cast<float*>(data_) = value;
}
Array::Array(bool value) : Array(allocate({}, Dtype::kBool)) {
  *reinterpret_cast<bool*>(data_) = value;
}
Array Array::integer(std::int64_t value) {
  Array made = allocate({}, Dtype::kInt64);
  *entries<std::int64_t>(made) = value;
  return made;
}

Index Array::shape(int axis) const { return shape_[normal_axis(axis, rank())]; }

bool Array::contiguous() const {
  Index step = size_of(dtype_);
  for (int axis = rank() - 1; axis >= 0; --axis) {
    if (shape_[axis] == 0) return true;
    if (shape_[axis] != 1 && strides_[axis] != step) return false;
    step *= shape_[axis];
  }
  return true;
}

namespace {

Index from_start(Index index, Index length, int axis) {
  if (index < -length || index >= length) {
    throw IndexError("index " + std::to_string(index) + " is out of bounds for axis " +
                     std::to_string(axis) + " with size " + std::to_string(length));
  }
  return index < 0 ? index + length : index;
}

}  // namespace

Element Array::element(const Index* indices, int count) const {
  if (count != rank()) {
    throw IndexError((count > rank() ? "too many indices for array: array is "
                                     : "too few indices for one entry: array is ") +
                     std::to_string(rank()) + "-dimensional, but " + std::to_string(count) +
                     " were indexed");
  }
  char* at = data_;
  for (int axis = 0; axis < count; ++axis) {
    at += from_start(indices[axis], shape_[axis], axis) * strides_[axis];
  }
  return {at, dtype_, writeable_};
}

double Array::item() const {
  if (size() != 1) throw ValueError("can only convert an array of size 1 to a Python scalar");
  note_touched(1);
  return read_double(data_, dtype_);
}

std::vector<double> Array::values() const {
  std::vector<double> list;
  list.reserve(static_cast<std::size_t>(size()));
  each_entry(*this, [&](const char* at) { list.push_back(read_double(at, dtype_)); });
  return list;
}

std::vector<std::int64_t> Array::integers() const {
  if (is_float(dtype_)) throw TypeError("these are no integers: astype(int64) makes them some");
  std::vector<std::int64_t> list;
  list.reserve(static_cast<std::size_t>(size()));
  each_entry(*this, [&](const char* at) {
    list.push_back(dtype_ == Dtype::kBool ? std::int64_t{*reinterpret_cast<const bool*>(at)}
                                          : *reinterpret_cast<const std::int64_t*>(at));
  });
  return list;
}

Array Array::take_at(int axis, Index i) const {
  if (rank() == 0) {
    throw IndexError("too many indices for array: array is 0-dimensional, but 1 were indexed");
  }
  const int normal = normal_axis(axis, rank());
  Shape shape = shape_, strides = strides_;
  const Index offset = from_start(i, shape_[normal], normal) * strides_[normal];
  shape.erase(normal);
  strides.erase(normal);
  return with(shape, strides, offset);
}

Array Array::slice(int axis, std::optional<Index> begin, std::optional<Index> end,
                   Index step) const {
  if (step == 0) throw ValueError("slice step cannot be zero");
  const int normal = normal_axis(axis, rank());
  const Index length = shape_[normal];
  // Python's rules: a bound outside the axis is moved to the nearest place that the step can start
  // or end at.
  const Index lowest = step > 0 ? 0 : -1, highest = step > 0 ? length : length - 1;
  const auto bound = [&](std::optional<Index> given, Index otherwise) {
    if (!given) return otherwise;
    return std::clamp(*given < 0 ? *given + length : *given, lowest, highest);
  };
  const Index first = bound(begin, step > 0 ? lowest : highest);
  const Index last = bound(end, step > 0 ? highest : lowest);
  const Index span = step > 0 ? last - first : first - last;
  const Index stride = step > 0 ? step : -step;
  Shape shape = shape_, strides = strides_;
  shape[normal] = span <= 0 ? 0 : (span - 1) / stride + 1;
  // A step may be far longer than any array, so the product, which could overflow, is formed only
  // for axes with several entries.
  strides[normal] = shape[normal] <= 1 ? strides_[normal] : strides_[normal] * step;
  return with(shape, strides, shape[normal] == 0 ? 0 : first * strides_[normal]);
}

Array Array::reshape(const Shape& wanted) const {
  Shape shape = wanted;
  double known = 1;
  int open = -1;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] >= 0) {
      known *= static_cast<double>(shape[axis]);
    } else if (shape[axis] != -1) {
      throw ValueError("negative dimensions not allowed");
    } else if (open >= 0) {
      throw ValueError("can only specify one unknown dimension");
    } else {
      open = axis;
    }
  }
  const auto entries_here = static_cast<double>(size());
  if (open >= 0 && known > 0 && std::fmod(entries_here, known) == 0) {
    shape[open] = static_cast<Index>(entries_here / known);
    known = volume(shape);
  } else if (open >= 0) {
    known = -1;
  }
  if (known != entries_here) {
    throw ValueError("cannot reshape array of size " + std::to_string(size()) + " into shape " +
                     (wanted.rank() == 1 ? wanted.text() : "(" + with_commas(wanted) + ")"));
  }
  if (contiguous()) return with(shape, packed_strides(shape, size_of(dtype_)));

  // A view is possible where every group of old axes that becomes a group of new axes lies evenly
  // in memory.
  Shape old_shape, old_strides;
  for (int axis = 0; axis < rank(); ++axis) {
    if (shape_[axis] == 1) continue;
    old_shape.push_back(shape_[axis]);
    old_strides.push_back(strides_[axis]);
  }
  Shape strides = shape;
  int from = 0, to = 0;
  bool view = size() > 0;
  while (view && from < old_shape.rank() && to < shape.rank()) {
    Index old_length = old_shape[from], new_length = shape[to];
    int from_end = from + 1, to_end = to + 1;
    while (old_length != new_length) {
      if (new_length < old_length) {
        new_length *= shape[to_end++];
      } else {
        old_length *= old_shape[from_end++];
      }
    }
    for (int axis = from; view && axis + 1 < from_end; ++axis) {
      view = old_strides[axis] == old_shape[axis + 1] * old_strides[axis + 1];
    }
    Index step = old_strides[from_end - 1];
    for (int axis = to_end - 1; axis >= to; --axis) {
      strides[axis] = step;
      step *= shape[axis];
    }
    from = from_end;
    to = to_end;
  }
  if (!view) return copy().reshape(shape);
  for (; to < shape.rank(); ++to) strides[to] = size_of(dtype_);
  return with(shape, strides);
}

Array Array::astype(Dtype dtype) const {
  Array made = allocate(shape_, dtype);
  copy_into(made, *this);
  note_touched(2 * size());
  return made;
}

Array Array::copy() const { return astype(dtype_); }

// ---- Copying ----------------------------------------------------------------------------------

namespace {

template <typename To, typename From>
void copy_loop(const Walk<2>& walk) {
  walk.run([](char* const* at, const Index* strides, Index count) {
    char* to = at[0];
    const char* from = at[1];
    const Index to_step = strides[0], from_step = strides[1];
    if constexpr (std::is_same_v<To, From>) {
      if (to_step == sizeof(To) && from_step == sizeof(From)) {
        std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(To));
        return;
      }
    }
    for (Index i = 0; i < count; ++i, to += to_step, from += from_step) {
      *reinterpret_cast<To*>(to) = convert<To>(*reinterpret_cast<const From*>(from));
    }
  });
}

}  // namespace

void copy_into(const Array& to, const Array& from) {
  const Array source = from.shape() == to.shape() ? from : broadcast_to(from, to.shape());
  const Walk<2> walk(to.shape(), {&to, &source});
  with_type(to.dtype(), [&](auto to_tag) {
    with_type(from.dtype(),
              [&](auto from_tag) { copy_loop<decltype(to_tag), decltype(from_tag)>(walk); });
  });
}

bool overlap(const Array& x, const Array& y) {
  if (x.storage() != y.storage()) return false;
  // Identical views need no copy, because each entry is read before it is written.
  return !(x.data() == y.data() && x.shape() == y.shape() && x.strides() == y.strides());
}

Array as(const Array& x, Dtype dtype) {
  if (x.dtype() == dtype) return x;
  Array made = Array::allocate(x.shape(), dtype);
  copy_into(made, x);
  return made;
}

Array contiguous_as(const Array& x, Dtype dtype) {
  if (x.dtype() == dtype && x.contiguous()) return x;
  Array made = Array::allocate(x.shape(), dtype);
  copy_into(made, x);
  return made;
}

void Array::assign(const Array& value) const {
  check_writeable(*this);
  Array source = value;
  // Leading axes of length 1 are dropped, as NumPy does on assignment.
  while (source.rank() > rank() && source.shape()[0] == 1) source = source.take_at(0, 0);
  bool fits = source.rank() <= rank();
  for (int back = 1; fits && back <= source.rank(); ++back) {
    const Index length = source.shape()[source.rank() - back];
    fits = length == 1 || length == shape_[rank() - back];
  }
  if (!fits) {
    throw ValueError("could not broadcast input array from shape " + value.shape().text() +
                     " into shape " + shape_.text());
  }
  if (overlap(*this, source)) {
    Array apart = allocate(source.shape(), source.dtype());
    copy_into(apart, source);
    source = apart;
  }
  copy_into(*this, source);
  note_touched(size() + value.size());
}

const Array& Array::operator+=(const Array& other) const {
  apply_in_place(Binary::kAdd, *this, other);
  return *this;
}
const Array& Array::operator-=(const Array& other) const {
  apply_in_place(Binary::kSubtract, *this, other);
  return *this;
}
const Array& Array::operator*=(const Array& other) const {
  apply_in_place(Binary::kMultiply, *this, other);
  return *this;
}
const Array& Array::operator/=(const Array& other) const {
  apply_in_place(Binary::kDivide, *this, other);
  return *this;
}

// ---- Making -----------------------------------------------------------------------------------

Array full(const Shape& shape, const Array& value, std::optional<Dtype> dtype) {
  Array made = Array::allocate(shape, dtype.value_or(value.dtype()));
  copy_into(made, value);
  note_touched(made.size());
  return made;
}

namespace {

Array filled(const Shape& shape, Dtype dtype, double value) {
  Array made = Array::allocate(shape, dtype);
  const Index count = made.size();
  if (value == 0) {
    std::memset(made.data(), 0, static_cast<std::size_t>(count * size_of(dtype)));
  } else {
    with_type(dtype, [&](auto tag) {
      using T = decltype(tag);
      std::fill_n(entries<T>(made), count, convert<T>(value));
    });
  }
  note_touched(count);
  return made;
}

}  // namespace

Array zeros(const Shape& shape, Dtype dtype) { return filled(shape, dtype, 0); }
Array ones(const Shape& shape, Dtype dtype) { return filled(shape, dtype, 1); }
Array zeros_like(const Array& x) { return filled(x.shape(), x.dtype(), 0); }
Array ones_like(const Array& x) { return filled(x.shape(), x.dtype(), 1); }
Array full_like(const Array& x, double value) { return filled(x.shape(), x.dtype(), value); }

Array eye(Index n, std::optional<Index> m, Index k, Dtype dtype) {
  Array made = filled({n, m.value_or(n)}, dtype, 0);
  k = std::clamp<Index>(k, -n, made.shape()[1]);
  for (Index r = std::max<Index>(0, -k); r < n && r + k < made.shape()[1]; ++r) {
    write_double(made.data() + (r * made.shape()[1] + r + k) * size_of(dtype), dtype, 1);
  }
  return made;
}

Array tri(Index n, std::optional<Index> m, Index k, Dtype dtype) {
  return tril(filled({n, m.value_or(n)}, dtype, 1), k);
}

Array arange(Index stop) { return arange(0, static_cast<double>(stop), 1, Dtype::kInt64); }

Array arange(double start, double stop, double step, Dtype dtype) {
  if (step == 0) throw ArrayError("ZeroDivisionError", "division by zero");
  const double length = std::ceil((stop - start) / step);
  if (std::isnan(length)) throw ValueError("arange: cannot compute length");
  const double limit = std::numeric_limits<std::int32_t>::max();
  Array made = Array::allocate({static_cast<Index>(std::clamp(length, 0.0, limit))}, dtype);
  // NumPy's fill: the difference of the first two entries is the step of all entries.
  const double second = start + step;
  with_type(dtype, [&](auto tag) {
    using T = decltype(tag);
    T* const to = entries<T>(made);
    const double first = static_cast<double>(convert<T>(start));
    const double delta = static_cast<double>(convert<T>(second)) - first;
    for (Index i = 0; i < made.size(); ++i) {
      if constexpr (std::is_same_v<T, float>) {
        to[i] = static_cast<float>(first) + static_cast<float>(i) * static_cast<float>(delta);
      } else {
        to[i] = convert<T>(first + static_cast<double>(i) * delta);
      }
    }
  });
  note_touched(made.size());
  return made;
}

Array linspace(double start, double stop, Index count, bool endpoint) {
  if (count < 0) {
    throw ValueError("Number of samples, " + std::to_string(count) + ", must be non-negative.");
  }
  Array made = Array::allocate({count}, Dtype::kFloat64);
  const Index gaps = endpoint ? count - 1 : count;
  double* const to = entries<double>(made);
  const double delta = stop - start;
  const double step = gaps > 0 ? delta / static_cast<double>(gaps) : delta;
  for (Index i = 0; i < count; ++i) {
    // As in NumPy, a step that vanishes is not used.
    to[i] = (gaps > 0 && step == 0 ? static_cast<double>(i) / static_cast<double>(gaps) * delta
                                   : static_cast<double>(i) * step) +
            start;
  }
  if (endpoint && count > 1) to[count - 1] = stop;
  note_touched(count);
  return made;
}

Array array(std::initializer_list<double> values) {
  return array(std::vector<double>(values), {static_cast<Index>(values.size())});
}

Array array(std::initializer_list<std::initializer_list<double>> rows) {
  std::vector<double> values;
  const std::size_t length = rows.size() == 0 ? 0 : rows.begin()->size();
  for (const auto& row : rows) {
    if (row.size() != length) throw ValueError("the rows of an array must be of one length");
    values.insert(values.end(), row);
  }
  return array(values, {static_cast<Index>(rows.size()), static_cast<Index>(length)});
}

Array array(const std::vector<double>& values, const Shape& shape, Dtype dtype) {
  Array made = Array::allocate(shape, dtype);
  if (static_cast<Index>(values.size()) != made.size()) {
    throw ValueError("cannot reshape array of size " + std::to_string(values.size()) +
                     " into shape " + shape.text());
  }
  with_type(dtype, [&](auto tag) {
    using T = decltype(tag);
    std::transform(values.begin(), values.end(), entries<T>(made),
                   [](double value) { return convert<T>(value); });
  });
  note_touched(made.size());
  return made;
}

}  // namespace attn::array
