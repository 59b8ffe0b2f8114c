#pragma once

#include "exercise.hpp"

inline std::tuple<Array, Array, Array> quantize_int8(const Array& x, bool per_channel) {
  // The largest size in each group decides: a token is a row, a channel is a column.
  const Array largest = max(abs(x), per_channel ? 0 : 1);
  const Array scales = largest / 127.0;
  const Array spread = expand_dims(scales, per_channel ? 0 : 1);
  // A group of zeros has scale 0. Dividing by 1 there gives the codes 0.
  const Array codes = round(x / where(spread == 0.0, 1.0, spread));
  return {codes, scales, codes * spread};
}
