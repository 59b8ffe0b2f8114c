#pragma once
// The declarations as JSON, from which wasm/tools/arrays.mjs writes the methods of `Arrays`.
// Compiled into a program of its own (describe.cpp) in place of the calls: nothing of this ships.

#include <cstdio>
#include <vector>

#include "../json.hpp"

namespace attn::wasm {

struct Said {
  const char* name;
  const char* otherwise;
};
inline std::vector<std::string> described;

struct Description {
  template <typename Result, typename... Given>
  Description(const char* js, const char* core, Result (*)(Given...),
              const std::vector<Said>& arguments) {
    const std::vector<const char*> kinds{CrossingOf<Given>::kKind...};
    std::vector<std::string> list;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const auto& [argument, otherwise] = arguments.at(i);
      list.push_back("{\"name\":" + quoted(argument) + ",\"kind\":" + quoted(kinds[i]) +
                     ",\"otherwise\":" + quoted(otherwise) + "}");
    }
    described.push_back(describe_names(core, js) + ",\"result\":" +
                        quoted(CrossingOf<Result>::kKind) + ",\"arguments\":" + joined(list) + "}");
  }
};

/// The names of an enum's values up to `last`, as a list.
template <typename Enum>
std::string names_to(int last) {
  std::vector<std::string> list;
  for (int k = 0; k <= last; ++k) list.push_back(quoted(name_of(static_cast<Enum>(k))));
  return joined(list);
}
template <typename Enum>
std::string all_names() {
  return names_to<Enum>(static_cast<int>(Enum::kCount) - 1);
}

#define ATTN_SAID(x) ATTN_PICK(ATTN_SAID_##x, ATTN_SAID_otherwise_(x, ""))
#define ATTN_SAID_otherwise(x, otherwise) , ATTN_SAID_otherwise_(x, #otherwise)
#define ATTN_SAID_otherwise_(x, otherwise) \
  (::attn::wasm::Said{::attn::wasm::kJsName<#x>.text, otherwise})
// A null pointer of the function's type: the program needs no function that it only describes.
#define ATTN_ARRAY_CALL_AS(name, arguments, ...)                                           \
  constexpr auto kFunction_##name = +(__VA_ARGS__);                                        \
  const Description describe_##name(::attn::wasm::kJsName<#name>.text, #name,              \
                                    std::remove_cv_t<decltype(kFunction_##name)>{nullptr}, \
                                    {ATTN_EACH(ATTN_SAID, ATTN_LIST arguments)});
#define ATTN_EXPORT(name) [[maybe_unused]]

}  // namespace attn::wasm
