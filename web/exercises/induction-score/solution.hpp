#pragma once

#include "exercise.hpp"

inline std::tuple<double, double> induction_score(const Array& weights, const Array& tokens) {
  double found = 0, equal = 0;
  Index rows = 0;
  for (Index i = 0; i < tokens.size(); ++i) {
    Index last = -1;
    for (Index j = 0; j < i; ++j) {
      if (tokens(j) == tokens(i)) last = j;
    }
    // A row without an earlier copy has no target: it says nothing about the head.
    if (last < 0) continue;
    found += weights(i, last + 1);
    // A causal head without a preference gives each of its i + 1 keys the same.
    equal += 1.0 / static_cast<double>(i + 1);
    ++rows;
  }
  return {found / static_cast<double>(rows), equal / static_cast<double>(rows)};
}
