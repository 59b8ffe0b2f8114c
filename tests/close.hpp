#pragma once
// How close two numbers have to be, said once for every test in C++.

#include <cmath>

namespace attn::test {

/// Whether |got − wanted| ≤ absolute + relative·|wanted|. That formula by itself allows every
/// number where an infinity is wanted, because both of its sides are infinite then. So an infinity
/// is close to itself only, and NaN, which a vector may want on purpose, is close to NaN only.
inline bool close(double got, double wanted, double relative, double absolute) {
  if (std::isnan(got) || std::isnan(wanted)) return std::isnan(got) && std::isnan(wanted);
  if (std::isinf(got) || std::isinf(wanted)) return got == wanted;
  return std::abs(got - wanted) <= absolute + relative * std::abs(wanted);
}

}  // namespace attn::test
