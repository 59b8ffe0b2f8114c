#pragma once
// The softmax of one gathered row. Private to the core.

#include <cmath>
#include <limits>

#include "attn/base/tensor.hpp"
#include "cost/meter.hpp"

namespace attn::internal {

/// Replaces the `size` scores by their softmax, in which entry t counts multiplicity(t) times.
/// Returns the log-sum-exp; −∞ when every score is −∞ and when there is none. Scores must be finite
/// or −∞.
template <typename T, typename Multiplicity>
T softmax_row(T* scores, Index size, Multiplicity multiplicity) {
  constexpr T kNone = -std::numeric_limits<T>::infinity();
  T largest = kNone;
  for (Index t = 0; t < size; ++t) largest = scores[t] > largest ? scores[t] : largest;
  // −∞ − (−∞) would be NaN.
  if (largest == kNone) {
    for (Index t = 0; t < size; ++t) scores[t] = 0;
    return kNone;
  }
  // As in masked_softmax_rows: below this exp is denormal, and dense attention writes 0 there.
  const T lowest = std::log(std::numeric_limits<T>::min());
  T sum = 0;
  std::uint64_t exps = 0;
  for (Index t = 0; t < size; ++t) {
    const T below = scores[t] - largest;
    T weight = 0;
    if (below >= lowest) {
      weight = std::exp(below) * multiplicity(t);
      ++exps;
    }
    scores[t] = weight;
    sum += weight;
  }
  for (Index t = 0; t < size; ++t) scores[t] /= sum;
  note<T>({.exps = exps, .read = wide(size), .written = wide(size)});
  return largest + std::log(sum);
}

}  // namespace attn::internal
