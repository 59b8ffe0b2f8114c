#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array> prune_heads(const Array& heads, const Array& W_o,
                                            const Array& importance, std::int64_t keep,
                                            bool fill_mean) {
  const Index count = heads.shape(0), n = heads.shape(1), d_head = heads.shape(2);
  // The most important first; of equal ones the earlier head, because argsort keeps their order.
  const Array order = argsort(-importance);
  Array kept = zeros({count});
  for (Index at = 0; at < keep; ++at) kept(static_cast<Index>(order(at))) = 1.0;
  // What stands in the place of a pruned head: nothing, or what it says on average in this text.
  const Array filling = fill_mean ? mean(heads, 1, true) : Array(0.0);
  const Array pruned = where(kept.reshape({count, 1, 1}) > 0.0, heads, filling);
  const Array merged = transpose(pruned, {1, 0, 2}).reshape({n, count * d_head});
  return {matmul(merged, W_o), kept};
}
