#pragma once
// What malloc and operator new really hand out, to hold the meter to.
//
// Where the linker can (native, Linux, no sanitizer) every call of malloc and its kind in the core
// and in the tests goes through the watch; see tests/CMakeLists.txt. Elsewhere it sees nothing.

#include <cstdint>

namespace attn::test {

/// While one is alive, it follows memory that is taken, by default only while an `OperationMeter`
/// is active, until it is given back. One at a time, on one thread.
class AllocationWatch {
 public:
  enum class Scope { kMetered, kAll };
  explicit AllocationWatch(Scope scope = Scope::kMetered);
  ~AllocationWatch();
  AllocationWatch(const AllocationWatch&) = delete;
  AllocationWatch& operator=(const AllocationWatch&) = delete;

  /// Whether this build sees allocations.
  static bool sees();

  /// The most bytes held at once of those taken with malloc itself, which is how Eigen does it, and
  /// of those taken with operator new, which is how standard containers do.
  std::uint64_t malloc_peak() const;
  std::uint64_t new_peak() const;
  /// Calls of malloc itself, and of operator new.
  std::uint64_t mallocs() const;
  std::uint64_t news() const;
};

}  // namespace attn::test
