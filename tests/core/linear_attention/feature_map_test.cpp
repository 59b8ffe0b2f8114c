#include "attn/linear_attention/feature_map.hpp"

#include <set>

#include "allocation_watch.hpp"
#include "feature_map_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("feature_map");

namespace {

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
      CHECK_FALSE(parameter.name.empty());
      CHECK_FALSE(parameter.label.empty());
      CHECK_FALSE(parameter.description.empty());
      CHECK(parameter.min <= parameter.default_value);
      CHECK(parameter.default_value <= parameter.max);
    }
  }
  CHECK_FALSE(ids.empty());
}

TEST_CASE("finding a known map builds no text for an error") {
  const FeatureMap<double> map("dpfp", 3);
  const auto maps = feature_maps();
  bool found = true;
  const AllocationWatch watch(AllocationWatch::Scope::kAll);
  for (const FeatureMapInfo& info : maps) found = found && feature_map_info(info.id).id == info.id;
  found = found && map.positivity() == Positivity::kNonNegative && map.parameter("nu") == 1;
  const std::uint64_t taken = watch.news() + watch.mallocs();
  CHECK(found);
  CHECK(taken == 0);
}

TEST_CASE("a map has the dimension and the sign that it declares") {
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    for (const Index d_k : {1, 3, 8}) {
      const FeatureMap<double> map = small_map(info, d_k);
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

TEST_CASE("features have the sign the map declares, whatever its parameters and inputs") {
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    std::vector<std::vector<std::pair<std::string, double>>> settings(1);
    for (const FeatureMapParameter& parameter : info.parameters) {
      if (parameter.name == "features") continue;
      const double inside = parameter.integer ? std::floor((parameter.min + parameter.max) / 2)
                                              : 0.3 * parameter.min + 0.7 * parameter.max;
      for (const double value : {parameter.min, parameter.max, inside}) {
        settings.push_back({{std::string(parameter.name), value}});
      }
    }
    double smallest = 1;
    for (std::size_t at = 0; at < settings.size(); ++at) {
      for (const Index d_k : {1, 2, 7}) {
        const FeatureMap<double> map = small_map(info, d_k, settings[at]);
        if (at == 0) CHECK(map.positivity() == info.positivity);
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
          // Entries go up to about ±10, so that e^{-x²} stays above 0, and include zeros, where
          // maps have kinks.
          const double size = seed % 3 == 0 ? 0.1 : static_cast<double>(seed % 3);
          Matrix<double> x = size * random<double>(5, d_k, 300 + seed);
          if (seed % 2 == 0) x(2, d_k - 1) = 0;
          const Matrix<double> phi = map.apply(x, seed % 4 < 2 ? Role::kQuery : Role::kKey);
          const double least = phi.minCoeff();
          CAPTURE(at);
          CAPTURE(seed);
          CHECK(phi.allFinite());
          if (map.positivity() == Positivity::kPositive) CHECK(least > 0);
          if (map.positivity() == Positivity::kNonNegative) CHECK(least >= 0);
          if (at == 0) smallest = std::min(smallest, least);
        }
      }
    }
    // No map declares a weaker sign than it has.
    if (info.positivity == Positivity::kNonNegative) CHECK(smallest == 0);
    if (info.positivity == Positivity::kAny) CHECK(smallest < 0);
  }
  const FeatureMapInfo& relu = feature_map_info("relu");
  CHECK(small_map(relu, 3, {{"floor", 1e-12}}).positivity() == Positivity::kPositive);
  const FeatureMapInfo& relu_kernel = feature_map_info("relu_kernel");
  CHECK(small_map(relu_kernel, 3, {{"epsilon", 0}}).positivity() == Positivity::kNonNegative);
  const FeatureMap<double> fla = small_map(feature_map_info("dpfp"), 3, {{"fla", 1}});
  CHECK(fla.positivity() == Positivity::kAny);
  CHECK(fla.apply(random<double>(9, 3, 5)).minCoeff() < 0);
}

TEST_CASE("float32 features of entries up to 1e4 are finite, or the map's note says otherwise") {
  // Every row is large in another way: one sign, the other sign, alternating signs, a single large
  // entry, and random signs and sizes down to 1e-4.
  const auto extremes = [](Index d_k) {
    Matrix<> x(12, d_k);
    x.row(0).setConstant(1e4F);
    x.row(1).setConstant(-1e4F);
    x.row(2).setZero();
    x.row(3).setZero();
    x(3, d_k - 1) = -1e4F;
    for (Index c = 0; c < d_k; ++c) x(4, c) = c % 2 == 0 ? 1e4F : -1e4F;
    Rng rng(12);
    for (Index r = 5; r < 12; ++r) {
      for (Index c = 0; c < d_k; ++c) {
        const double size = std::pow(10.0, 8 * rng.uniform() - 4);
        x(r, c) = static_cast<float>(rng.uniform() < 0.5 ? -size : size);
      }
    }
    return x;
  };
  const auto overflows = [](const FeatureMap<>& map, const Matrix<>& x) {
    bool found = false;
    for (const Role role : {Role::kQuery, Role::kKey}) {
      const Matrix<> ones = Matrix<>::Ones(x.rows(), map.dimension());
      found = found || !map.apply(x, role).allFinite() || !map.backward(x, ones, role).allFinite();
    }
    LinearAttentionOptions options;
    options.denominator = DenominatorRule::kClamp;
    return found || !linear_attention<float>(x, x, x, map, options).output.allFinite();
  };
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    const bool documented = info.note.starts_with("Overflows float32") ||
                            info.note.find(" Overflows float32") != std::string_view::npos;
    bool found = false;
    for (const Index d_k : {1, 4, 16, 64}) {
      CAPTURE(d_k);
      const Matrix<> x = extremes(d_k);
      std::vector<std::pair<std::string, double>> parameters;
      if (info.random) parameters = {{"features", 32}};
      const bool now = overflows(small_map<float>(info, d_k, parameters), x);
      found = found || now;
      if (!documented) CHECK_FALSE(now);
      if (!has_parameter(info, "stabilize")) continue;
      parameters.emplace_back("stabilize", 1);
      CHECK_FALSE(overflows(small_map<float>(info, d_k, parameters), x));
    }
    CHECK(found == documented);
  }
}

TEST_CASE("without ε, a stabiliser does not change the weights") {
  const Matrix<double> Q = random<double>(6, 4, 51), K = random<double>(7, 4, 52);
  Index maps = 0;
  for (const FeatureMapInfo& info : feature_maps()) {
    if (!has_parameter(info, "stabilize")) continue;
    CAPTURE(info.id);
    ++maps;
    std::vector<std::pair<std::string, double>> on = {{"stabilize", 1}};
    if (has_parameter(info, "epsilon")) on.emplace_back("epsilon", 0);
    const FeatureMap<double> plain = small_map(info, 4), stable = small_map(info, 4, on);
    CHECK(plain.streamable());
    CHECK_FALSE(stable.streamable());
    CHECK_FALSE(mismatch(stable.apply(Q), plain.apply(Q), 1e-3, 1e-3).empty());
    // The tolerance allows for quotients of sums in which trigonometric features may cancel.
    CHECK_CLOSE(compute_implicit_attention<double>(Q, K, stable, Mask::full(), 0),
                compute_implicit_attention<double>(Q, K, plain, Mask::full(), 0), 1e-9, 1e-9);
  }
  CHECK(maps == 4);
}

TEST_CASE("a row of equal entries has a layer norm also without ε") {
  const FeatureMap<double> map =
      small_map(feature_map_info("rebased"), 3, {{"layer_norm_epsilon", 0}});
  const Matrix<double> same = Matrix<double>::Constant(2, 3, 5);
  CHECK(map.apply(same).isZero(0));
  CHECK(map.backward(same, Matrix<double>::Ones(2, map.dimension())).isZero(0));
}

TEST_CASE("float32 and float64 agree") {
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    const Matrix<float> x = random<float>(9, 6, 5);
    FeatureMapOptions<float> options;
    FeatureMapOptions<double> wide;
    options.seed = wide.seed = 3;
    // A projection and an exponential have about ten roundings of 6e-8, times exponents up to 10.
    CHECK_CLOSE(FeatureMap<float>(info.id, 6, options).apply(x),
                FeatureMap<double>(info.id, 6, wide).apply(x.cast<double>()), 1e-4, 1e-5);
  }
}

TEST_CASE("backward is the derivative of apply for every map, role and variant") {
  const auto check = [](const FeatureMap<double>& map, Role role) {
    // Central differences with h = 1e-6 are accurate to about h² + 1e-16/h = 1e-10 for values of
    // size 1.
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
      check(small_map(info, 5), role);
      for (const FeatureMapParameter& parameter : info.parameters) {
        if (!parameter.integer || parameter.max > 8) continue;
        for (const double value : {parameter.min, parameter.max}) {
          CAPTURE(parameter.name);
          CAPTURE(value);
          check(small_map(info, 5, {{std::string(parameter.name), value}}), role);
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

TEST_CASE("the maps that the course texts name equal the textbook formulas") {
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

TEST_CASE("cosFormer weights by distance, and needs the sequence length") {
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
  CHECK(map.streamable(6));
}

namespace {

/// The mean and variance of an estimator over draws, each with its standard deviation.
struct Moments {
  double mean, mean_deviation, variance, variance_deviation;
};

Moments moments(const std::vector<double>& drawn) {
  const double count = static_cast<double>(drawn.size());
  double mean = 0, squares = 0, fourth = 0;
  for (const double x : drawn) mean += x / count;
  for (const double x : drawn) {
    const double square = (x - mean) * (x - mean);
    squares += square / count;
    fourth += square * square / count;
  }
  return {mean, std::sqrt(squares / count), squares,
          std::sqrt(std::max(fourth - squares * squares, 0.0) / count)};
}

/// Statistical checks allow five deviations: under the normal approximation, a right estimator
/// fails for one seed in 1.7 million. `rounding` is for estimators that do not vary at all.
void check_near(double got, double wanted, double deviation) {
  const double rounding = 1e-12 * (1 + std::abs(wanted));
  CHECK(std::abs(got - wanted) <= 5 * deviation + rounding);
}

constexpr const char* kSoftmaxKernels[] = {"softmax_kernel", "softmax_kernel_hyperbolic",
                                           "softmax_kernel_trig"};

/// A query and a key, and what lemma 2 of the Performer paper predicts for them.
struct Point {
  Matrix<double> q, k;
  /// With x = q/d^{1/4} and y = k/d^{1/4}, the fields are e^{x·y}, ‖x + y‖², ‖x − y‖² and ‖x‖² +
  /// ‖y‖².
  double softmax, sum, gap, norms;

  Point(const Matrix<double>& query, const Matrix<double>& key) : q(query), k(key) {
    const double root = std::sqrt(static_cast<double>(q.cols()));
    softmax = std::exp(q.row(0).dot(k.row(0)) / root);
    sum = (q + k).squaredNorm() / root;
    gap = (q - k).squaredNorm() / root;
    norms = (q.squaredNorm() + k.squaredNorm()) / root;
  }

  /// The variance of the estimate from one random projection.
  double variance(std::string_view id) const {
    const double positive = softmax * softmax * (std::exp(sum) - 1);
    if (id == "softmax_kernel") return positive;
    if (id == "softmax_kernel_hyperbolic") return 0.5 * (1 - std::exp(-sum)) * positive;
    return 0.5 * std::exp(sum) / (softmax * softmax) * std::pow(1 - std::exp(-gap), 2);
  }

  /// `draws` estimates of e^{x·y}, each the mean over `rows` projections of its own. A map of 1024
  /// projections serves as many estimators at once: projection f has feature f, and also feature m
  /// + f where a map has two for each.
  std::vector<double> estimates(std::string_view id, int draws, Index rows, bool orthogonal,
                                bool row_norms) const {
    FeatureMapOptions<double> options;
    options.parameters = {
        {"features", 1024}, {"orthogonal", orthogonal ? 1 : 0}, {"row_norms", row_norms ? 1 : 0}};
    const FeatureMap<double> map(id, q.cols(), options);
    Matrix<double> both(2, q.cols());
    both << q, k;
    std::vector<double> drawn;
    for (std::uint64_t redraw = 0; drawn.size() < static_cast<std::size_t>(draws); ++redraw) {
      const Matrix<double> phi = map.redraw(redraw_seed(9, redraw, 1)).apply(both);
      const Vector<double> products = phi.row(0).cwiseProduct(phi.row(1)).transpose();
      Vector<double> each = 1024 * products.head(1024);
      if (products.size() == 2048) each += 1024 * products.tail(1024);
      for (Index first = 0; first + rows <= 1024; first += rows) {
        drawn.push_back(each.segment(first, rows).mean());
      }
    }
    return drawn;
  }
};

/// The series Σ z^k/k! · Π_{i<k} (a + i)/(b + i), without the factors (a + i) when a is 0. These
/// are ₁F₁(a; b; z) and ₀F₁(; b; z).
double hypergeometric(double a, double b, double z) {
  double sum = 0, term = 1;
  for (int k = 0; k < 200; ++k) {
    sum += term;
    term *= z / (k + 1) * (a == 0 ? 1 : a + k) / (b + k);
  }
  return sum;
}

}  // namespace

TEST_CASE("random features estimate e^{q·k/√d} without bias and with the variance of lemma 2") {
  // The inputs have norm about 1, so that the variance is small enough to be measured. The positive
  // maps estimate opposite vectors exactly, and the trigonometric one equal vectors.
  const Index d = 8;
  const int draws = 10000;
  const Matrix<double> q = 0.3 * random<double>(1, d, 31), k = 0.3 * random<double>(1, d, 32);
  for (const Point& point : {Point(q, k), Point(q, -q), Point(q, q), Point(2 * q, -k)}) {
    for (const char* id : kSoftmaxKernels) {
      CAPTURE(id);
      // Three independent projections have a third of the variance of one.
      const Moments got = moments(point.estimates(id, draws, 3, false, true));
      const double variance = point.variance(id) / 3;
      check_near(got.mean, point.softmax, got.mean_deviation);
      check_near(got.variance, variance, got.variance_deviation);
      // The check is meaningful because the variance is known to a fifth.
      CHECK(got.variance_deviation <= 0.2 * variance + 1e-12);
    }
  }
}

TEST_CASE("orthogonal features keep the mean and lower the variance by as much as theory says") {
  // For two orthogonal rows with independent χ(d) norms, (w₁ ± w₂) has a uniform direction and a
  // squared norm of χ²(2d). So E[e^{(w₁ ± w₂)·z}] = ₁F₁(d; d/2; ‖z‖²/2), where independent rows
  // have e^{‖z‖²}. The trigonometric estimator has the same value at −‖z‖²/2.
  const Index d = 8;
  const int draws = 12000;
  const double rows = static_cast<double>(d);
  const Matrix<double> q = 0.3 * random<double>(1, d, 31), k = 0.3 * random<double>(1, d, 33);
  const Point point(q, k);
  for (const char* id : kSoftmaxKernels) {
    CAPTURE(id);
    const bool trig = std::string_view(id) == "softmax_kernel_trig";
    const double covariance =
        trig ? std::exp(point.norms) *
                   (hypergeometric(rows, rows / 2, -point.gap / 2) - std::exp(-point.gap))
             : std::exp(-point.norms) *
                   (hypergeometric(rows, rows / 2, point.sum / 2) - std::exp(point.sum));
    const double independent = point.variance(id) / rows;
    const double orthogonal = independent + (rows - 1) / rows * covariance;
    CHECK(orthogonal < independent);
    if (std::string_view(id) == "softmax_kernel") {
      // Theorem 2 of the paper guarantees at least this reduction.
      const double promised = 2 * (rows - 1) / (rows * (rows + 2)) *
                              std::pow(point.softmax - std::exp(-point.norms / 2), 2);
      CHECK(orthogonal <= independent - promised);
    }
    const Moments got = moments(point.estimates(id, draws, d, true, true));
    check_near(got.mean, point.softmax, got.mean_deviation);
    check_near(got.variance, orthogonal, got.variance_deviation);
    // The variance is below that of independent rows by more than chance.
    CHECK(got.variance + 5 * got.variance_deviation < independent);
  }
}

TEST_CASE("rows of fixed length √d give estimates that are too small by a known factor") {
  // For w uniform on the sphere of radius √d, E[e^{w·z}] = ₀F₁(; d/2; d‖z‖²/4), which is term by
  // term at most e^{‖z‖²/2}. This is the regularised softmax kernel of the paper's theorem 1.
  const Index d = 4;
  const int draws = 8000;
  const double half = static_cast<double>(d) / 2;
  const Matrix<double> q = random<double>(1, d, 35), k = 0.7 * q + 0.3 * random<double>(1, d, 36);
  const Point point(q, k);
  for (const char* id : kSoftmaxKernels) {
    CAPTURE(id);
    const bool trig = std::string_view(id) == "softmax_kernel_trig";
    const double wanted =
        trig ? std::exp(point.norms / 2) * hypergeometric(0, half, -half * point.gap / 2)
             : std::exp(-point.norms / 2) * hypergeometric(0, half, half * point.sum / 2);
    CHECK(wanted < point.softmax);
    for (const bool orthogonal : {false, true}) {
      const Moments got = moments(point.estimates(id, draws, d, orthogonal, false));
      check_near(got.mean, wanted, got.mean_deviation);
      // The mean is below the exponential kernel by more than chance.
      if (!trig) CHECK(got.mean + 5 * got.mean_deviation < point.softmax);
    }
  }
}

TEST_CASE("only maps whose text says so have the exponential kernel on average") {
  // The test compares ratios of the kernels of one query with two keys, so that a factor for each
  // vector does not matter.
  const Index d = 4;
  const int draws = 8000;
  const Matrix<double> q = 0.6 * random<double>(1, d, 41);
  const Matrix<double> near = 0.8 * q + 0.2 * random<double>(1, d, 42), far = -q;
  const Point a(q, near), b(q, far);
  const double wanted = a.softmax / b.softmax;
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    const bool claims = info.kernel.starts_with("Equal to e^{q·k/√d} on average");
    double ratio = 0, deviation = 0;
    if (info.random) {
      const Moments at_near = moments(a.estimates(info.id, draws, d, false, true));
      const Moments at_far = moments(b.estimates(info.id, draws, d, false, true));
      ratio = at_near.mean / at_far.mean;
      deviation = std::abs(ratio) * (at_near.mean_deviation / std::abs(at_near.mean) +
                                     at_far.mean_deviation / std::abs(at_far.mean));
    } else {
      const FeatureMap<double> map(info.id, d);
      ratio = kernel(map, q, near) / kernel(map, q, far);
    }
    if (claims) {
      check_near(ratio, wanted, deviation);
      CHECK(deviation < 0.05 * wanted);
    } else {
      CHECK_FALSE(std::abs(ratio - wanted) <= 5 * deviation + 0.05 * wanted);
    }
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

TEST_CASE("the seed decides the projection, and a given projection replaces it") {
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

TEST_CASE("a map can be drawn again, with everything else unchanged") {
  const Matrix<> x = random(3, 4, 8);
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    const FeatureMap<float> map = small_map<float>(info, 4);
    const FeatureMap<float> same = map.redraw(map.options().seed), other = map.redraw(5);
    CHECK_CLOSE(same.apply(x), map.apply(x), 0, 0);
    CHECK(other.dimension() == map.dimension());
    CHECK(other.options().parameters == map.options().parameters);
    if (info.random) {
      CHECK(other.options().seed == 5);
      CHECK_FALSE(mismatch(other.apply(x), map.apply(x), 1e-3, 1e-3).empty());
      CHECK_CLOSE(other.redraw(map.options().seed).apply(x), map.apply(x), 0, 0);
    } else {
      CHECK_CLOSE(other.apply(x), map.apply(x), 0, 0);
    }
  }
  FeatureMapOptions<> own;
  own.projection = random(7, 4, 1);
  CHECK(error_of([&] { FeatureMap<>("softmax_kernel", 4, own).redraw(1); }).argument() ==
        "projection");
  // The trainable identity of T2R is not drawn either, so a redraw changes nothing.
  CHECK_CLOSE(FeatureMap<>("t2r", 4, own).redraw(1).apply(x), FeatureMap<>("t2r", 4, own).apply(x),
              0, 0);
}

TEST_CASE("the seed of a projection changes once in each interval, and never where that is 0") {
  CHECK(redraw_seed(7, 0) == 7);
  CHECK(redraw_seed(7, 999) == 7);
  CHECK(redraw_seed(7, 1000) != 7);
  CHECK(redraw_seed(7, 1000) == redraw_seed(7, 1999));
  CHECK(redraw_seed(7, 1u << 30, 0) == 7);
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::uint64_t step = 1; step <= 100; ++step) {
      const std::uint64_t drawn = redraw_seed(seed, step, 1);
      CHECK(drawn < (std::uint64_t{1} << 53));
      seeds.insert(drawn);
    }
  }
  CHECK(seeds.size() == 2000);
}

TEST_CASE("bad ids, parameters and shapes are refused by name") {
  const auto make = [](const char* id, FeatureMapOptions<> options) {
    return error_of([&] { FeatureMap<>(id, 4, options); });
  };
  const Error unknown = make("eluu", {});
  CHECK(unknown.argument() == "feature_map");
  CHECK(unknown.wanted().text().find("elu_plus_one") != std::string::npos);

  FeatureMapOptions<> options;
  options.parameters = {{"temperature", -1}};
  CHECK(make("elu_plus_one", options).argument() == "parameter temperature");
  options.parameters = {{"colour", 1}};
  CHECK(make("elu_plus_one", options).wanted().text() == "one of temperature");
  options.parameters = {{"features", 1.5}};
  CHECK(make("softmax_kernel", options).wanted().text() == "a whole number from 1 to 1024");
  options.parameters = {{"features", NAN}};
  CHECK(make("softmax_kernel", options).code() == "value");

  FeatureMapOptions<> shaped;
  shaped.projection = random(7, 5, 1);
  CHECK(make("softmax_kernel", shaped).wanted().text() == "7×4 (a column for each of d_k)");
  CHECK(make("relu", shaped).argument() == "projection");
  FeatureMapOptions<> biased;
  biased.bias = random(1, 3, 1);
  CHECK(make("t2r", biased).argument() == "bias");
  CHECK(error_of([] { FeatureMap<>("relu", 0); }).argument() == "d_k");
  const Error empty = error_of([] { softmax_kernel_feature_map(random(2, 4, 1), Matrix<>(0, 4)); });
  CHECK(empty.code() == "shape");
  CHECK(empty.argument() == "projection");
  CHECK(error_of([] { FeatureMap<>("relu", 4).apply(random(2, 5, 1)); }).argument() == "x");
}

TEST_CASE("features that would not fit into memory are refused before anything is allocated") {
  const FeatureMap<> map("taylor", 256);
  const Error error = error_of([&] { map.apply(Matrix<>::Zero(1024, 256)); });
  CHECK(error.code() == "capacity");
  CHECK(error.argument() == "feature_map");
  // d² is beyond 2³¹ and must not wrap around where Index has 32 bits.
  for (const char* id : {"taylor", "taylor_compact", "rebased"}) {
    CHECK(error_of([&] { FeatureMap<>(id, 100000); }).code() == "capacity");
  }
  // D = 2·d fits, but the d×d projection does not.
  for (const char* id : {"hedgehog", "hedgehog_exp", "hedgehog_joint", "t2r", "softmax_kernel"}) {
    CHECK(error_of([&] { FeatureMap<>(id, 2'000'000); }).code() == "capacity");
  }
  CHECK(error_of([] {
          FeatureMap<>("cosformer", 1).apply(random(2, 1, 1), Role::kQuery, {2147483647, 0});
        }).argument() == "offset");
}

TEST_SUITE_END();
