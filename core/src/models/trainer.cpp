#include "attn/models/trainer.hpp"

#include <algorithm>

#include "attn/base/errors.hpp"
#include "attn/models/phrases.hpp"

namespace attn {
namespace {

/// Step i of training draws from stream kTraining + i, batch i of an evaluation from kEvaluation +
/// i; initialisation from the streams below. No run has 2³² steps.
constexpr std::uint64_t kTraining = std::uint64_t{1} << 32, kEvaluation = std::uint64_t{1} << 33;

std::span<const std::int32_t> part_of(const std::vector<std::int32_t>& all, Index first,
                                      Index count) {
  return std::span(all).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

}  // namespace

template <typename T>
Trainer<T>::Trainer(const TrainerOptions& options, std::shared_ptr<const Task> task)
    : options_(options),
      task_(std::move(task)),
      model_(options.model, options.seed),
      optimizer_(model_.table().size(), options.optimizer),
      decays_(decay_mask<T>(model_.table())) {
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
}

template <typename T>
double Trainer<T>::progress() const {
  const Index slice = options_.slice == 0 ? options_.batch : options_.slice;
  const Index slices = (options_.batch + slice - 1) / slice;
  const auto parts = static_cast<double>(slices);
  return (static_cast<double>(finished()) + static_cast<double>(slices_done_) / parts) /
         static_cast<double>(options_.steps);
}

template <typename T>
bool Trainer<T>::step() {
  if (done()) return true;
  if (slices_done_ == 0) {
    Rng rng(options_.seed, kTraining + static_cast<std::uint64_t>(finished()));
    batch_ = task_->draw(options_.batch, rng);
    sum_.setZero(model_.table().size());
    loss_ = accuracy_ = 0;
    counted_ = 0;
  }
  const Index slice =
      options_.slice == 0 ? options_.batch : std::min(options_.slice, options_.batch);
  const Index first = slices_done_ * slice, here = std::min(slice, options_.batch - first);
  const Index length = batch_.length;
  const BatchResult made =
      model_.gradients(part_of(batch_.tokens, first * length, here * length),
                       part_of(batch_.targets, first * length, here * length), here, part_);
  const double weight = static_cast<double>(made.counted);
  // Means over the targets of a part become a mean over those of the batch.
  sum_ += static_cast<T>(weight) * part_;
  loss_ += weight * made.loss;
  accuracy_ += weight * made.accuracy;
  counted_ += made.counted;
  ++slices_done_;
  if (first + here == options_.batch) update();
  return done();
}

template <typename T>
void Trainer<T>::update() {
  const double counted = static_cast<double>(std::max<Index>(counted_, 1));
  sum_ /= static_cast<T>(counted);
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
  if (batches < 1) throw ValueError("batches", phrase::number(batches), phrase::at_least(1));
  BatchResult all;
  for (Index i = 0; i < batches; ++i) {
    Rng rng(options_.seed, kEvaluation + static_cast<std::uint64_t>(i));
    const TaskBatch held_out = task_->draw(options_.batch, rng);
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

template class Trainer<float>;
template class Trainer<double>;

}  // namespace attn
