#pragma once
// How much the token at one place changes what a model says at another: what `pattern_reach` only
// makes possible, measured.

#include <cstdint>
#include <span>

#include "attn/base/rng.hpp"
#include "attn/base/tensor.hpp"
#include "attn/models/language_model.hpp"

namespace attn {

/// n×n: entry (i, j) is the total variation ½ Σ |p − p'| between the model's probabilities of the
/// next token at place i and those after another token was put at place j, mean over `draws`
/// tokens, each uniform among the others of the vocabulary. 0 … 1; 0 where j cannot reach i. A swap
/// shows what a gradient misses where it is saturated; it depends on the text, so look at several.
/// n·draws + 1 forward passes.
/// @throws as `LanguageModel::logits`; ValueError for draws below 1 or a vocabulary of one token.
template <typename T = float>
Matrix<T> token_influence(const LanguageModel<T>& model, std::span<const std::int32_t> tokens,
                          Index draws, Rng& rng);

}  // namespace attn
