#include "attn/models/trainer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "attn/base/errors.hpp"
#include "attn/models/phrases.hpp"
#include "attn/models/safetensors.hpp"

namespace attn {
namespace {

/// Step i of training draws from stream kTraining + i, batch i of an evaluation from kEvaluation +
/// i; initialisation from the streams below. No run has 2³² steps.
constexpr std::uint64_t kTraining = std::uint64_t{1} << 32, kEvaluation = std::uint64_t{1} << 33;

std::span<const std::int32_t> part_of(const std::vector<std::int32_t>& all, Index first,
                                      Index count) {
  return std::span(all).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

constexpr std::array kSnapshotParts = {"parameters", "first_moment", "second_moment"};
constexpr Index kNumbersOfAPoint = 6;

}  // namespace

template <typename T>
Index short_slice(const LanguageModel<T>& model, Index length, Index batch) {
  const LanguageModelOptions& options = model.options();
  // What so many sequences keep stays in the caches: of 32 short ones, 4 at a time took 5.0 ms, 8
  // took 5.05, 13 took 5.1 and 32 took 5.35. Forward, and twice as much back.
  constexpr std::uint64_t kMost = 13'500'000, kForwardAndBack = 3;
  std::uint64_t one = static_cast<std::uint64_t>(length * options.vocabulary * options.d_model);
  const std::uint64_t feed =
      static_cast<std::uint64_t>(length * options.d_model * options.feed_forward) *
      (options.gated ? 3 : 2);
  for (Index i = 0; i < model.layers(); ++i) {
    one += feed + model.block(i).mixer().multiply_adds(length);
  }
  const std::uint64_t fits = kMost / std::max<std::uint64_t>(one * kForwardAndBack, 1);
  return std::clamp(static_cast<Index>(std::min<std::uint64_t>(fits, 1U << 30U)), Index{1}, batch);
}

template <typename T>
std::vector<std::uint8_t> to_bytes(const TrainerSnapshot<T>& snapshot, const std::string& about) {
  ParameterTable table;
  const Index size = snapshot.parameters.size();
  for (const char* name : kSnapshotParts) table.add_vector(name, size);
  const Index points = static_cast<Index>(snapshot.curve.size());
  if (points > 0) table.add_matrix("curve", points, kNumbersOfAPoint);
  Vector<double> values(table.size());
  values.segment(0, size) = snapshot.parameters.template cast<double>();
  values.segment(size, size) = snapshot.first_moment.template cast<double>();
  values.segment(2 * size, size) = snapshot.second_moment.template cast<double>();
  double* at = values.data() + 3 * size;
  for (const TrainingPoint& point : snapshot.curve) {
    for (const double x :
         {static_cast<double>(point.step), point.loss, point.accuracy, point.gradient_norm,
          point.learning_rate, static_cast<double>(point.tokens)}) {
      *at++ = x;
    }
  }
  return to_safetensors<double>(table, values, {{"about", about}, {"kind", "training run"}});
}

template <typename T>
TrainerSnapshot<T> snapshot_from_bytes(std::span<const std::uint8_t> bytes) {
  const SafeTensors file = read_safetensors(bytes);
  const auto part = [&](const char* name) -> const SafeTensor& {
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end()) {
      throw ValueError("run", phrase::none, phrase::tensor_of_name(name));
    }
    return found->second;
  };
  const auto numbers = [&](const char* name) -> Vector<T> {
    const std::vector<double>& from = part(name).numbers;
    return Eigen::Map<const Vector<double>>(from.data(), static_cast<Index>(from.size()))
        .template cast<T>();
  };
  TrainerSnapshot<T> made{
      numbers(kSnapshotParts[0]), numbers(kSnapshotParts[1]), numbers(kSnapshotParts[2]), {}};
  if (!file.tensors.contains("curve")) return made;
  const SafeTensor& curve = part("curve");
  if (curve.shape.size() != 2 || curve.shape[1] != kNumbersOfAPoint) {
    throw ShapeError("run", phrase::entries_seen(static_cast<Index>(curve.numbers.size())),
                     phrase::tensor_of_name("curve"));
  }
  for (std::size_t i = 0; i < curve.numbers.size(); i += kNumbersOfAPoint) {
    const double* x = curve.numbers.data() + i;
    made.curve.push_back({static_cast<Index>(made.curve.size()), x[1], x[2], x[3], x[4],
                          static_cast<std::uint64_t>(std::clamp(x[5], 0.0, 9e15))});
  }
  return made;
}

template <typename T>
Trainer<T>::Trainer(const TrainerOptions& options, std::shared_ptr<const Task> task,
                    std::shared_ptr<const Task> held_out)
    : options_(options),
      task_(std::move(task)),
      held_out_(held_out == nullptr ? task_ : std::move(held_out)),
      model_(options.model, options.seed),
      optimizer_(model_.table().size(), options.optimizer),
      decays_(decay_mask<T>(model_.table())),
      memory_(options.checkpoint_every) {
  const auto at_least = [](const char* name, Index value, Index least) {
    if (value < least) throw ValueError(name, phrase::number(value), phrase::at_least(least));
  };
  at_least("steps", options.steps, 1);
  at_least("batch", options.batch, 1);
  at_least("slice", options.slice, 0);
  at_least("vocabulary", options.model.vocabulary, task_->vocabulary());
  at_least("length", options.model.length, task_->length());
  if (options.warm_up < 0 || options.warm_up > options.steps) {
    throw ValueError("warm_up", phrase::number(options.warm_up), phrase::range(0, options.steps));
  }
  if (!(options.clip >= 0)) {
    throw ValueError("clip", phrase::number(options.clip), phrase::number_of_at_least(0));
  }
  curve_.reserve(static_cast<std::size_t>(std::min<Index>(options.steps, 1 << 16)));
  options_.slice = options.slice == 0 ? short_slice(model_, task_->length(), options.batch)
                                      : std::min(options.slice, options.batch);
}

template <typename T>
double Trainer<T>::progress() const {
  const Index slices = (options_.batch + options_.slice - 1) / options_.slice;
  const auto parts = static_cast<double>(slices);
  return (static_cast<double>(finished()) + static_cast<double>(slices_done_) / parts) /
         static_cast<double>(options_.steps);
}

template <typename T>
bool Trainer<T>::step() {
  if (done()) return true;
  if (slices_done_ == 0) {
    Rng rng(options_.seed, kTraining + static_cast<std::uint64_t>(finished()));
    task_->draw_into(options_.batch, rng, batch_, drawing_);
    sum_.setZero(model_.table().size());
    loss_ = accuracy_ = 0;
    counted_ = counted_targets(batch_.targets);
  }
  const Index slice = options_.slice;
  const Index first = slices_done_ * slice, here = std::min(slice, options_.batch - first);
  const Index length = batch_.length;
  const BatchResult made = model_.add_gradients(
      part_of(batch_.tokens, first * length, here * length),
      part_of(batch_.targets, first * length, here * length), here, counted_, sum_, &memory_);
  // Means over the targets of a part become a mean over those of the batch.
  const double weight = static_cast<double>(made.counted);
  loss_ += weight * made.loss;
  accuracy_ += weight * made.accuracy;
  ++slices_done_;
  if (first + here == options_.batch) update();
  return done();
}

template <typename T>
TrainingSlice Trainer<T>::advance(double milliseconds, std::optional<Index> until, Clock clock) {
  if (!(milliseconds >= 0 && milliseconds <= kMaxSliceMilliseconds)) {
    throw ValueError("milliseconds", phrase::number(milliseconds),
                     phrase::range(0, kMaxSliceMilliseconds));
  }
  if (until && *until < 0) throw ValueError("until", phrase::number(*until), phrase::at_least(0));
  const Index before = finished(), last = until.value_or(options_.steps);
  const double start = clock(), from = progress();
  TrainingSlice made;
  while (!done() && finished() < last) {
    step();
    made.milliseconds = clock() - start;
    if (made.milliseconds >= milliseconds) break;
  }
  made.points.assign(curve_.begin() + before, curve_.end());
  made.finished = finished();
  made.steps = options_.steps;
  made.done = done();
  made.progress = progress();
  if (made.milliseconds > 0) {
    made.tokens_per_second =
        (made.progress - from) * static_cast<double>(tokens_in_all()) * 1000 / made.milliseconds;
  }
  return made;
}

template <typename T>
void Trainer<T>::update() {
  const double counted = static_cast<double>(std::max<Index>(counted_, 1));
  gradients_ = sum_;
  double factor = 1;
  if (options_.cosine) {
    factor = cosine_schedule(finished(), options_.steps, options_.warm_up);
  } else if (finished() < options_.warm_up) {
    factor = static_cast<double>(finished() + 1) / static_cast<double>(options_.warm_up);
  }
  const double rate = factor * options_.optimizer.learning_rate;
  const double norm = clip_norm<T>(
      sum_, options_.clip > 0 ? options_.clip : std::numeric_limits<double>::infinity());
  optimizer_.step(model_.parameters(), sum_, rate, decays_);
  const std::uint64_t tokens = static_cast<std::uint64_t>(batch_.tokens.size());
  curve_.push_back({finished(), loss_ / counted, accuracy_ / counted, norm, rate,
                    tokens * (static_cast<std::uint64_t>(finished()) + 1)});
  slices_done_ = 0;
}

template <typename T>
BatchResult Trainer<T>::evaluate(Index batches) const {
  if (batches < 1 || batches > kMaxEvaluationBatches) {
    throw ValueError("batches", phrase::number(batches), phrase::range(1, kMaxEvaluationBatches));
  }
  BatchResult all;
  for (Index i = 0; i < batches; ++i) {
    Rng rng(options_.seed, kEvaluation + static_cast<std::uint64_t>(i));
    const TaskBatch held_out = held_out_->draw(options_.batch, rng);
    const BatchResult one = model_.evaluate(held_out.tokens, held_out.targets, held_out.batch);
    all.loss += one.loss * static_cast<double>(one.counted);
    all.accuracy += one.accuracy * static_cast<double>(one.counted);
    all.counted += one.counted;
  }
  const double counted = static_cast<double>(std::max<Index>(all.counted, 1));
  all.loss /= counted;
  all.accuracy /= counted;
  return all;
}

template <typename T>
TrainerSnapshot<T> Trainer<T>::snapshot() const {
  return {model_.parameters(), optimizer_.first_moment(), optimizer_.second_moment(), curve_};
}

template <typename T>
void Trainer<T>::restore(const TrainerSnapshot<T>& snapshot) {
  require_shape<T>("parameters", snapshot.parameters.transpose(), 1, model_.table().size(),
                   phrase::shape_of_model_parameter);
  const Index steps = static_cast<Index>(snapshot.curve.size());
  if (steps > options_.steps) {
    throw ValueError("curve", phrase::number(steps), phrase::at_most(options_.steps));
  }
  optimizer_.restore(static_cast<std::uint64_t>(steps), snapshot.first_moment,
                     snapshot.second_moment);
  model_.parameters() = snapshot.parameters;
  curve_ = snapshot.curve;
  slices_done_ = 0;
}

#define ATTN_INSTANTIATE(T)                                                                      \
  template Index short_slice<T>(const LanguageModel<T>&, Index, Index);                          \
  template std::vector<std::uint8_t> to_bytes<T>(const TrainerSnapshot<T>&, const std::string&); \
  template TrainerSnapshot<T> snapshot_from_bytes<T>(std::span<const std::uint8_t>);             \
  template class Trainer<T>;
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
