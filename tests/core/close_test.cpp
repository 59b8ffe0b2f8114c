// The comparison that the tests compare with.

#include "../close.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "test_util.hpp"

namespace attn {
namespace {

using test::close;
using test::kInfinity;

TEST_CASE("numbers are close within either part of the tolerance, and no further") {
  CHECK(close(100.9, 100, 0.01, 0));
  CHECK_FALSE(close(101.1, 100, 0.01, 0));
  CHECK(close(-100.9, -100, 0.01, 0));
  CHECK(close(0.09, 0, 1, 0.1));
  CHECK_FALSE(close(0.11, 0, 1, 0.1));
  CHECK(close(-0.0, 0, 0, 0));
  // The relative part is of what is wanted, and not of what there is.
  CHECK_FALSE(close(1, 0, 1, 0));
  CHECK_FALSE(close(std::numeric_limits<double>::max(), -std::numeric_limits<double>::max(), 1, 1));
}

TEST_CASE("an infinity is close to itself only") {
  for (const double infinity : {kInfinity, -kInfinity}) {
    CHECK(close(infinity, infinity, 0, 0));
    for (const double other : {0.0, 1e308, -infinity}) {
      CHECK_FALSE(close(other, infinity, 1e-5, 1e-8));
      CHECK_FALSE(close(infinity, other, 1e-5, 1e-8));
    }
  }
}

TEST_CASE("NaN is close to NaN only") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(close(nan, nan, 0, 0));
  for (const double other : {0.0, 1.0, kInfinity}) {
    CHECK_FALSE(close(other, nan, 1, 1));
    CHECK_FALSE(close(nan, other, 1, 1));
  }
}

TEST_CASE("CHECK_CLOSE names the entry that is not infinite as it should be") {
  Matrix<double> got(1, 3), wanted(1, 3);
  got << 1, 2, 3;
  wanted << 1, 2, -kInfinity;
  CHECK_EQ(test::mismatch(got, wanted, 1e-5, 1e-8), "entry (0, 2): 3.000000 against -inf");
  CHECK_EQ(test::mismatch(wanted, got, 1e-5, 1e-8), "entry (0, 2): -inf against 3.000000");
  CHECK_CLOSE(wanted, wanted, 0, 0);
}

}  // namespace
}  // namespace attn
