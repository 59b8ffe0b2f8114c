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

/// Text of this size does not make an induction head, nor does mixing repeats into it. The circuit
/// is grown first, where it grows fast: on repeats of few kinds of tokens, in two layers without
/// feed-forward networks. A share of repeats keeps it.
Recipe reader() {
  const Phase few{.name = "few",
                  .steps = 600,
                  .bare_layers = 2,
                  .repeats = 1,
                  .kinds = 32,
                  .period = 24,
                  .batch = 32,
                  .length = 48,
                  .learning_rate = 5e-3,
                  .warm_up = 50,
                  .cosine = false};
  const Phase repeats{.name = "repeats",
                      .steps = 400,
                      .bare_layers = 2,
                      .repeats = 1,
                      .period = 64,
                      .learning_rate = 3e-3,
                      .warm_up = 50,
                      .cosine = false};
  // Where it ends need not be decided beforehand: the rate falls in a phase of its own.
  const Phase text{.name = "text",
                   .steps = 4000,
                   .repeats = 0.25,
                   .period = 64,
                   .batch = 8,
                   .learning_rate = 2e-3,
                   .warm_up = 200,
                   .cosine = false};
  Phase cooling = text;
  cooling.name = "cooling";
  cooling.steps = 400;
  cooling.warm_up = 20;
  cooling.cosine = true;
  return {
      .name = "reader", .model = model_of(4, 96, 4, 128), .phases = {few, repeats, text, cooling}};
}

Recipe small(std::string name, Aim aim) {
  const Phase text{
      .name = "text", .steps = 3000, .length = 64, .learning_rate = 3e-3, .warm_up = 200};
  Recipe made{
      .name = std::move(name), .aim = aim, .model = model_of(2, 64, 4, 64), .phases = {text}};
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

TrainerOptions trainer_options(const Recipe& recipe, Index vocabulary, std::size_t phase) {
  const Phase& how = recipe.phases[phase];
  TrainerOptions options;
  options.model = recipe.model;
  options.model.vocabulary = vocabulary;
  if (how.bare_layers > 0) {
    options.model.layers = how.bare_layers;
    options.model.feed_forward = 0;
  }
  // Each phase draws batches of its own.
  options.seed = recipe.seed + phase;
  options.steps = how.steps;
  options.batch = how.batch;
  options.optimizer = {
      .learning_rate = how.learning_rate, .beta1 = 0.9, .beta2 = 0.99, .weight_decay = 0.05};
  options.warm_up = how.warm_up;
  options.cosine = how.cosine;
  options.clip = 1;
  return options;
}

Vector<float> grown(const LanguageModel<float>& from, const LanguageModel<float>& to) {
  Vector<float> made = to.parameters();
  for (const ParameterInfo& info : to.table().entries()) {
    auto part = made.segment(info.offset, info.count());
    if (from.table().contains(info.name)) {
      part = from.parameters().segment(from.table().at(info.name).offset, info.count());
    } else if (info.name.ends_with(".attn.out_proj.weight") || info.name.ends_with(".fc2.weight")) {
      part.setZero();
    }
  }
  return made;
}

}  // namespace attn::train
