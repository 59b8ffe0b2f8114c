// Calls of attn/models: tokens, tasks, and a language model that is trained, read and made to
// speak.

#include <emscripten/emscripten.h>

#include <memory>
#include <optional>

#include "../handles.hpp"
#include "attn/models/head_surgery.hpp"
#include "attn/models/influence.hpp"
#include "attn/models/language_model.hpp"
#include "attn/models/model_file.hpp"
#include "attn/models/nearest_key.hpp"
#include "attn/models/reversal.hpp"
#include "attn/models/safetensors.hpp"
#include "attn/models/speculative.hpp"
#include "attn/models/tasks.hpp"
#include "attn/models/tokenizer.hpp"
#include "attn/models/trainer.hpp"
#include "shared.hpp"

namespace attn::wasm {

// --- Tokens --------------------------------------------------------------------------------------

ATTN_KEPT(Tokenizer, "Tokenizer")

struct TokenizerInfo {
  /// How many tokens there are.
  Index vocabulary = 0;
  /// What each stands for: characters first, then what was merged.
  std::vector<std::string> texts;
};
ATTN_STRUCT(TokenizerInfo, vocabulary, texts)

#ifndef ATTN_MODULE_START
namespace {

TokenizerInfo tokenizer_info_of(const Tokenizer& tokenizer) {
  TokenizerInfo info{tokenizer.vocabulary(), {}};
  for (Index i = 0; i < info.vocabulary; ++i) {
    info.texts.push_back(tokenizer.text_of(static_cast<std::int32_t>(i)));
  }
  return info;
}

}  // namespace
#endif

/// Learns a vocabulary from a text: its characters, and so many merged pairs.
ATTN_CALL(full, tokenizer_make, (handle, text, otherwise(merges, 0)),
          [](New<Tokenizer> handle, std::string_view text, Index merges) {
            return tokenizer_info_of(handle.keep(Tokenizer(text, merges)));
          })
/// The vocabulary of a model's file.
ATTN_CALL(full, tokenizer_open, (handle, file), [](New<Tokenizer> handle, const Bytes& file) {
  return tokenizer_info_of(handle.keep(tokenizer_of(read_safetensors(file.data).metadata)));
})
/// What tokens there are.
ATTN_CALL(full, tokenizer_info, (handle),
          [](Kept<Tokenizer> tokenizer) { return tokenizer_info_of(*tokenizer); })
ATTN_CALL(full, tokenizer_encode, (handle, text),
          [](Kept<Tokenizer> tokenizer, std::string_view text) { return tokenizer->encode(text); })
ATTN_CALL(full, tokenizer_decode, (handle, tokens),
          [](Kept<Tokenizer> tokenizer, std::span<const std::int32_t> tokens) {
            return tokenizer->decode(tokens);
          })
ATTN_CALL(full, tokenizer_delete, (handle), [](Gone<Tokenizer>) { return Nothing(); })

// --- Tasks ---------------------------------------------------------------------------------------

ATTN_ENUM(TaskKind, kMarkov, kText, kRecall, kCopy, kReverse, kPeriod, kSegment)
ATTN_OPTIONS(TaskOptions, kind, vocabulary, length, seed, sharpness, pairs, random_non_queries,
             power, shortest, longest, held_out_shortest, held_out_longest, piece, masked, text,
             held_out)
ATTN_STRUCT(TaskBounds, chance_loss, chance_accuracy, floor_loss, best_accuracy, position_accuracy)

/// What can be said of a task before anything is trained.
struct TaskDescription {
  Index vocabulary = 0, length = 0;
  TaskBounds bounds;
  /// The same of what is held out for evaluation.
  TaskBounds held_out;
  /// `masked`: the token that stands for a hidden one.
  std::optional<Index> mask_token;
  /// `text`: nats of a token when one knows how frequent each is and nothing else, in the part that
  /// is trained on.
  std::optional<double> unigram_entropy;
};
ATTN_STRUCT(TaskDescription, vocabulary, length, flat(bounds), held_out, mask_token,
            unigram_entropy)
ATTN_CALL(full, describe_task, (flat(task)), [](const TaskOptions& options) {
  const TaskPair tasks = attn::make_tasks(options);
  const Task* task = tasks.training.get();
  TaskDescription made{task->vocabulary(),         task->length(), task->bounds(),
                       tasks.evaluation->bounds(), std::nullopt,   std::nullopt};
  if (options.masked > 0) {
    const auto& masked = static_cast<const MaskedTask&>(*task);
    made.mask_token = masked.mask_token();
    task = &masked.source();
  }
  if (options.kind == TaskKind::kText) {
    made.unigram_entropy = static_cast<const TextTask&>(*task).unigram_entropy();
  }
  return made;
})

ATTN_STRUCT(TaskBatch, batch, length, tokens, targets)
/// Sequences as training gets them: `tokens` and, for each place, the token that is to be said
/// there, or -100 where none is. The same seed and stream draw the same batch.
ATTN_CALL(full, draw_batch,
          (task, batch, otherwise(seed, 0), otherwise(stream, 0), otherwise(held_out, false)),
          [](const TaskOptions& options, Index batch, std::uint64_t seed, std::uint64_t stream,
             bool held_out) {
            const TaskPair tasks = attn::make_tasks(options);
            Rng rng(seed, stream);
            return (held_out ? tasks.evaluation : tasks.training)->draw(batch, rng);
          })

/// The chain of a `markov` task.
struct MarkovSource {
  /// vocabulary×vocabulary: row i has the probabilities of the token after i.
  Matrix<double> transitions;
  /// 1×vocabulary: how often each token occurs in the long run.
  Matrix<double> stationary;
  /// In nats a token: the least loss of a model that sees earlier tokens only.
  double entropy_rate = 0;
};
ATTN_STRUCT(MarkovSource, transitions, stationary, entropy_rate)
/// The chain behind a `markov` task of these options.
ATTN_CALL(
    full, markov_source, (vocabulary, seed, otherwise(sharpness, TaskOptions().sharpness)),
    [](Index vocabulary, std::uint64_t seed, double sharpness) {
      const MarkovTask task(vocabulary, 1, seed, sharpness);
      return MarkovSource{task.transitions(), task.stationary().transpose(), task.entropy_rate()};
    })
/// What that chain makes of a text, say a generated one: the mean of −ln P(next token | token).
ATTN_CALL(full, markov_loss,
          (vocabulary, seed, otherwise(sharpness, TaskOptions().sharpness), tokens),
          [](Index vocabulary, std::uint64_t seed, double sharpness,
             std::span<const std::int32_t> tokens) -> double {
            return MarkovTask(vocabulary, 1, seed, sharpness).loss(tokens);
          })
/// How often each token is followed by each other one in texts of `length` tokens, one after
/// another: rows of shares, NaN for a token that nothing follows.
ATTN_CALL(full, transition_shares, (tokens, length, vocabulary), attn::transition_shares)

ATTN_OPTIONS(RecallTrial, pairs, d_k, d_v, scale)
/// @param feature_map An id of `featureMaps`; left out: softmax attention.
ATTN_CALL(full, recall_share,
          (otherwise(feature_map, std::string()), flat(trial), otherwise(seed, 0)),
          [](const std::string& feature_map, const RecallTrial& trial, std::uint64_t seed) {
            return attn::recall_share(feature_map, trial, seed);
          })
/// The same for `batch` sequences of one length, one after the other.
ATTN_CALL(full, recall_answers, (tokens, pairs, otherwise(batch, 1)),
          [](std::span<const std::int32_t> tokens, Index pairs, Index batch) {
            if (batch < 1) throw ValueError("batch", phrase::number(batch), phrase::at_least(1));
            std::vector<std::int32_t> all;
            const std::size_t each = tokens.size() / static_cast<std::size_t>(batch);
            for (Index s = 0; s < batch; ++s) {
              const auto one = attn::recall_answers(
                  tokens.subspan(static_cast<std::size_t>(s) * each, each), pairs);
              all.insert(all.end(), one.begin(), one.end());
            }
            return all;
          })

// --- A language model ----------------------------------------------------------------------------

ATTN_ENUM(BlockNorm, kLayer, kRms)
ATTN_ENUM(StoredNumbers, kExact, kInt8)
ATTN_OPTIONS(LanguageModelOptions, vocabulary, d_model, layers, length, mixers, sees, positions,
             norm, feed_forward, gated, activation, tied, embedding_size)
ATTN_OPTIONS(SamplingOptions, temperature, top_k)
ATTN_OPTIONS(HeadGate, needed(layer), needed(head), gate)
ATTN_OPTIONS(MappedHead<float>, needed(head), feature_map, needed(Wq), needed(Wk))
ATTN_STRUCT(ModelMap<float>, layer, flat(map))
ATTN_OPTIONS(ModelGates<float>, heads, instead, maps, keep, blocks, cache)
ATTN_STRUCT(BatchResult, loss, accuracy, counted)
ATTN_OPTIONS(AdamWOptions, learning_rate, beta1, beta2, epsilon, weight_decay)
ATTN_OPTIONS(TrainerOptions, seed, steps, batch, flat(optimizer), cosine, warm_up, clip, slice,
             checkpoint_every)
ATTN_STRUCT(StepWork, kept_numbers, largest_layer, layer_input, layer_forwards)
ATTN_STRUCT(TrainingPoint, step, loss, accuracy, gradient_norm, learning_rate, tokens)

/// A model, and its training once that has begun: the training's own model is the model then.
struct ModelRun {
  LanguageModelOptions options;
  std::unique_ptr<LanguageModel<float>> alone;
  std::unique_ptr<Trainer<float>> trainer;

  const LanguageModel<float>& model() const { return trainer ? trainer->model() : *alone; }
  Trainer<float>& training() const {
    if (trainer) return *trainer;
    throw ValueError("handle", phrase::none, phrase::training_begun);
  }
};
ATTN_KEPT(ModelRun, "LanguageModel")

struct ModelLayer {
  /// The mixer's id.
  std::string_view mixer;
  Index parameters = 0;
  /// How many matrices `languageModelAttention` shows of it: one a head, or a channel.
  Index matrices = 0;
  /// Whether its state has one size however many tokens there were.
  bool constant_state = false;
  /// The numbers of its state after `length` tokens.
  std::uint64_t state_numbers = 0;
  /// The multiply-adds of its mixer for one sequence of `length` tokens.
  std::uint64_t multiply_adds = 0;
};
ATTN_STRUCT(ModelLayer, mixer, parameters, matrices, constant_state, state_numbers, multiply_adds)

struct ModelParameter {
  /// "blocks.0.attn.q.weight"
  std::string name;
  Index rows = 0, cols = 0;
};
ATTN_STRUCT(ModelParameter, name, rows, cols)

struct LanguageModelInfo {
  /// How many numbers are learned.
  Index parameters = 0;
  Index vocabulary = 0, length = 0;
  /// The bytes of the caches and states of all layers after `length` tokens, four a number.
  std::uint64_t state_bytes = 0;
  std::vector<ModelLayer> layers;
  /// Every matrix and vector that is learned.
  std::vector<ModelParameter> tensors;
};
ATTN_STRUCT(LanguageModelInfo, parameters, vocabulary, length, state_bytes, layers, tensors)

struct ModelMatrix {
  /// From 0.
  Index layer = 0;
  /// Which head, or channel, of the layer.
  Index which = 0;
  /// n×n: row i is what place i takes of every place.
  Matrix<float> weights;
};
ATTN_STRUCT(ModelMatrix, layer, which, weights)
ATTN_STRUCT(ParameterQuantiles, name, count, norm, quantiles)

ATTN_STRUCT(TrainingSlice, points, finished, steps, done, progress, milliseconds, tokens_per_second)

/// A training as it begins.
struct TrainingInfo {
  Index steps = 0;
  /// Sequences that are worked on between two looks at the clock.
  Index slice = 0;
  /// Steps that were done before, where a run was taken up again.
  Index finished = 0;
  TaskBounds bounds;
};
ATTN_STRUCT(TrainingInfo, steps, slice, finished, flat(bounds))

#ifndef ATTN_MODULE_START
namespace {

LanguageModelInfo model_info_of(const LanguageModel<float>& model) {
  const LanguageModelOptions& options = model.options();
  LanguageModelInfo info;
  info.parameters = model.table().size();
  info.vocabulary = options.vocabulary;
  info.length = options.length;
  info.state_bytes = model.state_numbers(options.length) * sizeof(float);
  for (Index i = 0; i < model.layers(); ++i) {
    const Block<float>& block = model.block(i);
    const SequenceMixer<float>& mixer = block.mixer();
    info.layers.push_back({mixer.info().id, block.parameters().size(),
                           mixer.info().has_matrix ? mixer.weight_count() : 0,
                           mixer.info().constant_state, mixer.state_numbers(options.length),
                           mixer.multiply_adds(options.length)});
  }
  for (const ParameterInfo& entry : model.table().entries()) {
    info.tensors.push_back({entry.name, entry.rows, entry.cols});
  }
  return info;
}

/// Puts another model in the place of the one that is kept; its training ends.
LanguageModelInfo become(ModelRun& run, LanguageModel<float> model) {
  run.alone = std::make_unique<LanguageModel<float>>(std::move(model));
  run.trainer.reset();
  run.options = run.alone->options();
  return model_info_of(run.model());
}

TrainingInfo training_info_of(const Trainer<float>& trainer, const TaskBounds& bounds) {
  return {trainer.options().steps, trainer.options().slice, trainer.finished(), bounds};
}

}  // namespace
#endif

/// A language model whose parameters begin from `seed`, or are those of a file that
/// `languageModelSave` made of a model with the same options.
ATTN_CALL(full, language_model_make,
          (handle, flat(options), otherwise(seed, 0), otherwise(file, Bytes())),
          [](New<ModelRun> handle, const LanguageModelOptions& options, std::uint64_t seed,
             const Bytes& file) {
            ModelRun made{options, std::make_unique<LanguageModel<float>>(options, seed), nullptr};
            if (!file.data.empty()) {
              made.alone->parameters() = from_safetensors<float>(made.alone->table(), file.data);
            }
            return model_info_of(handle.keep(std::move(made)).model());
          })
/// The model of a file that says itself how it is built: what `languageModelSave` gives.
ATTN_CALL(full, language_model_open, (handle, file), [](New<ModelRun> handle, const Bytes& file) {
  auto model = std::make_unique<LanguageModel<float>>(model_from_file<float>(file.data));
  const LanguageModelOptions options = model->options();
  return model_info_of(handle.keep(ModelRun{options, std::move(model), nullptr}).model());
})
/// Its sizes: what is learned, what each layer carries from token to token, what it costs.
ATTN_CALL(full, language_model_info, (handle),
          [](Kept<ModelRun> run) { return model_info_of(run->model()); })
/// The bytes of the caches and states of all layers after so many tokens, four a number.
ATTN_CALL(full, language_model_state_bytes, (handle, tokens),
          [](Kept<ModelRun> run, Index tokens) -> std::uint64_t {
            return run->model().state_numbers(tokens) * sizeof(float);
          })
ATTN_CALL(full, language_model_logits,
          (handle, tokens, otherwise(batch, 1), otherwise(gates, ModelGates<float>())),
          [](Kept<ModelRun> run, std::span<const std::int32_t> tokens, Index batch,
             const ModelGates<float>& gates) { return run->model().logits(tokens, batch, gates); })
ATTN_CALL(full, language_model_losses,
          (handle, tokens, targets, otherwise(batch, 1), otherwise(gates, ModelGates<float>())),
          [](Kept<ModelRun> run, std::span<const std::int32_t> tokens,
             std::span<const std::int32_t> targets, Index batch, const ModelGates<float>& gates) {
            return run->model().losses(tokens, targets, batch, gates);
          })
ATTN_CALL(full, language_model_prefix_losses,
          (handle, tokens, targets, otherwise(batch, 1), otherwise(gates, ModelGates<float>())),
          [](Kept<ModelRun> run, std::span<const std::int32_t> tokens,
             std::span<const std::int32_t> targets, Index batch, const ModelGates<float>& gates) {
            return run->model().prefix_losses(tokens, targets, batch, gates);
          })
/// Every matrix that the mixers apply to one sequence, of all layers or of one. Layers whose mixer
/// has none are left out.
/// @param layer From 0; all layers unless given.
ATTN_CALL(full, language_model_attention,
          (handle, tokens, layer, otherwise(gates, ModelGates<float>())),
          [](Kept<ModelRun> run, std::span<const std::int32_t> tokens, std::optional<Index> layer,
             const ModelGates<float>& gates) {
            const LanguageModel<float>& model = run->model();
            std::vector<ModelMatrix> all;
            const Index first = layer.value_or(0), last = layer ? *layer + 1 : model.layers();
            for (Index i = first; i < last; ++i) {
              const SequenceMixer<float>& mixer = model.block(i).mixer();
              if (!mixer.info().has_matrix) continue;
              for (Index which = 0; which < mixer.weight_count(); ++which) {
                all.push_back({i, which, model.weights(tokens, i, which, gates)});
              }
            }
            return all;
          })
/// `count` tokens after the prompt; with a cache or state, one step a token. A temperature of 0
/// takes the likeliest token.
ATTN_CALL(full, language_model_generate,
          (handle, prompt, count, flat(sampling), otherwise(seed, 0),
           otherwise(gates, ModelGates<float>())),
          [](Kept<ModelRun> run, std::span<const std::int32_t> prompt, Index count,
             const SamplingOptions& sampling, std::uint64_t seed, const ModelGates<float>& gates) {
            Rng rng(seed);
            return run->model().generate(prompt, count, sampling, rng, gates);
          })
ATTN_STRUCT(SpeculativePair<float>, alpha, accept, residual)
ATTN_CALL(full, speculative_pair, (p, q), attn::speculative_pair<float>)
ATTN_STRUCT(SpeculativeGain, expected_tokens, speedup, best_gamma)
ATTN_CALL(full, speculative_gain, (alphas, gammas, costs), attn::speculative_gain)
ATTN_STRUCT(SpeculativeChain<float>, alpha, drafts, accepted, tokens, text,
            expected_tokens_first_run)
ATTN_CALL(full, speculative_chain, (P, Q, start, gamma, u), attn::speculative_chain<float>)
ATTN_STRUCT(TokenTest, statistic, freedom, chance, own_cells)
ATTN_CALL(full, chi_squared, (counts, probabilities), attn::chi_squared)

ATTN_OPTIONS(SpeculativeOptions, gamma, flat(sampling))
ATTN_STRUCT(SpeculativeText, tokens, tokens_of_runs, refused, decided, accepted, draft_steps,
            target_rows, target_rows_at_once, alpha, tokens_a_run, expected_tokens)
/// `count` tokens after the prompt that another model drafts and this one accepts or refuses: the
/// distribution of this one alone, and with a temperature of 0 its very text.
/// @param draft The `number` of the model that drafts.
ATTN_CALL(full, language_model_speculate,
          (handle, draft, prompt, count, flat(options), otherwise(seed, 0)),
          [](Kept<ModelRun> run, Kept<ModelRun> draft, std::span<const std::int32_t> prompt,
             Index count, const SpeculativeOptions& options, std::uint64_t seed) {
            Rng rng(seed);
            return attn::speculative_generate<float>(run->model(), draft->model(), prompt, count,
                                                     options, rng);
          })
/// How much the token at each place (columns) changes what the model says at each place (rows).
ATTN_CALL(full, language_model_influence, (handle, tokens, otherwise(draws, 1), otherwise(seed, 0)),
          [](Kept<ModelRun> run, std::span<const std::int32_t> tokens, Index draws,
             std::uint64_t seed) {
            Rng rng(seed);
            return attn::token_influence<float>(run->model(), tokens, draws, rng);
          })

/// One matrix or vector of what is learned, by its name.
ATTN_CALL(full, language_model_parameter, (handle, name),
          [](Kept<ModelRun> run, std::string_view name) -> Matrix<float> {
            const LanguageModel<float>& model = run->model();
            return view<float>(model.table().at(name), model.parameters());
          })
/// The model as a .safetensors file, with `about` in its metadata beside how it is built.
ATTN_CALL(full, language_model_save,
          (handle, otherwise(about, std::string()), otherwise(numbers, StoredNumbers::kExact)),
          [](Kept<ModelRun> run, const std::string& about, StoredNumbers numbers) -> Bytes {
            return {to_model_file<float>(run->model(), numbers, {{"about", about}})};
          })
/// What was said as `about` when a file or a run was saved; empty where nothing was.
ATTN_CALL(full, about_file, (file), [](const Bytes& file) -> std::string {
  const SafeTensors read = read_safetensors(file.data);
  const auto found = read.metadata.find("about");
  return found == read.metadata.end() ? "" : found->second;
})

// --- Its heads -----------------------------------------------------------------------------------

/// The mean output of each head over all tokens of the texts, for each layer heads×d_v: what
/// `instead` of gates takes for mean ablation.
ATTN_CALL(full, language_model_head_means, (handle, tokens, otherwise(batch, 1)),
          [](Kept<ModelRun> run, std::span<const std::int32_t> tokens, Index batch) {
            return run->model().head_means(tokens, batch);
          })
ATTN_STRUCT(ModelHeadImportance, losses, layers)
/// How much each head matters for these texts, from one way forward and one back.
ATTN_CALL(full, language_model_head_importance,
          (handle, tokens, targets, otherwise(batch, 1), otherwise(gates, ModelGates<float>())),
          [](Kept<ModelRun> run, std::span<const std::int32_t> tokens,
             std::span<const std::int32_t> targets, Index batch, const ModelGates<float>& gates) {
            return attn::model_head_importance<float>(run->model(), tokens, targets, batch, gates);
          })
ATTN_STRUCT(HeadPlace, layer, head)
ATTN_OPTIONS(CuttingOptions, mean, random_orders, seed)
ATTN_STRUCT(CuttingResult, loss, losses, random_orders, random_losses, heads, alone)
/// The losses as heads are cut in given orders, in random ones, and each alone, of the model as it
/// is when this begins.
ATTN_STEPS(full, language_model_cut_heads, 1,
           (handle, tokens, targets, otherwise(batch, 1),
            otherwise(orders, std::vector<std::vector<HeadPlace>>()), flat(options)),
           [](Kept<ModelRun> run, std::span<const std::int32_t> tokens,
              std::span<const std::int32_t> targets, Index batch,
              const std::vector<std::vector<HeadPlace>>& orders, const CuttingOptions& options) {
             return HeadCutting<float>(run->model(), tokens, targets, batch, orders, options);
           })
ATTN_OPTIONS(MapDistillationOptions, feature_map, steps, learning_rate)
ATTN_STRUCT(MapDistillationResult<float>, Wq, Wk, loss, floor)
/// Distils one head's softmax into a feature map on these texts, while the model stays as it is.
/// What comes out goes into `maps` of gates.
ATTN_STEPS(full, language_model_distill_head, 1,
           (handle, tokens, otherwise(batch, 1), layer, head, flat(options)),
           [](Kept<ModelRun> run, std::span<const std::int32_t> tokens, Index batch, Index layer,
              Index head, const MapDistillationOptions& options) {
             return attn::distill_head<float>(run->model(), tokens, batch, layer, head, options);
           })
/// The model becomes one whose layers have so many heads of keys and values, each the mean of those
/// of its group (Ainslie et al. 2023). It can be trained on; a training that was under way ends.
ATTN_CALL(full, language_model_group_heads, (handle, kv_heads),
          [](Kept<ModelRun> run, Index kv_heads) {
            return become(*run, attn::group_model_heads<float>(run->model(), kv_heads));
          })

ATTN_OPTIONS(LatentHeadsOptions, latent, rope)
/// The model becomes one whose softmax layers with rotary positions are latent attention, with the
/// weights that come nearest to theirs (Ji et al. 2025). It can be trained on; a training that was
/// under way ends.
ATTN_CALL(full, language_model_latent_heads, (handle, flat(options)),
          [](Kept<ModelRun> run, const LatentHeadsOptions& options) {
            return become(*run, attn::latent_model_heads<float>(run->model(), options));
          })

// --- Its training --------------------------------------------------------------------------------

/// Begins a training of the model as it is now; one that was under way ends. The same model,
/// options and task give the same curve, bit for bit with the build `simd`. With `run`, bytes of
/// `languageModelExport`, it goes on where that run was.
ATTN_CALL(full, language_model_start, (handle, task, flat(options), otherwise(run, Bytes())),
          [](Kept<ModelRun> kept, const TaskOptions& task, const TrainerOptions& how,
             const Bytes& run) {
            const TaskPair tasks = attn::make_tasks(task);
            TrainerOptions options = how;
            options.model = kept->options;
            auto trainer =
                std::make_unique<Trainer<float>>(options, tasks.training, tasks.evaluation);
            if (run.data.empty()) {
              const Vector<float>& now = kept->model().parameters();
              const Vector<float> zeros = Vector<float>::Zero(now.size());
              trainer->restore({now, zeros, zeros, {}});
            } else {
              trainer->restore(snapshot_from_bytes<float>(run.data));
            }
            kept->trainer = std::move(trainer);
            return training_info_of(*kept->trainer, tasks.training->bounds());
          })
/// Trains for about so many milliseconds, or until all steps are done, and says how far it is. A
/// page calls it again and again, and stops by not calling it.
/// @param until To end after so many steps in all. Left out: after all of them.
/// @throws ValueError unless 0 ≤ milliseconds ≤ 1000 and until ≥ 0.
ATTN_CALL(full, language_model_advance, (handle, otherwise(milliseconds, 20), until),
          [](Kept<ModelRun> run, double milliseconds, std::optional<Index> until) {
            return run->training().advance(milliseconds, until, emscripten_get_now);
          })
/// The steps of the training so far, from one on.
ATTN_CALL(full, language_model_curve, (handle, otherwise(from, 0)),
          [](Kept<ModelRun> run, Index from) {
            const std::vector<TrainingPoint>& curve = run->training().curve();
            const Index size = static_cast<Index>(curve.size());
            if (from < 0 || from > size) {
              throw ValueError("from", phrase::number(from), phrase::range(0, size));
            }
            return std::vector<TrainingPoint>(curve.begin() + from, curve.end());
          })
/// The loss on batches that training never saw, the same at every call.
ATTN_CALL(full, language_model_evaluate, (handle, otherwise(batches, 1)),
          [](Kept<ModelRun> run, Index batches) { return run->training().evaluate(batches); })
/// What the last slice of a step kept for its way back, and how often its layers ran forward.
ATTN_CALL(full, language_model_step_work, (handle),
          [](Kept<ModelRun> run) { return run->training().step_work(); })
/// How large the gradients of the last finished step were, by parameter, before clipping.
/// @param probabilities Of the quantiles of the absolute values; 0.1, 0.5 and 0.9 unless given.
ATTN_CALL(full, language_model_gradient_quantiles,
          (handle, otherwise(probabilities, std::vector<double>({0.1, 0.5, 0.9}))),
          [](Kept<ModelRun> run, const std::vector<double>& probabilities) {
            const Trainer<float>& trainer = run->training();
            if (trainer.gradients().size() == 0) {
              throw ValueError("handle", phrase::none, phrase::training_begun);
            }
            return parameter_quantiles<float>(trainer.model().table(), trainer.gradients(),
                                              probabilities);
          })
/// The training as bytes: parameters, optimiser and curve after the last finished step.
/// `languageModelStart` of a model with the same options goes on from them, bit for bit.
ATTN_CALL(full, language_model_export, (handle, otherwise(about, std::string())),
          [](Kept<ModelRun> run, const std::string& about) -> Bytes {
            return {to_bytes<float>(run->training().snapshot(), about)};
          })
ATTN_CALL(full, language_model_delete, (handle), [](Gone<ModelRun>) { return Nothing(); })

// --- A list said backwards -----------------------------------------------------------------------

ATTN_OPTIONS(ReversalOptions, vocabulary, length, d_model, heads, steps, batch, learning_rate,
             frame_every, seed)
ATTN_STRUCT(ReversalFrame, step, anti_diagonal, anti_diagonals, said, weights)
ATTN_STRUCT(ReversalResult, loss, accuracy, frames, list)
ATTN_STEPS(full, learn_reversal, 4, (flat(options)),
           [](const ReversalOptions& how) { return ReversalTraining<float>(how); })

// --- The nearest key -----------------------------------------------------------------------------

ATTN_OPTIONS(NearestKeyOptions, d_model, heads, keys, queries, steps, batch, learning_rate, seed)
ATTN_STRUCT(NearestKeyResult, loss, accuracy, held_out_accuracy, held_out_loss, weight_on_nearest,
            chance, parameters, weights, nearest)
ATTN_STEPS(full, learn_nearest_key, 4, (flat(options)),
           [](const NearestKeyOptions& how) { return NearestKeyTraining<float>(how); })

}  // namespace attn::wasm
