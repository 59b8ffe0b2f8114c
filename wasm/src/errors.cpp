#include "errors.hpp"

#include <stdexcept>
#include <string>

#include "convert.hpp"
#include "phrases.hpp"

namespace attn::wasm {
namespace {

struct ToValue {
  val operator()(double number) const { return val(number); }
  val operator()(const std::string& text) const { return val::text(text); }
  val operator()(const std::vector<std::string>& names) const {
    val list = val::array();
    for (const std::string& name : names) list.push(val::text(name));
    return list;
  }
  val operator()(const Wording& wording) const { return wording_to(wording); }
};

val error_of(const std::string& message) {
  const val text = val::text(message);
  // By reference: made anew, it would be taken for a C++ class.
  return emscripten::val::global("Error").new_(static_cast<const emscripten::val&>(text));
}

}  // namespace

val wording_to(const Wording& wording) {
  val parameters = val::object();
  std::size_t place = 0;
  for (const std::string_view name : wording.names()) {
    const val value = std::visit(ToValue{}, wording.parameters()[place++].held());
    // Embind knows its own val, and not the class that derives from it.
    parameters.emscripten::val::set(static_cast<const emscripten::val&>(val::text(name)),
                                    static_cast<const emscripten::val&>(value));
  }
  val result = val::object();
  result.set("id", val::text(wording.id()));
  result.set("params", parameters);
  result.set("text", val::text(wording.text()));
  return result;
}

void throw_js_error(const std::exception& error) {
  val object = error_of(error.what());
  if (const auto* known = dynamic_cast<const Error*>(&error)) {
    object.set("code", val::text(known->code()));
    object.set("argument", val::text(js_name(known->argument())));
    object.set("seen", wording_to(known->seen()));
    object.set("wanted", wording_to(known->wanted()));
  } else if (dynamic_cast<const std::bad_alloc*>(&error) ||
             dynamic_cast<const std::length_error*>(&error)) {
    const Wording said = phrase::not_enough_memory;
    object = error_of(said.text());
    object.set("code", val::text("capacity"));
    object.set("said", wording_to(said));
  }
  object.throw_();
  __builtin_unreachable();
}

}  // namespace attn::wasm
