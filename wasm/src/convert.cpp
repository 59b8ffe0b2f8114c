#include "convert.hpp"

#include <cctype>
#include <cmath>
#include <stdexcept>

#include "errors.hpp"

namespace attn::wasm {
namespace {

/// Which of `names` the text is.
/// @throws ValueError
std::size_t choice_of(const val& value, const char* argument, std::initializer_list<Name> names) {
  std::string wanted;
  std::size_t at = 0;
  for (const Name name : names) {
    if (value.is(name)) return at;
    if (at > 0) wanted += at + 1 == names.size() ? " or " : ", ";
    wanted += name.text();
    ++at;
  }
  const bool text = value.isString();
  const std::string seen = text ? value.as<std::string>() : type_text(value);
  throw ValueError(argument, text ? "\"" + seen + "\"" : seen, wanted);
}

/// @throws ValueError unless it is a number.
double number_of(const val& value, const char* argument) {
  if (!value.isNumber()) throw ValueError(argument, type_text(value), "a number");
  return value.number();
}

Index index_of(const val& value, const char* argument) {
  const double number = number_of(value, argument);
  if (number != std::floor(number) || std::abs(number) > 2147483647) {
    throw ValueError(argument, std::to_string(number), "a whole number below 2³¹");
  }
  return static_cast<Index>(number);
}

/// Says what is wrong with what is not a matrix.
[[noreturn]] void refuse_matrix(const val& object, const char* name) {
  static const char* const kWanted = "a matrix {rows, cols, data}";
  require_object(object, name, kWanted);
  const Index rows = size_from(object, "rows", name, kWanted);
  const Index cols = size_from(object, "cols", name, kWanted);
  data_from(object, name, shape_text(rows, cols),
            static_cast<double>(rows) * static_cast<double>(cols));
  throw ShapeError(name, "an object that changes while it is read", kWanted);
}

void set_text(val& error, Name property, const std::string& text) {
  error.set(property, val::text(text));
}

}  // namespace

std::string type_text(const val& value) { return value.typeOf().as<std::string>(); }

std::string js_name(const std::string& name) {
  static const std::string kParameter = "parameter ";
  if (name.starts_with(kParameter)) return name.substr(kParameter.size());
  if (name == "D") return name;
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool joint = name[i] == '_' && i + 1 < name.size();
    result += joint ? static_cast<char>(std::toupper(name[++i])) : name[i];
  }
  if (!result.empty()) result[0] = static_cast<char>(std::tolower(result[0]));
  return result;
}

bool is_undefined(const val& value) { return value.isUndefined() || value.isNull(); }

void throw_js_error(const std::exception& error) {
  val object = emscripten::val::global("Error").new_(emscripten::val(std::string(error.what())));
  if (const auto* known = dynamic_cast<const Error*>(&error)) {
    set_text(object, "code", known->code());
    set_text(object, "argument", js_name(known->argument()));
    set_text(object, "seen", known->seen());
    set_text(object, "wanted", known->wanted());
  } else if (dynamic_cast<const std::bad_alloc*>(&error) ||
             dynamic_cast<const std::length_error*>(&error)) {
    object = emscripten::val::global("Error").new_(emscripten::val(
        std::string("not enough memory for this size; try fewer rows or a smaller d_k")));
    set_text(object, "code", "capacity");
  }
  object.throw_();
  __builtin_unreachable();
}

void require_object(const val& value, const char* name, const char* wanted) {
  if (type_text(value) == "object" && !value.isNull()) return;
  throw ShapeError(name, type_text(value), wanted);
}

Index size_from(const val& object, Name property, const char* name, const char* wanted) {
  const val value = object[property];
  const double size = value.isNumber() ? value.number() : -1;
  if (!(size >= 0 && size <= 2147483647) || size != std::floor(size)) {
    throw ShapeError(name, std::string(property.text()) + " not a whole number", wanted);
  }
  return static_cast<Index>(size);
}

val data_from(const val& object, const char* name, const std::string& shape, double count) {
  const val data = object["data"];
  if (!data.instanceof (emscripten::val::global("Float32Array"))) {
    throw ShapeError(name, "data of another type", "data in a Float32Array");
  }
  const double length = data["length"].number();
  if (length != count) {
    throw ShapeError(name,
                     shape + " with " + std::to_string(static_cast<long long>(length)) + " numbers",
                     "rows × cols numbers");
  }
  return data;
}

Matrix<float> matrix_from(const val& object, const char* name) {
  std::int32_t shape[2];
  if (!attn_is_matrix(object.as_handle(), shape)) refuse_matrix(object, name);
  Matrix<float> x(shape[0], shape[1]);
  attn_copy_in(object.as_handle(), x.data());
  return x;
}

Matrix<float> optional_matrix(const val& options, Name property, const char* name) {
  const val object = options[property];
  return is_undefined(object) ? Matrix<float>() : matrix_from(object, name);
}

val matrix_to(const float* data, Index rows, Index cols) {
  return val::take_ownership(attn_matrix_to(data, rows, cols));
}

val matrix_to(const Matrix<float>& x) { return matrix_to(x.data(), x.rows(), x.cols()); }

val column_to(const Vector<float>& x) { return matrix_to(x.data(), x.size(), 1); }

Vector<float> optional_vector(const val& options, Name property, const char* name) {
  const Matrix<float> x = optional_matrix(options, property, name);
  if (x.size() > 0 && x.rows() != 1 && x.cols() != 1) {
    throw ShapeError(name, shape_text(x.rows(), x.cols()), "one row or one column");
  }
  return Eigen::Map<const Vector<float>>(x.data(), x.size());
}

val list_to(const std::vector<Matrix<float>>& matrices) {
  val list = val::array();
  for (const Matrix<float>& x : matrices) list.push(matrix_to(x));
  return list;
}

double number_from(const val& options, Name property) {
  return number_of(options[property], property.text());
}

std::optional<double> optional_number(const val& options, Name property) {
  const val value = options[property];
  if (is_undefined(value)) return std::nullopt;
  return number_of(value, property.text());
}

Index index_from(const val& options, Name property) {
  return index_of(options[property], property.text());
}

std::optional<Index> optional_index(const val& options, Name property) {
  const val value = options[property];
  if (is_undefined(value)) return std::nullopt;
  return index_of(value, property.text());
}

Position position_from(const val& options) {
  return {optional_index(options, "offset").value_or(0),
          optional_index(options, "length").value_or(0)};
}

std::uint64_t seed_from(const val& options, Name property) {
  const double value = number_from(options, property);
  if (!(value >= 0 && value <= 9007199254740991.0) || value != std::floor(value)) {
    throw ValueError(property.text(), std::to_string(value), "a whole number from 0 to 2⁵³ − 1");
  }
  return static_cast<std::uint64_t>(value);
}

bool flag_from(const val& options, Name property, bool otherwise) {
  const val value = options[property];
  if (is_undefined(value)) return otherwise;
  if (value.isTrue() || value.isFalse()) return value.isTrue();
  throw ValueError(property.text(), type_text(value), "true or false");
}

val positivity_to(Positivity positivity) {
  switch (positivity) {
    case Positivity::kPositive:
      return val("positive");
    case Positivity::kNonNegative:
      return val("nonNegative");
    case Positivity::kAny:
      break;
  }
  return val("any");
}

LinearState<float> linear_state_from(const val& state) {
  const Matrix<float> z = matrix_from(state["z"], "state.z");
  return {matrix_from(state["s"], "state.s"), Eigen::Map<const Vector<float>>(z.data(), z.size())};
}

val linear_state_to(const LinearState<float>& state) {
  val result = val::object();
  result.set("s", matrix_to(state.s));
  result.set("z", matrix_to(state.z.data(), 1, state.z.size()));
  return result;
}

std::vector<std::uint8_t> flags_from(const val& options, Name property) {
  std::vector<std::uint8_t> flags;
  const val given = options[property];
  if (is_undefined(given)) return flags;
  if (!given.isArray())
    throw ValueError(property.text(), type_text(given), "a list of true and false");
  const unsigned count = given["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    const val flag = given[i];
    if (!flag.isTrue() && !flag.isFalse()) {
      throw ValueError(property.text(), type_text(flag) + " inside", "a list of true and false");
    }
    flags.push_back(flag.isTrue());
  }
  return flags;
}

std::size_t choice_from(const val& options, Name property, std::initializer_list<Name> names) {
  const val value = options[property];
  return is_undefined(value) ? 0 : choice_of(value, property.text(), names);
}

Qkv<float> qkv_from(const val& options) {
  return {matrix_from(options["q"], "Q"), matrix_from(options["k"], "K"),
          matrix_from(options["v"], "V")};
}

std::vector<std::pair<std::string, double>> parameters_from(const val& choice) {
  std::vector<std::pair<std::string, double>> result;
  const val given = choice["parameters"];
  if (is_undefined(given)) return result;
  const val names = emscripten::val::global("Object").call<emscripten::val>(
      "keys", static_cast<const emscripten::val&>(given));
  const unsigned count = names["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    const val name = names[i];
    const std::string text = name.as<std::string>();
    result.emplace_back(text, number_of(given.at(name), text.c_str()));
  }
  return result;
}

FeatureMap<float> feature_map_from(const val& options, Index d_k) {
  const val choice = options["featureMap"];
  if (type_text(choice) != "object" || choice.isNull()) {
    throw ValueError("feature_map", type_text(choice), "an object with an id");
  }
  const val id = choice["id"];
  if (!id.isString()) throw ValueError("feature_map", type_text(id), "an id from the registry");
  FeatureMapOptions<float> given;
  if (!is_undefined(choice["seed"])) given.seed = seed_from(choice, "seed");
  given.parameters = parameters_from(choice);
  given.projection = optional_matrix(choice, "projection", "projection");
  given.bias = optional_matrix(choice, "bias", "bias");
  given.gain = optional_matrix(choice, "gain", "gain");
  given.shift = optional_matrix(choice, "shift", "shift");
  return FeatureMap<float>(id.as<std::string>(), d_k, std::move(given));
}

namespace {

Mask unpadded_mask_of(const val& choice) {
  switch (choice_of(choice["kind"], "mask", {"full", "causal", "causalBottomRight", "matrix"})) {
    case 1:
      return Mask::causal();
    case 2:
      return Mask::causal_bottom_right();
    case 3:
      return Mask::from_matrix<float>(matrix_from(choice["keep"], "mask"));
    default:
      return Mask::full();
  }
}

}  // namespace

Mask mask_of(const val& choice) {
  if (is_undefined(choice)) return Mask::full();
  const Mask unpadded = unpadded_mask_of(choice);
  const std::optional<Index> valid = optional_index(choice, "validKeys");
  return valid ? unpadded.with_valid_keys(*valid) : unpadded;
}

Mask mask_from(const val& options) { return mask_of(options["mask"]); }

AttentionOptions<float> attention_options_from(const val& options) {
  AttentionOptions<float> result;
  result.mask = mask_from(options);
  result.scale = optional_number(options, "scale");
  result.bias = optional_matrix(options, "bias", "bias");
  return result;
}

val attention_result_to(const AttentionResult<float>& made) {
  val result = val::object();
  result.set("output", matrix_to(made.output));
  result.set("weights", matrix_to(made.weights));
  result.set("logSumExp", column_to(made.log_sum_exp));
  return result;
}

Dropout<float> dropout_from(const val& options) {
  Dropout<float> result;
  const val given = options["dropout"];
  if (is_undefined(given)) return result;
  result.probability = number_from(given, "probability");
  if (!is_undefined(given["seed"])) result.seed = seed_from(given, "seed");
  if (!is_undefined(given["stream"])) result.stream = seed_from(given, "stream");
  result.keep = optional_matrix(given, "keep", "keep");
  return result;
}

namespace {

DenominatorRule denominator_from(const val& options) {
  constexpr DenominatorRule kRules[] = {DenominatorRule::kAdd, DenominatorRule::kClamp,
                                        DenominatorRule::kAddToKeySum};
  return kRules[choice_from(options, "denominator", {"add", "clamp", "addToKeySum"})];
}

}  // namespace

CompareOptions compare_options_from(const val& options) {
  CompareOptions result;
  result.mask = mask_from(options);
  result.scale = optional_number(options, "scale");
  result.epsilon = optional_number(options, "epsilon").value_or(kLinearAttentionEpsilon);
  result.denominator = denominator_from(options);
  return result;
}

LinearAttentionOptions linear_attention_options_from(const val& options) {
  LinearAttentionOptions result;
  result.causal = flag_from(options, "causal", false);
  result.normalize = flag_from(options, "normalize", true);
  result.epsilon = optional_number(options, "epsilon").value_or(kLinearAttentionEpsilon);
  result.valid_keys = optional_index(options, "validKeys");
  result.chunk = optional_index(options, "chunk").value_or(1);
  result.denominator = denominator_from(options);
  result.position = position_from(options);
  return result;
}

}  // namespace attn::wasm
