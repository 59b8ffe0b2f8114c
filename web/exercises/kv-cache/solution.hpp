#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array> kv_cache(const Array& Q, const Array& K, const Array& V,
                                         const Array& calls, std::int64_t capacity) {
  Array output = zeros(V.shape());
  Array lengths = zeros({calls.size()});
  Array keys = K.rows(0, 0);
  Array values = V.rows(0, 0);
  Index first = 0;  // the next row of Q, K and V
  for (Index call = 0; call < calls.size(); ++call) {
    const Index count = static_cast<Index>(calls(call));
    if (count == 0) {
      keys = K.rows(0, 0);
      values = V.rows(0, 0);
    }
    if (keys.shape(0) + count > capacity) {
      first += count;
      lengths(call) = static_cast<double>(keys.shape(0));
      continue;
    }
    keys = concatenate({keys, K.rows(first, first + count)});
    values = concatenate({values, V.rows(first, first + count)});
    for (Index t = 0; t < count; ++t) {
      // Everything before the call, and the call up to this token.
      const Index seen = keys.shape(0) - count + t + 1;
      const Array scores = matmul(keys.rows(0, seen), Q.row(first + t)) / std::sqrt(K.shape(1));
      const Array weights = exp(scores - max(scores));
      output.row(first + t) = matmul(weights / sum(weights), values.rows(0, seen));
    }
    first += count;
    lengths(call) = static_cast<double>(keys.shape(0));
  }
  return {output, lengths};
}
