#pragma once
// The message of an error as data: the id of a phrase and its parameters. The English text is made
// from the phrase's template; another language has its own template under the same id.
//
// A chapter declares its phrases in `attn/<chapter>/phrases.inc`, one `ATTN_PHRASE(id, "template")`
// each. A template names its parameters in braces:
//   {x}               the parameter: a number, text, a list of names (with ", " between), a phrase
//   {names|or}        a list with " or " before its last name
//   {n:token|tokens}  a word that depends on a number: the first for 1, else the second
// Braces around anything else are plain text.

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace attn {

class Value;

/// The id of a phrase and its template. Both are literals, so that a phrase is a constant.
struct PhraseText {
  const char* id;
  const char* english;
};

/// A phrase with its parameters.
class Wording {
 public:
  /// Parameters in the order in which the template first names them.
  Wording(const PhraseText& phrase, std::vector<Value> parameters);

  /// "at_least"
  std::string_view id() const { return phrase_.id; }
  const std::vector<Value>& parameters() const { return parameters_; }
  /// The names of the parameters, in their order.
  std::vector<std::string_view> names() const;
  /// "at least 1". O(length).
  std::string text() const;

 private:
  PhraseText phrase_;
  std::vector<Value> parameters_;
};

/// One parameter of a phrase.
class Value {
 public:
  template <typename T>
  requires std::is_arithmetic_v<T> Value(T number) : Value(static_cast<double>(number)) {}
  Value(double number);
  Value(std::string_view text);
  Value(const char* text) : Value(std::string_view(text)) {}
  Value(const std::string& text) : Value(std::string_view(text)) {}
  Value(std::vector<std::string> names);
  Value(Wording wording);

  using Held = std::variant<double, std::string, std::vector<std::string>, Wording>;
  const Held& held() const { return held_; }

 private:
  Held held_;
};

/// "64", "0.5", "1e+30", "nan": whole numbers up to 2⁵³ in full, others with six digits.
std::string number_text(double x);

namespace internal {

/// A slot of a template: [begin, end) with its braces, and the name in it.
struct Slot {
  std::size_t begin = 0, end = 0;
  std::string_view name;
};

/// The first slot from `from` on; an empty name when there is none.
constexpr Slot next_slot(std::string_view text, std::size_t from) {
  for (std::size_t open = text.find('{', from); open != std::string_view::npos;
       open = text.find('{', open + 1)) {
    std::size_t at = open + 1;
    while (at < text.size() &&
           ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= 'A' && text[at] <= 'Z') ||
            (text[at] >= '0' && text[at] <= '9') || text[at] == '_')) {
      ++at;
    }
    if (at == open + 1 || at == text.size()) continue;
    if (text[at] != '}' && text[at] != ':' && text[at] != '|') continue;
    const std::size_t close = text.find('}', at);
    if (close == std::string_view::npos) continue;
    return {open, close + 1, text.substr(open + 1, at - open - 1)};
  }
  return {};
}

/// How many parameters a template has.
consteval std::size_t parameter_count(std::string_view text) {
  std::size_t count = 0;
  for (Slot slot = next_slot(text, 0); !slot.name.empty(); slot = next_slot(text, slot.end)) {
    bool known = false;
    for (Slot before = next_slot(text, 0); before.begin != slot.begin;
         before = next_slot(text, before.end)) {
      known = known || before.name == slot.name;
    }
    if (!known) ++count;
  }
  return count;
}

}  // namespace internal

/// A declared phrase. Called with its parameters it gives a `Wording`; a phrase without parameters
/// is a `Wording` already. A wrong number of parameters does not compile.
template <std::size_t Count>
struct Phrase : PhraseText {
  template <typename... Parameters>
  requires(sizeof...(Parameters) == Count) Wording operator()(
      const Parameters&... parameters) const {
    std::vector<Value> values;
    values.reserve(Count);
    (values.emplace_back(parameters), ...);
    return {*this, std::move(values)};
  }

  operator Wording() const requires(Count == 0) { return {*this, {}}; }
};

}  // namespace attn

/// The macro with which `phrases.inc` is included to declare its phrases in `attn::phrase`.
#define ATTN_DECLARE_PHRASE(id, english) \
  inline constexpr Phrase<internal::parameter_count(english)> id{{#id, english}};
