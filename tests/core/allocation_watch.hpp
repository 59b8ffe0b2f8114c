#pragma once
// Records what malloc and operator new really allocate, so that tests can compare the memory meter
// with it.
//
// Where the linker supports it (native, Linux, no sanitizer), every call of malloc and its
// relatives in the core and in the tests is recorded; see tests/CMakeLists.txt. In other builds
// nothing is recorded.

#include <cstdint>

namespace attn::test {

/// While a watch exists, it follows allocated memory until that is freed; by default only memory
/// that is allocated while an `OperationMeter` is active. Only one watch may exist at a time, and
/// on one thread.
class AllocationWatch {
 public:
  enum class Scope { kMetered, kAll };
  explicit AllocationWatch(Scope scope = Scope::kMetered);
  ~AllocationWatch();
  AllocationWatch(const AllocationWatch&) = delete;
  AllocationWatch& operator=(const AllocationWatch&) = delete;

  /// Whether this build records allocations.
  static bool sees();

  /// The most bytes held at once: of memory from malloc itself, which Eigen uses, and of memory
  /// from operator new, which standard containers use.
  std::uint64_t malloc_peak() const;
  std::uint64_t new_peak() const;
  /// The number of calls of malloc itself, and of operator new.
  std::uint64_t mallocs() const;
  std::uint64_t news() const;
};

}  // namespace attn::test
