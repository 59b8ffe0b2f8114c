#pragma once
// The reverse mask
//
// The mistake of the project, made on purpose: a mask that hides the past and shows the future.
// Write create_reverse_mask(seq_len): a matrix M of shape n×n, n = seq_len, to be added to the
// scores. M_ij = 0 for j ≥ i (the upper triangle with the diagonal) and -∞ below.
//
// A model trained with it reads its answer off the next token: its loss falls below what is
// possible, and it fails as soon as there is no next token. The diagonal stays visible, so no row
// is empty.
//
// (The course text also passes a device; there is none here.)
//
// seq_len: tokens
// Returns mask: seq_len×seq_len, 0 in the upper triangle, −∞ below
//
// Try it: npm run exercise -- create-reverse-mask

#include "exercise.hpp"

inline Array create_reverse_mask(std::int64_t seq_len) {
  throw NotWritten("create_reverse_mask");
}
