#pragma once
// Which kernels this machine runs. Private to the core.

#include <span>
#include <string_view>

#include "arena.hpp"
#include "kernels.hpp"

namespace attn::simd {

/// The fastest set that was compiled and that this machine can run, or what `use_kernels` chose.
const Kernels& kernels();

/// Every set that was compiled and that this machine can run, the slowest first.
std::span<const Kernels* const> kernel_sets();

/// Makes `kernels` return this set; for tests and benchmarks.
void use_kernels(const Kernels& set);

/// Runs a kernel with as much memory of the thread's arena as it asks for.
template <typename Problem>
void run(void (*kernel)(const Problem&, float*), Size (*floats)(const Problem&),
         const Problem& problem) {
  kernel(problem, arena().reserve(floats(problem)));
}

}  // namespace attn::simd
