#include "recipes.hpp"

#include <stdexcept>

namespace attn::train {
namespace {

LanguageModelOptions model_of(Index layers, Index width, Index heads, Index length) {
  LanguageModelOptions model;
  model.d_model = width;
  model.layers = layers;
  model.length = length;
  model.mixers = {{.id = "softmax", .heads = heads, .parameters = {{"rotary", 1}}}};
  // With learned positions a model finds what stands a fixed number of tokens back, and no copies.
  model.positions = false;
  model.feed_forward = 4 * width;
  model.tied = true;
  // Smaller ones drown in what the first layers begin with.
  model.embedding_size = 0.1;
  return model;
}

/// Text of this size does not make an induction head, nor does mixing repeats into it: the circuit
/// is grown on repeats alone, and kept by a share of them.
Recipe reader() {
  return {.name = "reader",
          .seed = 1,
          .model = model_of(4, 96, 4, 128),
          .phases = {{"few", 700, 1, 48, 5e-3, 50},
                     {"repeats", 300, 1, 0, 2e-3, 50},
                     {"text", 4500, 0.25, 0, 2e-3, 200}}};
}

Recipe small(std::string name, Aim aim) {
  Recipe made{.name = std::move(name),
              .seed = 1,
              .aim = aim,
              .model = model_of(2, 64, 4, 64),
              .phases = {{"text", 3000, 0, 0, 3e-3, 200}}};
  if (aim == Aim::kMasked) made.model.sees = SeenTokens::kAll;
  return made;
}

}  // namespace

Recipe recipe_named(std::string_view name) {
  if (name == "reader") return reader();
  if (name == "causal-small") return small("causal-small", Aim::kNext);
  if (name == "masked-small") return small("masked-small", Aim::kMasked);
  throw std::invalid_argument("--model is one of reader, causal-small, masked-small; it was: " +
                              std::string(name));
}

TrainerOptions trainer_options(const Recipe& recipe, const LanguageModelOptions& model,
                               std::size_t phase) {
  const Phase& how = recipe.phases[phase];
  TrainerOptions options;
  options.model = model;
  // Each phase draws batches of its own.
  options.seed = recipe.seed + phase;
  options.steps = how.steps;
  options.batch = recipe.batch;
  options.optimizer = {
      .learning_rate = how.learning_rate, .beta1 = 0.9, .beta2 = 0.99, .weight_decay = 0.05};
  options.warm_up = how.warm_up;
  options.clip = 1;
  return options;
}

}  // namespace attn::train
