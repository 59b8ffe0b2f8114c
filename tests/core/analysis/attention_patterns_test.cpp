#include "attn/analysis/attention_patterns.hpp"

#include "attn/analysis/singular_values.hpp"
#include "attn/attention/attention.hpp"
#include "attn/attention/softmax.hpp"
#include "attn/linear_attention/linear_attention.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

/// Softmax weights of random scores under the mask; a larger sharpness makes the weights more
/// unequal.
template <typename T>
Matrix<T> picture(Index n, Index m, const Mask& mask, double sharpness, std::uint64_t seed) {
  Matrix<T> P = static_cast<T>(sharpness) * random<T>(n, m, seed);
  masked_softmax_rows<T>(P, mask, 0, n);
  return P;
}

Mask random_mask(Index n, Index m, Rng& rng) {
  Matrix<double> keep(n, m);
  for (Index c = 0; c < keep.size(); ++c) keep.data()[c] = rng.uniform() < 0.6;
  return Mask::from_matrix<double>(keep);
}

AttentionPatternOptions patterns_under(const Mask& mask) {
  AttentionPatternOptions options;
  options.mask = mask;
  return options;
}

/// A matrix with one weight of `share` in each row, in the column that `target` names. The rest is
/// spread equally over the other cells that the mask allows.
template <typename Target>
Matrix<double> one_hot(Index n, const Mask& mask, double share, Target target) {
  Matrix<double> P = Matrix<double>::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    const Index at = target(i), visible = mask.count(i, n, n);
    const bool hit = at >= 0 && at < n && mask.keeps(i, at, n, n);
    const double others = static_cast<double>(visible - (hit ? 1 : 0));
    const double rest = hit ? (others > 0 ? (1 - share) / others : 0) : 1 / others;
    for (Index j = 0; j < n; ++j) {
      if (mask.keeps(i, j, n, n)) P(i, j) = rest;
    }
    if (hit) P(i, at) = others > 0 ? share : 1;
  }
  return P;
}

}  // namespace

TEST_SUITE_BEGIN("attention patterns");

TEST_CASE("every number equals its definition, for 200 drawn matrices, masks and alignments") {
  Rng rng(3);
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const Index n = 1 + static_cast<Index>(rng.below(9)), m = 1 + static_cast<Index>(rng.below(9));
    AttentionPatternOptions options;
    const Mask masks[] = {Mask::full(), Mask::causal(), Mask::causal_bottom_right(),
                          random_mask(n, m, rng)};
    options.mask = masks[trial % 4];
    options.window = static_cast<Index>(rng.below(4));
    options.sparsity_threshold = 0.2 * rng.uniform();
    if (trial % 3 == 0) options.alignment = Alignment::kTopLeft;
    if (trial % 3 == 1) options.alignment = Alignment::kBottomRight;
    const bool top_left = trial % 3 == 0 || (trial % 3 == 2 && trial % 4 == 1);
    const Matrix<double> P = picture<double>(n, m, options.mask, 3 * rng.uniform(), trial);
    const AttentionPatterns got = analyze_attention_patterns<double>(P, options);

    double count = 0, choosers = 0, max = 0, mean_max = 0, nats = 0, effective = 0, diagonal = 0,
           local = 0, distance = 0, equal_diagonal = 0, equal_local = 0, equal_distance = 0,
           few = 0, cells = 0, uniformity = 0;
    double score[4] = {}, seen[4] = {};
    Vector<double> received = Vector<double>::Zero(m), from_free = received, equal = received;
    for (Index i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double visible = static_cast<double>(options.mask.count(i, n, m));
      CHECK(static_cast<double>(got.rows.visible_keys[at]) == visible);
      if (visible == 0) {
        CHECK(std::isnan(got.rows.entropy[at]));
        CHECK(std::isnan(got.rows.distance[at]));
        CHECK(got.rows.top_key[at] == -1);
        continue;
      }
      const Vector<double> p = P.row(i).transpose();
      const Index position = top_left ? i : i + m - n;
      const double H = entropy<double>(p);
      double own_diagonal = 0, own_local = 0, own_distance = 0;
      for (Index j = 0; j < m; ++j) {
        const double away = std::abs(static_cast<double>(position - j));
        const bool keeps = options.mask.keeps(i, j, n, m);
        own_distance += p(j) * away;
        if (away == 0) own_diagonal += p(j);
        if (away <= static_cast<double>(options.window)) own_local += p(j);
        if (!keeps) continue;
        ++cells;
        few += p(j) < options.sparsity_threshold;
        equal(j) += 1 / visible;
        equal_distance += away / visible;
        if (away == 0) equal_diagonal += 1 / visible;
        if (away <= static_cast<double>(options.window)) equal_local += 1 / visible;
        if (visible < 2) continue;
        const bool hits[] = {j == position - 1, j == position + 1, j == position,
                             j == 0 && position != 0};
        for (int s = 0; s < 4; ++s) {
          if (!hits[s]) continue;
          score[s] += p(j);
          ++seen[s];
        }
      }
      ++count;
      max = std::max(max, p.maxCoeff());
      mean_max += p.maxCoeff();
      nats += H;
      effective += std::exp(H);
      diagonal += own_diagonal;
      local += own_local;
      distance += own_distance;
      received += p;
      if (visible > 1) {
        ++choosers;
        uniformity += H / std::log(visible);
        from_free += p;
        CHECK(got.rows.uniformity[at] == doctest::Approx(H / std::log(visible)));
      } else {
        CHECK(std::isnan(got.rows.uniformity[at]));
      }
      CHECK(got.rows.max[at] == doctest::Approx(p.maxCoeff()));
      CHECK(p(got.rows.top_key[at]) == p.maxCoeff());
      CHECK(got.rows.entropy[at] == doctest::Approx(H).epsilon(1e-9));
      CHECK(got.rows.effective_keys[at] == doctest::Approx(std::exp(H)));
      CHECK(got.rows.diagonal[at] == doctest::Approx(own_diagonal));
      CHECK(got.rows.local[at] == doctest::Approx(own_local));
      CHECK(got.rows.distance[at] == doctest::Approx(own_distance));
    }
    CHECK(static_cast<double>(got.empty_rows) == static_cast<double>(n) - count);
    CHECK(static_cast<double>(got.free_rows) == choosers);
    const auto close = [](double a, double b) {
      return (std::isnan(a) && std::isnan(b)) || a == doctest::Approx(b).epsilon(1e-9);
    };
    if (count > 0) CHECK(close(got.max_attention, max));
    CHECK(close(got.mean_max, mean_max / count));
    CHECK(close(got.mean_entropy, nats / count));
    CHECK(close(got.mean_effective_keys, effective / count));
    CHECK(close(got.diagonal_mass, diagonal / count));
    CHECK(close(got.local_mass, local / count));
    CHECK(close(got.global_mass + got.local_mass, count / count));
    CHECK(close(got.mean_distance, distance / count));
    CHECK(close(got.diagonal_mass_if_equal, equal_diagonal / count));
    CHECK(close(got.local_mass_if_equal, equal_local / count));
    CHECK(close(got.mean_distance_if_equal, equal_distance / count));
    CHECK(close(got.sparsity, few / cells));
    CHECK(close(got.previous_token_score, score[0] / seen[0]));
    CHECK(close(got.next_token_score, score[1] / seen[1]));
    CHECK(close(got.self_score, score[2] / seen[2]));
    CHECK(close(got.first_token_score, score[3] / seen[3]));
    CHECK(close(got.uniformity_score, uniformity / choosers));
    if (choosers > 0) {
      CHECK(close(got.top_key_share, from_free.maxCoeff() / choosers));
      CHECK(from_free(got.top_key) == doctest::Approx(from_free.maxCoeff()));
    }
    for (Index j = 0; j < m; ++j) {
      const auto at = static_cast<std::size_t>(j);
      CHECK(got.columns.received[at] == doctest::Approx(received(j)));
      CHECK(got.columns.received_if_equal[at] == doctest::Approx(equal(j)));
      Index viewers = 0;
      for (Index i = 0; i < n; ++i) viewers += options.mask.keeps(i, j, n, m);
      CHECK(got.columns.seen_by[at] == viewers);
    }
    CHECK(got.rank == numerical_rank<double>(P));
  }
}

TEST_CASE("float32 and float64 agree") {
  const Matrix<> P = picture<float>(40, 40, Mask::causal(), 2, 1);
  AttentionPatternOptions options = patterns_under(Mask::causal());
  options.rank_tolerance = 1e-5;
  const auto narrow = analyze_attention_patterns(P, options);
  const auto wide = analyze_attention_patterns<double>(P.cast<double>(), options);
  CHECK(narrow.mean_entropy == doctest::Approx(wide.mean_entropy).epsilon(1e-12));
  CHECK(narrow.rank == wide.rank);
}

TEST_CASE("equal weights are uniform under any mask, and no key stands out") {
  for (const Mask& mask : {Mask::full(), Mask::causal(), Mask::causal_bottom_right()}) {
    const Matrix<double> P = picture<double>(12, 20, mask, 0, 1);
    const auto got = analyze_attention_patterns<double>(P, patterns_under(mask));
    CHECK(got.uniformity_score == doctest::Approx(1));
    CHECK(got.local_mass == doctest::Approx(got.local_mass_if_equal));
    CHECK(got.mean_distance == doctest::Approx(got.mean_distance_if_equal));
    for (std::size_t j = 0; j < 20; ++j) {
      CHECK(got.columns.received[j] == doctest::Approx(got.columns.received_if_equal[j]));
    }
    CHECK(name_head(got).kind == HeadKind::kUniform);
  }
  // Without the mask, the zeros of a causal matrix look like a choice of the head.
  const auto blind =
      analyze_attention_patterns<double>(picture<double>(12, 12, Mask::causal(), 0, 1));
  CHECK(blind.uniformity_score < 0.8);
}

TEST_CASE("n ≠ m: the diagonal passes through the corner that the alignment names") {
  Matrix<double> P = Matrix<double>::Zero(2, 4);
  P(0, 2) = P(1, 3) = 1;
  CHECK(analyze_attention_patterns<double>(P).self_score == 1);
  CHECK(analyze_attention_patterns<double>(P).mean_distance == 0);
  AttentionPatternOptions options;
  options.alignment = Alignment::kTopLeft;
  CHECK(analyze_attention_patterns<double>(P, options).diagonal_mass == 0);
  CHECK(analyze_attention_patterns<double>(P, options).mean_distance == 2);
  // A causal mask is aligned at the top left, and the queries are then aligned in the same way.
  Matrix<double> first = Matrix<double>::Zero(2, 4);
  first(0, 0) = first(1, 1) = 1;
  CHECK(analyze_attention_patterns<double>(first, patterns_under(Mask::causal())).diagonal_mass ==
        1);
  // With more queries than keys, some queries stand before the first key and have no diagonal.
  const auto before = analyze_attention_patterns<double>(Matrix<double>::Constant(4, 2, 0.5));
  CHECK(before.diagonal_mass == doctest::Approx(0.25));
  CHECK(before.self_score == doctest::Approx(0.5));
}

TEST_CASE("queries that see nothing are counted and change no mean") {
  const Matrix<double> P = picture<double>(3, 5, Mask::full(), 1, 2);
  Matrix<double> padded = Matrix<double>::Zero(5, 5);
  padded.bottomRows(3) = P;
  Matrix<double> keep = Matrix<double>::Ones(5, 5);
  keep.topRows(2).setZero();
  const auto got =
      analyze_attention_patterns<double>(padded, patterns_under(Mask::from_matrix<double>(keep)));
  const auto alone = analyze_attention_patterns<double>(P);
  CHECK(got.empty_rows == 2);
  CHECK(got.mean_entropy == doctest::Approx(alone.mean_entropy));
  CHECK(got.local_mass == doctest::Approx(alone.local_mass));
  CHECK(got.sparsity == doctest::Approx(alone.sparsity));
  // Weights that are all 0 look at no key, whatever the mask allows.
  CHECK(analyze_attention_patterns<double>(padded).empty_rows == 2);
  CHECK(analyze_attention_patterns<double>(padded).mean_entropy ==
        doctest::Approx(alone.mean_entropy));

  const auto none = analyze_attention_patterns<double>(Matrix<double>::Zero(3, 3));
  CHECK(none.empty_rows == 3);
  CHECK(std::isnan(none.max_attention));
  CHECK(std::isnan(none.mean_entropy));
  CHECK(none.rank == 0);
  CHECK(name_head(none).kind == HeadKind::kUndecided);
}

TEST_CASE("row sums that dropout or an ε has changed do not change the numbers") {
  const Matrix<double> P = picture<double>(6, 6, Mask::full(), 2, 3);
  Matrix<double> scaled = P;
  for (Index i = 0; i < 6; ++i) scaled.row(i) *= 0.3 + static_cast<double>(i);
  const auto got = analyze_attention_patterns<double>(scaled),
             want = analyze_attention_patterns<double>(P);
  CHECK(got.mean_entropy == doctest::Approx(want.mean_entropy));
  CHECK(got.mean_max == doctest::Approx(want.mean_max));
  CHECK(got.columns.received[2] == doctest::Approx(want.columns.received[2]));
}

TEST_CASE("the ratio is infinite when no weight lies outside the window") {
  AttentionPatternOptions options;
  options.window = 0;
  const auto got = analyze_attention_patterns<double>(Matrix<double>::Identity(4, 4), options);
  CHECK(got.global_mass == 0);
  CHECK(std::isinf(got.local_vs_global));
  CHECK(got.sparsity == 0.75);
  CHECK(got.mean_entropy == 0);
  CHECK(got.mean_effective_keys == 1);
}

TEST_CASE("heads are named by their pattern, down to the threshold") {
  const Index n = 24;
  struct Wanted {
    HeadKind kind;
    const char* id;
    Index (*target)(Index);
    bool causal_too;
  };
  const Wanted wanted[] = {
      {HeadKind::kPreviousToken, "previous_token", [](Index i) { return i - 1; }, true},
      {HeadKind::kNextToken, "next_token", [](Index i) { return i + 1; }, false},
      {HeadKind::kDiagonal, "diagonal", [](Index i) { return i; }, true},
      {HeadKind::kFirstToken, "first_token", [](Index) { return Index{0}; }, true},
      {HeadKind::kOneKey, "one_key", [](Index) { return Index{5}; }, false},
  };
  for (const Wanted& one : wanted) {
    for (const Mask& mask : {Mask::full(), Mask::causal()}) {
      if (mask.kind() == Mask::Kind::kCausal && !one.causal_too) continue;
      for (const double share : {0.51, 0.8, 1.0}) {
        const auto name = name_head(analyze_attention_patterns<double>(
            one_hot(n, mask, share, one.target), patterns_under(mask)));
        CHECK(name.kind == one.kind);
        CHECK(name.id == one.id);
        CHECK(name.score == doctest::Approx(share));
      }
      const auto below = name_head(analyze_attention_patterns<double>(
          one_hot(n, mask, 0.4, one.target), patterns_under(mask)));
      CHECK(below.kind != one.kind);
    }
  }
  Matrix<double> band = Matrix<double>::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) band(i, j) = std::abs(i - j) <= 2 ? 1 : 0;
  }
  CHECK(name_head(analyze_attention_patterns<double>(band)).kind == HeadKind::kLocal);
  // A window of two holds most of five keys, so its share of the weight shows no preference for
  // near keys.
  CHECK(name_head(analyze_attention_patterns<double>(Matrix<double>::Ones(5, 5))).kind ==
        HeadKind::kUniform);
  CHECK(name_head(analyze_attention_patterns<double>(picture<double>(n, n, Mask::full(), 1, 4)))
            .kind == HeadKind::kBroad);
  CHECK(name_head(analyze_attention_patterns<double>(picture<double>(n, n, Mask::full(), 4, 4)))
            .kind == HeadKind::kMixed);
  // With one key a head has no choice.
  CHECK(name_head(analyze_attention_patterns<double>(Matrix<double>::Ones(4, 1))).id ==
        "undecided");
}

TEST_CASE("thresholds can be set") {
  const auto got = analyze_attention_patterns<double>(
      one_hot(24, Mask::full(), 0.4, [](Index i) { return i - 1; }));
  CHECK(name_head(got).kind != HeadKind::kPreviousToken);
  HeadThresholds lower;
  lower.target = 0.3;
  CHECK(name_head(got, lower).kind == HeadKind::kPreviousToken);
  lower.target = NAN;
  CHECK(error_of([&] { name_head(got, lower); }).argument() == "target");
}

TEST_CASE("linear attention has no more rank than features") {
  const auto x = random<double>(30, 4, 1), y = random<double>(30, 4, 2);
  const Matrix<double> A =
      compute_implicit_attention<double>(x, y, FeatureMap<double>("elu_plus_one", 4));
  CHECK(analyze_attention_patterns<double>(A).rank == 4);
  const Matrix<double> P = attention<double>(x, y, y).weights;
  CHECK(analyze_attention_patterns<double>(P).rank > 4);
  AttentionPatternOptions options;
  options.rank_tolerance = 0.5;
  CHECK(analyze_attention_patterns<double>(P, options).rank < 4);
  options.rank = false;
  CHECK_FALSE(analyze_attention_patterns<double>(P, options).rank.has_value());
  const Index large = kMaxRankSize + 1;
  CHECK_FALSE(analyze_attention_patterns(Matrix<>::Identity(large, large)).rank.has_value());
  CHECK(analyze_attention_patterns(Matrix<>::Ones(large, 3)).rank == 1);
}

TEST_CASE("a matrix that cannot be attention weights is refused by name") {
  const Matrix<double> P = picture<double>(3, 4, Mask::full(), 1, 1);
  CHECK(error_of([&] { analyze_attention_patterns<double>(Matrix<double>(0, 3)); }).argument() ==
        "weights");
  Matrix<double> bad = P;
  bad(1, 2) = -1e-9;
  CHECK(error_of([&] { analyze_attention_patterns<double>(bad); }).argument() == "weights");
  bad(1, 2) = NAN;
  CHECK(error_of([&] { analyze_attention_patterns<double>(bad); }).argument() == "weights");
  CHECK(error_of([&] {
          analyze_attention_patterns<double>(P, patterns_under(Mask::causal()));
        }).argument() == "weights");
  CHECK(error_of([&] {
          analyze_attention_patterns<double>(
              P, patterns_under(Mask::from_matrix<double>(Matrix<double>::Ones(4, 4))));
        }).argument() == "mask");
  AttentionPatternOptions options;
  options.window = -1;
  CHECK(error_of([&] { analyze_attention_patterns<double>(P, options); }).argument() == "window");
  options = {};
  options.sparsity_threshold = NAN;
  CHECK(error_of([&] { analyze_attention_patterns<double>(P, options); }).argument() ==
        "sparsity_threshold");
  options = {};
  options.rank_tolerance = 1;
  CHECK(error_of([&] { analyze_attention_patterns<double>(P, options); }).argument() ==
        "rank_tolerance");
}

TEST_SUITE_END();
