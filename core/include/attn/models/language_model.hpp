#pragma once
// A small language model: embeddings, residual blocks with any sequence mixers, a norm and logits.
// Its layout and names are those of GPT-2 (Radford et al. 2019) as torch.nn writes it.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "attn/base/rng.hpp"
#include "attn/base/tensor.hpp"
#include "attn/models/block.hpp"
#include "attn/nn/cross_entropy.hpp"

namespace attn {

/// The most layers of a model.
inline constexpr Index kMostLayers = 256;

struct LanguageModelOptions {
  Index vocabulary = 16, d_model = 32, layers = 2;
  /// The longest sequence.
  Index length = 32;
  /// One for every layer, or one for all. Of each, `d_model`, `length` and `sees` are the model's.
  std::vector<SequenceMixerOptions> mixers = {{}};
  SeenTokens sees = SeenTokens::kEarlier;
  /// Whether a learned vector for each position is added to the embeddings.
  bool positions = true;
  BlockNorm norm = BlockNorm::kLayer;
  /// The width of the feed-forward networks; 0: none.
  Index feed_forward = 0;
  bool gated = false;
  Activation activation = Activation::kGelu;
  /// Whether the logits use the table of the embeddings.
  bool tied = false;
  /// The spread of the embeddings at the start.
  double embedding_size = 0.02;
};

/// How the next token is chosen.
struct SamplingOptions {
  /// Logits are divided by it; 0: the largest logit is taken (greedy).
  double temperature = 1;
  /// How many of the largest logits are left to choose from; 0: all.
  Index top_k = 0;
};

/// The gate of one head of a model: the factor on its output. 0 cuts the head, 1 leaves it as it
/// is.
struct HeadGate {
  /// From 0.
  Index layer = 0, head = 0;
  double gate = 0;
};

/// A head of a model that has a feature map for its softmax.
template <typename T = float>
struct ModelMap {
  Index layer = 0;
  MappedHead<T> map;
};

/// What is done to the heads of a model while it runs, in any number of them at once.
template <typename T = float>
struct ModelGates {
  /// Heads that are not named have the gate 1, which changes no bit.
  std::vector<HeadGate> heads;
  /// What takes the place of what a gate keeps back: for each layer a row for each head, as
  /// `LanguageModel::head_means` gives them (mean ablation); without rows for a layer, and for all
  /// layers where there are none, zeros (zero ablation).
  std::vector<Matrix<T>> instead;
  /// Heads with a feature map in the place of their softmax. The caches of generation stay those of
  /// softmax, since the other heads need them.
  std::vector<ModelMap<T>> maps = {};
  /// The cells that every head of every layer keeps, n×n for texts of n tokens
  /// (`HeadGates::keep`). Empty: all.
  Matrix<T> keep = {};
  /// Every head of every layer chooses blocks of keys (`HeadGates::blocks`).
  std::optional<BlockChoiceOptions> blocks = {};
  /// The caches of all heads have few bits (`HeadGates::cache`).
  std::optional<QuantizedCacheOptions> cache = {};
};

/// The gradients of the losses by the gates of all heads.
template <typename T = float>
struct GateGradients {
  /// Of each sequence by itself: the mean over its targets; NaN without any.
  std::vector<double> losses;
  /// For each layer (sequences·n)×heads: what each token adds to ∂(loss of its sequence)/∂(gate).
  /// No columns for a layer whose heads have no outputs of their own.
  std::vector<Matrix<T>> parts;
};

/// What a batch came to.
struct BatchResult {
  /// The mean cross-entropy in nats over the targets that count, and the share of them that the
  /// largest logit meets.
  double loss = 0, accuracy = 0;
  Index counted = 0;
};

namespace internal {
class PlannedStep;
}

/// A number that no other object of this process has or had, from 1 on. It moves with what it
/// names, and what was moved from takes the next one. O(1).
class ModelIdentity {
 public:
  ModelIdentity() noexcept : number_(next()) {}
  ModelIdentity(ModelIdentity&& other) noexcept : number_(std::exchange(other.number_, next())) {}
  ModelIdentity& operator=(ModelIdentity&& other) noexcept {
    number_ = std::exchange(other.number_, next());
    return *this;
  }

  std::uint64_t number() const { return number_; }

 private:
  static std::uint64_t next() noexcept;

  std::uint64_t number_;
};

/// What a training step kept and did, counted while it ran.
struct StepWork {
  /// The most numbers that all layers kept for their way back at once, the inputs of segments
  /// among them. Where kernels do the work, each piece is a multiple of 16 numbers.
  std::uint64_t kept_numbers = 0;
  /// Of these, the most that one layer kept, and those of one layer's input.
  std::uint64_t largest_layer = 0, layer_input = 0;
  /// How often a layer ran forward; without segments once for each layer.
  std::uint64_t layer_forwards = 0;
};

/// The memory in which `LanguageModel::gradients` works, kept from batch to batch: the first batch
/// lays it out, and as long as none is larger, later ones allocate nothing (softmax, Hyena and
/// latent attention up to 512 tokens, linear attention up to 128, and every other mixer; beyond,
/// with ALiBi positions, where a token sees only those after it, or with a feature map
/// that has no kernel, layers make matrices of their own). For one thread at a time. It knows its
/// model by `LanguageModel::identity`; given to another one, it is laid out again.
///
/// With `checkpoint_every` = k > 0, only the input of every k-th layer is kept, and what the others
/// need for their way back is made again, k layers at a time (checkpointing; Chen et al. 2016,
/// arXiv:1604.06174; `checkpoint_plan` has the formulas). The last layers are kept as they are,
/// because their way back comes at once. Gradients are the same, bit for bit.
class StepMemory {
 public:
  /// @throws ValueError for a negative `checkpoint_every`.
  explicit StepMemory(Index checkpoint_every = 0);
  ~StepMemory();
  StepMemory(StepMemory&&) noexcept;
  StepMemory& operator=(StepMemory&&) noexcept;

  Index checkpoint_every() const { return checkpoint_every_; }
  /// Of the last step that worked in this memory.
  const StepWork& work() const { return work_; }

 private:
  template <typename T>
  friend class LanguageModel;
  Index checkpoint_every_ = 0;
  StepWork work_;
  std::unique_ptr<internal::PlannedStep> step_;
};

/// Tokens in, logits out; parameters, the matrices of every layer, and generation token by token.
template <typename T = float>
class LanguageModel {
 public:
  /// Parameters begin from the seed.
  /// @throws as `Block`, and ValueError for sizes below 1, more than kMostLayers layers or another
  /// number of mixers.
  explicit LanguageModel(const LanguageModelOptions& options, std::uint64_t seed = 0);

  const LanguageModelOptions& options() const { return options_; }
  const ParameterTable& table() const { return table_; }
  const Vector<T>& parameters() const { return parameters_; }
  /// The same, to change: for an optimiser, and to load them.
  Vector<T>& parameters() { return parameters_; }
  /// The number of this model, which goes with it where it is moved. No other model has or had it,
  /// also none at the same address, and all but the parameters stays the same as long as it does.
  std::uint64_t identity() const { return identity_.number(); }
  Index layers() const { return static_cast<Index>(blocks_.size()); }
  const Block<T>& block(Index layer) const;

  /// Logits of `batch` sequences of the same length, one below the other: (batch·n)×vocabulary.
  /// tokens: batch·n of them.
  /// @throws ShapeError, ValueError, also for gates of heads that are not there, that are named
  /// twice or have no outputs of their own; CapacityError for a length beyond the model's.
  Matrix<T> logits(std::span<const std::int32_t> tokens, Index batch,
                   const ModelGates<T>& gates = {}) const;

  /// The loss of a batch; targets as many as tokens, `kIgnoredTarget` where none counts.
  /// @throws as `logits` and `cross_entropy`
  BatchResult evaluate(std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets,
                       Index batch, const ModelGates<T>& gates = {}) const;

  /// The loss and its gradients by all parameters, in the order of `parameters`, written into
  /// `gradients`. Sequences in their order, sums from the first entry to the last: the same batch
  /// gives the same bits, with `memory` or without. In float32 kernels do the work, unless a meter
  /// counts: what the layers of nn/ and mixers/ give, up to rounding.
  /// @throws as `evaluate`
  BatchResult gradients(std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets,
                        Index batch, Vector<T>& gradients, StepMemory* memory = nullptr) const;
  /// The same for a part of a larger batch in which `counted` targets count: the gradients of the
  /// part's share of the mean loss are added to `gradients`. The loss returned is the mean of the
  /// part.
  /// @throws as `evaluate`, and ShapeError unless there are as many gradients, and as many numbers
  /// in `parameters`, as the table has
  BatchResult add_gradients(std::span<const std::int32_t> tokens,
                            std::span<const std::int32_t> targets, Index batch, Index counted,
                            Vector<T>& gradients, StepMemory* memory = nullptr) const;

  /// The gradients of each sequence's loss by the gates of all heads, at `gates`: one way forward
  /// and one back for all of them. Sequences stay apart, because importance is a mean of absolute
  /// values, in which signs must not cancel.
  /// @throws as `evaluate`
  GateGradients<T> gate_gradients(std::span<const std::int32_t> tokens,
                                  std::span<const std::int32_t> targets, Index batch,
                                  const ModelGates<T>& gates = {}) const;
  /// The mean output of each head over all tokens of a batch: for each layer heads×d_v, without
  /// rows for one whose heads have no outputs of their own.
  /// @throws as `logits`
  std::vector<Matrix<T>> head_means(std::span<const std::int32_t> tokens, Index batch) const;

  /// What a head compares and mixes in each sequence (`SequenceMixer::head_inputs`).
  /// @throws as `logits` and `SequenceMixer::head_inputs`, ValueError for a layer that is not there
  std::vector<Qkv<T>> head_inputs(std::span<const std::int32_t> tokens, Index batch, Index layer,
                                  Index head) const;

  /// The loss of every target of one batch by itself, in nats; 0 where none counts. batch·n.
  /// @throws as `evaluate`
  std::vector<double> losses(std::span<const std::int32_t> tokens,
                             std::span<const std::int32_t> targets, Index batch,
                             const ModelGates<T>& gates = {}) const;

  /// The loss of every target when the model is given the tokens up to its place and no later ones,
  /// as in generation: −ln P(target t | tokens 0 … t), in nats; 0 where none counts. For a model
  /// that sees earlier tokens only it is `losses`. One forward pass a place.
  /// @throws as `losses`
  std::vector<double> prefix_losses(std::span<const std::int32_t> tokens,
                                    std::span<const std::int32_t> targets, Index batch,
                                    const ModelGates<T>& gates = {}) const;

  /// The matrix that a head (or channel) of a layer's mixer applies in one sequence. n×n.
  /// @throws as `logits` and `SequenceMixer::weights`, ValueError for a layer that is not there.
  Matrix<T> weights(std::span<const std::int32_t> tokens, Index layer, Index which,
                    const ModelGates<T>& gates = {}) const;

  /// What goes on from token to token, for every layer.
  struct State {
    Index position = 0;
    std::vector<MixerState<T>> layers;
  };
  State start() const;
  /// The logits after one more token. @throws ValueError for a token that is not in the vocabulary
  /// or a model that sees later tokens; CapacityError beyond `length`, where the model has
  /// positions; ValueError for gates as in `logits`.
  Vector<T> step(State& state, std::int32_t token, const ModelGates<T>& gates = {}) const;
  /// The numbers of the states of all layers after n tokens.
  std::uint64_t state_numbers(Index n) const;

  /// `count` tokens more, each chosen from the logits after those before it. With a cache or state:
  /// one step a token. A model that sees later tokens, which never had to go on from a prefix, is
  /// given the whole text so far at every token.
  /// @throws as `logits`, and ValueError for an empty prompt or a temperature below 0.
  std::vector<std::int32_t> generate(std::span<const std::int32_t> prompt, Index count,
                                     const SamplingOptions& sampling, Rng& rng,
                                     const ModelGates<T>& gates = {}) const;

 private:
  struct Run;
  /// Those of each layer.
  using Gates = std::vector<HeadGates<T>>;

  void require_batch(std::span<const std::int32_t> tokens, Index batch) const;
  Matrix<T> embedded(std::span<const std::int32_t> tokens, Index batch) const;
  Gates gates_of(const ModelGates<T>& gates) const;
  Matrix<T> forward(std::span<const std::int32_t> tokens, Index batch, const Gates& gates,
                    Run* run) const;
  Matrix<T> through(Index layer, In<T> X, Index batch, const HeadGates<T>& gates,
                    BlockRun<T>* run) const;
  /// Adds the gradients by all parameters of what the logits of `run` have the gradient `d_logits`
  /// by; writes those by the gates of heads unless `parts` is null. What `run` kept is given up on
  /// the way.
  StepWork backward(Run& run, std::span<const std::int32_t> tokens, Index batch, In<T> d_logits,
                    const Gates& gates, Vector<T>& gradients, std::vector<Matrix<T>>* parts) const;
  Vector<T> step_with(State& state, std::int32_t token, const Gates& gates) const;

  ModelIdentity identity_;
  LanguageModelOptions options_;
  std::vector<Block<T>> blocks_;
  std::vector<Index> block_at_;
  ParameterTable table_;
  Vector<T> parameters_;
};

/// How large the gradients by one parameter are, or its numbers.
struct ParameterQuantiles {
  std::string name;
  Index count = 0;
  /// √ of the sum of squares.
  double norm = 0;
  /// The quantiles of the absolute values that were asked for; between two numbers on the line that
  /// joins them.
  std::vector<double> quantiles;
};

/// One for each entry of the table. O(size·log(size)).
/// @throws ShapeError unless `values` has as many entries as the table; ValueError for a
/// probability outside 0 … 1.
template <typename T = float>
std::vector<ParameterQuantiles> parameter_quantiles(const ParameterTable& table, InVector<T> values,
                                                    std::span<const double> probabilities);

/// The token that one row of logits gives. Greedy: the first of the largest.
/// @throws ShapeError for no logits, ValueError for a temperature below 0 or a negative `top_k`.
template <typename T = float>
std::int32_t choose_token(InVector<T> logits, const SamplingOptions& sampling, Rng& rng);

}  // namespace attn
