#pragma once

#include "exercise.hpp"

inline Array head_importance(const Array& outputs, const Array& gradients, std::int64_t num_heads) {
  const Index examples = outputs.shape(0), n = outputs.shape(1), width = outputs.shape(2);
  const Array products = outputs * gradients;
  // What the loss does when the gate of a head moves: one number for each example and head.
  const Array gates = sum(products.reshape({examples, n, num_heads, width / num_heads}), {1, 3});
  // The size first, then the mean: examples that pull in opposite directions must not cancel.
  const Array importance = mean(abs(gates), 0);
  const double norm = std::sqrt(sum(importance * importance).item());
  return norm > 0 ? importance / norm : importance;
}
