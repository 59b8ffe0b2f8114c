#pragma once
// A ring for a window
//
// With a window of w tokens, older keys and values are never looked at again. So w slots are enough
// for a text of any length: token t, counted from 0, is written into slot t bmodw, over the token
// that has left the window. Nothing is moved.
//
// Write one step. keys and values have w rows, the slots. seen tokens have been written before; the
// new one is token number seen. Write k and v into its slot, then let q attend to all slots that
// hold a token, its own included: scores q·k/√d_k, softmax (subtract the maximum), weighted mean.
//
// While fewer than w tokens have come, the slots behind them hold whatever was in the memory
// before, not zeros; they must not count. Return the output, both buffers, and the slots from the
// oldest token to the newest: that order is needed when the ring is to be read as text.
//
// keys: w×d_k, the slots of the keys
// values: w×d_v, the slots of the values
// seen: how many tokens were written before
// q: d_k numbers, the new token's query
// k: d_k numbers, the new token's key
// v: d_v numbers, the new token's value
// Returns output: d_v numbers, the new token's attention output; keys: w×d_k, the slots with the
//   new key; values: w×d_v, the slots with the new value; order: t numbers, slots that hold a
//   token, oldest first
//
// Try it: npm run exercise -- ring-buffer

#include "exercise.hpp"

inline std::tuple<Array, Array, Array, Array> ring_buffer(const Array& keys, const Array& values,
                                                          std::int64_t seen, const Array& q,
                                                          const Array& k, const Array& v) {
  throw NotWritten("ring_buffer");
}
