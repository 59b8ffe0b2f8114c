#pragma once
// What a call did, counted where it was done.

#include <cstdint>

namespace attn {

/// Work and memory of one call. Counted during the run, not computed from a formula; the formula
/// stands in the function's documentation and the tests compare the two.
struct OperationCount {
  /// Multiply-adds: one is 2 FLOPs.
  std::uint64_t multiply_adds = 0;
  /// exp evaluated.
  std::uint64_t exps = 0;
  /// Bytes allocated beside inputs, pattern and the matrices that are the answer (output,
  /// gradients).
  std::uint64_t workspace_bytes = 0;

  OperationCount& operator+=(const OperationCount& other) {
    multiply_adds += other.multiply_adds;
    exps += other.exps;
    workspace_bytes += other.workspace_bytes;
    return *this;
  }
};

}  // namespace attn
