#pragma once
// JavaScript's values as the bindings see them: Embind's, with fewer crossings of the boundary for
// what every call does. values.js is the other side.

#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace attn::wasm {

/// The name of a property: a literal, which JavaScript decodes once and then knows by its address.
class Name {
 public:
  template <std::size_t Size>
  consteval Name(const char (&literal)[Size]) : text_(literal) {}
  /// Of a text that stays where it is as long as the program runs.
  static Name at(const char* text) { return Name(text, 0); }
  const char* text() const { return text_; }

 private:
  Name(const char* text, int) : text_(text) {}

  const char* text_;
};

extern "C" {
emscripten::EM_VAL attn_name_to(const char* name);
emscripten::EM_VAL attn_text_to(const char* text, std::size_t bytes);
emscripten::EM_VAL attn_get(emscripten::EM_VAL object, const char* name);
bool attn_is_object(emscripten::EM_VAL value);
emscripten::EM_VAL attn_type_to(emscripten::EM_VAL value);
std::int32_t attn_get_number(emscripten::EM_VAL object, const char* name, double* to);
double attn_number(emscripten::EM_VAL value);
bool attn_is_name(emscripten::EM_VAL value, const char* name);
bool attn_is_matrix(emscripten::EM_VAL value, std::int32_t* shape);
void attn_copy_in(emscripten::EM_VAL matrix, float* to);
void attn_set(emscripten::EM_VAL object, const char* name, emscripten::EM_VAL value);
void attn_set_number(emscripten::EM_VAL object, const char* name, double value);
void attn_push(emscripten::EM_VAL list, emscripten::EM_VAL value);
emscripten::EM_VAL attn_matrix_to(const float* data, std::int32_t rows, std::int32_t cols);
}

class val : public emscripten::val {
 public:
  val(emscripten::val other) : emscripten::val(std::move(other)) {}
  explicit val(Name name) : val(take_ownership(attn_name_to(name.text()))) {}
  /// A number, or true or false.
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  explicit val(T value) : val(emscripten::val(value)) {}

  static val text(std::string_view text) {
    return take_ownership(attn_text_to(text.data(), text.size()));
  }
  static val object() { return emscripten::val::object(); }
  static val array() { return emscripten::val::array(); }
  static val null() { return emscripten::val::null(); }

  val operator[](Name name) const { return take_ownership(attn_get(as_handle(), name.text())); }
  val operator[](unsigned place) const { return emscripten::val::operator[](place); }
  /// The property whose name only JavaScript knows.
  val at(const emscripten::val& name) const { return emscripten::val::operator[](name); }

  /// An object with fields: neither null nor a list nor of another type.
  bool is_object() const { return attn_is_object(as_handle()); }
  /// What a message calls it: number, object, Array, Map.
  val type() const { return take_ownership(attn_type_to(as_handle())); }
  /// The number that it is; only for one that `isNumber`.
  double number() const { return attn_number(as_handle()); }
  bool is(Name name) const { return attn_is_name(as_handle(), name.text()); }

  void set(Name name, const val& value) { attn_set(as_handle(), name.text(), value.as_handle()); }
  void set(Name name, bool flag) { set(name, val(flag)); }
  void set(Name name, double number) { attn_set_number(as_handle(), name.text(), number); }
  void push(const val& value) { attn_push(as_handle(), value.as_handle()); }
};

}  // namespace attn::wasm
