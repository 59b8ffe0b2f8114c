#pragma once
// What small language models are trained on, each with the loss that no model gets under and the
// one of a model that knows nothing.

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/base/rng.hpp"
#include "attn/base/tensor.hpp"

namespace attn {

/// Sequences of one length, one after the other, and for each place the token that is to be said
/// there; `kIgnoredTarget` where none is.
struct TaskBatch {
  Index batch = 0, length = 0;
  std::vector<std::int32_t> tokens, targets;
};

/// What can be said of a task beforehand.
struct TaskBounds {
  /// The mean loss in nats and the accuracy of always guessing uniformly among the tokens that can
  /// be an answer.
  double chance_loss = 0, chance_accuracy = 0;
  /// The least mean loss that any model can have which sees earlier tokens only, and the accuracy
  /// of the best guess; NaN where nobody knows.
  double floor_loss = 0, best_accuracy = 1;
  /// Of tasks that are solved by finding an earlier copy of a token: the accuracy of copying
  /// without a look at the tokens, always from the likeliest distance, which may depend on the
  /// place. 1 where one distance is always right, so that a head of positions is enough; NaN for
  /// other tasks.
  double position_accuracy = std::numeric_limits<double>::quiet_NaN();
};

/// What drawing works in, kept from batch to batch so that later ones allocate nothing.
struct DrawMemory {
  std::vector<std::int32_t> keys, values;
  std::vector<double> gaps, left;
  std::vector<char> filled;
};

/// Draws batches. Immutable: what a batch is depends on the generator alone.
class Task {
 public:
  virtual ~Task() = default;
  virtual Index vocabulary() const = 0;
  virtual Index length() const = 0;
  virtual TaskBounds bounds() const = 0;
  /// O(batch·length), and for recall O(batch·length·pairs).
  /// @throws ValueError unless batch ≥ 1.
  TaskBatch draw(Index batch, Rng& rng) const;
  /// The same into `made`, which keeps its memory. @throws as `draw`
  virtual void draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const = 0;
};

/// A chain of tokens, each drawn from the row of the one before.
class MarkovTask final : public Task {
 public:
  /// Rows of transition probabilities made from the seed: softmax of N(0, sharpness²) logits.
  /// @throws ValueError unless vocabulary ≥ 2, length ≥ 1, sharpness ≥ 0 and finite.
  MarkovTask(Index vocabulary, Index length, std::uint64_t seed, double sharpness = 2);
  /// Given transitions, a row for each token.
  /// @throws ShapeError unless square with at least two rows; ValueError for rows that are not
  /// probabilities, length < 1.
  MarkovTask(Matrix<double> transitions, Index length);

  Index vocabulary() const override { return transitions_.rows(); }
  Index length() const override { return length_; }
  /// The floor is the entropy rate: the last place of a sequence as the others, the first token of
  /// all drawn from the stationary distribution.
  TaskBounds bounds() const override;
  void draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const override;

  /// The mean of −ln P(next token | token) in nats over a text: what the chain itself makes of it.
  /// @throws ShapeError for fewer than two tokens, ValueError for a token that is not its own.
  double loss(std::span<const std::int32_t> tokens) const;

  const Matrix<double>& transitions() const { return transitions_; }
  /// π with π = π·transitions.
  const Vector<double>& stationary() const { return stationary_; }
  /// Σ_i π_i H(row i), in nats (Cover and Thomas, Elements of Information Theory, eq. 4.26).
  double entropy_rate() const;

 private:
  void prepare();

  Matrix<double> transitions_;
  Index length_;
  Vector<double> stationary_;
};

/// How often each token is followed by each other one in texts of `length` tokens that stand one
/// after another: vocabulary×vocabulary, row i the shares of the tokens after i, which sum to 1, or
/// NaN where nothing follows i. From the end of a text to the next one nothing follows.
/// @throws ValueError unless vocabulary ≥ 2 and length ≥ 2, for a token that is not in the
/// vocabulary; ShapeError unless the tokens are whole texts.
Matrix<double> transition_shares(std::span<const std::int32_t> tokens, Index length,
                                 Index vocabulary);

struct RecallOptions {
  /// Even halves: keys are 1 … vocabulary/2 − 1, values the upper half.
  Index vocabulary = 128, length = 64, pairs = 8;
  /// Fills the places without a query with tokens of the whole vocabulary, which may be keys and
  /// values too; otherwise with 0.
  bool random_non_queries = true;
  /// Below 1, queries come early: the gap after the pairs is drawn with p ∝ a·x^(a − 1).
  double power = 0.01;
};

/// Associative recall of several keys, as HazyResearch/zoology's generator draws it (Arora et al.
/// 2023, arXiv:2312.04927, appendix A): pairs of key and value, then each key once more, where its
/// value is to be said.
class RecallTask final : public Task {
 public:
  /// @throws ValueError for an odd length, pairs·4 > length, or fewer keys than pairs.
  explicit RecallTask(const RecallOptions& options);

  Index vocabulary() const override { return options_.vocabulary; }
  Index length() const override { return options_.length; }
  /// Chance is among the values. With random fillers a query may be hidden among other keys, but
  /// what is asked for is still its value: the floor is 0.
  TaskBounds bounds() const override;
  void draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const override;
  const RecallOptions& options() const { return options_; }

 private:
  RecallOptions options_;
};

/// For each place of a sequence of `pairs` keys and values, and then others: the value of the token
/// there if it is one of the keys, else `kIgnoredTarget`; also for the pairs themselves.
/// @throws ValueError unless pairs ≥ 1, ShapeError for a sequence that is shorter.
std::vector<std::int32_t> recall_answers(std::span<const std::int32_t> tokens, Index pairs);

/// Random tokens, a separator, and the same tokens again, which are to be said: in their order, or
/// the last one first.
class CopyTask final : public Task {
 public:
  /// `width` tokens are copied, of `vocabulary` − 1 kinds; the last token is the separator.
  /// @throws ValueError unless vocabulary ≥ 3 and width ≥ 1.
  CopyTask(Index vocabulary, Index width, bool reversed = false);

  Index vocabulary() const override { return vocabulary_; }
  Index length() const override { return 2 * width_; }
  TaskBounds bounds() const override;
  void draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const override;

 private:
  Index vocabulary_, width_;
  bool reversed_;
};

/// A number of tokens that is drawn anew for each sequence, uniform between both ends.
struct LengthRange {
  Index shortest = 0, longest = 0;
};

/// Different tokens, and then the same ones again and again. How many they are, the period p, is
/// drawn for each sequence. From place p on, where every token has been there before, the next
/// token is to be said: the one behind the last copy, which an induction head finds (Olsson et al.
/// 2022, arXiv:2209.11895). With one period for all sequences it also stands always p − 1 tokens
/// back, which a head of positions finds.
class PeriodTask final : public Task {
 public:
  /// @throws ValueError unless vocabulary ≥ 2, length ≥ 3 and 2 ≤ shortest ≤ longest <
  /// min(vocabulary + 1, length).
  PeriodTask(Index vocabulary, Index length, const LengthRange& periods);

  Index vocabulary() const override { return vocabulary_; }
  Index length() const override { return length_; }
  /// The floor is 0. O(length·ln(length)).
  TaskBounds bounds() const override;
  void draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const override;

 private:
  Index vocabulary_, length_;
  LengthRange periods_;
};

/// Random tokens, of which a piece is copied over later ones. How far behind the piece its copy
/// begins is drawn for each sequence, and then where the piece lies. Within the copy the next token
/// is to be said. Equal tokens may stand elsewhere too, so that one equal token is a good guess and
/// two are a better one.
class SegmentTask final : public Task {
 public:
  /// @throws ValueError unless vocabulary ≥ 2, 2 ≤ piece ≤ length/2 and piece ≤ shortest ≤ longest
  /// ≤ length − piece.
  SegmentTask(Index vocabulary, Index length, Index piece, const LengthRange& distances);

  Index vocabulary() const override { return vocabulary_; }
  Index length() const override { return length_; }
  /// Nobody knows the floor: some pieces have several copies by chance. O(length) for
  /// each distance.
  TaskBounds bounds() const override;
  void draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const override;

 private:
  Index vocabulary_, length_, piece_;
  LengthRange distances_;
};

/// Hides tokens of another task's sequences and asks for them, and for nothing else: what models
/// that see both sides learn from, because the next token would stand before their eyes. As
/// google-research/bert draws it (create_masked_lm_predictions; Devlin et al. 2019,
/// arXiv:1810.04805, section 3.1): round(share·length) places of each sequence, at least one; of
/// these 80 % become the mask token, 10 % a random token of the vocabulary, and 10 % stay.
class MaskedTask final : public Task {
 public:
  /// @throws ValueError unless 0 < share ≤ 0.9.
  explicit MaskedTask(std::shared_ptr<const Task> source, double share = 0.15);

  /// One more than the source's: the last is the mask token.
  Index vocabulary() const override { return source_->vocabulary() + 1; }
  Index length() const override { return source_->length(); }
  /// Chance is among the source's tokens. Nobody knows the floor.
  TaskBounds bounds() const override;
  void draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const override;

  const Task& source() const { return *source_; }
  Index mask_token() const { return source_->vocabulary(); }
  /// How many places of each sequence are asked for.
  Index chosen() const;

 private:
  std::shared_ptr<const Task> source_;
  double share_;
};

/// Pieces of a text of tokens.
class TextTask final : public Task {
 public:
  /// Pieces are drawn from tokens first … first + count − 1 of `text`: keep a part for evaluation.
  /// @throws ValueError for a length below 1, a part outside the text or not longer than `length`,
  /// or a token outside the vocabulary.
  TextTask(std::vector<std::int32_t> text, Index vocabulary, Index length, Index first,
           Index count);

  Index vocabulary() const override { return vocabulary_; }
  Index length() const override { return length_; }
  /// Nobody knows the floor of a text.
  TaskBounds bounds() const override;
  void draw_into(Index batch, Rng& rng, TaskBatch& made, DrawMemory& memory) const override;
  /// The entropy in nats of its tokens taken one by one: what a model gets that knows how frequent
  /// each is and nothing else.
  double unigram_entropy() const;

 private:
  std::vector<std::int32_t> text_;
  Index vocabulary_, length_, first_, count_;
};

enum class TaskKind {
  kMarkov,   ///< `MarkovTask`
  kText,     ///< `TextTask`
  kRecall,   ///< `RecallTask`: MQAR
  kCopy,     ///< `CopyTask`
  kReverse,  ///< `CopyTask`, the last token first
  kPeriod,   ///< `PeriodTask`
  kSegment,  ///< `SegmentTask`
};

/// A task as somebody chooses it. Each kind reads the members that it knows.
struct TaskOptions {
  TaskKind kind = TaskKind::kMarkov;
  /// Kinds of tokens, and tokens of a sequence. A list that is copied is half as long, so that
  /// `length` has to be even there and in `recall`.
  Index vocabulary = 16, length = 32;
  /// `markov`: what the transitions are drawn from, and how far they are from uniform.
  std::uint64_t seed = 0;
  double sharpness = 2;
  /// `recall`: as in `RecallOptions`.
  Index pairs = 4;
  bool random_non_queries = true;
  double power = 0.01;
  /// `period`: the periods, both ends included; 0: length/6 … length/2, as far as there are tokens
  /// and a longer period can be held out. `segment`: how far behind the piece its copy begins; 0:
  /// what fits, without the longest third. Equal ends make a task that a head of positions solves.
  Index shortest = 0, longest = 0;
  /// The same for the sequences of evaluation; 0: those beyond `longest` that fit, periods up to
  /// two thirds of the length.
  Index held_out_shortest = 0, held_out_longest = 0;
  /// `segment`: how many tokens are copied; 0: length/3.
  Index piece = 0;
  /// Of any task: the share of places whose tokens are hidden and asked for, as in `MaskedTask`; 0:
  /// none, and the task's own targets.
  double masked = 0;
  /// `text`: the tokens, and which share of them, at the end, is kept for evaluation and never
  /// trained on.
  std::vector<std::int32_t> text;
  double held_out = 0.1;
};

/// What a model is trained on, and what it is evaluated on: the same task, for `text` another part
/// of the text, for `period` and `segment` other periods and distances. Both draw from the stream
/// that they are given.
struct TaskPair {
  std::shared_ptr<const Task> training, evaluation;
};

/// @throws as the tasks' constructors; ValueError for an odd length where it has to be even, a
/// share outside 0 … 0.9, and periods or distances beyond which there is none to hold out.
TaskPair make_tasks(const TaskOptions& options);

/// How often a value is found that a memory holds, without any training: N random keys with random
/// values of ±1 are attended to with the keys themselves as queries, and an answer counts where the
/// nearest of the N values is the right one.
struct RecallTrial {
  Index pairs = 16, d_k = 16, d_v = 32;
  /// Keys are scale·N(0, 1), as they are drawn in training.
  double scale = 2;
};

/// The share of right answers of softmax attention (an empty feature map) or of linear attention
/// with that map's default parameters, for one seed. O(pairs²·(d_k + d_v)).
/// @throws ValueError for sizes below 1, an unknown map
double recall_share(std::string_view feature_map, const RecallTrial& trial, std::uint64_t seed);

}  // namespace attn
