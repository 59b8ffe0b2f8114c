#pragma once
// Calls a student's function with the cases of a specification and reports the outcome in plain
// words. The cases are in JSON files that tests/tools/exercise-cases.mjs writes. The types that the
// function takes and returns are derived from its signature.

#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "exercise.hpp"

namespace exercise {

/// A function of `given`, and its name in the specification.
struct Given {
  std::string name;
  FeatureMap map;
};

struct Value;
using List = std::vector<Value>;
using Dict = std::map<std::string, Value>;

/// One argument or result. A list is a tuple or a list of numbers; monostate stands for NumPy's
/// None.
struct Value {
  std::variant<std::monostate, bool, double, std::string, Array, Given, List, Dict> held;
};

/// The function's signature differs from what the exercise passes or expects.
class SignatureError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// A student's function with its types erased.
using Function = std::function<Value(const List&)>;

/// Describes a value: "an array of shape (2, 3)", "a number"…
std::string describe(const Value& value);

namespace detail {

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <typename T>
inline constexpr bool kIsVector = false;
template <typename T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <typename T>
inline constexpr bool kIsNumbers = false;
template <typename T>
inline constexpr bool kIsNumbers<std::vector<T>> = std::is_arithmetic_v<T>;
template <typename T>
inline constexpr bool kIsTuple = false;
template <typename... T>
inline constexpr bool kIsTuple<std::tuple<T...>> = true;
template <typename A, typename B>
inline constexpr bool kIsTuple<std::pair<A, B>> = true;
template <typename T>
inline constexpr bool kIsMap = false;
template <typename T>
inline constexpr bool kIsMap<std::map<std::string, T>> = true;
template <typename T>
inline constexpr bool kUnknown = false;

[[noreturn]] void refuse(std::size_t parameter, const Value& value, const char* wanted);

template <typename T>
const T& held(const Value& value, std::size_t parameter, const char* wanted) {
  const T* found = std::get_if<T>(&value.held);
  if (found == nullptr) refuse(parameter, value, wanted);
  return *found;
}

double number(const Value& value, std::size_t parameter);
/// The numbers of a list, or of an array with one axis.
std::vector<double> numbers(const Value& value, std::size_t parameter);
/// An array; a list of numbers is converted into one.
Array array(const Value& value, std::size_t parameter);

template <typename T>
T read(const Value& value, std::size_t parameter) {
  if constexpr (kIsOptional<T>) {
    if (std::holds_alternative<std::monostate>(value.held)) return std::nullopt;
    return read<typename T::value_type>(value, parameter);
  } else if constexpr (std::is_same_v<T, bool>) {
    return held<bool>(value, parameter, "a bool");
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(number(value, parameter));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return held<std::string>(value, parameter, "a text");
  } else if constexpr (std::is_same_v<T, Array>) {
    return array(value, parameter);
  } else if constexpr (std::is_same_v<T, FeatureMap>) {
    return held<Given>(value, parameter, "a function").map;
  } else if constexpr (std::is_same_v<T, std::vector<Array>>) {
    std::vector<Array> all;
    for (const Value& one : held<List>(value, parameter, "a list of arrays")) {
      all.push_back(array(one, parameter));
    }
    return all;
  } else if constexpr (kIsNumbers<T>) {
    const std::vector<double> all = numbers(value, parameter);
    T typed;
    for (const double x : all) typed.push_back(static_cast<typename T::value_type>(x));
    return typed;
  } else {
    static_assert(kUnknown<T>,
                  "an exercise's parameters are const Array&, double, std::int64_t, bool, "
                  "const std::string&, const std::vector<double>&, const FeatureMap& or "
                  "const std::optional<…>& of these");
  }
}

template <typename T>
Value written(T&& result) {
  using Plain = std::decay_t<T>;
  if constexpr (std::is_same_v<Plain, Value>) {
    return std::forward<T>(result);
  } else if constexpr (std::is_same_v<Plain, bool>) {
    return Value{result};
  } else if constexpr (std::is_arithmetic_v<Plain>) {
    return Value{static_cast<double>(result)};
  } else if constexpr (std::is_same_v<Plain, std::string> || std::is_same_v<Plain, Array>) {
    return Value{std::forward<T>(result)};
  } else if constexpr (kIsOptional<Plain>) {
    return result ? written(*result) : Value{};
  } else if constexpr (kIsVector<Plain>) {
    List all;
    for (const auto& one : result) all.push_back(written(one));
    return Value{std::move(all)};
  } else if constexpr (kIsMap<Plain>) {
    Dict all;
    for (const auto& [key, one] : result) all.emplace(key, written(one));
    return Value{std::move(all)};
  } else if constexpr (kIsTuple<Plain>) {
    return std::apply([](const auto&... one) { return Value{List{written(one)...}}; }, result);
  } else {
    static_assert(kUnknown<T>,
                  "an exercise's result is an Array, double, std::int64_t, bool, "
                  "std::vector<double>, std::map<std::string, double> or a std::tuple of these");
  }
}

void require_count(std::size_t taken, std::size_t given);

}  // namespace detail

template <typename Result, typename... Parameters>
Function wrap(Result (*function)(Parameters...)) {
  return [function](const List& given) {
    detail::require_count(sizeof...(Parameters), given.size());
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return detail::written(function(detail::read<std::decay_t<Parameters>>(given[I], I)...));
    }
    (std::index_sequence_for<Parameters...>{});
  };
}

struct Checked {
  std::string name;
  bool passed = false;
};

struct Grade {
  bool passed = false;
  /// The checks of the cases, then that of the cost where there is a bound.
  std::vector<Checked> checks;
  /// The mistake that was recognised; empty when there is none.
  std::string variant;
  /// The whole grade as `Grade` of web/src/exercises/types.ts.
  std::string json;
};

/// Runs every case of cases/<id>.json and prints each outcome as it is known. @throws
/// std::runtime_error where the file cannot be read.
Grade grade(const std::string& id, const Function& function, std::ostream& out);

/// Runs `grade` inside a doctest case, with one doctest check for each of its checks.
void check(const std::string& id, const Function& function);

template <typename Result, typename... Parameters>
void check(const std::string& id, Result (*function)(Parameters...)) {
  check(id, wrap(function));
}

}  // namespace exercise
