#include "attn/analysis/scaling_experiment.hpp"

#include "attn/analysis/gradient_quantiles.hpp"
#include "attn/attention/attention_training.hpp"
#include "attn/attention/softmax.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

namespace {

ScalingOptions small_experiment() {
  ScalingOptions options;
  options.d_k = {3, 8};
  options.n = {4, 7};
  options.draws = 5;
  options.seed = 9;
  options.d_v = 2;
  return options;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool same(const ScalingCell& a, const ScalingCell& b) {
  const auto estimates = [](const ScalingCell& x) {
    return std::vector<Estimate>{x.row_max,       x.picture_max, x.entropy,
                                 x.jacobian_norm, x.dq_norm,     x.small_share};
  };
  const auto ours = estimates(a), others = estimates(b);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!same(ours[i].mean, others[i].mean)) return false;
    if (!same(ours[i].standard_error, others[i].standard_error)) return false;
  }
  return a.n == b.n && a.d_k == b.d_k && a.scaled == b.scaled && a.draws == b.draws &&
         same(a.median_jacobian_norm, b.median_jacobian_norm) &&
         same(a.median_dq_norm, b.median_dq_norm) && same(a.tenth_dq_norm, b.tenth_dq_norm);
}

}  // namespace

TEST_SUITE_BEGIN("scaling experiment");

TEST_CASE("a cell's numbers equal those computed from its draws one by one") {
  const ScalingOptions options = small_experiment();
  const auto cells = experiment_scaling_factor<double>(options);
  REQUIRE(cells.size() == 8);
  std::size_t at = 0;
  for (const Index n : options.n) {
    for (const Index d_k : options.d_k) {
      for (const bool scaled : {false, true}) {
        const ScalingCell& cell = cells[at++];
        CHECK(cell.n == n);
        CHECK(cell.d_k == d_k);
        CHECK(cell.scaled == scaled);
        CHECK(cell.draws == 5);
        std::vector<double> tops, means, jacobians, entropies;
        for (Index r = 0; r < 5; ++r) {
          const auto x = scaling_draw<double>(n, d_k, 2, 9, r);
          AttentionOptions<double> how;
          how.scale = scaled ? 1 / std::sqrt(static_cast<double>(d_k)) : 1;
          const auto P = attention<double>(x.Q, x.K, x.V, how).weights;
          tops.push_back(P.maxCoeff());
          means.push_back(P.rowwise().maxCoeff().mean());
          double sum = 0;
          for (Index i = 0; i < n; ++i) {
            sum += entropy<double>(P.row(i).transpose());
            jacobians.push_back(softmax_jacobian<double>(P.row(i).transpose()).norm());
          }
          entropies.push_back(sum / static_cast<double>(n));
        }
        const auto check = [](const Estimate& got, const std::vector<double>& draws) {
          double mean = 0, squares = 0;
          for (const double x : draws) mean += x / 5;
          for (const double x : draws) squares += (x - mean) * (x - mean);
          CHECK(got.mean == doctest::Approx(mean).epsilon(1e-12));
          CHECK(got.standard_error == doctest::Approx(std::sqrt(squares / 20)).epsilon(1e-9));
        };
        check(cell.row_max, means);
        check(cell.picture_max, tops);
        check(cell.entropy, entropies);
        double mean = 0;
        for (const double x : jacobians) mean += x / static_cast<double>(jacobians.size());
        CHECK(cell.jacobian_norm.mean == doctest::Approx(mean).epsilon(1e-12));
        CHECK(cell.median_jacobian_norm ==
              doctest::Approx(quantile(jacobians, 0.5)).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("gradients equal attention's gradients for the draw's gradient at the output") {
  ScalingOptions options = small_experiment();
  options.d_k = {8};
  options.n = {7};
  // The threshold is large enough for some scores to count as small.
  options.small_gradient = 0.05;
  const auto cells = experiment_scaling_factor<double>(options);
  for (const bool scaled : {false, true}) {
    const ScalingCell& cell = cells[scaled];
    std::vector<double> norms;
    double small_count = 0;
    for (Index r = 0; r < 5; ++r) {
      const auto x = scaling_draw<double>(7, 8, 2, 9, r);
      AttentionOptions<double> how;
      how.scale = scaled ? 1 / std::sqrt(8.0) : 1;
      const auto slopes = attention_backward<double>(x.Q, x.K, x.V, x.dO, how);
      for (Index i = 0; i < 7; ++i) norms.push_back(slopes.dQ.row(i).norm());
      small_count += static_cast<double>((slopes.d_bias.array().abs() < 0.05).count());
    }
    double mean = 0;
    for (const double x : norms) mean += x / 35;
    CHECK(small_count > 0);
    CHECK(cell.dq_norm.mean == doctest::Approx(mean).epsilon(1e-12));
    CHECK(cell.median_dq_norm == doctest::Approx(quantile(norms, 0.5)).epsilon(1e-12));
    CHECK(cell.tenth_dq_norm == doctest::Approx(quantile(norms, 0.1)).epsilon(1e-12));
    CHECK(cell.small_share.mean == doctest::Approx(small_count / (5 * 49)).epsilon(1e-12));
  }
}

TEST_CASE("gradients that were not asked for are NaN, and so is the spread of a single draw") {
  ScalingOptions options = small_experiment();
  options.gradients = false;
  options.draws = 1;
  for (const ScalingCell& cell : experiment_scaling_factor<double>(options)) {
    CHECK(std::isnan(cell.dq_norm.mean));
    CHECK(std::isnan(cell.median_dq_norm));
    CHECK(std::isnan(cell.tenth_dq_norm));
    CHECK(std::isnan(cell.small_share.mean));
    CHECK(cell.row_max.mean > 0);
    CHECK(std::isnan(cell.row_max.standard_error));
  }
}

TEST_CASE("steps of any size give the same result, and progress grows to one") {
  const auto whole = experiment_scaling_factor(small_experiment());
  for (const Index draws : {1, 3, 5, 7, 100}) {
    ScalingExperiment<> work(small_experiment());
    double last = -1;
    std::size_t cells = 0;
    do {
      CHECK(work.progress() > last);
      last = work.progress();
      CHECK(work.result().size() >= cells);
      cells = work.result().size();
    } while (!work.step(draws));
    CHECK(work.progress() == 1);
    CHECK(work.step(1));
    REQUIRE(work.result().size() == whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) CHECK(same(work.result()[i], whole[i]));
  }
}

TEST_CASE("a size gives the same cells whatever else is asked for, and another seed gives others") {
  const auto all = experiment_scaling_factor(small_experiment());
  ScalingOptions one = small_experiment();
  one.d_k = {8};
  one.n = {7};
  const auto alone = experiment_scaling_factor(one);
  CHECK(same(alone[0], all[6]));
  CHECK(same(alone[1], all[7]));
  one.seed = 10;
  CHECK_FALSE(same(experiment_scaling_factor(one)[0], all[6]));
}

TEST_CASE("standard errors equal the spread that repeating the experiment shows") {
  // The means of 60 experiments spread by one standard error. The spread of 60 means is known to 9
  // %, and the bound allows 5 times that.
  std::vector<double> means;
  double error = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    ScalingOptions options = small_experiment();
    options.gradients = false;
    options.d_k = {8};
    options.n = {4};
    options.draws = 40;
    options.seed = seed;
    const ScalingCell cell = experiment_scaling_factor(options)[1];
    means.push_back(cell.entropy.mean);
    error += cell.entropy.standard_error / 60;
  }
  double mean = 0, squares = 0;
  for (const double x : means) mean += x / 60;
  for (const double x : means) squares += (x - mean) * (x - mean);
  CHECK(std::abs(std::sqrt(squares / 59) - error) < 0.46 * error);
}

TEST_CASE("arguments that do not fit are refused by name") {
  const auto refused = [](auto change) {
    ScalingOptions options = small_experiment();
    change(options);
    return error_of([&] { ScalingExperiment<> work(options); });
  };
  CHECK(refused([](auto& o) { o.d_k = {}; }).argument() == "d_k");
  CHECK(refused([](auto& o) { o.d_k = {4, 0}; }).argument() == "d_k");
  CHECK(refused([](auto& o) { o.n = {}; }).argument() == "n");
  CHECK(refused([](auto& o) { o.n = {-1}; }).argument() == "n");
  CHECK(refused([](auto& o) { o.draws = 0; }).argument() == "draws");
  CHECK(refused([](auto& o) { o.d_v = 0; }).argument() == "d_v");
  CHECK(refused([](auto& o) { o.small_gradient = NAN; }).argument() == "small_gradient");
  CHECK(refused([](auto& o) { o.n = {5000}; }).code() == "capacity");
  CHECK(refused([](auto& o) { o.draws = Index{1} << 23; }).code() == "capacity");
  CHECK(error_of([] { scaling_draw(2, 2, 2, 0, -1); }).argument() == "index");
  CHECK(error_of([] { scaling_draw(0, 2, 2, 0, 0); }).argument() == "n");
  const auto far = error_of([] { scaling_draw(2, 2, 2, 0, (Index{1} << 23) + 1); });
  CHECK(far.code() == "capacity");
  CHECK(far.argument() == "index");
}

TEST_SUITE_END();
