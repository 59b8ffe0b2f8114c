#pragma once
// May this head have a name?
//
// Of many heads and many relations some always look like something. A report that names 193 of 193
// patterns has found nothing; “no name” must be an answer. Two things decide here: the gain over a
// baseline, and texts that were held out.
//
// For h heads and r relations (previous token, induction and so on) you are given the scores on the
// texts for choosing, h×r, and b baselines for each of them, b×h×r: what a head that spreads evenly
// has, what this head gives to other keys at an equal distance, what remains when the tokens are
// shuffled. The gain is the score minus the **largest** of its baselines. The same is given for the
// texts held out.
//
// Write name_a_head(scores, baselines, held_scores, held_baselines, least_gain). The candidate of a
// head is the relation with the largest gain on the texts for choosing. It becomes the name only if
// its gain is at least least_gain there **and** on the texts held out, where it is the only one
// that is looked at.
//
// Return two vectors of h: the names, as the number of the relation from 0, or −1 for no name; and
// the gain of each candidate on the texts held out, whether it became the name or not.
//
// scores: h×r, on the texts for choosing
// baselines: b×h×r, of these scores
// held_scores: h×r, on the texts held out
// held_baselines: b×h×r, of those scores
// least_gain: what a name has to gain
// Returns names: h numbers, a relation from 0, or −1; held_gains: h numbers, of the candidates,
//   held out
//
// Try it: npm run exercise -- name-a-head

#include "exercise.hpp"

inline std::tuple<Array, Array> name_a_head(const Array& scores, const Array& baselines,
                                            const Array& held_scores, const Array& held_baselines,
                                            double least_gain = 0.1) {
  throw NotWritten("name_a_head");
}
