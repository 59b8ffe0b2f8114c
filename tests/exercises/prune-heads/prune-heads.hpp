#pragma once
// Cut heads out
//
// Write prune_heads(heads, W_o, importance, keep, fill_mean). heads holds the output of every head
// of a layer, h×n×d_head; the layer puts them side by side, head 0 first, and multiplies by W_o.
//
// Keep the keep heads of the highest importance; of equally important ones the earlier stays. If
// fill_mean is false, every other head is replaced by zeros. If it is true, it is replaced by its
// mean over the n tokens: the same row for every token, which is what the head says whatever it
// looks at. Zero is a value that the rest of the network has never seen; the mean is less of a
// shock.
//
// Every head stays in its own columns, pruned or not, so that it meets its own rows of W_o. Nothing
// is scaled up to make good for what is gone.
//
// Return two results: the output of the layer, n×d_model; and a vector of h entries, 1 for a head
// that was kept and 0 for one that was cut out.
//
// heads: h×n×d_head, the output of each head
// W_o: (h·d_head)×d_model, mixes the merged heads
// importance: h numbers, one number for each head
// keep: how many heads stay, 0 to h
// fill_mean: whether the mean takes the place of a pruned head, not zero
// Returns output: n×d_model, the output of the layer; kept: h numbers, 1 for a head that stays
//
// Try it: npm run exercise -- prune-heads

#include "exercise.hpp"

inline std::tuple<Array, Array> prune_heads(const Array& heads, const Array& W_o,
                                            const Array& importance, std::int64_t keep,
                                            bool fill_mean = false) {
  throw NotWritten("prune_heads");
}
