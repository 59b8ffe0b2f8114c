// The step whose memory is planned once, beside the layers that it stands for.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "attn/models/language_model.hpp"
#include "attn/models/trainer.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("planned_step");

namespace {

SequenceMixerOptions mixer(const std::string& id, Index heads = 1, Index d_k = 0,
                           std::vector<std::pair<std::string, double>> parameters = {}) {
  SequenceMixerOptions options;
  options.id = id;
  options.heads = heads;
  options.d_k = d_k;
  options.parameters = std::move(parameters);
  return options;
}

SequenceMixerOptions linear(const std::string& map, Index d_k) {
  SequenceMixerOptions options = mixer("linear", 1, d_k);
  options.feature_map = map;
  return options;
}

/// Sizes that fill no vector and no tile.
LanguageModelOptions odd(const SequenceMixerOptions& one) {
  LanguageModelOptions options;
  options.vocabulary = 13;
  options.d_model = 12;
  options.length = 19;
  options.mixers = {one};
  options.feed_forward = 10;
  return options;
}

struct Case {
  std::string name;
  LanguageModelOptions options;
};

/// Every mixer that the step has kernels for, and what models differ in besides.
std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const std::string& name, const SequenceMixerOptions& one, auto change) {
    all.push_back({name, odd(one)});
    change(all.back().options);
  };
  const auto as_is = [](LanguageModelOptions&) {};
  add("softmax", mixer("softmax", 2), as_is);
  add("softmax, every token", mixer("softmax", 2), [](auto& o) { o.sees = SeenTokens::kAll; });
  add("softmax, later tokens", mixer("softmax", 2), [](auto& o) { o.sees = SeenTokens::kLater; });
  add("softmax, whole tiles", mixer("softmax", 2), [](auto& o) {
    o.d_model = 32;
    o.length = 32;
    o.mixers[0].bias = true;
    o.activation = Activation::kRelu;
  });
  add("softmax, tied, RMSNorm", mixer("softmax", 2, 5), [](auto& o) {
    o.tied = true;
    o.positions = false;
    o.norm = BlockNorm::kRms;
    o.activation = Activation::kSilu;
  });
  add("softmax, tanh form of GELU", mixer("softmax"),
      [](auto& o) { o.activation = Activation::kGeluTanh; });
  add("window with sinks", mixer("sliding_window", 2, 0, {{"window", 3}, {"sinks", 2}}), as_is);
  for (const char* map :
       {"taylor", "taylor_compact", "elu_plus_one", "relu", "squared_relu", "square", "exp"}) {
    add(map, linear(map, 5), as_is);
  }
  add("elu_plus_one, every token", linear("elu_plus_one", 5),
      [](auto& o) { o.sees = SeenTokens::kAll; });
  for (const char* id : {"linear_sum", "retention", "simple_gla", "gla", "mamba2", "delta_rule",
                         "gated_delta_rule"}) {
    for (const double norm : {0.0, 1.0}) {
      add(std::string(id) + (norm == 0 ? "" : ", normed"), mixer(id, 2, 5, {{"head_norm", norm}}),
          as_is);
    }
  }
  add("short convolution", mixer("short_conv", 1, 0, {{"add_input", 1}}), [](auto& o) {
    o.mixers.push_back(mixer("softmax", 1, 5));
    o.feed_forward = 0;
  });
  add("retnet", mixer("retnet", 2, 6), as_is);
  add("rwkv4", mixer("rwkv4"), as_is);
  add("mamba", mixer("mamba", 1, 0, {{"d_state", 5}}), as_is);
  add("hyena", mixer("hyena"), as_is);
  add("hyena of order 3", mixer("hyena", 1, 0, {{"order", 3}, {"filter_order", 40}}), as_is);
  add("mla", mixer("mla", 2, 5), as_is);
  // A mixer without a kernel between layers that have them.
  add("softmax, turned", mixer("softmax", 2, 0, {{"rotary", 1}}), as_is);
  return all;
}

struct Batch {
  Index size = 3;
  std::vector<std::int32_t> tokens, targets;

  Batch(const LanguageModelOptions& options, Index length) {
    Rng rng(7);
    const auto next = [&] {
      return static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(options.vocabulary)));
    };
    for (Index i = 0; i < size * length; ++i) {
      tokens.push_back(next());
      targets.push_back(i % 3 == 1 ? kIgnoredTarget : next());
    }
  }
};

}  // namespace

TEST_CASE("the planned step gives the gradients of the layers") {
  for (const Case& one : cases()) {
    CAPTURE(one.name);
    const LanguageModelOptions& options = one.options;
    LanguageModel<float> model(options, 3);
    LanguageModel<double> exact(options, 3);
    model.parameters() += 0.1F * random<float>(model.table().size(), 1, 5);
    exact.parameters() = model.parameters().cast<double>();
    StepMemory memory;
    for (const Index length : {options.length, Index{7}}) {
      CAPTURE(length);
      const Batch batch(options, length);
      Vector<float> gradients, again;
      Vector<double> wanted;
      const BatchResult made =
          model.gradients(batch.tokens, batch.targets, batch.size, gradients, &memory);
      const BatchResult true_result =
          exact.gradients(batch.tokens, batch.targets, batch.size, wanted);
      // Losses near 3 with an error of some float32 roundings.
      CHECK(made.loss == doctest::Approx(true_result.loss).epsilon(2e-6));
      CHECK(made.accuracy == doctest::Approx(true_result.accuracy));
      CHECK(made.counted == true_result.counted);
      // The rounding of float32 through two layers, of which the norms enlarge what is small.
      CHECK((gradients.cast<double>() - wanted).norm() < 3e-5 * wanted.norm());
      // The same bits with memory of its own.
      model.gradients(batch.tokens, batch.targets, batch.size, again);
      CHECK(again == gradients);
    }
  }
}

TEST_CASE("after the first step training allocates nothing") {
  if (!AllocationWatch::sees()) return;
  TrainerOptions tiny;
  tiny.steps = 2000;
  tiny.batch = 32;
  tiny.model.feed_forward = 128;
  tiny.model.mixers = {mixer("softmax", 2)};
  std::vector<std::pair<std::string, TrainerOptions>> all{{"tiny language model", tiny}};
  TrainerOptions recall = tiny;
  recall.model.vocabulary = 128;
  recall.model.length = 64;
  recall.model.positions = false;
  recall.model.tied = true;
  recall.model.feed_forward = 0;
  recall.clip = 1;
  const auto convolution = mixer("short_conv", 1, 0, {{"add_input", 1}});
  for (const SequenceMixerOptions& one :
       {mixer("softmax", 1, 16), linear("taylor", 16), linear("taylor_compact", 16),
        linear("elu_plus_one", 16), linear("identity", 16),
        mixer("sliding_window", 1, 16, {{"window", 8}, {"sinks", 0}})}) {
    recall.model.mixers = {convolution, one};
    all.emplace_back("recall, " + one.id + " " + one.feature_map, recall);
  }
  for (const SequenceMixerInfo& one : sequence_mixers()) {
    recall.model.mixers = {convolution, mixer(std::string(one.id), 1, 16)};
    all.emplace_back("recall, " + std::string(one.id), recall);
  }
  for (const auto& one : all) {
    CAPTURE(one.first);
    const TrainerOptions& options = one.second;
    std::shared_ptr<const Task> task = std::make_shared<MarkovTask>(16, 32, 0);
    if (options.model.vocabulary == 128) {
      task = std::make_shared<RecallTask>(RecallOptions{128, 64, 8});
    }
    Trainer<float> trainer(options, task);
    while (trainer.finished() < 1) trainer.step();
    const AllocationWatch watch(AllocationWatch::Scope::kAll);
    while (trainer.finished() < 4) trainer.step();
    CHECK(watch.mallocs() == 0);
    CHECK(watch.news() == 0);
  }
}

TEST_CASE("2,000 steps leave the heap where it was") {
  if (!AllocationWatch::sees()) return;
  TrainerOptions options;
  options.steps = 2001;
  options.batch = 4;
  options.model.vocabulary = 5;
  options.model.length = 6;
  options.model.d_model = 8;
  options.model.feed_forward = 8;
  options.model.mixers = {mixer("softmax", 2), mixer("mamba")};
  Trainer<float> trainer(options, std::make_shared<MarkovTask>(5, 6, 1));
  while (trainer.finished() < 1) trainer.step();
  const AllocationWatch watch(AllocationWatch::Scope::kAll);
  while (!trainer.done()) trainer.step();
  CHECK(trainer.finished() == 2001);
  CHECK(watch.mallocs() == 0);
  CHECK(watch.news() == 0);
}

TEST_SUITE_END();
