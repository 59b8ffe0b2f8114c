#pragma once
// What arrays cost: counted, not timed, so that a grade does not depend on the machine's load.
// Every thread counts for itself.

#include <cstdint>

namespace attn::array {

struct Counts {
  /// Products that are summed: matmul, dot, einsum, and what is made of them.
  std::uint64_t multiply_adds = 0;
  /// Entries read and written by every operation and every element access. A view reads nothing.
  std::uint64_t touched = 0;
  /// Of array memory taken, whether or not it has been given back.
  std::uint64_t bytes = 0;
  /// Entries of the largest array made. A view is not made.
  std::uint64_t largest = 0;
};

Counts counts();
void reset_counts();
/// For work on entries that the arrays do not see, such as a loop over a raw buffer.
void add_counts(std::uint64_t multiply_adds, std::uint64_t touched);

/// Array memory now held, and the most that was held since `reset_peak()`.
std::uint64_t live_bytes();
std::uint64_t peak_bytes();
void reset_peak();

/// An array that would take `live_bytes()` above this throws MemoryError. Default 512 MB.
void set_memory_limit(std::uint64_t bytes);
std::uint64_t memory_limit();

}  // namespace attn::array
