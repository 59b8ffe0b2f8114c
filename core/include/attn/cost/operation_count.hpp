#pragma once
// Counts the work of calls while they run.
//
//   OperationMeter meter;
//   attention(Q, K, V);
//   meter.count().multiply_adds;  // n·m·(d_k + d_v)
//
// While a meter exists, every kernel that its thread runs adds to it; without a meter a kernel only
// reads one pointer. The formulas are in complexity.hpp, and the tests compare both.

#include <cstddef>
#include <cstdint>

namespace attn {

/// Work and memory, counted during the run, not computed from a formula.
struct OperationCount {
  /// Multiply-adds, each of which is 2 FLOPs. Products and dot products count one for each pair
  /// multiplied, sums of vectors one for each number added, and feature maps one for each feature
  /// that is multiplied out. The work of softmax on a cell besides its exp is not counted, nor is
  /// arithmetic entry by entry (scaling, dividing by a denominator).
  std::uint64_t multiply_adds = 0;
  /// The number of evaluated exps. A weight below the smallest normal number (in kernels: below
  /// 2⁻¹⁰⁰ of the row's largest) is set to 0 without an exp.
  std::uint64_t exps = 0;
  /// The bytes of the operands. Each pass of a kernel counts every matrix that it reads once and
  /// every matrix that it writes once, however often it uses a number again, and C += … counts C as
  /// read and written. A feature map is one pass, in addition to the product with its projection.
  /// The numbers are therefore the traffic when nothing stays in the cache from one pass to the
  /// next. Not counted are numbers of which there is one for each row or column (maxima, sums,
  /// log-sum-exps), index lists, and checks of arguments.
  std::uint64_t bytes_read = 0, bytes_written = 0;
  /// The most bytes held at once, besides inputs, index lists and the matrices that are the result
  /// (output, gradients). The panels into which a single product packs its factors are not counted.
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

/// Counts the work of its thread from construction on. Meters nest: an inner one takes the counts,
/// and adds them to the outer one when it ends. They must end in reverse order, as local variables
/// do.
///
/// Memory is that of every `Matrix`, `Vector` and other Eigen array of float or double: its bytes
/// are added where Eigen allocates them and subtracted where it frees them, so that every temporary
/// counts. Not included are handles and index lists in standard containers, and the blocks into
/// which Eigen's matrix product packs its operands (on the stack up to 128 KiB, below 2 MiB
/// always).
class OperationMeter {
 public:
  OperationMeter();
  ~OperationMeter();
  OperationMeter(const OperationMeter&) = delete;
  OperationMeter& operator=(const OperationMeter&) = delete;

  /// The work so far. `answer_bytes`, the bytes of the output or the gradients, do not count as
  /// workspace: workspace_bytes = peak_bytes() − answer_bytes, or 0.
  OperationCount count(std::uint64_t answer_bytes = 0) const;
  /// The most bytes held at once, results included, among those allocated since construction.
  std::uint64_t peak_bytes() const { return static_cast<std::uint64_t>(peak_); }
  /// The number of allocations.
  std::uint64_t allocations() const { return allocations_; }

  // Functions for kernels and for code that allocates memory. None of them does anything without a
  // meter.

  /// Whether this thread has a meter. Ask before work that only serves counting.
  static bool active();
  /// `workspace_bytes` is ignored.
  static void add(const OperationCount& work);
  static void take(std::size_t bytes);
  static void give_back(std::size_t bytes);

 private:
  OperationMeter* outer_;
  OperationCount work_;
  std::uint64_t allocations_ = 0;
  /// Signed, because memory that was allocated before the meter may be freed while it exists.
  std::int64_t held_ = 0, peak_ = 0;
};

}  // namespace attn
