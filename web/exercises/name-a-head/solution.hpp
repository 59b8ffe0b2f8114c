#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array> name_a_head(const Array& scores, const Array& baselines,
                                            const Array& held_scores, const Array& held_baselines,
                                            double least_gain) {
  // What a head does beyond the strongest of its baselines.
  const Array gains = scores - max(baselines, 0);
  const Array held_gains = held_scores - max(held_baselines, 0);
  const Index heads = scores.shape(0);
  Array names = full({heads}, -1.0);
  Array held = zeros({heads});
  // The first texts choose one candidate for each head, the others only decide about that one.
  const Array candidates = argmax(gains, 1);
  for (Index h = 0; h < heads; ++h) {
    const auto candidate = static_cast<Index>(candidates(h));
    held(h) = held_gains(h, candidate);
    if (gains(h, candidate) >= least_gain && held(h) >= least_gain) {
      names(h) = static_cast<double>(candidate);
    }
  }
  return {names, held};
}
