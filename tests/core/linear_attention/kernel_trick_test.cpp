#include "attn/linear_attention/kernel_trick.hpp"

#include <cmath>

#include "attn/base/inputs.hpp"
#include "attn/cost/complexity.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("kernel trick");

TEST_CASE("the costs of both orders equal those of the cost model") {
  for (const std::uint64_t n : {1, 7, 64}) {
    for (const std::uint64_t m : {n, n + 3}) {
      CostShape shape;
      shape.n = n;
      shape.m = m;
      shape.d_k = 5;
      shape.d_v = 3;
      const OrderCosts made = order_costs(n, m, 5, 3, 9);
      CHECK(made.plain.standard == cost_of("standard", shape).multiply_adds);
      CHECK(made.plain.linear == linear_multiply_adds(n, m, 9, 3, false));
      CHECK(made.normalized.linear == linear_multiply_adds(n, m, 9, 3, true));
      for (const OrderPath* path : {&made.standard, &made.linear}) {
        const bool standard = path == &made.standard;
        const std::uint64_t sum =
            path->products[0].multiply_adds() + path->products[1].multiply_adds();
        CHECK(sum == (standard ? made.plain.standard : made.plain.linear));
        CHECK(sum + path->normalizer.multiply_adds ==
              (standard ? made.normalized.standard : made.normalized.linear));
      }
      CHECK(made.standard.intermediate().numbers() == n * m);
      CHECK(made.linear.intermediate().numbers() == 27);
      CHECK(made.causal.has_value() == (n == m));
    }
  }
}

TEST_CASE("lab 2's costs are 2.147e9 against 33.55e6, a ratio of 64, or 32 when causal") {
  const OrderCosts made = order_costs(4096, 4096, 64, 64, 64);
  CHECK(made.plain.standard == 2147483648);
  CHECK(made.plain.linear == 33554432);
  CHECK(made.standard.products[0].multiply_adds() == 1073741824);
  CHECK(made.linear.products[0].multiply_adds() == 16777216);
  CHECK(made.plain.crossover == 64);
  CHECK(static_cast<double>(made.causal->standard) / static_cast<double>(made.causal->linear) ==
        doctest::Approx(32).epsilon(1e-3));
  // Taylor features of 16 columns, compact and full, give ratios of 16.7 and 9.4.
  const auto ratio = [](std::uint64_t D) {
    const OrderCount plain = order_costs(4096, 4096, 16, 64, D).plain;
    return static_cast<double>(plain.standard) / static_cast<double>(plain.linear);
  };
  CHECK(std::abs(ratio(taylor_dimension(16, true)) - 16.7) < 0.05);
  CHECK(std::abs(ratio(taylor_dimension(16, false)) - 9.4) < 0.05);
  // At n* both costs are equal, and one token further the linear order costs less.
  for (const OrderCount OrderCosts::*kind : {&OrderCosts::plain, &OrderCosts::normalized}) {
    const double at = (made.*kind).crossover;
    const auto below = static_cast<std::uint64_t>(std::floor(at));
    const OrderCosts before = order_costs(below, below, 64, 64, 64),
                     after = order_costs(below + 1, below + 1, 64, 64, 64);
    CHECK((before.*kind).standard <= (before.*kind).linear);
    CHECK((after.*kind).standard > (after.*kind).linear);
  }
  const double causal = made.causal->crossover;
  CHECK(causal == 127);
  CHECK(order_costs(127, 127, 64, 64, 64).causal->standard ==
        order_costs(127, 127, 64, 64, 64).causal->linear);
}

TEST_CASE("costs refuse sizes outside their range and are right at its ends") {
  CHECK_THROWS_AS(order_costs(0, 1, 1, 1, 1), ValueError);
  CHECK_THROWS_AS(order_costs(1, 1, 1, 1, kMaxOrderSize + 1), ValueError);
  const std::uint64_t most = kMaxOrderSize;
  const OrderCosts made = order_costs(most, most, most, most, most);
  CHECK(made.normalized.standard == most * most * (2 * most + 1));
  CHECK(made.plain.linear == 2 * most * most * most);
}

TEST_CASE_TEMPLATE("a trace ends with the product, and every step is one multiply-add", T, float,
                   double) {
  const auto x = gaussian_qkv<T>(5, 3, 4, 1);
  const Matrix<T> K = x.K.topRows(2), V = x.V.topRows(2);
  for (const ProductOrder order : {ProductOrder::kStandard, ProductOrder::kLinear}) {
    const bool standard = order == ProductOrder::kStandard;
    const AssociativityTrace<T> start = associativity_trace<T>(x.Q, K, V, order, 0);
    CHECK(start.terms.empty());
    CHECK(start.product.array().isNaN().all());
    CHECK(start.output.array().isNaN().all());
    CHECK(start.inner == (standard ? 3 : 2));
    CHECK(start.product_total == (standard ? 5 * 2 * 3 : 3 * 4 * 2));
    CHECK(start.total == start.product_total + 5 * 4 * (standard ? 2 : 3));
    Index filled = 0;
    for (Index step = 1; step <= start.total; ++step) {
      CAPTURE(step);
      const AssociativityTrace<T> at = associativity_trace<T>(x.Q, K, V, order, step);
      const bool in_output = at.stage == TraceStage::kOutput;
      CHECK(in_output == (step > at.product_total));
      CHECK(at.multiply_adds == step);
      const Matrix<T>& to = in_output ? at.output : at.product;
      const TraceTerm<T>& last = at.terms.back();
      CHECK(to(at.row, at.col) == last.sum);
      CHECK(last.product == last.a * last.b);
      const T before = at.terms.size() > 1 ? at.terms[at.terms.size() - 2].sum : T(0);
      CHECK(last.sum == before + last.product);
      // A cell begins when the cell before it is complete.
      if (at.terms.size() == 1) ++filled;
      const Index begun = (at.product.array() == at.product.array()).count() +
                          (at.output.array() == at.output.array()).count();
      CHECK(begun == filled);
    }
    const AssociativityTrace<T> end = associativity_trace<T>(x.Q, K, V, order, start.total);
    const Matrix<T> between =
        standard ? Matrix<T>(x.Q * K.transpose()) : Matrix<T>(K.transpose() * V);
    CHECK_CLOSE(end.product, between, 0, tolerance<T>());
    const Matrix<T> output = standard ? Matrix<T>(between * V) : Matrix<T>(x.Q * between);
    CHECK_CLOSE(end.output, output, 0, tolerance<T>());
    CHECK(static_cast<Index>(end.terms.size()) == end.inner);
    const OrderCosts costs = order_costs(5, 2, 3, 4, 3);
    CHECK(static_cast<std::uint64_t>(start.total) ==
          (standard ? costs.plain.standard : costs.plain.linear));
  }
}

TEST_CASE("a trace refuses inputs that are too large to be shown") {
  const auto x = gaussian_qkv<float>(4, 3, 2, 1);
  CHECK_THROWS_AS(associativity_trace(x.Q, x.K, x.V, ProductOrder::kLinear, -1), ValueError);
  CHECK_THROWS_AS(associativity_trace(x.Q, x.K, x.V, ProductOrder::kLinear, 49), ValueError);
  CHECK_NOTHROW(associativity_trace(x.Q, x.K, x.V, ProductOrder::kLinear, 48));
  const auto large = gaussian_qkv<float>(17, 3, 2, 1);
  CHECK_THROWS_AS(associativity_trace(large.Q, large.K, large.V, ProductOrder::kLinear, 1),
                  CapacityError);
  CHECK_THROWS_AS(associativity_trace(x.Q, large.K.leftCols(2), x.V, ProductOrder::kLinear, 1),
                  ShapeError);
}

TEST_CASE("the recurrent view equals linear attention, for every map") {
  const auto x = gaussian_qkv<double>(12, 4, 3, 5);
  for (const FeatureMapInfo& info : feature_maps()) {
    CAPTURE(info.id);
    const FeatureMap<double> map(info.id, 4);
    const RecurrentTrace<double> made = recurrent_trace<double>(x.Q, x.K, x.V, map);
    LinearAttentionOptions options;
    options.causal = true;
    const auto want = linear_attention<double>(x.Q, x.K, x.V, map, options);
    const double size = 1 + want.output.cwiseAbs().maxCoeff();
    CHECK((made.output - want.output).cwiseAbs().maxCoeff() < 1e-9 * size);
    CHECK(made.max_difference < 1e-9 * size);
    const Index D = map.dimension();
    REQUIRE(made.s.rows() == 12 * D);
    const double state = 1 + want.state.s.cwiseAbs().maxCoeff();
    CHECK((made.s.bottomRows(D) - want.state.s).cwiseAbs().maxCoeff() < 1e-12 * state);
    CHECK((made.z.row(11).transpose() - want.state.z).cwiseAbs().maxCoeff() <
          1e-12 * (1 + want.state.z.cwiseAbs().maxCoeff()));
    // Each state is the one before plus one token.
    for (Index t = 1; t < 12; ++t) {
      const Matrix<double> added = made.s.middleRows(t * D, D) - made.s.middleRows((t - 1) * D, D);
      const Matrix<double> token = made.phi_k.row(t).transpose() * x.V.row(t);
      CHECK((added - token).cwiseAbs().maxCoeff() < 1e-12 * state);
    }
    CHECK((made.denominator.array() - made.sum.array() - 1e-6).abs().maxCoeff() <
          1e-12 * (1 + made.sum.cwiseAbs().maxCoeff()));
  }
}

TEST_CASE("the recurrent view reports where an output is NaN") {
  // The ReLU features of a negative query are 0, so without ε the output is 0/0.
  Matrix<> Q(1, 2), K(1, 2), V(1, 1);
  Q << -1, -1;
  K << 1, 1;
  V << 1;
  const FeatureMap<> map("relu", 2);
  CHECK(std::isnan(recurrent_trace<float>(Q, K, V, map, 0).max_difference));
  CHECK(recurrent_trace<float>(Q, K, V, map).max_difference == 0);
  CHECK(recurrent_trace<float>(Q, K, V, map).output(0, 0) == 0);
}

TEST_CASE("the recurrent view refuses inputs that are too large or do not fit") {
  const auto x = gaussian_qkv<float>(65, 4, 3, 5);
  const FeatureMap<> map("elu_plus_one", 4);
  CHECK_THROWS_AS(recurrent_trace<float>(x.Q, x.K, x.V, map), CapacityError);
  CHECK_THROWS_AS(recurrent_trace<float>(x.Q.topRows(3), x.K.topRows(4), x.V.topRows(4), map),
                  ShapeError);
  CHECK_THROWS_AS(recurrent_trace<float>(x.Q.topRows(3), x.K.topRows(3), x.V.topRows(3), map, -1),
                  ValueError);
  const auto wide = gaussian_qkv<float>(64, 64, 64, 5);
  CHECK_THROWS_AS(recurrent_trace<float>(wide.Q, wide.K, wide.V, FeatureMap<>("taylor", 64)),
                  CapacityError);
}

TEST_SUITE_END();
