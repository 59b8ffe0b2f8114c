#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array> split_and_merge(const Array& X, std::int64_t num_heads,
                                                const Array& gates) {
  const Index n = X.shape(0), d_model = X.shape(1);
  // The columns of one head lie side by side: cut the last axis first, then bring heads to the
  // front.
  const Array heads = transpose(X.reshape({n, num_heads, d_model / num_heads}), {1, 0, 2});
  const Array gated = heads * gates.reshape({num_heads, 1, 1});
  // Back the same way: only when a token's heads lie side by side again may two axes become one.
  const Array merged = transpose(gated, {1, 0, 2}).reshape({n, d_model});
  return {heads, merged};
}
