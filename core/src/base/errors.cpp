#include "attn/base/errors.hpp"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

using internal::next_slot;
using internal::Slot;

std::string joined(const std::vector<std::string>& names, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text.append(i + 1 == names.size() ? last : ", ");
    text.append(names[i]);
  }
  return text;
}

/// `choice` is the text in the slot after the name: "", ":one|many" or "|or".
std::string text_of(const Value& value, std::string_view choice) {
  if (choice.starts_with(':')) {
    const std::size_t bar = choice.find('|');
    const double* number = std::get_if<double>(&value.held());
    return std::string(number && *number == 1 ? choice.substr(1, bar - 1) : choice.substr(bar + 1));
  }
  struct Text {
    std::string operator()(double x) const { return number_text(x); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<std::string>& names) const {
      return joined(names, choice.empty() ? ", " : " " + std::string(choice.substr(1)) + " ");
    }
    std::string operator()(const Wording& wording) const { return wording.text(); }
    std::string_view choice;
  };
  return std::visit(Text{choice}, value.held());
}

std::string sentence(std::string_view argument, const Wording& seen, const Wording& wanted) {
  std::string text(argument);
  text.append(" is ").append(seen.text()).append("; wanted: ").append(wanted.text());
  return text;
}

}  // namespace

// As %.0f and %g of printf, which alone would be a twentieth of the module that pages open with.
// The sixth digit may be another one where the number lies halfway between two of them.
std::string number_text(double x) {
  if (std::isnan(x)) return "nan";
  std::string text = std::signbit(x) ? "-" : "";
  double size = std::abs(x);
  if (std::isinf(x)) return text + "inf";
  if (size == std::floor(size) && size < 9007199254740992.0) {
    return text + std::to_string(static_cast<unsigned long long>(size));
  }
  // Six digits and the power of ten of the first. A number just below a power may be rounded up to
  // it.
  int power = static_cast<int>(std::floor(std::log10(size)));
  const auto six_digits = [&] {
    // 10^-323 is the smallest power there is, so a very small number is scaled in two steps.
    const double scaled = power < -300 ? size * 1e300 * std::pow(10.0, 5 - power - 300)
                                       : size * std::pow(10.0, 5 - power);
    return static_cast<long>(std::nearbyint(scaled));
  };
  long digits = six_digits();
  if (digits > 999999) {
    ++power;
    digits = six_digits();
  }
  std::string all = std::to_string(digits);
  if (power >= -4 && power < 6) {
    if (power < 0) all.insert(0, static_cast<std::size_t>(-power), '0');
    const std::size_t point = power < 0 ? 1 : static_cast<std::size_t>(power) + 1;
    const std::size_t end = all.find_last_not_of('0') + 1;
    if (end <= point) return text + all.substr(0, point);
    return text + all.substr(0, point) + "." + all.substr(point, end - point);
  }
  const std::size_t end = all.find_last_not_of('0') + 1;
  text += all.front();
  if (end > 1) text += "." + all.substr(1, end - 1);
  const std::string exponent = std::to_string(std::abs(power));
  return text + (power < 0 ? "e-" : "e+") + (exponent.size() < 2 ? "0" : "") + exponent;
}

Value::Value(double number) : held_(number) {}
Value::Value(std::string_view text) : held_(std::string(text)) {}
Value::Value(std::vector<std::string> names) : held_(std::move(names)) {}
Value::Value(Wording wording) : held_(std::move(wording)) {}

Wording::Wording(const PhraseText& phrase, std::vector<Value> parameters)
    : phrase_(phrase), parameters_(std::move(parameters)) {}

std::vector<std::string_view> Wording::names() const {
  const std::string_view english = phrase_.english;
  std::vector<std::string_view> names;
  for (Slot slot = next_slot(english, 0); !slot.name.empty(); slot = next_slot(english, slot.end)) {
    if (std::find(names.begin(), names.end(), slot.name) == names.end()) names.push_back(slot.name);
  }
  return names;
}

std::string Wording::text() const {
  const std::string_view english = phrase_.english;
  const std::vector<std::string_view> known = names();
  std::string text;
  std::size_t at = 0;
  for (Slot slot = next_slot(english, 0); !slot.name.empty(); slot = next_slot(english, slot.end)) {
    text.append(english.substr(at, slot.begin - at));
    const auto place = std::find(known.begin(), known.end(), slot.name) - known.begin();
    const std::size_t after = slot.begin + 1 + slot.name.size();
    text.append(text_of(parameters_[static_cast<std::size_t>(place)],
                        english.substr(after, slot.end - 1 - after)));
    at = slot.end;
  }
  return text.append(english.substr(at));
}

Error::Error(const char* code, std::string_view argument, Wording seen, Wording wanted)
    : std::runtime_error(sentence(argument, seen, wanted)),
      code_(code),
      argument_(argument),
      seen_(std::move(seen)),
      wanted_(std::move(wanted)) {}

ShapeError::ShapeError(std::string_view argument, Wording seen, Wording wanted)
    : Error("shape", argument, std::move(seen), std::move(wanted)) {}

ValueError::ValueError(std::string_view argument, Wording seen, Wording wanted)
    : Error("value", argument, std::move(seen), std::move(wanted)) {}

CapacityError::CapacityError(std::string_view argument, Wording seen, Wording wanted)
    : Error("capacity", argument, std::move(seen), std::move(wanted)) {}

}  // namespace attn
