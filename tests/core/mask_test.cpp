#include "attn/mask.hpp"

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("mask");

namespace {

Matrix<> picture(const Mask& mask, Index n, Index m) {
  Matrix<> cells(n, m);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) cells(i, j) = mask.keeps(i, j, n, m) ? 1.0F : 0.0F;
  }
  return cells;
}

}  // namespace

TEST_CASE("causal masks are aligned top left or bottom right") {
  Matrix<> top_left(2, 4), bottom_right(2, 4);
  top_left << 1, 0, 0, 0, 1, 1, 0, 0;
  bottom_right << 1, 1, 1, 0, 1, 1, 1, 1;
  CHECK_CLOSE(picture(Mask::causal(), 2, 4), top_left, 0, 0);
  CHECK_CLOSE(picture(Mask::causal_bottom_right(), 2, 4), bottom_right, 0, 0);
}

TEST_CASE("with more queries than keys, bottom right leaves the first rows without a key") {
  Matrix<> wanted(4, 2);
  wanted << 0, 0, 0, 0, 1, 0, 1, 1;
  CHECK_CLOSE(picture(Mask::causal_bottom_right(), 4, 2), wanted, 0, 0);
  CHECK(Mask::causal_bottom_right().count(0, 4, 2) == 0);
  CHECK(picture(Mask::causal(), 4, 2).sum() == 7);
}

TEST_CASE("a mask from a matrix keeps what is not zero and counts it") {
  Matrix<> keep(2, 3);
  keep << 0, 0.5F, 1, 0, 0, 0;
  const Mask mask = Mask::from_matrix<float>(keep);
  CHECK(mask.count(0, 2, 3) == 2);
  CHECK(mask.count(1, 2, 3) == 0);
  CHECK_FALSE(mask.keeps(0, 0, 2, 3));
  CHECK(mask.keeps(0, 1, 2, 3));
}

TEST_CASE("a mask entry that is no number is refused") {
  Matrix<> keep = Matrix<>::Ones(2, 2);
  keep(1, 0) = NAN;
  CHECK(error_of([&] { Mask::from_matrix<float>(keep); }).argument() == "mask");
}

TEST_CASE("a mask of another shape is refused") {
  const Mask mask = Mask::from_matrix<float>(Matrix<>::Ones(2, 3));
  CHECK_NOTHROW(mask.require_fits(2, 3));
  const Error error = error_of([&] { mask.require_fits(3, 2); });
  CHECK(error.argument() == "mask");
  CHECK(error.seen() == "2×3");
  CHECK_NOTHROW(Mask::causal().require_fits(5, 9));
}

TEST_SUITE_END();
