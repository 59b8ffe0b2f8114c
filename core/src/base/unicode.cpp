#include "base/unicode.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace attn::internal {
namespace {

struct KindFrom {
  std::uint32_t from;
  Kind kind;
};
struct FoldRun {
  std::uint32_t first, last;
  std::int32_t step, delta;
};
struct Decomposition {
  char32_t whole, first, second;
  bool excluded;
};
struct OrderFrom {
  std::uint32_t from;
  std::uint8_t order;
};

#include "base/unicode_tables.inc"

/// The last row that does not begin after c; the first begins at 0 or there is a row before it.
template <typename Row, std::size_t size>
const Row* row_of(const Row (&rows)[size], char32_t c) {
  const auto after =
      std::upper_bound(std::begin(rows), std::end(rows), c,
                       [](char32_t wanted, const Row& row) { return wanted < row.from; });
  return after == std::begin(rows) ? nullptr : after - 1;
}

/// The combining class: marks of different classes do not interact and stand in any order.
std::uint8_t order_of(char32_t c) {
  const OrderFrom* const row = row_of(kOrders, c);
  return row ? row->order : 0;
}

// Hangul syllables are made by arithmetic (Unicode 15, section 3.12).
constexpr char32_t kSyllables = 0xac00, kLead = 0x1100, kVowel = 0x1161, kTrail = 0x11a7;
constexpr char32_t kLeads = 19, kVowels = 21, kTrails = 28;

void decompose(char32_t c, std::u32string& to) {
  if (c >= kSyllables && c < kSyllables + kLeads * kVowels * kTrails) {
    const char32_t number = c - kSyllables;
    to += kLead + number / (kVowels * kTrails);
    to += kVowel + number / kTrails % kVowels;
    if (number % kTrails != 0) to += kTrail + number % kTrails;
    return;
  }
  const auto found =
      std::lower_bound(std::begin(kDecompositions), std::end(kDecompositions), c,
                       [](const Decomposition& one, char32_t x) { return one.whole < x; });
  if (found == std::end(kDecompositions) || found->whole != c) {
    to += c;
    return;
  }
  decompose(found->first, to);
  if (found->second != 0) to += found->second;
}

/// Every character taken apart, and marks in the order of their classes: NFD.
std::u32string taken_apart(const std::u32string& text) {
  std::u32string made;
  for (const char32_t c : text) decompose(c, made);
  auto from = made.begin();
  while (from != made.end()) {
    if (order_of(*from) == 0) {
      ++from;
      continue;
    }
    const auto to = std::find_if(from, made.end(), [](char32_t c) { return order_of(c) == 0; });
    std::stable_sort(from, to, [](char32_t a, char32_t b) { return order_of(a) < order_of(b); });
    from = to;
  }
  return made;
}

/// The pairs that are one character when composed, in order.
const std::vector<Decomposition>& pairs() {
  static const std::vector<Decomposition> all = [] {
    std::vector<Decomposition> made;
    std::copy_if(std::begin(kDecompositions), std::end(kDecompositions), std::back_inserter(made),
                 [](const Decomposition& one) { return one.second != 0 && !one.excluded; });
    std::sort(made.begin(), made.end(), [](const Decomposition& a, const Decomposition& b) {
      return a.first != b.first ? a.first < b.first : a.second < b.second;
    });
    return made;
  }();
  return all;
}

/// One character for two; 0 where there is none.
char32_t composed(char32_t first, char32_t second) {
  if (first >= kLead && first < kLead + kLeads && second >= kVowel && second < kVowel + kVowels) {
    return kSyllables + ((first - kLead) * kVowels + (second - kVowel)) * kTrails;
  }
  if (first >= kSyllables && first < kSyllables + kLeads * kVowels * kTrails &&
      (first - kSyllables) % kTrails == 0 && second > kTrail && second < kTrail + kTrails) {
    return first + (second - kTrail);
  }
  const auto found =
      std::lower_bound(pairs().begin(), pairs().end(), 0, [&](const Decomposition& one, int) {
        return one.first != first ? one.first < first : one.second < second;
      });
  const bool there = found != pairs().end() && found->first == first && found->second == second;
  return there ? found->whole : 0;
}

/// NFC of what is NFD.
std::u32string put_together(const std::u32string& text) {
  std::u32string made;
  // The last character that others can join, and the class of what stands after it.
  std::size_t base = std::u32string::npos;
  int last = -1;
  for (const char32_t c : text) {
    const int order = order_of(c);
    if (base != std::u32string::npos && last < order) {
      if (const char32_t one = composed(made[base], c)) {
        made[base] = one;
        continue;
      }
    }
    if (order == 0) {
      base = made.size();
      last = -1;
    } else {
      last = order;
    }
    made += c;
  }
  return made;
}

std::u32string folded(const std::u32string& text) {
  std::u32string made;
  for (const char32_t c : text) {
    const auto* const longer =
        std::lower_bound(std::begin(kLongFolds), std::end(kLongFolds), c,
                         [](const char32_t(&row)[4], char32_t x) { return row[0] < x; });
    if (longer != std::end(kLongFolds) && (*longer)[0] == c) {
      for (int i = 1; i < 4 && (*longer)[i] != 0; ++i) made += (*longer)[i];
      continue;
    }
    const auto run = std::lower_bound(std::begin(kFolds), std::end(kFolds), c,
                                      [](const FoldRun& one, char32_t x) { return one.last < x; });
    const bool folds = run != std::end(kFolds) && c >= run->first &&
                       (c - run->first) % static_cast<char32_t>(run->step) == 0;
    made += folds ? static_cast<char32_t>(static_cast<std::int32_t>(c) + run->delta) : c;
  }
  return made;
}

}  // namespace

Kind kind_of(char32_t c) { return row_of(kKinds, c)->kind; }

std::string caseless(std::string_view word) {
  std::u32string text;
  bool latin = true;
  for (std::size_t at = 0; at < word.size();) {
    latin = latin && decode_latin(word, at).value != 0xfffd;
    const CodePoint here = decode(word, at);
    text += here.value;
    at += here.bytes;
  }
  if (latin) return caseless_latin(word);
  std::string made;
  // What folding makes can have parts again.
  for (const char32_t c : put_together(taken_apart(folded(taken_apart(text))))) {
    append_utf8(c, made);
  }
  return made;
}

}  // namespace attn::internal
