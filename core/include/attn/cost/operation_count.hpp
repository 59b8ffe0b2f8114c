#pragma once
// What calls did, counted where it was done.
//
//   OperationMeter meter;
//   attention(Q, K, V);
//   meter.count().multiply_adds;  // n·m·(d_k + d_v)
//
// While a meter is alive, every kernel that its thread runs adds to it; without one a kernel looks
// at one pointer and goes on. The formulas stand in complexity.hpp, and the tests compare the two.

#include <cstddef>
#include <cstdint>

namespace attn {

/// Work and memory, counted during the run, not computed from a formula.
struct OperationCount {
  /// Multiply-adds, one of which is 2 FLOPs: in products and dot products one for each pair
  /// multiplied, in sums of vectors one for each number added, in feature maps one for each feature
  /// that is multiplied out. What softmax does to a cell beside its exp is not counted, nor is
  /// arithmetic entry by entry (scaling, dividing by a denominator).
  std::uint64_t multiply_adds = 0;
  /// exp evaluated. A weight below the smallest normal number (in kernels: below 2⁻¹⁰⁰ of the row's
  /// largest) is 0 without one.
  std::uint64_t exps = 0;
  /// Bytes of the operands: each pass of a kernel counts every matrix it reads once and every
  /// matrix it writes once, however often it comes back to a number, and C += … counts C on both
  /// sides. A feature map is one pass, beside the product with its projection. So this is the
  /// traffic when nothing outlives a pass in the cache. Left out: numbers of which there is one a
  /// row or column (maxima, sums, log-sum-exps), index lists, checks of arguments.
  std::uint64_t bytes_read = 0, bytes_written = 0;
  /// The most bytes held at once, beyond inputs, index lists and the matrices that are the answer
  /// (output, gradients). The panels that a single product packs its factors into are not counted.
  std::uint64_t workspace_bytes = 0;

  OperationCount& operator+=(const OperationCount& other) {
    multiply_adds += other.multiply_adds;
    exps += other.exps;
    bytes_read += other.bytes_read;
    bytes_written += other.bytes_written;
    workspace_bytes += other.workspace_bytes;
    return *this;
  }
};

/// Counts what its thread does from construction on. Meters nest: an inner one takes the counts,
/// and hands them to the outer one when it ends. They must end in reverse order, as local variables
/// do.
///
/// Memory is that of every `Matrix`, `Vector` and other Eigen array of float or double: its bytes
/// are added where Eigen takes them and subtracted where it gives them back, so that no temporary
/// escapes. Outside of it: handles and index lists in standard containers, and the blocks that
/// Eigen's matrix product packs its operands into (on the stack up to 128 KiB, below 2 MiB always).
class OperationMeter {
 public:
  OperationMeter();
  ~OperationMeter();
  OperationMeter(const OperationMeter&) = delete;
  OperationMeter& operator=(const OperationMeter&) = delete;

  /// The work so far. `answer_bytes`, those of the output or the gradients, do not count as
  /// workspace: workspace_bytes = peak_bytes() − answer_bytes, or 0.
  OperationCount count(std::uint64_t answer_bytes = 0) const;
  /// The most bytes held at once, answers included, among those taken since construction.
  std::uint64_t peak_bytes() const { return static_cast<std::uint64_t>(peak_); }
  /// How often memory was taken.
  std::uint64_t allocations() const { return allocations_; }

  // For kernels and for what hands out memory; none of them does anything without a meter.

  /// Whether this thread has a meter: worth asking before counting what only counting can tell.
  static bool active();
  /// `workspace_bytes` is ignored.
  static void add(const OperationCount& work);
  static void take(std::size_t bytes);
  static void give_back(std::size_t bytes);

 private:
  OperationMeter* outer_;
  OperationCount work_;
  std::uint64_t allocations_ = 0;
  /// Signed: what was taken before the meter began may be given back while it lives.
  std::int64_t held_ = 0, peak_ = 0;
};

}  // namespace attn
