#include "simd.hpp"

#include <vector>

#include "base/thread_local.hpp"

namespace attn::simd {

namespace baseline {
extern const Kernels kKernels;
}
#if defined(ATTN_SIMD_SEVERAL_SETS)
namespace avx2 {
extern const Kernels kKernels;
}
namespace avx512 {
extern const Kernels kKernels;
}
#endif

namespace {

std::vector<const Kernels*> runnable() {
  std::vector<const Kernels*> sets = {&baseline::kKernels};
#if defined(ATTN_SIMD_SEVERAL_SETS)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    sets.push_back(&avx2::kKernels);
    if (__builtin_cpu_supports("avx512f")) sets.push_back(&avx512::kKernels);
  }
#endif
  return sets;
}

const Kernels*& chosen() {
  static const Kernels* set = kernel_sets().back();
  return set;
}

}  // namespace

std::span<const Kernels* const> kernel_sets() {
  static const std::vector<const Kernels*> sets = runnable();
  return sets;
}

const Kernels& kernels() { return *chosen(); }

void use_kernels(const Kernels& set) { chosen() = &set; }

Arena& arena() {
  static ATTN_THREAD_LOCAL Arena own;
  return own;
}

}  // namespace attn::simd
