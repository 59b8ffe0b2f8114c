#include "attn/analysis/head_pictures.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("head_pictures");

TEST_CASE("a number added to a whole row of scores changes nothing, and an even row is dim") {
  HeadPictureOptions options;
  options.diagonal = 3;
  options.query = 4;
  const Matrix<double> plain = head_picture<double>(options);
  options.horizontal = 6;
  CHECK_CLOSE(head_picture<double>(options), plain, 1e-12, 1e-12);
  options.even_row = true;
  const Matrix<double> even = head_picture<double>(options);
  for (Index j = 0; j < options.n; ++j) CHECK(even(4, j) == doctest::Approx(1.0 / 12));
  options.causal = true;
  CHECK(head_picture<double>(options)(4, 4) == doctest::Approx(1.0 / 5));
}

TEST_CASE("a knob makes the line that it names") {
  const auto named = [](auto change) {
    HeadPictureOptions options;
    change(options);
    const Matrix<double> weights = head_picture<double>(options);
    return std::string(name_head(analyze_attention_patterns<double>(weights)).id);
  };
  CHECK(named([](auto& x) { x.diagonal = 6; }) == "diagonal");
  CHECK(named([](auto& x) {
          x.diagonal = 6;
          x.offset = -1;
        }) == "previous_token");
  CHECK(named([](auto& x) { x.vertical = 6; }) == "first_token");
  CHECK(named([](auto& x) {
          x.vertical = 6;
          x.key = 5;
        }) == "one_key");
  CHECK(error_of([] { head_picture<double>({.n = 0}); }).argument() == "n");
  CHECK(error_of([] { head_picture<double>({.key = 12}); }).argument() == "key");
}

TEST_CASE("a round has many kinds, and every picture has a name") {
  std::set<std::string> kinds;
  for (Index i = 0; i < 18; ++i) {
    const auto made = head_quiz_picture<float>(3, i);
    CHECK(made.head.kind != HeadKind::kUndecided);
    CHECK((made.weights.rowwise().sum().array() - 1).abs().maxCoeff() < 1e-5f);
    kinds.insert(std::string(made.head.id));
  }
  CHECK(kinds.size() >= 7);
  CHECK(head_quiz_picture<float>(3, 2).weights == head_quiz_picture<float>(3, 2).weights);
  CHECK(error_of([] { head_quiz_picture<float>(0, -1); }).argument() == "index");
}

TEST_SUITE_END();
