#pragma once
// Makes Q, K and V without a trained model.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "attn/base/tensor.hpp"

namespace attn {

template <typename T = float>
struct Qkv {
  /// n×d_k, m×d_k, m×d_v
  Matrix<T> Q, K, V;
};

/// Independent N(0, 1) entries. Q, K and V have their own streams, so changing d_v or n leaves the
/// other entries unchanged. m = n. O(n·(d_k + d_v)).
/// @throws ValueError unless n, d_k, d_v ≥ 1.
template <typename T = float>
Qkv<T> gaussian_qkv(Index n, Index d_k, Index d_v, std::uint64_t seed);

/// Splits UTF-8 text into words and single marks, by the general categories of Unicode 15. White
/// space and control characters separate. Letters, numbers, combining marks, apostrophes inside
/// words and connecting punctuation (_) belong to words; every other punctuation mark and symbol of
/// every script is a token, as is each character of Han, Hiragana and Katakana. What is not seen
/// (format characters, such as directions and soft hyphens) is left out. The joiners U+200C and
/// U+200D stay between letters, and within an emoji, which is one token with its colour, as a flag
/// is. Scripts that are written without spaces, such as Thai, are not split. Broken UTF-8 is read
/// as U+FFFD, a letter. O(bytes).
std::vector<std::string> tokenize(std::string_view text);

/// A word as it is compared with others, also in `text_qkv` and `LongText`: full case folding and
/// NFC, so that Über and über, ΣΑΣ and σας are one word, with composed characters or without.
/// O(bytes).
std::string caseless_word(std::string_view word);

template <typename T = float>
struct TextQkv : Qkv<T> {
  std::vector<std::string> tokens;
};

/// Q, K, V of a sentence, untrained: x_i = (e(token_i) + p(i))/√2 with a seeded Gaussian embedding
/// e (the same for a word wherever it stands, as `caseless_word` compares words) and the sinusoidal
/// position code p of Vaswani et al. 2017, scaled to unit variance; Q = XW_q, K = XW_k,
/// V = XW_v with seeded Gaussian matrices of variance 1/d_k, W_k correlated 0.8 with W_q. So equal
/// words attract each other and so do neighbours; nothing else is meant by it. n is the number of
/// tokens. n·d_k·(2·d_k + d_v) multiply-adds, d_k·(n + 2·d_k + d_v) Gaussian numbers, O(bytes) for
/// the text.
/// @throws ValueError for a text without tokens or with more than `max_tokens`, or d_k or d_v < 1.
template <typename T = float>
TextQkv<T> text_qkv(std::string_view text, Index d_k, Index d_v, std::uint64_t seed,
                    Index max_tokens);

/// Whether every character of the text is one of U+0000 … U+00FF or U+2010 … U+2027. O(bytes).
bool is_latin_text(std::string_view text);

/// `text_qkv` of a text of `is_latin_text`, to the same bits. It needs no table of Unicode, for
/// modules that have to be small, and does not look whether the text is such a one.
/// @throws as `text_qkv`
template <typename T = float>
TextQkv<T> latin_text_qkv(std::string_view text, Index d_k, Index d_v, std::uint64_t seed,
                          Index max_tokens);

/// A text so long that its Q, K and V are made a few rows at a time: a book by chapters. The rows
/// are those of `text_qkv` for the sections one after another, up to rounding.
template <typename T = float>
class LongText {
 public:
  /// O(bytes), and 16 bytes for each token.
  /// @throws ValueError for sections without a token, for sections of more than 4 GiB together, or
  /// d_k or d_v < 1.
  LongText(std::vector<std::string> sections, Index d_k, Index d_v, std::uint64_t seed);

  Index tokens() const { return static_cast<Index>(tokens_.size()); }
  Index d_k() const { return weights_q_.rows(); }
  Index d_v() const { return weights_v_.cols(); }
  /// The section of a token; for `tokens()` the last one.
  /// @throws ValueError unless 0 ≤ token ≤ tokens()
  Index section_of(Index token) const;
  /// The text from one token to before another, as it was written, without what is in another
  /// section than the last of them. O(its bytes).
  /// @throws ValueError unless 0 ≤ first ≤ last ≤ tokens()
  std::string words(Index first, Index last) const;
  /// Rows `first` to before `last`. (last − first)·d_k·(2·d_k + d_v) multiply-adds.
  /// @throws as `words`
  Qkv<T> rows(Index first, Index last) const;

 private:
  struct Token {
    std::uint64_t hash;
    /// The place in its section.
    std::uint32_t begin, end;
  };

  void require_range(Index first, Index last) const;

  std::vector<std::string> sections_;
  std::vector<Token> tokens_;
  /// The first token of each section, and behind the last the number of tokens.
  std::vector<Index> starts_;
  std::uint64_t seed_;
  Matrix<T> weights_q_, weights_k_, weights_v_;
};

}  // namespace attn
