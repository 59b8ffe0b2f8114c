#include "harness.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "attn/base/errors.hpp"
#include "attn/cost/fit.hpp"

namespace exercise {
namespace {

using attn::array::Comparison;
using attn::array::Counts;
using attn::array::Dtype;
using attn::array::Shape;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxPrint = 10'000;
constexpr const char* kNotWritten = "NotImplementedError";

// ---- The cases files ----------------------------------------------------------------------------

/// Reads infinities, which are text in the files because JSON has none.
double finite_or_not(const Json& x) {
  if (x.is_string()) return std::strtod(x.get<std::string>().c_str(), nullptr);
  return x.get<double>();
}

Dtype dtype_of(const std::string& name) {
  for (const Dtype dtype : {Dtype::kBool, Dtype::kInt64, Dtype::kFloat32, Dtype::kFloat64}) {
    if (name == name_of(dtype)) return dtype;
  }
  throw std::runtime_error("unknown dtype " + name);
}

Given given_function(const std::string& name) {
  const std::map<std::string, FeatureMap> known = {{"identity", given::identity},
                                                   {"elu_plus_one", given::elu_plus_one},
                                                   {"relu", given::relu},
                                                   {"squared_relu", given::squared_relu},
                                                   {"exp", given::exp}};
  const auto found = known.find(name);
  if (found == known.end()) throw std::runtime_error("no given function " + name);
  return {name, found->second};
}

Value from_json(const Json& x) {
  if (x.is_null()) return {};
  if (x.is_boolean()) return {x.get<bool>()};
  if (x.is_number()) return {x.get<double>()};
  if (x.is_string()) return {x.get<std::string>()};
  if (x.is_array()) {
    List all;
    for (const Json& one : x) all.push_back(from_json(one));
    return {std::move(all)};
  }
  const std::string kind = x.at("kind").get<std::string>();
  if (kind == "number") return {finite_or_not(x.at("value"))};
  if (kind == "given") return {given_function(x.at("name").get<std::string>())};
  if (kind == "dict") {
    Dict all;
    for (const auto& [key, one] : x.at("entries").items()) all.emplace(key, from_json(one));
    return {std::move(all)};
  }
  std::vector<double> data;
  for (const Json& one : x.at("data")) data.push_back(finite_or_not(one));
  return {attn::array::array(data, Shape(x.at("shape").get<std::vector<attn::array::Index>>()),
                             dtype_of(x.at("dtype").get<std::string>()))};
}

Json number_json(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity";
}

Json to_json(const Value& value);

Json to_json(const Array& x) {
  Json data = Json::array();
  for (const double one : x.values()) data.push_back(number_json(one));
  const std::vector<attn::array::Index> shape(x.shape().begin(), x.shape().end());
  return {{"kind", "array"}, {"dtype", name_of(x.dtype())}, {"shape", shape}, {"data", data}};
}

Json to_json(const List& all) {
  Json list = Json::array();
  for (const Value& one : all) list.push_back(to_json(one));
  return list;
}

Json to_json(const Dict& all) {
  Json entries = Json::object();
  for (const auto& [key, one] : all) entries[key] = to_json(one);
  return {{"kind", "dict"}, {"entries", entries}};
}

Json to_json(const Given& given) { return {{"kind", "given"}, {"name", given.name}}; }
Json to_json(std::monostate) { return nullptr; }
Json to_json(bool x) { return x; }
Json to_json(const std::string& x) { return x; }
Json to_json(double x) {
  if (std::isfinite(x)) return x;
  return {{"kind", "number"}, {"value", number_json(x)}};
}

Json to_json(const Value& value) {
  return std::visit([](const auto& one) { return to_json(one); }, value.held);
}

// ---- Descriptions -------------------------------------------------------------------------------

std::string digits(double x, int count) {
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "∞" : "−∞";
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", count, x);
  return text;
}

std::string short_number(double x) { return digits(x, 6); }

/// A shape as text, such as "4×8" or "4".
std::string sizes(const Shape& shape) {
  std::string text;
  for (const attn::array::Index length : shape) {
    text += (text.empty() ? "" : "×") + std::to_string(length);
  }
  return text;
}

/// An index as text, such as "[1, 0]".
std::string index_text(const Shape& index) {
  std::string text;
  for (const attn::array::Index i : index) text += (text.empty() ? "" : ", ") + std::to_string(i);
  return "[" + text + "]";
}

/// An argument in a few characters.
std::string brief(const Value& value) {
  if (const Array* x = std::get_if<Array>(&value.held)) {
    if (x->rank() == 0) return "= " + short_number(x->item());
    return sizes(x->shape()) + (x->rank() == 1 ? " numbers" : "");
  }
  if (const double* x = std::get_if<double>(&value.held)) return "= " + short_number(*x);
  if (const bool* x = std::get_if<bool>(&value.held)) return *x ? "= true" : "= false";
  if (const std::string* x = std::get_if<std::string>(&value.held)) return "= \"" + *x + "\"";
  if (const Given* x = std::get_if<Given>(&value.held)) return "= " + x->name;
  if (const List* x = std::get_if<List>(&value.held)) {
    std::string text = "= {";
    for (std::size_t i = 0; i < x->size(); ++i) {
      if (i > 0) text += ", ";
      const std::string one = brief((*x)[i]);
      text += one.starts_with("= ") ? one.substr(2) : one;
    }
    return text + "}";
  }
  return "left out";
}

/// The value for reading, with one row of a matrix on each line.
std::string shown(const Value& value) {
  if (const Array* x = std::get_if<Array>(&value.held)) {
    std::string text = attn::array::text(*x);
    for (std::size_t at = 0; (at = text.find("], [", at)) != std::string::npos;) {
      text.replace(at, 3, "],\n ");
    }
    return text;
  }
  const std::string text = brief(value);
  return text.starts_with("= ") ? text.substr(2) : text;
}

/// Indents later lines as far as the first line.
std::string indented(const std::string& text, std::size_t by) {
  std::string out;
  for (const char letter : text) {
    out += letter;
    if (letter == '\n') out.append(by, ' ');
  }
  return out;
}

// ---- Comparing ----------------------------------------------------------------------------------

struct Tolerance {
  double rtol = 0, atol = 0;
};

struct Mismatch {
  std::string part, reason, message;
  std::optional<Shape> index;
  std::optional<Value> actual, expected;
  std::optional<Comparison> numbers;
};

/// A number, a list of numbers or an array as an array.
std::optional<Array> as_array(const Value& value) {
  if (const Array* x = std::get_if<Array>(&value.held)) return *x;
  if (const double* x = std::get_if<double>(&value.held)) return Array(*x);
  if (const bool* x = std::get_if<bool>(&value.held)) return Array(*x ? 1.0 : 0.0);
  if (const List* list = std::get_if<List>(&value.held)) {
    std::vector<Array> parts;
    for (const Value& one : *list) {
      const std::optional<Array> part = as_array(one);
      if (!part || (!parts.empty() && !(parts.front().shape() == part->shape()))) return {};
      parts.push_back(*part);
    }
    if (parts.empty()) return Array();
    return attn::array::stack(parts);
  }
  return {};
}

bool holds_number(const Value& value) {
  if (const Array* x = std::get_if<Array>(&value.held)) return x->rank() == 0;
  return std::holds_alternative<double>(value.held) || std::holds_alternative<bool>(value.held);
}

std::string entry(const Array& x, const Shape& at) {
  Array part = x;
  for (const attn::array::Index i : at) part = part[i];
  return digits(part.item(), 9);
}

std::string returned(const std::string& part) {
  return part.empty() ? "your function returned " : "part " + part + " is ";
}

Mismatch wrong(const std::string& part, const char* reason, const Value& actual,
               const Value& expected) {
  const std::string message =
      returned(part) + describe(actual) + "; " + describe(expected) + " is wanted";
  return Mismatch{part, reason, message, {}, actual, expected, {}};
}

std::optional<Mismatch> differing_arrays(const Array& actual, const Array& expected,
                                         const Tolerance& tolerance, const std::string& part) {
  if (!(actual.shape() == expected.shape())) {
    Mismatch mismatch = wrong(part, "shape", Value{actual}, Value{expected});
    const std::vector<attn::array::Index> turned(
        std::make_reverse_iterator(actual.shape().end()),
        std::make_reverse_iterator(actual.shape().begin()));
    if (expected.rank() == 2 && Shape(turned) == expected.shape()) {
      mismatch.message += ": it looks transposed";
    }
    return mismatch;
  }
  const Comparison found = compare(actual, expected, tolerance.rtol, tolerance.atol);
  if (found.equal) return {};
  const std::string place = part + (found.first.empty() ? "" : index_text(found.first));
  std::string message = place.empty() ? "your function returned " : "entry " + place + " is ";
  message += entry(actual, found.first) + ", not " + entry(expected, found.first);
  if (found.of > 1) {
    message +=
        "; " + std::to_string(found.wrong) + " of " + std::to_string(found.of) + " entries differ";
  }
  if (found.max_absolute > 0) {
    message += ", by " + short_number(found.max_absolute) + " at most, relatively " +
               short_number(found.max_relative);
  }
  return Mismatch{
      part, found.nans > 0 ? "nan" : "value", message, found.first, Value{actual}, Value{expected},
      found};
}

/// Follows the rules of web/src/exercises/judge/compare.ts.
std::optional<Mismatch> differing(const Value& actual, const Value& expected,
                                  const Tolerance& tolerance, const std::string& part = "") {
  if (const Dict* wanted = std::get_if<Dict>(&expected.held)) {
    const Dict* seen = std::get_if<Dict>(&actual.held);
    if (seen == nullptr) return wrong(part, "type", actual, expected);
    for (const auto& [key, one] : *wanted) {
      const auto found = seen->find(key);
      if (found == seen->end()) {
        return Mismatch{part, "missing", "there is no key " + key, {}, actual, expected, {}};
      }
      const std::string name = part + "['" + key + "']";
      if (auto mismatch = differing(found->second, one, tolerance, name)) return mismatch;
    }
    return {};
  }
  if (const List* wanted = std::get_if<List>(&expected.held)) {
    // A list of numbers may be returned as an array with one axis.
    if (const Array* seen = std::get_if<Array>(&actual.held)) {
      const std::optional<Array> numbers = as_array(expected);
      if (numbers) return differing_arrays(*seen, *numbers, tolerance, part);
    }
    const List* seen = std::get_if<List>(&actual.held);
    if (seen == nullptr) return wrong(part, "type", actual, expected);
    if (seen->size() != wanted->size()) return wrong(part, "shape", actual, expected);
    for (std::size_t i = 0; i < wanted->size(); ++i) {
      const std::string name = part + "[" + std::to_string(i) + "]";
      if (auto mismatch = differing((*seen)[i], (*wanted)[i], tolerance, name)) return mismatch;
    }
    return {};
  }
  if (const Array* wanted = std::get_if<Array>(&expected.held)) {
    const std::optional<Array> seen = as_array(actual);
    if (!seen) return wrong(part, "type", actual, expected);
    return differing_arrays(*seen, *wanted, tolerance, part);
  }
  if (holds_number(expected)) {
    if (!holds_number(actual)) return wrong(part, "type", actual, expected);
    return differing_arrays(*as_array(actual), *as_array(expected), tolerance, part);
  }
  if (expected.held.index() != actual.held.index()) return wrong(part, "type", actual, expected);
  if (const std::string* wanted = std::get_if<std::string>(&expected.held)) {
    const std::string& seen = std::get<std::string>(actual.held);
    if (seen == *wanted) return {};
    const std::string message = returned(part) + '"' + seen + "\", not \"" + *wanted + '"';
    return Mismatch{part, "value", message, {}, actual, expected, {}};
  }
  return {};
}

// ---- Running ------------------------------------------------------------------------------------

struct Failure {
  std::string type, message;
};

/// A result or an error, and the counted work.
struct Outcome {
  std::optional<Value> value;
  std::optional<Failure> error;
  std::string prints;
  Counts counts;
  double milliseconds = 0;
};

/// Captures std::cout as text while it exists.
class Listening {
 public:
  Listening() : before_(std::cout.rdbuf(heard_.rdbuf())) {}
  ~Listening() { std::cout.rdbuf(before_); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  std::string text() const { return heard_.str().substr(0, kMaxPrint); }

 private:
  std::ostringstream heard_;
  std::streambuf* before_;
};

/// Uses the names of Python's exceptions, so that errors can be compared across languages.
Failure failure_of(const std::exception& error) {
  const std::string message = error.what();
  if (const auto* of_array = dynamic_cast<const attn::array::ArrayError*>(&error)) {
    return {of_array->type(), message};
  }
  const auto is = [&error]<typename T>(const T*) {
    return dynamic_cast<const T*>(&error) != nullptr;
  };
  if (is(static_cast<NotWritten*>(nullptr))) return {kNotWritten, message};
  if (is(static_cast<SignatureError*>(nullptr))) return {"TypeError", message};
  if (is(static_cast<std::bad_optional_access*>(nullptr))) {
    return {"TypeError", "the value of a std::optional was used that holds nothing"};
  }
  if (is(static_cast<std::out_of_range*>(nullptr))) return {"IndexError", message};
  if (is(static_cast<std::bad_alloc*>(nullptr))) return {"MemoryError", "out of memory"};
  if (is(static_cast<std::logic_error*>(nullptr)) || is(static_cast<attn::Error*>(nullptr))) {
    return {"ValueError", message};
  }
  return {"Error", message};
}

Outcome run(const Function& function, const List& args) {
  Outcome outcome;
  const Listening listening;
  const auto started = std::chrono::steady_clock::now();
  attn::array::reset_counts();
  try {
    outcome.value = function(args);
  } catch (const std::exception& error) {
    outcome.error = failure_of(error);
  } catch (...) {
    outcome.error = Failure{"Error", "something was thrown that is no std::exception"};
  }
  outcome.counts = attn::array::counts();
  const std::chrono::duration<double, std::milli> taken =
      std::chrono::steady_clock::now() - started;
  outcome.milliseconds = taken.count();
  outcome.prints = listening.text();
  return outcome;
}

Json counts_json(const Counts& counts) {
  return {
      {"multiplyAdds", counts.multiply_adds}, {"touched", counts.touched}, {"bytes", counts.bytes}};
}

Json outcome_json(const Outcome& outcome) {
  Json json = Json::object();
  if (outcome.value) json["value"] = to_json(*outcome.value);
  if (outcome.error) {
    json["error"] = {{"type", outcome.error->type}, {"message", outcome.error->message}};
  }
  json["prints"] = outcome.prints;
  json["counts"] = counts_json(outcome.counts);
  json["milliseconds"] = outcome.milliseconds;
  return json;
}

Json mismatch_json(const Mismatch& mismatch) {
  Json json = {{"part", mismatch.part}, {"reason", mismatch.reason}, {"message", mismatch.message}};
  if (mismatch.index && mismatch.index->rank() > 0) {
    json["index"] = std::vector<attn::array::Index>(mismatch.index->begin(), mismatch.index->end());
  }
  if (mismatch.actual) json["actual"] = to_json(*mismatch.actual);
  if (mismatch.expected) json["expected"] = to_json(*mismatch.expected);
  if (mismatch.numbers) {
    json["maxAbsolute"] = mismatch.numbers->max_absolute;
    json["maxRelative"] = mismatch.numbers->max_relative;
    json["wrong"] = mismatch.numbers->wrong;
    json["of"] = mismatch.numbers->of;
  }
  return json;
}

/// One case of the file, and the outcome of the student's function.
struct Case {
  std::string name;
  bool hidden = false;
  Json args;
  Value expected;
  Outcome outcome;
  std::optional<Mismatch> mismatch;
  bool passed() const { return outcome.value.has_value() && !mismatch; }
};

// ---- Recognising
// ----------------------------------------------------------------------------------

/// Whether the function behaved in every case like the mistake and not like the reference. The
/// rules are those of web/src/exercises/judge/recognise-mistake.ts.
bool behaves_like(const Json& variant, const std::vector<Case>& cases, const Tolerance& tolerance) {
  const Json& mistakes = variant.at("outcomes");
  if (mistakes.size() != cases.size()) return false;
  bool differs = false, any_value = false, same_errors = true;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Outcome& seen = cases[i].outcome;
    const Json& mistake = mistakes[i];
    if (mistake.contains("error") != seen.error.has_value()) return false;
    if (seen.error) {
      if (seen.error->type == kNotWritten) return false;
      same_errors = same_errors && mistake.at("error").get<std::string>() == seen.error->type;
      differs = true;
      continue;
    }
    const Value value = from_json(mistake.at("value"));
    if (differing(*seen.value, value, tolerance)) return false;
    any_value = true;
    differs = differs || differing(value, cases[i].expected, tolerance);
  }
  // If every case raises an error, only a variant that is recognised by its error can match.
  const bool by_error = variant.value("evidence", "output") == "error";
  return differs && (any_value || (by_error && same_errors));
}

// ---- Cost
// -----------------------------------------------------------------------------------------

struct Cost {
  bool passed = false;
  Json points = Json::array();
  double slope = std::numeric_limits<double>::quiet_NaN();
  double max_slope = 0;
  std::string message;
};

/// The power that people would name, such as "n²" or "n^1.5".
std::string power_of(double slope) {
  const double near = std::round(slope);
  const char* names[] = {"a constant number of", "n", "n²", "n³", "n⁴"};
  if (std::abs(slope - near) <= 0.2 && near >= 0 && near <= 4) return names[static_cast<int>(near)];
  char text[24];
  std::snprintf(text, sizeof text, "n^%.1f", slope);
  return text;
}

/// Writes 1234567 as "1,234,567".
std::string grouped(std::uint64_t x) {
  std::string text = std::to_string(x);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

Cost cost_of(const Json& bound, const Function& function) {
  Cost cost;
  cost.max_slope = bound.at("maxSlope").get<double>();
  const bool of_largest = bound.value("of", "work") == "largest";
  std::vector<double> lengths, works;
  for (const Json& point : bound.at("points")) {
    const Value args = from_json(point.at("args"));
    const Outcome outcome = run(function, std::get<List>(args.held));
    const std::string n = point.at("n").dump();
    if (outcome.error) {
      cost.message = "for n = " + n + " your function stopped: " + outcome.error->message;
      return cost;
    }
    const Counts& counted = outcome.counts;
    const std::uint64_t work =
        of_largest ? counted.largest : counted.multiply_adds + counted.touched;
    if (work == 0) {
      cost.message =
          "no work was counted: your function has to compute with the arrays it is given";
      return cost;
    }
    lengths.push_back(point.at("n").get<double>());
    works.push_back(static_cast<double>(work));
    cost.points.push_back(
        {{"n", lengths.back()}, {"work", work}, {"counts", counts_json(outcome.counts)}});
  }
  cost.slope = attn::fit_slope(lengths, works).slope;
  cost.passed = cost.slope <= cost.max_slope;
  char slope[24], allowed[24];
  std::snprintf(slope, sizeof slope, "%.2f", cost.slope);
  std::snprintf(allowed, sizeof allowed, "%g", cost.max_slope);
  const std::string grows = power_of(cost.slope);
  if (cost.passed) {
    cost.message = std::string(of_largest ? "your largest array" : "your function's work") +
                   " grows as " + grows + " (fitted slope " + slope + "; at most " + allowed +
                   " is allowed)";
    return cost;
  }
  const std::string last = grouped(static_cast<std::uint64_t>(works.back()));
  const std::string n = bound.at("points").back().at("n").dump();
  cost.message = (of_largest ? "your largest array has about " + grows + " entries (" + last
                             : "your function touched about " + grows + " numbers (" + last +
                                   " multiply-adds, reads and writes") +
                 " for n = " + n + "; fitted slope " + slope + "); " +
                 bound.at("wanted").get<std::string>() + " is what it needs";
  return cost;
}

/// The mistake in cost whose growth is most like this one.
const Json* recognised_cost(const Json& variants, double slope) {
  const Json* nearest = nullptr;
  double distance = std::numeric_limits<double>::infinity();
  for (const Json& variant : variants) {
    if (variant.value("evidence", "output") != "cost") continue;
    const double away = std::abs(variant.value("slope", slope) - slope);
    if (nearest == nullptr || away < distance) {
      nearest = &variant;
      distance = away;
    }
  }
  return nearest;
}

// ---- Printing
// -------------------------------------------------------------------------------------

class Printer {
 public:
  explicit Printer(std::ostream& out)
      : out_(out),
        colours_(&out == &std::cout && isatty(STDOUT_FILENO) != 0 &&
                 std::getenv("NO_COLOR") == nullptr) {}

  void passed(const std::string& text) { line("32", "✓ ", text); }
  void failed(const std::string& text) { line("31", "✗ ", text); }
  void detail(const std::string& label, const std::string& text) {
    const std::size_t width = 10;
    std::string padded = label;
    padded.resize(std::max(width, padded.size() + 1), ' ');
    out_ << "      " << padded << indented(text, 6 + padded.size()) << "\n";
  }
  void note(const std::string& text) { out_ << "\n" << paint("33", text) << "\n"; }

 private:
  std::string paint(const char* colour, const std::string& text) const {
    return colours_ ? "\x1b[" + std::string(colour) + "m" + text + "\x1b[0m" : text;
  }
  // The stream is flushed, so that the last line shows how far a function came that never returns.
  void line(const char* colour, const char* icon, const std::string& text) {
    out_ << "  " << paint(colour, icon) << text << std::endl;
  }

  std::ostream& out_;
  bool colours_;
};

/// How much is printed about a failing case.
enum class Detail { kAll, kBrief, kName };

void print_case(Printer& printer, const Case& tried, const Json& parameters, Detail detail) {
  const std::string name = tried.hidden ? tried.name + " (hidden)" : tried.name;
  const Outcome& outcome = tried.outcome;
  if (tried.passed()) {
    printer.passed(name);
  } else if (outcome.error && outcome.error->type == kNotWritten) {
    printer.failed(name + ": " + outcome.error->message);
  } else if (detail == Detail::kName) {
    printer.failed(name + ": its numbers are shown once the others pass");
  } else {
    printer.failed(name);
    const List args = std::get<List>(from_json(tried.args).held);
    std::string call;
    for (std::size_t i = 0; i < args.size(); ++i) {
      call += (i > 0 ? ", " : "") + parameters.at(i).get<std::string>() + " " + brief(args[i]);
    }
    printer.detail("called", "with " + call);
    if (outcome.error) printer.detail("threw", outcome.error->type + ": " + outcome.error->message);
    if (const auto& mismatch = tried.mismatch) {
      printer.detail("but", mismatch->message);
      if (detail == Detail::kAll) {
        if (mismatch->actual) printer.detail("yours", shown(*mismatch->actual));
        if (mismatch->expected) printer.detail("expected", shown(*mismatch->expected));
      }
    }
  }
  if (!outcome.prints.empty() && detail != Detail::kName) {
    printer.detail("printed", outcome.prints.substr(0, outcome.prints.find_last_not_of('\n') + 1));
  }
}

Json read_cases(const std::string& id) {
  const char* folder = std::getenv("ATTN_EXERCISE_CASES");
  const std::string path =
      std::string(folder != nullptr ? folder : ATTN_EXERCISE_CASES) + "/" + id + ".json";
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + " is missing: `npm run exercise -- " + id + "`");
  return Json::parse(file);
}

}  // namespace

std::string describe(const Value& value) {
  if (const Array* x = std::get_if<Array>(&value.held)) {
    if (x->rank() == 0) return "a number";
    if (x->rank() == 1) return "an array of " + sizes(x->shape()) + " numbers";
    return "an array of shape " + sizes(x->shape());
  }
  if (std::holds_alternative<double>(value.held)) return "a number";
  if (std::holds_alternative<bool>(value.held)) return "true or false";
  if (std::holds_alternative<std::string>(value.held)) return "a text";
  if (const Given* x = std::get_if<Given>(&value.held)) return "the function " + x->name;
  if (const List* x = std::get_if<List>(&value.held)) {
    return "a list of " + std::to_string(x->size());
  }
  if (const Dict* x = std::get_if<Dict>(&value.held)) {
    std::string keys;
    for (const auto& [key, one] : *x) keys += (keys.empty() ? "" : ", ") + key;
    return "named numbers " + keys;
  }
  return "nothing";
}

namespace detail {

void refuse(std::size_t parameter, const Value& value, const char* wanted) {
  throw SignatureError("parameter " + std::to_string(parameter + 1) + " of your function is " +
                       wanted + ", the exercise hands over " + describe(value));
}

void require_count(std::size_t taken, std::size_t given) {
  if (taken == given) return;
  throw SignatureError("your function takes " + std::to_string(taken) +
                       " parameters, the exercise hands over " + std::to_string(given));
}

double number(const Value& value, std::size_t parameter) {
  if (const bool* x = std::get_if<bool>(&value.held)) return *x ? 1 : 0;
  return held<double>(value, parameter, "a number");
}

std::vector<double> numbers(const Value& value, std::size_t parameter) {
  const std::optional<Array> all = as_array(value);
  if (!all || all->rank() != 1) refuse(parameter, value, "a list of numbers");
  return all->values();
}

Array array(const Value& value, std::size_t parameter) {
  const std::optional<Array> all = as_array(value);
  if (!all) refuse(parameter, value, "an Array");
  return *all;
}

}  // namespace detail

Grade grade(const std::string& id, const Function& function, std::ostream& out) {
  const Json file = read_cases(id);
  const Tolerance tolerance{file.at("tolerance").at("rtol").get<double>(),
                            file.at("tolerance").at("atol").get<double>()};
  Printer printer(out);
  std::vector<Case> cases;
  bool visible_pass = true, all_pass = true;
  for (const Json& given : file.at("cases")) {
    Case tried;
    tried.name = given.at("name").get<std::string>();
    tried.hidden = given.value("hidden", false);
    tried.args = given.at("args");
    tried.expected = from_json(given.at("expected"));
    tried.outcome = run(function, std::get<List>(from_json(tried.args).held));
    if (tried.outcome.value) {
      tried.mismatch = differing(*tried.outcome.value, tried.expected, tolerance);
    }
    if (!tried.hidden) visible_pass = visible_pass && tried.passed();
    const Detail detail = tried.hidden && !visible_pass ? Detail::kName
                          : all_pass                    ? Detail::kAll
                                                        : Detail::kBrief;
    print_case(printer, tried, file.at("parameters"), detail);
    all_pass = all_pass && tried.passed();
    cases.push_back(std::move(tried));
  }

  Grade grade;
  grade.passed = true;
  Json json = {{"exercise", id}, {"language", "cpp"}, {"passed", false}, {"prints", ""}};
  for (const Case& tried : cases) {
    grade.passed = grade.passed && tried.passed();
    grade.checks.push_back({tried.name, tried.passed()});
    Json report = {{"name", tried.name},       {"hidden", tried.hidden},
                   {"passed", tried.passed()}, {"outcome", outcome_json(tried.outcome)},
                   {"args", tried.args},       {"expected", to_json(tried.expected)}};
    if (tried.mismatch) report["mismatch"] = mismatch_json(*tried.mismatch);
    json["cases"].push_back(std::move(report));
  }

  const Json* recognised = nullptr;
  for (const Json& variant : file.at("variants")) {
    const bool by_cost = variant.value("evidence", "output") == "cost";
    if (!by_cost && recognised == nullptr && behaves_like(variant, cases, tolerance)) {
      recognised = &variant;
    }
  }
  // The growth of a wrong function is not judged.
  if (grade.passed && file.contains("cost")) {
    const Cost cost = cost_of(file.at("cost"), function);
    grade.passed = cost.passed;
    grade.checks.push_back({"cost: " + cost.message, cost.passed});
    if (cost.passed) {
      printer.passed("cost: " + cost.message);
    } else {
      printer.failed("cost: " + cost.message);
    }
    json["cost"] = {{"passed", cost.passed},
                    {"points", cost.points},
                    {"slope", number_json(cost.slope)},
                    {"maxSlope", cost.max_slope},
                    {"message", cost.message}};
    if (!cost.passed) recognised = recognised_cost(file.at("variants"), cost.slope);
  }
  if (recognised != nullptr) {
    grade.variant = recognised->at("id").get<std::string>();
    const std::string message = recognised->at("message").get<std::string>();
    json["variant"] = {{"id", grade.variant}, {"message", message}};
    printer.note(message);
  }
  json["passed"] = grade.passed;
  grade.json = json.dump();
  return grade;
}

}  // namespace exercise
