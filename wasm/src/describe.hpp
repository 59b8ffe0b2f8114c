#pragma once
// The declarations as JSON, from which wasm/tools/client.mjs writes the typed client. Compiled
// into a program of its own (describe.cpp) in place of the calls: nothing of this ships.

#include <map>
#include <sstream>
#include <string>

#include "handles.hpp"
#include "json.hpp"

namespace attn::wasm {

/// What was declared so far.
struct Declarations {
  std::map<std::string, std::string> structs, choices;
  std::vector<std::string> calls, constants;
};
inline Declarations& declarations() {
  static Declarations all;
  return all;
}

/// "attn::Qkv<float>" is Qkv.
inline std::string plain_name(std::string_view name) {
  name = name.substr(0, name.find('<'));
  const std::size_t colon = name.rfind(':');
  return std::string(colon == std::string_view::npos ? name : name.substr(colon + 1));
}

inline std::string named(std::string_view name) { return ",\"name\":" + quoted(name); }

template <Declared T>
void describe_struct();
template <Chosen T>
void describe_choice();

/// {"kind": …}, and what else there is to say of the type.
template <typename T>
std::string describe_type() {
  std::string kind, more;
  if constexpr (Number<T>) {
    kind = "number";
    if constexpr (!std::is_floating_point_v<T>) more = ",\"whole\":true";
  } else if constexpr (Declared<T>) {
    describe_struct<T>();
    kind = "struct";
    more = named(plain_name(Fields<T>::kName));
  } else if constexpr (Chosen<T>) {
    describe_choice<T>();
    kind = "choice";
    more = named(plain_name(Choices<T>::kName));
  } else {
    using How = Convert<T>;
    kind = How::kKind;
    if constexpr (requires { How::kName; }) more = named(How::kName);
    if constexpr (requires { How::kDoes; }) more += ",\"does\":" + quoted(How::kDoes);
    if constexpr (requires { How::kSize; }) more = ",\"size\":" + std::to_string(How::kSize);
    if constexpr (requires { typename How::Of; }) {
      more += ",\"of\":" + describe_type<typename How::Of>();
    }
  }
  return "{\"kind\":" + quoted(kind) + more + "}";
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

/// The first argument has the type of the call's function. It is null, so that the program needs no
/// function of the core that it only describes.
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
  declarations().calls.push_back(describe_names(name, js_name(name)) +
                                 ",\"module\":" + quoted(module) + ",\"arguments\":" + arguments +
                                 ",\"result\":" + result +
                                 (first > 0 ? ",\"first\":" + std::to_string(first) : "") + "}");
}

template <auto function, const auto& arguments>
struct Call {
  Call(const char* name, const char* module, int) {
    using Result = std::remove_cvref_t<decltype(result_of(function))>;
    describe_call(name, module, describe_arguments(decltype(function){}, arguments),
                  describe_type<Result>(), 0);
  }
};

template <auto function, const auto& arguments>
struct Steps {
  Steps(const char* name, const char* module, int first) {
    using Made = decltype(result_of(function));
    using Result = std::remove_cvref_t<decltype(std::declval<const Made&>().result())>;
    describe_call(name, module, describe_arguments(decltype(function){}, arguments),
                  describe_type<Result>(), first);
  }
};

struct Constant {
  Constant(const char* name, std::uint64_t number) { add(name, std::to_string(number)); }
  Constant(const char* name, const std::vector<std::string_view>& names) {
    std::vector<std::string> texts;
    for (const std::string_view one : names) texts.push_back(quoted(one));
    add(name, joined(texts));
  }

 private:
  static void add(const char* name, const std::string& value) {
    declarations().constants.push_back(describe_names(name, js_name(name)) + ",\"value\":" + value +
                                       "}");
  }
};

}  // namespace attn::wasm
