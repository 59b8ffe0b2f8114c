#pragma once
// From many heads to groups
//
// A trained layer of h heads becomes one with g groups of keys and values without starting again
// (Ainslie et al. 2023): average the projections of the heads of each group, then train a little
// on. The queries stay as they are.
//
// W_k has the columns of head 0, then those of head 1, and so on, h times d_k; W_v likewise, h
// times d_v. Neighbours form a group: the first h/g heads are group 0, the next h/g group 1. g
// divides h.
//
// Write grouped_from_multi(W_k, W_v, num_heads, groups). Column c of group k is the mean over the
// heads of that group of their column c.
//
// Return three results: the new W_k, d_model×g d_k; the new W_v, d_model×g d_v; and how many
// numbers the cache now keeps of one token.
//
// W_k: d_model×(h·d_k), makes the keys, head by head
// W_v: d_model×(h·d_v), makes the values, head by head
// num_heads: h
// groups: g; divides h
// Returns new_W_k: d_model×(g·d_k), keys, group by group; new_W_v: d_model×(g·d_v), values, group
//   by group; cached: numbers that the cache keeps of a token
//
// Try it: npm run exercise -- grouped-from-multi

#include "exercise.hpp"

inline std::tuple<Array, Array, std::int64_t> grouped_from_multi(const Array& W_k, const Array& W_v,
                                                                 std::int64_t num_heads,
                                                                 std::int64_t groups) {
  throw NotWritten("grouped_from_multi");
}
