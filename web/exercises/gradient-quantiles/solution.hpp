#pragma once

#include "exercise.hpp"

inline std::map<std::string, double> gradient_quantiles(const Array& Q, const Array& K,
                                                        const Array& V, const Array& dO,
                                                        bool scale = true) {
  const double factor = scale ? 1 / std::sqrt(K.shape(1)) : 1.0;
  const Array scores = factor * matmul(Q, transpose(K));
  const Array exps = exp(scores - max(scores, 1, true));
  const Array P = exps / sum(exps, 1, true);
  const Array dP = matmul(dO, transpose(V));
  const Array dS = P * (dP - sum(P * dP, 1, true));
  const Array dQ = factor * matmul(dS, K);
  const Array norms = sqrt(sum(dQ * dQ, 1));
  return {
      {"mean", mean(norms).item()},
      {"tenth", quantile(norms, 0.1).item()},
      {"median", quantile(norms, 0.5).item()},
      {"ninetieth", quantile(norms, 0.9).item()},
  };
}
