#pragma once
// What Unicode says of characters, from the tables that core/tools/unicode.mjs writes. Private to
// the core. Modules that have to be small read texts with the functions for Latin letters, which
// need no table, and do not link this file's source.

#include <cstdint>
#include <string>
#include <string_view>

namespace attn::internal {

/// How a character is read when a text is split into words and marks.
enum class Kind : std::uint8_t {
  kWord,      ///< letters, numbers, connecting punctuation such as _, and what is not assigned
  kSpace,     ///< separators and control characters
  kMark,      ///< punctuation and symbols: each is a token
  kAlone,     ///< characters of Han, Hiragana and Katakana: each is a token
  kExtend,    ///< combining marks and vowel signs, which belong to what stands before them
  kIgnored,   ///< what is not seen: directions, soft hyphens
  kJoiner,    ///< U+200C and U+200D
  kModifier,  ///< the colours of skin
  kRegional,  ///< two make a flag
  kTag,       ///< letters within a flag
};

/// O(log of the table).
Kind kind_of(char32_t c);

/// A word as it is compared: full case folding, and composed canonically, so that Über and über,
/// ΣΑΣ and σας, é and e with an accent are the same (Unicode 15, D145 and D118). O(length·log).
std::string caseless(std::string_view word);

struct CodePoint {
  char32_t value;
  std::size_t bytes;
};

/// Reads one code point at `at`; a broken sequence gives U+FFFD and takes one byte.
CodePoint decode(std::string_view text, std::size_t at);
void append_utf8(char32_t c, std::string& to);

/// `decode` of U+0000 … U+00FF and U+2010 … U+2027; U+FFFD for every other character.
inline CodePoint decode_latin(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0U;
  };
  const unsigned lead = byte(0), second = byte(1), third = byte(2);
  if (lead < 0x80) return {lead, 1};
  if ((lead == 0xc2 || lead == 0xc3) && second >> 6 == 2)
    return {(lead & 3) << 6 | (second & 63), 2};
  if (lead == 0xe2 && second == 0x80 && third >= 0x90 && third <= 0xa7) return {0x1f80 + third, 3};
  return {0xfffd, 1};
}

/// `kind_of` of a character that `decode_latin` knows.
constexpr Kind latin_kind(char32_t c) {
  if (c >= 0x2010) return Kind::kMark;
  if (c <= 0x20 || (c >= 0x7f && c <= 0xa0)) return Kind::kSpace;
  if (c == 0xad) return Kind::kIgnored;
  const char32_t lower = c | 0x20;
  if ((c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || c == '_') return Kind::kWord;
  if (c >= 0xc0) return c == 0xd7 || c == 0xf7 ? Kind::kMark : Kind::kWord;
  // ª ² ³ µ ¹ º ¼ ½ ¾, a bit for each from ª on
  return c >= 0xaa && (0x1d8b01 >> (c - 0xaa) & 1) != 0 ? Kind::kWord : Kind::kMark;
}

/// `caseless` of a word with no other characters than `decode_latin` knows, byte by byte.
inline std::string caseless_latin(std::string_view word) {
  std::string made;
  char before = 0;
  for (char c : word) {
    const bool high = before == '\xc3';
    if (high && c == '\x9f') {
      made.back() = 's';
      made += 's';
    } else if (before == '\xc2' && c == '\xb5') {
      made.back() = '\xce';
      made += '\xbc';
    } else {
      const bool upper = high ? c <= '\x9e' && c != '\x97' : c >= 'A' && c <= 'Z';
      made += upper ? static_cast<char>(c + 0x20) : c;
    }
    before = c;
  }
  return made;
}

}  // namespace attn::internal
