#pragma once
// One step of speculative decoding
//
// A small model is quick and often right. It drafts γ tokens; the large model computes its
// probabilities at all of these places in one run, and decides how many to keep. Done right, the
// text is distributed exactly as if the large model had written it alone.
//
// Row i of q holds the probabilities from which the small model drew drafts[i], row i of p those of
// the large model at the same place. p has one row more, for the place after the last draft. Go
// through the drafts in order: x = drafts[i] is accepted if u_i < min(1, p_i(x)/q_i(x)).
//
// At the first refusal the token is drawn anew, from max(0, p_i - q_i) divided by its sum, and the
// step ends: later drafts continued a text that is not there. If all are accepted, one token more
// is drawn from the last row of p.
//
// To draw with the number r: take the first token for which the sum of the probabilities up to it,
// its own included, is above r. Return the tokens of the step as γ+ 1 numbers, with −1 behind the
// last one; how many drafts were accepted; and for each of the γ places how probable it is that a
// draft is accepted, α_i = Σ_x min(p_i(x), q_i(x)).
//
// p: (γ+1)×n, probabilities of the large model
// q: γ×n, probabilities of the small model
// drafts: γ numbers, the tokens drafted
// u: γ numbers, a number from 0 to 1 for each draft
// r: a number from 0 to 1 for the last token
// Returns tokens: γ+1 numbers, the tokens, then −1; accepted: how many drafts were accepted;
//   alpha: γ numbers, how probable acceptance is
//
// Try it: npm run exercise -- speculative-step

#include "exercise.hpp"

inline std::tuple<Array, std::int64_t, Array> speculative_step(const Array& p, const Array& q,
                                                               const Array& drafts, const Array& u,
                                                               double r) {
  throw NotWritten("speculative_step");
}
