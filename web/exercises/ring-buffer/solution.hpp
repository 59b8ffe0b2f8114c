#pragma once

#include <algorithm>

#include "exercise.hpp"

inline std::tuple<Array, Array, Array, Array> ring_buffer(const Array& keys_before,
                                                          const Array& values_before,
                                                          std::int64_t seen, const Array& q,
                                                          const Array& k, const Array& v) {
  const Array keys = keys_before.copy();
  const Array values = values_before.copy();
  const Index w = keys.shape(0);
  const Index slot = seen % w;
  keys.row(slot) = k;
  values.row(slot) = v;
  // Until the ring is full its tokens lie in the first slots.
  const Index count = std::min<Index>(static_cast<Index>(seen) + 1, w);
  const Array scores = matmul(keys.rows(0, count), q) / std::sqrt(q.shape(0));
  const Array weights = exp(scores - max(scores));
  const Array output = matmul(weights / sum(weights), values.rows(0, count));
  // In a full ring the oldest token lies where the next one will be written.
  const Index first = count == w ? (static_cast<Index>(seen) + 1) % w : 0;
  return {output, keys, values, remainder(arange(count) + static_cast<double>(first), w)};
}
