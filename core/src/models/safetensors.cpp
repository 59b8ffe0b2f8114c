#include "attn/models/safetensors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

#include "attn/attention/quantization.hpp"
#include "attn/base/errors.hpp"
#include "attn/models/phrases.hpp"

namespace attn {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the numbers of a file are little-endian");

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      constexpr const char* kDigits = "0123456789abcdef";
      made += "\\u00";
      made += kDigits[static_cast<unsigned char>(c) >> 4];
      made += kDigits[c & 15];
    } else {
      made += c;
    }
  }
  return made + '"';
}

/// As much of JSON as the header has: objects, strings, arrays of whole numbers.
class Header {
 public:
  explicit Header(std::string_view text) : text_(text) {}

  struct Tensor {
    std::string type;
    std::vector<std::int64_t> shape, places;
  };

  void read(std::map<std::string, Tensor>& tensors, std::map<std::string, std::string>& metadata) {
    object([&](const std::string& name) {
      if (name == "__metadata__") {
        object([&](const std::string& key) { metadata[key] = string(); });
        return;
      }
      Tensor& tensor = tensors[name];
      object([&](const std::string& key) {
        if (key == "dtype") {
          tensor.type = string();
        } else if (key == "shape") {
          tensor.shape = numbers();
        } else if (key == "data_offsets") {
          tensor.places = numbers();
        } else {
          refuse();
        }
      });
    });
    space();
    if (at_ != text_.size()) refuse();
  }

 private:
  [[noreturn]] void refuse() const {
    throw ValueError("file", phrase::not_json(static_cast<Index>(at_)), phrase::safetensors_header);
  }
  void space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) {
      ++at_;
    }
  }
  bool take(char c) {
    space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) refuse();
  }

  template <typename Member>
  void object(Member member) {
    expect('{');
    if (take('}')) return;
    std::set<std::string> names;
    do {
      const std::string name = string();
      // Which of the two is meant nobody can say.
      if (!names.insert(name).second) {
        throw ValueError("file", phrase::name_twice(name), phrase::each_name_once);
      }
      expect(':');
      member(name);
    } while (take(','));
    expect('}');
  }

  std::string string() {
    expect('"');
    std::string made;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (c == '\\') {
        if (at_ >= text_.size()) refuse();
        c = escaped(made);
        if (c == 0) continue;
      }
      made += c;
    }
    expect('"');
    return made;
  }

  /// The character after a backslash; 0 where \u wrote it already.
  char escaped(std::string& made) {
    const char c = text_[at_++];
    switch (c) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'u':
        break;
      default:
        if (c != '"' && c != '\\' && c != '/') refuse();
        return c;
    }
    unsigned code = unit();
    if (code >= 0xdc00 && code < 0xe000) refuse();
    if (code >= 0xd800 && code < 0xdc00) {
      // A character beyond U+FFFF is written as two units, and neither stands alone.
      if (text_.substr(at_, 2) != "\\u") refuse();
      at_ += 2;
      const unsigned second = unit();
      if (second < 0xdc00 || second >= 0xe000) refuse();
      code = 0x10000 + ((code - 0xd800) << 10) + (second - 0xdc00);
    }
    if (code < 0x80) {
      made += static_cast<char>(code);
      return 0;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    made += static_cast<char>((0xff << (7 - more) & 0xff) | (code >> (6 * more)));
    for (int i = more - 1; i >= 0; --i) {
      made += static_cast<char>(0x80 | ((code >> (6 * i)) & 63));
    }
    return 0;
  }

  /// Four hexadecimal digits.
  unsigned unit() {
    unsigned code = 0;
    for (int i = 0; i < 4; ++i) {
      if (at_ >= text_.size()) refuse();
      const char digit = text_[at_++];
      const bool is_digit = digit >= '0' && digit <= '9';
      const char lower = static_cast<char>(digit | 0x20);
      if (!is_digit && (lower < 'a' || lower > 'f')) refuse();
      code = code * 16 + static_cast<unsigned>(is_digit ? digit - '0' : lower - 'a' + 10);
    }
    return code;
  }

  std::vector<std::int64_t> numbers() {
    std::vector<std::int64_t> made;
    expect('[');
    if (take(']')) return made;
    do {
      space();
      const std::size_t first = at_;
      std::int64_t value = 0;
      while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
        // Fifteen digits are more than any file has bytes.
        if (at_ - first >= 15) refuse();
        value = 10 * value + (text_[at_++] - '0');
      }
      if (at_ == first) refuse();
      made.push_back(value);
    } while (take(','));
    expect(']');
    return made;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// A number of 16 bits whose exponent has `exponent` of them.
template <int exponent>
double half(std::uint16_t bits) {
  constexpr int kFraction = 15 - exponent, kMost = (1 << exponent) - 1, kBias = kMost / 2;
  const int power = (bits >> kFraction) & kMost;
  const double fraction = bits & ((1 << kFraction) - 1), sign = (bits >> 15) != 0 ? -1 : 1;
  if (power == kMost) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  // The smallest numbers have no leading one.
  const double digits = power == 0 ? fraction : fraction + (1 << kFraction);
  return sign * std::ldexp(digits, std::max(power, 1) - kBias - kFraction);
}

template <typename Number>
void read_numbers(const std::uint8_t* from, double (*value)(Number), std::vector<double>& into) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    Number x;
    std::memcpy(&x, from + i * sizeof x, sizeof x);
    into[i] = value(x);
  }
}

template <typename Number, double (*value)(Number)>
void read_as(const std::uint8_t* from, std::vector<double>& into) {
  read_numbers<Number>(from, value, into);
}

template <typename Number>
double widened(Number x) {
  return static_cast<double>(x);
}

/// The types of numbers that are read, each with its bytes. Every one of their numbers is exact in
/// float64.
struct NumberType {
  std::string_view name;
  std::uint64_t width;
  void (*read)(const std::uint8_t* from, std::vector<double>& into);
};

constexpr NumberType kNumberTypes[] = {
    {"F64", 8, read_as<double, widened>},        {"F32", 4, read_as<float, widened>},
    {"F16", 2, read_as<std::uint16_t, half<5>>}, {"BF16", 2, read_as<std::uint16_t, half<8>>},
    {"I8", 1, read_as<std::int8_t, widened>},
};

/// How many numbers a shape has, or nothing where that is more than `most`.
std::optional<std::uint64_t> count_of(const std::vector<std::int64_t>& shape, std::uint64_t most) {
  // An axis of length 0 leaves nothing, whatever stands before it.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::uint64_t count = 1;
  for (const std::int64_t size : shape) {
    const auto factor = static_cast<std::uint64_t>(size);
    if (count > most / factor) return std::nullopt;
    count *= factor;
  }
  return count;
}

/// @throws ValueError unless each byte of the numbers belongs to one tensor, as the format asks.
void require_whole(std::map<std::string, Header::Tensor>& entries, std::size_t size) {
  // By place. Of tensors without bytes any number may lie at the same place.
  std::vector<std::tuple<std::int64_t, std::int64_t, std::string_view>> places;
  for (const auto& [name, entry] : entries) {
    if (entry.places.size() != 2 || entry.places[1] < entry.places[0]) {
      throw ValueError(name, phrase::tensor_without_place, phrase::safetensors_places);
    }
    places.emplace_back(entry.places[0], entry.places[1], name);
  }
  std::sort(places.begin(), places.end());
  std::int64_t end = 0;
  std::string_view last;
  for (const auto& [from, to, name] : places) {
    if (from < end) {
      throw ValueError(name, phrase::bytes_shared(from, std::min(to, end), last),
                       phrase::bytes_of_one);
    }
    if (from > end)
      throw ValueError("file", phrase::bytes_of_none(end, from), phrase::bytes_of_one);
    if (to > from) last = name;
    end = to;
  }
  const auto there = static_cast<std::int64_t>(size);
  if (there < end) {
    throw ValueError("file", phrase::bytes_of_numbers(there), phrase::bytes_by_header(end));
  }
  if (there > end)
    throw ValueError("file", phrase::bytes_of_none(end, there), phrase::bytes_of_one);
}

/// What a number is called in a header.
template <typename Number>
constexpr const char* kNumberName = nullptr;
template <>
constexpr const char* kNumberName<double> = "F64";
template <>
constexpr const char* kNumberName<float> = "F32";
template <>
constexpr const char* kNumberName<std::int8_t> = "I8";

/// A file as it is written, tensor after tensor.
class FileTensors {
 public:
  template <typename Number>
  void add(const std::string& name, const std::vector<std::int64_t>& shape, const Number* numbers) {
    std::size_t count = 1;
    header_ += (header_.empty() ? "" : ",") + quoted(name) + ":{\"dtype\":\"" +
               kNumberName<Number> + "\",\"shape\":[";
    for (std::size_t i = 0; i < shape.size(); ++i) {
      header_ += (i == 0 ? "" : ",") + std::to_string(shape[i]);
      count *= static_cast<std::size_t>(shape[i]);
    }
    const std::size_t from = data_.size(), size = count * sizeof(Number);
    data_.resize(from + size);
    if (size > 0) std::memcpy(data_.data() + from, numbers, size);
    header_ +=
        "],\"data_offsets\":[" + std::to_string(from) + ',' + std::to_string(from + size) + "]}";
  }

  std::vector<std::uint8_t> file(const std::map<std::string, std::string>& metadata) const {
    std::string header = "{";
    if (!metadata.empty()) {
      header += "\"__metadata__\":{";
      bool first = true;
      for (const auto& [name, text] : metadata) {
        if (!first) header += ',';
        first = false;
        header += quoted(name) + ':' + quoted(text);
      }
      header += '}';
      if (!header_.empty()) header += ',';
    }
    header += header_ + '}';
    // Numbers begin at a multiple of eight bytes.
    while (header.size() % 8 != 0) header += ' ';
    const std::uint64_t length = header.size();
    std::vector<std::uint8_t> made(8 + header.size() + data_.size());
    std::memcpy(made.data(), &length, 8);
    std::memcpy(made.data() + 8, header.data(), header.size());
    if (!data_.empty()) {
      std::memcpy(made.data() + 8 + header.size(), data_.data(), data_.size());
    }
    return made;
  }

 private:
  std::string header_;
  std::vector<std::uint8_t> data_;
};

std::vector<std::int64_t> shape_of(const ParameterInfo& info) {
  if (info.is_vector) return {info.rows};
  return {info.rows, info.cols};
}

/// Where the scales of the rows of a matrix stand.
std::string scale_of(const std::string& matrix) { return matrix + ".scale"; }

template <typename T>
void require_parameters_of(const ParameterTable& table, InVector<T> values) {
  require_shape<T>("values", values.transpose(), 1, table.size(), phrase::shape_of_model_parameter);
}

/// @throws ShapeError naming the tensor unless it has that shape.
void require_tensor(const std::string& name, const SafeTensor& tensor,
                    const std::vector<std::int64_t>& wanted) {
  if (tensor.shape == wanted) return;
  const auto size = [](const std::vector<std::int64_t>& shape, std::size_t axis) {
    return axis < shape.size() ? static_cast<Index>(shape[axis]) : 1;
  };
  throw ShapeError(name, phrase::shape(size(tensor.shape, 0), size(tensor.shape, 1)),
                   phrase::shape_because(size(wanted, 0), size(wanted, 1),
                                         Wording(phrase::shape_of_model_parameter)));
}

}  // namespace

template <typename T>
std::vector<std::uint8_t> to_safetensors(const ParameterTable& table, InVector<T> values,
                                         const std::map<std::string, std::string>& metadata) {
  require_parameters_of<T>(table, values);
  FileTensors tensors;
  for (const ParameterInfo& info : table.entries()) {
    tensors.add<T>(info.name, shape_of(info), values.data() + info.offset);
  }
  return tensors.file(metadata);
}

template <typename T>
std::vector<std::uint8_t> to_int8_safetensors(const ParameterTable& table, InVector<T> values,
                                              const std::map<std::string, std::string>& metadata) {
  require_parameters_of<T>(table, values);
  FileTensors tensors;
  std::vector<std::pair<const ParameterInfo*, Matrix<std::int8_t>>> matrices;
  for (const ParameterInfo& info : table.entries()) {
    if (info.is_vector) {
      tensors.add<T>(info.name, shape_of(info), values.data() + info.offset);
      continue;
    }
    const Quantized<T> made = quantize<T>(view<T>(info, values));
    const Vector<float> scales = made.scales.col(0).template cast<float>();
    tensors.add<float>(scale_of(info.name), {info.rows}, scales.data());
    matrices.emplace_back(&info, made.codes().template cast<std::int8_t>());
  }
  for (const auto& [info, codes] : matrices) {
    tensors.add<std::int8_t>(info->name, shape_of(*info), codes.data());
  }
  return tensors.file(metadata);
}

SafeTensors read_safetensors(std::span<const std::uint8_t> bytes) {
  const auto cut_short = [&] {
    return ValueError("file", phrase::bytes_seen(static_cast<Index>(bytes.size())),
                      phrase::safetensors_whole);
  };
  if (bytes.size() < 8) throw cut_short();
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  if (length > bytes.size() - 8) throw cut_short();
  const std::size_t header_size = static_cast<std::size_t>(length);
  std::map<std::string, Header::Tensor> entries;
  SafeTensors made;
  Header({reinterpret_cast<const char*>(bytes.data()) + 8, header_size})
      .read(entries, made.metadata);
  const std::span<const std::uint8_t> data = bytes.subspan(8 + header_size);
  require_whole(entries, data.size());
  for (auto& [name, entry] : entries) {
    const auto type =
        std::find_if(std::begin(kNumberTypes), std::end(kNumberTypes),
                     [&, &entry = entry](const NumberType& one) { return one.name == entry.type; });
    if (type == std::end(kNumberTypes)) {
      throw ValueError(name, phrase::quoted(entry.type), phrase::safetensors_number_type);
    }
    const auto size = static_cast<std::uint64_t>(entry.places[1] - entry.places[0]);
    const std::optional<std::uint64_t> count = count_of(entry.shape, data.size());
    if (!count || *count * type->width != size) {
      throw ValueError(name, phrase::bytes_seen(static_cast<Index>(size)),
                       phrase::safetensors_whole);
    }
    SafeTensor tensor{std::move(entry.shape),
                      std::vector<double>(static_cast<std::size_t>(*count))};
    type->read(data.data() + entry.places[0], tensor.numbers);
    made.tensors.emplace(name, std::move(tensor));
  }
  return made;
}

template <typename T>
Vector<T> from_safetensors(const ParameterTable& table, std::span<const std::uint8_t> bytes) {
  return from_safetensors<T>(table, read_safetensors(bytes));
}

template <typename T>
Vector<T> from_safetensors(const ParameterTable& table, const SafeTensors& file) {
  Vector<T> values(table.size());
  // What belongs to no parameter is refused.
  std::size_t used = 0;
  for (const ParameterInfo& info : table.entries()) {
    const auto found = file.tensors.find(info.name);
    if (found == file.tensors.end()) {
      throw ValueError("file", phrase::none, phrase::tensor_of_name(info.name));
    }
    ++used;
    require_tensor(info.name, found->second, shape_of(info));
    Eigen::Map<Matrix<T>> to = edit<T>(info, values);
    to = Eigen::Map<const Matrix<double>>(found->second.numbers.data(), info.rows, info.cols)
             .template cast<T>();
    const std::string scale = scale_of(info.name);
    const auto scales = file.tensors.find(scale);
    if (info.is_vector || scales == file.tensors.end() || table.contains(scale)) continue;
    ++used;
    require_tensor(scale, scales->second, {info.rows});
    to.array().colwise() *=
        Eigen::Map<const Vector<double>>(scales->second.numbers.data(), info.rows)
            .template cast<T>()
            .array();
  }
  if (used == file.tensors.size()) return values;
  for (const auto& [name, tensor] : file.tensors) {
    const bool is_scale = name.size() > 6 && name.substr(name.size() - 6) == scale_of("") &&
                          table.contains(name.substr(0, name.size() - 6)) &&
                          !table.at(name.substr(0, name.size() - 6)).is_vector;
    if (!table.contains(name) && !is_scale) {
      throw ValueError("file", phrase::quoted(name), phrase::shape_of_model_parameter);
    }
  }
  return values;
}

#define ATTN_INSTANTIATE(T)                                                                        \
  template std::vector<std::uint8_t> to_safetensors<T>(const ParameterTable&, InVector<T>,         \
                                                       const std::map<std::string, std::string>&); \
  template std::vector<std::uint8_t> to_int8_safetensors<T>(                                       \
      const ParameterTable&, InVector<T>, const std::map<std::string, std::string>&);              \
  template Vector<T> from_safetensors<T>(const ParameterTable&, std::span<const std::uint8_t>);    \
  template Vector<T> from_safetensors<T>(const ParameterTable&, const SafeTensors&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
