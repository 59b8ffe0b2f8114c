#pragma once
// A language model as one file that needs nothing beside it: a .safetensors file whose metadata
// say how the model is built and which tokens it knows.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attn/models/language_model.hpp"
#include "attn/models/safetensors.hpp"
#include "attn/models/tokenizer.hpp"

namespace attn {

/// How the numbers of a file are stored.
enum class StoredNumbers {
  kExact,  ///< as they are: `to_safetensors`
  kInt8,   ///< `to_int8_safetensors`
};

/// The options of a model as metadata, one entry each: "model.layers" is "4",
/// "model.mixer.0.parameters" is "rotary 1". Numbers are exact. O(layers).
std::map<std::string, std::string> metadata_of(const LanguageModelOptions& options);
/// The options that `metadata_of` wrote. Others that stand there are left alone.
/// @throws ValueError naming the entry for one that is missing, or is not what it should be.
LanguageModelOptions model_options_of(const std::map<std::string, std::string>& metadata);

/// "tokenizer.characters" and "tokenizer.merges", two numbers for each pair.
std::map<std::string, std::string> metadata_of(const Tokenizer& tokenizer);
/// @throws ValueError naming the entry, as above, and as `Tokenizer`.
Tokenizer tokenizer_of(const std::map<std::string, std::string>& metadata);

/// A file from which `model_from_file` makes the same model: bit for bit with kExact, with kInt8
/// one whose every matrix is off by half a code at most. `metadata` is kept beside. O(size).
/// @throws ValueError for kInt8 and numbers that are not finite.
template <typename T = float>
std::vector<std::uint8_t> to_model_file(const LanguageModel<T>& model, StoredNumbers numbers,
                                        std::map<std::string, std::string> metadata = {});

/// The model of a file. O(size).
/// @throws as `read_safetensors`, `model_options_of`, `LanguageModel` and `from_safetensors`.
template <typename T = float>
LanguageModel<T> model_from_file(std::span<const std::uint8_t> bytes);
template <typename T = float>
LanguageModel<T> model_from_file(const SafeTensors& file);

}  // namespace attn
