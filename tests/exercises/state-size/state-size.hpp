#pragma once
// How many numbers a model keeps
//
// A layer has width d and h heads. In each head queries and keys are d_k wide and values d_v = d/h.
// Write state_size(n, d, heads, d_k): how many numbers must the layer keep after n tokens so that
// it can go on?
//
// Softmax attention keeps the key and the value of every token, in every head. Linear attention,
// with as many features as a key has entries, keeps in each head the sum of φ(k)vᵀ and the sum of
// φ(k), its normaliser. The delta rule keeps one matrix of d_k×d_v in each head and no normaliser.
//
// RWKV-4 has no heads: each of its d channels keeps the two sums of its average, their largest
// exponent, and the last token’s input, which is mixed with the next.
//
// Return the four numbers in this order. Weights do not count.
//
// n: tokens so far
// d: width of the layer, a multiple of heads
// heads: heads h
// d_k: width of a query and a key
// Returns softmax: keys and values of all tokens; linear: sums and normalisers; delta: matrices;
//   rwkv: numbers of the channels
//
// Try it: npm run exercise -- state-size

#include "exercise.hpp"

inline std::tuple<double, double, double, double> state_size(std::int64_t n, std::int64_t d,
                                                             std::int64_t heads, std::int64_t d_k) {
  throw NotWritten("state_size");
}
