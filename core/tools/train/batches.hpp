#pragma once
// What the models of web/models are trained on.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "attn/models/tasks.hpp"

namespace attn::train {

/// p different tokens in random order, said again and again: where a token stood before, the one
/// after it says what comes. p is drawn anew for each sequence, so that no fixed distance does.
/// What comes is to be said from the second time on. The tokens are of so many kinds, spread evenly
/// over the vocabulary.
class RepeatTask final : public Task {
 public:
  RepeatTask(Index vocabulary, Index length, Index kinds, Index shortest, Index longest)
      : vocabulary_(vocabulary),
        length_(length),
        kinds_(kinds),
        shortest_(shortest),
        longest_(longest) {}

  Index vocabulary() const override { return vocabulary_; }
  Index length() const override { return length_; }
  TaskBounds bounds() const override;
  void draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const override;

 private:
  Index vocabulary_, length_, kinds_, shortest_, longest_;
};

/// Each sequence from the second task with probability `share`, else from the first.
class MixedTask final : public Task {
 public:
  MixedTask(std::shared_ptr<const Task> first, std::shared_ptr<const Task> second, double share)
      : first_(std::move(first)), second_(std::move(second)), share_(share) {}

  Index vocabulary() const override { return first_->vocabulary(); }
  Index length() const override { return first_->length(); }
  TaskBounds bounds() const override { return first_->bounds(); }
  void draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const override;

 private:
  std::shared_ptr<const Task> first_, second_;
  double share_;
};

/// The sequences of a text, of which 15 % of the tokens are to be said: of these 80 % are hidden
/// behind a token of their own, the last of the vocabulary, 10 % are another token and 10 % are
/// left (Devlin et al. 2019, arXiv:1810.04805, section 3.1).
class MaskedText final : public Task {
 public:
  explicit MaskedText(std::shared_ptr<const Task> text) : text_(std::move(text)) {}

  Index vocabulary() const override { return text_->vocabulary() + 1; }
  Index length() const override { return text_->length(); }
  TaskBounds bounds() const override { return text_->bounds(); }
  void draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const override;

 private:
  std::shared_ptr<const Task> text_;
};

}  // namespace attn::train
