#include "attn/models/nearest_key.hpp"

#include <doctest/doctest.h>

#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("nearest_key");

TEST_CASE("one head of full width finds the nearest key, thin heads of as many parameters do not") {
  const auto train = [](Index heads) {
    NearestKeyOptions options;
    options.heads = heads;
    NearestKeyTraining<float> work(options);
    while (!work.step(13)) {
    }
    return work.result();
  };
  const NearestKeyResult one = train(1), many = train(8);
  CHECK(one.loss.size() == 300);
  CHECK(one.parameters == 4 * 8 * 8);
  CHECK(many.parameters == one.parameters);
  CHECK(one.chance == doctest::Approx(1.0 / 16));
  CHECK(one.held_out_accuracy > 0.85);
  CHECK(many.held_out_accuracy < one.held_out_accuracy - 0.15);
  CHECK(one.weight_on_nearest > many.weight_on_nearest);
  REQUIRE(one.weights.size() == 1);
  CHECK(many.weights.size() == 8);
  CHECK(one.weights.front().rows() == 32);
  CHECK(one.nearest.size() == 32);
  // Steps in other portions give the same bits.
  NearestKeyTraining<float> again(NearestKeyOptions{});
  while (!again.step(50)) {
  }
  CHECK(again.result().loss == one.loss);
  CHECK(error_of([] { NearestKeyTraining<float>({.d_model = 0}); }).argument() == "d_model");
  CHECK(error_of([] { NearestKeyTraining<float>({.heads = 5}); }).argument() == "heads");
}

TEST_SUITE_END();
