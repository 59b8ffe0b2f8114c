#pragma once
// RWKV-4’s average that does not overflow
//
// In each channel RWKV-4 keeps an average of the values so far. A key gives the weight e^(k_i),
// which fades at a rate w of the channel; the newest token has a bonus u instead:
//
// o_t=(Σ_(i<t)e^(-(t-1-i)w+k_i)v_i+e^(u+k_t)v_t)/(Σ_(i<t)e^(-(t-1-i)w+k_i)+e^(u+k_t))
//
// Keep the two sums as a state, and keep them divided by e^m, where m is the largest exponent so
// far: then no exponential is ever larger than 1, and keys of a thousand do not overflow.
//
// Return the outputs of all tokens. Channels do not see each other.
//
// K: n×d, keys
// V: n×d, values
// w: d numbers, rates, above 0
// u: d numbers, the bonus of the newest token
// Returns output: n×d, the averages
//
// Try it: npm run exercise -- wkv-stable

#include "exercise.hpp"

inline Array wkv_stable(const Array& K, const Array& V, const Array& w, const Array& u) {
  throw NotWritten("wkv_stable");
}
