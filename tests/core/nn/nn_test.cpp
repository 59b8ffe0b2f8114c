// Layers, losses and optimisers. What PyTorch makes of them is in the golden topic nn_primitives.

#include <vector>

#include "attn/nn/activation.hpp"
#include "attn/nn/adamw.hpp"
#include "attn/nn/cross_entropy.hpp"
#include "attn/nn/normalization.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("nn");

/// Central differences with a step of 1e-5 are off by some 1e-9 here.
constexpr double kOff = 1e-7;

TEST_CASE("activations have the slopes that their differences have, and do not overflow") {
  for (const std::string_view name : activation_names()) {
    CAPTURE(name);
    const Activation f = activation_named(name);
    Matrix<double> X = random<double>(3, 5, 4) * 2;
    const Matrix<double> dY = random<double>(3, 5, 5);
    const auto loss = [&] { return activate<double>(X, f).cwiseProduct(dY).sum(); };
    CHECK_CLOSE(activate_backward<double>(X, f, dY), central_differences(X, loss), kOff, kOff);
    const Matrix<float> far{{-1000.f, 1000.f}};
    CHECK(activate<float>(far, f).allFinite());
    CHECK(activate_backward<float>(far, f, Matrix<float>::Ones(1, 2)).allFinite());
  }
  CHECK_THROWS_AS(activation_named("swish"), ValueError);
}

TEST_CASE("norms have the gradients that their differences have") {
  Matrix<double> X = random<double>(3, 7, 1);
  Vector<double> weight = random<double>(7, 1, 2), bias = random<double>(7, 1, 3);
  const Matrix<double> dY = random<double>(3, 7, 6);
  const auto layer = [&] { return layer_norm<double>(X, weight, bias).cwiseProduct(dY).sum(); };
  const auto layer_back = layer_norm_backward<double>(X, weight, bias, dY);
  CHECK_CLOSE(layer_back.dX, central_differences(X, layer), kOff, kOff);
  CHECK_CLOSE(layer_back.d_weight, central_differences(weight, layer), kOff, kOff);
  CHECK_CLOSE(layer_back.d_bias, central_differences(bias, layer), kOff, kOff);
  const auto rms = [&] { return rms_norm<double>(X, weight).cwiseProduct(dY).sum(); };
  const auto rms_back = rms_norm_backward<double>(X, weight, dY);
  CHECK_CLOSE(rms_back.dX, central_differences(X, rms), kOff, kOff);
  CHECK_CLOSE(rms_back.d_weight, central_differences(weight, rms), kOff, kOff);
  CHECK_THROWS_AS(layer_norm<double>(X, Vector<double>::Ones(6), bias), ShapeError);
  CHECK_THROWS_AS(rms_norm<double>(X, weight, -1), ValueError);
}

TEST_CASE("large logits have a loss, rows that do not count have no gradient") {
  Matrix<double> logits = random<double>(4, 5, 8);
  const std::vector<std::int32_t> targets{2, kIgnoredTarget, 0, 4};
  const auto loss = [&] { return cross_entropy<double>(logits, targets, false).loss; };
  const auto made = cross_entropy<double>(logits, targets);
  CHECK(made.counted == 3);
  CHECK_CLOSE(made.d_logits, central_differences(logits, loss), kOff, kOff);
  CHECK(made.d_logits.row(1).isZero(0));
  const Matrix<float> large{{1e4f, 0.f}};
  const std::vector<std::int32_t> second{1};
  CHECK(cross_entropy<float>(large, second).loss == doctest::Approx(1e4));
  const std::vector<std::int32_t> none{kIgnoredTarget}, wrong{2};
  CHECK(cross_entropy<float>(large, none).loss == 0);
  CHECK_THROWS_AS(cross_entropy<float>(large, wrong), ValueError);
  CHECK_THROWS_AS(cross_entropy<float>(large, targets), ShapeError);
}

TEST_CASE("the schedule rises, falls and ends; what is not to be decayed is not") {
  CHECK(cosine_schedule(0, 100, 10) == 0.1);
  CHECK(cosine_schedule(9, 100, 10) == 1);
  CHECK(cosine_schedule(55, 100, 10) == doctest::Approx(0.5));
  CHECK(cosine_schedule(99, 100, 10, 0.1) == doctest::Approx(0.1).epsilon(0.01));
  CHECK_THROWS_AS(cosine_schedule(100, 100), ValueError);
  AdamW<double> optimizer(2, {.learning_rate = 0.1, .weight_decay = 0.5});
  Vector<double> p{{1, 1}};
  const Vector<double> still = Vector<double>::Zero(2), decays{{1, 0}};
  optimizer.step(p, still, 0.1, decays);
  CHECK(p(0) == doctest::Approx(0.95));
  CHECK(p(1) == 1);
  CHECK_THROWS_AS(optimizer.step(p, Vector<double>::Zero(3)), ShapeError);
  CHECK_THROWS_AS(AdamW<float>(1, {.beta1 = 1}), ValueError);
  Vector<double> g{{3, 4}};
  CHECK(clip_norm<double>(g, 1) == 5);
  CHECK(g.norm() == doctest::Approx(1));
  CHECK(clip_norm<double>(g, 2) == doctest::Approx(1));
}

TEST_SUITE_END();
