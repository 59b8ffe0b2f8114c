#pragma once
// Pieces of JSON, for the programs that print the declarations: nothing of it ships.

#include <string>
#include <string_view>

namespace attn::wasm {

inline std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// [a,b], or with a line each.
template <typename Texts>
std::string joined(const Texts& texts, const char* comma = ",") {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : comma) + text;
  return "[" + all + "]";
}

/// The beginning of an object that has a name.
inline std::string describe_names(std::string_view name, std::string_view js) {
  return "{\"name\":" + quoted(js) + ",\"core\":" + quoted(name);
}

}  // namespace attn::wasm
