#pragma once
// How calls receive a kernel.

#include "attn/kernels/kernel.hpp"
#include "shared.hpp"

namespace attn::wasm {

ATTN_ENUM(KernelOperation, kPlus, kTimes, kScale, kExponential, kNormalize)
ATTN_STRUCT(KernelStep, operation, maybe(id), maybe(parameters), maybe(factor))
ATTN_STRUCT(KernelChoice, id, maybe(parameters), maybe(steps))

/// The kernel in float64, in which pages compute where the sign of a small number matters.
inline Kernel<double> wide(const KernelChoice& choice) { return make_kernel<double>(choice); }

}  // namespace attn::wasm
