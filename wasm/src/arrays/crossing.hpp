#pragma once
// How the arrays' calls are declared, and how their arguments and results cross as numbers.
//
//   ATTN_ARRAY_CALL(diff, (x, otherwise(n, 1), otherwise(axis, -1)))
//   ATTN_ARRAY_CALL_AS(copy, (x), [](const Array& x) { return x.copy(); })
//
// The first is the function of that name in attn::array; the second has another function. Both
// export the call, and a method of `Arrays` in TypeScript is written for it
// (wasm/tools/arrays.mjs), with what array.hpp says of the function, or a comment of /// before the
// declaration. Names of arguments come in the order of the function; its types are read off it.
// `otherwise(n, 1)` has the default in TypeScript's words. A call whose first argument is a
// `Random` becomes a method of the random generators. At most one argument of a call is a list,
// because lists share one buffer.
//
// ATTN_EXPORT is for calls that wasm/client/arrays/ makes by hand.

#include <climits>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <tuple>

#include "../fields.hpp"
#include "attn/array/array.hpp"
#include "attn/array/numpy_random.hpp"
#include "table.hpp"

namespace attn::wasm {

using namespace attn::array;

// --- State ---------------------------------------------------------------------------------------

struct Held {
  Array array;
  /// Nobody else saw these entries when it was made: NumPy's `flags.owndata`.
  bool owner;
};
inline Table<Held> arrays;
inline Table<std::shared_ptr<Random>> generators;
inline std::uint64_t made = 0;

// The buffer: integers from its beginning, doubles after kDoublesAt bytes.
inline std::vector<double> scratch_buffer(512);
constexpr int kDoublesAt = 512, kNone = INT_MIN;

inline int* ints() { return reinterpret_cast<int*>(scratch_buffer.data()); }
inline double* doubles() { return scratch_buffer.data() + kDoublesAt / 8; }

inline const Array& get(int handle) {
  const Held* const found = arrays.find(handle);
  if (!found) {
    throw ValueError("this array is gone: it was freed, or belongs to a run that is over");
  }
  return found->array;
}

inline int keep(Array array) {
  const bool owner = !array.shared();
  return arrays.add({std::move(array), owner}, ++made);
}
/// Their number; their handles are in the buffer.
inline int keep_all(std::initializer_list<Array> several) {
  int count = 0;
  for (const Array& array : several) ints()[count++] = keep(array);
  return count;
}
inline int address(const void* at) { return static_cast<int>(reinterpret_cast<std::intptr_t>(at)); }

// --- Errors --------------------------------------------------------------------------------------

inline std::string error_kind, error_text;
/// The id of an error that a page explains, then its parts, with \x1f between them.
inline std::string error_explained;
inline bool failure = false;

/// What `f` returns. Where it throws: -1, or NaN where that is a number of any kind.
template <typename F>
auto guarded(F&& f) -> decltype(f()) {
  using Result = decltype(f());
  try {
    failure = false;
    return f();
  } catch (const ArrayError& error) {
    error_kind = error.type();
    error_text = error.what();
    const auto& [id, parts] = error.explained();
    error_explained = id;
    for (const std::string& part : parts) error_explained.append("\x1f").append(part);
  } catch (const std::bad_alloc&) {
    error_explained.clear();
    error_kind = "MemoryError";
    error_text = "the browser has no memory left";
  } catch (const std::exception& error) {
    error_explained.clear();
    error_kind = "RuntimeError";
    error_text = error.what();
  }
  failure = true;
  return std::is_same_v<Result, double> ? static_cast<Result>(std::nan("")) : Result{-1};
}

// --- Types ---------------------------------------------------------------------------------------

/// How a type crosses: as which number, how that is read and written, and which kind the writer of
/// TypeScript is told.
template <typename T>
struct Crossing;

template <typename T, typename As = int>
struct CrossesAs {
  using Wire = As;
  static T read(As number) { return static_cast<T>(number); }
  static As write(T value) { return static_cast<As>(value); }
};
#define ATTN_CROSSES(Type, As, kind)            \
  template <>                                   \
  struct Crossing<Type> : CrossesAs<Type, As> { \
    static constexpr const char* kKind = kind;  \
  };
ATTN_CROSSES(int, int, "integer")
ATTN_CROSSES(Index, int, "integer")
ATTN_CROSSES(double, double, "number")
ATTN_CROSSES(std::int64_t, double, "number")
ATTN_CROSSES(std::uint64_t, double, "number")
ATTN_CROSSES(bool, int, "boolean")
ATTN_CROSSES(Dtype, int, "dtype")
ATTN_CROSSES(Unary, int, "unary")
ATTN_CROSSES(Binary, int, "binary")
ATTN_CROSSES(Reduction, int, "reduction")

template <>
struct Crossing<void> {
  static constexpr const char* kKind = "nothing";
};
template <>
struct Crossing<Array> {
  using Wire = int;
  static constexpr const char* kKind = "array";
  static const Array& read(int handle) { return get(handle); }
  static int write(Array array) { return keep(std::move(array)); }
};
template <>
struct Crossing<Random> {
  using Wire = int;
  static constexpr const char* kKind = "generator";
  static Random& read(int id) {
    auto* const found = generators.find(id);
    if (!found) {
      throw ValueError("this random generator is gone: it belongs to a run that is over");
    }
    return **found;
  }
};

// What may be left out: 0 is no array, kNone no integer, and NaN no number.
template <>
struct Crossing<std::optional<Array>> {
  using Wire = int;
  static constexpr const char* kKind = "maybeArray";
  static std::optional<Array> read(int handle) {
    return handle == 0 ? std::nullopt : std::optional<Array>(get(handle));
  }
};
template <>
struct Crossing<std::optional<int>> {
  using Wire = int;
  static constexpr const char* kKind = "maybeInteger";
  static std::optional<int> read(int number) {
    return number == kNone ? std::nullopt : std::optional<int>(number);
  }
};
template <>
struct Crossing<std::optional<Index>> : Crossing<std::optional<int>> {};
template <>
struct Crossing<std::optional<double>> {
  using Wire = double;
  static constexpr const char* kKind = "maybeNumber";
  static std::optional<double> read(double number) {
    return std::isnan(number) ? std::nullopt : std::optional<double>(number);
  }
};

// Lists: their length crosses, and their entries lie in the buffer.
template <>
struct Crossing<Shape> {
  using Wire = int;
  static constexpr const char* kKind = "integers";
  static Shape read(int rank) {
    Shape shape;
    for (int axis = 0; axis < rank; ++axis) shape.push_back(ints()[axis]);
    return shape;
  }
  static int write(const Shape& shape) {
    int* to = ints();
    for (const Index length : shape) *to++ = static_cast<int>(length);
    return shape.rank();
  }
};
template <>
struct Crossing<std::vector<Index>> {
  using Wire = int;
  static constexpr const char* kKind = "integers";
  static std::vector<Index> read(int count) { return {ints(), ints() + count}; }
};
template <>
struct Crossing<Axes> {
  using Wire = int;
  static constexpr const char* kKind = "axes";
  static Axes read(int count) { return count < 0 ? Axes() : Axes(Crossing<Shape>::read(count)); }
};
template <>
struct Crossing<std::vector<Array>> {
  using Wire = int;
  static constexpr const char* kKind = "arrays";
  static std::vector<Array> read(int count) {
    std::vector<Array> list;
    for (int k = 0; k < count; ++k) list.push_back(get(ints()[k]));
    return list;
  }
  static int write(const std::vector<Array>& list) {
    for (std::size_t k = 0; k < list.size(); ++k) ints()[k] = keep(list[k]);
    return static_cast<int>(list.size());
  }
};
template <>
struct Crossing<std::vector<IndexPart>> {
  using Wire = int;
  static constexpr const char* kKind = "parts";
  static std::vector<IndexPart> read(int count) {
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
};
template <>
struct Crossing<std::pair<Array, Array>> {
  using Wire = int;
  static constexpr const char* kKind = "pair";
  static int write(const std::pair<Array, Array>& pair) {
    return keep_all({pair.first, pair.second});
  }
};
template <>
struct Crossing<Svd> {
  using Wire = int;
  static constexpr const char* kKind = "triple";
  static int write(const Svd& svd) { return keep_all({svd.u, svd.s, svd.vh}); }
};
template <>
struct Crossing<std::string> {
  using Wire = int;
  static constexpr const char* kKind = "text";
  static int write(std::string text) {
    static std::string shown;
    shown = std::move(text);
    return address(shown.c_str());
  }
};

// --- Calls ---------------------------------------------------------------------------------------

template <typename T>
using CrossingOf = Crossing<std::remove_cvref_t<T>>;

template <typename Result, typename... Given>
std::tuple<typename CrossingOf<Given>::Wire...> wires_of(Result (*)(Given...));
template <auto function, std::size_t place>
using Wire = std::tuple_element_t<place, decltype(wires_of(function))>;

/// The function as one of numbers.
template <typename Result, typename... Given>
auto crossed(Result (*function)(Given...)) {
  return [function](typename CrossingOf<Given>::Wire... given) {
    return guarded([&] {
      if constexpr (std::is_void_v<Result>) {
        function(CrossingOf<Given>::read(given)...);
        return 0;
      } else {
        return CrossingOf<Result>::write(function(CrossingOf<Given>::read(given)...));
      }
    });
  };
}

#define ATTN_ARGUMENT(x) ATTN_PICK(ATTN_ARGUMENT_##x, x)
#define ATTN_ARGUMENT_otherwise(x, otherwise) , x
#define ATTN_WIRE(x) ::attn::wasm::Wire<kFunction, ATTN_ARGUMENT(x)> ATTN_ARGUMENT(x)

#define ATTN_ARRAY_CALL(name, arguments) ATTN_ARRAY_CALL_AS(name, arguments, array::name)

#ifndef ATTN_DESCRIBE

#define ATTN_EXPORT(name) __attribute__((export_name(#name), used))
// The places of the arguments by their names, by which each finds its type.
#define ATTN_ARRAY_CALL_AS(name, arguments, ...)                                \
  namespace call_##name {                                                       \
    constexpr auto kFunction = +(__VA_ARGS__);                                  \
    enum Place { ATTN_EACH(ATTN_ARGUMENT, ATTN_LIST arguments) };               \
    ATTN_EXPORT(name) auto call(ATTN_EACH(ATTN_WIRE, ATTN_LIST arguments)) {    \
      return crossed(kFunction)(ATTN_EACH(ATTN_ARGUMENT, ATTN_LIST arguments)); \
    }                                                                           \
  }

#endif

}  // namespace attn::wasm

#ifdef ATTN_DESCRIBE
#include "describe.hpp"
#endif
