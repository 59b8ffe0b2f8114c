#include "attn/cost/checkpointing.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "attn/models/trainer.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("checkpointing");

namespace {

/// Layer by layer: what is kept after every forward and backward of a layer.
struct WalkedStack {
  std::uint64_t held = 0, peak = 0, forwards = 0;

  void take(std::uint64_t numbers) { peak = std::max(peak, held += numbers); }
};

WalkedStack walked(const CheckpointShape& shape) {
  WalkedStack stack;
  const std::uint64_t segments = (shape.layers - 1) / shape.segment + 1;
  const auto layers_of = [&](std::uint64_t s) {
    return std::min(shape.segment, shape.layers - s * shape.segment);
  };
  const auto is_kept = [&](std::uint64_t s) {
    return shape.last_segment_kept && s + 1 == segments;
  };
  for (std::uint64_t s = 0; s < segments; ++s) {
    if (!is_kept(s)) stack.take(shape.numbers_per_input);
    for (std::uint64_t l = 0; is_kept(s) && l < layers_of(s); ++l) {
      stack.take(shape.numbers_per_layer);
    }
  }
  for (std::uint64_t s = segments; s-- > 0;) {
    for (std::uint64_t l = 0; !is_kept(s) && l < layers_of(s); ++l) {
      stack.take(shape.numbers_per_layer);
      ++stack.forwards;
    }
    stack.held -= layers_of(s) * shape.numbers_per_layer;
    if (!is_kept(s)) stack.held -= shape.numbers_per_input;
  }
  CHECK(stack.held == 0);
  return stack;
}

}  // namespace

TEST_CASE("the peak and the second forwards of a plan are those of walking through the stack") {
  for (const std::uint64_t layers : {1, 2, 3, 7, 12, 16}) {
    for (const std::uint64_t a : {1, 3, 10}) {
      for (const std::uint64_t c : {0, 1, 4}) {
        for (const bool kept : {false, true}) {
          std::uint64_t best = 0, least = 0;
          for (std::uint64_t segment = 1; segment <= layers; ++segment) {
            const CheckpointShape shape{layers, segment, a, c, kept};
            CAPTURE(layers);
            CAPTURE(segment);
            CAPTURE(kept);
            const WalkedStack stack = walked(shape);
            const CheckpointPlan plan = checkpoint_plan(shape);
            CHECK(plan.peak == stack.peak);
            CHECK(plan.extra_layer_forwards == stack.forwards);
            CHECK(plan.extra_forward_passes * static_cast<double>(layers) ==
                  doctest::Approx(static_cast<double>(stack.forwards)));
            CHECK(plan.peak_without == a * layers);
            REQUIRE(plan.peak_by_segment.size() == layers);
            CHECK(plan.peak_by_segment[static_cast<std::size_t>(segment - 1)] == stack.peak);
            if (best == 0 || stack.peak < least) {
              best = segment;
              least = stack.peak;
            }
          }
          const CheckpointPlan plan = checkpoint_plan({layers, 1, a, c, kept});
          CHECK(plan.best_segment == best);
          CHECK(plan.best_peak == least);
        }
      }
    }
  }
}

TEST_CASE("the best segment is near the root of the layers") {
  const CheckpointPlan plan = checkpoint_plan({.layers = 4096, .segment = 64});
  CHECK(plan.best_peak == 128);
  CHECK(plan.peak_by_segment[63] == 128);
  // Shorter segments whose last one is short do as well.
  CHECK(plan.best_segment == 57);
  CHECK(plan.extra_forward_passes == 1);
  // Layers that keep nine times their input are best in segments of a third.
  CHECK(checkpoint_plan({.layers = 144, .segment = 4, .numbers_per_layer = 9}).best_segment == 4);
  CHECK(error_of([] { checkpoint_plan({.layers = 0}); }).argument() == "layers");
  CHECK(error_of([] { checkpoint_plan({.layers = 3, .segment = 4}); }).argument() == "segment");
  CHECK(error_of([] { checkpoint_plan({.layers = 3, .segment = 0}); }).argument() == "segment");
  CHECK(error_of([] {
          checkpoint_plan({.layers = kMostCheckpointLayers + 1, .segment = 1});
        }).code() == "capacity");
}

TEST_CASE_TEMPLATE("a real training keeps and repeats what the plan says, to the same bits", T,
                   float, double) {
  const auto task = std::make_shared<MarkovTask>(16, 16, 2);
  TrainerOptions options;
  options.steps = 4;
  options.batch = 4;
  options.slice = 4;
  options.clip = 1;
  options.model.vocabulary = 16;
  options.model.length = 16;
  options.model.d_model = 16;
  options.model.feed_forward = 32;
  for (const Index layers : {1, 5, 6}) {
    options.model.layers = layers;
    options.checkpoint_every = 0;
    Trainer<T> plain(options, task);
    while (!plain.step()) continue;
    const StepWork without = plain.step_work();
    CHECK(without.layer_forwards == static_cast<std::uint64_t>(layers));
    // Every layer keeps the same.
    CHECK(without.kept_numbers == static_cast<std::uint64_t>(layers) * without.largest_layer);
    CHECK(without.layer_input == 4 * 16 * 16);
    for (Index every = 1; every <= layers; ++every) {
      CAPTURE(layers);
      CAPTURE(every);
      options.checkpoint_every = every;
      Trainer<T> trainer(options, task);
      while (!trainer.step()) continue;
      const CheckpointPlan plan =
          checkpoint_plan({static_cast<std::uint64_t>(layers), static_cast<std::uint64_t>(every),
                           without.largest_layer, without.layer_input, true});
      const StepWork work = trainer.step_work();
      CHECK(work.kept_numbers == plan.peak);
      CHECK(work.layer_forwards == static_cast<std::uint64_t>(layers) + plan.extra_layer_forwards);
      CHECK(work.largest_layer == without.largest_layer);
      CHECK(trainer.model().parameters() == plain.model().parameters());
      CHECK(trainer.gradients() == plain.gradients());
      for (std::size_t i = 0; i < plain.curve().size(); ++i) {
        CHECK(trainer.curve()[i].loss == plain.curve()[i].loss);
      }
    }
  }
  // More layers in a segment than there are: one segment.
  options.checkpoint_every = 100;
  Trainer<T> trainer(options, task);
  trainer.step();
  CHECK(trainer.step_work().layer_forwards == 6);
  options.checkpoint_every = -1;
  CHECK(error_of([&] { Trainer<T>(options, task); }).argument() == "checkpoint_every");
}

TEST_SUITE_END();
