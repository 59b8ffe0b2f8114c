#pragma once

#include "attn/base/tensor.hpp"
#include "test_util.hpp"

namespace attn::test {

/// Standard normal entries, [batch, heads, rows, cols].
template <typename T>
Stack<T> random_stack(Index batch, Index heads, Index rows, Index cols, std::uint64_t seed) {
  Stack<T> made(batch, heads, rows, cols);
  Eigen::Map<Matrix<T>>(made.data(), made.count() * rows, cols) =
      random<T>(batch * heads * rows, cols, seed);
  return made;
}

}  // namespace attn::test
