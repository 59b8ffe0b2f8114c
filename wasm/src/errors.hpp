#pragma once
// The one place where a C++ exception becomes a JavaScript Error.

#include <exception>

#include "attn/base/errors.hpp"
#include "value.hpp"

namespace attn::wasm {

/// {id, params by name, text in English}
val wording_to(const Wording& wording);

/// Throws a JS Error with the message in English and, for errors of the core, `code`, `argument`,
/// `seen` and `wanted` as properties, the last two as `wording_to` gives them. An error that is
/// about no argument has `said` in place of those three.
[[noreturn]] void throw_js_error(const std::exception& error);

}  // namespace attn::wasm
