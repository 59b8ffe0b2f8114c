#include "attn/heads/relation_scores.hpp"

#include "attn/base/rng.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// In row i the key that every token marked "asks" (an even draw) looks for: the last marked one
/// before it.
RelationText<double> marked(Index n, std::uint64_t seed) {
  Rng rng(seed);
  RelationText<double> text;
  text.relation = Matrix<double>::Zero(n, n);
  Matrix<double> follows = Matrix<double>::Zero(n, n), back = follows;
  Index last = -1;
  for (Index i = 0; i < n; ++i) {
    const Index two = std::max<Index>(0, i - 2);
    const Index key = last >= 0 ? last : i;
    if (last >= 0) text.relation(i, last) = 1;
    for (Matrix<double>* A : {&follows, &back}) {
      A->row(i).head(i + 1).setConstant(0.2 / static_cast<double>(i + 1));
    }
    follows(i, key) += 0.8;
    back(i, two) += 0.8;
    if (rng.below(3) == 0) last = i;
  }
  text.weights = {follows, back};
  return text;
}

}  // namespace

TEST_SUITE_BEGIN("relation_scores");

TEST_CASE(
    "a head of a relation beats its own weight at equal distance, one of a distance does not") {
  const std::vector<RelationText<double>> texts{marked(60, 1), marked(50, 2)};
  const auto scores = relation_scores<double>(texts);
  REQUIRE(scores.size() == 2);
  CHECK(scores[0].score > 0.8);
  CHECK(scores[0].elsewhere < 0.3);
  CHECK(scores[0].uniform < 0.2);
  CHECK(scores[0].rows == scores[1].rows);
  // It looks two tokens back whether the relation holds there or not.
  CHECK(std::abs(scores[1].score - scores[1].elsewhere) < 0.05);
  CHECK(scores[1].offset == -2);
  CHECK(scores[1].offset_share > 0.9);
  CHECK(scores[0].offset_share < 0.6);
}

TEST_CASE("a relation that holds at a distance always has nothing to be compared with") {
  RelationText<double> text = marked(20, 3);
  text.relation.setZero();
  for (Index i = 1; i < 20; ++i) text.relation(i, i - 1) = 1;
  const auto scores = relation_scores<double>(std::vector{text});
  CHECK(scores[0].rows == 0);
  CHECK(std::isnan(scores[0].score));
}

TEST_CASE("errors of relation_scores name their argument") {
  RelationText<double> text = marked(20, 3);
  text.relation = Matrix<double>::Zero(3, 20);
  CHECK(error_of([&] { relation_scores<double>(std::vector{text}); }).argument() == "texts");
  CHECK(error_of([&] { relation_scores<double>({}); }).argument() == "texts");
}

TEST_SUITE_END();
