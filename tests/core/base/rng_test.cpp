#include "attn/base/rng.hpp"

#include <cstring>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("rng");

TEST_CASE("the integers are those of xoshiro256** seeded through SplitMix64") {
  // The numbers are from an independent implementation in Python, which was checked against the
  // published engine's output for the state {1, 2, 3, 4}: 11520, 0, 1509978240,
  // 1215971899390074240.
  Rng rng(42);
  CHECK(rng.next() == 1865750160070900731ULL);
}

TEST_CASE("the same seed gives the same bits everywhere") {
  // The hash is FNV-1a over the bits of 1000 doubles, from the same implementation in Python. This
  // test runs natively and in wasm.
  Rng rng(7, 3);
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (int i = 0; i < 1000; ++i) {
    const double x = rng.gaussian();
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3ULL;
  }
  CHECK(hash == 10596139356356490024ULL);
}

TEST_CASE("streams of one seed are independent, and longer matrices start with shorter ones") {
  CHECK(Rng(1, 0).next() != Rng(1, 1).next());
  CHECK(Rng(1, 0).next() != Rng(2, 0).next());
  const Matrix<> small = Rng(5).gaussian_matrix(3, 4), large = Rng(5).gaussian_matrix(9, 4);
  CHECK_CLOSE(large.topRows(3), small, 0, 0);
}

TEST_CASE("gaussian draws have the moments of N(0, 1)") {
  // For 200 000 draws the standard errors are 0.0022, 0.0032, 0.0055 and 0.011; the bounds are five
  // of each.
  Rng rng(11);
  double s1 = 0, s2 = 0, s3 = 0, s4 = 0;
  const int count = 200000;
  for (int i = 0; i < count; ++i) {
    const double x = rng.gaussian();
    s1 += x;
    s2 += x * x;
    s3 += x * x * x;
    s4 += x * x * x * x;
  }
  CHECK(std::abs(s1 / count) < 0.011);
  CHECK(std::abs(s2 / count - 1) < 0.016);
  CHECK(std::abs(s3 / count) < 0.044);
  CHECK(std::abs(s4 / count - 3) < 0.11);
}

TEST_CASE("uniform stays in [0, 1) and below hits every value about equally") {
  Rng rng(3);
  int hits[6] = {};
  for (int i = 0; i < 60000; ++i) {
    const double u = rng.uniform();
    CHECK_UNARY(u >= 0 && u < 1);
    ++hits[rng.below(6)];
  }
  // The counts are binomial with mean 10 000 and deviation 91.
  for (const int hit : hits) CHECK(std::abs(hit - 10000) < 460);
  CHECK(error_of([&] { rng.below(0); }).argument() == "bound");
}

TEST_CASE("a projection has at least one row and one column") {
  CHECK(error_of([] { random_projection<float>(0, 3, false, 1); }).argument() == "m");
  CHECK(error_of([] { random_projection<float>(3, 0, true, 1); }).argument() == "d");
  CHECK(error_of([] { random_projection<float>(3, -1, true, 1); }).argument() == "d");
}

TEST_CASE("the cells of a table have the same bits everywhere, in any order") {
  // The hash is FNV-1a over the 53 bits of 30×20 cells, from an implementation in Python that
  // reproduces the published outputs of SplitMix64 for the seed 1234567.
  const CellRng cells(7, 3);
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 20; ++j) {
      hash = (hash ^ static_cast<std::uint64_t>(cells.uniform(i, j) * 0x1p53)) * 0x100000001b3ULL;
    }
  }
  CHECK(hash == 4104905447686581390ULL);
  CHECK(cells.uniform(100000, 54321) == 2655659198861218 * 0x1p-53);
}

TEST_CASE("neighbouring cells, rows, streams and seeds are uncorrelated") {
  const Index n = 200;
  const CellRng cells(11), other_stream(11, 1), other_seed(12);
  double mean = 0, square = 0, right = 0, below = 0, mirrored = 0, stream = 0, seed = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double u = cells.uniform(i, j) - 0.5, share = 1.0 / (n * n);
      REQUIRE(std::abs(u) <= 0.5);
      mean += u * share;
      square += u * u * share;
      right += u * (cells.uniform(i, j + 1) - 0.5) * share;
      below += u * (cells.uniform(i + 1, j) - 0.5) * share;
      if (i != j) mirrored += u * (cells.uniform(j, i) - 0.5) * share;
      stream += u * (other_stream.uniform(i, j) - 0.5) * share;
      seed += u * (other_seed.uniform(i, j) - 0.5) * share;
    }
  }
  // For 40 000 cells, one has deviation 0.289, its square 0.0745, and a product of two 1/12. The
  // bounds are five standard errors of each; every mirrored pair counts twice, hence another factor
  // √2.
  CHECK(std::abs(mean) < 5 * 0.289 / n);
  CHECK(std::abs(square - 1.0 / 12) < 5 * 0.0745 / n);
  CHECK(std::abs(right) < 5.0 / 12 / n);
  CHECK(std::abs(below) < 5.0 / 12 / n);
  CHECK(std::abs(mirrored) < 5.0 / 12 / n * 1.42);
  CHECK(std::abs(stream) < 5.0 / 12 / n);
  CHECK(std::abs(seed) < 5.0 / 12 / n);
}

TEST_CASE_TEMPLATE("an orthogonal projection has orthogonal rows with Gaussian norms", T, float,
                   double) {
  const Index d = 8, m = 20;
  const Matrix<double> W = random_projection<T>(m, d, true, 9).template cast<double>();
  for (Index r = 0; r < m; ++r) {
    for (Index s = 0; s < r; ++s) {
      if (r / d == s / d) CHECK(std::abs(W.row(r).dot(W.row(s))) < tolerance<T>() * 10);
    }
  }
  // χ² with m·d degrees of freedom has mean 160 and deviation 18.
  CHECK(std::abs(W.squaredNorm() - 160) < 90);
  CHECK(random_projection<T>(m, d, false, 9).rows() == m);
}

TEST_CASE_TEMPLATE("rows of fixed length keep their directions", T, float, double) {
  for (const bool orthogonal : {false, true}) {
    for (const Index d : {1, 3, 8}) {
      const Matrix<T> drawn = random_projection<T>(20, d, orthogonal, 9);
      const Matrix<T> fixed = random_projection<T>(20, d, orthogonal, 9, RowNorms::kFixed);
      Matrix<T> wanted = drawn;
      for (Index r = 0; r < 20; ++r) {
        wanted.row(r) *= std::sqrt(static_cast<T>(d)) / drawn.row(r).norm();
      }
      CHECK_CLOSE(fixed, wanted, 0, tolerance<T>());
    }
  }
}

TEST_SUITE_END();
