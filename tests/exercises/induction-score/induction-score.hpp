#pragma once
// Is it an induction head?
//
// An induction head continues what it has seen: at a token that stood in the text before, it looks
// at the token *behind* that earlier place. In A B C … A the row of the second A looks at B.
//
// Write induction_score(weights, tokens) for one causal head. For every position i whose token
// occurs earlier, let j be its **last** earlier place; the target is j+1. (In A A that is the
// second A itself.)
//
// Return two numbers, both means over these positions only: the score, which is the mean of A_(i,
// j+1), and the baseline, which is what a causal head has that spreads each row evenly over the i+1
// keys that it may see.
//
// Positions are counted from 0. At least one token occurs twice.
//
// weights: n×n, weights of a causal head; rows are queries and sum to 1
// tokens: n numbers, the numbers of the tokens
// Returns score: the mean weight on the targets; baseline: the same of even weights
//
// Try it: npm run exercise -- induction-score

#include "exercise.hpp"

inline std::tuple<double, double> induction_score(const Array& weights, const Array& tokens) {
  throw NotWritten("induction_score");
}
