#include "batches.hpp"

#include <cmath>

#include "attn/nn/cross_entropy.hpp"

namespace attn::train {

TaskBounds RepeatTask::bounds() const {
  const double n = static_cast<double>(kinds_);
  return {std::log(n), 1 / n, 0, 1};
}

void RepeatTask::draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const {
  made.batch = batch;
  made.length = length_;
  made.tokens.clear();
  made.targets.clear();
  std::vector<std::int32_t>& all = memory.keys;
  for (Index s = 0; s < batch; ++s) {
    const Index period =
        shortest_ +
        static_cast<Index>(rng.below(static_cast<std::uint64_t>(longest_ - shortest_ + 1)));
    all.resize(static_cast<std::size_t>(kinds_));
    for (Index i = 0; i < kinds_; ++i) {
      all[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i * vocabulary_ / kinds_);
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(period); ++i) {
      std::swap(all[i], all[i + static_cast<std::size_t>(rng.below(all.size() - i))]);
    }
    for (Index t = 0; t < length_; ++t) {
      made.tokens.push_back(all[static_cast<std::size_t>(t % period)]);
      made.targets.push_back(t < period ? kIgnoredTarget
                                        : all[static_cast<std::size_t>((t + 1) % period)]);
    }
  }
}

void MixedTask::draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const {
  made.batch = batch;
  made.length = length();
  made.tokens.clear();
  made.targets.clear();
  TaskBatch one;
  for (Index s = 0; s < batch; ++s) {
    const Task& task = rng.uniform() < share_ ? *second_ : *first_;
    task.draw_into(1, rng, one, memory);
    made.tokens.insert(made.tokens.end(), one.tokens.begin(), one.tokens.end());
    made.targets.insert(made.targets.end(), one.targets.begin(), one.targets.end());
  }
}

void MaskedText::draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const {
  text_->draw_into(batch, rng, made, memory);
  const auto hidden = static_cast<std::int32_t>(text_->vocabulary());
  for (std::size_t i = 0; i < made.tokens.size(); ++i) {
    if (rng.uniform() >= 0.15) {
      made.targets[i] = kIgnoredTarget;
      continue;
    }
    made.targets[i] = made.tokens[i];
    const double fate = rng.uniform();
    if (fate < 0.8) {
      made.tokens[i] = hidden;
    } else if (fate < 0.9) {
      made.tokens[i] =
          static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(text_->vocabulary())));
    }
  }
}

}  // namespace attn::train
