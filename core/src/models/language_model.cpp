#include "attn/models/language_model.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

#include "attn/base/errors.hpp"
#include "attn/mixers/phrases.hpp"
#include "attn/models/phrases.hpp"
#include "attn/models/speculative.hpp"
#include "attn/nn/embedding.hpp"
#include "attn/nn/linear.hpp"
#include "attn/nn/normalization.hpp"
#include "models/planned_step.hpp"
#include "simd/fused.hpp"

namespace attn {
namespace {

template <typename T>
Vector<T> norm_vector(const ParameterTable& table, const char* name, const Vector<T>& values) {
  if (!table.contains(name)) return {};
  const ParameterInfo& info = table.at(name);
  return values.segment(info.offset, info.count());
}

void require_targets(std::span<const std::int32_t> tokens, std::span<const std::int32_t> targets) {
  if (targets.size() == tokens.size()) return;
  throw ShapeError("targets", phrase::entries_seen(static_cast<Index>(targets.size())),
                   phrase::token_each_place);
}

void require_positive(const char* name, Index value) {
  if (value < 1) throw ValueError(name, phrase::number(value), phrase::at_least(1));
}

}  // namespace

std::uint64_t ModelIdentity::next() noexcept {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

StepMemory::StepMemory(Index checkpoint_every) : checkpoint_every_(checkpoint_every) {
  if (checkpoint_every < 0) {
    throw ValueError("checkpoint_every", phrase::number(checkpoint_every), phrase::at_least(0));
  }
}
StepMemory::~StepMemory() = default;
StepMemory::StepMemory(StepMemory&&) noexcept = default;
StepMemory& StepMemory::operator=(StepMemory&&) noexcept = default;

template <typename T>
struct LanguageModel<T>::Run {
  std::vector<BlockRun<T>> blocks;
  /// Before and after the last norm.
  Matrix<T> x, normed;
  /// Layers in a segment, and the first layer of the last one; of those before it only the inputs
  /// are kept. 0: all is kept.
  Index segment = 0, last_segment = 0;
  std::vector<Matrix<T>> inputs;

  /// The numbers that are kept now.
  std::uint64_t kept() const {
    std::uint64_t all = 0;
    for (const BlockRun<T>& block : blocks) all += kept_of(block);
    for (const Matrix<T>& input : inputs) all += static_cast<std::uint64_t>(input.size());
    return all;
  }
  static std::uint64_t kept_of(const BlockRun<T>& block) {
    const FeedForwardRun<T>& feed = block.feed_forward;
    return static_cast<std::uint64_t>(block.x.size() + block.mixer_input.size() +
                                      block.middle.size() + block.feed_forward_input.size() +
                                      feed.up.size() + feed.gate.size() + feed.joined.size());
  }
};

template <typename T>
LanguageModel<T>::LanguageModel(const LanguageModelOptions& options, std::uint64_t seed)
    : options_(options) {
  require_positive("vocabulary", options.vocabulary);
  if (options.layers < 1 || options.layers > kMostLayers) {
    throw ValueError("layers", phrase::number(options.layers), phrase::range(1, kMostLayers));
  }
  require_positive("length", options.length);
  const Index mixers = static_cast<Index>(options.mixers.size());
  if (mixers != 1 && mixers != options.layers) {
    throw ValueError("mixers", phrase::number(mixers),
                     phrase::one_mixer_each_layer(options.layers));
  }
  const Index d = options.d_model;
  require_positive("d_model", d);
  table_.add_matrix("tok.weight", options.vocabulary, d, Initializer::kNormal,
                    options.embedding_size);
  if (options.positions) {
    table_.add_matrix("pos.weight", options.length, d, Initializer::kNormal,
                      options.embedding_size);
  }
  for (Index i = 0; i < options.layers; ++i) {
    BlockOptions block;
    block.mixer = options.mixers[static_cast<std::size_t>(mixers == 1 ? 0 : i)];
    block.mixer.d_model = d;
    block.mixer.length = options.length;
    block.mixer.sees = options.sees;
    block.norm = options.norm;
    block.feed_forward = options.feed_forward;
    block.gated = options.gated;
    block.activation = options.activation;
    blocks_.emplace_back(block);
    block_at_.push_back(table_.size());
    table_.append(blocks_.back().parameters(), "blocks." + std::to_string(i) + ".");
  }
  table_.add_vector("lnf.weight", d, Initializer::kOnes);
  if (options.norm == BlockNorm::kLayer) table_.add_vector("lnf.bias", d);
  if (!options.tied) table_.add_matrix("head.weight", options.vocabulary, d);
  parameters_.resize(table_.size());
  initialize<T>(table_, seed, parameters_);
}

template <typename T>
const Block<T>& LanguageModel<T>::block(Index layer) const {
  if (layer < 0 || layer >= layers()) {
    throw ValueError("layer", phrase::number(layer), phrase::range(0, layers() - 1));
  }
  return blocks_[static_cast<std::size_t>(layer)];
}

template <typename T>
void LanguageModel<T>::require_batch(std::span<const std::int32_t> tokens, Index batch) const {
  const Index count = static_cast<Index>(tokens.size());
  require_positive("batch", batch);
  if (count < batch || count % batch != 0) {
    throw ShapeError("tokens", phrase::tokens_seen(count), phrase::token_each_place);
  }
  if (count / batch > options_.length) {
    throw CapacityError("tokens", phrase::tokens_seen(count / batch),
                        phrase::at_most_length(options_.length));
  }
}

template <typename T>
Matrix<T> LanguageModel<T>::embedded(std::span<const std::int32_t> tokens, Index batch) const {
  require_batch(tokens, batch);
  Matrix<T> X = embed<T>(tokens, view<T>(table_.at("tok.weight"), parameters_));
  if (!options_.positions) return X;
  const auto positions = view<T>(table_.at("pos.weight"), parameters_);
  const Index n = X.rows() / batch;
  for (Index s = 0; s < batch; ++s) X.middleRows(s * n, n) += positions.topRows(n);
  return X;
}

template <typename T>
typename LanguageModel<T>::Gates LanguageModel<T>::gates_of(const ModelGates<T>& given) const {
  Gates made(blocks_.size());
  for (HeadGates<T>& own : made) {
    own.keep = given.keep;
    own.blocks = given.blocks;
    own.cache = given.cache;
  }
  for (const ModelMap<T>& one : given.maps) {
    block(one.layer);
    auto& maps = made[static_cast<std::size_t>(one.layer)].maps;
    for (const MappedHead<T>& other : maps) {
      if (other.head == one.map.head) {
        throw ValueError("maps", phrase::head_twice(one.layer, other.head), phrase::each_head_once);
      }
    }
    maps.push_back(one.map);
  }
  if (given.heads.empty()) return made;
  const Index replaced = static_cast<Index>(given.instead.size());
  if (replaced != 0 && replaced != layers()) {
    throw ShapeError("instead", phrase::entries_seen(replaced),
                     phrase::matrix_each_layer(layers()));
  }
  for (const HeadGate& one : given.heads) {
    const SequenceMixer<T>& mixer = block(one.layer).mixer();
    const Index heads = mixer.gated_heads();
    if (heads == 0) {
      throw ValueError("gates", phrase::quoted(mixer.info().id), phrase::mixer_with_gated_heads);
    }
    if (one.head < 0 || one.head >= heads) {
      throw ValueError("head", phrase::number(one.head), phrase::range(0, heads - 1));
    }
    if (!std::isfinite(one.gate)) {
      throw ValueError("gate", phrase::number(one.gate), phrase::finite_number);
    }
    const auto layer = static_cast<std::size_t>(one.layer);
    HeadGates<T>& own = made[layer];
    if (own.gates.size() == 0) {
      // NaN, until a head has been named.
      own.gates = Vector<T>::Constant(heads, std::numeric_limits<T>::quiet_NaN());
      if (replaced > 0) own.instead = given.instead[layer];
    }
    if (!std::isnan(own.gates(one.head))) {
      throw ValueError("gates", phrase::head_twice(one.layer, one.head), phrase::each_head_once);
    }
    own.gates(one.head) = static_cast<T>(one.gate);
  }
  for (HeadGates<T>& own : made) own.gates = own.gates.array().isNaN().select(T(1), own.gates);
  return made;
}

template <typename T>
Matrix<T> LanguageModel<T>::through(Index layer, In<T> X, Index batch, const HeadGates<T>& gates,
                                    BlockRun<T>* run) const {
  const auto at = static_cast<std::size_t>(layer);
  return blocks_[at].forward(
      X, batch, parameters_.segment(block_at_[at], blocks_[at].parameters().size()), run, gates);
}

template <typename T>
Matrix<T> LanguageModel<T>::forward(std::span<const std::int32_t> tokens, Index batch,
                                    const Gates& gates, Run* run) const {
  Matrix<T> X = embedded(tokens, batch);
  if (run != nullptr) run->blocks.resize(blocks_.size());
  for (Index i = 0; i < layers(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (run == nullptr || i >= run->last_segment) {
      X = through(i, X, batch, gates[at], run == nullptr ? nullptr : &run->blocks[at]);
      continue;
    }
    if (i % run->segment == 0) run->inputs.push_back(X);
    // The same way as when it is made again, so that the bits are the same.
    BlockRun<T> given_up;
    X = through(i, X, batch, gates[at], &given_up);
  }
  const Vector<T> weight = norm_vector(table_, "lnf.weight", parameters_);
  Matrix<T> normed = options_.norm == BlockNorm::kRms
                         ? rms_norm<T>(X, weight)
                         : layer_norm<T>(X, weight, norm_vector(table_, "lnf.bias", parameters_));
  const auto head = view<T>(table_.at(options_.tied ? "tok.weight" : "head.weight"), parameters_);
  Matrix<T> logits = linear<T>(normed, head);
  if (run != nullptr) {
    run->x = std::move(X);
    run->normed = std::move(normed);
  }
  return logits;
}

template <typename T>
Matrix<T> LanguageModel<T>::logits(std::span<const std::int32_t> tokens, Index batch,
                                   const ModelGates<T>& gates) const {
  return forward(tokens, batch, gates_of(gates), nullptr);
}

template <typename T>
BatchResult LanguageModel<T>::evaluate(std::span<const std::int32_t> tokens,
                                       std::span<const std::int32_t> targets, Index batch,
                                       const ModelGates<T>& gates) const {
  const auto made = cross_entropy<T>(logits(tokens, batch, gates), targets, false);
  return {made.loss, made.accuracy, made.counted};
}

template <typename T>
BatchResult LanguageModel<T>::gradients(std::span<const std::int32_t> tokens,
                                        std::span<const std::int32_t> targets, Index batch,
                                        Vector<T>& gradients, StepMemory* memory) const {
  gradients.setZero(table_.size());
  return add_gradients(tokens, targets, batch, counted_targets(targets), gradients, memory);
}

template <typename T>
BatchResult LanguageModel<T>::add_gradients(std::span<const std::int32_t> tokens,
                                            std::span<const std::int32_t> targets, Index batch,
                                            Index counted, Vector<T>& gradients,
                                            StepMemory* memory) const {
  require_batch(tokens, batch);
  require_shape<T>("gradients", gradients.transpose(), 1, table_.size(),
                   phrase::shape_of_model_parameter);
  require_shape<T>("parameters", parameters_.transpose(), 1, table_.size(),
                   phrase::shape_of_model_parameter);
  StepMemory own;
  StepMemory& used = memory == nullptr ? own : *memory;
  if constexpr (std::is_same_v<T, float>) {
    if (internal::kernels_run<T>()) {
      BatchResult result;
      if (used.step_ == nullptr) {
        used.step_ = std::make_unique<internal::PlannedStep>(used.checkpoint_every_);
      }
      if (used.step_->run(*this, tokens, targets, batch, counted, gradients, result)) {
        used.work_ = used.step_->work();
        return result;
      }
    }
  }
  Run run;
  const Gates open(blocks_.size());
  if (used.checkpoint_every_ > 0) {
    run.segment = used.checkpoint_every_;
    run.last_segment = (layers() - 1) / run.segment * run.segment;
  }
  auto made = cross_entropy<T>(forward(tokens, batch, open, &run), targets, true);
  if (made.counted != counted) {
    made.d_logits *=
        static_cast<T>(static_cast<double>(made.counted) / static_cast<double>(counted));
  }
  used.work_ = backward(run, tokens, batch, made.d_logits, open, gradients, nullptr);
  return {made.loss, made.accuracy, made.counted};
}

template <typename T>
StepWork LanguageModel<T>::backward(Run& run, std::span<const std::int32_t> tokens, Index batch,
                                    In<T> d_logits, const Gates& gates, Vector<T>& gradients,
                                    std::vector<Matrix<T>>* parts) const {
  const ParameterInfo& head = table_.at(options_.tied ? "tok.weight" : "head.weight");
  Matrix<T> d(run.normed.rows(), run.normed.cols());
  Eigen::Map<Vector<T>> no_bias(nullptr, 0);
  linear_backward_into<T>(run.normed, view<T>(head, parameters_), d_logits, d,
                          edit<T>(head, gradients), no_bias);
  const Vector<T> weight = norm_vector(table_, "lnf.weight", parameters_);
  auto last =
      options_.norm == BlockNorm::kRms
          ? rms_norm_backward<T>(run.x, weight, d)
          : layer_norm_backward<T>(run.x, weight, norm_vector(table_, "lnf.bias", parameters_), d);
  gradients.segment(table_.at("lnf.weight").offset, weight.size()) += last.d_weight;
  if (options_.norm == BlockNorm::kLayer) {
    gradients.segment(table_.at("lnf.bias").offset, weight.size()) += last.d_bias;
  }
  d = std::move(last.dX);
  StepWork work = {run.kept(), 0, static_cast<std::uint64_t>(d.size()), blocks_.size()};
  for (std::size_t i = blocks_.size(); i-- > 0;) {
    const Index layer = static_cast<Index>(i);
    if (layer < run.last_segment && (layer + 1) % run.segment == 0) {
      Matrix<T> X = run.inputs.back();
      for (Index l = layer + 1 - run.segment; l <= layer; ++l) {
        X = through(l, X, batch, gates[static_cast<std::size_t>(l)],
                    &run.blocks[static_cast<std::size_t>(l)]);
        ++work.layer_forwards;
      }
      work.kept_numbers = std::max(work.kept_numbers, run.kept());
    }
    work.largest_layer = std::max(work.largest_layer, Run::kept_of(run.blocks[i]));
    const Index size = blocks_[i].parameters().size();
    const bool gated = parts != nullptr && blocks_[i].mixer().gated_heads() > 0;
    d = blocks_[i].backward(run.blocks[i], batch, parameters_.segment(block_at_[i], size), d,
                            gradients.segment(block_at_[i], size), gates[i],
                            gated ? &(*parts)[i] : nullptr);
    run.blocks[i] = {};
    if (layer < run.last_segment && layer % run.segment == 0) run.inputs.pop_back();
  }
  embed_backward<T>(tokens, d, edit<T>(table_.at("tok.weight"), gradients));
  if (options_.positions) {
    auto d_positions = edit<T>(table_.at("pos.weight"), gradients);
    const Index n = d.rows() / batch;
    for (Index s = 0; s < batch; ++s) d_positions.topRows(n) += d.middleRows(s * n, n);
  }
  return work;
}

template <typename T>
GateGradients<T> LanguageModel<T>::gate_gradients(std::span<const std::int32_t> tokens,
                                                  std::span<const std::int32_t> targets,
                                                  Index batch, const ModelGates<T>& gates) const {
  const Gates given = gates_of(gates);
  Run run;
  const Matrix<T> said = forward(tokens, batch, given, &run);
  require_targets(tokens, targets);
  GateGradients<T> made;
  const Index n = said.rows() / batch;
  Matrix<T> d_logits = Matrix<T>::Zero(said.rows(), said.cols());
  for (Index s = 0; s < batch; ++s) {
    const auto own = targets.subspan(static_cast<std::size_t>(s * n), static_cast<std::size_t>(n));
    const bool counts = counted_targets(own) > 0;
    made.losses.push_back(std::numeric_limits<double>::quiet_NaN());
    if (!counts) continue;
    auto one = cross_entropy<T>(said.middleRows(s * n, n), own, true);
    made.losses.back() = one.loss;
    d_logits.middleRows(s * n, n) = one.d_logits;
  }
  for (const Block<T>& one : blocks_) {
    made.parts.push_back(Matrix<T>::Zero(said.rows(), one.mixer().gated_heads()));
  }
  Vector<T> gradients = Vector<T>::Zero(table_.size());
  backward(run, tokens, batch, d_logits, given, gradients, &made.parts);
  return made;
}

template <typename T>
std::vector<Matrix<T>> LanguageModel<T>::head_means(std::span<const std::int32_t> tokens,
                                                    Index batch) const {
  Run run;
  forward(tokens, batch, Gates(blocks_.size()), &run);
  std::vector<Matrix<T>> made;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const SequenceMixer<T>& mixer = blocks_[i].mixer();
    const Index heads = mixer.gated_heads();
    if (heads == 0) {
      made.emplace_back(0, 0);
      continue;
    }
    const Vector<T> own = blocks_[i].mixer_parameters(
        parameters_.segment(block_at_[i], blocks_[i].parameters().size()));
    const Matrix<T> mean =
        mixer.head_outputs(run.blocks[i].mixer_input, batch, own).colwise().mean();
    made.push_back(Eigen::Map<const Matrix<T>>(mean.data(), heads, mean.cols() / heads));
  }
  return made;
}

template <typename T>
std::vector<Qkv<T>> LanguageModel<T>::head_inputs(std::span<const std::int32_t> tokens, Index batch,
                                                  Index layer, Index head) const {
  const Block<T>& wanted = block(layer);
  Run run;
  forward(tokens, batch, Gates(blocks_.size()), &run);
  const auto at = static_cast<std::size_t>(layer);
  const Vector<T> own =
      wanted.mixer_parameters(parameters_.segment(block_at_[at], wanted.parameters().size()));
  const Matrix<T>& X = run.blocks[at].mixer_input;
  const Index n = X.rows() / batch;
  std::vector<Qkv<T>> made;
  for (Index s = 0; s < batch; ++s) {
    made.push_back(wanted.mixer().head_inputs(X.middleRows(s * n, n), own, head));
  }
  return made;
}

template <typename T>
std::vector<double> LanguageModel<T>::losses(std::span<const std::int32_t> tokens,
                                             std::span<const std::int32_t> targets, Index batch,
                                             const ModelGates<T>& gates) const {
  const Matrix<T> all = logits(tokens, batch, gates);
  require_targets(tokens, targets);
  std::vector<double> made;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    made.push_back(
        cross_entropy<T>(all.row(static_cast<Index>(i)), targets.subspan(i, 1), false).loss);
  }
  return made;
}

template <typename T>
std::vector<double> LanguageModel<T>::prefix_losses(std::span<const std::int32_t> tokens,
                                                    std::span<const std::int32_t> targets,
                                                    Index batch, const ModelGates<T>& gates) const {
  if (options_.sees == SeenTokens::kEarlier) return losses(tokens, targets, batch, gates);
  require_batch(tokens, batch);
  require_targets(tokens, targets);
  const std::size_t sequences = static_cast<std::size_t>(batch), n = tokens.size() / sequences;
  std::vector<double> made(tokens.size());
  std::vector<std::int32_t> prefixes, last;
  for (std::size_t t = 0; t < n; ++t) {
    prefixes.clear();
    last.clear();
    for (std::size_t s = 0; s < sequences; ++s) {
      const auto first = tokens.begin() + static_cast<std::ptrdiff_t>(s * n);
      prefixes.insert(prefixes.end(), first, first + static_cast<std::ptrdiff_t>(t + 1));
      last.insert(last.end(), t, kIgnoredTarget);
      last.push_back(targets[s * n + t]);
    }
    const std::vector<double> all = losses(prefixes, last, batch, gates);
    for (std::size_t s = 0; s < sequences; ++s) made[s * n + t] = all[s * (t + 1) + t];
  }
  return made;
}

template <typename T>
Matrix<T> LanguageModel<T>::weights(std::span<const std::int32_t> tokens, Index layer, Index which,
                                    const ModelGates<T>& gates) const {
  const Block<T>& wanted = block(layer);
  Run run;
  const Gates own_gates = gates_of(gates);
  forward(tokens, 1, own_gates, &run);
  const auto at = static_cast<std::size_t>(layer);
  const Vector<T> own =
      wanted.mixer_parameters(parameters_.segment(block_at_[at], wanted.parameters().size()));
  return wanted.mixer().weights(run.blocks[at].mixer_input, own, which, own_gates[at]);
}

template <typename T>
typename LanguageModel<T>::State LanguageModel<T>::start() const {
  State state;
  for (const Block<T>& one : blocks_) state.layers.push_back(one.mixer().start());
  return state;
}

template <typename T>
Vector<T> LanguageModel<T>::step(State& state, std::int32_t token,
                                 const ModelGates<T>& gates) const {
  return step_with(state, token, gates_of(gates));
}

template <typename T>
Vector<T> LanguageModel<T>::step_with(State& state, std::int32_t token, const Gates& gates) const {
  if (options_.positions && state.position >= options_.length) {
    throw CapacityError("tokens", phrase::tokens_seen(state.position + 1),
                        phrase::at_most_length(options_.length));
  }
  Matrix<T> x = embed<T>({&token, 1}, view<T>(table_.at("tok.weight"), parameters_));
  if (options_.positions) {
    x += view<T>(table_.at("pos.weight"), parameters_).row(state.position);
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    x = blocks_[i].step(x, parameters_.segment(block_at_[i], blocks_[i].parameters().size()),
                        state.layers[i], gates[i]);
  }
  ++state.position;
  const Vector<T> weight = norm_vector(table_, "lnf.weight", parameters_);
  const Matrix<T> normed =
      options_.norm == BlockNorm::kRms
          ? rms_norm<T>(x, weight)
          : layer_norm<T>(x, weight, norm_vector(table_, "lnf.bias", parameters_));
  const auto head = view<T>(table_.at(options_.tied ? "tok.weight" : "head.weight"), parameters_);
  return linear<T>(normed, head).row(0).transpose();
}

template <typename T>
std::uint64_t LanguageModel<T>::state_numbers(Index n) const {
  std::uint64_t all = 0;
  for (const Block<T>& one : blocks_) all += one.mixer().state_numbers(n);
  return all;
}

namespace {

/// What tokens are drawn by, up to a factor. `best` becomes the first of the largest logits, which
/// alone has a weight when greedy.
template <typename T>
std::vector<double> token_weights(InVector<T> logits, const SamplingOptions& sampling,
                                  Index& best) {
  const Index count = logits.size();
  if (count < 1) throw ShapeError("logits", phrase::empty, phrase::at_least_one);
  if (!(sampling.temperature >= 0) || !std::isfinite(sampling.temperature)) {
    throw ValueError("temperature", phrase::number(sampling.temperature),
                     phrase::number_of_at_least(0));
  }
  if (sampling.top_k < 0) {
    throw ValueError("top_k", phrase::number(sampling.top_k), phrase::at_least(0));
  }
  const double largest = static_cast<double>(logits.maxCoeff(&best));
  std::vector<double> weights(static_cast<std::size_t>(count));
  if (sampling.temperature == 0) {
    weights[static_cast<std::size_t>(best)] = 1;
    return weights;
  }
  double least = -std::numeric_limits<double>::infinity();
  if (sampling.top_k > 0 && sampling.top_k < count) {
    std::vector<T> sorted(logits.data(), logits.data() + count);
    std::nth_element(sorted.begin(), sorted.begin() + sampling.top_k - 1, sorted.end(),
                     std::greater<T>());
    least = static_cast<double>(sorted[static_cast<std::size_t>(sampling.top_k - 1)]);
  }
  for (Index i = 0; i < count; ++i) {
    const double logit = static_cast<double>(logits(i));
    if (logit < least) continue;
    weights[static_cast<std::size_t>(i)] = std::exp((logit - largest) / sampling.temperature);
  }
  return weights;
}

}  // namespace

template <typename T>
std::int32_t choose_token(InVector<T> logits, const SamplingOptions& sampling, Rng& rng) {
  Index best = 0;
  const std::vector<double> weights = token_weights<T>(logits, sampling, best);
  if (sampling.temperature == 0) return static_cast<std::int32_t>(best);
  double sum = 0;
  for (const double weight : weights) sum += weight;
  double left = rng.uniform() * sum;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return static_cast<std::int32_t>(i);
  }
  return static_cast<std::int32_t>(best);
}

template <typename T>
Vector<double> token_probabilities(InVector<T> logits, const SamplingOptions& sampling) {
  Index best = 0;
  const std::vector<double> weights = token_weights<T>(logits, sampling, best);
  Vector<double> made =
      Eigen::Map<const Vector<double>>(weights.data(), static_cast<Index>(weights.size()));
  made /= made.sum();
  return made;
}

template <typename T>
std::vector<std::int32_t> LanguageModel<T>::generate(std::span<const std::int32_t> prompt,
                                                     Index count, const SamplingOptions& sampling,
                                                     Rng& rng, const ModelGates<T>& given) const {
  if (prompt.empty()) throw ShapeError("prompt", phrase::empty, phrase::at_least_one_token);
  if (count < 0) throw ValueError("count", phrase::number(count), phrase::at_least(0));
  std::vector<std::int32_t> text(prompt.begin(), prompt.end()), made;
  if (options_.sees != SeenTokens::kEarlier) {
    for (Index i = 0; i < count; ++i) {
      const Matrix<T> all = logits(text, 1, given);
      made.push_back(choose_token<T>(all.bottomRows(1).transpose(), sampling, rng));
      text.push_back(made.back());
    }
    return made;
  }
  const Gates gates = gates_of(given);
  State state = start();
  Vector<T> last;
  for (const std::int32_t token : text) last = step_with(state, token, gates);
  for (Index i = 0; i < count; ++i) {
    made.push_back(choose_token<T>(last, sampling, rng));
    if (i + 1 < count) last = step_with(state, made.back(), gates);
  }
  return made;
}

template <typename T>
std::vector<ParameterQuantiles> parameter_quantiles(const ParameterTable& table, InVector<T> values,
                                                    std::span<const double> probabilities) {
  require_shape<T>("values", values.transpose(), 1, table.size(), phrase::shape_of_model_parameter);
  for (const double p : probabilities) {
    if (!(p >= 0 && p <= 1)) {
      throw ValueError("probabilities", phrase::number(p), phrase::range(0, 1));
    }
  }
  std::vector<ParameterQuantiles> made;
  for (const ParameterInfo& info : table.entries()) {
    const auto part = values.segment(info.offset, info.count());
    std::vector<double> sizes;
    sizes.reserve(static_cast<std::size_t>(info.count()));
    double squares = 0;
    for (const T x : part) {
      sizes.push_back(std::abs(static_cast<double>(x)));
      squares += sizes.back() * sizes.back();
    }
    std::sort(sizes.begin(), sizes.end());
    ParameterQuantiles one{info.name, info.count(), std::sqrt(squares), {}};
    for (const double p : probabilities) {
      const double place = p * static_cast<double>(sizes.size() - 1);
      const auto below = static_cast<std::size_t>(place);
      const std::size_t above = std::min(below + 1, sizes.size() - 1);
      one.quantiles.push_back(sizes[below] +
                              (place - static_cast<double>(below)) * (sizes[above] - sizes[below]));
    }
    made.push_back(std::move(one));
  }
  return made;
}

#define ATTN_INSTANTIATE(T)                                                         \
  template class LanguageModel<T>;                                                  \
  template std::vector<ParameterQuantiles> parameter_quantiles<T>(                  \
      const ParameterTable&, InVector<T>, std::span<const double>);                 \
  template std::int32_t choose_token<T>(InVector<T>, const SamplingOptions&, Rng&); \
  template Vector<double> token_probabilities<T>(InVector<T>, const SamplingOptions&);
ATTN_INSTANTIATE(float)
ATTN_INSTANTIATE(double)
#undef ATTN_INSTANTIATE

}  // namespace attn
