#pragma once

#include "exercise.hpp"

inline std::tuple<Array, double> masked_token_loss(const Array& logits, const Array& tokens,
                                                   const Array& draws, const Array& replacements,
                                                   std::int64_t mask_id) {
  Array inputs = tokens.copy();
  double loss = 0;
  Index count = 0;
  for (Index i = 0; i < tokens.size(); ++i) {
    if (draws(i, 0) >= 0.15) continue;
    // Of the chosen tokens 80 % are hidden, 10 % become another one, 10 % stay as they are.
    const double how = draws(i, 1);
    if (how < 0.8) {
      inputs(i) = static_cast<double>(mask_id);
    } else if (how < 0.9) {
      inputs(i) = replacements(i);
    }
    // All chosen tokens count, also those that were left as they are; the others do not.
    const Array row = logits.row(i);
    const double largest = max(row).item();
    const double total = sum(exp(row - largest)).item();
    loss += largest + std::log(total) - row(static_cast<Index>(tokens(i)));
    ++count;
  }
  return {inputs, count > 0 ? loss / static_cast<double>(count) : 0.0};
}
