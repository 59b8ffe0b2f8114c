#pragma once
// The machine's instruction set as the float32 kernels use it, and its peak speed.

#include <cstdint>
#include <string_view>

namespace attn {

/// The kernels that calls of this thread use.
struct KernelInfo {
  /// The instruction set that the kernels were compiled for: `baseline`, and where there are
  /// several also `avx2` or `avx512`.
  std::string_view name;
  /// The number of floats in a vector; 1 in the scalar build.
  int lanes = 1;
  /// Whether a·b + c is one operation that rounds once. This is tested at run time, because a
  /// relaxed wasm instruction behaves as the machine below it does.
  bool fused_multiply_add = false;
};

KernelInfo kernel_info();

/// The result of a run of `multiply_add_peak`.
struct PeakRun {
  /// The number of operations a·b + c on single numbers; each is two floating-point operations.
  std::uint64_t multiply_adds = 0;
  /// The sum of the results. It is returned so that a compiler cannot leave the work out.
  float sum = 0;
};

/// Runs multiply-adds on twelve vectors in registers and nothing else, 12·lanes in each round,
/// which is the most that any of these kernels can reach. The caller measures the time. O(rounds),
/// no memory.
/// @throws ValueError for more than 2³⁰ rounds.
PeakRun multiply_add_peak(std::uint64_t rounds);

}  // namespace attn
