// Tests errors as data: phrases with their parameters, and the English sentences that are made from
// them.

#include "attn/base/errors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "attn/attention/phrases.hpp"

using namespace attn;

namespace {

struct Declared {
  const char* id;
  const char* english;
};

#define ATTN_PHRASE(id, english) {#id, english},
constexpr Declared kPhrases[] = {
#include "attn/phrases.inc"
};
#undef ATTN_PHRASE

}  // namespace

TEST_CASE("errors: an error is its argument and two phrases; what() is the sentence") {
  const ShapeError error("K", phrase::shape(5, 2),
                         phrase::shape_because(5, 3, phrase::columns_as_q));
  CHECK(error.code() == "shape");
  CHECK(error.argument() == "K");
  CHECK(error.seen().id() == "shape");
  CHECK(error.seen().names() == std::vector<std::string_view>{"rows", "columns"});
  CHECK(std::get<double>(error.seen().parameters()[1].held()) == 2);
  CHECK(error.wanted().id() == "shape_because");
  CHECK(std::get<Wording>(error.wanted().parameters()[2].held()).id() == "columns_as_q");
  CHECK(std::string(error.what()) == "K is 5×2; wanted: 5×3 (as many columns as Q: d_k)");
}

TEST_CASE("errors: what is put into a template") {
  CHECK(phrase::finite_number().text() == "a finite number");
  CHECK(phrase::one_of(std::vector<std::string>{"a", "b", "c"}).text() == "one of a, b, c");
  CHECK(phrase::quoted(std::string_view("x{n}")).text() == "\"x{n}\"");
  CHECK(phrase::number(std::numeric_limits<double>::infinity()).text() == "inf");
  CHECK(phrase::tokens_of_mebibytes(1, 0.5).text() == "1 token (0.5 MiB)");
  CHECK(phrase::tokens_of_mebibytes(1000000, 1e30).text() == "1000000 tokens (1e+30 MiB)");
  // A name that occurs twice is one parameter; braces around anything else are text.
  constexpr Phrase<1> twice{{"twice", "{n} of {n}, {a, b} {}"}};
  CHECK(twice(3).text() == "3 of 3, {a, b} {}");
  constexpr Phrase<1> either{{"either", "{names|or}"}};
  CHECK(either(std::vector<std::string>{"a", "b", "c"}).text() == "a, b or c");
  CHECK(either(std::vector<std::string>{"a"}).text() == "a");
  static_assert(internal::parameter_count("{n} {n:token|tokens} of {names|or} {rows, cols} {}") ==
                2);
}

TEST_CASE("errors: every phrase of the core has an id of its own and a template") {
  std::vector<std::string> ids;
  for (const Declared& phrase : kPhrases) {
    CHECK(std::string(phrase.english).size() > 0);
    ids.emplace_back(phrase.id);
  }
  std::sort(ids.begin(), ids.end());
  CHECK(ids.size() > 150);
  CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
}
