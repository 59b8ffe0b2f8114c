#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array> online_softmax_attention(const Array& Q, const Array& K,
                                                         const Array& V, std::int64_t block_size) {
  const Index n = Q.shape(0);
  Array running_max = full({n, 1}, -INFINITY);
  Array running_sum = zeros({n, 1});
  Array total = zeros({n, V.shape(1)});
  for (Index start = 0; start < K.shape(0); start += block_size) {
    const Array keys = K.rows(start, start + block_size);
    const Array scores = matmul(Q, transpose(keys)) / std::sqrt(Q.shape(1));
    const Array new_max = maximum(running_max, max(scores, 1, true));
    const Array weights = exp(scores - new_max);
    // What was summed so far was measured from the old maximum: move it to the new one.
    const Array correction = exp(running_max - new_max);
    running_sum = running_sum * correction + sum(weights, 1, true);
    total = total * correction + matmul(weights, V.rows(start, start + block_size));
    running_max = new_max;
  }
  const Array logsumexp = running_max + log(running_sum);
  return {total / running_sum, logsumexp.col(0)};
}
