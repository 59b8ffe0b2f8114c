#pragma once
// What the sources of the planned training step share. Private to the core.

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "attn/base/tensor.hpp"
#include "simd/simd.hpp"
#include "simd/training.hpp"

namespace attn::simd {

ATTN_TRAINING_SET(baseline)
#if defined(ATTN_SIMD_SEVERAL_SETS)
ATTN_TRAINING_SET(avx2)
ATTN_TRAINING_SET(avx512)
#endif

}  // namespace attn::simd

namespace attn::internal {

using simd::Size;

/// Below so many tokens a kernel that keeps all weights of softmax is the fastest.
inline constexpr Index kLongestSoftmax = 512;

// The kernels of the set that `simd::kernels` chose. Sets that only tests compile have none of
// these.
#if defined(ATTN_SIMD_SEVERAL_SETS)
inline bool chosen(std::string_view name) { return name == simd::kernels().name; }
#define ATTN_TRAIN(f, ...)                         \
  (chosen("avx512") ? simd::avx512::f(__VA_ARGS__) \
   : chosen("avx2") ? simd::avx2::f(__VA_ARGS__)   \
                    : simd::baseline::f(__VA_ARGS__))
/// Which set that is; one and the same where only one is compiled, whose table no module has to
/// hold.
inline const simd::Kernels* chosen_set() { return &simd::kernels(); }
#else
#define ATTN_TRAIN(f, ...) simd::baseline::f(__VA_ARGS__)
inline const simd::Kernels* chosen_set() { return nullptr; }
#endif

/// Pieces of one block, or only how much they need.
struct Area {
  float* at;
  Size used = 0;

  float* take(Size count) {
    float* const piece = at == nullptr ? nullptr : at + used;
    used += (count + 15) / 16 * 16;
    return piece;
  }
};

constexpr Size kWideStep = 16;
constexpr Size wide_of(Size x) { return (x + kWideStep - 1) / kWideStep * kWideStep; }

// These are computed in double and rounded once, because C libraries differ in the last bit of some
// results: in float a training was no longer the same, bit for bit, natively and as wasm.
inline float exp_of(float x) { return static_cast<float>(std::exp(double{x})); }
inline float sigmoid_of(float x) {
  const double small = std::exp(-std::abs(double{x}));
  return static_cast<float>((x >= 0 ? 1 : small) / (1 + small));
}
inline float softplus_of(float x) {
  const double wide = double{x};
  return static_cast<float>(std::max(wide, 0.0) + std::log1p(std::exp(-std::abs(wide))));
}

inline const float* at_or_null(const float* p, Size offset) {
  return offset < 0 ? nullptr : p + offset;
}
inline float* at_or_null(float* p, Size offset) { return offset < 0 ? nullptr : p + offset; }

/// Cosines and sines of every place. The pairs that are turned are neighbours, or entries c of both
/// halves of a row.
struct Turns {
  Vector<double> speeds;
  bool halves = false;
  Size length = 0;
  std::vector<float> table;

  void make(Size n) {
    if (n <= length) return;
    length = n;
    table.clear();
    for (Size t = 0; t < n; ++t) {
      for (Index c = 0; c < speeds.size(); ++c) {
        const double angle = static_cast<double>(t) * speeds(c);
        table.push_back(static_cast<float>(std::cos(angle)));
        table.push_back(static_cast<float>(std::sin(angle)));
      }
    }
  }
  /// Turns one row of place t in place, backwards for −1.
  void turn(Size t, float direction, float* row) const {
    const Size pairs = static_cast<Size>(speeds.size());
    const Size step = halves ? 1 : 2, other = halves ? pairs : 1;
    const float* const at = table.data() + 2 * t * pairs;
    for (Size c = 0; c < pairs; ++c, row += step) {
      const float cos = at[2 * c], sin = direction * at[2 * c + 1];
      const float a = row[0], b = row[other];
      row[0] = a * cos - b * sin;
      row[other] = b * cos + a * sin;
    }
  }
};

/// A linear layer in the model's vector: weights outputs×inputs, and a bias or −1.
struct PlannedLinear {
  Size weight = -1, bias = -1, outputs = 0, inputs = 0;
};

/// C = X·Wᵀ, or C += X·Wᵀ; W outputs×inputs.
inline void times_weights(const float* x, Size x_row, Size rows, const float* w, Size outputs,
                          Size inputs, float* c, Size c_row, bool add) {
  simd::gemm(
      {rows, outputs, inputs, x, w, x_row, 1, 1, inputs, c, c_row, add ? c : nullptr, c_row});
}
inline void times_weights(const float* x, Size rows, const float* w, Size outputs, Size inputs,
                          float* c, bool add) {
  times_weights(x, inputs, rows, w, outputs, inputs, c, outputs, add);
}

inline void add_row(const float* x, Size cols, float* sums) {
  for (Size c = 0; c < cols; ++c) sums[c] += x[c];
}
inline void add_rows(const float* x, Size x_row, Size rows, Size cols, float* sums) {
  ATTN_TRAIN(sum_rows, {rows, cols, x, x_row, sums});
}

/// Every row of c is that of `from` plus a bias, or none.
inline void begin_rows(const float* from, const float* bias, Size rows, Size cols, float* c) {
  for (Size i = 0; i < rows; ++i) {
    for (Size k = 0; k < cols; ++k) {
      c[i * cols + k] = from[i * cols + k] + (bias == nullptr ? 0 : bias[k]);
    }
  }
}

/// Y = X·Wᵀ + b, rows at a distance.
inline void linear_rows(const PlannedLinear& layer, const float* p, const float* x, Size x_row,
                        Size rows, float* y, Size y_row) {
  simd::gemm({rows, layer.outputs, layer.inputs, x, p + layer.weight, x_row, 1, 1, layer.inputs, y,
              y_row, at_or_null(p, layer.bias)});
}
inline void linear_rows(const PlannedLinear& layer, const float* p, const float* x, Size rows,
                        float* y) {
  linear_rows(layer, p, x, layer.inputs, rows, y, layer.outputs);
}

/// Adds the gradients by W and b; dX is written, added to, or where it is null left out.
inline void linear_rows_backward(const PlannedLinear& layer, const float* p, float* g,
                                 const float* x, Size x_row, const float* dy, Size dy_row,
                                 Size rows, float* dx, Size dx_row, bool add) {
  const Size outputs = layer.outputs, inputs = layer.inputs;
  float* const d_weight = g + layer.weight;
  simd::gemm(
      {outputs, inputs, rows, dy, x, 1, dy_row, x_row, 1, d_weight, inputs, d_weight, inputs});
  if (layer.bias >= 0) add_rows(dy, dy_row, rows, outputs, g + layer.bias);
  if (dx == nullptr) return;
  simd::gemm({rows, inputs, outputs, dy, p + layer.weight, dy_row, 1, inputs, 1, dx, dx_row,
              add ? dx : nullptr, dx_row});
}
inline void linear_rows_backward(const PlannedLinear& layer, const float* p, float* g,
                                 const float* x, const float* dy, Size rows, float* dx, bool add) {
  linear_rows_backward(layer, p, g, x, layer.inputs, dy, layer.outputs, rows, dx, layer.inputs,
                       add);
}

}  // namespace attn::internal
