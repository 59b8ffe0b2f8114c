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

namespace attn {
namespace {

using internal::kKeyStream;
using internal::kQueryStream;
using internal::kValueStream;
using internal::kWordStreams;

void require_positive(std::string_view name, Index value) {
  if (value < 1) throw ValueError(name, phrase::number(value), phrase::at_least(1));
}

struct CodePoint {
  char32_t value;
  std::size_t bytes;
};

/// Reads one code point at `at`; a broken sequence gives U+FFFD and takes one byte.
CodePoint decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0U;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return {0xfffd, 1};
  char32_t value = lead & (0x7fU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0U) != 0x80U) return {0xfffd, 1};
    value = (value << 6) | (byte(k) & 0x3fU);
  }
  const char32_t smallest = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < smallest || value > 0x10ffff || surrogate) return {0xfffd, 1};
  return {value, length};
}

bool is_space(char32_t c) {
  return c <= 0x20 || c == 0x7f || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200b) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
         c == 0x3000 || c == 0xfeff;
}

bool is_apostrophe(char32_t c) { return c == '\'' || c == 0x2019; }

/// Characters that are tokens by themselves: ASCII and general punctuation, CJK punctuation, and
/// every CJK character.
bool stands_alone(char32_t c) {
  if (c < 0x80) {
    const bool alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    return !alphanumeric;
  }
  return (c >= 0xa1 && c <= 0xbf && c != 0xaa && c != 0xb5 && c != 0xba) ||
         (c >= 0x2010 && c <= 0x206f) || (c >= 0x3001 && c <= 0x30ff) ||
         (c >= 0x3400 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0xff01 && c <= 0xff0f) || (c >= 0x20000 && c <= 0x3ffff);
}

/// FNV-1a, lower-casing ASCII: "The" and "the" are one word.
std::uint64_t word_hash(std::string_view word) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : word) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    hash = (hash ^ static_cast<unsigned char>(lower)) * 0x100000001b3ULL;
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

/// Calls `found(token, begin, end)` for each token; its bytes are those from begin to before end,
/// but for broken UTF-8.
template <typename Found>
void each_token(std::string_view text, Found found) {
  std::string word;
  std::size_t begin = 0;
  std::size_t at = 0;
  const auto finish_word = [&] {
    if (!word.empty()) found(std::move(word), begin, at);
    word.clear();
  };
  const auto add = [&](std::string_view letters) {
    if (word.empty()) begin = at;
    word += letters;
  };
  while (at < text.size()) {
    const CodePoint here = decode(text, at);
    const std::size_t next = at + here.bytes;
    // "don't" is one word; a quotation mark after a word is not part of it.
    const bool joins = is_apostrophe(here.value) && !word.empty() && next < text.size() &&
                       !is_space(decode(text, next).value) &&
                       !stands_alone(decode(text, next).value);
    if (is_space(here.value)) {
      finish_word();
    } else if (stands_alone(here.value) && !joins) {
      finish_word();
      found(std::string(text.substr(at, here.bytes)), at, next);
    } else if (here.value == 0xfffd) {
      add("\xef\xbf\xbd");
    } else {
      add(text.substr(at, here.bytes));
    }
    at = next;
  }
  finish_word();
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
  each_token(text, [&](std::string&& token, std::size_t, std::size_t) {
    tokens.push_back(std::move(token));
  });
  return tokens;
}

template <typename T>
TextQkv<T> text_qkv(std::string_view text, Index d_k, Index d_v, std::uint64_t seed,
                    Index max_tokens) {
  require_positive("d_k", d_k);
  require_positive("d_v", d_v);
  TextQkv<T> result;
  result.tokens = tokenize(text);
  const Index n = static_cast<Index>(result.tokens.size());
  if (n == 0) throw ValueError("text", phrase::empty, phrase::at_least_one_word);
  if (n > max_tokens) {
    throw ValueError("text", phrase::tokens_seen(n), phrase::at_most(max_tokens));
  }

  const PositionCodes codes(d_k);
  Matrix<T> X(n, d_k);
  for (Index i = 0; i < n; ++i) {
    const std::uint64_t hash = word_hash(result.tokens[static_cast<std::size_t>(i)]);
    embed<T>(hash, i, seed, codes, X.middleRows(i, 1));
  }
  const TextWeights<T> weights(d_k, d_v, seed);
  result.Q = internal::product_nn<T>(X, weights.W_q);
  result.K = internal::product_nn<T>(X, weights.W_k);
  result.V = internal::product_nn<T>(X, weights.W_v);
  return result;
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
    each_token(section, [&](const std::string& token, std::size_t begin, std::size_t end) {
      tokens_.push_back(
          {word_hash(token), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
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

#define ATTN_INSTANTIATE(T)                                                              \
  template Qkv<T> gaussian_qkv<T>(Index, Index, Index, std::uint64_t);                   \
  template TextQkv<T> text_qkv<T>(std::string_view, Index, Index, std::uint64_t, Index); \
  template class LongText<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
