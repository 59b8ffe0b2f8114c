#pragma once

#include "exercise.hpp"

inline Array chunked_linear_attention(const Array& Q, const Array& K, const Array& V,
                                      std::int64_t chunk_size) {
  const Index n = Q.shape(0), D = Q.shape(1);
  Array S = zeros({D, V.shape(1)});
  Array z = zeros({D});
  Array output = zeros(V.shape());
  for (Index start = 0; start < n; start += chunk_size) {
    const Index end = start + chunk_size;
    const Array q = Q.rows(start, end), k = K.rows(start, end), v = V.rows(start, end);
    // Inside the chunk as a masked product, everything before it from the state.
    const Array inside = tril(matmul(q, transpose(k)));
    const Array numerator = matmul(q, S) + matmul(inside, v);
    const Array denominator = matmul(q, z) + sum(inside, 1);
    output.rows(start, end) = numerator / (expand_dims(denominator, 1) + 1e-6);
    S = S + matmul(transpose(k), v);
    z = z + sum(k, 0);
  }
  return output;
}
