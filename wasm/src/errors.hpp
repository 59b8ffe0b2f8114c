#pragma once
// The one place where a C++ exception becomes a JavaScript Error.

#include <emscripten/bind.h>

#include <exception>
#include <new>

#include "attn/errors.hpp"
#include "value.hpp"

namespace attn::wasm {

/// Throws a JS Error with the message and, for errors of the core, `code`, `argument`, `seen` and
/// `wanted` as properties.
[[noreturn]] void throw_js_error(const std::exception& error);

/// As Embind knows it.
template <typename T>
using Wire = std::conditional_t<std::is_same_v<T, val>, emscripten::val, T>;

/// A bound function that cannot let a C++ exception out: uncaught, it would reach JavaScript as a
/// bare number.
template <auto Function, typename... Arguments>
auto guarded(Arguments... arguments) -> Wire<decltype(Function(arguments...))> {
  try {
    return Function(arguments...);
  } catch (const std::exception& error) {
    throw_js_error(error);
  }
}

template <auto Function, typename Result, typename... Arguments>
void bind_as(const char* name, Result (*)(Arguments...)) {
  emscripten::function(name, &guarded<Function, Wire<Arguments>...>);
}

/// One line of a binding table: `bind<&attention>("attention")`.
template <auto Function>
void bind(const char* name) {
  bind_as<Function>(name, Function);
}

}  // namespace attn::wasm
