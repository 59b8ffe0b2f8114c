// Gates on the heads of a model, what they cost, and grouped heads made of it.

#include "attn/models/head_surgery.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "attn/attention/pattern.hpp"
#include "attn/models/trainer.hpp"
#include "test_util.hpp"

using namespace attn;
using namespace attn::test;

TEST_SUITE_BEGIN("head_surgery");

namespace {

const std::vector<std::int32_t> kReadTokens{3, 1, 4, 1, 5, 0, 2, 6, 5, 3};
const std::vector<std::int32_t> kReadTargets{1, 4, kIgnoredTarget, 5, 2, 2, 6, 5, 3, 0};
constexpr Index kBatch = 2;

LanguageModelOptions cut_options(const char* first, const char* second) {
  LanguageModelOptions options;
  options.vocabulary = 7;
  options.d_model = 8;
  options.layers = 2;
  options.length = 8;
  options.mixers = {{}, {}};
  options.mixers[0].id = first;
  options.mixers[1].id = second;
  for (auto& mixer : options.mixers) {
    mixer.heads = mixer.id == "retnet" ? 1 : 4;
    mixer.bias = true;
  }
  options.feed_forward = 5;
  options.embedding_size = 0.5;
  return options;
}

template <typename T>
LanguageModel<T> model_of(const LanguageModelOptions& options) {
  LanguageModel<T> model(options, 4);
  model.parameters() += T(0.2) * random<T>(model.table().size(), 1, 5);
  return model;
}

SequenceMixerOptions mixer_of(const char* id) {
  SequenceMixerOptions options;
  options.id = id;
  options.d_model = 8;
  options.heads = 4;
  return options;
}

double apart(In<double> a, In<double> b) { return (a - b).cwiseAbs().maxCoeff(); }

/// The columns of W_O that belong to a head.
template <typename T>
void cut_columns(LanguageModel<T>& model, const HeadPlace& place) {
  const std::string name = "blocks." + std::to_string(place.layer) + ".attn.out_proj.weight";
  const Index heads = model.block(place.layer).mixer().gated_heads();
  auto Wo = edit<T>(model.table().at(name), model.parameters());
  Wo.middleCols(place.head * Wo.cols() / heads, Wo.cols() / heads).setZero();
}

/// The gradients of the loss of one text by its gates are the slopes of that loss.
void check_gate_slopes(const LanguageModel<double>& model, ModelGates<double> gates) {
  const std::span<const std::int32_t> text = std::span(kReadTokens).first(5),
                                      targets = std::span(kReadTargets).first(5);
  const auto gradients = model.gate_gradients(text, targets, 1, gates);
  for (HeadGate& gate : gates.heads) {
    const auto loss = [&] { return model.evaluate(text, targets, 1, gates).loss; };
    const double at = gate.gate, kStep = 1e-5;
    gate.gate = at + kStep;
    const double up = loss();
    gate.gate = at - kStep;
    const double slope = (up - loss()) / (2 * kStep);
    gate.gate = at;
    const auto of_layer = static_cast<std::size_t>(gate.layer);
    CHECK(close(gradients.parts[of_layer].col(gate.head).sum(), slope, 1e-6, 1e-8));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("gates of 1 change no bit", T, float, double) {
  for (const auto& ids : {std::pair{"softmax", "linear"}, std::pair{"sliding_window", "gla"},
                          std::pair{"delta_rule", "retnet"}}) {
    CAPTURE(ids.first);
    const auto model = model_of<T>(cut_options(ids.first, ids.second));
    ModelGates<T> open;
    for (const auto& one : gated_heads(model)) open.heads.push_back({one.layer, one.head, 1});
    open.instead = model.head_means(kReadTokens, kBatch);
    CHECK(model.logits(kReadTokens, kBatch, open) == model.logits(kReadTokens, kBatch));
    CHECK(model.losses(kReadTokens, kReadTargets, kBatch, open) ==
          model.losses(kReadTokens, kReadTargets, kBatch));
    const std::vector<std::int32_t> text(kReadTokens.begin(), kReadTokens.begin() + 5);
    CHECK(model.weights(text, 1, 0, open) == model.weights(text, 1, 0));
    auto with = model.start(), without = model.start();
    for (const std::int32_t token : text) {
      CHECK(model.step(with, token, open) == model.step(without, token));
    }
  }
}

TEST_CASE("a gate of 0 is a head without its columns of W_O, one or several at once") {
  for (const auto& ids : {std::pair{"softmax", "linear"}, std::pair{"sliding_window", "gla"}}) {
    CAPTURE(ids.first);
    const auto model = model_of<double>(cut_options(ids.first, ids.second));
    for (const std::vector<HeadPlace>& cut : std::vector<std::vector<HeadPlace>>{
             {{0, 2}}, {{1, 0}}, {{0, 0}, {0, 3}, {1, 1}}, gated_heads(model)}) {
      ModelGates<double> gates;
      auto other = copy_of(model);
      for (const HeadPlace& one : cut) {
        gates.heads.push_back({one.layer, one.head, 0});
        cut_columns(other, one);
      }
      const Matrix<double> said = model.logits(kReadTokens, kBatch, gates);
      CHECK_CLOSE(said, other.logits(kReadTokens, kBatch), 1e-12, 1e-12);
      CHECK((said - model.logits(kReadTokens, kBatch)).norm() > 1e-3);
      CHECK(model.evaluate(kReadTokens, kReadTargets, kBatch, gates).loss ==
            doctest::Approx(other.evaluate(kReadTokens, kReadTargets, kBatch).loss).epsilon(1e-12));
      const std::vector<std::int32_t> text(kReadTokens.begin(), kReadTokens.begin() + 5);
      CHECK_CLOSE(model.weights(text, 1, 1, gates), other.weights(text, 1, 1), 1e-12, 1e-12);
      CHECK_CLOSE(model.logits(text, 1, gates), said.topRows(5).eval(), 1e-10, 1e-10);
      auto state = model.start();
      for (Index t = 0; t < 5; ++t) {
        const Vector<double> now = model.step(state, text[static_cast<std::size_t>(t)], gates);
        CHECK_CLOSE(now, said.row(t).transpose().eval(), 1e-9, 1e-9);
      }
      Rng one(3), two(3);
      CHECK(model.generate(text, 3, {.temperature = 0.7}, one, gates) ==
            other.generate(text, 3, {.temperature = 0.7}, two));
    }
  }
}

TEST_CASE("the mean over a text takes the place of a head") {
  const auto model = model_of<double>(cut_options("softmax", "linear"));
  const std::vector<Matrix<double>> means = model.head_means(kReadTokens, kBatch);
  REQUIRE(means.size() == 2);
  // Layer 0 sees the same inputs with and without the cut, so that its bias can hold the mean.
  const HeadPlace place{0, 1};
  auto other = copy_of(model);
  const auto Wo =
      view<double>(model.table().at("blocks.0.attn.out_proj.weight"), model.parameters());
  edit<double>(model.table().at("blocks.0.attn.out_proj.bias"), other.parameters()) +=
      Wo.middleCols(2, 2) * means[0].row(1).transpose();
  cut_columns(other, place);
  const ModelGates<double> gates{{{0, 1, 0}}, means};
  CHECK_CLOSE(model.logits(kReadTokens, kBatch, gates), other.logits(kReadTokens, kBatch), 1e-12,
              1e-12);
  // Zeros are another ablation.
  CHECK((model.logits(kReadTokens, kBatch, {{{0, 1, 0}}, {}}) -
         model.logits(kReadTokens, kBatch, gates))
            .norm() > 1e-3);
  // Between the two ends the gate mixes: with a gate of ½ the two corrections halve.
  auto half = copy_of(model);
  edit<double>(model.table().at("blocks.0.attn.out_proj.bias"), half.parameters()) +=
      0.5 * Wo.middleCols(2, 2) * means[0].row(1).transpose();
  edit<double>(model.table().at("blocks.0.attn.out_proj.weight"), half.parameters())
      .middleCols(2, 2) *= 0.5;
  CHECK_CLOSE(model.logits(kReadTokens, kBatch, {{{0, 1, 0.5}}, means}),
              half.logits(kReadTokens, kBatch), 1e-12, 1e-12);
  // What the mean is: of the outputs, which weights and values make.
  const auto& mixer = model.block(0).mixer();
  const Vector<double> own = model.block(0).mixer_parameters(
      model.parameters().segment(7 * 8 + 8 * 8, model.block(0).parameters().size()));
  const Matrix<double> X = random<double>(6, 8, 3);
  const Matrix<double> outputs = mixer.head_outputs(X, 1, own);
  const auto in = view<double>(mixer.parameters().at("in_proj_weight"), own);
  const auto bias = view<double>(mixer.parameters().at("in_proj_bias"), own);
  Matrix<double> values = X * in.middleRows(16 + 2, 2).transpose();
  values.rowwise() += bias.col(0).segment(16 + 2, 2).transpose();
  CHECK_CLOSE(outputs.middleCols(2, 2).eval(), (mixer.weights(X, own, 1) * values).eval(), 1e-12,
              1e-12);
}

TEST_CASE("gradients by gates are the slopes of each sequence's own loss, at any gates") {
  const std::vector<std::int32_t> one_ignored{1, 4, kIgnoredTarget, kIgnoredTarget, 2, 2, 6, 5,
                                              3, 0};
  for (const auto& ids : {std::pair{"softmax", "linear"}, std::pair{"sliding_window", "mamba"},
                          std::pair{"gla", "softmax"}}) {
    CAPTURE(ids.first);
    const auto model = model_of<double>(cut_options(ids.first, ids.second));
    ModelGates<double> gates;
    for (const HeadPlace& one : gated_heads(model)) {
      gates.heads.push_back({one.layer, one.head, 1 - 0.3 * static_cast<double>(one.head)});
    }
    gates.instead = model.head_means(kReadTokens, kBatch);
    for (ModelGates<double> at : {ModelGates<double>(), gates}) {
      const auto made = model.gate_gradients(kReadTokens, one_ignored, kBatch, at);
      REQUIRE(made.losses.size() == 2);
      if (at.heads.empty()) {
        for (const HeadPlace& one : gated_heads(model)) {
          at.heads.push_back({one.layer, one.head, 1});
        }
      }
      const auto loss = [&](std::size_t s) {
        return model
            .evaluate(std::span(kReadTokens).subspan(5 * s, 5),
                      std::span(one_ignored).subspan(5 * s, 5), 1, at)
            .loss;
      };
      for (std::size_t s = 0; s < 2; ++s) {
        CHECK(made.losses[s] == doctest::Approx(loss(s)));
        for (HeadGate& gate : at.heads) {
          const double there = gate.gate, kStep = 1e-5;
          gate.gate = there + kStep;
          const double up = loss(s);
          gate.gate = there - kStep;
          const double slope = (up - loss(s)) / (2 * kStep);
          gate.gate = there;
          const double gradient = made.parts[static_cast<std::size_t>(gate.layer)]
                                      .block(static_cast<Index>(5 * s), gate.head, 5, 1)
                                      .sum();
          CHECK(close(gradient, slope, 1e-6, 1e-8));
        }
      }
    }
    if (std::string(ids.second) == "mamba") {
      CHECK(model.gate_gradients(kReadTokens, kReadTargets, kBatch).parts[1].cols() == 0);
      CHECK(gated_heads(model).size() == 4);
    }
  }
}

TEST_CASE("importance is a mean over sequences, so that a batch is no more than its sequences") {
  const auto model = model_of<double>(cut_options("softmax", "linear"));
  const auto both = model_head_importance<double>(model, kReadTokens, kReadTargets, kBatch);
  REQUIRE(both.layers.size() == 2);
  std::vector<ModelHeadImportance> each;
  for (std::size_t s = 0; s < 2; ++s) {
    each.push_back(model_head_importance<double>(model, std::span(kReadTokens).subspan(5 * s, 5),
                                                 std::span(kReadTargets).subspan(5 * s, 5), 1));
  }
  for (std::size_t layer = 0; layer < 2; ++layer) {
    double squares = 0;
    for (std::size_t h = 0; h < 4; ++h) {
      const auto mean = [&](auto member) {
        return ((each[0].layers[layer].*member)[h] + (each[1].layers[layer].*member)[h]) / 2;
      };
      const HeadImportance& made = both.layers[layer];
      CHECK(made.importance[h] == doctest::Approx(mean(&HeadImportance::importance)));
      CHECK(made.importance_per_token[h] ==
            doctest::Approx(mean(&HeadImportance::importance_per_token)));
      CHECK(made.importance[h] <= 5 * made.importance_per_token[h] + 1e-12);
      squares += made.importance_unit[h] * made.importance_unit[h];
    }
    CHECK(squares == doctest::Approx(1));
  }
  // A sequence without a target has no part in it.
  std::vector<std::int32_t> first_only = kReadTargets;
  std::fill(first_only.begin() + 5, first_only.end(), kIgnoredTarget);
  const auto one = model_head_importance<double>(model, kReadTokens, first_only, kBatch);
  CHECK(std::isnan(one.losses[1]));
  CHECK(one.layers[1].importance[2] == doctest::Approx(each[0].layers[1].importance[2]));
  // In float32 the kernels of attention do the work.
  LanguageModel<float> narrow(cut_options("softmax", "linear"));
  narrow.parameters() = model.parameters().cast<float>();
  const auto rounded = model_head_importance<float>(narrow, kReadTokens, kReadTargets, kBatch);
  for (std::size_t h = 0; h < 4; ++h) {
    CHECK(close(rounded.layers[0].importance[h], both.layers[0].importance[h], 1e-3, 1e-5));
  }
}

TEST_CASE("heads are cut in given orders, in random ones and alone") {
  auto model = model_of<double>(cut_options("softmax", "linear"));
  const std::vector<HeadPlace> all = gated_heads(model);
  REQUIRE(all.size() == 8);
  const std::vector<HeadPlace> order{{1, 3}, {0, 0}, {1, 1}};
  for (const bool mean : {false, true}) {
    HeadCutting<double> cutting(model, kReadTokens, kReadTargets, kBatch, {order, all},
                                {.mean = mean, .random_orders = 2, .seed = 5});
    const auto means = mean ? model.head_means(kReadTokens, kBatch) : std::vector<Matrix<double>>();
    CHECK(cutting.progress() == 0);
    Index passes = 0;
    while (!cutting.step(1)) ++passes;
    CHECK(passes + 1 == 3 + 8 + 2 * 8 + 8);
    CHECK(cutting.progress() == 1);
    const CuttingResult& made = cutting.result();
    CHECK(made.loss == model.evaluate(kReadTokens, kReadTargets, kBatch).loss);
    ModelGates<double> gates{{}, means};
    for (std::size_t k = 0; k < 3; ++k) {
      gates.heads.push_back({order[k].layer, order[k].head, 0});
      CHECK(made.losses[0][k] == model.evaluate(kReadTokens, kReadTargets, kBatch, gates).loss);
    }
    CHECK(made.alone[0] == made.losses[1][0]);
    CHECK(made.alone[7] ==
          model.evaluate(kReadTokens, kReadTargets, kBatch, {{{1, 3, 0}}, means}).loss);
    // Whatever the order, without all heads the model is the same.
    REQUIRE(made.random_orders.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(made.random_losses[i].back() == made.losses[1].back());
      std::vector<int> seen(8);
      for (const HeadPlace& one : made.random_orders[i]) {
        ++seen[static_cast<std::size_t>(4 * one.layer + one.head)];
      }
      CHECK(seen == std::vector<int>(8, 1));
    }
    CHECK(made.random_losses[0] != made.random_losses[1]);
    HeadCutting<double> again(model, kReadTokens, kReadTargets, kBatch, {},
                              {.mean = mean, .random_orders = 2, .seed = 5});
    // Changes of the model do not reach what is under way.
    const Vector<double> there = model.parameters();
    model.parameters().setZero();
    again.step(100);
    model.parameters() = there;
    CHECK(again.result().random_losses == made.random_losses);
    // A joint cut is not the sum of single ones.
    double sum = made.loss;
    for (const double alone : made.alone) sum += alone - made.loss;
    CHECK(std::abs(sum - made.losses[1].back()) > 1e-4);
  }
}

TEST_CASE("a grouped model has the means of keys and values, smaller caches, and can be trained") {
  LanguageModelOptions options = cut_options("softmax", "sliding_window");
  options.mixers[0].parameters = {{"rotary", 1}};
  options.mixers[1].d_k = 3;
  const auto model = model_of<double>(options);
  const auto made = group_model_heads(model, 2);
  CHECK(made.options().mixers[0].kv_heads == 2);
  CHECK(made.state_numbers(5) * 2 == model.state_numbers(5));
  const std::string name = "blocks.1.attn.in_proj_weight";
  const auto from = view<double>(model.table().at(name), model.parameters());
  const auto to = view<double>(made.table().at(name), made.parameters());
  CHECK(to.rows() == 4 * 3 + 2 * 3 + 2 * 2);
  CHECK(to.topRows(12) == from.topRows(12));
  CHECK_CLOSE(to.middleRows(15, 3).eval(),
              ((from.middleRows(18, 3) + from.middleRows(21, 3)) / 2).eval(), 1e-14, 0);
  CHECK_CLOSE(to.bottomRows(2).eval(),
              ((from.middleRows(28, 2) + from.middleRows(30, 2)) / 2).eval(), 1e-14, 0);
  const std::string kept = "blocks.0.fc1.weight";
  CHECK(view<double>(made.table().at(kept), made.parameters()) ==
        view<double>(model.table().at(kept), model.parameters()));

  // Where the heads of a group are equal, nothing changes.
  auto equal = copy_of(model);
  for (Index layer = 0; layer < 2; ++layer) {
    for (const char* part : {"weight", "bias"}) {
      const Index d_k = layer == 0 ? 2 : 3;
      auto in = edit<double>(
          model.table().at("blocks." + std::to_string(layer) + ".attn.in_proj_" + part),
          equal.parameters());
      for (const Index h : {1, 3}) {
        in.middleRows((4 + h) * d_k, d_k) = in.middleRows((4 + h - 1) * d_k, d_k).eval();
        in.middleRows(8 * d_k + 2 * h, 2) = in.middleRows(8 * d_k + 2 * (h - 1), 2).eval();
      }
    }
  }
  const auto grouped = group_model_heads(equal, 2);
  const Matrix<double> said = grouped.logits(kReadTokens, kBatch);
  CHECK_CLOSE(said, equal.logits(kReadTokens, kBatch), 1e-12, 1e-12);
  CHECK((made.logits(kReadTokens, kBatch) - model.logits(kReadTokens, kBatch)).norm() > 1e-3);
  auto state = grouped.start();
  for (Index t = 0; t < 5; ++t) {
    const Vector<double> now = grouped.step(state, kReadTokens[static_cast<std::size_t>(t)]);
    CHECK_CLOSE(now, said.row(t).transpose().eval(), 1e-9, 1e-9);
  }
  CHECK(static_cast<std::uint64_t>(state.layers[0].size() + state.layers[1].size()) ==
        grouped.state_numbers(5));

  // Its gradients are slopes, and our trainer goes on from it.
  auto slopes = group_model_heads(model, 1);
  Vector<double> gradients;
  slopes.gradients(kReadTokens, kReadTargets, kBatch, gradients);
  const auto loss = [&] { return slopes.evaluate(kReadTokens, kReadTargets, kBatch).loss; };
  CHECK(worst_slope(gradients, slopes.parameters(), loss) < 1e-6);
}

namespace {

/// Two layers of four heads of width 8, rotary, without biases, and a norm without any.
LanguageModel<double> rotary_model() {
  LanguageModelOptions options = cut_options("softmax", "softmax");
  options.d_model = 32;
  for (auto& mixer : options.mixers) {
    mixer.bias = false;
    mixer.parameters = {{"rotary", 1}};
  }
  options.positions = false;
  auto model = model_of<double>(options);
  for (const char* name : {"blocks.0.ln1.bias", "blocks.1.ln1.bias"}) {
    edit<double>(model.table().at(name), model.parameters()).setZero();
  }
  return model;
}

}  // namespace

TEST_CASE(
    "latent attention made of a trained model: what it loses, and that nothing else is lost") {
  const auto model = rotary_model();
  const auto far = [&](const LanguageModel<double>& other, Index latent) {
    const auto made = latent_model_heads(other, {.latent = latent, .rope = 4});
    return apart(made.logits(kReadTokens, kBatch), other.logits(kReadTokens, kBatch));
  };
  CHECK(far(model, 32) > 0.05);

  // Keys of the pairs that stay rotated (0 and 2, rows 0, 4 and 2, 6) are one key, turned and
  // scaled for each head, and the others have none to lose: a latent vector as wide as the model
  // gives the same numbers, up to the ε of its norm.
  auto alike = copy_of(model);
  for (const char* name : {"blocks.0.attn.in_proj_weight", "blocks.1.attn.in_proj_weight"}) {
    auto keys = edit<double>(model.table().at(name), alike.parameters()).middleRows(32, 32);
    const Matrix<double> first = keys.topRows(8);
    for (Index h = 0; h < 4; ++h) {
      const double angle = 0.7 * static_cast<double>(h), size = 1 + static_cast<double>(h);
      for (const Index pair : {0, 2}) {
        keys.row(8 * h + pair) =
            size * (std::cos(angle) * first.row(pair) - std::sin(angle) * first.row(pair + 4));
        keys.row(8 * h + pair + 4) =
            size * (std::sin(angle) * first.row(pair) + std::cos(angle) * first.row(pair + 4));
      }
      for (const Index pair : {1, 3}) {
        keys.row(8 * h + pair).setZero();
        keys.row(8 * h + pair + 4).setZero();
      }
    }
  }
  CHECK(far(alike, 32) < 1e-3);
  CHECK(far(alike, 24) > 10 * far(alike, 32));
  CHECK(far(alike, 4) > far(alike, 24));

  // What its caches hold, and that it is a model as any other.
  const auto made = latent_model_heads(model, {.latent = 12, .rope = 4});
  CHECK(made.options().mixers[1].id == "mla");
  CHECK(made.state_numbers(5) == 2 * 5 * (12 + 4));
  const Matrix<double> now = made.logits(kReadTokens, kBatch);
  auto state = made.start();
  for (Index t = 0; t < 5; ++t) {
    const Vector<double> one = made.step(state, kReadTokens[static_cast<std::size_t>(t)]);
    CHECK_CLOSE(one, now.row(t).transpose().eval(), 1e-9, 1e-9);
  }
  for (const char* kept : {"blocks.0.fc1.weight", "tok.weight"}) {
    CHECK(view<double>(made.table().at(kept), made.parameters()) ==
          view<double>(model.table().at(kept), model.parameters()));
  }

  const auto argument = [](auto call) { return error_of(call).argument(); };
  for (const Index rope : {0, 3, 6, 8, 16}) {
    CHECK(argument([&] { latent_model_heads(model, {.latent = 12, .rope = rope}); }) == "rope");
  }
  for (const Index latent : {0, 33}) {
    CHECK(argument([&] { latent_model_heads(model, {.latent = latent}); }) == "latent");
  }
  const auto biased = model_of<double>(cut_options("softmax", "gla"));
  CHECK(argument([&] { latent_model_heads(biased); }) == "model");
}

TEST_CASE("a model that lost by grouping its heads is trained on") {
  TrainerOptions how;
  how.model.vocabulary = 8;
  how.model.d_model = 16;
  how.model.length = 16;
  how.model.mixers[0].heads = 4;
  how.steps = 150;
  how.batch = 8;
  how.optimizer.learning_rate = 1e-2;
  const auto task = std::make_shared<MarkovTask>(8, 16, 3, 3.0);
  Trainer<float> first(how, task);
  while (!first.step()) continue;
  const double before = first.evaluate(4).loss;
  const auto grouped = group_model_heads(first.model(), 1);
  TrainerOptions on = how;
  on.model = grouped.options();
  on.steps = 60;
  Trainer<float> second(on, task);
  const Vector<float> zeros = Vector<float>::Zero(grouped.table().size());
  second.restore({grouped.parameters(), zeros, zeros, {}});
  const double after = second.evaluate(4).loss;
  while (!second.step()) continue;
  const double trained = second.evaluate(4).loss;
  CAPTURE(before);
  CAPTURE(after);
  CAPTURE(trained);
  CHECK(after > before);
  CHECK(trained < after);
}

TEST_CASE("a head with a feature map for its softmax, distilled while the model stays as it is") {
  for (const auto sees : {SeenTokens::kEarlier, SeenTokens::kAll}) {
    CAPTURE(static_cast<int>(sees));
    LanguageModelOptions options = cut_options("softmax", "softmax");
    options.sees = sees;
    // Heads of width 4: a map of two features a half has little to learn.
    options.d_model = 16;
    options.mixers[1].parameters = {{"rotary", 1}};
    options.mixers[1].kv_heads = 2;
    auto model = model_of<double>(options);
    for (const char* layer : {"0", "1"}) {
      // Sharp enough that maps are told from softmax.
      edit<double>(model.table().at(std::string("blocks.") + layer + ".attn.in_proj_weight"),
                   model.parameters()) *= 2;
    }
    const Vector<double> there = model.parameters();
    const Index layer = 1, head = 3;
    auto distillation =
        distill_head<double>(model, kReadTokens, kBatch, layer, head, {.steps = 200});
    const MapDistillationResult<double> first = distillation.result();
    distillation.step(200);
    const MapDistillationResult<double>& made = distillation.result();
    CHECK(model.parameters() == there);
    CHECK(made.loss.back() - made.floor < 0.5 * (made.loss.front() - made.floor));
    const auto gates_with = [&](const Matrix<double>& Wq, const Matrix<double>& Wk) {
      ModelGates<double> gates;
      gates.maps.push_back({layer, {head, "hedgehog", Wq, Wk}});
      return gates;
    };
    const ModelGates<double> before = gates_with(first.Wq, first.Wk),
                             after = gates_with(made.Wq, made.Wk);
    // What the model says is nearer to what it said with softmax.
    const Matrix<double> whole = model.logits(kReadTokens, kBatch);
    const double far = (model.logits(kReadTokens, kBatch, before) - whole).norm();
    CHECK((model.logits(kReadTokens, kBatch, after) - whole).norm() < far);
    CHECK(far > 1e-4);
    // The weights are those that the loss compares, and other heads keep theirs.
    const std::vector<std::int32_t> text(kReadTokens.begin(), kReadTokens.begin() + 5);
    const Matrix<double> own = model.weights(text, layer, head),
                         mapped = model.weights(text, layer, head, after);
    CHECK((own - mapped).norm() > 1e-3);
    CHECK(model.weights(text, layer, 2, after) == model.weights(text, layer, 2));
    CHECK_CLOSE(mapped.rowwise().sum().eval(), Vector<double>::Ones(5), 1e-4, 0);
    // Its gates have slopes as those of any head.
    ModelGates<double> gated = after;
    gated.heads = {{layer, head, 0.7}, {0, 1, 0.5}};
    check_gate_slopes(model, gated);
    if (sees != SeenTokens::kEarlier) continue;
    auto state = model.start();
    const Matrix<double> said = model.logits(text, 1, after);
    for (Index t = 0; t < 5; ++t) {
      const Vector<double> now = model.step(state, text[static_cast<std::size_t>(t)], after);
      CHECK_CLOSE(now, said.row(t).transpose().eval(), 1e-9, 1e-9);
    }
  }
}

TEST_CASE("gates, orders and groups that do not fit are refused by name") {
  const auto model = model_of<double>(cut_options("softmax", "mamba"));
  const auto refused = [&](ModelGates<double> gates) {
    return error_of([&] { model.logits(kReadTokens, kBatch, gates); });
  };
  CHECK(refused({{{2, 0, 0}}, {}}).argument() == "layer");
  CHECK(refused({{{-1, 0, 0}}, {}}).argument() == "layer");
  CHECK(refused({{{0, 4, 0}}, {}}).argument() == "head");
  CHECK(refused({{{0, -1, 0}}, {}}).argument() == "head");
  CHECK(refused({{{1, 0, 0}}, {}}).argument() == "gates");
  CHECK(refused({{{0, 1, 0}, {0, 1, 1}}, {}}).argument() == "gates");
  CHECK(refused({{{0, 1, kInfinity}}, {}}).argument() == "gate");
  CHECK(refused({{{0, 1, 0}}, {Matrix<double>::Zero(4, 2)}}).argument() == "instead");
  CHECK(refused({{{0, 1, 0}}, {Matrix<double>::Zero(4, 3), {}}}).argument() == "instead");
  Matrix<double> broken = Matrix<double>::Zero(4, 2);
  broken(3, 1) = kInfinity;
  CHECK(refused({{{0, 1, 0}}, {broken, {}}}).code() == "value");
  const auto argument = [](auto call) { return error_of(call).argument(); };
  std::vector<std::int32_t> none(10, kIgnoredTarget), few{1, 2};
  CHECK(argument([&] { model_head_importance<double>(model, kReadTokens, none, kBatch); }) ==
        "targets");
  CHECK(argument([&] { model_head_importance<double>(model, kReadTokens, few, kBatch); }) ==
        "targets");
  const auto cut = [&](std::vector<HeadPlace> order, CuttingOptions how = {}) {
    return argument([&] {
      HeadCutting<double>(model, kReadTokens, kReadTargets, kBatch, {std::move(order)}, how);
    });
  };
  CHECK(cut({{0, 1}, {0, 1}}) == "orders");
  CHECK(cut({{0, 4}}) == "head");
  CHECK(cut({{1, 0}}) == "orders");
  CHECK(cut({{3, 0}}) == "layer");
  CHECK(cut({}, {.random_orders = 101}) == "random_orders");
  CHECK(argument([&] { HeadCutting<double>(model, kReadTokens, none, kBatch, {}); }) == "targets");
  const auto mamba = model_of<double>(cut_options("mamba", "mamba"));
  CHECK(argument([&] { HeadCutting<double>(mamba, kReadTokens, kReadTargets, kBatch, {}); }) ==
        "model");
  CHECK(argument([&] { group_model_heads(mamba, 1); }) == "model");
  for (const Index kv_heads : {0, 3, 8}) {
    CHECK(argument([&] { group_model_heads(model, kv_heads); }) == "kv_heads");
  }
  LanguageModelOptions linear = cut_options("linear", "linear");
  linear.mixers[0].kv_heads = 2;
  CHECK(argument([&] { LanguageModel<double>{linear}; }) == "kv_heads");
  linear.mixers[0].kv_heads = 4;
  CHECK_NOTHROW(LanguageModel<double>{linear});
  // A mixer by itself says the same.
  const auto mixer = make_sequence_mixer<double>(mixer_of("softmax"));
  const Vector<double> own = random<double>(mixer->parameters().size(), 1, 2);
  const Matrix<double> X = random<double>(5, 8, 3);
  HeadGates<double> gates{Vector<double>::Ones(3), {}};
  CHECK(argument([&] { mixer->forward(X, 1, own, gates); }) == "gates");
  gates = {Vector<double>::Ones(4), Matrix<double>::Zero(4, 3)};
  CHECK(argument([&] { mixer->forward(X, 1, own, gates); }) == "instead");
  // Maps take the place of softmax, and of nothing else.
  const Matrix<double> eye = Matrix<double>::Identity(2, 2), three = Matrix<double>::Identity(3, 3);
  const auto mapped = [&](const LanguageModel<double>& of, Index layer, Index head,
                          const Matrix<double>& W, const char* id = "hedgehog", int times = 1) {
    ModelGates<double> maps;
    for (int i = 0; i < times; ++i) maps.maps.push_back({layer, {head, id, W, W}});
    return argument([&] { of.logits(kReadTokens, kBatch, maps); });
  };
  CHECK(mapped(model, 2, 0, eye) == "layer");
  CHECK(mapped(model, 0, 4, eye) == "head");
  CHECK(mapped(model, 0, 1, three) == "Wq");
  CHECK(mapped(model, 0, 1, eye, "no such map") == "feature_map");
  CHECK(mapped(model, 0, 1, eye, "hedgehog", 2) == "maps");
  CHECK(mapped(model_of<double>(linear), 0, 1, eye) == "maps");
  LanguageModelOptions sloped = cut_options("softmax", "softmax");
  sloped.mixers[0].parameters = {{"alibi", 1}};
  CHECK(mapped(model_of<double>(sloped), 0, 1, eye) == "maps");
  CHECK(argument([&] { distill_head<double>(model, kReadTokens, kBatch, 0, 4); }) == "head");
  CHECK(argument([&] { distill_head<double>(model, kReadTokens, kBatch, 1, 0); }) == "maps");
  CHECK(argument([&] { distill_head<double>(model, kReadTokens, kBatch, 2, 0); }) == "layer");
  const auto other = make_sequence_mixer<double>(mixer_of("hyena"));
  CHECK(argument([&] {
          other->head_outputs(X, 1, random<double>(other->parameters().size(), 1, 2));
        }) == "gates");
}

TEST_CASE("heads that keep some cells give what attention over the pattern gives") {
  const auto model = model_of<double>(cut_options("softmax", "softmax"));
  const Index n = static_cast<Index>(kReadTokens.size()) / kBatch;
  ModelGates<double> all, window;
  all.keep = Matrix<double>::Ones(n, n);
  window.keep = Pattern::local(n, 2).to_matrix<double>();
  const Matrix<double> whole = model.logits(kReadTokens, kBatch);
  CHECK(apart(model.logits(kReadTokens, kBatch, all), whole) < 1e-12);
  const Matrix<double> cut = model.logits(kReadTokens, kBatch, window);
  // With two layers the first three tokens of a window of two hear of each other as before, but not
  // in the same way; the first two see all they saw.
  CHECK(apart(cut.topRows(2), whole.topRows(2)) < 1e-12);
  CHECK(apart(cut.row(4), whole.row(4)) > 1e-6);
  // A token outside of the reach of two layers changes nothing.
  std::vector<std::int32_t> other = kReadTokens;
  other[0] = 6;
  CHECK(model.logits(other, kBatch, window).row(4) == cut.row(4));
  CHECK(model.logits(other, kBatch, window).row(2) != cut.row(2));
  const std::span<const std::int32_t> text = std::span(kReadTokens).first(5);
  const Matrix<double> weights = model.weights(text, 1, 2, window);
  CHECK(weights(4, 1) == 0);
  CHECK(weights.row(4).sum() == doctest::Approx(1).epsilon(1e-12));
  // Token by token it is the same.
  auto state = model.start();
  for (Index i = 0; i < n; ++i) {
    const Vector<double> row = model.step(state, kReadTokens[static_cast<std::size_t>(i)], window);
    CHECK(apart(row.transpose(), cut.row(i)) < 1e-12);
  }
  CHECK(error_of([&] { model.step(state, 0, window); }).argument() == "keep");
  CHECK(error_of([&] { model.logits(text.first(4), 1, window); }).argument() == "keep");
  const auto states = model_of<double>(cut_options("softmax", "delta_rule"));
  CHECK(error_of([&] { states.logits(kReadTokens, kBatch, window); }).argument() == "keep");
}

TEST_CASE("heads that choose blocks see their own and those with the largest products") {
  const auto model = model_of<double>(cut_options("softmax", "softmax"));
  const Index n = static_cast<Index>(kReadTokens.size()) / kBatch;
  REQUIRE(n == 5);
  const Matrix<double> whole = model.logits(kReadTokens, kBatch);
  ModelGates<double> gates, fixed;
  // Three blocks are all there are.
  gates.blocks = BlockChoiceOptions{.block = 2, .top_k = 3};
  CHECK(apart(model.logits(kReadTokens, kBatch, gates), whole) < 1e-12);
  // One block is the own one, whatever the tokens are.
  gates.blocks->top_k = 1;
  fixed.keep = Pattern::fixed(n, 2, 0).to_matrix<double>();
  CHECK(apart(model.logits(kReadTokens, kBatch, gates), model.logits(kReadTokens, kBatch, fixed)) <
        1e-12);
  // Two: of the first layer's blocks {0, 1} and {2, 3} the last token has that with the larger mean
  // of scores, which the logarithms of all its weights tell up to one constant.
  gates.blocks->top_k = 2;
  const std::span<const std::int32_t> text = std::span(kReadTokens).first(5);
  for (Index h = 0; h < model.block(0).mixer().gated_heads(); ++h) {
    const Matrix<double> all = model.weights(text, 0, h), kept = model.weights(text, 0, h, gates);
    const auto log = all.row(4).array().log();
    const bool early = log(0) + log(1) > log(2) + log(3);
    for (const Index j : {0, 1, 2, 3}) CHECK((kept(4, j) != 0) == (early == (j < 2)));
    CHECK(kept(4, 4) > 0);
    CHECK(kept.row(4).sum() == doctest::Approx(1).epsilon(1e-12));
  }
  // Token by token it is the same.
  const Matrix<double> cut = model.logits(kReadTokens, kBatch, gates);
  CHECK(apart(cut.row(4), whole.row(4)) > 1e-9);
  auto state = model.start();
  for (Index i = 0; i < n; ++i) {
    const Vector<double> row = model.step(state, kReadTokens[static_cast<std::size_t>(i)], gates);
    CHECK(apart(row.transpose(), cut.row(i)) < 1e-12);
  }
  // What was chosen counts as a constant on the way back through both layers.
  gates.heads = {{0, 0, 0.7}, {0, 1, 0.9}, {1, 1, 0.5}};
  check_gate_slopes(model, gates);
  gates.heads.clear();
  // What `keep` leaves out is not chosen either.
  ModelGates<double> both = gates;
  both.keep = Pattern::local(n, 1).to_matrix<double>();
  CHECK(model.weights(text, 0, 0, both)(4, 4) == 1);
  gates.cache = QuantizedCacheOptions{};
  CHECK(error_of([&] { model.logits(kReadTokens, kBatch, gates); }).argument() == "cache");
  gates.cache.reset();
  gates.blocks->block = 0;
  CHECK(error_of([&] { model.logits(kReadTokens, kBatch, gates); }).argument() == "block");
  gates.blocks->block = 2;
  const auto states = model_of<double>(cut_options("softmax", "delta_rule"));
  CHECK(error_of([&] { states.logits(kReadTokens, kBatch, gates); }).argument() == "blocks");
}

TEST_CASE("caches of few bits are those of their own token") {
  const auto model = model_of<double>(cut_options("softmax", "softmax"));
  const Matrix<double> whole = model.logits(kReadTokens, kBatch);
  ModelGates<double> gates;
  double before = 0;
  for (const Index bits : {8, 4, 2}) {
    gates.cache = QuantizedCacheOptions{};
    gates.cache->keys.bits = gates.cache->values.bits = bits;
    const Matrix<double> small = model.logits(kReadTokens, kBatch, gates);
    const double error = apart(small, whole);
    CHECK(error > before);
    before = error;
    auto state = model.start();
    for (Index i = 0; i < small.rows() / kBatch; ++i) {
      const Vector<double> row = model.step(state, kReadTokens[static_cast<std::size_t>(i)], gates);
      CHECK(apart(row.transpose(), small.row(i)) < 1e-12);
    }
  }
  // Exact tokens: the first two of each sequence see no rounded one. Two keys alone would be both
  // ends of their channels, and exact as well.
  gates.cache->exact_keys = gates.cache->exact_values = 2;
  const Matrix<double> newest = model.logits(kReadTokens, kBatch, gates);
  CHECK(apart(newest.topRows(2), whole.topRows(2)) < 1e-12);
  CHECK(apart(newest.row(4), whole.row(4)) > 1e-6);
  gates.keep = Matrix<double>::Ones(5, 5);
  CHECK(error_of([&] { model.logits(kReadTokens, kBatch, gates); }).argument() == "cache");
}

TEST_SUITE_END();
