#include "attn/cost/checkpointing.hpp"

#include <algorithm>

#include "attn/base/errors.hpp"
#include "attn/cost/phrases.hpp"
#include "base/whole.hpp"

namespace attn {
namespace {

using internal::Whole;

/// The most numbers kept at once with segments of so many layers. All segments but the last are
/// equally long, and inputs add up: only the last two can be the largest.
std::uint64_t peak_of(const CheckpointShape& shape, std::uint64_t segment) {
  const Whole a = shape.numbers_per_layer, c = shape.numbers_per_input;
  const std::uint64_t segments = (shape.layers - 1) / segment + 1;
  const std::uint64_t last = shape.layers - (segments - 1) * segment;
  const Whole inputs = shape.last_segment_kept ? segments - 1 : segments;
  const Whole at_last = c * inputs + a * last;
  if (segments == 1) return at_last.value();
  return std::max(at_last, c * (segments - 1) + a * segment).value();
}

}  // namespace

CheckpointPlan checkpoint_plan(const CheckpointShape& shape) {
  if (shape.layers == 0) throw ValueError("layers", phrase::number(0), phrase::at_least(1));
  if (shape.layers > kMostCheckpointLayers) {
    throw CapacityError("layers", phrase::number(shape.layers),
                        phrase::at_most(kMostCheckpointLayers));
  }
  if (shape.segment == 0 || shape.segment > shape.layers) {
    throw ValueError("segment", phrase::number(shape.segment), phrase::range(1, shape.layers));
  }
  CheckpointPlan made;
  made.segments = (shape.layers - 1) / shape.segment + 1;
  made.peak = peak_of(shape, shape.segment);
  made.extra_layer_forwards =
      shape.last_segment_kept ? (made.segments - 1) * shape.segment : shape.layers;
  made.extra_forward_passes =
      static_cast<double>(made.extra_layer_forwards) / static_cast<double>(shape.layers);
  made.peak_without = (Whole(shape.layers) * shape.numbers_per_layer).value();
  for (std::uint64_t segment = 1; segment <= shape.layers; ++segment) {
    made.peak_by_segment.push_back(peak_of(shape, segment));
    if (segment > 1 && made.peak_by_segment.back() >= made.best_peak) continue;
    made.best_segment = segment;
    made.best_peak = made.peak_by_segment.back();
  }
  return made;
}

}  // namespace attn
