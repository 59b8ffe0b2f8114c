#pragma once
// Lists which stream of a seed draws what. The list is in one place because two things that share a
// stream get the same numbers: a random projection equal to Q would make random features look far
// too good. Private to the core.

#include <cstdint>

namespace attn::internal {

enum Stream : std::uint64_t {
  kQueryStream,
  kKeyStream,
  kValueStream,
  kProjectionStream,
  kProjectionNormStream,
  /// The seeds of an experiment's draws, and the gradient at its outputs.
  kDrawStream,
  kOutputGradientStream,
  /// The directions of a curve.
  kPlaneStream,
  /// The phases of random Fourier features.
  kPhaseStream,
  kRedrawStream = 512,
  /// From this stream on, each word has a stream of its own.
  kWordStreams = 1024,
};

}  // namespace attn::internal
