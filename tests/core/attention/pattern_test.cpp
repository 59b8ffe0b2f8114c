#include "attn/attention/pattern.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("pattern");

namespace {

using Rule = std::function<bool(Index i, Index j)>;

/// The first cell where the pattern and the rule disagree, or where two accessors of the pattern
/// disagree; "" when there is none.
std::string disagreement(const Pattern& pattern, Index n, Index m, const Rule& rule) {
  if (pattern.rows() != n || pattern.cols() != m) {
    return "shape " + shape_text(pattern.rows(), pattern.cols());
  }
  const Matrix<> cells = pattern.to_matrix();
  Index kept = 0;
  for (Index i = 0; i < n; ++i) {
    const auto row = pattern.row(i);
    if (!std::is_sorted(row.begin(), row.end(), std::less_equal<>())) return "row not ascending";
    if (pattern.first(i) != kept) return "first(" + std::to_string(i) + ")";
    for (Index j = 0; j < m; ++j) {
      const bool want = rule(i, j);
      if (pattern.contains(i, j) != want || (cells(i, j) == 1.0F) != want) {
        return "cell (" + std::to_string(i) + ", " + std::to_string(j) + ")";
      }
      kept += want ? 1 : 0;
    }
  }
  return pattern.nnz() == kept ? "" : "nnz " + std::to_string(pattern.nnz());
}

#define CHECK_RULE(pattern, n, m, ...) CHECK_EQ(disagreement((pattern), (n), (m), __VA_ARGS__), "")

/// The number of tokens whose values reach `start` over any number of layers (listening), or that
/// `start` reaches.
Index reached(const Pattern& pattern, Index start, bool listening) {
  const Index n = pattern.rows();
  std::vector<bool> met(static_cast<std::size_t>(n));
  std::vector<Index> open{start};
  met[static_cast<std::size_t>(start)] = true;
  Index count = 1;
  while (!open.empty()) {
    const Index at = open.back();
    open.pop_back();
    for (Index other = 0; other < n; ++other) {
      const bool edge = listening ? pattern.contains(at, other) : pattern.contains(other, at);
      if (!edge || met[static_cast<std::size_t>(other)]) continue;
      met[static_cast<std::size_t>(other)] = true;
      ++count;
      open.push_back(other);
    }
  }
  return count;
}

}  // namespace

TEST_CASE("every maker keeps the cells of its definition, over 300 seeded shapes") {
  Rng rng(11);
  const auto draw = [&](Index least, Index most) {
    return least + static_cast<Index>(rng.below(static_cast<std::uint64_t>(most - least + 1)));
  };
  for (int trial = 0; trial < 300; ++trial) {
    const Index n = draw(1, 24), m = draw(1, 24), a = draw(0, 26), b = draw(0, 26), c = draw(1, 26);
    CAPTURE(n);
    CAPTURE(m);
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(c);
    CHECK_RULE(Pattern::full(n, m), n, m, [](Index, Index) { return true; });
    CHECK_RULE(Pattern::none(n, m), n, m, [](Index, Index) { return false; });
    CHECK_RULE(Pattern::causal(n, m), n, m, [](Index i, Index j) { return j <= i; });
    CHECK_RULE(Pattern::causal(n, m, Alignment::kBottomRight), n, m,
               [&](Index i, Index j) { return j <= i + m - n; });
    CHECK_RULE(Pattern::reverse(n, m), n, m, [](Index i, Index j) { return j >= i; });
    CHECK_RULE(Pattern::reverse(n, m, Alignment::kBottomRight), n, m,
               [&](Index i, Index j) { return j >= i + m - n; });
    const Index valid = std::min(a, m);
    CHECK_RULE(Pattern::padding(n, m, valid), n, m, [&](Index, Index j) { return j < valid; });
    CHECK_RULE(Pattern::sliding_window(n, m, a, b), n, m,
               [&](Index i, Index j) { return i + m - n - a <= j && j <= i + m - n + b; });
    CHECK_RULE(Pattern::sliding_window(n, m, -1, b), n, m,
               [&](Index i, Index j) { return j <= i + m - n + b; });
    CHECK_RULE(Pattern::sliding_window(n, m, a, -1), n, m,
               [&](Index i, Index j) { return j >= i + m - n - a; });
    CHECK_RULE(Pattern::longformer(n, a), n, n,
               [&](Index i, Index j) { return std::abs(i - j) <= a; });
    CHECK_RULE(Pattern::local(n, c), n, n,
               [&](Index i, Index j) { return i - j >= 0 && i - j <= c - 1; });
    CHECK_RULE(Pattern::strided(n, c), n, n,
               [&](Index i, Index j) { return j <= i && (i - j) % c == 0; });
    CHECK_RULE(Pattern::sparse_transformer(n, c), n, n,
               [&](Index i, Index j) { return j <= i && (i - j < c || (i - j) % c == 0); });
    CHECK(Pattern::sparse_transformer(n, c) ==
          Pattern::unite(Pattern::local(n, c), Pattern::strided(n, c)));
    const Index summary = std::min(a, c);
    CHECK_RULE(Pattern::fixed(n, c, summary), n, n, [&](Index i, Index j) {
      return j <= i && (i / c == j / c || j % c >= c - summary);
    });

    const Matrix<> noise = random(n, m, static_cast<std::uint64_t>(trial));
    const Matrix<> cells = (noise.array() > 0).select(noise, 0.0F);
    const Pattern any = Pattern::from_matrix(cells);
    CHECK_RULE(any, n, m, [&](Index i, Index j) { return noise(i, j) > 0; });
    const Pattern causal = Pattern::causal(n, m);
    CHECK_RULE(Pattern::unite(any, causal), n, m,
               [&](Index i, Index j) { return noise(i, j) > 0 || j <= i; });
    CHECK_RULE(Pattern::intersect(any, causal), n, m,
               [&](Index i, Index j) { return noise(i, j) > 0 && j <= i; });
    CHECK(Pattern::intersect(any, Pattern::none(n, m)) == Pattern::none(n, m));
    CHECK(Pattern::from_mask(any.to_mask(), n, m) == any);
    CHECK(Pattern::from_mask(Mask::causal_bottom_right(), n, m) ==
          Pattern::causal(n, m, Alignment::kBottomRight));
    CHECK(Pattern::from_mask(Mask::full(), n, m).density() == 1.0);
    CHECK(Pattern::from_mask(Mask::window({a, c}), n, m) == Pattern::sliding_window(n, m, a, c));
  }
}

TEST_CASE("a window without limits equals a huge window, and neither overflows") {
  const Index huge = std::numeric_limits<Index>::max();
  CHECK(Pattern::sliding_window(5, 9, huge, huge) == Pattern::full(5, 9));
  CHECK(Pattern::sliding_window(9, 5, huge, 0) == Pattern::sliding_window(9, 5, -1, 0));
}

TEST_CASE("the number of cells equals the formulas") {
  for (const Index n : {1, 2, 9, 16, 50}) {
    CHECK(Pattern::causal(n, n).nnz() == n * (n + 1) / 2);
    CHECK(Pattern::reverse(n, n).nnz() == n * (n + 1) / 2);
    for (Index w = 0; w < n; ++w) {
      CHECK(Pattern::longformer(n, w).nnz() == n * (2 * w + 1) - w * (w + 1));
      CHECK(Pattern::local(n, w + 1).nnz() == n * (w + 1) - (w + 1) * w / 2);
    }
  }
  // The cost is n√n: with context = √n, no query sees more than about 2√n keys.
  CHECK(Pattern::sparse_transformer(1024, 32).longest_row() == 32 + 31);
}

TEST_CASE("rows may list keys in any order and more than once") {
  const Pattern pattern = Pattern::from_rows(5, {{4, 0, 4, 2}, {}, {1}});
  CHECK_RULE(pattern, 3, 5, [](Index i, Index j) {
    return (i == 0 && (j == 0 || j == 2 || j == 4)) || (i == 2 && j == 1);
  });
  CHECK(pattern.longest_row() == 3);
  CHECK_FALSE(pattern.contains(-1, 0));
  CHECK_FALSE(pattern.contains(0, 5));
  CHECK(pattern.bytes() == 4 * sizeof(std::int32_t) + 4 * sizeof(Index));
  Vector<double> values(4);
  values << 1, 2, 3, 4;
  Matrix<double> wanted(3, 5);
  wanted << 1, 0, 2, 0, 3, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0;
  CHECK_CLOSE(pattern.to_matrix<double>(values), wanted, 0, 0);
}

TEST_CASE("padded keys may be anywhere") {
  const std::vector<std::uint8_t> keep{0, 1, 1, 0, 1};
  CHECK_RULE(Pattern::padding(3, keep), 3, 5,
             [&](Index, Index j) { return keep[static_cast<std::size_t>(j)] != 0; });
}

TEST_CASE("random patterns keep themselves and a neighbour, have the keys asked for, and connect") {
  for (const Index n : {1, 2, 3, 7, 20}) {
    for (const Index keys : {0, 1, 3, 30}) {
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        for (const bool causal : {false, true}) {
          CAPTURE(n);
          CAPTURE(keys);
          CAPTURE(causal);
          const Pattern pattern = Pattern::random(n, keys, causal, seed);
          CHECK(pattern == Pattern::random(n, keys, causal, seed));
          CHECK(pattern.is_causal() == (causal || n == 1));
          for (Index i = 0; i < n; ++i) {
            CHECK(pattern.contains(i, i));
            if (i > 0) CHECK(pattern.contains(i, i - 1));
            const Index others = causal ? i + 1 : n;
            const Index sure = others == 1 || (causal && i == 0) ? 1 : 2;
            CHECK(pattern.first(i + 1) - pattern.first(i) == std::min(others, sure + keys));
          }
          CHECK(reached(pattern, 0, false) == n);
          CHECK(reached(pattern, causal ? n - 1 : 0, true) == n);
        }
      }
    }
  }
  CHECK_FALSE(Pattern::random(40, 3, false, 1) == Pattern::random(40, 3, false, 2));
}

TEST_CASE("random keys are uniform among those not already kept") {
  // Of 20 000 draws of 1 of 10 keys, each key gets 2000 ± 4.9 standard deviations of 42.4. A fair
  // generator fails one of 10 such bounds once in 100 000 seeds, and the seeds are fixed.
  std::array<int, 12> hits{};
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const Pattern pattern = Pattern::random(12, 1, false, seed);
    for (const Index j : pattern.row(5)) ++hits[static_cast<std::size_t>(j)];
  }
  for (std::size_t j = 0; j < hits.size(); ++j) {
    if (j == 4 || j == 5) {
      CHECK(hits[j] == 20000);
    } else {
      CHECK(std::abs(hits[j] - 2000) < 208);
    }
  }
}

TEST_CASE("BigBird: band, globals and given random blocks") {
  const std::vector<std::vector<Index>> blocks{{4}, {5, 4}, {}, {1}};
  CHECK_RULE(Pattern::big_bird(18, 3, blocks), 18, 18, [&](Index i, Index j) {
    const Index a = i / 3, b = j / 3;
    if (a == 0 || a == 5 || b == 0 || b == 5 || std::abs(a - b) <= 1) return true;
    const auto& list = blocks[static_cast<std::size_t>(a - 1)];
    return std::find(list.begin(), list.end(), b) != list.end();
  });
  // With fewer than three blocks, no row is an inner row.
  CHECK(Pattern::big_bird(4, 2, std::vector<std::vector<Index>>{}) == Pattern::full(4, 4));
  CHECK(Pattern::big_bird(3, 3, 5, 1) == Pattern::full(3, 3));
}

TEST_CASE("BigBird draws as many new blocks as asked, or all there are") {
  for (const Index block : {1, 2, 5}) {
    for (const Index blocks : {1, 2, 3, 4, 6, 9}) {
      for (const Index random : {0, 1, 3, 20}) {
        const Index n = block * blocks;
        const Pattern pattern = Pattern::big_bird(n, block, random, 7);
        CHECK(pattern == Pattern::big_bird(n, block, random, 7));
        for (Index i = 0; i < n; ++i) {
          const Index b = i / block;
          Index sure = blocks;
          if (b > 0 && b < blocks - 1) {
            std::vector<Index> seen{0, b - 1, b, b + 1, blocks - 1};
            std::sort(seen.begin(), seen.end());
            sure = std::unique(seen.begin(), seen.end()) - seen.begin();
          }
          CHECK(pattern.first(i + 1) - pattern.first(i) ==
                block * std::min(blocks, b == 0 || b == blocks - 1 ? sure : sure + random));
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("top-k keeps the k best of the cells the mask keeps, by sorting them all", T,
                   float, double) {
  Rng rng(5);
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 1 + static_cast<Index>(rng.below(9)), m = 1 + static_cast<Index>(rng.below(12)),
                k = 1 + static_cast<Index>(rng.below(13));
    Matrix<T> scores(n, m);
    // The scores have few different values, so that ties are common.
    for (Index c = 0; c < scores.size(); ++c) scores.data()[c] = static_cast<T>(rng.below(4));
    for (const Mask& mask : {Mask::full(), Mask::causal(), Mask::causal_bottom_right()}) {
      const Pattern pattern = Pattern::top_k<T>(scores, k, mask);
      for (Index i = 0; i < n; ++i) {
        std::vector<Index> order;
        for (Index j = 0; j < m; ++j) {
          if (mask.keeps(i, j, n, m)) order.push_back(j);
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](Index a, Index b) { return scores(i, a) > scores(i, b); });
        order.resize(std::min(order.size(), static_cast<std::size_t>(k)));
        std::sort(order.begin(), order.end());
        const auto row = pattern.row(i);
        CHECK(std::equal(row.begin(), row.end(), order.begin(), order.end()));
      }
    }
  }
}

TEST_CASE("top-k never keeps -inf, and refuses NaN only in visible cells") {
  Matrix<> scores(2, 3);
  scores << -INFINITY, 1, -INFINITY, -INFINITY, -INFINITY, -INFINITY;
  CHECK_RULE(Pattern::top_k(scores, 2), 2, 3, [](Index i, Index j) { return i == 0 && j == 1; });
  scores(0, 2) = NAN;
  CHECK_NOTHROW(Pattern::top_k(scores, 2, Mask::causal()));
  CHECK(error_of([&] { Pattern::top_k(scores, 2); }).argument() == "scores");
}

TEST_CASE("nearest keys are the largest dot products or the smallest distances") {
  const Matrix<double> Q = random<double>(9, 4, 1), K = random<double>(13, 4, 2);
  CHECK(Pattern::nearest_keys<double>(Q, K, 3) ==
        Pattern::top_k<double>((Q * K.transpose()).eval(), 3));
  Matrix<double> closeness(9, 13);
  for (Index i = 0; i < 9; ++i) {
    for (Index j = 0; j < 13; ++j) closeness(i, j) = -(Q.row(i) - K.row(j)).norm();
  }
  const Pattern near = Pattern::nearest_keys<double>(Q, K, 3, Nearness::kEuclidean, Mask::causal());
  CHECK(near == Pattern::top_k<double>(closeness, 3, Mask::causal()));
  CHECK_FALSE(near == Pattern::nearest_keys<double>(Q, K, 3, Nearness::kDot, Mask::causal()));
}

TEST_CASE_TEMPLATE("distances that overflow are refused instead of losing the key", T, float,
                   double) {
  const T large = std::sqrt(std::numeric_limits<T>::max());
  const Matrix<T> Q = Matrix<T>::Constant(1, 2, large), K = -Q;
  for (const Nearness nearness : {Nearness::kDot, Nearness::kEuclidean}) {
    CHECK(error_of([&] { Pattern::nearest_keys<T>(Q, K, 1, nearness); }).code() == "value");
    CHECK(Pattern::nearest_keys<T>(Q / 4, K / 4, 1, nearness).nnz() == 1);
  }
}

TEST_CASE("a huge stride or number of keys acts as the largest one that matters") {
  const Index huge = std::numeric_limits<Index>::max();
  CHECK(Pattern::strided(5, huge) == Pattern::strided(5, 5));
  CHECK(Pattern::sparse_transformer(5, huge) == Pattern::causal(5, 5));
  CHECK(Pattern::random(5, huge, false, 1) == Pattern::full(5, 5));
}

TEST_CASE("arguments that do not fit are refused by name") {
  const auto argument = [](auto call) { return error_of(call).argument(); };
  CHECK(argument([] { Pattern::full(0, 3); }) == "n");
  CHECK(argument([] { Pattern::full(3, 0); }) == "m");
  CHECK(argument([] { Pattern::from_rows(3, {{0}, {3}}); }) == "rows");
  CHECK(argument([] { Pattern::from_rows(3, {{-1}}); }) == "rows");
  CHECK(argument([] { Pattern::from_matrix(Matrix<>::Constant(1, 1, NAN)); }) == "keep");
  CHECK(argument([] { Pattern::padding(2, 3, 4); }) == "valid_keys");
  CHECK(argument([] { Pattern::sliding_window(3, 3, -2, 0); }) == "left");
  CHECK(argument([] { Pattern::sliding_window(3, 3, 0, -2); }) == "right");
  CHECK(argument([] { Pattern::longformer(3, -1); }) == "w");
  CHECK(argument([] { Pattern::local(3, 0); }) == "context");
  CHECK(argument([] { Pattern::strided(3, 0); }) == "stride");
  CHECK(argument([] { Pattern::fixed(3, 0, 0); }) == "block");
  CHECK(argument([] { Pattern::fixed(3, 2, 3); }) == "summary");
  CHECK(argument([] { Pattern::random(3, -1, false, 1); }) == "keys");
  CHECK(argument([] { Pattern::big_bird(7, 2, 1, 1); }) == "block");
  CHECK(argument([] { Pattern::big_bird(6, 2, {{0}, {1}}); }) == "random_blocks");
  CHECK(argument([] { Pattern::big_bird(6, 2, {{3}}); }) == "random_blocks");
  CHECK(argument([] { Pattern::top_k(Matrix<>::Zero(2, 2), 0); }) == "k");
  CHECK(argument([] { Pattern::unite(Pattern::full(2, 3), Pattern::full(3, 2)); }) == "pattern");
  CHECK(argument([] { Pattern::intersect(Pattern::full(2, 3), Pattern::full(2, 2)); }) ==
        "pattern");
  CHECK(argument([] { Pattern::full(2, 2).to_matrix(Vector<>::Zero(3)); }) == "values");
  const Error error = error_of([] { Pattern::full(2, 3).require_fits(3, 2); });
  CHECK(error.code() == "shape");
  CHECK(error.seen().text() == "2×3");
}

TEST_CASE("too many cells are refused before memory is allocated for them") {
  CHECK(error_of([] { Pattern::full(100'000, 100'000); }).code() == "capacity");
  CHECK(error_of([] { Pattern::random(1'000'000, 1'000, false, 1); }).code() == "capacity");
  CHECK(error_of([] { Pattern::none(kMaxPatternCells + 1, 1); }).argument() == "n");
  // A sparse pattern of the same length is accepted.
  CHECK(Pattern::sliding_window(100'000, 100'000, 3, 0).nnz() == 4 * 100'000 - 6);
}

TEST_CASE("the registry makes every pattern it lists, described and with its defaults") {
  // There are ten of BigBird's blocks, enough for another seed to choose others.
  const Index n = 40;
  const Matrix<double> scores = random<double>(n, n, 3);
  std::vector<std::string> ids;
  for (const PatternInfo& info : patterns()) {
    const std::string id(info.id);
    CAPTURE(id);
    CHECK(std::find(ids.begin(), ids.end(), id) == ids.end());
    ids.push_back(id);
    CHECK_FALSE(info.label.empty());
    CHECK_FALSE(info.description.empty());
    CHECK_FALSE(info.cells_tex.empty());
    CHECK(pattern_info(info.id).label == info.label);
    PatternOptions options;
    if (info.from_cells) options.cells = scores;
    const Pattern pattern = make_pattern(id, n, n, options);
    CHECK_NOTHROW(pattern.require_fits(n, n));
    PatternOptions spelled_out = options;
    for (const PatternParameter& parameter : info.parameters) {
      spelled_out.parameters.emplace_back(parameter.name, parameter.default_value);
    }
    CHECK(make_pattern(id, n, n, spelled_out) == pattern);
    if (info.square) CHECK(error_of([&] { make_pattern(id, n, 6, options); }).code() == "shape");
    if (!info.square && !info.from_cells) CHECK(make_pattern(id, n, 6).cols() == 6);
    PatternOptions seeded = options;
    seeded.seed = 99;
    CHECK((make_pattern(id, n, n, seeded) == pattern) == !info.random);
    options.cells = info.from_cells ? Matrix<double>{} : scores;
    CHECK(error_of([&] { make_pattern(id, n, n, options); }).argument() == "cells");
    options.parameters = {{"nonsense", 1}};
    CHECK(error_of([&] { make_pattern(id, n, n, options); }).argument() == "parameter nonsense");
  }
  CHECK(error_of([] { make_pattern("nothing", 2, 2); }).argument() == "pattern");
}

TEST_CASE("the registry's names call the makers, with parameters by name") {
  const Index n = 12, m = 7;
  const auto made = [&](const char* id, Index keys,
                        std::vector<std::pair<std::string, double>> parameters) {
    PatternOptions options;
    options.parameters = std::move(parameters);
    options.seed = 4;
    return make_pattern(id, n, keys, options);
  };
  CHECK(made("full", m, {}) == Pattern::full(n, m));
  CHECK(made("none", m, {}) == Pattern::none(n, m));
  CHECK(made("causal", m, {}) == Pattern::causal(n, m));
  CHECK(made("causal", m, {{"bottom_right", 1}}) == Pattern::causal(n, m, Alignment::kBottomRight));
  CHECK(made("reverse", m, {{"bottom_right", 1}}) ==
        Pattern::reverse(n, m, Alignment::kBottomRight));
  CHECK(made("padding", m, {{"padded", 2}}) == Pattern::padding(n, m, 5));
  CHECK(made("padding", m, {{"padded", 20}}) == Pattern::none(n, m));
  CHECK(made("sliding_window", m, {{"left", 2}, {"right", -1}}) ==
        Pattern::sliding_window(n, m, 2, -1));
  CHECK(made("longformer", n, {{"w", 3}}) == Pattern::longformer(n, 3));
  CHECK(made("local", n, {{"context", 3}}) == Pattern::local(n, 3));
  CHECK(made("strided", n, {{"stride", 3}}) == Pattern::strided(n, 3));
  CHECK(made("sparse_transformer", n, {{"context", 3}}) == Pattern::sparse_transformer(n, 3));
  CHECK(made("fixed", n, {{"block", 5}, {"summary", 2}}) == Pattern::fixed(n, 5, 2));
  CHECK(made("random", n, {{"keys", 3}, {"causal", 1}}) == Pattern::random(n, 3, true, 4));
  CHECK(made("big_bird", n, {{"block", 2}, {"random", 2}}) == Pattern::big_bird(n, 2, 2, 4));
  PatternOptions options;
  options.cells = random<double>(n, m, 6);
  options.parameters = {{"k", 3}};
  CHECK(make_pattern("top_k", n, m, options) == Pattern::top_k<double>(options.cells, 3));
  options.parameters.clear();
  options.cells = (options.cells.array() > 0).select(options.cells, 0.0);
  CHECK(make_pattern("matrix", n, m, options) == Pattern::from_matrix<double>(options.cells));
  CHECK(error_of([&] { made("local", n, {{"context", 2.5}}); }).argument() == "parameter context");
  CHECK(error_of([&] { made("local", n, {{"context", 0}}); }).argument() == "parameter context");
}

TEST_SUITE_END();
