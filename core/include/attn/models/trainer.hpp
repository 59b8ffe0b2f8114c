#pragma once
// Training in steps that a page can show, stop and go on with.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attn/base/tensor.hpp"
#include "attn/models/language_model.hpp"
#include "attn/models/tasks.hpp"
#include "attn/nn/adamw.hpp"

namespace attn {

/// An evaluation is one call and not a run in steps, so it must not last for minutes.
inline constexpr Index kMaxEvaluationBatches = 1000;

struct TrainerOptions {
  LanguageModelOptions model;
  /// Of the model's beginning and of all batches.
  std::uint64_t seed = 0;
  Index steps = 400, batch = 32;
  AdamWOptions optimizer;
  /// The schedule of the learning rate: `cosine_schedule` with these, or constant after the
  /// warm-up.
  bool cosine = true;
  Index warm_up = 0;
  /// Gradients with a larger norm are scaled down to it; 0: none are.
  double clip = 0;
  /// Sequences that one call of `step` works on; 0: as many as `short_slice` says. The gradients of
  /// the parts are added in their order, so that the result depends on this number, but on nothing
  /// else.
  Index slice = 0;
  /// Layers of which only the first one's input is kept, and whose other numbers are made again on
  /// the way back, as `StepMemory` says; 0: everything is kept. The curve and the parameters are
  /// the same, bit for bit.
  Index checkpoint_every = 0;
};

/// How many sequences of a batch can be worked on at a time so that a page stays in hand: as many
/// as take some 1.3·10⁷ multiply-adds forward and back, by the exact cost of the model and not by a
/// clock, so that it is the same on every machine. At least 1, at most `batch`.
template <typename T = float>
Index short_slice(const LanguageModel<T>& model, Index length, Index batch);

/// One step of the optimiser.
struct TrainingPoint {
  /// From 0.
  Index step = 0;
  /// Of the batch, before the step.
  double loss = 0, accuracy = 0;
  /// Before clipping.
  double gradient_norm = 0;
  double learning_rate = 0;
  /// Tokens that went through the model so far.
  std::uint64_t tokens = 0;
};

/// Where a run is, so that another trainer of the same options and task goes on bit for bit.
template <typename T = float>
struct TrainerSnapshot {
  Vector<T> parameters, first_moment, second_moment;
  std::vector<TrainingPoint> curve;
};

/// A snapshot as bytes: a .safetensors file of F64, which holds every float32 exactly, with `about`
/// among its metadata for whoever keeps it. O(size).
template <typename T = float>
std::vector<std::uint8_t> to_bytes(const TrainerSnapshot<T>& snapshot, const std::string& about);
/// @throws as `read_safetensors`; ValueError for a file that is no snapshot.
template <typename T = float>
TrainerSnapshot<T> snapshot_from_bytes(std::span<const std::uint8_t> bytes);

/// How far a training is after one slice of it.
struct TrainingSlice {
  /// The steps that were finished in it.
  std::vector<TrainingPoint> points;
  /// Steps so far, and of how many.
  Index finished = 0, steps = 0;
  bool done = false;
  /// The share of the work that is done, 0 … 1.
  double progress = 0;
  /// How long the core worked, and the tokens a second that went through forward and back.
  double milliseconds = 0, tokens_per_second = 0;
};

/// A slice of time lasts no longer, so that a page can stop a training between two.
inline constexpr Index kMaxSliceMilliseconds = 1000;

/// Milliseconds since some moment. The core has no clock of its own: whoever calls has one.
using Clock = double (*)();

/// Trains a language model on a task. The batch of step i is drawn from a stream of its own, so
/// that a run can be left and gone on with, and evaluation draws from streams that training never
/// uses. The same options and task give the same curve and parameters, bit for bit, on the same
/// kernels.
///
///   Trainer trainer(options, task);
///   while (!trainer.step()) …
template <typename T = float>
class Trainer {
 public:
  /// @throws as `LanguageModel` and `AdamW`; ValueError for steps or a batch below 1, and for a
  /// vocabulary or length of the model that is less than the task's; CapacityError for the memory.
  /// `held_out` is what evaluation draws from; the task itself unless given.
  Trainer(const TrainerOptions& options, std::shared_ptr<const Task> task,
          std::shared_ptr<const Task> held_out = nullptr);

  /// One slice of a step: forward and backward, and after the last slice of the batch the update.
  /// Returns whether all steps are done; calls after that do nothing.
  bool step();
  /// Steps until so many milliseconds have passed on `clock`, `until` steps of the optimiser are
  /// finished, counted from the first, or all are; at least one step, unless that is so already.
  /// The clock says only where to pause: the curve is that of `step`.
  /// @throws ValueError unless 0 ≤ milliseconds ≤ kMaxSliceMilliseconds and until ≥ 0.
  TrainingSlice advance(double milliseconds, std::optional<Index> until, Clock clock);
  bool done() const { return finished() >= options_.steps; }
  /// The share of the work that is done, 0 … 1.
  double progress() const;
  /// How many tokens go through the model in all steps.
  std::uint64_t tokens_in_all() const {
    return static_cast<std::uint64_t>(options_.steps * options_.batch * task_->length());
  }
  /// Steps of the optimiser so far.
  Index finished() const { return static_cast<Index>(curve_.size()); }
  const std::vector<TrainingPoint>& curve() const { return curve_; }
  const LanguageModel<T>& model() const { return model_; }
  /// As given, but `slice` is what it came to.
  const TrainerOptions& options() const { return options_; }
  /// The gradients of the last finished step, before clipping changed them.
  const Vector<T>& gradients() const { return gradients_; }
  /// What the last slice kept for its way back, and how often its layers ran.
  const StepWork& step_work() const { return memory_.work(); }

  /// The loss on `batches` batches of the training's size that training never saw, the same at
  /// every call. @throws ValueError unless 1 ≤ batches ≤ kMaxEvaluationBatches.
  BatchResult evaluate(Index batches = 1) const;

  /// A copy of everything that the run needs, after the last finished step.
  TrainerSnapshot<T> snapshot() const;
  /// Goes on from a snapshot; a step that is under way is begun again.
  /// @throws ShapeError, ValueError for a snapshot of another model or a longer run.
  void restore(const TrainerSnapshot<T>& snapshot);

 private:
  void update();

  TrainerOptions options_;
  std::shared_ptr<const Task> task_, held_out_;
  LanguageModel<T> model_;
  AdamW<T> optimizer_;
  Vector<T> decays_, gradients_, sum_;
  TaskBatch batch_;
  DrawMemory drawing_;
  StepMemory memory_;
  Index slices_done_ = 0, counted_ = 0;
  double loss_ = 0, accuracy_ = 0;
  std::vector<TrainingPoint> curve_;
};

}  // namespace attn
