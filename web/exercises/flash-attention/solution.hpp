#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array, std::int64_t> flash_attention(const Array& Q, const Array& K,
                                                              const Array& V,
                                                              std::int64_t query_tile,
                                                              std::int64_t key_tile,
                                                              bool causal = true) {
  const Index n = Q.shape(0);
  const Index m = K.shape(0);
  std::vector<Array> outputs;
  std::vector<Array> logs;
  std::int64_t tiles = 0;
  for (Index q0 = 0; q0 < n; q0 += query_tile) {
    const Index q1 = std::min(q0 + query_tile, n);
    Array running_max = full({q1 - q0, 1}, -INFINITY);
    Array running_sum = zeros({q1 - q0, 1});
    Array total = zeros({q1 - q0, V.shape(1)});
    for (Index k0 = 0; k0 < m; k0 += key_tile) {
      const Index k1 = std::min(k0 + key_tile, m);
      // This tile, and all to its right, lie above the diagonal.
      if (causal && k0 > q1 - 1) break;
      ++tiles;
      Array scores = matmul(Q.rows(q0, q1), transpose(K.rows(k0, k1))) / std::sqrt(Q.shape(1));
      if (causal) {
        const Array later = expand_dims(arange(q0, q1), 1) < expand_dims(arange(k0, k1), 0);
        scores = where(later, -INFINITY, scores);
      }
      const Array new_max = maximum(running_max, max(scores, 1, true));
      const Array weights = exp(scores - new_max);
      // What was summed so far was measured from the old maximum: move it to the new one.
      const Array correction = exp(running_max - new_max);
      running_sum = running_sum * correction + sum(weights, 1, true);
      total = total * correction + matmul(weights, V.rows(k0, k1));
      running_max = new_max;
    }
    outputs.push_back(total / running_sum);
    const Array logsumexp = running_max + log(running_sum);
    logs.push_back(logsumexp.col(0));
  }
  return {concatenate(outputs, 0), concatenate(logs, 0), tiles};
}
