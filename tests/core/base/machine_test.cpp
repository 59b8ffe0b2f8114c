#include "attn/base/machine.hpp"

#include <cmath>

#include "attn/base/errors.hpp"
#include "simd/simd.hpp"
#include "test_util.hpp"

using namespace attn;

TEST_SUITE_BEGIN("machine");

TEST_CASE("the kernels describe themselves") {
  const KernelInfo info = kernel_info();
  CHECK(info.name == simd::kernels().name);
  CHECK(info.lanes == simd::kernels().lanes);
  // Every set that is wider than the baseline's is compiled with fused multiply-adds.
  if (info.name == "avx2" || info.name == "avx512") CHECK(info.fused_multiply_add);
#if defined(__x86_64__) && !defined(__FMA__)
  if (info.name == "baseline") CHECK_FALSE(info.fused_multiply_add);
#endif
}

TEST_CASE("the peak counts its multiply-adds, and its numbers stay normal") {
  const auto lanes = static_cast<std::uint64_t>(kernel_info().lanes);
  for (const std::uint64_t rounds : {0u, 1u, 7u, 1000u, 100000u}) {
    const PeakRun run = multiply_add_peak(rounds);
    CHECK(run.multiply_adds == 12 * lanes * rounds);
    CHECK(std::isfinite(run.sum));
  }
  // Each of 12·lanes numbers approaches 0.001/(1 − 0.999) = 1, and is then off by one part in
  // e^100. In float32 it stops where 0.999·x + 0.001 rounds to x, within 2⁻²⁴/0.001 of it.
  const double sum = static_cast<double>(multiply_add_peak(100000).sum);
  CHECK(std::abs(sum / (12 * static_cast<double>(lanes)) - 1) < 1e-3);
  CHECK_THROWS_AS(multiply_add_peak((std::uint64_t{1} << 30) + 1), ValueError);
}

TEST_SUITE_END();
