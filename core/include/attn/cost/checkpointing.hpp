#pragma once
// Recomputation (gradient checkpointing; Chen et al. 2016, arXiv:1604.06174): a stack of layers
// keeps the input of every segment only, and runs a segment a second time when its gradients are
// wanted. Memory against one more forward pass, by formula; `TrainerOptions::checkpoint_every` does
// it to a real training, and `Trainer::step_work` counts it.
//
// It does nothing for inference, which keeps no layer anyway. Around a single layer it saves that
// layer's numbers only until its own backward pass.

#include <cstdint>
#include <vector>

namespace attn {

/// The most layers that `checkpoint_plan` is asked for: it answers for every segment length.
inline constexpr std::uint64_t kMostCheckpointLayers = std::uint64_t{1} << 16;

struct CheckpointShape {
  std::uint64_t layers = 12;
  /// How many layers a segment has; the last one may have fewer.
  std::uint64_t segment = 4;
  /// The numbers that the backward pass of one layer needs, and those of one layer's input.
  std::uint64_t numbers_per_layer = 1, numbers_per_input = 1;
  /// Whether the last segment keeps everything from the forward pass on, since its gradients are
  /// wanted at once: torch's `checkpoint_sequential`, and the trainer here. Its input is then not
  /// kept apart.
  bool last_segment_kept = false;
};

struct CheckpointPlan {
  std::uint64_t segments = 0;
  /// The most numbers kept at once: while segment k (from 1) is worked on backwards, the inputs of
  /// segments 1 … k and everything of its own layers. max over k of c·k + a·length_k.
  std::uint64_t peak = 0;
  /// Layers that run forward a second time, and the same as a share of one forward pass.
  std::uint64_t extra_layer_forwards = 0;
  double extra_forward_passes = 0;
  /// Without: every layer keeps all of its numbers.
  std::uint64_t peak_without = 0;
  /// The peak for segments of 1, 2, …, `layers` layers.
  std::vector<std::uint64_t> peak_by_segment;
  /// The shortest segment with the least peak, near √(layers·c/a), and that peak.
  std::uint64_t best_segment = 0, best_peak = 0;
};

/// O(layers).
/// @throws ValueError for no layer or a segment that is not 1 … layers; CapacityError for more than
/// `kMostCheckpointLayers` and for counts of more than 64 bits.
CheckpointPlan checkpoint_plan(const CheckpointShape& shape);

}  // namespace attn
