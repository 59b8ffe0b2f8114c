#include "attn/analysis/feature_curves.hpp"

#include <cmath>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("feature curves");

TEST_CASE("the curve of ELU + 1 and its slope are the formula's") {
  Matrix<double> u(1, 1);
  u << 1;
  const auto made = feature_map_curve<double>(FeatureMap<double>("elu_plus_one", 1), u, -3, 3, 13);
  REQUIRE(made.t.size() == 13);
  CHECK(made.t.front() == -3);
  CHECK(made.t.back() == 3);
  for (Index i = 0; i < 13; ++i) {
    const double t = made.t[static_cast<std::size_t>(i)];
    CHECK(std::abs(made.phi(i, 0) - (t > 0 ? t + 1 : std::exp(t))) < 1e-12);
    CHECK(std::abs(made.slope(i, 0) - (t > 0 ? 1 : std::exp(t))) < 1e-12);
  }
}

TEST_CASE("every map's slope equals the difference of neighbouring points") {
  const Index d = 3;
  const Matrix<double> u = random<double>(1, d, 4);
  const double t = 0.37, h = 1e-5;
  for (const FeatureMapInfo& info : feature_maps()) {
    for (const Role role : {Role::kQuery, Role::kKey}) {
      CAPTURE(info.id);
      const FeatureMap<double> map(info.id, d);
      // The middle of the three points is t.
      const auto made = feature_map_curve<double>(map, u, t - h, t + h, 3, role, {2, 5});
      REQUIRE(made.phi.cols() == map.dimension());
      const Matrix<double> want = (made.phi.row(2) - made.phi.row(0)) / (2 * h);
      CHECK_CLOSE(made.slope.row(1), want, 1e-5, 1e-5);
      const Matrix<double> there = map.apply(made.t[1] * u, role, {2, 5});
      CHECK_CLOSE(made.phi.row(1), there, 1e-12, 1e-12);
    }
  }
}

TEST_CASE("stabilised maps are evaluated point by point") {
  FeatureMapOptions<double> how;
  how.parameters = {{"stabilize", 1}};
  const FeatureMap<double> map("exp", 2, how);
  Matrix<double> u(1, 2);
  u << 1, 0;
  const auto made = feature_map_curve<double>(map, u, -2, 2, 9, Role::kKey);
  // Each point is stabilised by its own largest exponent.
  for (Index i = 0; i < 9; ++i) CHECK(made.phi.row(i).maxCoeff() == 1);
}

TEST_CASE("curves refuse inputs that they cannot draw") {
  const FeatureMap<> map("relu", 2);
  const Matrix<> u = Matrix<>::Ones(1, 2);
  CHECK_THROWS_AS(feature_map_curve<float>(map, Matrix<>::Ones(1, 3), 0, 1, 5), ShapeError);
  CHECK_THROWS_AS(feature_map_curve<float>(map, u, 1, 1, 5), ValueError);
  CHECK_THROWS_AS(feature_map_curve<float>(map, u, 0, INFINITY, 5), ValueError);
  CHECK_THROWS_AS(feature_map_curve<float>(map, u, 0, 1, 1), ValueError);
  CHECK_THROWS_AS(
      feature_map_curve<float>(FeatureMap<>("taylor", 64), Matrix<>::Ones(1, 64), 0, 1, 4096),
      CapacityError);
}

namespace {

KernelCurveResult curve_of(const FeatureMap<double>& map, const KernelCurveOptions& options) {
  KernelCurve<double> work(map, options);
  double before = -1;
  while (!work.step(3)) {
    CHECK(work.progress() > before);
    before = work.progress();
  }
  CHECK(work.progress() == 1);
  return work.result();
}

}  // namespace

TEST_CASE("the Taylor kernel is 1 + s + s²/2 for all directions, and the identity's is √d·s") {
  KernelCurveOptions options;
  options.norm = 3;
  options.points = 9;
  options.draws = 4;
  for (const char* id : {"taylor", "taylor_compact", "identity"}) {
    CAPTURE(id);
    const auto made = curve_of(FeatureMap<double>(id, 4), options);
    CHECK(made.s.front() == -4.5);
    CHECK(made.s.back() == 4.5);
    for (std::size_t p = 0; p < 9; ++p) {
      const double s = made.s[p];
      const double want = id[0] == 'i' ? 2 * s : 1 + s + s * s / 2;
      CHECK(made.exact[p] == std::exp(s));
      for (const double got : {made.mean[p], made.low[p], made.median[p], made.high[p]}) {
        CHECK(std::abs(got - want) < 1e-10);
      }
    }
  }
}

TEST_CASE("random features' kernel is e^s on average over the draws") {
  FeatureMapOptions<double> how;
  how.parameters = {{"features", 64}};
  KernelCurveOptions options;
  options.norm = 1;
  options.points = 5;
  options.draws = 400;
  const auto made = curve_of(FeatureMap<double>("softmax_kernel", 4, how), options);
  for (std::size_t p = 0; p < 5; ++p) {
    CAPTURE(p);
    // Lemma 2 gives ‖x + y‖² = 2·norm²/√d + 2s.
    const double relative = std::sqrt(std::expm1(1 + 2 * made.s[p]) / 64 / 400);
    CHECK(std::abs(made.mean[p] / made.exact[p] - 1) < 5 * relative + 1e-12);
    CHECK(made.low[p] <= made.median[p]);
    CHECK(made.median[p] <= made.high[p]);
  }
  // For opposite vectors the variance is 0, because x + y = 0.
  CHECK(made.high[0] - made.low[0] < 1e-10);
  CHECK(made.high[4] - made.low[4] > 0.1);
}

TEST_CASE("the first draw is the map itself, and the same seed gives the same curve") {
  FeatureMapOptions<double> how;
  how.projection = Matrix<double>::Identity(2, 2);
  const FeatureMap<double> given("softmax_kernel", 2, how);
  KernelCurveOptions options;
  options.points = 3;
  CHECK_NOTHROW(curve_of(given, options));
  options.draws = 2;
  CHECK_THROWS_AS(curve_of(given, options), ValueError);
  options.draws = 5;
  const FeatureMap<double> drawn("softmax_kernel", 2);
  CHECK(curve_of(drawn, options).mean == curve_of(drawn, options).mean);
  options.seed = 1;
  const auto other = curve_of(drawn, options).mean;
  options.seed = 0;
  CHECK(curve_of(drawn, options).mean != other);
  // Positions play no part, because every token has position 0.
  CHECK_NOTHROW(curve_of(FeatureMap<double>("cosformer", 4), options));
}

TEST_CASE("kernels that overflow are NaN, and bad options are refused") {
  KernelCurveOptions options;
  options.norm = 200;
  options.points = 3;
  KernelCurve<float> work(FeatureMap<float>("exp", 2), options);
  CHECK(work.step(1));
  CHECK(std::isnan(work.result().mean[2]));
  const auto refuses = [&](auto change) {
    KernelCurveOptions bad;
    change(bad);
    CHECK_THROWS_AS(KernelCurve<float>(FeatureMap<float>("exp", 2), bad), Error);
  };
  refuses([](KernelCurveOptions& o) { o.points = 2; });
  refuses([](KernelCurveOptions& o) { o.draws = 0; });
  refuses([](KernelCurveOptions& o) { o.norm = 0; });
  refuses([](KernelCurveOptions& o) { o.norm = 1e20; });
  refuses([](KernelCurveOptions& o) { o.draws = 1 << 22; });
  CHECK_THROWS_AS(KernelCurve<float>(FeatureMap<float>("exp", 1), {}), ValueError);
}

TEST_SUITE_END();
