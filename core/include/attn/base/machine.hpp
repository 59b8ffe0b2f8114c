#pragma once
// What the float32 kernels run on, and how fast that can be.

#include <cstdint>
#include <string_view>

namespace attn {

/// The kernels that calls of this thread use.
struct KernelInfo {
  /// The set of instructions they were compiled for: `baseline`, and where there are several `avx2`
  /// or `avx512`.
  std::string_view name;
  /// Floats in a vector; 1 in the scalar build.
  int lanes = 1;
  /// Whether a·b + c is one operation, rounded once. Tried out, not looked up: a relaxed wasm
  /// instruction does what the machine below does.
  bool fused_multiply_add = false;
};

KernelInfo kernel_info();

/// What a run of `multiply_add_peak` did.
struct PeakRun {
  /// a·b + c of one number each; two floating-point operations.
  std::uint64_t multiply_adds = 0;
  /// What came out. It is there so that the work cannot be left out.
  float sum = 0;
};

/// Multiply-adds on twelve vectors in registers and nothing else, 12·lanes in each round: the most
/// that any kernel of these can do. Whoever calls it measures the time. O(rounds), no memory.
/// @throws ValueError for more than 2³⁰ rounds.
PeakRun multiply_add_peak(std::uint64_t rounds);

}  // namespace attn
