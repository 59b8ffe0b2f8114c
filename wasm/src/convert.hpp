#pragma once
// Between JavaScript's values and the core's: matrices, lists, choices and masks by hand, structs
// by the lists of their members (fields.hpp). Whatever JavaScript passes, a field that is missing,
// null or of the wrong type is refused by its name.
//
// A matrix crosses as {rows, cols, data: Float32Array}; data is copied once on the way in and once
// on the way out.

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "attn/attention/mask.hpp"
#include "attn/base/errors.hpp"
#include "attn/base/tensor.hpp"
#include "fields.hpp"
#include "phrases.hpp"
#include "value.hpp"

namespace attn::wasm {

// --- Arguments -----------------------------------------------------------------------------------

/// The name of what is read, for errors: `forward.output` inside of `forward`.
struct Argument {
  const char* name;
  const Argument* parent = nullptr;

  std::string text() const;
};

/// The core's name of an argument as JavaScript calls it.
std::string js_name(std::string_view name);

/// Undefined or null: left out.
bool is_undefined(const val& value);
/// `typeof value`, or "null".
std::string type_text(const val& value);
/// Text in quotes, of all else the type.
Wording text_or_type(const val& value);
/// @throws ValueError that says what type was seen, and what is wanted.
[[noreturn]] void refuse(const val& value, const Argument& argument, const Phrase<0>& wanted);
/// @throws ValueError unless `value` is an object.
void require_object(const val& value, const Argument& argument);

// --- Conversions by hand -------------------------------------------------------------------------

/// How a type crosses: `to_js`, `from_js` or both. `kKind` says what it is in JavaScript to whoever
/// writes the client, with `Of` for what it holds, `kSize` for how many, and `kName`.
template <typename T>
struct Convert;

template <typename T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

/// @throws ValueError unless `number` is one that T holds: below 2³¹ for a count with a sign, from
/// 0 to 2⁵³ − 1 for one without, and whole for both.
std::int64_t whole_number(double number, const Argument& argument);
std::uint64_t count(double number, const Argument& argument);

template <Number T>
T number_as(double number, const Argument& argument) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(number);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(whole_number(number, argument));
  } else {
    return static_cast<T>(count(number, argument));
  }
}

template <Number T>
struct Convert<T> {
  static val to_js(T number) { return val(static_cast<double>(number)); }
  static void from_js(const val& value, const Argument& argument, T& to) {
    if (!value.isNumber()) refuse(value, argument, phrase::a_number);
    to = number_as<T>(value.number(), argument);
  }
};

#define ATTN_CONVERT_OUT(kind, Type, Seen)      \
  template <>                                   \
  struct Convert<Type> {                        \
    static constexpr const char* kKind = #kind; \
    static val to_js(Seen x);                   \
  };
#define ATTN_CONVERT_IN(kind, Type)                                            \
  template <>                                                                  \
  struct Convert<Type> {                                                       \
    static constexpr const char* kKind = #kind;                                \
    static void from_js(const val& value, const Argument& argument, Type& to); \
  };
#define ATTN_CONVERT(kind, Type, Seen)                                         \
  template <>                                                                  \
  struct Convert<Type> {                                                       \
    static constexpr const char* kKind = #kind;                                \
    static val to_js(Seen x);                                                  \
    static void from_js(const val& value, const Argument& argument, Type& to); \
  };

using Codes = Eigen::Matrix<std::int8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

ATTN_CONVERT(boolean, bool, bool)
ATTN_CONVERT(string, std::string, std::string_view)
ATTN_CONVERT_OUT(string, std::string_view, std::string_view)
ATTN_CONVERT(matrix, Matrix<float>, const Matrix<float>&)
ATTN_CONVERT_IN(matrix, SharedMatrix<float>)
ATTN_CONVERT_OUT(matrix, Matrix<double>, const Matrix<double>&)
/// {rows, cols, data: Int8Array}
ATTN_CONVERT_OUT(codes, Codes, const Codes&)
/// A matrix of one row or one column; a column on the way out.
ATTN_CONVERT(vector, Vector<float>, const Vector<float>&)
/// {batch, heads, rows, cols, data}
ATTN_CONVERT(stack, Stack<float>, const Stack<float>&)
/// A Float64Array; an array or any typed array on the way in.
ATTN_CONVERT(numbers, std::vector<double>, const std::vector<double>&)
ATTN_CONVERT(numbers, std::vector<Index>, const std::vector<Index>&)
/// An Int32Array; an array or any typed array on the way in.
ATTN_CONVERT(integers, std::vector<std::int32_t>, const std::vector<std::int32_t>&)
/// What a file holds: a Uint8Array.
struct Bytes {
  std::vector<std::uint8_t> data;
};
ATTN_CONVERT(bytes, Bytes, const Bytes&)
/// A list of true and false.
ATTN_CONVERT_IN(flags, std::vector<std::uint8_t>)
/// Numbers by name.
using Parameters = std::vector<std::pair<std::string, double>>;
ATTN_CONVERT_IN(parameters, Parameters)
/// A `MaskChoice`.
ATTN_CONVERT_IN(mask, Mask)

val matrix_to(const float* data, Index rows, Index cols);

/// What an argument is before it is read.
template <typename T>
T initial() {
  if constexpr (std::is_same_v<T, Mask>) {
    return Mask::full();
  } else {
    return T{};
  }
}

/// What a call gives that has no result.
struct Nothing {};
template <>
struct Convert<Nothing> {
  static constexpr const char* kKind = "nothing";
  static val to_js(Nothing) { return emscripten::val::undefined(); }
};

// --- Choices and lists ---------------------------------------------------------------------------

/// Which of `names` the value is.
/// @throws ValueError
std::size_t choice_of(const val& value, const Argument& argument,
                      std::span<const char* const> names);

template <Chosen T>
struct Convert<T> {
  static val to_js(T x) { return val(Name::at(Choices<T>::kNames[static_cast<std::size_t>(x)])); }
  static void from_js(const val& value, const Argument& argument, T& to) {
    to = static_cast<T>(choice_of(value, argument, Choices<T>::kNames));
  }
};

/// @throws ValueError unless the value is an array; its length.
unsigned list_length(const val& value, const Argument& argument);

template <typename List>
val list_to(const List& list) {
  val result = val::array();
  for (const auto& x : list) result.push(Convert<std::remove_cvref_t<decltype(x)>>::to_js(x));
  return result;
}

template <typename T>
struct Convert<std::vector<T>> {
  static constexpr const char* kKind = "list";
  using Of = T;
  static val to_js(const std::vector<T>& x) { return list_to(x); }
  static void from_js(const val& value, const Argument& argument, std::vector<T>& to) {
    const unsigned length = list_length(value, argument);
    to.clear();
    for (unsigned i = 0; i < length; ++i) {
      T one = initial<T>();
      Convert<T>::from_js(value[i], argument, one);
      to.push_back(std::move(one));
    }
  }
};
template <typename T>
struct Convert<std::span<const T>> {
  static constexpr const char* kKind = "list";
  using Of = T;
  static val to_js(std::span<const T> x) { return list_to(x); }
};
template <typename T, std::size_t Size>
struct Convert<T[Size]> {
  static constexpr const char* kKind = "tuple";
  static constexpr std::size_t kSize = Size;
  using Of = T;
  static val to_js(const T (&x)[Size]) { return list_to(x); }
};
template <typename T, std::size_t Size>
struct Convert<std::array<T, Size>> : Convert<T[Size]> {
  static val to_js(const std::array<T, Size>& x) { return list_to(x); }
};

/// Null for none; as a member of a struct it is left out instead.
template <typename T>
struct Convert<std::optional<T>> {
  static constexpr const char* kKind = "optional";
  using Of = T;
  static val to_js(const std::optional<T>& x) { return x ? Convert<T>::to_js(*x) : val::null(); }
  static void from_js(const val& value, const Argument& argument, std::optional<T>& to) {
    Convert<T>::from_js(value, argument, to.emplace());
  }
};
template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

// --- Members on the way in -----------------------------------------------------------------------

/// Reads a number of an object; false when it is missing.
/// @throws ValueError when it is something else, and when it is missing and `needed`.
bool number_in(const val& object, const char* js, const Argument& argument, bool needed,
               double& to);

/// Reads `object[js]`. What may be left out keeps what it is.
template <typename T>
void read_property(const val& object, const char* js, const Argument& argument, bool needed,
                   T& to) {
  if constexpr (Number<T>) {
    double number;
    if (number_in(object, js, argument, needed, number)) to = number_as<T>(number, argument);
  } else {
    const val value = object[Name::at(js)];
    if ((needed && !kIsOptional<T>) || !is_undefined(value)) {
      Convert<T>::from_js(value, argument, to);
    }
  }
}

struct FieldIn {
  const char* name;
  const char* js;
  std::size_t offset;
  void (*read)(const val& object, const FieldIn& field, const Argument* parent, void* at);
};

void read_fields(const val& object, const Argument* parent, std::span<const FieldIn> fields,
                 void* to);

template <typename T, bool needed>
void read_field(const val& object, const FieldIn& field, const Argument* parent, void* at) {
  read_property(object, field.js, {field.name, parent}, needed, *static_cast<T*>(at));
}

template <Declared T>
std::span<const FieldIn> fields_in();

template <typename T>
void read_flat(const val& object, const FieldIn&, const Argument* parent, void* at) {
  read_fields(object, kNamedAlone<T> ? nullptr : parent, fields_in<T>(), at);
}

template <typename T, Mark mark>
constexpr FieldIn field_in(const Member<T, mark>& member) {
  if constexpr (mark == Mark::kFlat) {
    return {"", "", member.offset, &read_flat<T>};
  } else {
    return {member.name, member.js, member.offset, &read_field < T,
            mark == Mark::kPlain || mark == Mark::kRow > };
  }
}

template <Declared T>
inline constexpr auto kFieldsIn = std::apply(
    [](const auto&... member) { return std::array{field_in(member)...}; }, Fields<T>::list());

template <Declared T>
std::span<const FieldIn> fields_in() {
  return kFieldsIn<T>;
}

// --- Members on the way out ----------------------------------------------------------------------

struct FieldOut {
  const char* js;
  std::size_t offset;
  void (*write)(val& object, const char* js, const void* at);
};

void write_fields(val& object, std::span<const FieldOut> fields, const void* from);

template <typename T>
void write_property(val& object, const char* js, const T& x) {
  if constexpr (Number<T>) {
    object.set(Name::at(js), static_cast<double>(x));
  } else if constexpr (kIsOptional<T>) {
    if (x) write_property(object, js, *x);
  } else {
    object.set(Name::at(js), Convert<T>::to_js(x));
  }
}

template <typename T>
void write_field(val& object, const char* js, const void* at) {
  write_property(object, js, *static_cast<const T*>(at));
}

template <typename T>
void write_if_any(val& object, const char* js, const void* at) {
  const T& x = *static_cast<const T*>(at);
  bool any;
  if constexpr (requires { x.empty(); }) {
    any = !x.empty();
  } else {
    any = x.size() > 0;
  }
  if (any) write_property(object, js, x);
}

template <typename T>
void write_row(val& object, const char* js, const void* at) {
  const T& x = *static_cast<const T*>(at);
  object.set(Name::at(js), matrix_to(x.data(), 1, x.size()));
}

template <typename Struct, auto function>
void write_computed(val& object, const char* js, const void* from) {
  const auto& x = (static_cast<const Struct*>(from)->*function)();
  write_property(object, js, x);
}

template <Declared T>
std::span<const FieldOut> fields_out();

template <typename T>
void write_flat(val& object, const char*, const void* at) {
  write_fields(object, fields_out<T>(), at);
}

template <typename Struct, typename T, Mark mark>
constexpr FieldOut field_out(const Member<T, mark>& member) {
  if constexpr (mark == Mark::kFlat) {
    return {"", member.offset, &write_flat<T>};
  } else if constexpr (mark == Mark::kIfAny) {
    return {member.js, member.offset, &write_if_any<T>};
  } else if constexpr (mark == Mark::kRow) {
    return {member.js, member.offset, &write_row<T>};
  } else {
    return {member.js, member.offset, &write_field<T>};
  }
}
template <typename Struct, auto function>
constexpr FieldOut field_out(const Computed<function>& member) {
  return {member.js, 0, &write_computed<Struct, function>};
}

template <Declared T>
inline constexpr auto kFieldsOut = std::apply(
    [](const auto&... member) { return std::array{field_out<T>(member)...}; }, Fields<T>::list());

template <Declared T>
std::span<const FieldOut> fields_out() {
  return kFieldsOut<T>;
}

template <Declared T>
struct Convert<T> {
  static val to_js(const T& x) {
    val result = val::object();
    write_fields(result, fields_out<T>(), &x);
    return result;
  }
  static void from_js(const val& value, const Argument& argument, T& to) {
    require_object(value, argument);
    read_fields(value, kNamedAlone<T> ? nullptr : &argument, fields_in<T>(), &to);
  }
};

}  // namespace attn::wasm
