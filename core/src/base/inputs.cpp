#include "attn/base/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "base/product.hpp"
#include "base/streams.hpp"
#include "base/unicode.hpp"

namespace attn {
namespace {

using internal::CodePoint;
using internal::Kind;
using internal::kKeyStream;
using internal::kQueryStream;
using internal::kValueStream;
using internal::kWordStreams;

void require_positive(std::string_view name, Index value) {
  if (value < 1) throw ValueError(name, phrase::number(value), phrase::at_least(1));
}

bool is_apostrophe(char32_t c) { return c == '\'' || c == 0x2019; }

/// How characters are read: all of Unicode.
struct EveryCharacter {
  static constexpr bool kIsLatin = false;
  static CodePoint decode(std::string_view text, std::size_t at) {
    return internal::decode(text, at);
  }
  static Kind kind(char32_t c) { return internal::kind_of(c); }
  static std::string key(std::string_view word) { return internal::caseless(word); }
};

/// Latin letters alone, without tables.
struct LatinCharacters {
  static constexpr bool kIsLatin = true;
  static CodePoint decode(std::string_view text, std::size_t at) {
    return internal::decode_latin(text, at);
  }
  static Kind kind(char32_t c) { return internal::latin_kind(c); }
  static std::string key(std::string_view word) { return internal::caseless_latin(word); }
};

/// FNV-1a of the word as it is compared: "Über" and "über" are one word.
template <typename Characters>
std::uint64_t word_hash(std::string_view word) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : Characters::key(word)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return hash;
}

/// Sinusoidal position codes of width d, scaled to a mean square of 1.
class PositionCodes {
 public:
  explicit PositionCodes(Index d) {
    for (Index k = 0; k < d; ++k) {
      const double exponent = static_cast<double>(k - k % 2) / static_cast<double>(d);
      wavelengths_.push_back(std::pow(10000.0, exponent));
    }
  }

  template <typename T>
  void add(Index position, internal::Out<T> row) const {
    for (Index k = 0; k < row.cols(); ++k) {
      const double angle =
          static_cast<double>(position) / wavelengths_[static_cast<std::size_t>(k)];
      const double code = k % 2 == 0 ? std::sin(angle) : std::cos(angle);
      row(0, k) += static_cast<T>(std::numbers::sqrt2 * code);
    }
  }

 private:
  std::vector<double> wavelengths_;
};

/// The seeded matrices that make Q, K and V of a text.
template <typename T>
struct TextWeights {
  Matrix<T> W_q, W_k, W_v;

  TextWeights(Index d_k, Index d_v, std::uint64_t seed) {
    const T deviation = 1 / std::sqrt(static_cast<T>(d_k));
    W_q = deviation * Rng(seed, kQueryStream).gaussian_matrix<T>(d_k, d_k);
    W_k = T(0.8) * W_q + T(0.6) * deviation * Rng(seed, kKeyStream).gaussian_matrix<T>(d_k, d_k);
    W_v = deviation * Rng(seed, kValueStream).gaussian_matrix<T>(d_k, d_v);
  }
};

/// The row of a token: its embedding and the code of its position.
template <typename T>
void embed(std::uint64_t hash, Index position, std::uint64_t seed, const PositionCodes& codes,
           internal::Out<T> row) {
  row = Rng(seed, kWordStreams + hash).gaussian_matrix<T>(1, row.cols());
  codes.add<T>(position, row);
  row /= std::numbers::sqrt2_v<T>;
}

/// Calls `found(token, begin, end)` for each token. Its bytes are those from begin to before end,
/// but for broken UTF-8 and for characters that are not seen.
template <typename Characters, typename Found>
void each_token(std::string_view text, Found found) {
  /// What the token that is being read is.
  enum State { kNothing, kInWord, kInMark, kInFlag } state = kNothing;
  std::string token;
  std::size_t begin = 0, end = 0;
  // Whether the last character joins the next mark to this one, as in emoji of several people.
  bool glued = false;
  Kind last = Kind::kSpace;
  const auto kind_at = [text](std::size_t at) {
    // What follows the text separates like a space.
    return at < text.size() ? Characters::kind(Characters::decode(text, at).value) : Kind::kSpace;
  };
  for (std::size_t at = 0, next = 0; at <= text.size(); at = next) {
    const CodePoint here = Characters::decode(text, at);
    const Kind kind = kind_at(at);
    next = at + here.bytes;
    // What the token is with this character, and whether it goes on with it.
    State now = kNothing;
    bool goes_on = false, glues = false;
    // "don't" is one word; a quotation mark after a word is not part of it.
    if (kind == Kind::kWord ||
        (is_apostrophe(here.value) && state == kInWord && kind_at(next) == Kind::kWord)) {
      now = kInWord;
      goes_on = state == kInWord;
    } else if (kind == Kind::kMark || kind == Kind::kAlone) {
      now = kInMark;
      goes_on = glued;
    } else if (kind == Kind::kIgnored) {
      continue;
    } else if constexpr (!Characters::kIsLatin) {
      const Kind after = kind_at(next);
      if (kind == Kind::kExtend) {
        goes_on = state != kNothing;
        now = goes_on ? state : kInWord;
      } else if (kind == Kind::kModifier) {
        now = kInMark;
        goes_on = state == kInMark;
      } else if (kind == Kind::kRegional) {
        goes_on = state == kInFlag;
        now = goes_on ? kInMark : kInFlag;
      } else if (kind == Kind::kTag) {
        if (state != kInMark) continue;
        now = kInMark;
        goes_on = true;
      } else if (kind == Kind::kJoiner) {
        // Persian and Indic scripts need them between letters, and after the last one where a mark
        // says how it is joined; elsewhere they are not seen.
        const bool between =
            last == Kind::kExtend || after == Kind::kWord || after == Kind::kExtend;
        glues = state == kInMark && here.value == 0x200d && after == Kind::kMark;
        if (!glues && !(state == kInWord && between)) continue;
        now = state;
        goes_on = true;
      }
    }
    if (!goes_on) {
      if (state != kNothing) found(std::move(token), begin, end);
      token.clear();
      begin = at;
    }
    state = now;
    glued = glues;
    last = kind;
    if (now == kNothing) continue;
    const std::string_view bytes = text.substr(at, here.bytes);
    // A replacement character stands where bytes are broken.
    const bool broken = !Characters::kIsLatin && bytes.size() == 1 && (bytes[0] & 0x80) != 0;
    token += broken ? std::string_view("\xef\xbf\xbd") : bytes;
    end = next;
  }
}

/// Q, K and V of `text`, of which `Characters` knows every character.
template <typename Characters, typename T>
TextQkv<T> qkv_of(std::string_view text, Index d_k, Index d_v, std::uint64_t seed,
                  Index max_tokens) {
  require_positive("d_k", d_k);
  require_positive("d_v", d_v);
  TextQkv<T> result;
  each_token<Characters>(text, [&](std::string&& token, std::size_t, std::size_t) {
    result.tokens.push_back(std::move(token));
  });
  const Index n = static_cast<Index>(result.tokens.size());
  if (n == 0) throw ValueError("text", phrase::empty, phrase::at_least_one_word);
  if (n > max_tokens) {
    throw ValueError("text", phrase::tokens_seen(n), phrase::at_most(max_tokens));
  }

  // They are the largest, so that a width beyond the memory is refused before anything is computed.
  const TextWeights<T> weights(d_k, d_v, seed);
  const PositionCodes codes(d_k);
  Matrix<T> X(n, d_k);
  for (Index i = 0; i < n; ++i) {
    const std::uint64_t hash = word_hash<Characters>(result.tokens[static_cast<std::size_t>(i)]);
    embed<T>(hash, i, seed, codes, X.middleRows(i, 1));
  }
  result.Q = internal::product_nn<T>(X, weights.W_q);
  result.K = internal::product_nn<T>(X, weights.W_k);
  result.V = internal::product_nn<T>(X, weights.W_v);
  return result;
}

}  // namespace

template <typename T>
Qkv<T> gaussian_qkv(Index n, Index d_k, Index d_v, std::uint64_t seed) {
  require_positive("n", n);
  require_positive("d_k", d_k);
  require_positive("d_v", d_v);
  return {Rng(seed, kQueryStream).gaussian_matrix<T>(n, d_k),
          Rng(seed, kKeyStream).gaussian_matrix<T>(n, d_k),
          Rng(seed, kValueStream).gaussian_matrix<T>(n, d_v)};
}

std::vector<std::string> tokenize(std::string_view text) {
  std::vector<std::string> tokens;
  each_token<EveryCharacter>(text, [&](std::string&& token, std::size_t, std::size_t) {
    tokens.push_back(std::move(token));
  });
  return tokens;
}

std::string caseless_word(std::string_view word) { return internal::caseless(word); }

template <typename T>
TextQkv<T> text_qkv(std::string_view text, Index d_k, Index d_v, std::uint64_t seed,
                    Index max_tokens) {
  return qkv_of<EveryCharacter, T>(text, d_k, d_v, seed, max_tokens);
}

bool is_latin_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint here = internal::decode_latin(text, at);
    if (here.value == 0xfffd) return false;
    at += here.bytes;
  }
  return true;
}

template <typename T>
TextQkv<T> latin_text_qkv(std::string_view text, Index d_k, Index d_v, std::uint64_t seed,
                          Index max_tokens) {
  return qkv_of<LatinCharacters, T>(text, d_k, d_v, seed, max_tokens);
}

template <typename T>
LongText<T>::LongText(std::vector<std::string> sections, Index d_k, Index d_v, std::uint64_t seed)
    : sections_(std::move(sections)), seed_(seed) {
  require_positive("d_k", d_k);
  require_positive("d_v", d_v);
  std::size_t bytes = 0;
  for (const std::string& section : sections_) bytes += section.size();
  if (bytes > std::numeric_limits<std::uint32_t>::max()) {
    throw ValueError("sections", phrase::mebibytes(bytes >> 20), phrase::at_most(4096));
  }
  for (const std::string& section : sections_) {
    starts_.push_back(tokens());
    each_token<EveryCharacter>(
        section, [&](const std::string& token, std::size_t begin, std::size_t end) {
          tokens_.push_back({word_hash<EveryCharacter>(token), static_cast<std::uint32_t>(begin),
                             static_cast<std::uint32_t>(end)});
        });
  }
  starts_.push_back(tokens());
  if (tokens_.empty()) throw ValueError("sections", phrase::empty, phrase::at_least_one_word);
  TextWeights<T> weights(d_k, d_v, seed);
  weights_q_ = std::move(weights.W_q);
  weights_k_ = std::move(weights.W_k);
  weights_v_ = std::move(weights.W_v);
}

template <typename T>
void LongText<T>::require_range(Index first, Index last) const {
  if (first < 0 || first > last) {
    throw ValueError("first", phrase::number(first), phrase::range(0, last));
  }
  if (last > tokens()) throw ValueError("last", phrase::number(last), phrase::at_most(tokens()));
}

template <typename T>
Index LongText<T>::section_of(Index token) const {
  require_range(token, token);
  // The token after the last one belongs to the last section that has any.
  const Index looked = std::min(token, tokens() - 1);
  const auto after = std::upper_bound(starts_.begin(), starts_.end() - 1, looked);
  return static_cast<Index>(after - starts_.begin()) - 1;
}

template <typename T>
std::string LongText<T>::words(Index first, Index last) const {
  require_range(first, last);
  if (first == last) return {};
  const auto section = static_cast<std::size_t>(section_of(last - 1));
  const Index from = std::max(first, starts_[section]);
  const std::uint32_t begin = tokens_[static_cast<std::size_t>(from)].begin;
  const std::uint32_t end = tokens_[static_cast<std::size_t>(last - 1)].end;
  return sections_[section].substr(begin, end - begin);
}

template <typename T>
Qkv<T> LongText<T>::rows(Index first, Index last) const {
  require_range(first, last);
  const PositionCodes codes(d_k());
  Matrix<T> X(last - first, d_k());
  for (Index i = first; i < last; ++i) {
    embed<T>(tokens_[static_cast<std::size_t>(i)].hash, i, seed_, codes,
             X.middleRows(i - first, 1));
  }
  return {internal::product_nn<T>(X, weights_q_), internal::product_nn<T>(X, weights_k_),
          internal::product_nn<T>(X, weights_v_)};
}

#define ATTN_INSTANTIATE(T)                                                                    \
  template Qkv<T> gaussian_qkv<T>(Index, Index, Index, std::uint64_t);                         \
  template TextQkv<T> text_qkv<T>(std::string_view, Index, Index, std::uint64_t, Index);       \
  template TextQkv<T> latin_text_qkv<T>(std::string_view, Index, Index, std::uint64_t, Index); \
  template class LongText<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
