#pragma once

#include <algorithm>

#include "exercise.hpp"

inline std::tuple<Array, Array, std::int64_t> checkpointed_backward(const Array& x, const Array& W,
                                                                    const Array& d_out,
                                                                    std::int64_t layers,
                                                                    std::int64_t segment) {
  std::vector<Array> inputs;  // what each segment began with
  Array y = x;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    if (layer % segment == 0) inputs.push_back(y);
    y = tanh(matmul(y, W));
  }
  Array g = d_out;
  Array d_W = zeros(W.shape());
  std::int64_t peak = 0;
  while (!inputs.empty()) {
    const std::int64_t first = (static_cast<std::int64_t>(inputs.size()) - 1) * segment;
    const std::int64_t last = std::min(first + segment, layers);
    // The segment once more, and this time all of it is kept.
    std::vector<Array> kept{inputs.back()};
    for (std::int64_t layer = first; layer < last; ++layer) {
      kept.push_back(tanh(matmul(kept.back(), W)));
    }
    peak = std::max(peak, static_cast<std::int64_t>(inputs.size()) + last - first);
    for (std::int64_t layer = last - first - 1; layer >= 0; --layer) {
      const auto at = static_cast<std::size_t>(layer);
      const Array h = g * (1.0 - square(kept[at + 1]));
      d_W += matmul(transpose(kept[at]), h);
      g = matmul(h, transpose(W));
    }
    inputs.pop_back();
  }
  return {g, d_W, peak};
}
