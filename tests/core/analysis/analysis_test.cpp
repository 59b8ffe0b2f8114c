#include "attn/analysis/analysis.hpp"

#include "attn/base/inputs.hpp"
#include "feature_map_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("analysis");

namespace {

struct Inputs {
  Matrix<double> Q = random<double>(9, 4, 1), K = random<double>(9, 4, 2),
                 V = random<double>(9, 3, 3);
};

CompareOptions compared_under(Mask mask) {
  CompareOptions options;
  options.mask = std::move(mask);
  return options;
}

}  // namespace

TEST_CASE("the comparison's numbers equal their definitions") {
  const Inputs x;
  const FeatureMap<double> map("elu_plus_one", 4);
  Matrix<double> keep = Matrix<double>::Ones(9, 9);
  keep.row(4).setZero();
  keep(2, 3) = keep(8, 1) = 0;
  for (const Mask& mask : {Mask::full(), Mask::causal(), Mask::from_matrix<double>(keep)}) {
    const auto got = compare_to_softmax<double>(x.Q, x.K, x.V, map, compared_under(mask));
    AttentionOptions<double> options;
    options.mask = mask;
    const auto softmax = attention<double>(x.Q, x.K, x.V, options);
    const auto implicit = compute_implicit_attention<double>(x.Q, x.K, map, mask);
    CHECK_CLOSE(got.softmax, softmax.weights, kDouble, kDouble);
    CHECK_CLOSE(got.implicit, implicit, kDouble, kDouble);
    CHECK_CLOSE(got.difference, (implicit - softmax.weights).eval(), kDouble, kDouble);
    CHECK_CLOSE(got.softmax_output, softmax.output, kDouble, kDouble);
    CHECK_CLOSE(got.implicit_output, (implicit * x.V).eval(), kDouble, kDouble);

    // The expected values are np.mean, np.max and np.corrcoef over the visible cells.
    double count = 0, squares = 0, largest = 0, mean_p = 0, mean_a = 0;
    const auto each = [&](auto visit) {
      for (Index i = 0; i < 9; ++i) {
        for (Index j = 0; j < 9; ++j) {
          if (mask.keeps(i, j, 9, 9)) visit(softmax.weights(i, j), implicit(i, j));
        }
      }
    };
    each([&](double p, double a) {
      count += 1;
      squares += (a - p) * (a - p);
      largest = std::max(largest, std::abs(a - p));
      mean_p += p;
      mean_a += a;
    });
    mean_p /= count;
    mean_a /= count;
    double pp = 0, aa = 0, pa = 0;
    each([&](double p, double a) {
      pp += (p - mean_p) * (p - mean_p);
      aa += (a - mean_a) * (a - mean_a);
      pa += (p - mean_p) * (a - mean_a);
    });
    CHECK(static_cast<double>(got.kept_cells) == count);
    CHECK(got.mse == doctest::Approx(squares / count));
    CHECK(got.max_difference == doctest::Approx(largest));
    CHECK(got.correlation == doctest::Approx(pa / std::sqrt(pp * aa)));
    CHECK(got.output_error ==
          doctest::Approx((implicit * x.V - softmax.output).norm() / softmax.output.norm()));
    CHECK(got.mse <= got.mse_bound);
    CHECK(got.scale == 0.5);
    CHECK(got.feature_dimension == 4);
  }
}

TEST_CASE("without a mask the bound is 2/m and the baseline has equal weights") {
  const Inputs x;
  const auto got = compare_to_softmax<double>(x.Q, x.K, x.V, {"relu", 4});
  CHECK(got.mse_bound == doctest::Approx(2.0 / 9));
  CHECK(got.uniform_mse == doctest::Approx((got.softmax.array() - 1.0 / 9).square().mean()));
}

TEST_CASE("the bound is reached when the two matrices put all weight on different keys") {
  // Softmax puts all weight on the larger score, key 1. Squares are largest where the score is most
  // negative.
  Matrix<double> Q(2, 1), K(2, 1);
  Q << 1e3, 1e3;
  K << -1e3, 1e-1;
  const auto got = compare_to_softmax<double>(Q, K, Matrix<double>::Identity(2, 2), {"square", 1});
  CHECK(got.mse_bound == 1);
  // All but 1e-8 of the implicit weight lies on key 0.
  CHECK(got.mse == doctest::Approx(1).epsilon(1e-6));
}

TEST_CASE("steps of any size give the same result, and progress grows to one") {
  const Matrix<> Q = random(33, 8, 1), K = random(33, 8, 2), V = random(33, 8, 3);
  const FeatureMap<> map("relu", 8);
  const auto whole = compare_to_softmax(Q, K, V, map);
  for (const Index rows : {1, 5, 32, 100}) {
    SoftmaxComparison<> work(Q, K, V, map);
    double last = -1;
    do {
      CHECK(work.progress() > last);
      last = work.progress();
    } while (!work.step(rows));
    CHECK(work.progress() == 1);
    CHECK(work.step(rows));
    CHECK_CLOSE(work.result().difference, whole.difference, kFloat, 1e-7);
    CHECK(work.result().mse == doctest::Approx(whole.mse).epsilon(1e-4));
  }
}

TEST_CASE("identity: negative weights and denominators are counted") {
  const auto x = gaussian_qkv<float>(64, 16, 16, 1);
  const auto got = compare_to_softmax(x.Q, x.K, x.V, FeatureMap<>("identity", 16));
  CHECK(got.negative_weights > 0);
  CHECK(got.non_positive_denominators > 0);
  CHECK(got.implicit_min < 0);
  Index negative = 0;
  for (Index i = 0; i < got.implicit.size(); ++i) negative += got.implicit.data()[i] < 0;
  CHECK(got.negative_weights == negative);
}

TEST_CASE("ReLU with two dimensions: dead rows are counted") {
  const auto x = gaussian_qkv<float>(24, 2, 2, 1);
  const auto got = compare_to_softmax(x.Q, x.K, x.V, FeatureMap<>("relu", 2));
  Index dead = 0;
  for (Index i = 0; i < 24; ++i) dead += got.implicit.row(i).isZero(0);
  CHECK(dead > 0);
  CHECK(got.non_positive_denominators == dead);
}

TEST_CASE("weights that overflow make the numbers NaN and are counted") {
  const Matrix<> Q = 300 * random(6, 4, 1), K = 300 * random(6, 4, 2), V = random(6, 4, 3);
  const auto got = compare_to_softmax(Q, K, V, FeatureMap<>("exp", 4));
  CHECK(got.non_finite_weights > 0);
  CHECK(std::isnan(got.mse));
  CHECK(std::isnan(got.correlation));
  CHECK(std::isfinite(got.implicit_max));
}

TEST_CASE("tiny sums are not mistaken for dead rows, and ε = 0 changes nothing") {
  const Matrix<> Q = 1e-4F * random(8, 4, 1), K = 1e-4F * random(8, 4, 2), V = random(8, 2, 3);
  CompareOptions exact;
  exact.epsilon = 0;
  const FeatureMap<> map("squared_relu", 4);
  const auto with = compare_to_softmax(Q, K, V, map);
  const auto without = compare_to_softmax(Q, K, V, map, exact);
  CHECK(with.non_positive_denominators == without.non_positive_denominators);
  CHECK(with.non_positive_denominators < 8);
}

TEST_CASE("the output error is right for values whose squares overflow float32") {
  const Matrix<> Q = random(8, 4, 1), K = random(8, 4, 2), V = random(8, 2, 3);
  const FeatureMap<> map("relu", 4);
  const double wanted = compare_to_softmax(Q, K, V, map).output_error;
  for (const float factor : {1e20F, 1e-24F}) {
    const auto got = compare_to_softmax(Q, K, (factor * V).eval(), map);
    CHECK(got.output_error == doctest::Approx(wanted).epsilon(1e-4));
  }
}

TEST_CASE("scores that overflow are refused") {
  const Matrix<> Q = 1e20F * random(4, 2, 1), K = 1e20F * random(4, 2, 2), V = random(4, 2, 3);
  CHECK(error_of([&] { compare_to_softmax(Q, K, V, FeatureMap<>("hedgehog", 2)); }).code() ==
        "value");
  CHECK(error_of([&] {
          explain_cell<float>(Q, K, FeatureMap<>("hedgehog", 2), {}, 0, 0);
        }).code() == "value");
}

TEST_CASE("a constant matrix has no correlation") {
  Matrix<double> same = Matrix<double>::Ones(5, 3);
  const auto got = compare_to_softmax<double>(same, same, random<double>(5, 2, 1), {"relu", 3});
  CHECK(std::isnan(got.correlation));
  CHECK(got.mse == doctest::Approx(0));
}

TEST_CASE("the published handout's MSE is above what is possible") {
  // Lab 3 prints 0.0823, 0.1245 and 0.0912 for n = 100, but two row-stochastic matrices cannot be
  // that far apart.
  const auto x = gaussian_qkv<float>(100, 64, 64, 1);
  for (const char* id : {"elu_plus_one", "relu", "squared_relu"}) {
    const auto got = compare_to_softmax(x.Q, x.K, x.V, FeatureMap<>(id, 64));
    CHECK(got.mse_bound == doctest::Approx(0.02));
    CHECK(got.mse < got.mse_bound);
    CHECK(got.mse < got.uniform_mse);
  }
}

TEST_CASE("a cell's explanation adds up to the weights of the comparison") {
  const Inputs x;
  const FeatureMap<double> map("taylor", 4);
  const CompareOptions options = compared_under(Mask::causal());
  const auto whole = compare_to_softmax<double>(x.Q, x.K, x.V, map, options);
  for (Index i = 0; i < 9; ++i) {
    for (Index j = 0; j < 9; ++j) {
      const CellExplanation cell = explain_cell<double>(x.Q, x.K, map, options, i, j);
      CHECK(cell.masked == (j > i));
      CHECK(cell.visible_keys == i + 1);
      CHECK(cell.softmax_weight == doctest::Approx(whole.softmax(i, j)));
      CHECK(cell.implicit_weight == doctest::Approx(whole.implicit(i, j)));
      CHECK(cell.dot == doctest::Approx(x.Q.row(i).dot(x.K.row(j))));
      CHECK(cell.logit == doctest::Approx(cell.scale * cell.dot));
      if (cell.masked) continue;
      CHECK(std::exp(cell.logit - cell.log_sum_exp) == doctest::Approx(cell.softmax_weight));
      CHECK(cell.feature_dot / cell.denominator == doctest::Approx(cell.implicit_weight));
      CHECK(cell.row_max >= cell.logit);
      Index rank = 1;
      for (Index l = 0; l <= i; ++l) rank += whole.softmax(i, l) > whole.softmax(i, j);
      CHECK(cell.softmax_rank == rank);
    }
  }
  CHECK(error_of([&] { explain_cell<double>(x.Q, x.K, map, options, 9, 0); }).argument() ==
        "query");
  CHECK(error_of([&] { explain_cell<double>(x.Q, x.K, map, options, 0, -1); }).argument() == "key");
}

TEST_CASE(
    "every denominator rule and padding, compared and explained as linear attention has them") {
  const Inputs x;
  Matrix<double> keep = Matrix<double>::Ones(9, 9);
  keep(2, 3) = keep(8, 1) = keep(5, 5) = 0;
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    const FeatureMap<double> map = small_map(info, 4);
    for (const DenominatorRule rule : kRules) {
      for (const Mask& mask : {Mask::causal(), Mask::full().with_valid_keys(6),
                               Mask::from_matrix<double>(keep).with_valid_keys(7)}) {
        CompareOptions options = compared_under(mask);
        options.denominator = rule;
        options.epsilon = 0.5;
        const auto got = compare_to_softmax<double>(x.Q, x.K, x.V, map, options);
        const auto magnified = magnification<double>(x.Q, x.K, map, mask, 0.5, rule);
        const auto implicit = compute_implicit_attention<double>(x.Q, x.K, map, mask, 0.5, rule);
        CHECK_EQ(output_mismatch<double>(got.implicit, implicit, magnified, 1), "");
        CHECK_EQ(output_mismatch<double>(got.implicit_output, (implicit * x.V).eval(), magnified,
                                         x.V.cwiseAbs().maxCoeff()),
                 "");
        Index kept = 0;
        for (Index i = 0; i < 9; ++i) kept += mask.count(i, 9, 9);
        CHECK(got.kept_cells == kept);
        for (const Index i : {2, 5, 8}) {
          for (const Index j : {1, 5, 8}) {
            const CellExplanation cell = explain_cell<double>(x.Q, x.K, map, options, i, j);
            CHECK(cell.masked == !mask.keeps(i, j, 9, 9));
            CHECK(cell.visible_keys == mask.count(i, 9, 9));
            if (cell.masked) {
              CHECK(cell.implicit_weight == 0.0);
              CHECK(cell.softmax_weight == 0.0);
              continue;
            }
            if (cell.denominator == 0) continue;
            const double bound = 1 + magnified(i);
            CHECK(std::abs(cell.implicit_weight - implicit(i, j)) <= 1e-12 * bound * bound);
            CHECK(cell.implicit_weight == doctest::Approx(cell.feature_dot / cell.denominator));
          }
        }
      }
    }
  }
}

TEST_CASE("padded keys change nothing, neither for softmax nor for maps that look at all keys") {
  const Inputs x;
  Matrix<double> other = x.K;
  other.bottomRows(3) *= 7;
  for (const FeatureMapInfo& info : feature_maps()) {
    if (!has_parameter(info, "stabilize")) continue;
    CAPTURE(info.id);
    const FeatureMap<double> map = small_map(info, 4, {{"stabilize", 1}});
    const CompareOptions options = compared_under(Mask::full().with_valid_keys(6));
    const auto padded = compare_to_softmax<double>(x.Q, x.K, x.V, map, options);
    const auto changed = compare_to_softmax<double>(x.Q, other, x.V, map, options);
    const auto cut = compare_to_softmax<double>(x.Q, x.K.topRows(6), x.V.topRows(6), map);
    CHECK(changed.mse == padded.mse);
    CHECK(changed.correlation == padded.correlation);
    CHECK(padded.kept_cells == 54);
    CHECK(padded.mse == doctest::Approx(cut.mse));
    CHECK(padded.correlation == doctest::Approx(cut.correlation));
    CHECK(padded.output_error == doctest::Approx(cut.output_error));
    CHECK(padded.mse_bound == doctest::Approx(cut.mse_bound));
    CHECK(padded.implicit.rightCols(3).isZero(0));
    CHECK(padded.softmax.rightCols(3).isZero(0));
    CHECK(explain_cell<double>(x.Q, other, map, options, 3, 2).implicit_weight ==
          explain_cell<double>(x.Q, x.K, map, options, 3, 2).implicit_weight);
  }
  CHECK(error_of([&] {
          compare_to_softmax<double>(x.Q, x.K, x.V, {"relu", 4},
                                     compared_under(Mask::causal().with_valid_keys(10)));
        }).argument() == "valid_keys");
}

TEST_CASE("arguments that do not fit are refused by name") {
  const Inputs x;
  CompareOptions options;
  options.epsilon = NAN;
  CHECK(error_of([&] {
          compare_to_softmax<double>(x.Q, x.K, x.V, {"relu", 4}, options);
        }).argument() == "epsilon");
  CHECK(error_of([&] {
          compare_to_softmax<double>(x.Q, x.K, x.V, {"relu", 5});
        }).argument() == "x");
  options = compared_under(Mask::from_matrix<double>(Matrix<double>::Ones(2, 2)));
  CHECK(error_of([&] {
          compare_to_softmax<double>(x.Q, x.K, x.V, {"relu", 4}, options);
        }).argument() == "mask");
}

TEST_SUITE_END();
