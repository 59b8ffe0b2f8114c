#pragma once
// The memory in which kernels work. Private to the core.

#include <cstddef>
#include <memory>
#include <new>

namespace attn::simd {

/// One block that grows to the largest request and is kept: repeating a call allocates nothing, and
/// small calls never do. Requests cannot be nested, because the next `reserve` returns the same
/// memory.
class Arena {
 public:
  /// The number of floats that are present from the start (64 KiB).
  static constexpr std::ptrdiff_t kFirst = 16384;

  /// Returns at least `floats` floats, aligned to 64 bytes. Their previous contents are lost.
  float* reserve(std::ptrdiff_t floats) {
    if (floats <= size_) return block_ ? block_.get() : first_;
    clear();
    block_.reset(static_cast<float*>(::operator new (
        static_cast<std::size_t>(floats) * sizeof(float), std::align_val_t{kAlignment})));
    size_ = floats;
    return block_.get();
  }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(float); }
  /// Frees the allocated memory.
  void clear() {
    block_.reset();
    size_ = kFirst;
  }

 private:
  static constexpr std::size_t kAlignment = 64;
  struct Free {
    void operator()(float* block) const {
      ::operator delete (static_cast<void*>(block), std::align_val_t{kAlignment});
    }
  };

  alignas(kAlignment) float first_[kFirst];
  std::unique_ptr<float, Free> block_;
  std::ptrdiff_t size_ = kFirst;
};

/// The arena of this thread.
Arena& arena();

}  // namespace attn::simd
