#pragma once
// How a struct of the core crosses the boundary. A declaration lists its members once:
//
//   ATTN_STRUCT(OrderCount, standard, linear, computed(ratio), crossover)
//
// From the list come the conversions both ways, here, and the TypeScript interface, by way of
// describe.hpp. A member's name in JavaScript is its name in C++ by one rule: d_k becomes dK.
//
// A member may be marked:
//   maybe(x)             JavaScript may leave it out, and it keeps the default that the struct has
//   flat(x)              the members of this struct lie in the same object
//   base(Struct)         so do those of a base class
//   computed(f)          the result of a member function, on the way out
//   computed_as(f, x)    the same under another name
//   if_any(x)            left out of a result when it is empty
//   row(x)               a vector that crosses as a matrix of one row, not of one column
// std::optional needs no mark. ATTN_OPTIONS marks every plain member as maybe.

#include <cstddef>
#include <tuple>
#include <utility>

namespace attn::wasm {

// --- Names ---------------------------------------------------------------------------------------

template <std::size_t Size>
struct FixedName {
  char text[Size]{};
  constexpr FixedName() = default;
  constexpr FixedName(const char (&literal)[Size]) {
    for (std::size_t i = 0; i < Size; ++i) text[i] = literal[i];
  }
};

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Writes the core's name of something as JavaScript calls it, and a 0: Q becomes q, Wq wq, d_k dK,
/// feature_map featureMap; D stays, since d is another. Each part of state.z by itself.
template <typename Out>
constexpr void write_js_name(const char* name, std::size_t size, Out out) {
  bool first = true;
  for (std::size_t i = 0; i < size; ++i) {
    const bool lone_D = name[i] == 'D' && first && (i + 1 == size || name[i + 1] == '.');
    if (name[i] == '_' && i + 1 < size) {
      out(upper(name[++i]));
    } else {
      out(first && !lone_D ? lower(name[i]) : name[i]);
    }
    first = name[i] == '.';
  }
}

template <FixedName Core>
constexpr auto js_name_of() {
  FixedName<sizeof(Core.text)> result;
  std::size_t at = 0;
  write_js_name(Core.text, sizeof(Core.text) - 1, [&](char c) { result.text[at++] = c; });
  return result;
}

/// The JavaScript name of a literal, at one address in the whole program.
template <FixedName Core>
inline constexpr auto kJsName = js_name_of<Core>();

// --- Lists of members ----------------------------------------------------------------------------

enum class Mark { kPlain, kMaybe, kFlat, kIfAny, kRow };

template <typename Type, Mark mark>
struct Member {
  const char* name;
  const char* js;
  std::size_t offset;
  constexpr Member(const char* name_, const char* js_, std::size_t offset_)
      : name(name_), js(js_), offset(offset_) {}
};

template <auto function>
struct Computed {
  const char* name;
  const char* js;
  constexpr Computed(const char* name_, const char* js_) : name(name_), js(js_) {}
};

/// What a declaration says of a struct; specialised by ATTN_STRUCT.
template <typename Struct>
struct Fields;

template <typename T>
concept Declared = requires {
  Fields<T>::kName;
};

/// Whether errors name a struct's members without the struct's own name before them, as those of
/// the core do: wk and not weights.wk.
template <typename Struct>
inline constexpr bool kNamedAlone = false;

/// What a declaration says of an enum; specialised by ATTN_ENUM.
template <typename Enum>
struct Choices;

template <typename T>
concept Chosen = requires {
  Choices<T>::kName;
};

// What stands in brackets, without them.
#define ATTN_LIST(...) __VA_ARGS__
// A macro for each element of a list, up to 256.
#define ATTN_PARENS ()
#define ATTN_EXPAND(...) ATTN_EXPAND3(ATTN_EXPAND3(ATTN_EXPAND3(ATTN_EXPAND3(__VA_ARGS__))))
#define ATTN_EXPAND3(...) ATTN_EXPAND2(ATTN_EXPAND2(ATTN_EXPAND2(ATTN_EXPAND2(__VA_ARGS__))))
#define ATTN_EXPAND2(...) ATTN_EXPAND1(ATTN_EXPAND1(ATTN_EXPAND1(ATTN_EXPAND1(__VA_ARGS__))))
#define ATTN_EXPAND1(...) __VA_ARGS__
#define ATTN_EACH(what, ...) __VA_OPT__(ATTN_EXPAND(ATTN_EACH_STEP(what, __VA_ARGS__)))
#define ATTN_EACH_STEP(what, first, ...) \
  what(first) __VA_OPT__(, ATTN_EACH_AGAIN ATTN_PARENS(what, __VA_ARGS__))
#define ATTN_EACH_AGAIN() ATTN_EACH_STEP

// `maybe(x)` pasted to ATTN_MARK_ is a macro whose text begins with a comma, so that what follows
// the comma is the second argument; `x` pasted is a word, and the second argument is the plain
// form.
#define ATTN_PICK(...) ATTN_PICK_SECOND(__VA_ARGS__, )
#define ATTN_PICK_SECOND(first, second, ...) second

#define ATTN_MEMBER(x, mark)                                          \
  (::attn::wasm::Member<decltype(Self::x), ::attn::wasm::Mark::mark>( \
      #x, ::attn::wasm::kJsName<#x>.text, offsetof(Self, x)))
#define ATTN_MARK_maybe(x) , ATTN_MEMBER(x, kMaybe)
#define ATTN_MARK_flat(x) , ATTN_MEMBER(x, kFlat)
#define ATTN_MARK_if_any(x) , ATTN_MEMBER(x, kIfAny)
#define ATTN_MARK_row(x) , ATTN_MEMBER(x, kRow)
#define ATTN_MARK_needed(x) , ATTN_MEMBER(x, kPlain)
#define ATTN_MARK_base(Struct) \
  , (::attn::wasm::Member<Struct, ::attn::wasm::Mark::kFlat>("", "", 0))
#define ATTN_MARK_computed(f) ATTN_MARK_computed_as(f, f)
#define ATTN_MARK_computed_as(f, x) \
  , (::attn::wasm::Computed<&Self::f>(#f, ::attn::wasm::kJsName<#x>.text))
#define ATTN_FIELD(x) ATTN_PICK(ATTN_MARK_##x, ATTN_MEMBER(x, kPlain))
#define ATTN_OPTION(x) ATTN_PICK(ATTN_MARK_##x, ATTN_MEMBER(x, kMaybe))

// Offsets in structs that hold matrices are what every compiler makes of them; the standard
// promises them only for simpler ones.
#define ATTN_FIELDS(name, Struct, what, ...)                                                    \
  template <>                                                                                   \
  struct Fields<Struct> {                                                                       \
    using Self = Struct;                                                                        \
    static constexpr const char* kName = #name;                                                 \
    _Pragma("GCC diagnostic push")                                                              \
        _Pragma("GCC diagnostic ignored \"-Winvalid-offsetof\"") static constexpr auto list() { \
      return std::tuple{ATTN_EACH(what, __VA_ARGS__)};                                          \
    }                                                                                           \
    _Pragma("GCC diagnostic pop")                                                               \
  };

/// A struct and those of its members that cross. Plain members are needed on the way in.
#define ATTN_STRUCT(Struct, ...) ATTN_FIELDS(Struct, Struct, ATTN_FIELD, __VA_ARGS__)
/// The same, under another name in JavaScript.
#define ATTN_STRUCT_AS(name, Struct, ...) ATTN_FIELDS(name, Struct, ATTN_FIELD, __VA_ARGS__)
/// Plain members may be left out on the way in and keep their defaults; needed(x) may not.
#define ATTN_OPTIONS(Struct, ...) ATTN_FIELDS(Struct, Struct, ATTN_OPTION, __VA_ARGS__)

/// An enum whose values are 0, 1, 2 … in this order; kAddToKeySum crosses as "addToKeySum".
#define ATTN_ENUM(Enum, ...)                                                            \
  template <>                                                                           \
  struct Choices<Enum> {                                                                \
    using Self = Enum;                                                                  \
    static constexpr const char* kName = #Enum;                                         \
    static constexpr Enum kValues[] = {ATTN_EACH(ATTN_CHOICE, __VA_ARGS__)};            \
    static constexpr const char* kNames[] = {ATTN_EACH(ATTN_CHOICE_NAME, __VA_ARGS__)}; \
  };
#define ATTN_CHOICE(x) Self::x
#define ATTN_CHOICE_NAME(x) (::attn::wasm::kJsName<::attn::wasm::without_k(#x)>.text)

/// "kAny" without its first letter.
template <std::size_t Size>
constexpr FixedName<Size - 1> without_k(const char (&literal)[Size]) {
  FixedName<Size - 1> result;
  for (std::size_t i = 1; i < Size; ++i) result.text[i - 1] = literal[i];
  return result;
}

}  // namespace attn::wasm
