#pragma once

#include "exercise.hpp"

inline double draw(const Array& probabilities, double r) {
  double sum = 0;
  for (Index token = 0; token < probabilities.size(); ++token) {
    sum += probabilities(token);
    if (sum > r) return static_cast<double>(token);
  }
  return static_cast<double>(probabilities.size() - 1);
}

inline std::tuple<Array, std::int64_t, Array> speculative_step(const Array& p, const Array& q,
                                                               const Array& drafts, const Array& u,
                                                               double r) {
  const Index gamma = drafts.size();
  const Array alpha = sum(minimum(p.rows(0, gamma), q), 1);
  Array tokens = full({gamma + 1}, -1.0);
  for (Index i = 0; i < gamma; ++i) {
    const Index x = static_cast<Index>(drafts(i));
    if (u(i) * q(i, x) < p(i, x)) {
      tokens(i) = static_cast<double>(x);
      continue;
    }
    // What the drafts do not give already: so that both ways together give p.
    const Array rest = maximum(p.row(i) - q.row(i), 0.0);
    tokens(i) = draw(rest / sum(rest), r);
    return {tokens, i, alpha};
  }
  tokens(gamma) = draw(p.row(gamma), r);
  return {tokens, gamma, alpha};
}
