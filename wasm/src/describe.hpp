#pragma once
// The declarations as JSON, from which wasm/tools/client.mjs writes the typed client. Compiled
// into a program of its own (describe.cpp) in place of the calls: nothing of this ships.

#include <map>
#include <sstream>
#include <string>

#include "handles.hpp"

namespace attn::wasm {

/// What was declared so far.
struct Declarations {
  std::map<std::string, std::string> structs, choices;
  std::string calls;
};
inline Declarations& declarations() {
  static Declarations all;
  return all;
}

inline std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// "attn::Qkv<float>" is Qkv.
inline std::string plain_name(std::string_view name) {
  name = name.substr(0, name.find('<'));
  const std::size_t colon = name.rfind(':');
  return std::string(colon == std::string_view::npos ? name : name.substr(colon + 1));
}

/// {"kind": kind}, with `rest` behind it.
inline std::string kind(const char* kind, const std::string& rest = "") {
  return std::string("{\"kind\":") + quoted(kind) + rest + "}";
}
inline std::string kind_of(const char* kind_, const std::string& of) {
  return kind(kind_, ",\"of\":" + of);
}

template <typename T>
std::string describe_type();

template <typename T>
struct TypeOf {};
template <typename T>
struct TypeOf<New<T>> {
  static std::string text() { return kind("handle"); }
};
template <typename T>
struct TypeOf<Kept<T>> : TypeOf<New<T>> {};
template <typename T>
struct TypeOf<Gone<T>> : TypeOf<New<T>> {};
template <typename T>
struct TypeOf<std::vector<T>> {
  static std::string text() { return kind_of("list", describe_type<T>()); }
};
template <typename T>
struct TypeOf<std::span<const T>> : TypeOf<std::vector<T>> {};
template <typename T, std::size_t Size>
struct TypeOf<std::array<T, Size>> {
  static std::string text() {
    return kind("tuple", ",\"size\":" + std::to_string(Size) + ",\"of\":" + describe_type<T>());
  }
};
template <typename T, std::size_t Size>
struct TypeOf<T[Size]> : TypeOf<std::array<T, Size>> {};
template <typename T>
struct TypeOf<std::optional<T>> {
  static std::string text() { return kind_of("optional", describe_type<T>()); }
};

template <Declared T>
void describe_struct();
template <Chosen T>
void describe_choice();

template <typename T>
std::string describe_type() {
  if constexpr (kByHand<T> != nullptr) {
    return kind("byHand", ",\"name\":" + quoted(kByHand<T>));
  } else if constexpr (std::is_same_v<T, bool>) {
    return kind("boolean");
  } else if constexpr (Number<T>) {
    return kind("number", std::is_floating_point_v<T> ? "" : ",\"whole\":true");
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) {
    return kind("string");
  } else if constexpr (std::is_same_v<T, Matrix<float>> || std::is_same_v<T, Matrix<double>> ||
                       std::is_same_v<T, SharedMatrix<float>>) {
    return kind("matrix");
  } else if constexpr (std::is_same_v<T, Vector<float>>) {
    return kind("vector");
  } else if constexpr (std::is_same_v<T, Stack<float>>) {
    return kind("stack");
  } else if constexpr (std::is_same_v<T, Codes>) {
    return kind("codes");
  } else if constexpr (std::is_same_v<T, std::vector<double>> ||
                       std::is_same_v<T, std::vector<Index>>) {
    return kind("numbers");
  } else if constexpr (std::is_same_v<T, std::vector<std::int32_t>>) {
    return kind("integers");
  } else if constexpr (std::is_same_v<T, std::vector<std::uint8_t>>) {
    return kind("flags");
  } else if constexpr (std::is_same_v<T, Parameters>) {
    return kind("parameters");
  } else if constexpr (std::is_same_v<T, Mask>) {
    return kind("mask");
  } else if constexpr (std::is_same_v<T, Nothing>) {
    return kind("nothing");
  } else if constexpr (Declared<T>) {
    describe_struct<T>();
    return kind("struct", ",\"name\":" + quoted(plain_name(Fields<T>::kName)));
  } else if constexpr (Chosen<T>) {
    describe_choice<T>();
    return kind("choice", ",\"name\":" + quoted(plain_name(Choices<T>::kName)));
  } else {
    return TypeOf<T>::text();
  }
}

/// `,"otherwise": value` for a default that can be said in a word.
template <typename T>
std::string describe_default(const T& x) {
  std::ostringstream text;
  if constexpr (std::is_same_v<T, bool>) {
    text << (x ? "true" : "false");
  } else if constexpr (Number<T>) {
    text << +x;
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!x.empty()) text << quoted(x);
  } else if constexpr (Chosen<T>) {
    text << quoted(Choices<T>::kNames[static_cast<std::size_t>(x)]);
  } else if constexpr (std::is_same_v<T, std::vector<double>> ||
                       std::is_same_v<T, std::vector<Index>>) {
    for (const auto& one : x) text << (&one == x.data() ? "[" : ",") << one;
    if (!x.empty()) text << "]";
  }
  return text.str().empty() ? "" : ",\"otherwise\":" + text.str();
}

inline std::string describe_names(const char* name, const char* js) {
  return "{\"name\":" + quoted(js) + ",\"core\":" + quoted(name);
}

template <typename Struct, typename T, Mark mark>
std::string describe_member(const Member<T, mark>& member) {
  if constexpr (mark == Mark::kFlat) return "{\"flat\":" + describe_type<T>() + "}";
  std::string more;
  if constexpr (mark == Mark::kMaybe && std::is_default_constructible_v<Struct>) {
    const Struct made{};
    const void* at = reinterpret_cast<const char*>(&made) + member.offset;
    more = ",\"maybe\":true" + describe_default(*static_cast<const T*>(at));
  }
  if constexpr (mark == Mark::kIfAny) more = ",\"ifAny\":true";
  const std::string type = describe_type<T>();
  return describe_names(member.name, member.js) + ",\"type\":" + type + more + "}";
}
template <typename Struct, auto function>
std::string describe_member(const Computed<function>& member) {
  using Result = std::remove_cvref_t<decltype((std::declval<const Struct&>().*function)())>;
  return describe_names(member.name, member.js) + ",\"type\":" + describe_type<Result>() + "}";
}

template <typename Texts>
std::string joined(const Texts& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ",") + text;
  return "[" + all + "]";
}

template <Declared T>
void describe_struct() {
  const std::string name = plain_name(Fields<T>::kName);
  std::map<std::string, std::string>& known = declarations().structs;
  if (known.contains(name)) return;
  known[name] = "";
  known[name] = std::apply(
      [](const auto&... member) {
        return joined(std::vector<std::string>{describe_member<T>(member)...});
      },
      Fields<T>::list());
}

template <Chosen T>
void describe_choice() {
  std::vector<std::string> names;
  for (const char* name : Choices<T>::kNames) names.push_back(quoted(name));
  declarations().choices[plain_name(Choices<T>::kName)] = joined(names);
}

template <typename T>
std::string describe_argument(const Plain& plain) {
  return describe_names(plain.name, plain.js) + ",\"type\":" + describe_type<T>() + "}";
}
template <typename T>
std::string describe_argument(const Flat&) {
  return "{\"flat\":" + describe_type<T>() + "}";
}
template <typename T, typename Value>
std::string describe_argument(const Otherwise<Value>& otherwise) {
  return describe_names(otherwise.name, otherwise.js) + ",\"type\":" + describe_type<T>() +
         ",\"maybe\":true" + describe_default(static_cast<T>(otherwise.value())) + "}";
}

template <typename Result, typename... Given, typename Arguments>
std::string describe_arguments(Result (*)(Given...), const Arguments& arguments) {
  return std::apply(
      [](const auto&... argument) {
        return joined(std::vector<std::string>{describe_argument<Held<Given>>(argument)...});
      },
      arguments);
}

inline void describe_call(const char* name, const char* module, const std::string& arguments,
                          const std::string& result, int first) {
  std::string& calls = declarations().calls;
  calls += (calls.empty() ? "" : ",\n");
  calls += describe_names(name, js_name(name).c_str()) + ",\"module\":" + quoted(module) +
           ",\"arguments\":" + arguments + ",\"result\":" + result +
           (first > 0 ? ",\"first\":" + std::to_string(first) : "") + "}";
}

template <auto function, const auto& arguments>
struct Call {
  Call(const char* name, const char* module, int) {
    using Result = std::remove_cvref_t<decltype(result_of(function))>;
    describe_call(name, module, describe_arguments(function, arguments), describe_type<Result>(),
                  0);
  }
};

template <auto function, const auto& arguments>
struct Steps {
  Steps(const char* name, const char* module, int first) {
    using Made = decltype(result_of(function));
    using Result = std::remove_cvref_t<decltype(std::declval<const Made&>().result())>;
    describe_call(name, module, describe_arguments(function, arguments), describe_type<Result>(),
                  first);
  }
};

}  // namespace attn::wasm
