#pragma once
// What the array operations share: types by dtype, loops over strided operands, and axes.

#include <array>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "attn/array/array.hpp"

namespace attn::array {

/// Counts entries. The function is out of line, so that the counter is looked up once for each
/// operation.
void note_touched(Index entries);
void note_multiply_adds(double products);

/// Calls a function with the C++ type of a dtype: `with_type(dtype, [&](auto tag) { using T =
/// decltype(tag); … })`.
template <typename F>
decltype(auto) with_type(Dtype dtype, F&& f) {
  switch (dtype) {
    case Dtype::kBool:
      return f(bool{});
    case Dtype::kInt64:
      return f(std::int64_t{});
    case Dtype::kFloat32:
      return f(float{});
    case Dtype::kFloat64:
      break;
  }
  return f(double{});
}

inline bool is_float(Dtype dtype) { return dtype >= Dtype::kFloat32; }

template <typename T>
T* entries(const Array& x) {
  return reinterpret_cast<T*>(x.data());
}

/// Returns `x` itself where it is contiguous and has that type, and otherwise a contiguous copy.
Array contiguous_as(const Array& x, Dtype dtype);
/// Returns `x` itself where it has the type, and otherwise a cast copy. Counts nothing.
Array as(const Array& x, Dtype dtype);
/// Casts the entries of `from`, broadcast, into `to`. Counts nothing.
void copy_into(const Array& to, const Array& from);
/// Throws a ValueError when x cannot be written to. `message` is NumPy's message for that
/// operation.
inline void check_writeable(const Array& x,
                            const char* message = "assignment destination is read-only") {
  if (!x.writeable()) throw ValueError(message);
}
/// Whether writing to one array may change what is read from the other.
bool overlap(const Array& x, const Array& y);

/// Converts a length that was computed as a double, because an Index has 32 bits in wasm. Throws
/// MemoryError where it does not fit.
Index checked_length(double length);

/// Row-major strides.
Shape packed_strides(const Shape& shape, Index item);
/// Checks that the memory can hold the number of entries, and returns that number.
Index checked_size(const Shape& shape, Dtype dtype);

/// Returns an axis counted from 0, or throws AxisError.
int normal_axis(Index axis, int rank, const char* prefix = "");
/// The chosen axes as flags.
std::array<bool, kMaxRank> chosen(const Axes& axes, int rank);
std::string with_commas(const Shape& shape);

/// Walks N operands of one shape together. Axes that can be joined are joined, and the innermost
/// loop is left to the caller: `body(pointers, strides, count)`.
template <int N>
class Walk {
 public:
  Walk(const Shape& shape, const std::array<const Array*, N>& operands) {
    count_ = shape.size();
    for (int k = 0; k < N; ++k) at_[k] = operands[k]->data();
    for (int axis = 0; axis < shape.rank(); ++axis) {
      if (shape[axis] == 1) continue;
      bool joins = rank_ > 0;
      for (int k = 0; joins && k < N; ++k) {
        joins = strides_[rank_ - 1][k] == operands[k]->strides()[axis] * shape[axis];
      }
      if (!joins) lengths_[rank_++] = 1;
      lengths_[rank_ - 1] *= shape[axis];
      for (int k = 0; k < N; ++k) strides_[rank_ - 1][k] = operands[k]->strides()[axis];
    }
    if (rank_ == 0) {
      lengths_[rank_++] = 1;
      for (int k = 0; k < N; ++k) strides_[0][k] = 0;
    }
  }

  template <typename F>
  void run(F&& body) const {
    if (count_ == 0) return;
    Index position[kMaxRank + 1] = {};
    char* at[N];
    for (int k = 0; k < N; ++k) at[k] = at_[k];
    const int inner = rank_ - 1;
    for (;;) {
      body(at, strides_[inner], lengths_[inner]);
      int axis = inner - 1;
      for (; axis >= 0; --axis) {
        for (int k = 0; k < N; ++k) at[k] += strides_[axis][k];
        if (++position[axis] < lengths_[axis]) break;
        for (int k = 0; k < N; ++k) at[k] -= strides_[axis][k] * lengths_[axis];
        position[axis] = 0;
      }
      if (axis < 0) return;
    }
  }

 private:
  int rank_ = 0;
  Index count_ = 0;
  char* at_[N];
  Index lengths_[kMaxRank + 1] = {};
  Index strides_[kMaxRank + 1][N];
};

/// Calls `f(entry of x, entry of y)` for two views of one shape, where speed does not matter.
template <typename F>
void each_entry(const Array& x, F&& f) {
  Walk<1>(x.shape(), {&x}).run([&](char* const* at, const Index* strides, Index count) {
    char* p = at[0];
    for (Index i = 0; i < count; ++i, p += strides[0]) f(p);
  });
}

/// `x` at the beginning of one axis: the places at which the lines along that axis start.
inline Array starts_of_lines(const Array& x, int axis) {
  Shape shape = x.shape(), strides = x.strides();
  shape.erase(axis);
  strides.erase(axis);
  return x.with(shape, strides);
}

/// Reads an entry of any dtype as a double.
double read_double(const char* at, Dtype dtype);
void write_double(char* at, Dtype dtype, double value);

/// NumPy's conversion of a double: a number without an integer value becomes the smallest integer.
inline std::int64_t to_integer(double value) {
  return value >= -9223372036854775808.0 && value < 9223372036854775808.0
             ? static_cast<std::int64_t>(value)
             : INT64_MIN;
}

template <typename To, typename From>
inline To convert(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From{};
  } else if constexpr (std::is_same_v<To, std::int64_t> && std::is_floating_point_v<From>) {
    return to_integer(static_cast<double>(value));
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace attn::array
