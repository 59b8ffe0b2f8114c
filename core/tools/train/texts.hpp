#pragma once
// The texts as tokens.

#include <cstdint>
#include <string>
#include <vector>

#include "attn/models/tokenizer.hpp"

namespace attn::train {

struct Texts {
  Tokenizer tokenizer;
  /// All sections for training, one after the other.
  std::vector<std::int32_t> training;
  /// The sections that are kept out of it, by the text that they are from.
  struct HeldOut {
    std::string title;
    std::vector<std::vector<std::int32_t>> sections;
  };
  std::vector<HeldOut> held_out;
};

/// How many characters UTF-8 text has.
std::size_t characters_in(const std::string& text);

/// The whole file. @throws std::runtime_error where there is none.
std::string file_of(const std::string& path);

/// `training.txt`, and each `held-out/<title>.txt` with sections between form feeds, in `folder`,
/// as tests/tools/train.mjs writes them.
Texts texts_in(const std::string& folder, Index merges);

}  // namespace attn::train
