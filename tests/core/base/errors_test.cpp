// Tests errors as data: phrases with their parameters, and the English sentences that are made from
// them.

#include "attn/base/errors.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
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

TEST_CASE("errors: numbers are written as %.0f and %g of printf write them") {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<double> numbers = {0.0,
                                 -0.0,
                                 1e15,
                                 9007199254740991.0,
                                 1e16,
                                 inf,
                                 -inf,
                                 0.1,
                                 1.5,
                                 999999.4,
                                 999999.6,
                                 0.00009999996,
                                 5e-324,
                                 2.2250738585072014e-308,
                                 1.7976931348623157e308,
                                 123456.5,
                                 1234567.5,
                                 1e-5,
                                 0.0001,
                                 1e-300};
  for (int exponent = -323; exponent < 309; ++exponent) {
    numbers.push_back(std::pow(10.0, exponent));
    for (int k = 1; k < 20; ++k) numbers.push_back((k - 10.4636476) * std::pow(10.0, exponent));
  }
  for (const double x : numbers) {
    CAPTURE(x);
    const bool whole = x == std::floor(x) && std::abs(x) < 9007199254740992.0;
    char printed[32];
    std::snprintf(printed, sizeof printed, whole ? "%.0f" : "%g", x);
    CHECK(number_text(x) == std::string(printed));
  }
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
