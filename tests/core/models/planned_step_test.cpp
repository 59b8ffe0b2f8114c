// The step whose memory is planned once, beside the layers that it stands for.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "allocation_watch.hpp"
#include "attn/models/language_model.hpp"
#include "attn/models/trainer.hpp"
#include "models/planned_mixer.hpp"
#include "simd/simd.hpp"
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
  const auto shared = [](SequenceMixerOptions one, Index kv_heads) {
    one.kv_heads = kv_heads;
    return one;
  };
  add("softmax, shared keys", shared(mixer("softmax", 4, 5), 2), as_is);
  add("softmax, one key head", shared(mixer("softmax", 4), 1), [](auto& o) {
    o.d_model = 32;
    o.length = 32;
    o.mixers[0].bias = true;
  });
  add("window, shared keys",
      shared(mixer("sliding_window", 6, 0, {{"window", 3}, {"sinks", 2}}), 3), as_is);
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
  add("softmax, turned", mixer("softmax", 2, 8, {{"rotary", 1}}), as_is);
  // Mixers without a kernel between layers that have them.
  add("softmax, ALiBi", mixer("softmax", 2, 0, {{"alibi", 1}}), as_is);
  add("softmax, tokens behind", mixer("softmax", 2),
      [](auto& o) { o.sees = SeenTokens::kStrictlyLater; });
  return all;
}

/// Memory that begins where a vector of any width may.
class PlannedMemory {
 public:
  explicit PlannedMemory(simd::Size floats)
      : all_(static_cast<std::size_t>(floats) + 16, std::nanf("")) {}
  float* begin() {
    void* at = all_.data();
    std::size_t left = all_.size() * sizeof(float);
    return static_cast<float*>(std::align(64, sizeof(float), at, left));
  }

 private:
  std::vector<float> all_;
};

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

TEST_CASE("segments that are made again give the same bits, whatever the mixers are") {
  // All kinds of layers in turn, so that each has memory in which others have worked.
  const auto check = [](const LanguageModelOptions& options) {
    LanguageModel<float> model(options, 3);
    model.parameters() += 0.1F * random<float>(model.table().size(), 1, 5);
    const Batch batch(options, options.length);
    Vector<float> wanted, gradients, again;
    StepMemory plain;
    const auto right = model.gradients(batch.tokens, batch.targets, batch.size, wanted, &plain);
    const auto layers = static_cast<std::uint64_t>(options.layers);
    CHECK(plain.work().layer_forwards == layers);
    for (const Index every : {1, 2, 3}) {
      CAPTURE(every);
      StepMemory memory(every);
      const auto made =
          model.gradients(batch.tokens, batch.targets, batch.size, gradients, &memory);
      CHECK(made.loss == right.loss);
      CHECK(gradients == wanted);
      model.gradients(batch.tokens, batch.targets, batch.size, again, &memory);
      CHECK(again == wanted);
      const std::uint64_t segment = static_cast<std::uint64_t>(every),
                          before_last = (layers - 1) / segment * segment;
      CHECK(memory.work().layer_forwards == layers + before_last);
      if (layers > segment) CHECK(memory.work().kept_numbers < plain.work().kept_numbers);
    }
  };
  LanguageModelOptions mixed = odd(mixer("softmax", 2));
  mixed.mixers.clear();
  for (const Case& one : cases()) {
    CAPTURE(one.name);
    LanguageModelOptions options = one.options;
    options.layers = 4;
    options.mixers.assign(4, one.options.mixers.front());
    check(options);
    mixed.mixers.push_back(one.options.mixers.front());
  }
  mixed.layers = static_cast<Index>(mixed.mixers.size());
  check(mixed);
}

TEST_CASE("every mixer is planned by one interface, and gives its own output and gradients") {
  std::set<std::string> seen;
  for (const Case& one : cases()) {
    CAPTURE(one.name);
    SequenceMixerOptions options = one.options.mixers.front();
    options.d_model = one.options.d_model;
    options.length = one.options.length;
    options.sees = one.options.sees;
    const auto layer = make_sequence_mixer<float>(options);
    const auto exact = make_sequence_mixer<double>(options);
    // Between the parameters of other layers, which are none of its business.
    const Index first = 5, count = layer->parameters().size(), all = first + count + 3;
    const Vector<float> parameters = 0.3F * random<float>(all, 1, 11);
    const Vector<double> own = parameters.segment(first, count).cast<double>();
    const auto planned = internal::planned_mixer(*layer, first);
    REQUIRE(planned != nullptr);
    seen.insert(options.id);
    for (const Index n : {options.length, Index{7}}) {
      CAPTURE(n);
      const Index batch = 3, rows = batch * n, d = options.d_model;
      const simd::Size kept_floats = planned->keep(nullptr, batch, n);
      // What none of these kernels knows.
      CHECK((kept_floats == 0) ==
            (one.name == "softmax, ALiBi" || one.name == "softmax, tokens behind"));
      PlannedMemory kept(kept_floats), work(planned->use(nullptr));
      planned->keep(kept.begin(), batch, n);
      const Matrix<float> a = random<float>(rows, d, 12), before = random<float>(rows, d, 13),
                          dy = random<float>(rows, d, 14);
      Matrix<float> y = before, da = Matrix<float>::Constant(rows, d, 7);
      const Vector<float> g_before = random<float>(all, 1, 15);
      Vector<float> g = g_before;
      planned->forward(parameters.data(), a.data(), work.begin(), y.data());
      // Another layer works in the same place before the way back.
      std::fill_n(work.begin(), planned->use(nullptr), std::nanf(""));
      planned->backward(parameters.data(), g.data(), a.data(), dy.data(), work.begin(), da.data());

      const Matrix<double> x = a.cast<double>();
      const Matrix<double> wanted = exact->forward(x, batch, own);
      Vector<double> d_own = Vector<double>::Zero(count);
      const Matrix<double> d_wanted = exact->backward(x, batch, own, dy.cast<double>(), d_own);
      // The rounding of float32 through one layer.
      const auto close = [](const auto& made, const auto& right) {
        return (made - right).norm() < 1e-5 * right.norm();
      };
      CHECK(close((y - before).cast<double>().eval(), wanted));
      CHECK(close(da.cast<double>().eval(), d_wanted));
      CHECK(close((g - g_before).segment(first, count).cast<double>().eval(), d_own));
      CHECK(g.head(first) == g_before.head(first));
      CHECK(g.tail(3) == g_before.tail(3));
    }
  }
  for (const SequenceMixerInfo& info : sequence_mixers()) {
    CAPTURE(info.id);
    CHECK(seen.contains(std::string(info.id)));
  }
}

TEST_CASE("a plan is not taken for that of another model at its address") {
  const LanguageModelOptions one = odd(mixer("softmax", 2));
  std::vector<Case> others;
  // The same parameters with another meaning; another number of them; another kind of layer.
  others.push_back({"every token", one});
  others.back().options.sees = SeenTokens::kAll;
  others.push_back({"narrower", one});
  others.back().options.d_model = 8;
  others.push_back({"wider", one});
  others.back().options.d_model = 20;
  others.push_back({"without a network", one});
  others.back().options.feed_forward = 0;
  others.push_back({"RetNet", odd(mixer("retnet", 2, 6))});
  others.push_back({"turned", odd(mixer("softmax", 2, 0, {{"rotary", 1}}))});
  others.push_back({"by the definition", odd(mixer("softmax", 2, 0, {{"alibi", 1}}))});
  const auto check = [](const LanguageModel<float>& model, StepMemory& memory) {
    const Batch batch(model.options(), model.options().length);
    Vector<float> gradients, wanted;
    const auto made = model.gradients(batch.tokens, batch.targets, batch.size, gradients, &memory);
    const auto right = model.gradients(batch.tokens, batch.targets, batch.size, wanted);
    CHECK(made.loss == right.loss);
    CHECK(gradients == wanted);
  };
  for (const Case& other : others) {
    CAPTURE(other.name);
    StepMemory memory;
    std::optional<LanguageModel<float>> model;
    model.emplace(one, 3);
    const LanguageModel<float>* const address = &*model;
    const std::uint64_t identity = model->identity();
    check(*model, memory);
    // One is gone and another was made in its place.
    model.emplace(other.options, 4);
    REQUIRE(&*model == address);
    CHECK(model->identity() > identity);
    check(*model, memory);
    // One was moved into another.
    *model = LanguageModel<float>(one, 3);
    check(*model, memory);
  }
}

TEST_CASE("a plan goes with a model that is moved") {
  LanguageModel<float> model(odd(mixer("softmax", 2, 0, {{"alibi", 1}})), 3);
  const Batch batch(model.options(), 19);
  StepMemory memory;
  Vector<float> before, after;
  model.gradients(batch.tokens, batch.targets, batch.size, before, &memory);
  const std::uint64_t identity = model.identity();
  const LanguageModel<float> moved = std::move(model);
  CHECK(moved.identity() == identity);
  CHECK(model.identity() > identity);  // What was moved from is another.
  moved.gradients(batch.tokens, batch.targets, batch.size, after, &memory);
  CHECK(after == before);
}

TEST_CASE("a plan does not read parameters of another number than the model's") {
  LanguageModel<float> model(odd(mixer("softmax", 2)), 3);
  const Batch batch(model.options(), 19);
  StepMemory memory;
  Vector<float> gradients;
  model.gradients(batch.tokens, batch.targets, batch.size, gradients, &memory);
  for (const Index more : {-1, 1}) {
    model.parameters().setZero(model.table().size() + more);
    CHECK_THROWS_AS(model.gradients(batch.tokens, batch.targets, batch.size, gradients, &memory),
                    ShapeError);
  }
  model.parameters().setZero(model.table().size());
  CHECK_NOTHROW(model.gradients(batch.tokens, batch.targets, batch.size, gradients, &memory));
}

TEST_CASE("a plan is laid out for the kernels that run") {
  // What a head keeps depends on the width of the vectors.
  const simd::Kernels& chosen = simd::kernels();
  LanguageModel<float> model(odd(mixer("softmax", 2)), 3);
  const Batch batch(model.options(), 19);
  StepMemory memory;
  for (const simd::Kernels* const set : simd::kernel_sets()) {
    CAPTURE(set->name);
    simd::use_kernels(*set);
    Vector<float> gradients, wanted;
    model.gradients(batch.tokens, batch.targets, batch.size, gradients, &memory);
    model.gradients(batch.tokens, batch.targets, batch.size, wanted);
    CHECK(gradients == wanted);
  }
  simd::use_kernels(chosen);
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
  recall.model.mixers = {mixer("softmax", 2, 0, {{"rotary", 1}})};
  all.emplace_back("recall, softmax, turned", recall);
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
