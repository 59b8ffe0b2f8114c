#pragma once
// What a model has learned: its losses on text that it was not trained on, and what its heads do.

#include <nlohmann/json.hpp>

#include "attn/models/language_model.hpp"
#include "recipes.hpp"
#include "texts.hpp"

namespace attn::train {

/// For each text, of the sections kept out: nats a character and nats a token (next token: pieces
/// of the model's length one after the other, each begun without what came before; masked: nats a
/// hidden token, with masks from a fixed seed).
nlohmann::json held_out_losses(const LanguageModel<float>& model, const Texts& texts, Aim aim);

/// The heads with the largest induction and previous-token scores on new repeats of so many kinds
/// of tokens and how often the model says what comes there.
nlohmann::json repeat_probe(const LanguageModel<float>& model, Index vocabulary, Index kinds);

/// The scores of every head on sections kept out and on new repeats, beside those of uniform
/// attention, comparable cells and shuffled tokens, and its name where it has one.
nlohmann::json heads_of(const LanguageModel<float>& model, const Texts& texts);

}  // namespace attn::train
