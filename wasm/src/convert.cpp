#include "convert.hpp"

#include <cmath>

#include "attn/base/phrases.hpp"

namespace attn::wasm {
namespace {

template <typename T>
val array_to(const T* data, std::size_t size) {
  return emscripten::val(emscripten::typed_memory_view(size, data)).call<emscripten::val>("slice");
}

/// `object[property]`, one of the sizes of a matrix or a stack.
Index size_of(const val& object, Name property, const Argument& argument, const Phrase<0>& wanted) {
  const val value = object[property];
  const double size = value.isNumber() ? value.number() : -1;
  if (!(size >= 0 && size <= 2147483647) || size != std::floor(size)) {
    throw ShapeError(argument.text(), phrase::not_whole(property.text()), wanted);
  }
  return static_cast<Index>(size);
}

/// @throws ShapeError unless object.data is a Float32Array of as many numbers as the sizes ask for.
void require_data(const val& object, const Argument& argument, std::span<const Index> sizes) {
  const val data = object["data"];
  if (!data.instanceof (emscripten::val::global("Float32Array"))) {
    throw ShapeError(argument.text(), phrase::other_data, phrase::float32_data);
  }
  double count = 1;
  for (const Index size : sizes) count *= static_cast<double>(size);
  const double length = data["length"].number();
  if (length == count) return;
  throw ShapeError(argument.text(),
                   sizes.size() == 2
                       ? phrase::shape_with_numbers(sizes[0], sizes[1], length)
                       : phrase::stack_with_numbers(sizes[0], sizes[1], sizes[2], sizes[3], length),
                   phrase::rows_times_columns);
}

void require_array_object(const val& object, const Argument& argument, const Phrase<0>& wanted) {
  if (object.is_object()) return;
  throw ShapeError(argument.text(), phrase::type_seen(type_text(object)), wanted);
}

/// Says what is wrong with what is not a matrix.
[[noreturn]] void refuse_matrix(const val& object, const Argument& argument) {
  require_array_object(object, argument, phrase::matrix);
  const Index sizes[] = {size_of(object, "rows", argument, phrase::matrix),
                         size_of(object, "cols", argument, phrase::matrix)};
  require_data(object, argument, sizes);
  throw ShapeError(argument.text(), phrase::changes, phrase::matrix);
}

}  // namespace

// --- Arguments -----------------------------------------------------------------------------------

std::string Argument::text() const { return parent ? parent->text() + "." + name : name; }

std::string js_name(std::string_view name) {
  constexpr std::string_view kParameter = "parameter ";
  // A feature map's parameter keeps the name that the registry gives it.
  if (name.starts_with(kParameter)) return std::string(name.substr(kParameter.size()));
  std::string result;
  write_js_name(name.data(), name.size(), [&](char c) { result += c; });
  return result;
}

bool is_undefined(const val& value) { return value.isUndefined() || value.isNull(); }

std::string type_text(const val& value) { return value.type().as<std::string>(); }

Wording text_or_type(const val& value) {
  return value.isString() ? phrase::quoted(value.as<std::string>())
                          : phrase::type_seen(type_text(value));
}

void refuse(const val& value, const Argument& argument, const Phrase<0>& wanted) {
  throw ValueError(argument.text(), phrase::type_seen(type_text(value)), wanted);
}

void require_object(const val& value, const Argument& argument) {
  if (!value.is_object()) refuse(value, argument, phrase::an_object);
}

// --- Numbers, words and choices ------------------------------------------------------------------

std::int64_t whole_number(double number, const Argument& argument) {
  if (number != std::floor(number) || std::abs(number) > 2147483647) {
    throw ValueError(argument.text(), phrase::number(number), phrase::whole_number_below_31);
  }
  return static_cast<std::int64_t>(number);
}

std::uint64_t count(double number, const Argument& argument) {
  if (!(number >= 0 && number <= 9007199254740991.0) || number != std::floor(number)) {
    throw ValueError(argument.text(), phrase::number(number), phrase::whole_number_to_53);
  }
  return static_cast<std::uint64_t>(number);
}

bool number_in(const val& object, const char* js, const Argument& argument, bool needed,
               double& to) {
  constexpr int kMissing = 0, kNumber = 1;
  const int found = attn_get_number(object.as_handle(), js, &to);
  if (found == kNumber) return true;
  if (found == kMissing && !needed) return false;
  refuse(object[Name::at(js)], argument, phrase::a_number);
}

val Convert<bool>::to_js(bool x) { return val(x); }

void Convert<bool>::from_js(const val& value, const Argument& argument, bool& to) {
  if (!value.isTrue() && !value.isFalse()) refuse(value, argument, phrase::true_or_false);
  to = value.isTrue();
}

val Convert<std::string>::to_js(std::string_view x) { return val::text(x); }
val Convert<std::string_view>::to_js(std::string_view x) { return val::text(x); }

void Convert<std::string>::from_js(const val& value, const Argument& argument, std::string& to) {
  if (!value.isString()) refuse(value, argument, phrase::string);
  to = value.as<std::string>();
}

std::size_t choice_of(const val& value, const Argument& argument,
                      std::span<const char* const> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (value.is(Name::at(names[i]))) return i;
  }
  throw ValueError(argument.text(), text_or_type(value),
                   phrase::choice(std::vector<std::string>(names.begin(), names.end())));
}

// --- Matrices ------------------------------------------------------------------------------------

val matrix_to(const float* data, Index rows, Index cols) {
  return val::take_ownership(
      attn_matrix_to(data, static_cast<std::int32_t>(rows), static_cast<std::int32_t>(cols)));
}

val Convert<Matrix<float>>::to_js(const Matrix<float>& x) {
  return matrix_to(x.data(), x.rows(), x.cols());
}

void Convert<Matrix<float>>::from_js(const val& value, const Argument& argument,
                                     Matrix<float>& to) {
  std::int32_t shape[2];
  if (!attn_is_matrix(value.as_handle(), shape)) refuse_matrix(value, argument);
  to.resize(shape[0], shape[1]);
  attn_copy_in(value.as_handle(), to.data());
}

void Convert<SharedMatrix<float>>::from_js(const val& value, const Argument& argument,
                                           SharedMatrix<float>& to) {
  Matrix<float> x;
  Convert<Matrix<float>>::from_js(value, argument, x);
  to = std::move(x);
}

val Convert<Matrix<double>>::to_js(const Matrix<double>& x) {
  return Convert<Matrix<float>>::to_js(x.cast<float>());
}

val Convert<Codes>::to_js(const Codes& x) {
  val result = val::object();
  result.set("rows", static_cast<double>(x.rows()));
  result.set("cols", static_cast<double>(x.cols()));
  result.set("data", array_to(x.data(), static_cast<std::size_t>(x.size())));
  return result;
}

val Convert<Vector<float>>::to_js(const Vector<float>& x) {
  return matrix_to(x.data(), x.size(), 1);
}

void Convert<Vector<float>>::from_js(const val& value, const Argument& argument,
                                     Vector<float>& to) {
  Matrix<float> x;
  Convert<Matrix<float>>::from_js(value, argument, x);
  if (x.rows() > 1 && x.cols() > 1) {
    throw ShapeError(argument.text(), phrase::shape(x.rows(), x.cols()), phrase::row_or_column);
  }
  to = Eigen::Map<const Vector<float>>(x.data(), x.size());
}

val Convert<Stack<float>>::to_js(const Stack<float>& x) {
  val object = val::object();
  object.set("batch", static_cast<double>(x.batch()));
  object.set("heads", static_cast<double>(x.heads()));
  object.set("rows", static_cast<double>(x.rows()));
  object.set("cols", static_cast<double>(x.cols()));
  object.set("data", array_to(x.data(), static_cast<std::size_t>(x.size())));
  return object;
}

void Convert<Stack<float>>::from_js(const val& value, const Argument& argument, Stack<float>& to) {
  require_array_object(value, argument, phrase::stack);
  Index size[4];
  const Name properties[4] = {"batch", "heads", "rows", "cols"};
  for (int i = 0; i < 4; ++i) {
    size[i] = size_of(value, properties[i], argument, phrase::stack);
  }
  require_data(value, argument, size);
  to = Stack<float>(size[0], size[1], size[2], size[3]);
  attn_copy_in(value.as_handle(), to.data());
}

// --- Lists ---------------------------------------------------------------------------------------

unsigned list_length(const val& value, const Argument& argument) {
  if (!value.isArray()) refuse(value, argument, phrase::a_list);
  return value["length"].as<unsigned>();
}

val Convert<std::vector<double>>::to_js(const std::vector<double>& x) {
  return array_to(x.data(), x.size());
}

void Convert<std::vector<double>>::from_js(const val& value, const Argument& argument,
                                           std::vector<double>& to) {
  const bool typed = emscripten::val::global("ArrayBuffer")
                         .call<bool>("isView", static_cast<const emscripten::val&>(value));
  if (typed) {
    // A DataView has no entries, and those of a BigInt64Array are no numbers.
    const bool numbers = value["BYTES_PER_ELEMENT"].isNumber() &&
                         (value["length"].number() == 0 || value[0].isNumber());
    if (!numbers) refuse(value, argument, phrase::numbers);
    to = emscripten::convertJSArrayToNumberVector<double>(value);
    return;
  }
  const unsigned length = list_length(value, argument);
  to.clear();
  for (unsigned i = 0; i < length; ++i) {
    const val one = value[i];
    if (!one.isNumber()) refuse(one, argument, phrase::numbers);
    to.push_back(one.number());
  }
}

val Convert<std::vector<Index>>::to_js(const std::vector<Index>& x) {
  return Convert<std::vector<double>>::to_js({x.begin(), x.end()});
}

void Convert<std::vector<Index>>::from_js(const val& value, const Argument& argument,
                                          std::vector<Index>& to) {
  std::vector<double> numbers;
  Convert<std::vector<double>>::from_js(value, argument, numbers);
  to.clear();
  for (const double x : numbers) to.push_back(static_cast<Index>(whole_number(x, argument)));
}

val Convert<std::vector<std::int32_t>>::to_js(const std::vector<std::int32_t>& x) {
  return array_to(x.data(), x.size());
}

void Convert<std::vector<std::int32_t>>::from_js(const val& value, const Argument& argument,
                                                 std::vector<std::int32_t>& to) {
  std::vector<double> numbers;
  Convert<std::vector<double>>::from_js(value, argument, numbers);
  to.clear();
  to.reserve(numbers.size());
  for (const double x : numbers) {
    to.push_back(static_cast<std::int32_t>(whole_number(x, argument)));
  }
}

val Convert<Bytes>::to_js(const Bytes& x) { return array_to(x.data.data(), x.data.size()); }

void Convert<Bytes>::from_js(const val& value, const Argument& argument, Bytes& to) {
  if (!value.instanceof (emscripten::val::global("Uint8Array"))) {
    refuse(value, argument, phrase::bytes_in_an_array);
  }
  to.data = emscripten::convertJSArrayToNumberVector<std::uint8_t>(value);
}

void Convert<std::vector<std::uint8_t>>::from_js(const val& value, const Argument& argument,
                                                 std::vector<std::uint8_t>& to) {
  const unsigned length = list_length(value, argument);
  to.clear();
  for (unsigned i = 0; i < length; ++i) {
    bool flag;
    Convert<bool>::from_js(value[i], argument, flag);
    to.push_back(flag);
  }
}

void Convert<Parameters>::from_js(const val& value, const Argument& argument, Parameters& to) {
  require_object(value, argument);
  const val names = emscripten::val::global("Object").call<emscripten::val>(
      "keys", static_cast<const emscripten::val&>(value));
  const unsigned count = names["length"].as<unsigned>();
  to.clear();
  for (unsigned i = 0; i < count; ++i) {
    const val name = names[i];
    std::string text = name.as<std::string>();
    double number;
    // By the name that the registry gives it.
    Convert<double>::from_js(value.at(name), {text.c_str()}, number);
    to.emplace_back(std::move(text), number);
  }
}

// --- Masks ---------------------------------------------------------------------------------------

void Convert<Mask>::from_js(const val& value, const Argument& argument, Mask& to) {
  static constexpr const char* kKinds[] = {"full", "causal", "causalBottomRight", "matrix"};
  require_object(value, argument);
  switch (choice_of(value["kind"], argument, kKinds)) {
    case 1:
      to = Mask::causal();
      break;
    case 2:
      to = Mask::causal_bottom_right();
      break;
    case 3: {
      Matrix<float> keep;
      Convert<Matrix<float>>::from_js(value["keep"], argument, keep);
      to = Mask::from_matrix<float>(keep);
      break;
    }
    default:
      to = Mask::full();
  }
  std::optional<Index> valid;
  read_property(value, "validKeys", {"valid_keys"}, false, valid);
  if (valid) to = to.with_valid_keys(*valid);
}

// --- Members -------------------------------------------------------------------------------------

void read_fields(const val& object, const Argument* parent, std::span<const FieldIn> fields,
                 void* to) {
  for (const FieldIn& field : fields) {
    field.read(object, field, parent, static_cast<char*>(to) + field.offset);
  }
}

void write_fields(val& object, std::span<const FieldOut> fields, const void* from) {
  for (const FieldOut& field : fields) {
    field.write(object, field.js, static_cast<const char*>(from) + field.offset);
  }
}

}  // namespace attn::wasm
