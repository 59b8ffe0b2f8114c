#pragma once
// How the models of web/models are made: their sizes, and what they are trained on, phase by phase.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "attn/models/language_model.hpp"
#include "attn/models/trainer.hpp"

namespace attn::train {

/// What the sequences of a phase are.
enum class Aim {
  kNext,    ///< the next token is to be said
  kMasked,  ///< tokens that were hidden are to be said
};

/// A part of a training, with an optimiser and a schedule of its own.
struct Phase {
  std::string name;
  Index steps = 0;
  /// How many layers the model has in it, without feed-forward networks; 0: it is whole. What a
  /// phase adds to the one before it writes zeros at first, so that it changes nothing.
  Index bare_layers = 0;
  /// The share of sequences that are a list of random tokens said again and again; the others are
  /// pieces of the text.
  double repeats = 0;
  /// Of how many kinds those tokens are; 0: of all.
  Index kinds = 0;
  /// The most tokens after which they are said again.
  Index period = 32;
  Index batch = 16, length = 128;
  double learning_rate = 1e-3;
  Index warm_up = 0;
  /// Whether the learning rate then falls along half a cosine.
  bool cosine = true;
};

struct Recipe {
  std::string name;
  std::uint64_t seed = 1;
  /// Pairs that the tokenizer merges.
  Index merges = 512;
  Aim aim = Aim::kNext;
  /// The vocabulary is the tokenizer's, and one more where tokens are hidden.
  LanguageModelOptions model;
  std::vector<Phase> phases;
};

/// @throws std::invalid_argument listing the names, for one that is none of them.
Recipe recipe_named(std::string_view name);

/// The options of a trainer for one phase. The model of the recipe lacks the vocabulary, which
/// comes from the text.
TrainerOptions trainer_options(const Recipe& recipe, Index vocabulary, std::size_t phase);

/// The parameters that a phase begins with: those of the model before it where it has them, and for
/// the rest those of a new model, but zeros where a layer or network that is new writes.
Vector<float> grown(const LanguageModel<float>& from, const LanguageModel<float>& to);

}  // namespace attn::train
