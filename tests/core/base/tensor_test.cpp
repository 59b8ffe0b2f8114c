#include "attn/base/tensor.hpp"

#include <limits>
#include <utility>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("tensor");

TEST_CASE("a shape error names the argument, the shape seen and the shape wanted") {
  const Matrix<> Q = random(4, 3, 1), K = random(5, 2, 2), V = random(5, 6, 3);
  const Error error = error_of([&] { require_qkv<float>(Q, K, V); });
  CHECK(error.code() == "shape");
  CHECK(error.argument() == "K");
  CHECK(error.seen().text() == "5×2");
  CHECK(error.wanted().text() == "5×3 (as many columns as Q: d_k)");
  CHECK(std::string(error.what()) == "K is 5×2; wanted: 5×3 (as many columns as Q: d_k)");
}

TEST_CASE("there must be one value for each key, and d_v is free") {
  const Matrix<> Q = random(4, 3, 1), K = random(5, 3, 2);
  CHECK_NOTHROW(require_qkv<float>(Q, K, random(5, 9, 3)));
  CHECK(error_of([&] { require_qkv<float>(Q, K, random(4, 9, 3)); }).argument() == "V");
}

TEST_CASE("empty matrices are refused by name") {
  const Matrix<> none(0, 3), some = random(2, 3, 1);
  CHECK(error_of([&] { require_qkv<float>(none, some, some); }).argument() == "Q");
  CHECK(error_of([&] { require_qkv<float>(some, none, some); }).argument() == "K");
  CHECK(error_of([&] { require_qkv<float>(some, some, Matrix<>(2, 0)); }).argument() == "V");
}

TEST_CASE("a number that is not finite is reported with its position") {
  Matrix<> K = random(5, 3, 2);
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    K(4, 1) = bad;
    const Error error = error_of([&] { require_finite<float>("K", K); });
    CHECK(error.code() == "value");
    CHECK(error.seen().text().find("at row 4, column 1") != std::string::npos);
  }
}

TEST_CASE("a stack is one piece of memory in the order batch, head, row, column") {
  Stack<> stack(2, 3, 4, 5);
  CHECK(stack.size() == 120);
  CHECK(stack.count() == 6);
  CHECK(shape_text(stack) == "2×3×4×5");
  for (Index i = 0; i < stack.size(); ++i) stack.data()[i] = static_cast<float>(i);
  for (Index b = 0; b < 2; ++b) {
    for (Index h = 0; h < 3; ++h) {
      for (Index i = 0; i < 4; ++i) {
        for (Index j = 0; j < 5; ++j) {
          CHECK(stack(b, h)(i, j) == static_cast<float>(((b * 3 + h) * 4 + i) * 5 + j));
        }
      }
    }
  }
  stack(1, 2)(3, 4) = -1;
  CHECK(stack.data()[119] == -1.0F);
  const Stack<>& fixed = stack;
  CHECK(fixed(1, 2)(3, 4) == -1.0F);
  CHECK(fixed(1, 2).data() == stack.data() + 100);
  CHECK(Stack<double>(1, 1, 2, 2)(0, 0).isZero(0));
}

TEST_CASE("a place outside a stack is refused by name") {
  Stack<> stack(2, 3, 4, 5);
  CHECK(error_of([&] { stack(2, 0); }).argument() == "b");
  CHECK(error_of([&] { stack(0, -1); }).argument() == "h");
  CHECK(error_of([&] { stack(0, 3); }).wanted().text() == "0 to 2");
  CHECK(error_of([] { Stack<>(1, -1, 2, 2); }).code() == "value");
}

TEST_CASE(
    "a stack whose entries an Index cannot count is refused, and not mistaken for a small one") {
  const Index half = Index{1} << (std::numeric_limits<Index>::digits / 2 + 1);
  CHECK(error_of([&] { Stack<>(1, half, half, 1); }).code() == "capacity");
  // Without columns the stack has no entry, but its number of matrices must still be counted.
  CHECK(error_of([&] { Stack<>(half, half, 1, 0); }).code() == "capacity");
  CHECK(error_of([&] { Stack<>(half, 1, half, 0); }).code() == "capacity");
  CHECK(error_of([&] { Stack<>(0, half, 1, half); }).code() == "capacity");
  const Stack<> none(3, 4, 5, 0);
  CHECK(none.size() == 0);
  CHECK(none(2, 3).rows() == 5);
}

TEST_CASE("a shared matrix is copied as a pointer, and changed as a matrix of its own") {
  const Matrix<> x = random(3, 4, 1);
  SharedMatrix<> owner{Matrix<>(x)};
  SharedMatrix<> other = owner;
  CHECK(other->data() == owner->data());
  other.edit()(1, 2) = 9;
  CHECK(other(1, 2) == 9);
  CHECK_CLOSE(*owner, x, 0, 0);
  const float* const its_own = other->data();
  other.edit()(0, 0) = 8;
  CHECK(other->data() == its_own);

  SharedMatrix<> borrowed = SharedMatrix<>::borrow(x);
  CHECK(borrowed->data() == x.data());
  borrowed.edit().setZero();
  CHECK_CLOSE(*owner, x, 0, 0);
  CHECK(borrowed->isZero(0));

  CHECK(SharedMatrix<>().size() == 0);
  CHECK(SharedMatrix<>(Matrix<>(0, 4)).size() == 0);
  CHECK(SharedMatrix<>()->rows() == 0);
  Matrix<> moved = x;
  const float* const entries = moved.data();
  CHECK(SharedMatrix<>(std::move(moved))->data() == entries);
}

TEST_SUITE_END();
