#pragma once
// What the arrays read that somebody wrote: an index, and the subscripts of einsum. Each function
// makes its arguments from the bytes, and holds what comes out to a slow and obvious account of the
// same.

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace attn::fuzz {

/// A property that does not hold.
struct Finding : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether it was read; false where it was refused with an error in words.
using Target = bool (*)(const std::uint8_t* bytes, std::size_t size);

/// x[parts] and x[parts] = value, x[parts] += 1 with every repeated place, against loops over
/// single entries.
bool indexing(const std::uint8_t* bytes, std::size_t size);
/// einsum of up to three operands, against a sum over all values of all letters.
bool einsum(const std::uint8_t* bytes, std::size_t size);

}  // namespace attn::fuzz
