#pragma once
// Guess the hidden tokens
//
// A model that sees the whole text cannot be trained on the next token, because it sees it. BERT
// guesses tokens that were hidden instead: 15 % are chosen, and of these 80 % are replaced by
// [MASK], 10 % by another token, and 10 % stay as they are, so that the model has to say something
// about every token that it sees.
//
// Write masked_token_loss(logits, tokens, draws, replacements, mask_id). The numbers that decide
// were drawn before: token i is chosen where draws[i, 0] < 0.15. A chosen token becomes mask_id
// where draws[i, 1] < 0.8, replacements[i] where it is at least 0.8 and below 0.9, and stays itself
// where it is at least 0.9.
//
// Return two results. inputs: what the model sees, n tokens. loss: the mean of -ln
// softmax(logits_i)[tokens_i] over **all chosen** tokens, in nats, where tokens holds the original
// text; 0 where none is chosen.
//
// Row i of logits is the guess for token i itself, not for the next. Logits can be as large as
// ±1000.
//
// logits: n×V, a guess for each place
// tokens: n numbers, the original text, numbers from 0 to V − 1
// draws: n×2, numbers from 0 to 1 that decide
// replacements: n numbers, the other token for each place
// mask_id: the number of [MASK]
// Returns inputs: n numbers, what the model sees; loss: mean over the chosen tokens, in nats
//
// Try it: npm run exercise -- masked-token-loss

#include "exercise.hpp"

inline std::tuple<Array, double> masked_token_loss(const Array& logits, const Array& tokens,
                                                   const Array& draws, const Array& replacements,
                                                   std::int64_t mask_id) {
  throw NotWritten("masked_token_loss");
}
