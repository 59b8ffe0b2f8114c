#include "attn/models/tokenizer.hpp"

#include <algorithm>
#include <set>

#include "attn/base/errors.hpp"
#include "attn/models/phrases.hpp"

namespace attn {
namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

/// The characters of UTF-8 text; a byte that begins none is one by itself.
std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> made;
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    std::size_t size = first < 0x80       ? 1
                       : first >> 5 == 6  ? 2
                       : first >> 4 == 14 ? 3
                       : first >> 3 == 30 ? 4
                                          : 1;
    for (std::size_t i = 1; i < size; ++i) {
      if (at + i >= text.size() || (static_cast<unsigned char>(text[at + i]) >> 6) != 2) size = 1;
    }
    made.emplace_back(text.substr(at, size));
    at += size;
  }
  return made;
}

bool is_space(const std::string& text) {
  return text == " " || text == "\n" || text == "\t" || text == "\r";
}

/// Replaces each `pair` by `token`, from the left.
void merge(const Pair& pair, std::int32_t token, std::vector<std::int32_t>& tokens) {
  std::size_t to = 0;
  for (std::size_t from = 0; from < tokens.size(); ++from, ++to) {
    const bool found =
        from + 1 < tokens.size() && tokens[from] == pair.first && tokens[from + 1] == pair.second;
    tokens[to] = found ? token : tokens[from];
    if (found) ++from;
  }
  tokens.resize(to);
}

}  // namespace

Tokenizer::Tokenizer(std::string_view text, Index merges) {
  if (text.empty()) throw ValueError("text", phrase::empty, phrase::at_least_one_token);
  if (merges < 0 || merges > 4096) {
    throw ValueError("merges", phrase::number(merges), phrase::range(0, 4096));
  }
  const std::vector<std::string> characters = characters_of(text);
  const std::set<std::string> different(characters.begin(), characters.end());
  texts_.assign(different.begin(), different.end());
  characters_ = vocabulary();
  std::vector<std::int32_t> tokens = encode(text);
  std::vector<std::uint8_t> begins_word;
  for (const std::string& one : texts_) begins_word.push_back(is_space(one.substr(0, 1)) ? 1 : 0);
  std::vector<std::uint32_t> counts;
  for (Index i = 0; i < merges; ++i) {
    // A table with a cell for each pair, in the order of the pairs, so that the first of the most
    // frequent is that of the smaller numbers.
    const auto kinds = static_cast<std::size_t>(vocabulary());
    counts.assign(kinds * kinds, 0);
    for (std::size_t t = 0; t + 1 < tokens.size(); ++t) {
      const auto second = static_cast<std::size_t>(tokens[t + 1]);
      // White space begins a token and never follows inside one.
      if (begins_word[second] == 0) ++counts[static_cast<std::size_t>(tokens[t]) * kinds + second];
    }
    const auto most = std::max_element(counts.begin(), counts.end());
    if (*most < 2) break;
    const auto cell = static_cast<std::size_t>(most - counts.begin());
    const Pair best{static_cast<std::int32_t>(cell / kinds),
                    static_cast<std::int32_t>(cell % kinds)};
    const auto token = static_cast<std::int32_t>(vocabulary());
    merges_.push_back(best);
    texts_.push_back(text_of(best.first) + text_of(best.second));
    begins_word.push_back(begins_word[static_cast<std::size_t>(best.first)]);
    merge(merges_.back(), token, tokens);
  }
}

const std::string& Tokenizer::text_of(std::int32_t token) const {
  if (token < 0 || token >= vocabulary()) {
    throw ValueError("token", phrase::number(token), phrase::range(0, vocabulary() - 1));
  }
  return texts_[static_cast<std::size_t>(token)];
}

std::vector<std::int32_t> Tokenizer::encode(std::string_view text) const {
  const auto last = texts_.begin() + characters_;
  std::vector<std::int32_t> tokens;
  for (const std::string& character : characters_of(text)) {
    const auto found = std::lower_bound(texts_.begin(), last, character);
    if (found == last || *found != character) {
      throw ValueError("text", phrase::quoted(character),
                       phrase::character_of_the_text(static_cast<Index>(tokens.size())));
    }
    tokens.push_back(static_cast<std::int32_t>(found - texts_.begin()));
  }
  for (std::size_t i = 0; i < merges_.size(); ++i) {
    merge(merges_[i], static_cast<std::int32_t>(characters_ + static_cast<Index>(i)), tokens);
  }
  return tokens;
}

std::string Tokenizer::decode(std::span<const std::int32_t> tokens) const {
  std::string text;
  for (const std::int32_t token : tokens) text += text_of(token);
  return text;
}

}  // namespace attn
