#pragma once
// A sequence that asks for many keys
//
// Multi-query associative recall (MQAR) writes P pairs, one after the other, k_1 v_1 k_2 v_2…k_P
// v_P. After them each key stands once more, and there the model has to say its value.
//
// Write mqar_generator(keys, values, gaps, n), which lays out one sequence of n tokens. Key p is
// asked for at place 2P + 2g_p, counted from 0. Every other place after the pairs holds the token
// 0.
//
// Return the tokens and the targets: the value at each place where a key is asked for, and −100
// everywhere else, also at the pairs themselves. The loss leaves −100 out. The keys, values and
// gaps were drawn for you, so that the result is the same on every run.
//
// keys: P numbers, the keys, all different and above 0
// values: P numbers, the value of each key
// gaps: P numbers, g_p, all different, from 0
// n: tokens of the sequence
// Returns tokens: n numbers, the sequence; targets: n numbers, what is to be said at each place
//
// Try it: npm run exercise -- mqar-generator

#include "exercise.hpp"

inline std::tuple<Array, Array> mqar_generator(const Array& keys, const Array& values,
                                               const Array& gaps, std::int64_t n) {
  throw NotWritten("mqar_generator");
}
