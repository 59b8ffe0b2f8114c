#include "attn/models/model_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "attn/base/errors.hpp"
#include "attn/models/phrases.hpp"
#include "attn/nn/activation.hpp"

namespace attn {
namespace {

using Metadata = std::map<std::string, std::string>;

/// Names in the order of the enumeration.
constexpr std::array<std::string_view, 4> kSeen = {"earlier", "all", "later", "strictlyLater"};
constexpr std::array<std::string_view, 2> kNorms = {"layer", "rms"};

std::string text_of_number(double x) {
  // Seventeen digits tell every two numbers apart.
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

/// The words of a text between single spaces.
std::vector<std::string> spaced_words(const std::string& text) {
  std::vector<std::string> made;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find(' ', from), text.size());
    made.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return made;
}

[[noreturn]] void refuse_entry(const std::string& name, const std::string& text,
                               const Wording& wanted) {
  throw ValueError(name, phrase::quoted(text), wanted);
}

template <typename Whole>
Whole whole_in(const std::string& name, const std::string& text) {
  Whole value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end) refuse_entry(name, text, phrase::one_whole_number);
  return value;
}

double number_in(const std::string& name, const std::string& text) {
  char* stopped = nullptr;
  const double value = std::strtod(text.c_str(), &stopped);
  if (text.empty() || stopped != text.c_str() + text.size() || !std::isfinite(value)) {
    refuse_entry(name, text, phrase::finite_number);
  }
  return value;
}

/// Writes every member into metadata.
class MetadataWriter {
 public:
  explicit MetadataWriter(Metadata& to) : to_(to) {}

  void operator()(const std::string& name, bool value) { to_[name] = value ? "1" : "0"; }
  void operator()(const std::string& name, Index value) { to_[name] = std::to_string(value); }
  void operator()(const std::string& name, std::uint64_t value) {
    to_[name] = std::to_string(value);
  }
  void operator()(const std::string& name, double value) { to_[name] = text_of_number(value); }
  void operator()(const std::string& name, const std::string& value) { to_[name] = value; }
  void operator()(const std::string& name,
                  const std::vector<std::pair<std::string, double>>& value) {
    std::string text;
    for (const auto& [parameter, x] : value) {
      text += (text.empty() ? "" : " ") + parameter + ' ' + text_of_number(x);
    }
    to_[name] = text;
  }
  /// Most models leave it at 0, and their files do not name it.
  void unless_zero(const std::string& name, Index value) {
    if (value != 0) (*this)(name, value);
  }
  template <typename Choice>
  void choice(const std::string& name, Choice value, std::span<const std::string_view> names) {
    to_[name] = names[static_cast<std::size_t>(value)];
  }

 private:
  Metadata& to_;
};

/// Reads every member from metadata.
class MetadataReader {
 public:
  explicit MetadataReader(const Metadata& from) : from_(from) {}

  void operator()(const std::string& name, bool& value) {
    const auto number = whole_in<Index>(name, text(name));
    if (number != 0 && number != 1) {
      throw ValueError(name, phrase::number(number), phrase::range(0, 1));
    }
    value = number == 1;
  }
  void operator()(const std::string& name, Index& value) {
    value = whole_in<Index>(name, text(name));
  }
  void operator()(const std::string& name, std::uint64_t& value) {
    value = whole_in<std::uint64_t>(name, text(name));
  }
  void operator()(const std::string& name, double& value) { value = number_in(name, text(name)); }
  void operator()(const std::string& name, std::string& value) { value = text(name); }
  void operator()(const std::string& name, std::vector<std::pair<std::string, double>>& value) {
    const std::vector<std::string> words = spaced_words(text(name));
    if (words.size() % 2 != 0) refuse_entry(name, text(name), phrase::names_and_numbers);
    value.clear();
    for (std::size_t i = 0; i < words.size(); i += 2) {
      value.emplace_back(words[i], number_in(name, words[i + 1]));
    }
  }
  void unless_zero(const std::string& name, Index& value) {
    value = 0;
    if (from_.contains(name)) (*this)(name, value);
  }
  template <typename Choice>
  void choice(const std::string& name, Choice& value, std::span<const std::string_view> names) {
    const std::string& given = text(name);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == given) return void(value = static_cast<Choice>(i));
    }
    throw ValueError(name, phrase::quoted(given),
                     phrase::one_of(std::vector<std::string>(names.begin(), names.end())));
  }

 private:
  const std::string& text(const std::string& name) const {
    const auto found = from_.find(name);
    if (found != from_.end()) return found->second;
    throw ValueError("file", phrase::none, phrase::metadata_of_name(name));
  }

  const Metadata& from_;
};

/// Every option of a model that decides what its parameters mean, once for both directions.
template <typename Options, typename Visitor>
void visit_options(Options& options, Visitor visitor) {
  visitor("model.vocabulary", options.vocabulary);
  visitor("model.d_model", options.d_model);
  visitor("model.layers", options.layers);
  visitor("model.length", options.length);
  visitor.choice("model.sees", options.sees, kSeen);
  visitor("model.positions", options.positions);
  visitor.choice("model.norm", options.norm, kNorms);
  visitor("model.feed_forward", options.feed_forward);
  visitor("model.gated", options.gated);
  visitor.choice("model.activation", options.activation, activation_names());
  visitor("model.tied", options.tied);
  visitor("model.embedding_size", options.embedding_size);
  for (std::size_t i = 0; i < options.mixers.size(); ++i) {
    const std::string name = "model.mixer." + std::to_string(i) + '.';
    auto& mixer = options.mixers[i];
    visitor(name + "id", mixer.id);
    visitor(name + "heads", mixer.heads);
    visitor(name + "d_k", mixer.d_k);
    visitor.unless_zero(name + "kv_heads", mixer.kv_heads);
    visitor(name + "bias", mixer.bias);
    visitor(name + "feature_map", mixer.feature_map);
    visitor(name + "seed", mixer.seed);
    visitor(name + "parameters", mixer.parameters);
  }
}

}  // namespace

Metadata metadata_of(const LanguageModelOptions& options) {
  Metadata made;
  MetadataWriter writer(made);
  writer("model.mixers", static_cast<Index>(options.mixers.size()));
  visit_options(options, writer);
  return made;
}

LanguageModelOptions model_options_of(const Metadata& metadata) {
  LanguageModelOptions made;
  Index mixers = 0;
  MetadataReader reader(metadata);
  reader("model.mixers", mixers);
  if (mixers < 1 || mixers > kMostLayers) {
    throw ValueError("model.mixers", phrase::number(mixers), phrase::range(1, kMostLayers));
  }
  made.mixers.resize(static_cast<std::size_t>(mixers));
  visit_options(made, reader);
  return made;
}

Metadata metadata_of(const Tokenizer& tokenizer) {
  std::string merges;
  for (const auto& [first, second] : tokenizer.merges()) {
    merges += (merges.empty() ? "" : " ") + std::to_string(first) + ' ' + std::to_string(second);
  }
  return {{"tokenizer.characters", tokenizer.characters()}, {"tokenizer.merges", merges}};
}

Tokenizer tokenizer_of(const Metadata& metadata) {
  std::string characters, merges;
  MetadataReader reader(metadata);
  reader("tokenizer.characters", characters);
  reader("tokenizer.merges", merges);
  const std::vector<std::string> words = spaced_words(merges);
  if (words.size() % 2 != 0)
    refuse_entry("tokenizer.merges", words.back(), phrase::two_numbers_each_pair);
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    pairs.emplace_back(whole_in<std::int32_t>("tokenizer.merges", words[i]),
                       whole_in<std::int32_t>("tokenizer.merges", words[i + 1]));
  }
  return {characters, std::move(pairs)};
}

template <typename T>
std::vector<std::uint8_t> to_model_file(const LanguageModel<T>& model, StoredNumbers numbers,
                                        Metadata metadata) {
  metadata.merge(metadata_of(model.options()));
  return numbers == StoredNumbers::kInt8
             ? to_int8_safetensors<T>(model.table(), model.parameters(), metadata)
             : to_safetensors<T>(model.table(), model.parameters(), metadata);
}

template <typename T>
LanguageModel<T> model_from_file(std::span<const std::uint8_t> bytes) {
  return model_from_file<T>(read_safetensors(bytes));
}

template <typename T>
LanguageModel<T> model_from_file(const SafeTensors& file) {
  LanguageModel<T> model(model_options_of(file.metadata));
  model.parameters() = from_safetensors<T>(model.table(), file);
  return model;
}

#define ATTN_INSTANTIATE(T)                                                                   \
  template std::vector<std::uint8_t> to_model_file<T>(const LanguageModel<T>&, StoredNumbers, \
                                                      Metadata);                              \
  template LanguageModel<T> model_from_file<T>(std::span<const std::uint8_t>);                \
  template LanguageModel<T> model_from_file<T>(const SafeTensors&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
