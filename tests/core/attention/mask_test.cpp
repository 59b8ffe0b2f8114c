#include "attn/attention/mask.hpp"

#include "attn/attention/attention.hpp"
#include "attn/attention/attention_training.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("mask");

namespace {

Matrix<> picture(const Mask& mask, Index n, Index m) {
  Matrix<> cells(n, m);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < m; ++j) cells(i, j) = mask.keeps(i, j, n, m) ? 1.0F : 0.0F;
    // The keys of a row, read all at once, equal the cells asked for one by one.
    const Mask::Keys keys = mask.keys(i, n, m);
    Matrix<> walked = Matrix<>::Zero(1, m), left_out = Matrix<>::Zero(1, m);
    keys.for_each([&](Index j) { walked(0, j) += 1; });
    keys.for_each_blocked([&](Index j) { left_out(0, j) += 1; });
    left_out.rightCols(m - keys.end).setOnes();
    CHECK_CLOSE(walked, cells.row(i), 0, 0);
    CHECK_CLOSE(left_out, Matrix<>::Ones(1, m) - cells.row(i), 0, 0);
    for (Index j = 0; j < m; ++j) CHECK(keys.contains(j) == (cells(i, j) != 0));
    CHECK(keys.end == mask.end(i, n, m));
    CHECK(walked.sum() == static_cast<float>(mask.count(i, n, m)));
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

namespace {

std::vector<KeyWindow> windows() {
  std::vector<KeyWindow> all;
  for (const Index left : {-1, 0, 2, 20}) {
    for (const Index right : {-1, 0, 1, 20}) {
      all.emplace_back();
      if (left >= 0) all.back().left = left;
      if (right >= 0) all.back().right = right;
    }
  }
  return all;
}

}  // namespace

TEST_CASE("a window is a band of diagonals and stores no matrix") {
  for (const KeyWindow& window : windows()) {
    const Mask mask = Mask::window(window);
    CHECK(mask.kind() == Mask::Kind::kWindow);
    CHECK(mask.cells() == nullptr);
    CHECK(mask.is_range());
    CHECK(mask.is_prefix() == !window.left);
    for (const Index n : {1, 3, 6, 9}) {
      for (const Index m : {1, 3, 6, 9}) {
        Matrix<> wanted(n, m), inside(n, m);
        const Mask::Band band = mask.band(n, m);
        for (Index i = 0; i < n; ++i) {
          for (Index j = 0; j < m; ++j) {
            const Index at = i + m - n;
            const bool sees =
                j >= at - window.left.value_or(99) && j <= at + window.right.value_or(99);
            wanted(i, j) = sees ? 1.0F : 0.0F;
            inside(i, j) = band.first <= j - i && j - i <= band.last ? 1.0F : 0.0F;
          }
          CHECK(static_cast<float>(mask.count(i, n, m)) == wanted.row(i).sum());
          CHECK(mask.begin(i, n, m) <= mask.end(i, n, m));
        }
        CHECK(picture(mask, n, m) == wanted);
        CHECK(inside == wanted);
      }
    }
  }
  const Index huge = std::numeric_limits<Index>::max();
  CHECK(picture(Mask::window({huge, huge}), 4, 7) == picture(Mask::full(), 4, 7));
  CHECK(error_of([] { Mask::window({-1, {}}); }).argument() == "window.left");
  CHECK(error_of([] { Mask::window({{}, -2}); }).argument() == "window.right");
}

TEST_CASE_TEMPLATE("a query sees what stands behind it, and the last one nothing", T, float,
                   double) {
  const Mask mask = Mask::after();
  CHECK(mask.cells() == nullptr);
  CHECK_FALSE(mask.is_prefix());
  for (const Index n : {1, 3, 6, 40}) {
    for (const Index m : {1, 3, 6, 40}) {
      Matrix<> wanted(n, m), within(n, m);
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < m; ++j) {
          const Index behind = j - (i + m - n);
          wanted(i, j) = behind > 0 ? 1.0F : 0.0F;
          within(i, j) = behind > 0 && behind <= 2 ? 1.0F : 0.0F;
        }
        CHECK(static_cast<float>(mask.count(i, n, m)) == wanted.row(i).sum());
      }
      CHECK(picture(mask, n, m) == wanted);
      CHECK(picture(mask.within({{}, 2}, n, m), n, m) == within);
      CHECK(picture(mask.within({{}, 0}, n, m), n, m).isZero(0));

      // What a mask of single cells gives, whatever works on it.
      const Matrix<T> Q = random<T>(n, 8, 1), K = random<T>(m, 8, 2), V = random<T>(m, 5, 3);
      const Matrix<T> dO = random<T>(n, 5, 4);
      AttentionOptions<T> band, cells;
      band.mask = mask;
      cells.mask = Mask::from_matrix<float>(wanted);
      const auto got = attention<T>(Q, K, V, band), given = attention<T>(Q, K, V, cells);
      CHECK_CLOSE(got.output, given.output, 1e-5, 1e-6);
      CHECK(got.output.bottomRows(1).isZero(0));
      const auto back = attention_backward<T>(Q, K, V, dO, band),
                 other = attention_backward<T>(Q, K, V, dO, cells);
      CHECK_CLOSE(back.dQ, other.dQ, 1e-4, 1e-5);
      CHECK_CLOSE(back.dK, other.dK, 1e-4, 1e-5);
      CHECK_CLOSE(back.dV, other.dV, 1e-4, 1e-5);
    }
  }
}

TEST_CASE(
    "a mask within a window keeps what both keep, and stores cells only if it came from a matrix") {
  for (const Index n : {1, 3, 6}) {
    for (const Index m : {1, 4, 6}) {
      Matrix<> keep = (random(n, m, 3).array() > 0).cast<float>();
      const Mask masks[] = {Mask::full(),
                            Mask::causal(),
                            Mask::causal_bottom_right(),
                            Mask::window({1, 3}),
                            Mask::full().with_valid_keys(m / 2),
                            Mask::causal().with_valid_keys(m / 2),
                            Mask::from_matrix<float>(keep),
                            Mask::from_matrix<float>(keep).with_valid_keys(m / 2)};
      for (const Mask& mask : masks) {
        for (const KeyWindow& window : windows()) {
          const Mask both = mask.within(window, n, m);
          CHECK(picture(both, n, m) ==
                picture(mask, n, m).cwiseProduct(picture(Mask::window(window), n, m)));
          CHECK((both.cells() == nullptr) == (mask.cells() == nullptr));
          CHECK(both.valid_keys(m) == mask.valid_keys(m));
          for (Index i = 0; i < n; ++i) {
            CHECK(static_cast<float>(both.count(i, n, m)) == picture(both, n, m).row(i).sum());
          }
        }
      }
    }
  }
}

TEST_CASE("padded keys are seen by no query, whatever the rest of the mask allows") {
  Matrix<> keep = Matrix<>::Ones(3, 5);
  keep(1, 1) = 0;
  const Mask masks[] = {Mask::full(), Mask::causal(), Mask::causal_bottom_right(),
                        Mask::window({1, 0}), Mask::from_matrix<float>(keep)};
  for (const Mask& mask : masks) {
    for (Index valid = 0; valid <= 5; ++valid) {
      Matrix<> wanted = picture(mask, 3, 5);
      wanted.rightCols(5 - valid).setZero();
      const Mask padded = mask.with_valid_keys(valid);
      CHECK_CLOSE(picture(padded, 3, 5), wanted, 0, 0);
      CHECK(padded.is_prefix() == mask.is_prefix());
      CHECK(padded.valid_keys(5) == valid);
      for (Index i = 0; i < 3; ++i) {
        CHECK(static_cast<float>(padded.count(i, 3, 5)) == wanted.row(i).sum());
        CHECK(padded.end(i, 3, 5) <= valid);
      }
    }
  }
  // A caller who asks whether the mask hides anything must get yes.
  CHECK(Mask::full().with_valid_keys(2).kind() != Mask::Kind::kFull);
  CHECK(Mask::full().valid_keys(5) == 5);
  CHECK(error_of([] { Mask::full().with_valid_keys(-1); }).argument() == "valid_keys");
  CHECK(error_of([] { Mask::causal().with_valid_keys(6).require_fits(5, 5); }).wanted().text() ==
        "0 to 5");
}

TEST_CASE("a mask entry that is NaN is refused") {
  Matrix<> keep = Matrix<>::Ones(2, 2);
  keep(1, 0) = NAN;
  CHECK(error_of([&] { Mask::from_matrix<float>(keep); }).argument() == "mask");
}

TEST_CASE("a mask of another shape is refused") {
  const Mask mask = Mask::from_matrix<float>(Matrix<>::Ones(2, 3));
  CHECK_NOTHROW(mask.require_fits(2, 3));
  const Error error = error_of([&] { mask.require_fits(3, 2); });
  CHECK(error.argument() == "mask");
  CHECK(error.seen().text() == "2×3");
  CHECK_NOTHROW(Mask::causal().require_fits(5, 9));
}

TEST_CASE("a mask from a matrix computes its band of diagonals") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 5);
    const Index n = 1 + static_cast<Index>(rng.below(12)),
                m = 1 + static_cast<Index>(rng.below(12));
    const Index first = static_cast<Index>(rng.below(20)) - 10;
    const Index last = first + static_cast<Index>(rng.below(12)) - 1;
    Matrix<> keep = Matrix<>::Zero(n, m);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) keep(i, j) = i + first <= j && j <= i + last ? 1.0F : 0.0F;
    }
    const Mask::Band whole = Mask::from_matrix<float>(keep).band(n, m);
    CHECK(whole.whole);
    Matrix<> again = Matrix<>::Zero(n, m);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < m; ++j) {
        again(i, j) = i + whole.first <= j && j <= i + whole.last ? 1.0F : 0.0F;
      }
    }
    CHECK(again == keep);
    // With a hole that leaves its diagonals in use, the band stays the same but is no longer full.
    const Index i = static_cast<Index>(rng.below(static_cast<std::uint64_t>(n)));
    const Index j = static_cast<Index>(rng.below(static_cast<std::uint64_t>(m)));
    if (keep(i, j) == 0) continue;
    keep(i, j) = 0;
    const Mask::Band holed = Mask::from_matrix<float>(keep).band(n, m);
    if (holed.first == whole.first && holed.last == whole.last) CHECK(!holed.whole);
  }
}

TEST_SUITE_END();
