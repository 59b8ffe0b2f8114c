#pragma once
// Counts the work of arrays. Work is counted and not timed, so that a grade does not depend on the
// machine's load. Every thread has its own counts.

#include <cstdint>

namespace attn::array {

struct Counts {
  /// The number of products that are summed, in matmul, dot, einsum and the functions made from
  /// them.
  std::uint64_t multiply_adds = 0;
  /// The number of entries that operations and element accesses read and write. Making a view reads
  /// nothing.
  std::uint64_t touched = 0;
  /// The bytes of array memory that were taken, whether or not they have been freed.
  std::uint64_t bytes = 0;
  /// The number of entries of the largest array that was made. A view is not counted.
  std::uint64_t largest = 0;
};

Counts counts();
void reset_counts();
/// Adds work on entries that the arrays do not see, such as a loop over a raw buffer.
void add_counts(std::uint64_t multiply_adds, std::uint64_t touched);

/// The bytes of array memory held now, and the most that was held since `reset_peak()`.
std::uint64_t live_bytes();
std::uint64_t peak_bytes();
void reset_peak();

/// Sets the limit of `live_bytes()`; an array beyond it throws MemoryError. The default is 512 MB.
void set_memory_limit(std::uint64_t bytes);
std::uint64_t memory_limit();

}  // namespace attn::array
