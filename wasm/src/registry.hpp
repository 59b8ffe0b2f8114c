#pragma once
// What entries of the core's registries have in common: parameters and a paper.

#include <string>
#include <string_view>
#include <vector>

#include "value.hpp"

namespace attn::wasm {

inline val text_to(std::string_view text) { return val::text(text); }

template <typename Parameter>
val parameters_to(const std::vector<Parameter>& parameters) {
  val list = val::array();
  for (const Parameter& parameter : parameters) {
    val one = val::object();
    one.set("name", text_to(parameter.name));
    one.set("label", text_to(parameter.label));
    one.set("description", text_to(parameter.description));
    one.set("defaultValue", parameter.default_value);
    one.set("min", parameter.min);
    one.set("max", parameter.max);
    one.set("integer", parameter.integer);
    list.push(one);
  }
  return list;
}

template <typename Paper>
val paper_to(const Paper& paper) {
  val result = val::object();
  result.set("title", text_to(paper.title));
  result.set("url", text_to(paper.url));
  result.set("where", text_to(paper.where));
  return result;
}

}  // namespace attn::wasm
