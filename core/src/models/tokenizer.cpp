#include "attn/models/tokenizer.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "attn/base/errors.hpp"
#include "attn/models/phrases.hpp"

namespace attn {
namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

constexpr Index kMostMerges = 4096;

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

/// A word of a text as tokens, and how often the text has it.
struct Word {
  std::vector<std::int32_t> tokens;
  std::uint32_t count = 0;
};

/// The different words of a text, and which it has one after the other: no merge crosses the end of
/// a word, so that each has to be merged once.
struct Words {
  std::vector<Word> different;
  std::vector<std::size_t> text;
};

/// `token_of(character, place)` is the token of a character; it is asked once for each word.
template <typename TokenOf>
Words words_of(const std::vector<std::string>& characters, TokenOf token_of) {
  Words made;
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t from = 0, to = 0; from < characters.size(); from = to) {
    std::string text;
    // White space begins a word.
    do {
      text += characters[to++];
    } while (to < characters.size() && !is_space(characters[to]));
    const auto [place, is_new] = places.emplace(std::move(text), made.different.size());
    if (is_new) {
      Word& word = made.different.emplace_back();
      for (std::size_t i = from; i < to; ++i) {
        word.tokens.push_back(token_of(characters[i], static_cast<Index>(i)));
      }
    }
    ++made.different[place->second].count;
    made.text.push_back(place->second);
  }
  return made;
}

}  // namespace

Tokenizer::Tokenizer(std::string_view text, Index merges) {
  if (text.empty()) throw ValueError("text", phrase::empty, phrase::at_least_one_token);
  if (merges < 0 || merges > kMostMerges) {
    throw ValueError("merges", phrase::number(merges), phrase::range(0, kMostMerges));
  }
  const std::vector<std::string> characters = characters_of(text);
  const std::set<std::string> different(characters.begin(), characters.end());
  texts_.assign(different.begin(), different.end());
  characters_ = vocabulary();
  if (merges == 0) return;
  Words words = words_of(
      characters, [&](const std::string& one, Index place) { return character(one, place); });
  std::vector<std::uint32_t> counts;
  for (Index i = 0; i < merges; ++i) {
    // A table with a cell for each pair, in the order of the pairs, so that the first of the most
    // frequent is that of the smaller numbers.
    const auto kinds = static_cast<std::size_t>(vocabulary());
    counts.assign(kinds * kinds, 0);
    for (const Word& word : words.different) {
      for (std::size_t t = 0; t + 1 < word.tokens.size(); ++t) {
        counts[static_cast<std::size_t>(word.tokens[t]) * kinds +
               static_cast<std::size_t>(word.tokens[t + 1])] += word.count;
      }
    }
    const auto most = std::max_element(counts.begin(), counts.end());
    if (*most < 2) break;
    const auto cell = static_cast<std::size_t>(most - counts.begin());
    const auto token = static_cast<std::int32_t>(vocabulary());
    add({static_cast<std::int32_t>(cell / kinds), static_cast<std::int32_t>(cell % kinds)});
    for (Word& word : words.different) merge(merges_.back(), token, word.tokens);
  }
}

Tokenizer::Tokenizer(std::string_view characters, std::vector<Pair> merges) {
  if (characters.empty()) throw ValueError("characters", phrase::empty, phrase::at_least_one_token);
  if (merges.size() > static_cast<std::size_t>(kMostMerges)) {
    throw ValueError("merges", phrase::number(static_cast<Index>(merges.size())),
                     phrase::range(0, kMostMerges));
  }
  texts_ = characters_of(characters);
  for (std::size_t i = 1; i < texts_.size(); ++i) {
    if (!(texts_[i - 1] < texts_[i])) {
      throw ValueError("characters", phrase::quoted(texts_[i]), phrase::characters_in_order);
    }
  }
  characters_ = vocabulary();
  for (const Pair& pair : merges) {
    for (const std::int32_t token : {pair.first, pair.second}) {
      if (token < 0 || token >= vocabulary()) {
        throw ValueError("merges", phrase::number(token), phrase::range(0, vocabulary() - 1));
      }
    }
    if (is_space(text_of(pair.second).substr(0, 1))) {
      throw ValueError("merges", phrase::number(pair.second), phrase::second_within_word);
    }
    add(pair);
  }
}

void Tokenizer::add(const Pair& pair) {
  merges_.push_back(pair);
  texts_.push_back(text_of(pair.first) + text_of(pair.second));
}

std::string Tokenizer::characters() const {
  std::string all;
  for (Index i = 0; i < characters_; ++i) all += texts_[static_cast<std::size_t>(i)];
  return all;
}

std::int32_t Tokenizer::character(const std::string& text, Index place) const {
  const auto last = texts_.begin() + characters_;
  const auto found = std::lower_bound(texts_.begin(), last, text);
  if (found == last || *found != text) {
    throw ValueError("text", phrase::quoted(text), phrase::character_of_the_text(place));
  }
  return static_cast<std::int32_t>(found - texts_.begin());
}

const std::string& Tokenizer::text_of(std::int32_t token) const {
  if (token < 0 || token >= vocabulary()) {
    throw ValueError("token", phrase::number(token), phrase::range(0, vocabulary() - 1));
  }
  return texts_[static_cast<std::size_t>(token)];
}

std::vector<std::int32_t> Tokenizer::encode(std::string_view text) const {
  Words words = words_of(characters_of(text), [&](const std::string& one, Index place) {
    return character(one, place);
  });
  for (Word& word : words.different) {
    for (std::size_t i = 0; i < merges_.size() && word.tokens.size() > 1; ++i) {
      merge(merges_[i], static_cast<std::int32_t>(characters_ + static_cast<Index>(i)),
            word.tokens);
    }
  }
  std::vector<std::int32_t> tokens;
  for (const std::size_t place : words.text) {
    const std::vector<std::int32_t>& word = words.different[place].tokens;
    tokens.insert(tokens.end(), word.begin(), word.end());
  }
  return tokens;
}

std::string Tokenizer::decode(std::span<const std::int32_t> tokens) const {
  std::string text;
  for (const std::int32_t token : tokens) text += text_of(token);
  return text;
}

}  // namespace attn
