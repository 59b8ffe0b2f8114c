#include "attn/feature_map.hpp"

#include <set>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("feature_map");

namespace {

/// A map of the registry, small enough for finite differences.
FeatureMap<double> small(const FeatureMapInfo& info, Index d_k) {
  FeatureMapOptions<double> options;
  if (info.random) options.parameters = {{"features", 6}};
  options.seed = 4;
  return {info.id, d_k, options};
}

double kernel(const FeatureMap<double>& map, const Matrix<double>& q, const Matrix<double>& k) {
  return map.apply(q, Role::kQuery).row(0).dot(map.apply(k, Role::kKey).row(0));
}

}  // namespace

TEST_CASE("every entry of the registry is described and has an id of its own") {
  std::set<std::string_view> ids;
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    CHECK(ids.insert(info.id).second);
    CHECK_FALSE(info.label.empty());
    CHECK_FALSE(info.tex.empty());
    CHECK_FALSE(info.dimension_tex.empty());
    CHECK_FALSE(info.kernel.empty());
    CHECK_FALSE(info.note.empty());
    CHECK(info.paper.url.starts_with("https://arxiv.org/abs/"));
    for (const FeatureMapParameter& parameter : info.parameters) {
      CHECK(parameter.min <= parameter.default_value);
      CHECK(parameter.default_value <= parameter.max);
    }
  }
  CHECK(ids.size() >= 6);
}

TEST_CASE("the dimension a map announces is the one it delivers, and its sign is as declared") {
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    for (const Index d_k : {1, 3, 8}) {
      const FeatureMap<double> map = small(info, d_k);
      for (const Role role : {Role::kQuery, Role::kKey}) {
        const Matrix<double> phi = map.apply(random<double>(11, d_k, 5), role);
        CHECK(phi.rows() == 11);
        CHECK(phi.cols() == map.dimension());
        if (info.positivity == Positivity::kPositive) CHECK(phi.minCoeff() > 0);
        if (info.positivity == Positivity::kNonNegative) CHECK(phi.minCoeff() >= 0);
      }
    }
  }
}

TEST_CASE("float32 and float64 agree") {
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    const Matrix<float> x = random<float>(9, 6, 5);
    FeatureMapOptions<float> options;
    FeatureMapOptions<double> wide;
    options.seed = wide.seed = 3;
    // A projection and an exponential: some ten roundings of 6e-8, times exponents up to 10.
    CHECK_CLOSE(FeatureMap<float>(info.id, 6, options).apply(x),
                FeatureMap<double>(info.id, 6, wide).apply(x.cast<double>()), 1e-4, 1e-5);
  }
}

TEST_CASE("backward is the derivative of apply for every map, role and variant") {
  const auto check = [](const FeatureMap<double>& map, Role role) {
    // Central differences with h = 1e-6 are good to about h² + 1e-16/h = 1e-10 of values of size 1.
    const Matrix<double> x = random<double>(4, map.d_k(), 21);
    const Matrix<double> g = random<double>(4, map.dimension(), 22);
    const Matrix<double> got = map.backward(x, g, role);
    Matrix<double> wanted(x.rows(), x.cols());
    for (Index i = 0; i < x.size(); ++i) {
      Matrix<double> up = x, down = x;
      up.data()[i] += 1e-6;
      down.data()[i] -= 1e-6;
      wanted.data()[i] = (map.apply(up, role) - map.apply(down, role)).cwiseProduct(g).sum() / 2e-6;
    }
    CHECK_CLOSE(got, wanted, 1e-6, 1e-7);
  };
  for (const FeatureMapInfo& info : feature_maps()) {
    for (const Role role : {Role::kQuery, Role::kKey}) {
      CAPTURE(info.id);
      check(small(info, 5), role);
      for (const FeatureMapParameter& parameter : info.parameters) {
        if (!parameter.integer || parameter.max > 8) continue;
        for (const double value : {parameter.min, parameter.max}) {
          CAPTURE(parameter.name);
          CAPTURE(value);
          FeatureMapOptions<double> options;
          options.seed = 4;
          if (info.random) options.parameters.emplace_back("features", 6);
          options.parameters.emplace_back(parameter.name, value);
          check({info.id, 5, options}, role);
        }
      }
    }
  }
}

TEST_CASE("ELU + 1 stays positive where ELU(x) + 1 in float32 is zero") {
  Matrix<> x(1, 4);
  x << -1, -17.5F, -60, 2;
  const Matrix<> phi = elu_plus_one(x);
  CHECK(phi(0, 0) == doctest::Approx(std::exp(-1.0)));
  CHECK(phi(0, 1) > 0);
  CHECK(phi(0, 2) > 0);
  CHECK(phi(0, 3) == 3);
  CHECK_CLOSE(elu_feature_map(x), phi, 0, 0);
}

TEST_CASE("the maps the course texts name are the textbook formulas") {
  Matrix<> x(1, 3);
  x << -2, 0, 3;
  Matrix<> wanted(1, 3);
  CHECK_CLOSE(simple_feature_map(x), x, 0, 0);
  wanted << 0, 0, 3;
  CHECK_CLOSE(relu_feature_map(x), wanted, 0, 0);
  wanted << 0, 0, 9;
  CHECK_CLOSE(squared_relu_feature_map(x), wanted, 0, 0);

  const Matrix<double> W = random<double>(5, 3, 2), y = random<double>(2, 3, 3);
  const Matrix<double> phi = softmax_kernel_feature_map<double>(y, W);
  const double root = std::pow(3.0, 0.25);
  for (Index r = 0; r < 2; ++r) {
    for (Index f = 0; f < 5; ++f) {
      const double u = W.row(f).dot(y.row(r)) / root;
      const double h = y.row(r).squaredNorm() / (2 * root * root);
      CHECK(phi(r, f) == doctest::Approx(std::exp(u - h) / std::sqrt(5.0)));
    }
  }
}

TEST_CASE("both Taylor layouts have the kernel 1 + s + s²/2, never below one half") {
  for (int seed = 0; seed < 20; ++seed) {
    const Matrix<double> q = 3 * random<double>(1, 6, 100 + seed);
    const Matrix<double> k = 3 * random<double>(1, 6, 200 + seed);
    const double s = q.row(0).dot(k.row(0)) / std::sqrt(6.0);
    for (const char* id : {"taylor", "taylor_compact"}) {
      CHECK(kernel({id, 6}, q, k) == doctest::Approx(1 + s + s * s / 2));
      CHECK(kernel({id, 6}, q, k) > 0.5 - 1e-9);
    }
  }
  CHECK(FeatureMap<double>("taylor", 16).dimension() == 273);
  CHECK(FeatureMap<double>("taylor_compact", 16).dimension() == 153);
}

TEST_CASE("cosFormer weighs by distance, and needs to know the length") {
  const Matrix<double> x = Matrix<double>::Ones(6, 2);
  const FeatureMap<double> map("cosformer", 2);
  const Matrix<double> phi = map.apply(x);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 6; ++j) {
      const double angle = 3.14159265358979 / 2 * static_cast<double>(i - j) / 6;
      CHECK(phi.row(i).dot(phi.row(j)) == doctest::Approx(2 * std::cos(angle)));
    }
  }
  CHECK_CLOSE(map.apply(x.bottomRows(2), Role::kQuery, {4, 6}), phi.bottomRows(2), kDouble, 0);
  CHECK(error_of([&] { map.apply(x, Role::kQuery, {0, 5}); }).argument() == "length");
  CHECK_FALSE(map.streamable());
}

TEST_CASE("random features estimate e^{q·k/√d} without bias and with the variance of lemma 2") {
  // Inputs of norm below 1, so that the variance is small enough to be measured.
  const Index d = 8;
  const int draws = 20000;
  const Matrix<double> q = 0.3 * random<double>(1, d, 31), k = 0.3 * random<double>(1, d, 32);
  const double root = std::sqrt(static_cast<double>(d));
  const double softmax = std::exp(q.row(0).dot(k.row(0)) / root);
  const double sum = (q + k).squaredNorm() / root, gap = (q - k).squaredNorm() / root;
  const double positive = softmax * softmax * (std::exp(sum) - 1);
  const struct {
    const char* id;
    double variance;  // of one projection
  } estimators[] = {
      {"softmax_kernel", positive},
      {"softmax_kernel_hyperbolic", 0.5 * (1 - std::exp(-sum)) * positive},
      {"softmax_kernel_trig",
       0.5 * std::exp(sum) / (softmax * softmax) * std::pow(1 - std::exp(-gap), 2)},
  };
  const Matrix<double> W = random_projection<double>(draws, d, false, 77);
  for (const auto& estimator : estimators) {
    CAPTURE(estimator.id);
    double mean = 0, squares = 0, fourth = 0;
    for (int draw = 0; draw < draws; ++draw) {
      FeatureMapOptions<double> options;
      options.projection = W.middleRows(draw, 1);
      const double error = kernel({estimator.id, d, options}, q, k) - softmax;
      mean += error / draws;
      squares += error * error / draws;
      fourth += error * error * error * error / draws;
    }
    CHECK(std::abs(mean) < 5 * std::sqrt(estimator.variance / draws));
    // The sample variance's own deviation, from the measured fourth moment; five of them.
    const double deviation = std::sqrt((fourth - squares * squares) / draws);
    CHECK(std::abs(squares - estimator.variance) < 5 * deviation);
    CHECK(deviation < 0.2 * estimator.variance);
  }
}

TEST_CASE("FAVOR+ with its stabiliser never overflows and cannot be streamed") {
  const Matrix<> x = 200 * random(6, 4, 8);
  FeatureMapOptions<> stable;
  stable.parameters = {{"stabilize", 1}};
  const FeatureMap<> map("softmax_kernel", 4, stable);
  CHECK(map.apply(x, Role::kQuery).allFinite());
  CHECK(map.apply(x, Role::kKey).allFinite());
  CHECK_FALSE(map.streamable());
  CHECK(FeatureMap<>("softmax_kernel", 4).streamable());
}

TEST_CASE("the seed decides the projection, and an own projection replaces it") {
  const Matrix<> x = random(3, 4, 8);
  const auto with_seed = [&](std::uint64_t seed) {
    FeatureMapOptions<> options;
    options.seed = seed;
    return FeatureMap<>("softmax_kernel", 4, options).apply(x);
  };
  CHECK_CLOSE(with_seed(1), with_seed(1), 0, 0);
  CHECK_FALSE(mismatch(with_seed(1), with_seed(2), 1e-3, 1e-3).empty());
  FeatureMapOptions<> own;
  own.projection = random(7, 4, 1);
  CHECK(FeatureMap<>("softmax_kernel", 4, own).dimension() == 7);
}

TEST_CASE("bad ids, parameters and shapes are refused by name") {
  const auto make = [](const char* id, FeatureMapOptions<> options) {
    return error_of([&] { FeatureMap<>(id, 4, options); });
  };
  const Error unknown = make("eluu", {});
  CHECK(unknown.argument() == "feature_map");
  CHECK(unknown.wanted().find("elu_plus_one") != std::string::npos);

  FeatureMapOptions<> options;
  options.parameters = {{"temperature", -1}};
  CHECK(make("elu_plus_one", options).argument() == "parameter temperature");
  options.parameters = {{"colour", 1}};
  CHECK(make("elu_plus_one", options).wanted() == "one of temperature");
  options.parameters = {{"features", 1.5}};
  CHECK(make("softmax_kernel", options).wanted() == "a whole number from 1 to 1024");
  options.parameters = {{"features", NAN}};
  CHECK(make("softmax_kernel", options).code() == "value");

  FeatureMapOptions<> shaped;
  shaped.projection = random(7, 5, 1);
  CHECK(make("softmax_kernel", shaped).wanted() == "7×4 (a column for each of d_k)");
  CHECK(make("relu", shaped).argument() == "projection");
  FeatureMapOptions<> biased;
  biased.bias = random(1, 3, 1);
  CHECK(make("t2r", biased).argument() == "bias");
  CHECK(error_of([] { FeatureMap<>("relu", 0); }).argument() == "d_k");
  CHECK(error_of([] { FeatureMap<>("relu", 4).apply(random(2, 5, 1)); }).argument() == "x");
}

TEST_CASE("features that would not fit are refused before anything is allocated") {
  const FeatureMap<> map("taylor", 256);
  const Error error = error_of([&] { map.apply(Matrix<>::Zero(1024, 256)); });
  CHECK(error.code() == "capacity");
  CHECK(error.argument() == "feature_map");
  // d² beyond 2³¹: must not wrap around where Index has 32 bits.
  for (const char* id : {"taylor", "taylor_compact", "rebased"}) {
    CHECK(error_of([&] { FeatureMap<>(id, 100000); }).code() == "capacity");
  }
  CHECK(error_of([] {
          FeatureMap<>("cosformer", 1).apply(random(2, 1, 1), Role::kQuery, {2147483647, 0});
        }).argument() == "offset");
}

TEST_SUITE_END();
