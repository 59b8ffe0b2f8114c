#pragma once
// Functions with which kernels report their work to the meter. Private to the core.

#include <cstddef>
#include <cstdint>

#include "attn/base/tensor.hpp"
#include "attn/cost/operation_count.hpp"

namespace attn::internal {

/// Counts are 64 bits wide also where Index has 32.
inline std::uint64_t wide(Index x) { return static_cast<std::uint64_t>(x); }

/// One pass of a kernel; `read` and `written` in numbers of its scalar type.
struct Pass {
  std::uint64_t multiply_adds = 0, exps = 0, read = 0, written = 0;
};

/// The function is out of line and takes numbers, because building a structure at every call would
/// add a kilobyte to the download.
void note_numbers(std::uint64_t multiply_adds, std::uint64_t exps, std::uint64_t read,
                  std::uint64_t written, std::size_t scalar_bytes);

template <typename T>
void note(const Pass& pass) {
  note_numbers(pass.multiply_adds, pass.exps, pass.read, pass.written, sizeof(T));
}

/// A pass over `size` numbers in place.
template <typename T>
void note_in_place(Index size) {
  note<T>({.read = wide(size), .written = wide(size)});
}

/// The number of softmax weights that took an exp; 0 without a meter, because counting them costs a
/// pass.
template <typename Weights>
std::uint64_t exps_in(const Weights& weights) {
  return OperationMeter::active() ? wide((weights.array() != 0).count()) : 0;
}

}  // namespace attn::internal
