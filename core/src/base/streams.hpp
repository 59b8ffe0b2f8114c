#pragma once
// Which stream of a seed draws what. Kept in one place because two things that share a stream are
// the same numbers: a random projection equal to Q would make random features look far too good.
// Private to the core.

#include <cstdint>

namespace attn::internal {

enum Stream : std::uint64_t {
  kQueryStream,
  kKeyStream,
  kValueStream,
  kProjectionStream,
  kProjectionNormStream,
  /// Seeds of the draws of an experiment, and the gradient at its outputs.
  kDrawStream,
  kOutputGradientStream,
  /// Directions of a curve.
  kPlaneStream,
  kRedrawStream = 512,
  /// From here on one stream for each word.
  kWordStreams = 1024,
};

}  // namespace attn::internal
