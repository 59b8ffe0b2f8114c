#include "attn/models/reversal.hpp"

#include <algorithm>
#include <numeric>

#include "attn/base/errors.hpp"
#include "attn/base/rng.hpp"
#include "attn/nn/cross_entropy.hpp"
#include "attn/nn/embedding.hpp"
#include "attn/nn/linear.hpp"

namespace attn {
namespace {

/// Step i draws from stream kReversalSteps + i; the list of the frames from kReversalList.
constexpr std::uint64_t kReversalSteps = std::uint64_t{1} << 32,
                        kReversalList = std::uint64_t{1} << 33;

std::vector<std::int32_t> draw_list(Index length, Index vocabulary, Rng& rng) {
  std::vector<std::int32_t> list(static_cast<std::size_t>(length));
  for (auto& token : list) {
    token = static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(vocabulary)));
  }
  return list;
}

/// A list of different tokens, as far as the vocabulary has them, so that what is said backwards
/// can be checked place by place.
std::vector<std::int32_t> draw_different(Index length, Index vocabulary, Rng& rng) {
  std::vector<std::int32_t> list, left;
  while (static_cast<Index>(list.size()) < length) {
    if (left.empty()) {
      left.resize(static_cast<std::size_t>(vocabulary));
      std::iota(left.begin(), left.end(), 0);
    }
    const auto at = static_cast<std::ptrdiff_t>(rng.below(left.size()));
    list.push_back(left[static_cast<std::size_t>(at)]);
    left.erase(left.begin() + at);
  }
  return list;
}

ParameterTable table_of(const ReversalOptions& options) {
  const auto within = [](const char* name, Index value, Index least, Index most) {
    if (value < least) throw ValueError(name, phrase::number(value), phrase::at_least(least));
    if (value > most) throw CapacityError(name, phrase::number(value), phrase::at_most(most));
  };
  within("vocabulary", options.vocabulary, 2, 64);
  within("length", options.length, 2, 64);
  within("d_model", options.d_model, 1, 256);
  within("steps", options.steps, 1, 10000);
  within("batch", options.batch, 1, 1024);
  within("frame_every", options.frame_every, 1, options.steps);
  require_heads(options.d_model, options.heads, options.heads);
  const Index d = options.d_model;
  ParameterTable table;
  table.add_matrix("tokens", options.vocabulary, d, Initializer::kNormal, 0.5);
  table.add_matrix("sources", options.length, d, Initializer::kNormal, 0.5);
  table.add_matrix("targets", options.length, d, Initializer::kNormal, 0.5);
  for (const char* name : {"Wq", "Wk", "Wv", "Wo"}) table.add_matrix(name, d, d);
  table.add_matrix("head", options.vocabulary, d);
  table.add_vector("bias", options.vocabulary);
  return table;
}

AdamWOptions optimizer_of(const ReversalOptions& options) {
  AdamWOptions made;
  made.learning_rate = options.learning_rate;
  return made;
}

}  // namespace

template <typename T>
ReversalTraining<T>::ReversalTraining(const ReversalOptions& options)
    : options_(options),
      training_(table_of(options), options.seed, options.steps, optimizer_of(options)) {
  Rng rng(options.seed, kReversalList);
  result_.list = draw_different(options.length, options.vocabulary, rng);
  keep_frame();
}

template <typename T>
Matrix<T> ReversalTraining<T>::memory(const std::vector<std::int32_t>& list) const {
  return embed<T>(list, training_.matrix("tokens")) + training_.matrix("sources");
}

template <typename T>
void ReversalTraining<T>::learn() {
  Rng rng(options_.seed, kReversalSteps + static_cast<std::uint64_t>(training_.finished()));
  const MultiHeadWeights<T> layer = training_.layer(options_.heads);
  const Matrix<T> targets = training_.matrix("targets"), head = training_.matrix("head");
  const Vector<T> bias = training_.vector("bias");
  const T share = T(1) / static_cast<T>(options_.batch);
  double loss = 0, accuracy = 0;
  for (Index b = 0; b < options_.batch; ++b) {
    const std::vector<std::int32_t> list = draw_list(options_.length, options_.vocabulary, rng);
    const std::vector<std::int32_t> wanted(list.rbegin(), list.rend());
    const Matrix<T> source = memory(list);
    const Matrix<T> read = multi_head_attention<T>(targets, source, source, layer).output;
    const auto scored = cross_entropy<T>(linear<T>(read, head, bias), wanted);
    loss += scored.loss;
    accuracy += scored.accuracy;
    const auto last = linear_backward<T>(read, head, bias, scored.d_logits * share);
    const auto back = multi_head_attention_backward<T>(targets, source, source, last.dX, layer);
    const Matrix<T> d_source = back.d_Yk + back.d_Yv;
    training_.gradient("head") += last.dW;
    training_.gradient("bias").col(0) += last.d_bias;
    training_.gradient("targets") += back.d_X;
    training_.gradient("sources") += d_source;
    embed_backward<T>(list, d_source, training_.gradient("tokens"));
    training_.add_gradients(back.d_weights);
  }
  training_.update();
  result_.loss.push_back(loss / static_cast<double>(options_.batch));
  result_.accuracy.push_back(accuracy / static_cast<double>(options_.batch));
}

template <typename T>
void ReversalTraining<T>::keep_frame() {
  const Matrix<T> source = memory(result_.list);
  const auto made = multi_head_attention<T>(training_.matrix("targets"), source, source,
                                            training_.layer(options_.heads));
  const Matrix<T> logits =
      linear<T>(made.output, training_.matrix("head"), training_.vector("bias"));
  ReversalFrame frame;
  frame.step = training_.finished();
  const Index n = options_.length;
  for (const Matrix<T>& P : made.heads.weights) {
    double sum = 0;
    for (Index t = 0; t < n; ++t) sum += static_cast<double>(P(t, n - 1 - t));
    frame.anti_diagonals.push_back(sum / static_cast<double>(n));
    frame.anti_diagonal += sum;
    frame.weights.push_back(P.template cast<float>());
  }
  frame.anti_diagonal /= static_cast<double>(n * options_.heads);
  for (Index t = 0; t < n; ++t) {
    Index best = 0;
    logits.row(t).maxCoeff(&best);
    frame.said.push_back(static_cast<std::int32_t>(best));
  }
  result_.frames.push_back(std::move(frame));
}

template <typename T>
bool ReversalTraining<T>::step(Index steps) {
  for (Index i = 0; i < steps && !training_.done(); ++i) {
    learn();
    if (training_.finished() % options_.frame_every == 0 || training_.done()) keep_frame();
  }
  return training_.done();
}

template class ReversalTraining<float>;
template class ReversalTraining<double>;

}  // namespace attn
