#pragma once
// What entries of the core's registries have in common: parameters and a paper.

#include <emscripten/val.h>

#include <string>
#include <string_view>
#include <vector>

namespace attn::wasm {

inline emscripten::val text_to(std::string_view text) { return emscripten::val(std::string(text)); }

template <typename Parameter>
emscripten::val parameters_to(const std::vector<Parameter>& parameters) {
  emscripten::val list = emscripten::val::array();
  for (const Parameter& parameter : parameters) {
    emscripten::val one = emscripten::val::object();
    one.set("name", text_to(parameter.name));
    one.set("label", text_to(parameter.label));
    one.set("description", text_to(parameter.description));
    one.set("defaultValue", parameter.default_value);
    one.set("min", parameter.min);
    one.set("max", parameter.max);
    one.set("integer", parameter.integer);
    list.call<void>("push", one);
  }
  return list;
}

template <typename Paper>
emscripten::val paper_to(const Paper& paper) {
  emscripten::val result = emscripten::val::object();
  result.set("title", text_to(paper.title));
  result.set("url", text_to(paper.url));
  result.set("where", text_to(paper.where));
  return result;
}

}  // namespace attn::wasm
