#include "attn/base/machine.hpp"

#include <string>

#include "attn/base/errors.hpp"
#include "simd/kernels.hpp"
#include "simd/simd.hpp"

namespace attn {
namespace {

constexpr std::uint64_t kMostRounds = std::uint64_t{1} << 30;
/// The number of vectors that `Kernels::peak` works on.
constexpr std::uint64_t kVectors = 12;

/// (1 + 2⁻¹²)² − (1 + 2⁻¹¹) is 2⁻²⁴ when rounded once, and 0 when the product is rounded first.
bool is_fused(const simd::Kernels& kernels) {
  constexpr float kFactor = 1 + 1 / 4096.0f, kTerm = -(1 + 1 / 2048.0f);
  float seeds[2 + kVectors] = {kFactor, kTerm};
  for (std::uint64_t i = 0; i < kVectors; ++i) seeds[2 + i] = kFactor;
  return kernels.peak(1, seeds) != 0;
}

}  // namespace

KernelInfo kernel_info() {
  const simd::Kernels& kernels = simd::kernels();
  return {kernels.name, kernels.lanes, is_fused(kernels)};
}

PeakRun multiply_add_peak(std::uint64_t rounds) {
  if (rounds > kMostRounds) {
    throw ValueError("rounds", phrase::number(rounds), phrase::at_most(kMostRounds));
  }
  const simd::Kernels& kernels = simd::kernels();
  // The numbers approach 1 from above and below, so they are never denormal and never large.
  float seeds[2 + kVectors] = {0.999f, 0.001f};
  for (std::uint64_t i = 0; i < kVectors; ++i) seeds[2 + i] = static_cast<float>(i);
  const float sum = kernels.peak(static_cast<simd::Size>(rounds), seeds);
  return {kVectors * static_cast<std::uint64_t>(kernels.lanes) * rounds, sum};
}

}  // namespace attn
