#include "attn/heads/head_importance.hpp"

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("head importance");

namespace {

std::vector<std::vector<Matrix<double>>> texts(Index count, Index heads, Index d_v) {
  std::vector<std::vector<Matrix<double>>> all;
  for (Index e = 0; e < count; ++e) {
    all.emplace_back();
    // Texts of their own lengths.
    for (Index h = 0; h < heads; ++h) {
      all.back().push_back(random<double>(3 + e, d_v, static_cast<std::uint64_t>(10 * e + h)));
    }
  }
  return all;
}

}  // namespace

TEST_CASE(
    "gate gradients are the slopes of the loss, and losses without a head are measured ones") {
  const Index h = 3, d_v = 2;
  auto heads = texts(2, h, d_v);
  const Matrix<double> Wo = random<double>(4, h * d_v, 50);
  const Vector<double> bo = random<double>(4, 1, 51);
  std::vector<Matrix<double>> G{random<double>(3, 4, 52), random<double>(4, 4, 53)};
  const LayerImportance made = head_importance<double>(heads, Wo, G, bo);
  const auto whole = ablated_heads<double>(heads, Wo, bo);
  for (std::size_t e = 0; e < 2; ++e) {
    const auto row = static_cast<Index>(e);
    CHECK(made.loss[e] == doctest::Approx(whole[e].output.cwiseProduct(G[e]).sum()));
    for (Index i = 0; i < h; ++i) {
      const auto at = static_cast<std::size_t>(i);
      CHECK(made.loss_without_head(row, i) ==
            doctest::Approx(whole[e].zero[at].cwiseProduct(G[e]).sum()));
      auto moved = heads;
      moved[e][at] *= 1.5;
      const double up = ablated_heads<double>(moved, Wo, bo)[e].output.cwiseProduct(G[e]).sum();
      CHECK(made.gate_gradient(row, i) == doctest::Approx((up - made.loss[e]) / 0.5));
      CHECK_CLOSE(whole[e].mean[at].colwise().mean().eval(),
                  whole[e].output.colwise().mean().eval(), 1e-12, 1e-12);
    }
  }
  for (Index i = 0; i < h; ++i) {
    CHECK(made.scores.importance[static_cast<std::size_t>(i)] ==
          doctest::Approx(made.gate_gradient.col(i).cwiseAbs().mean()));
  }
}

TEST_CASE("the paper's importance lets tokens of one example cancel, and no two examples") {
  Matrix<double> up(2, 2), down(2, 2);
  up << 1, 3, -1, 1;
  down << 0, -4, 0, 0;
  const HeadImportance made = importance_of_gates<double>(std::vector{up, down});
  CHECK(made.importance == std::vector<double>{0, 4});
  CHECK(made.importance_unit == std::vector<double>{0, 1});
  CHECK(made.importance_per_token == std::vector<double>{0.5, 2});
  const HeadImportance none =
      importance_of_gates<double>(std::vector{Matrix<double>::Zero(3, 2).eval()});
  CHECK(none.importance_unit == std::vector<double>{0, 0});
}

TEST_CASE("heads that do not fit are refused by name") {
  const auto heads = texts(2, 2, 3);
  const Matrix<double> Wo = random<double>(4, 6, 50), narrow = random<double>(4, 5, 50);
  const std::vector<Matrix<double>> G{random<double>(3, 4, 52), random<double>(4, 4, 53)},
      one{G[0]}, wide{G[0], random<double>(4, 5, 53)};
  const auto argument = [](auto call) { return error_of(call).argument(); };
  CHECK(argument([&] { head_importance<double>(heads, narrow, G); }) == "Wo");
  CHECK(argument([&] { head_importance<double>(heads, Wo, one); }) == "G");
  CHECK(argument([&] { head_importance<double>(heads, Wo, wide); }) == "G");
  CHECK(argument([&] { head_importance<double>(heads, Wo, G, Vector<double>::Zero(3)); }) == "bo");
  auto fewer = heads, ragged = heads;
  fewer[1].pop_back();
  ragged[1][1].conservativeResize(3, 3);
  CHECK(argument([&] { ablated_heads<double>(fewer, Wo); }) == "heads");
  CHECK(argument([&] { ablated_heads<double>(ragged, Wo); }) == "heads");
  CHECK(argument([&] { ablated_heads<double>({}, Wo); }) == "heads");
  auto broken = heads;
  broken[0][0](1, 1) = kInfinity;
  CHECK(error_of([&] { ablated_heads<double>(broken, Wo); }).code() == "value");
  CHECK(argument([&] { importance_of_gates<double>(std::vector<Matrix<double>>{}); }) == "parts");
  CHECK(
      argument([&] {
        importance_of_gates<double>(std::vector{random<double>(3, 2, 1), random<double>(3, 3, 1)});
      }) == "parts");
}

TEST_SUITE_END();
