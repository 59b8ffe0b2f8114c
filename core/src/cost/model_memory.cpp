#include "attn/cost/model_memory.hpp"

#include <algorithm>
#include <string_view>

#include "attn/base/errors.hpp"
#include "attn/cost/phrases.hpp"
#include "base/whole.hpp"

namespace attn {
namespace {

using internal::Whole;

/// Bytes of a number of each kind, and of one cell of a matrix of weights in training.
struct TrainedBytes {
  Whole parameter, activation, scores, weight, dropped;
};

/// Without dropout the product with V keeps the weights themselves, which softmax keeps already,
/// unless it has them in another precision.
TrainedBytes trained_bytes_of(const ModelMemoryShape& shape) {
  switch (shape.precision) {
    case TrainingPrecision::kFloat32:
      return {4, 4, 4, 4, Whole(shape.dropout ? 4U : 0U)};
    case TrainingPrecision::kFloat16:
      return {2, 2, 2, 2, Whole(shape.dropout ? 2U : 0U)};
    case TrainingPrecision::kAutocast:
      break;
  }
  return {4, 2, 2, 4, 2};
}

void add_up(MemoryParts& parts) {
  Whole total = 0;
  for (const std::uint64_t part :
       {parts.scores, parts.weights, parts.dropout_mask, parts.dropped_weights, parts.activations,
        parts.parameters, parts.gradients, parts.optimizer, parts.cache}) {
    total += part;
  }
  parts.total = total.value();
}

void require_memory_shape(const ModelMemoryShape& shape) {
  const auto at_least_one = [](std::string_view name, std::uint64_t value) {
    if (value == 0) throw ValueError(name, phrase::number(0), phrase::at_least(1));
  };
  at_least_one("batch", shape.batch);
  at_least_one("heads", shape.heads);
  at_least_one("layers", shape.layers);
  at_least_one("n", shape.n);
  at_least_one("d", shape.d);
  if (shape.kv_heads != 0 && shape.heads % shape.kv_heads != 0) {
    throw ValueError("kv_heads", phrase::number(shape.kv_heads), phrase::divisor(shape.heads));
  }
  if (shape.checkpoint_every > shape.layers) {
    throw ValueError("checkpoint_every", phrase::number(shape.checkpoint_every),
                     phrase::range(0, shape.layers));
  }
}

}  // namespace

ModelMemory model_memory(const ModelMemoryShape& shape) {
  require_memory_shape(shape);
  const TrainedBytes bytes = trained_bytes_of(shape);
  const Whole kv = shape.kv_heads == 0 ? shape.heads : shape.kv_heads;
  const Whole width = Whole(shape.heads) * shape.d, kv_width = kv * shape.d;
  const Whole tokens = Whole(shape.batch) * shape.n;
  const Whole rows = Whole(shape.batch) * shape.heads * shape.n, cells = rows * shape.n;
  const Whole whole_cells = shape.flash ? Whole(0) : cells;

  // The input of a layer, that of its mixer, queries, keys and values, what the heads say; then the
  // same of the feed-forward network, and its inner layer before and after the bend.
  Whole per_token = 4 * width + 2 * kv_width;
  if (shape.feed_forward > 0) per_token += 2 * width + 2 * Whole(shape.feed_forward);
  // Log-sum-exps, in float32.
  const Whole sums = shape.flash ? 4 * rows : Whole(0);
  // The last norm's input and output, and the logits.
  Whole last = 2 * width;
  if (shape.vocabulary > 0) last += shape.vocabulary;
  last = last * tokens * bytes.activation;

  // With segments: all of one, and the inputs of those before it.
  const std::uint64_t segment = shape.checkpoint_every == 0 ? shape.layers : shape.checkpoint_every;
  const Whole inputs = (shape.layers - 1) / segment;

  ModelMemory made;
  made.parameter_numbers =
      (Whole(shape.layers) * width * (2 * width + 2 * kv_width + 2 * Whole(shape.feed_forward)) +
       Whole(shape.vocabulary) * width)
          .value();
  const Whole dropped = bytes.dropped, mask = shape.dropout ? 1U : 0U;
  made.bytes_a_cell = shape.flash ? 0 : (bytes.weight + mask + dropped).value();
  const Whole parameters = made.parameter_numbers * bytes.parameter;

  MemoryParts& training = made.training;
  training.scores = (whole_cells * bytes.scores).value();
  training.weights = (segment * whole_cells * bytes.weight).value();
  training.dropout_mask = (segment * whole_cells * mask).value();
  training.dropped_weights = (segment * whole_cells * dropped).value();
  training.activations = (segment * (tokens * per_token * bytes.activation + sums) +
                          inputs * tokens * width * bytes.activation + last)
                             .value();
  training.parameters = training.gradients = parameters.value();
  training.optimizer = (2 * parameters).value();
  add_up(training);

  const Whole cache = 2 * Whole(shape.layers) * tokens * kv_width * bytes.activation;
  // When nothing is trained, only the layer at work has numbers of its own.
  const auto at_work = [&](MemoryParts& parts, Whole positions, Whole some_cells) {
    const Whole here = positions * (per_token * bytes.activation) + last / tokens * positions;
    parts.scores = (some_cells * bytes.scores).value();
    parts.weights = (some_cells * bytes.weight).value();
    parts.activations = here.value();
    parts.parameters = parameters.value();
    parts.cache = cache.value();
    add_up(parts);
  };
  at_work(made.reading, tokens, whole_cells);
  at_work(made.decoding, shape.batch, shape.flash ? Whole(0) : rows);
  return made;
}

}  // namespace attn
