#pragma once
// The causal mask
//
// A token that writes the next word must not look at the words after it. Write
// create_causal_mask(seq_len): a matrix M of shape n×n, n = seq_len, that is added to the scores
// before the softmax. M_ij = 0 where query i may see key j, that is for j ≤ i (the lower triangle
// with the diagonal), and -∞ above.
//
// This is the additive kind of mask. The other kind holds 1 and 0 and goes with masked_fill(mask ==
// 0, …). Do not mix them: masked_fill(mask == 0, …) on this one would block exactly the keys that
// may be seen.
//
// (The course text also passes a device; there is none here.)
//
// seq_len: tokens
// Returns mask: seq_len×seq_len, 0 in the lower triangle, −∞ above
//
// Try it: npm run exercise -- create-causal-mask

#include "exercise.hpp"

inline Array create_causal_mask(std::int64_t seq_len) {
  throw NotWritten("create_causal_mask");
}
