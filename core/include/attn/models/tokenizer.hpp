#pragma once
// From text to tokens and back: characters, or pairs of them that were merged because they are
// frequent.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

/// Byte pairs (Sennrich et al. 2016, arXiv:1508.07909, algorithm 1), over the characters of a text:
/// of all neighbouring tokens the most frequent pair becomes one token, again and again. Without
/// merges it is a vocabulary of characters.
class Tokenizer {
 public:
  /// The characters of `text` in the order of their code, and `merges` tokens more. Of equally
  /// frequent pairs the one of the smaller numbers comes first; pairs that occur once are not
  /// merged, so there may be fewer. A merge never crosses the end of a word: white space begins a
  /// new one. Broken UTF-8 is taken byte by byte. O(length + merges·(w + vocabulary²)) for
  /// different words of w characters together, a table of vocabulary² counts.
  /// @throws ValueError for an empty text or merges outside 0 … 4,096.
  explicit Tokenizer(std::string_view text, Index merges = 0);
  /// The one that `characters()` and `merges()` describe. O(vocabulary).
  /// @throws ValueError unless the characters are single ones in the order of their code, each
  /// once, and each pair is of tokens before it and in one word.
  Tokenizer(std::string_view characters, std::vector<std::pair<std::int32_t, std::int32_t>> merges);

  Index vocabulary() const { return static_cast<Index>(texts_.size()); }
  /// What a token stands for. @throws ValueError for a token that is not there.
  const std::string& text_of(std::int32_t token) const;
  /// The characters, one behind the other in the order of their tokens.
  std::string characters() const;
  /// The pairs in the order in which they were merged; pair i became token characters + i.
  const std::vector<std::pair<std::int32_t, std::int32_t>>& merges() const { return merges_; }

  /// Merges in the order in which they were learned. O(length + merges·w), as above.
  /// @throws ValueError for a character that the text it was made from did not have, with its
  /// place.
  std::vector<std::int32_t> encode(std::string_view text) const;
  /// `decode(encode(text))` is `text`. @throws ValueError for a token that is not there.
  std::string decode(std::span<const std::int32_t> tokens) const;

 private:
  std::int32_t character(const std::string& text, Index place) const;
  void add(const std::pair<std::int32_t, std::int32_t>& pair);

  std::vector<std::string> texts_;
  std::vector<std::pair<std::int32_t, std::int32_t>> merges_;
  Index characters_ = 0;
};

}  // namespace attn
